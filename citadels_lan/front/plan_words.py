"""What a table will play, in words."""

from collections.abc import Sequence

from msgspec.structs import replace
from rich.cells import cell_len

from citadels_lan.engine import RANDOM, Unplayable, check
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.texts import Texts, editions, msg
from citadels_lan.texts.names import SCENARIOS as NAMES
from citadels_lan.texts.refusals import refusal

from .asking.menu import capital
from .plan import OWN, Plan

DRAWN = msg("drawn by lot when the game begins")


def scenario_name(texts: Texts, scenario: str) -> str:
    """What a scenario is called."""
    if scenario == OWN:
        return texts.say(msg("chosen by hand"))
    return texts.say(NAMES[scenario]) if scenario in NAMES else scenario


def heading(texts: Texts, plan: Plan) -> str:
    """The edition, the scenario where there is a choice, how many play it, and that its draft is sealed."""
    named = [editions.name(texts, plan.config.edition)]
    if plan.chooses:
        named.append(scenario_name(texts, plan.scenario))
    named.append(texts.say(msg("{players} players"), players=plan.players))
    return ", ".join((*named, *([texts.say(msg("sealed draft"))] if plan.config.draft == "sealed" else ())))


def options_line(texts: Texts, plan: Plan) -> str:
    """The options that are not as usual, in a line."""
    said = editions.chosen(texts, plan.config.options)
    return "; ".join(said) or texts.say(msg("as usual"))


def about_scenario(texts: Texts, plan: Plan) -> list[str]:
    """What a scenario is, and what this number of players changes in it."""
    if plan.scenario == RANDOM:
        return [texts.say(msg("Characters and districts are drawn by lot when the game begins."))]
    if plan.scenario not in plan.edition.scenarios:
        own = (
            msg("One character of your choice for each rank, and {count} unique districts.")
            if plan.edition.casting.chosen
            else msg("One character of your choice for each rank, and the unique districts that you want.")
        )
        return [texts.say(own, count=plan.edition.casting.chosen)]
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


def in_lines(texts: Texts, plan: Plan, width: int) -> list[str]:
    """The characters, then the unique districts, in lines of at most `width` cells."""
    return [*flow(cast_names(texts, plan), width), *flow(unique_names(texts, plan), width)]


def about_edition(texts: Texts, plan: Plan) -> str:
    """What an edition is, and for how many."""
    return f"{editions.summary(texts, plan.config.edition)} {players_line(texts, plan)}".strip()


def option_name(texts: Texts, name: str) -> str:
    """What an option is called, at the beginning of a line."""
    return capital(editions.option(texts, name))


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
    """What another number of players changes in the cast."""
    return differences(texts, after, before.cast or (), after.cast or ())


def differences(texts: Texts, plan: Plan, before: Sequence[str], after: Sequence[str]) -> list[str]:
    """What differs between two casts, and why the players of `plan` have the second one."""
    said = []
    old, new = ({plan.edition.ranks[key]: key for key in cast} for cast in (before, after))
    for rank in sorted(old.keys() | new.keys()):
        out, into = old.get(rank), new.get(rank)
        if out == into:
            continue
        if into is None:
            said.append(_without(texts, str(out), plan.players))
        elif out is None:
            said.append(_joins(texts, plan, into))
        else:
            said.append(_replaced(texts, out, into))
    return said


def _replaced(texts: Texts, out: str, into: str) -> str:
    return texts.say(
        msg("{other} instead of {character}."), other=texts.character(into), character=texts.character(out)
    )


def _without(texts: Texts, out: str, players: int) -> str:
    said = (
        msg("Rank 9 is not used with {players} players: {character} is removed.")
        if players == 2
        else msg("Rank 9 is not needed with {players} players: {character} is removed.")
    )
    return texts.say(said, players=players, character=texts.character(out))


def _joins(texts: Texts, plan: Plan, into: str) -> str:
    try:
        check(replace(plan.config, cast=plan.edition.scenarios[plan.base].cast, districts=()))
    except Unplayable:
        said = msg("Rank 9 is needed with {players} players: {character} joins.")
    else:
        said = msg("{character} joins.")
    return texts.say(said, players=plan.players, character=texts.character(into))
