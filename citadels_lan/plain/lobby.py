"""Before the game, in lines: who is here, how friends join, what will be played, and how the owner changes it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from msgspec.structs import replace
from rich.cells import cell_len

from citadels_lan.engine import EDITIONS, RANDOM, Unplayable
from citadels_lan.engine.config import DraftKind, Value
from citadels_lan.front import plan as plans
from citadels_lan.front.bot_hint import FORBIDDEN
from citadels_lan.front.game import Game, called_off
from citadels_lan.front.invitation import invitation_lines, qr_lines
from citadels_lan.texts import LANGUAGES, Texts, load, msg, terms
from citadels_lan.texts.commands import whole_number
from citadels_lan.texts.topics import UnknownTopic, find_edition, find_topic, plain, unknown

from . import lines as plain_lines

if TYPE_CHECKING:
    from citadels_lan.net.client.session import Session


Key = TypeVar("Key", bound=Value)
DRAFTS: Final[Sequence[DraftKind]] = ("open", "sealed")
OWNER_HELP: Final = (msg("edition NAME; option NAME=VALUE; seats N; edition or option alone show what there is"),)
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


def plan_shown(texts: Texts, plan: plans.Plan) -> Iterator[str]:
    """What will be played."""
    say = texts.say
    yield f"{say(msg('Edition'))}: {plans.heading(texts, plan)}"
    if plan.edition.options:
        yield f"{say(msg('Options'))}: {plans.options_line(texts, plan)}"
    yield f"{say(msg('Characters'))}: {', '.join(plans.cast_names(texts, plan))}"
    yield f"{say(msg('Unique districts'))}: {', '.join(plans.unique_names(texts, plan))}"


def help_for(plan: plans.Plan) -> Sequence[str]:
    """The commands of the owner for a plan."""
    return (*OWNER_HELP, *((DRAFT,) if plan.drafts else ()), *(CHOOSING if plan.chooses else ()))


def _editions(texts: Texts) -> Iterator[str]:
    """Every edition that there is."""
    for key in EDITIONS:
        yield f"{key}: {terms.name(texts, key)}. {terms.summary(texts, key)}"


def _options(texts: Texts, plan: plans.Plan) -> Iterator[str]:
    """The options of the edition, their values and which one is chosen."""
    yield plans.players_line(texts, plan)
    for name, values in plan.edition.options.items():
        said = texts.alternatives([f"{value} ({terms.value(texts, name, value)})" for value in values])
        here = terms.value(texts, name, plan.option(name))
        yield f"{name}: {terms.option(texts, name)}: {here}. {terms.about(texts, name)} {said}."


async def answer_setup(texts: Texts, session: "Session", word: str, rest: str) -> list[str]:
    """Show what will be played, or change it. Raises Turned."""
    plan = plans.Plan.of(session.table.settings.config)
    if not rest and word in ("edition", "option"):
        return list(_editions(texts) if word == "edition" else _options(texts, plan))
    if not rest:
        ways = texts.alternatives([plans.scenario_name(texts, way) for way in plan.edition.ways])
        return [*plan_shown(texts, plan), *([ways] if word == "scenario" else [])]
    try:
        wanted = _wanted(plan, word, rest)
        why = wanted.problem()
    except UnknownTopic as error:
        return [unknown(texts, error)]
    except Unplayable as refused:
        why = refused
    if why is not None:
        return [plans.reason(texts, why)]
    bots = min(session.table.settings.bots, wanted.config.players - 1)
    await session.configure(replace(session.table.settings, config=wanted.config, bots=bots))
    return plans.changes(texts, plan, wanted)


def _wanted(plan: plans.Plan, word: str, rest: str) -> plans.Plan:
    """The plan after a change. Raises Unplayable and UnknownTopic."""
    match word:
        case "edition":
            return plan.in_edition(edition_called(rest))
        case "option":
            return _option(plan, rest)
        case "draft":
            return _draft(plan, rest)
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


def _named(name: str, keys: Iterable[Key], called: Callable[[Texts, Key], str]) -> Key | None:
    """The key that is called so in any language, or is written so."""
    for key in keys:
        if plain(name) in (plain(str(key)), *(plain(called(load(language), key)) for language in LANGUAGES)):
            return key
    return None


def _option(plan: plans.Plan, rest: str) -> plans.Plan:
    """An option said as NAME=VALUE, by the keys or by the value's name in any language."""
    name, _, value = (part.strip() for part in rest.partition("="))
    if name not in plan.edition.options:
        raise Unplayable("unknown_option", option=name)
    found = _named(value, plan.edition.options[name], lambda texts, key: terms.value(texts, name, key))
    if found is None:
        raise Unplayable("unknown_value", option=name, value=value)
    return plan.with_option(name, found)


def _draft(plan: plans.Plan, name: str) -> plans.Plan:
    """An open draft or a sealed one, by the name of that in any language. Raises Unplayable."""
    found = _named(name, DRAFTS, plans.draft_kind)
    if found is None:
        raise Unplayable("unknown_value", option="draft", value=name)
    return plan.with_draft(found)


def _scenario(plan: plans.Plan, name: str) -> str:
    """A scenario of the edition by its key or the beginning of its name in any language."""
    wanted = plain(name)
    for key in plan.edition.ways:
        names = [key, *(plans.scenario_name(load(language), key) for language in LANGUAGES)]
        if wanted and any(plain(known).startswith(wanted) for known in names):
            return key
    raise Unplayable("unknown_scenario", scenario=name)


def _cast(plan: plans.Plan, rest: str) -> plans.Plan:
    if rest.lower() == RANDOM:
        return plan if plan.cast is None else plan.draw_cast()
    for sign, key in _signed(plan, rest, "character"):
        if key not in plan.edition.characters:
            raise Unplayable("unknown_character", character=key)
        if sign == "-" and plan.edition.ranks[key] != 9:
            raise Unplayable("one_character_per_rank")
        plan = plan.without_nine() if sign == "-" else plan.choose(key)
    return plan


def _uniques(plan: plans.Plan, rest: str) -> plans.Plan:
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


def _signed(plan: plans.Plan, rest: str, kind: str) -> list[tuple[str, str]]:
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


NARROW: Final = msg("This terminal is too narrow for the QR code, which wants {cells} columns. The link: {link}")
Say: TypeAlias = Callable[[Iterable[str] | str], None]
"""Prints lines."""


class PlainLobby:
    """Tells of a table what is new. `ascii_only`: the output has no other signs."""

    def __init__(self, game: Game, say: Say, *, ascii_only: bool, width: Callable[[], int | None]) -> None:
        """`width` is that of the terminal; None where there is none, and lines may be as long as they like."""
        self.say = say
        self._width = width
        self._game = game
        self._ascii = ascii_only
        self._planned: plans.Plan | None = None
        self._invited: list[str] = []

    def invite(self) -> None:
        """Print how friends join, if it has changed."""
        invitation = self._game.invitation
        told = list(invitation_lines(self._game.texts, invitation)) if invitation is not None else []
        if told != self._invited:
            self._invited = told
            self.say(told)

    def tell(self) -> None:
        """Who is here and what will be played; nothing once the game has begun."""
        if self._game.table.state is not None:
            return
        session, say = self._game.session, self._game.texts.say
        self.invite()
        self.say(plain_lines.seats(self._game))
        plan = plans.Plan.of(session.table.settings.config)
        if plan != self._planned:
            self._planned = plan
            self.say(plan_shown(self._game.texts, plan))
            notes = plans.sealed_draft(self._game.texts, session.table.settings), called_off(self._game)
            self.say(filter(None, notes))
            if not session.table.settings.hints:
                self.say(say(FORBIDDEN))
            owned = help_for(plan) if session.table.owner else ()
            self.say(map(say, (*owned, READ)))
        if session.table.seat is None:
            self.say(say(msg("You are watching: the game begins when the players are ready.")))
            self.say(say(msg("say TEXT: chat; quit: leave")))
        else:
            self.say(say(msg("ready: you are ready; start: the host starts; say TEXT: chat; quit: leave")))
        if any(seat.key and not seat.bot for seat in session.table.lobby):
            self.say(say(msg("keys: the six words of each player's key")))

    async def remove(self, name: str) -> None:
        """Remove a player by name."""
        names = list(self._game.table.names)
        if name.strip() not in names:
            self.say(self._game.texts.say(msg("Say whom: remove NAME.")))
            return
        await self._game.session.remove(names.index(name.strip()))

    def door(self, what: str) -> None:
        """Print how friends join; only the host knows the code."""
        invitation = self._game.invitation
        if invitation is None:
            self.say(self._game.texts.say(msg("Only whoever opened the table has its code.")))
        elif what == "newcode":
            invitation.door.renew()  # the new one is told when the door says so
        elif what == "qr":
            for link in filter(None, (invitation.link, invitation.web)):
                self._code(link())
        else:
            self.say(invitation_lines(self._game.texts, invitation))

    def _code(self, link: str) -> None:
        """A link as a QR code, which a terminal must not break; where it is too narrow, the link."""
        rows, width = qr_lines(link, ascii_only=self._ascii), self._width()
        if width is not None and any(cell_len(row) > width for row in rows):
            self.say(self._game.texts.say(NARROW, cells=cell_len(rows[0]), link=link))
        else:
            self.say(rows)

    async def cards(self, about: str, rest: str) -> None:
        """What is played, or what will be."""
        if about == "draft" and (self._game.table.state is not None or not rest):
            self.say(plans.about_draft(self._game.texts, self._game.table.settings))
        elif self._game.table.state is not None:
            self.say(plain_lines.cards(self._game))
        else:
            self.say(await answer_setup(self._game.texts, self._game.session, about, rest))
