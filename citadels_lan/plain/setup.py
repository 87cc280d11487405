"""What will be played, in lines: shown to everybody in the lobby, and changed by the owner with typed words."""

from collections.abc import Iterator
from typing import Final

from citadels_lan.engine import RANDOM, Unplayable
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import cast_names, changes, heading, reason, unique_names
from citadels_lan.front.table_session import Settings, TableSession
from citadels_lan.texts import LANGUAGES, Texts, load, msg
from citadels_lan.texts.names import SCENARIOS
from citadels_lan.texts.topics import UnknownTopic, find_topic, plain, unknown

HELP: Final = (
    msg("scenario NAME; seats N; cast NAME, NAME: these instead of others; cast -NAME: no rank 9"),
    msg("uniques NAME, …: exactly these 14; uniques +NAME, -NAME: in and out; random: by lot"),
)
"""For the owner."""
READ: Final = msg("scenario, cast or uniques alone show what will be played; rules NAME explains a card")


def shown(texts: Texts, plan: Plan) -> Iterator[str]:
    """What will be played."""
    say = texts.say
    yield f"{say(msg('Scenario'))}: {heading(texts, plan)}"
    yield f"{say(msg('Characters'))}: {', '.join(cast_names(texts, plan))}"
    yield f"{say(msg('Unique districts'))}: {', '.join(unique_names(texts, plan))}"


async def answer(texts: Texts, session: TableSession, word: str, rest: str) -> list[str]:
    """Show what will be played, or change it. Raises Turned."""
    plan = Plan.of(session.settings.config)
    if not rest:
        ways = texts.alternatives([texts.say(name) for name in SCENARIOS.values()])
        return [*shown(texts, plan), *([ways] if word == "scenario" else [])]
    try:
        wanted = _wanted(plan, word, rest)
        why = wanted.problem()
    except UnknownTopic as error:
        return [unknown(texts, error)]
    except Unplayable as refused:
        why = refused
    if why is not None:
        return [reason(texts, why)]
    bots = session.settings.bots
    if wanted.players != plan.players:
        bots = min(bots, wanted.players - 1)
    await session.configure(Settings(wanted.config, bots))
    return changes(texts, plan, wanted) if wanted.players != plan.players else []


def _wanted(plan: Plan, word: str, rest: str) -> Plan:
    """The plan after a change. Raises Unplayable and UnknownTopic."""
    match word:
        case "scenario":
            return plan.like(_scenario(rest))
        case "seats":
            seats = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 3 else 0
            allowed = plan.edition.players
            if seats not in allowed:
                raise Unplayable("how_many_players", players=rest, least=min(allowed), most=max(allowed))
            return plan.for_players(seats)
        case "cast":
            return _cast(plan, rest)
        case _:
            return _uniques(plan, rest)


def _scenario(name: str) -> str:
    """A scenario by its key or the beginning of its name in any language."""
    wanted = plain(name)
    for key, title in SCENARIOS.items():
        names = [key, *(load(language).say(title) for language in LANGUAGES)]
        if wanted and any(plain(known).startswith(wanted) for known in names):
            return key
    raise Unplayable("unknown_scenario", scenario=name)


def _cast(plan: Plan, rest: str) -> Plan:
    if rest.lower() == RANDOM:
        return plan if plan.cast is None else plan.draw_cast()
    for sign, key in _signed(rest, "character"):
        if sign == "-" and plan.edition.ranks[key] != 9:
            raise Unplayable("one_character_per_rank")
        plan = plan.without_nine() if sign == "-" else plan.choose(key)
    return plan


def _uniques(plan: Plan, rest: str) -> Plan:
    if rest.lower() == RANDOM:
        return plan.with_uniques(None)
    named = _signed(rest, "district")
    for _, key in named:
        if key not in plan.edition.uniques:
            raise Unplayable("unknown_unique", card=key)
    if not any(sign for sign, _ in named):
        return plan.with_uniques([key for _, key in named])
    taken = {key for sign, key in named if sign == "-"}
    kept = [key for key in plan.uniques or () if key not in taken]
    return plan.with_uniques([*kept, *(key for sign, key in named if sign != "-")])


def _signed(rest: str, kind: str) -> list[tuple[str, str]]:
    """Cards by name, each with the sign before it; commas between them, or spaces between single words."""
    parts = rest.split(",") if "," in rest else _apart(rest)
    found = []
    for part in filter(None, map(str.strip, parts)):
        sign = part[0] if part[0] in "+-" else ""
        topic = find_topic(part.removeprefix(sign))
        if topic.kind != kind:
            raise UnknownTopic(part, ())
        found.append((sign, topic.key))
    return found


def _apart(rest: str) -> list[str]:
    """One name of several words, or several names of one."""
    try:
        find_topic(rest.lstrip("+-"))
    except UnknownTopic:
        return rest.split()
    return [rest]
