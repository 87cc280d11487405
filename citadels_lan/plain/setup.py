"""What will be played, in lines: shown to everybody in the lobby, and changed by the owner with typed words."""

from collections.abc import Iterator, Sequence
from typing import Final, cast, get_args

from msgspec.structs import replace

from citadels_lan.engine import EDITIONS, RANDOM, Unplayable
from citadels_lan.engine.config import DraftKind
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import (
    cast_names,
    changes,
    heading,
    options_line,
    players_line,
    reason,
    scenario_name,
    unique_names,
)
from citadels_lan.front.sealed_draft import kind
from citadels_lan.front.table_session import TableSession
from citadels_lan.texts import LANGUAGES, Texts, editions, load, msg
from citadels_lan.texts.commands import whole_number
from citadels_lan.texts.topics import UnknownTopic, find_edition, find_topic, plain, unknown

HELP: Final = (msg("edition NAME; option NAME=VALUE; seats N; edition or option alone show what there is"),)
"""For the owner."""
CHOOSING: Final = (
    msg("scenario NAME; cast NAME, NAME: these instead of others; cast -NAME: no rank 9"),
    msg("uniques NAME, …: exactly these; uniques +NAME, -NAME: in and out; random: by lot"),
)
"""The same where there are characters and unique districts to choose."""
DRAFT: Final = msg(
    "draft sealed, draft open: whether the host's machine may know the characters; draft alone explains"
)
"""The same where there is a draft."""
READ: Final = msg("scenario, cast or uniques alone show what will be played; rules NAME explains a card")


def shown(texts: Texts, plan: Plan) -> Iterator[str]:
    """What will be played."""
    say = texts.say
    yield f"{say(msg('Edition'))}: {heading(texts, plan)}"
    if plan.edition.options:
        yield f"{say(msg('Options'))}: {options_line(texts, plan)}"
    yield f"{say(msg('Characters'))}: {', '.join(cast_names(texts, plan))}"
    yield f"{say(msg('Unique districts'))}: {', '.join(unique_names(texts, plan))}"


def help_for(plan: Plan) -> Sequence[str]:
    """What the owner may type about a plan."""
    return (*HELP, *((DRAFT,) if plan.drafts else ()), *(CHOOSING if plan.chooses else ()))


def _editions(texts: Texts) -> Iterator[str]:
    """Every edition that there is."""
    for key in EDITIONS:
        yield f"{key}: {editions.name(texts, key)}. {editions.summary(texts, key)}"


def _options(texts: Texts, plan: Plan) -> Iterator[str]:
    """The options of the edition, their values and which one is chosen."""
    yield players_line(texts, plan)
    for name, values in plan.edition.options.items():
        said = texts.alternatives([f"{value} ({editions.value(texts, name, value)})" for value in values])
        here = editions.value(texts, name, plan.option(name))
        yield f"{name}: {editions.option(texts, name)}: {here}. {editions.about(texts, name)} {said}."


async def answer(texts: Texts, session: TableSession, word: str, rest: str) -> list[str]:
    """Show what will be played, or change it. Raises Turned."""
    plan = Plan.of(session.settings.config)
    if not rest and word in ("edition", "option"):
        return list(_editions(texts) if word == "edition" else _options(texts, plan))
    if not rest:
        ways = texts.alternatives([scenario_name(texts, way) for way in plan.edition.ways])
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
    await session.configure(replace(session.settings, config=wanted.config, bots=bots))
    same = wanted.config.edition == plan.config.edition
    return changes(texts, plan, wanted) if same and wanted.players != plan.players else []


def _wanted(plan: Plan, word: str, rest: str) -> Plan:
    """The plan after a change. Raises Unplayable and UnknownTopic."""
    match word:
        case "edition":
            return plan.in_edition(edition_called(rest))
        case "option":
            return _option(plan, rest)
        case "draft":
            return plan.with_draft(_draft(rest))
        case "scenario":
            return plan.like(_scenario(plan, rest))
        case "seats":
            seats = whole_number(rest) or 0
            allowed = plan.edition.players
            if seats not in allowed:
                raise Unplayable("how_many_players", players=rest, least=min(allowed), most=max(allowed))
            return plan.for_players(seats)
        case "cast":
            return _cast(plan, rest)
        case _:
            return _uniques(plan, rest)


def edition_called(name: str) -> str:
    """An edition by its name as `find_edition` understands it. Raises Unplayable."""
    key = find_edition(name)
    if key is None:
        raise Unplayable("unknown_edition", edition=name)
    return key


def _option(plan: Plan, rest: str) -> Plan:
    """An option said as NAME=VALUE, by the keys or by the value's name in any language."""
    name, _, value = (part.strip() for part in rest.partition("="))
    if name not in plan.edition.options:
        raise Unplayable("unknown_option", option=name)
    for one in plan.edition.options[name]:
        names = [str(one), *(editions.value(load(language), name, one) for language in LANGUAGES)]
        if plain(value) in map(plain, names):
            return plan.with_option(name, one)
    raise Unplayable("unknown_value", option=name, value=value)


def _draft(name: str) -> DraftKind:
    """Whether a draft is to be open or sealed, by the name of that in any language. Raises Unplayable."""
    for draft in get_args(DraftKind):
        if plain(name) in (draft, *(plain(kind(load(language), draft)) for language in LANGUAGES)):
            return cast(DraftKind, draft)
    raise Unplayable("unknown_value", option="draft", value=name)


def _scenario(plan: Plan, name: str) -> str:
    """A scenario of the edition by its key or the beginning of its name in any language."""
    wanted = plain(name)
    for key in plan.edition.ways:
        names = [key, *(scenario_name(load(language), key) for language in LANGUAGES)]
        if wanted and any(plain(known).startswith(wanted) for known in names):
            return key
    raise Unplayable("unknown_scenario", scenario=name)


def _cast(plan: Plan, rest: str) -> Plan:
    if rest.lower() == RANDOM:
        return plan if plan.cast is None else plan.draw_cast()
    for sign, key in _signed(plan, rest, "character"):
        if key not in plan.edition.characters:
            raise Unplayable("unknown_character", character=key)
        if sign == "-" and plan.edition.ranks[key] != 9:
            raise Unplayable("one_character_per_rank")
        plan = plan.without_nine() if sign == "-" else plan.choose(key)
    return plan


def _uniques(plan: Plan, rest: str) -> Plan:
    if rest.lower() == RANDOM:
        return plan.with_uniques(None)
    named = _signed(plan, rest, "district")
    for _, key in named:
        if key not in plan.edition.uniques:
            raise Unplayable("unknown_unique", card=key)
    if not any(sign for sign, _ in named):
        return plan.with_uniques([key for _, key in named])
    taken = {key for sign, key in named if sign == "-"}
    kept = [key for key in plan.uniques or () if key not in taken]
    return plan.with_uniques([*kept, *(key for sign, key in named if sign != "-")])


def _signed(plan: Plan, rest: str, kind: str) -> list[tuple[str, str]]:
    """Cards by name, each with the sign before it; commas between them, or spaces between single words."""
    parts = rest.split(",") if "," in rest else _apart(rest)
    found = []
    for part in filter(None, map(str.strip, parts)):
        sign = part[0] if part[0] in "+-" else ""
        topic = find_topic(part.removeprefix(sign), plan.edition)
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
