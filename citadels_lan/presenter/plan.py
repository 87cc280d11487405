"""The plan of a table while its owner sets it up: edition, options, scenario, characters, unique districts,
kind of draft; and sentences about it.

Every change is checked by the engine, which raises Unplayable if the rules do not allow it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final, TypeVar

from msgspec.structs import replace as changed

from citadels_lan.engine import EDITIONS, RANDOM, Edition, TableConfig, Unplayable, edition_named
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.engine.config import DraftKind, Value
from citadels_lan.engine.setup import check, from_scenario, scenario_of
from citadels_lan.net.wire.messages import Settings
from citadels_lan.presenter.prompt.menu import capital
from citadels_lan.presenter.text_width import flow
from citadels_lan.texts import Texts, msg, msg_in, terms
from citadels_lan.texts.language import named
from citadels_lan.texts.refusals import refusal

Kind = TypeVar("Kind")
OWN: Final = ""
"""Used in place of a scenario if the characters or districts were chosen by hand."""


@dataclass(frozen=True)
class Plan:
    """The settings of a table, and how they were chosen.

    `base` is the scenario that `back` restores. `nine`: the character of rank 9 is used, which is optional in
    a scenario. `bare`: the owner has not chosen any unique district yet. If `bare` is false and the config
    names no unique districts, the edition plays with all of them, or draws as many as it needs."""

    config: TableConfig
    scenario: str
    base: str
    nine: bool = False
    bare: bool = False

    @classmethod
    def of(cls, config: TableConfig) -> "Plan":
        """Return the plan for a config. Raises Unplayable if its edition or an option is unknown."""
        scenario, nine = scenario_of(config) or (OWN, False)
        scenarios = edition_named(config.edition, config.options).scenarios
        base = scenario if scenario in scenarios else next(iter(scenarios), OWN)
        return cls(config, scenario, base, nine)

    @property
    def cast(self) -> tuple[str, ...] | None:
        """The chosen characters; None if chance draws them."""
        return self._filled.cast or None

    @property
    def uniques(self) -> tuple[str, ...] | None:
        """The chosen unique districts; None if chance draws them."""
        return () if self.bare else self._filled.districts or None

    @property
    def _filled(self) -> TableConfig:
        """The config with the cards added that the edition fixes, so that they are neither chosen nor
        drawn."""
        return self.edition.casting.filled(self.edition, self.config)

    @property
    def edition(self) -> Edition:
        """The edition of this plan."""
        return edition_named(self.config.edition, self.config.options)

    @property
    def wanted(self) -> int:
        """How many unique districts must be chosen; all of them if the edition sets no number."""
        return self.edition.casting.chosen or len(self.edition.uniques)

    @property
    def drafts(self) -> bool:
        """Whether the edition has a draft. Only then the draft can be sealed."""
        return self.edition.flow.drafts

    @property
    def chooses(self) -> bool:
        """Whether the edition lets players choose characters and unique districts."""
        return self.edition.casting.chooses_cast

    # Whether it may be

    def problem(self) -> Unplayable | None:
        """Return why the rules do not allow this plan; None if they allow it."""
        if self.bare:  # The engine reads an empty list as "not chosen yet".
            chosen = self.edition.casting.chosen
            return Unplayable("uniques_needed", count=chosen) if chosen else Unplayable("no_uniques")
        return _refused(lambda: check(self.config))

    def why_not(self, character: str) -> Unplayable | None:
        """Return why a character cannot be chosen; None if it can."""
        return _refused(lambda: self.choose(character))

    def why_nine(self) -> Unplayable | None:
        """Return why the plan cannot do without a character of rank 9; None if it can."""
        return _refused(self.without_nine)

    # Choosing an edition

    def in_edition(self, key: str) -> "Plan":
        """Return the plan of another edition with default options. The number of players stays if that
        edition allows it, otherwise it changes to the nearest one allowed. A sealed draft stays sealed if
        that edition has a draft."""
        allowed = edition_named(key).players
        players = min(max(self.config.players, min(allowed)), max(allowed))
        # The number of players stays, as far as the other edition allows it.
        there = Plan.of(from_scenario(edition_named(key).ways[0], players, edition_key=key))
        return there.with_draft(self.config.draft) if there.drafts else there

    def option(self, name: str) -> Value:
        """The value of an option."""
        return dict(self.config.options).get(name, next(iter(self.edition.options[name])))

    def with_option(self, name: str, value: Value) -> "Plan":
        """Return the plan with another value for the option `name`. Raises Unplayable."""
        said = {**dict(self.config.options), name: value}
        known = EDITIONS[self.config.edition].options
        options = tuple(sorted((k, v) for k, v in said.items() if k not in known or v != next(iter(known[k]))))
        same = replace(self, config=changed(self.config, options=options))
        # An option may change the cards of a scenario.
        after = same.like(self.scenario) if self.scenario in same.edition.scenarios else same
        check(after.config)
        return after

    def stepped(self, key: str, step: int) -> "Plan":
        """Return the plan with the next (or, for a negative `step`, previous) value of the setting `key`:
        `players`, `edition`, `scenario`, `draft`, or an option. Raises Unplayable."""
        config = self.config
        match key:
            case "players":  # After the largest number of the edition comes the smallest.
                return self.for_players(_next(self.edition.players, config.players, step))
            case "edition":
                return self.in_edition(_next(list(EDITIONS), config.edition, step))
            case "scenario":
                return self.like(_next(self.edition.ways, self.scenario, step))
            case "draft":
                return self.with_draft("open" if config.draft == "sealed" else "sealed")
        return self.with_option(key, _next(list(self.edition.options[key]), self.option(key), step))

    def with_draft(self, draft: DraftKind) -> "Plan":
        """Return the plan with an open or a sealed draft. Raises Unplayable."""
        if draft == "sealed" and not self.drafts:
            raise Unplayable("no_draft")
        return replace(self, config=changed(self.config, draft=draft))

    # Choosing cards

    def like(self, way: str) -> "Plan":
        """Return the plan with the cards chosen in the way `way`: a scenario, everything drawn by chance, or
        the present cards as chosen by hand."""
        if way in self.edition.scenarios:
            return replace(self, config=self._scenario(way), scenario=way, base=way, bare=False)
        if way == RANDOM:
            return self._with(RANDOM, None, None)
        if self.scenario == RANDOM:
            return self._with(OWN, self._cast() or None, self._uniques())
        return replace(self, scenario=OWN)

    def next(self, step: int) -> "Plan":
        """Return the plan with the next or previous way to choose the cards: the scenarios, by chance, by
        hand."""
        return self.like(_next((*self.edition.ways, OWN), self.scenario, step))

    def back(self) -> "Plan":
        """Return the plan with the original characters and districts of its scenario `base`."""
        return self.like(self.base)

    def choose(self, character: str) -> "Plan":
        """Return the plan with this character in place of the present one of its rank. Raises Unplayable."""
        ranks = self.edition.ranks
        if character not in ranks:
            raise Unplayable("unknown_character", character=character)
        by_rank = {ranks[key]: key for key in (*self._cast(), character)}
        return self._checked(tuple(by_rank[rank] for rank in sorted(by_rank)))

    def without_nine(self) -> "Plan":
        """Return the plan without a character of rank 9. Raises Unplayable."""
        return self._checked(tuple(key for key in self._cast() if self.edition.ranks[key] != 9))

    def _checked(self, cast: tuple[str, ...]) -> "Plan":
        check(changed(self.config, cast=cast, districts=()))
        return self._own(cast, self.uniques)

    def toggle(self, unique: str) -> "Plan":
        """Return the plan with a unique district added, or removed if it was chosen."""
        chosen = set(self.uniques or ()) ^ {unique}
        return self._own(self.config.cast, self._ordered(chosen))

    def filled(self, dice: Random) -> "Plan":
        """Return the plan with the missing unique districts drawn by `dice`; with all unique districts if the
        edition does not limit their number."""
        chosen = list(self.uniques or ())[: self.wanted]
        free = [key for key in self.edition.uniques if key not in chosen]
        return self._own(self.config.cast, self._ordered((*chosen, *dice.sample(free, self.wanted - len(chosen)))))

    def with_uniques(self, uniques: Sequence[str] | None) -> "Plan":
        """Return the plan with exactly these unique districts; None draws them by chance."""
        return self._own(self.config.cast, None if uniques is None else self._ordered(uniques))

    def draw_cast(self) -> "Plan":
        """Return the plan with drawn characters if they were chosen, or with chosen ones if they were
        drawn."""
        return self._own(None if self.config.cast else self._cast(), self.uniques)

    def draw_uniques(self) -> "Plan":
        """Return the plan with drawn unique districts if they were chosen, or with chosen ones if they were
        drawn."""
        return self.with_uniques(self._uniques() if self.uniques is None else None)

    def for_players(self, players: int) -> "Plan":
        """Return the plan for another number of players. Characters that this number does not allow are
        replaced as in the rulebook."""
        scenarios, cast = self.edition.scenarios, self.config.cast
        if self.scenario in scenarios:
            return replace(self, config=changed(self.config, players=players)).like(self.scenario)
        if cast:
            ninth = (scenarios[self.base].rank_nine if self.base in scenarios else None) or ""
            cast = self.edition.casting.substituted(cast, players, ninth)
        return replace(self, config=changed(self.config, players=players, cast=cast))

    def _cast(self) -> tuple[str, ...]:
        """Return the chosen characters, or those of the scenario `base` if chance draws them."""
        return self.config.cast or (self._scenario(self.base).cast if self.base else ())

    def _uniques(self) -> tuple[str, ...] | None:
        return self._scenario(self.base).districts if self.uniques is None else self.uniques

    def _scenario(self, key: str) -> TableConfig:
        """Return the config of a scenario for the present edition and number of players. Raises
        Unplayable."""
        config = self.config
        named = from_scenario(
            key, config.players, rank_nine=self.nine, edition_key=config.edition, options=config.options
        )
        return changed(named, draft=config.draft)

    def _with(self, scenario: str, cast: tuple[str, ...] | None, uniques: tuple[str, ...] | None) -> "Plan":
        config = changed(self.config, cast=cast or (), districts=uniques or ())
        return replace(self, config=config, scenario=scenario, bare=uniques == ())

    def _own(self, cast: tuple[str, ...] | None, uniques: tuple[str, ...] | None) -> "Plan":
        """Return the plan with these characters and districts. If they are exactly those of a scenario, the
        plan names that scenario."""
        own = self._with(OWN, cast, uniques)
        # A cast chosen by hand may equal a scenario, and is then named after it.
        found = None if own.bare else scenario_of(own.config)
        return own if found is None else replace(own, nine=found[1]).like(found[0])

    def _ordered(self, uniques: Sequence[str] | set[str]) -> tuple[str, ...]:
        """Return unique districts in the order of the edition's list. Unknown ones and repetitions come
        last."""
        box = self.edition.uniques
        known = [key for key in box if key in uniques]
        return (*known, *(key for key in dict.fromkeys(uniques) if key not in box))


def _refused(step: Callable[[], object]) -> Unplayable | None:
    """Run a change of a plan, and return why the engine rejects it; None if it does not."""
    try:
        step()
    except Unplayable as reason:
        return reason
    return None


def _next(values: Sequence[Kind], here: Kind, step: int) -> Kind:
    """Return the value after `here` in `values`, or before it if `step` is negative; the list is a circle. If
    `here` is not in the list, return its first or last value."""
    place = values.index(here) if here in values else -(step > 0)
    return values[(place + step) % len(values)]


DRAWN = msg("drawn when the game begins")


def scenario_name(texts: Texts, scenario: str) -> str:
    """Return the displayed name of a scenario."""
    if scenario == OWN:
        return texts.say("chosen by hand")
    return texts.say(named("scenario").get(scenario, scenario))


def heading(texts: Texts, plan: Plan) -> str:
    """Return a line with the edition, the scenario if the edition has several, the number of players, and
    whether the draft is sealed."""
    named = [terms.name(texts, plan.config.edition)]
    named += [scenario_name(texts, plan.scenario)] if plan.chooses else []
    named.append(texts.say("{players} players", players=plan.config.players))
    return ", ".join((*named, *([texts.say("sealed draft")] if plan.config.draft == "sealed" else ())))


def options_line(texts: Texts, plan: Plan) -> str:
    """Return a line with the options that differ from their defaults; "" if there are none."""
    return "; ".join(terms.chosen(texts, plan.config.options)) or texts.say("default")


def about_scenario(texts: Texts, plan: Plan) -> list[str]:
    """Return sentences about the scenario, and about the changes that this number of players requires."""
    if plan.scenario == RANDOM:
        return [texts.say("Characters and districts are drawn when the game begins.")]
    count, printed = plan.edition.casting.chosen, plan.edition.scenarios.get(plan.scenario)
    if printed is None:
        some = msg("One character of your choice for each rank, and {count} unique districts.")
        own = msg("One character of your choice for each rank, and any unique districts.")
        return [texts.say(some if count else own, count=count)]
    ninth = (printed.rank_nine or plan.edition.casting.ninth,) if len(plan.cast or ()) == 9 else ()
    return [
        texts.say("A set of characters and districts from the rulebook."),
        *differences(texts, plan, (*printed.cast, *ninth), plan.cast or ()),
    ]


def cast_names(texts: Texts, plan: Plan) -> list[str]:
    """Return the names of the characters by rank."""
    if plan.cast is None:
        return [texts.say(DRAWN)]
    return [f"{plan.edition.ranks.get(key, '?')} {character(texts, key)}" for key in plan.cast]


def unique_names(texts: Texts, plan: Plan) -> list[str]:
    """Return the names of the unique districts with their costs."""
    if plan.uniques is None:
        return [texts.say(DRAWN)]
    return [f"{district(texts, key)} ({plan.edition.costs.get(key, '?')})" for key in plan.uniques]


def plan_lines(texts: Texts, plan: Plan, width: int) -> list[str]:
    """Return lines of at most `width` cells with the characters and then the unique districts."""
    return [*flow(cast_names(texts, plan), ", ", width), *flow(unique_names(texts, plan), ", ", width)]


def about_edition(texts: Texts, plan: Plan) -> str:
    """Return a text that describes the edition and its possible numbers of players."""
    return f"{terms.summary(texts, plan.config.edition)} {players_line(texts, plan)}".strip()


def option_name(texts: Texts, name: str) -> str:
    """Return the name of an option, beginning with a capital letter."""
    return capital(terms.option(texts, name))


def players_line(texts: Texts, plan: Plan) -> str:
    """Return a sentence about how many players the edition allows."""
    allowed = plan.edition.players
    return texts.say("For {least} to {most} players.", least=min(allowed), most=max(allowed))


def character(texts: Texts, key: str) -> str:
    """Return the displayed name of a character; its key if this version does not know the character."""
    return texts.character(key) if key in CHARACTERS else key


def district(texts: Texts, key: str) -> str:
    """Return the displayed name of a district; its key if this version does not know the district."""
    return texts.district(key) if key in DISTRICTS else key


def reason(texts: Texts, why: Unplayable) -> str:
    """Return the sentence about why the rules do not allow a plan."""
    return refusal(texts, why.code, why.details)


def changes(texts: Texts, before: Plan, after: Plan) -> list[str]:
    """Return sentences about the characters that changed with the number of players; none if the edition
    changed."""
    if before.config.edition != after.config.edition or before.config.players == after.config.players:
        return []
    return differences(texts, after, before.cast or (), after.cast or ())


def differences(texts: Texts, plan: Plan, before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Return sentences about the differences between two casts, with the reasons for the number of players of
    `plan`."""
    lines, players = [], plan.config.players
    old, new = ({plan.edition.ranks[key]: key for key in cast} for cast in (before, after))
    for rank in sorted(old.keys() | new.keys()):
        out, into = old.get(rank), new.get(rank)
        if out == into:
            continue
        if into is None:
            text = msg("Rank 9 is not needed with {players} players: {character} is removed.")
            if players == 2:
                text = msg("Rank 9 is not used with {players} players: {character} is removed.")
        elif out is not None:
            text = msg("{other} instead of {character}.")
        else:
            cast = plan.edition.scenarios[plan.base].cast
            needed = _refused(partial(check, changed(plan.config, cast=cast, districts=()))) is not None
            text = msg("{character} is added.")
            if needed:
                text = msg("Rank 9 is needed with {players} players: {character} is added.")
        other = texts.character(into) if into is not None else ""
        character = texts.character(out) if out is not None else other
        lines.append(texts.say(text, players=players, character=character, other=other))
    return lines


DRAFT_KINDS: Final = {"open": msg_in("draft", "open"), "sealed": msg_in("draft", "sealed")}
OPEN_DRAFT: Final = msg("Open draft: the host's computer knows each character as soon as a player chooses it.")
GIVES: Final = msg(
    "Sealed draft: no computer, not even the host's, knows another player's character before it is called."
)
COSTS: Final = msg("All players must be online at each call. The game waits for offline players.")
SEALED_SHORT: Final = msg("Sealed draft: the host cannot see your choice, and all players must be online.")
BUT_BOTS: Final = msg("The host's computer knows the characters of its own bots.")
NO_HINTS: Final = msg("Hints are not allowed in this game.")


def draft_kind(texts: Texts, draft: DraftKind) -> str:
    """Return the word for an open or a sealed draft."""
    return texts.say(DRAFT_KINDS[draft])


def about_sealed(texts: Texts) -> str:
    """Return a text about the advantages and costs of a sealed draft."""
    return f"{texts.say(GIVES)} {texts.say(COSTS)}"


def sealed_draft(texts: Texts, settings: Settings) -> str:
    """Return a sentence about what the sealed draft of this table means; "" if the draft is open."""
    if settings.config.draft == "open":
        return ""
    return f"{about_sealed(texts)} {texts.say(BUT_BOTS)}" if settings.bots else about_sealed(texts)


def conditions(texts: Texts, settings: Settings) -> list[str]:
    """Return sentences about special conditions of a table, for its lobby: the draft is sealed, hints are not
    allowed."""
    hints = "" if settings.hints else texts.say(NO_HINTS)
    return [text for text in (sealed_draft(texts, settings), hints) if text]


def about_draft(texts: Texts, settings: Settings) -> list[str]:
    """Return sentences about the draft of this table, and if it is open, also about sealed drafts."""
    if settings.config.draft == "open":
        return [texts.say(OPEN_DRAFT), about_sealed(texts)]
    return [sealed_draft(texts, settings)]
