"""The plan of a table while the owner chooses: edition, options, scenario, cast, districts, draft; and its words.

Every step asks the engine whether it is allowed, and raises its Unplayable if it is not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from msgspec.structs import replace as changed
from rich.cells import cell_len

from citadels_lan.engine import EDITIONS, RANDOM, Edition, TableConfig, Unplayable, edition_named
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.engine.config import DraftKind, Value
from citadels_lan.engine.setup import check, from_scenario, scenario_of
from citadels_lan.front.prompt.menu import capital
from citadels_lan.net.wire.messages import Settings
from citadels_lan.texts import Texts, msg, msg_in, terms
from citadels_lan.texts.language import SCENARIOS
from citadels_lan.texts.refusals import refusal

OWN: Final = ""
"""The scenario of a cast or districts chosen by hand."""


@dataclass(frozen=True)
class Plan:
    """A table as it would be played, and how it was chosen.

    `base` is the scenario to go back to, `nine` whether a scenario's rank 9 is used where it is optional. `bare`:
    no unique district is chosen so far; without it, where the config names none, the edition plays with all of
    them, or chance draws as many as it wants.
    """

    config: TableConfig
    scenario: str
    base: str
    nine: bool = False
    bare: bool = False

    @classmethod
    def of(cls, config: TableConfig) -> "Plan":
        """The plan of a config. Raises Unplayable for an unknown edition or option."""
        scenario, nine = scenario_of(config) or (OWN, False)
        scenarios = edition_named(config.edition, config.options).scenarios
        base = scenario if scenario in scenarios else next(iter(scenarios), OWN)
        return cls(config, scenario, base, nine)

    @property
    def cast(self) -> tuple[str, ...] | None:
        """The characters; None where the table's chance draws them."""
        return self._filled.cast or None

    @property
    def uniques(self) -> tuple[str, ...] | None:
        """The unique districts; None where the table's chance draws them."""
        return () if self.bare else self._filled.districts or None

    @property
    def _filled(self) -> TableConfig:
        """With what is neither chosen nor drawn in this edition."""
        return self.edition.casting.filled(self.edition, self.config)

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return edition_named(self.config.edition, self.config.options)

    @property
    def ways(self) -> tuple[str, ...]:
        """All ways to choose: the scenarios, chance, by hand."""
        return (*self.edition.ways, OWN)

    @property
    def wanted(self) -> int:
        """How many unique districts are chosen, at most where the edition does not say."""
        return self.edition.casting.chosen or len(self.edition.uniques)

    @property
    def drafts(self) -> bool:
        """Whether there is a draft, which may be sealed."""
        return self.edition.flow.drafts

    @property
    def chooses(self) -> bool:
        """Whether there are characters and unique districts to choose."""
        return self.edition.casting.chooses_cast

    # Whether it may be

    def problem(self) -> Unplayable | None:
        """Why the rules do not allow this; None where they do."""
        if self.bare:  # to the engine, a table that says nothing of them
            chosen = self.edition.casting.chosen
            return Unplayable("uniques_needed", count=chosen) if chosen else Unplayable("no_uniques")
        return _refused(lambda: check(self.config))

    def why_not(self, character: str) -> Unplayable | None:
        """Why a character cannot be used; None if it can."""
        return _refused(lambda: self.choose(character))

    def why_nine(self) -> Unplayable | None:
        """Why rank 9 cannot be left out; None if it can."""
        return _refused(self.without_nine)

    # Choosing an edition

    def in_edition(self, key: str) -> "Plan":
        """Another edition, as it is usually played, for as many players as it allows of these. Where it has a
        draft, a sealed one stays sealed."""
        allowed = edition_named(key).players
        players = min(max(self.config.players, min(allowed)), max(allowed))
        there = Plan.of(from_scenario(edition_named(key).ways[0], players, edition_key=key))
        return there.with_draft(self.config.draft) if there.drafts else there

    def next_edition(self, step: int) -> "Plan":
        """The next edition that there is, or the one before."""
        keys = list(EDITIONS)
        return self.in_edition(keys[(keys.index(self.config.edition) + step) % len(keys)])

    def option(self, name: str) -> Value:
        """The value of an option."""
        return dict(self.config.options).get(name, next(iter(self.edition.options[name])))

    def with_option(self, name: str, value: Value) -> "Plan":
        """The same with another value of an option. Raises Unplayable."""
        said = {**dict(self.config.options), name: value}
        known = EDITIONS[self.config.edition].options
        options = tuple(sorted((k, v) for k, v in said.items() if k not in known or v != next(iter(known[k]))))
        same = replace(self, config=changed(self.config, options=options))
        after = same.like(self.scenario) if self.scenario in same.edition.scenarios else same
        check(after.config)
        return after

    def next_value(self, name: str, step: int) -> "Plan":
        """The next value of an option, or the one before."""
        values = list(self.edition.options[name])
        return self.with_option(name, values[(values.index(self.option(name)) + step) % len(values)])

    def with_draft(self, draft: DraftKind) -> "Plan":
        """The same with an open draft, or a sealed one. Raises Unplayable."""
        if draft == "sealed" and not self.drafts:
            raise Unplayable("no_draft")
        return replace(self, config=changed(self.config, draft=draft))

    def other_draft(self) -> "Plan":
        """The same with a sealed draft, or with an open one again. Raises Unplayable."""
        return self.with_draft("open" if self.config.draft == "sealed" else "sealed")

    # Choosing cards

    def like(self, way: str) -> "Plan":
        """The plan with a scenario, with everything by chance, or with the present cards as chosen by hand."""
        if way in self.edition.scenarios:
            return replace(self, config=self._scenario(way), scenario=way, base=way, bare=False)
        if way == RANDOM:
            return self._with(RANDOM, None, None)
        if self.scenario == RANDOM:
            return self._with(OWN, self._cast() or None, self._uniques())
        return replace(self, scenario=OWN)

    def next(self, step: int) -> "Plan":
        """The next way to choose, or the one before."""
        here = self.ways.index(self.scenario) if self.scenario in self.ways else 0
        return self.like(self.ways[(here + step) % len(self.ways)])

    def next_way(self, step: int) -> "Plan":
        """The next scenario, or chance; or the one before."""
        ways = self.edition.ways
        here = ways.index(self.scenario) if self.scenario in ways else -(step > 0)
        return self.like(ways[(here + step) % len(ways)])

    def back(self) -> "Plan":
        """The scenario's own cast and districts again."""
        return self.like(self.base)

    def choose(self, character: str) -> "Plan":
        """This character for its rank. Raises Unplayable."""
        if character not in self.edition.ranks:
            raise Unplayable("unknown_character", character=character)
        by_rank = {self.edition.ranks[key]: key for key in self._cast()} | {
            self.edition.ranks[character]: character
        }
        cast = tuple(by_rank[rank] for rank in sorted(by_rank))
        check(changed(self.config, cast=cast, districts=()))
        return self._own(cast, self.uniques)

    def without_nine(self) -> "Plan":
        """No character of rank 9. Raises Unplayable."""
        cast = tuple(key for key in self._cast() if self.edition.ranks[key] != 9)
        check(changed(self.config, cast=cast, districts=()))
        return self._own(cast, self.uniques)

    def toggle(self, unique: str) -> "Plan":
        """This unique district in or out."""
        chosen = set(self.uniques or ()) ^ {unique}
        return self._own(self.config.cast, self._ordered(chosen))

    def filled(self, dice: Random) -> "Plan":
        """The plan with the missing unique districts drawn by chance; with all of them if the edition does not
        limit them."""
        chosen = list(self.uniques or ())[: self.wanted]
        free = [key for key in self.edition.uniques if key not in chosen]
        return self._own(self.config.cast, self._ordered((*chosen, *dice.sample(free, self.wanted - len(chosen)))))

    def with_uniques(self, uniques: Sequence[str] | None) -> "Plan":
        """Exactly these unique districts; None where chance draws them."""
        return self._own(self.config.cast, None if uniques is None else self._ordered(uniques))

    def draw_cast(self) -> "Plan":
        """The cast by the table's chance, or chosen after all."""
        return self._own(None if self.config.cast else self._cast(), self.uniques)

    def draw_uniques(self) -> "Plan":
        """The unique districts by the table's chance, or chosen after all."""
        return self.with_uniques(self._uniques() if self.uniques is None else None)

    def for_players(self, players: int) -> "Plan":
        """The same for another number of players, with the substitutions of the book."""
        if self.scenario in self.edition.scenarios:
            return replace(self, config=changed(self.config, players=players)).like(self.scenario)
        cast = self._substituted(self.config.cast, players) if self.config.cast else ()
        return replace(self, config=changed(self.config, players=players, cast=cast))

    def more(self, step: int) -> "Plan":
        """The same with more players or fewer, round at the ends of what the edition allows."""
        allowed = self.edition.players
        return self.for_players(allowed[(allowed.index(self.config.players) + step) % len(allowed)])

    def _substituted(self, cast: Sequence[str], players: int) -> tuple[str, ...]:
        scenarios = self.edition.scenarios
        ninth = (scenarios[self.base].rank_nine if self.base in scenarios else None) or ""
        return self.edition.casting.substituted(cast, players, ninth)

    def _cast(self) -> tuple[str, ...]:
        """The cast, or that to begin choosing from."""
        return self.config.cast or (self._scenario(self.base).cast if self.base else ())

    def _uniques(self) -> tuple[str, ...] | None:
        return self._scenario(self.base).districts if self.uniques is None else self.uniques

    def _scenario(self, key: str) -> TableConfig:
        """A scenario for these players in this edition. Raises Unplayable."""
        config = self.config
        named = from_scenario(
            key, config.players, rank_nine=self.nine, edition_key=config.edition, options=config.options
        )
        return changed(named, draft=config.draft)

    def _with(self, scenario: str, cast: tuple[str, ...] | None, uniques: tuple[str, ...] | None) -> "Plan":
        config = changed(self.config, cast=cast or (), districts=uniques or ())
        return replace(self, config=config, scenario=scenario, bare=uniques == ())

    def _own(self, cast: tuple[str, ...] | None, uniques: tuple[str, ...] | None) -> "Plan":
        """This cast and these districts, as what they are: a scenario's own, all by chance, or chosen by hand."""
        own = self._with(OWN, cast, uniques)
        found = None if own.bare else scenario_of(own.config)
        return own if found is None else replace(own, nine=found[1]).like(found[0])

    def _ordered(self, uniques: Sequence[str] | set[str]) -> tuple[str, ...]:
        """Unique districts in the order of the box; unknown and repeated ones come last."""
        box = self.edition.uniques
        known = [key for key in box if key in uniques]
        return (*known, *(key for key in dict.fromkeys(uniques) if key not in box))


def _refused(step: Callable[[], object]) -> Unplayable | None:
    """The reason for which the engine refuses a step; None if it does not."""
    try:
        step()
    except Unplayable as reason:
        return reason
    return None


DRAWN = msg("drawn by lot when the game begins")


def scenario_name(texts: Texts, scenario: str) -> str:
    """The name of a scenario."""
    if scenario == OWN:
        return texts.say(msg("chosen by hand"))
    return texts.say(SCENARIOS[scenario]) if scenario in SCENARIOS else scenario


def heading(texts: Texts, plan: Plan) -> str:
    """The edition, the scenario where there is a choice, how many play it, and that its draft is sealed."""
    named = [terms.name(texts, plan.config.edition)]
    if plan.chooses:
        named.append(scenario_name(texts, plan.scenario))
    named.append(texts.say(msg("{players} players"), players=plan.config.players))
    return ", ".join((*named, *([texts.say(msg("sealed draft"))] if plan.config.draft == "sealed" else ())))


def options_line(texts: Texts, plan: Plan) -> str:
    """The options that are not as usual, in a line."""
    said = terms.chosen(texts, plan.config.options)
    return "; ".join(said) or texts.say(msg("as usual"))


def about_scenario(texts: Texts, plan: Plan) -> list[str]:
    """A scenario in sentences, with the changes for this number of players."""
    if plan.scenario == RANDOM:
        return [texts.say(msg("Characters and districts are drawn by lot when the game begins."))]
    if plan.scenario not in plan.edition.scenarios:
        own = msg("One character of your choice for each rank, and the unique districts that you want.")
        if count := plan.edition.casting.chosen:
            own = msg("One character of your choice for each rank, and {count} unique districts.")
        return [texts.say(own, count=count)]
    printed = plan.edition.scenarios[plan.scenario]
    ninth = (printed.rank_nine or plan.edition.casting.ninth,) if len(plan.cast or ()) == 9 else ()
    return [
        texts.say(msg("Characters and districts as the book puts them together.")),
        *differences(texts, plan, (*printed.cast, *ninth), plan.cast or ()),
    ]


def cast_names(texts: Texts, plan: Plan) -> list[str]:
    """The characters by rank."""
    if plan.cast is None:
        return [texts.say(DRAWN)]
    return [f"{plan.edition.ranks.get(key, '?')} {character(texts, key)}" for key in plan.cast]


def unique_names(texts: Texts, plan: Plan) -> list[str]:
    """The unique districts with their cost."""
    if plan.uniques is None:
        return [texts.say(DRAWN)]
    return [f"{district(texts, key)} ({plan.edition.costs.get(key, '?')})" for key in plan.uniques]


def flow(items: Sequence[str], width: int) -> list[str]:
    """Items with commas between, in lines of at most `width` cells that break between items."""
    lines = [""]
    for number, item in enumerate(items):
        part = item if number == len(items) - 1 else f"{item},"
        if lines[-1] and cell_len(f"{lines[-1]} {part}") > width:
            lines.append(part)
        else:
            lines[-1] = f"{lines[-1]} {part}".lstrip()
    return lines


def plan_lines(texts: Texts, plan: Plan, width: int) -> list[str]:
    """The characters, then the unique districts, in lines of at most `width` cells."""
    return [*flow(cast_names(texts, plan), width), *flow(unique_names(texts, plan), width)]


def about_edition(texts: Texts, plan: Plan) -> str:
    """An edition in a sentence, and its numbers of players."""
    return f"{terms.summary(texts, plan.config.edition)} {players_line(texts, plan)}".strip()


def option_name(texts: Texts, name: str) -> str:
    """The name of an option, with a capital."""
    return capital(terms.option(texts, name))


def players_line(texts: Texts, plan: Plan) -> str:
    """For how many the edition is."""
    allowed = plan.edition.players
    return texts.say(msg("For {least} to {most} players."), least=min(allowed), most=max(allowed))


def character(texts: Texts, key: str) -> str:
    """Its name; of one that this version does not know, the key."""
    return texts.character(key) if key in CHARACTERS else key


def district(texts: Texts, key: str) -> str:
    """Its name; of one that this version does not know, the key."""
    return texts.district(key) if key in DISTRICTS else key


def reason(texts: Texts, why: Unplayable) -> str:
    """Why something cannot be played."""
    return refusal(texts, why.code, why.details)


def changes(texts: Texts, before: Plan, after: Plan) -> list[str]:
    """The changes of the cast for another number of players; none in another edition."""
    if before.config.edition != after.config.edition or before.config.players == after.config.players:
        return []
    return differences(texts, after, before.cast or (), after.cast or ())


def differences(texts: Texts, plan: Plan, before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The differences between two casts, with the reasons for the players of `plan`."""
    said = []
    old, new = ({plan.edition.ranks[key]: key for key in cast} for cast in (before, after))
    for rank in sorted(old.keys() | new.keys()):
        out, into = old.get(rank), new.get(rank)
        if out == into:
            continue
        if into is None:
            said.append(_without(texts, str(out), plan.config.players))
        elif out is None:
            said.append(_joins(texts, plan, into))
        else:
            instead = msg("{other} instead of {character}.")
            said.append(texts.say(instead, other=texts.character(into), character=texts.character(out)))
    return said


def _without(texts: Texts, out: str, players: int) -> str:
    said = msg("Rank 9 is not needed with {players} players: {character} is removed.")
    if players == 2:
        said = msg("Rank 9 is not used with {players} players: {character} is removed.")
    return texts.say(said, players=players, character=texts.character(out))


def _joins(texts: Texts, plan: Plan, into: str) -> str:
    try:
        check(changed(plan.config, cast=plan.edition.scenarios[plan.base].cast, districts=()))
    except Unplayable:
        said = msg("Rank 9 is needed with {players} players: {character} joins.")
    else:
        said = msg("{character} joins.")
    return texts.say(said, players=plan.config.players, character=texts.character(into))


DRAFT_KINDS: Final = {"open": msg_in("draft", "open"), "sealed": msg_in("draft", "sealed")}
OPEN_DRAFT: Final = msg("Open draft: the host's machine knows every character as soon as it is picked.")
GIVES: Final = msg(
    "Sealed draft: nobody, not even the host's machine, knows the character of a player before it is called."
)
COSTS: Final = msg("Everybody must be there at every call: the game waits for players who are away.")
SEALED_SHORT: Final = msg("Sealed draft: no host sees your pick; everybody is needed at every call.")
BUT_BOTS: Final = msg("What the host's own bots hold, its machine knows.")


def draft_kind(texts: Texts, draft: DraftKind) -> str:
    """Whether a draft is open or sealed, in a word."""
    return texts.say(DRAFT_KINDS[draft])


def about_sealed(texts: Texts) -> str:
    """The advantages and the cost of a sealed draft."""
    return f"{texts.say(GIVES)} {texts.say(COSTS)}"


def sealed_draft(texts: Texts, settings: Settings) -> str:
    """The meaning of a sealed draft at this table; empty if the draft is open."""
    if settings.config.draft == "open":
        return ""
    return f"{about_sealed(texts)} {texts.say(BUT_BOTS)}" if settings.bots else about_sealed(texts)


def about_draft(texts: Texts, settings: Settings) -> list[str]:
    """How the draft of this table is, and what a sealed one is where it is open."""
    return [sealed_draft(texts, settings) or texts.say(OPEN_DRAFT)] + (
        [about_sealed(texts)] if settings.config.draft == "open" else []
    )
