"""What the status line of a game says for one player: absent players, the situation of the player, the steps
of the turn."""

import asyncio
import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import structs

from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import State, acting, edition_of
from citadels_lan.net.client import updates
from citadels_lan.net.client.updates import TableView
from citadels_lan.net.wire.messages import Seat
from citadels_lan.net.wire.timing import Countdown
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.commands import word
from citadels_lan.texts.log import question
from citadels_lan.texts.record import CLOSING

from .attacks import clears, public_effects
from .error_messages import because
from .invitation import Invitation
from .log import Notice, notice, notice_text
from .text_width import clean

if TYPE_CHECKING:
    from citadels_lan.net.client.session import Session

BOTS_COME: Final = 10.0
"""If the host starts with bots in the free seats: how many seconds the start waits until the bots have
joined."""
TYPED: Final = msg("“{word}”")
TO: Final = msg("Hand the game to {name}")
TO_WHOM: Final = msg("Who hosts the game from now on? Their computer will see every hand.")
HANDING: Final = msg("Handing the game to {name}…")
PAUSING: Final = ("pause", "continue")
"""The commands that begin and end a pause."""
LEVELS: Final = {"bot": "", "skip": "skip"}
"""The host's commands about an absent player, with the level of the bot that they start; "" means the level
of the table's bots."""


Noticed: TypeAlias = (
    updates.SubstituteBegan | updates.BackAgain | updates.PauseChanged | updates.EndProposed | updates.HostChanged
)
"""The updates for which a notice is logged: about absent players, pauses, an end without a result, and a
change of the host."""


def update_notice(update: Noticed, viewer: int | None, names: Sequence[str], conclude: str) -> Notice | None:
    """Return the notice about an update; None if the player needs none. `viewer` is the player's seat.
    `conclude` is the command with which the player agrees to end the game."""
    seat = None if isinstance(update, updates.EndProposed) else update.seat
    name, mine = "" if seat is None else names[seat], seat == viewer
    match update:
        case updates.SubstituteBegan(_, _, True):
            return notice("absence", "taken_over")
        case updates.SubstituteBegan(_, level):
            key = "skipped" if level == "skip" else "gone"
            return notice("absence", f"{key}_you" if mine else key, name=name, level=level)
        case updates.BackAgain(_, moves, here) if mine:
            key = "moved_for_you" if here else "moved_meanwhile" if moves else "made_no_move"
            return notice("absence", key, count=str(moves))
        case updates.BackAgain():
            return notice("absence", "back", name=name)
        case updates.PauseChanged(paused, int()):
            return notice("pause", "paused" if paused else "goes_on", name=name)
        case updates.EndProposed(seats):
            others = tuple(names[other] for other in seats if other != viewer)
            if viewer in seats:
                return notice("end", "proposed_you", word=conclude)
            if not others:
                return notice("end", "withdrawn")
            return notice("end", "proposed", names=others, word=conclude)
        case updates.HostChanged(_, _, former):
            key = "by_you" if viewer == former and former is not None else "to_you" if mine else "handed"
            old = "" if former is None else names[former]
            return notice("host", f"{key}_by_host" if former is None else key, new=name, old=old)
    return None


# Absent players


def replaceable(table: TableView) -> list[int]:
    """Return the seats of absent players that must decide and that a bot can play; none with a sealed
    draft."""
    state = table.state
    acts = acting(state) if state is not None and state.draft == "open" else ()
    return [seat for seat in acts if seat in table.away and seat not in table.substituted]


def awaited(table: TableView) -> list[int]:
    """Return the seats of absent players for whose decision or answer the table waits."""
    inquiry = table.state.inquiry if table.state is not None else None
    # An inquiry of a sealed draft names the seats that must answer.
    waiting = table.waiting if inquiry is None else inquiry.seats
    return [seat for seat in waiting if seat in table.away and seat not in table.substituted]


def lacking(table: TableView) -> list[int]:
    """Return the seats of absent players for which a resumed table waits; empty if the table was not just
    resumed."""
    return [seat for seat in table.waiting if seat in table.away] if table.halted == "resumed" else []


def asked_about_absent(texts: Texts, table: TableView, names: Sequence[str], *, hosting: bool) -> str:
    """Return a sentence about the players in `lacking`, and for the host (`hosting`) the command that
    continues without them; "" if there are none."""
    if not (absent := [names[seat] for seat in lacking(table)]):
        return ""
    without = texts.say("If they will not come back, continue without them (“without”).")
    away = texts.say("Offline, according to the host: {names}.", names=texts.listing(absent))
    return _all(away, without if hosting else "")


def offered(texts: Texts, table: TableView, keys: Mapping[str, str], *, hosting: bool) -> str:
    """Return what the host (`hosting`) may do about the players in `replaceable`; "" for other players, and
    if there are none."""
    if not hosting or not replaceable(table):
        return ""
    bot, skip = (_command(texts, keys, name, name) for name in LEVELS)
    return texts.say("{bot}: a bot plays for them; {skip}: skip them; or wait.", bot=bot, skip=skip)


def _command(texts: Texts, keys: Mapping[str, str], name: str, command: str) -> str:
    """Return the key or the word of a command, as the player must type it."""
    return keys.get(name) or texts.say(TYPED, word=word(texts, command))


def how_to_leave(texts: Texts, keys: Mapping[str, str]) -> str:
    """Return a sentence with the key or the word that leaves the table."""
    if key := keys.get("leave"):
        return texts.say("Press {key} to leave.", key=key)
    return texts.say("Type {word} to leave.", word=texts.say(TYPED, word=word(texts, "quit")))


def paused_sentence(texts: Texts, keys: Mapping[str, str]) -> str:
    """Return a sentence that the game is paused, and how to continue."""
    return texts.say("The game is paused. {key} resumes it.", key=_command(texts, keys, "pause", "continue"))


async def heed(session: "Session", line: str, *, hosting: bool) -> bool:
    """Run a typed command about absent players, a pause, or an end without a result. Return False if the line
    is no such command. Raises Refusal."""
    command, table = " ".join(line.lower().split()), session.table
    if command in PAUSING:
        await session.pause(command == "pause")
    elif command == "return" and table.taken_over:
        await session.take_back()
    elif command == "conclude" and table.seat is not None and table.state is not None:
        session.end_game(table.seat not in table.ending)
    elif command == "without" and hosting and (absent := lacking(table)):
        await session.substitute(absent[0], "")
    elif command in LEVELS and hosting and (seats := replaceable(table)):
        await session.substitute(seats[0], LEVELS[command])
    else:
        return False
    return True


def is_ready(seat: Seat) -> bool:
    """Return whether a seat is ready. Bots and the host's own player always are."""
    return seat.ready or seat.kind in (SeatKind.BOT, SeatKind.HOST)


def free_seats(table: TableView) -> int:
    """Return how many seats will stay free: those without a player and without a planned bot."""
    return table.settings.players - table.settings.bots - sum(not seat.bot for seat in table.lobby)


def fill_question(texts: Texts, free: int) -> str:
    """Return the question whether to start with bots in the free seats."""
    return texts.plural("Start and fill {count} seat with a bot?", "Start and fill {count} seats with bots?", free)


async def fill_and_start(session: "Session") -> None:
    """Start the game with bots in all free seats. Raises Rejected."""
    table = session.table
    settings = structs.replace(table.settings, bots=table.settings.bots + free_seats(table))
    await session.configure(settings)
    with contextlib.suppress(TimeoutError):  # the host then refuses the start and says why
        async with asyncio.timeout(BOTS_COME):
            while len(session.table.lobby) < settings.players:  # noqa: ASYNC110 - no event for it
                await asyncio.sleep(0.05)
    await session.start()


def missing_for_start(texts: Texts, table: TableView) -> str:
    """Return a sentence about the players who are missing or not ready, and what this player can do about it.
    While the game is starting: the players whose programs have not answered yet."""

    def listing(names: Sequence[str]) -> str:
        return texts.listing([clean(name, 24) for name in names])

    if table.waiting:
        waiting = listing([table.names[seat] for seat in table.waiting])
        return texts.say("The game is starting. Waiting for: {names}.", names=waiting)
    missing: list[str] = []
    free = free_seats(table)
    if free > 0:
        missing.append(texts.plural("Waiting for {count} more player.", "Waiting for {count} more players.", free))
        if table.owner:
            missing.append(texts.say("Press S to start with bots in the free seats."))
    others = [seat for number, seat in enumerate(table.lobby) if number != table.seat and not seat.bot]
    if away := [seat.name for seat in others if seat.away]:
        missing.append(texts.say(msg("Not here yet: {names}."), names=listing(away)))
    if slow := [seat.name for seat in others if not is_ready(seat) and not seat.away]:
        missing.append(texts.say("Not ready yet: {names}.", names=listing(slow)))
    if table.seat is not None and not table.owner and not table.lobby[table.seat].ready:
        missing.append(texts.say("Press R when you are ready."))
    if free <= 0 and len(table.lobby) < table.settings.players:
        missing.append(texts.say("The bots are joining."))
    all_ready = msg("All players are ready. The host starts the game.")
    start = msg("All players are ready. Press S to start.") if table.owner else all_ready
    return " ".join(missing) or texts.say(start)


def handing_on(view: State, waiting: Sequence[int]) -> tuple[int, ...]:
    """Return the seats among `waiting` that must pass on the face-down character in a sealed draft."""
    picking = acting(view) if view.phase == "draft" and view.draft != "open" and view.inquiry is None else ()
    return tuple(seat for seat in waiting if seat not in picking) if picking else ()


class DecisionTime:
    """The countdown of a table, and whether its notices were already given for the present decision."""

    def __init__(self, countdown: Countdown) -> None:
        self.countdown = countdown
        self._noticed = (countdown.moment, 0)

    def left(self, texts: Texts, now: float) -> str:
        """Return the remaining time in minutes and seconds."""
        seconds = math.ceil(self.countdown.seconds - self.countdown.gone(now))
        if seconds <= 0:
            return texts.say("Time is up.")
        return texts.say("Time: {time}.", time=f"{seconds // 60}:{seconds % 60:02}")

    def news(self, now: float) -> int:
        """Return 2 when the time is up, 1 when half of it is over, each only once for a decision; otherwise
        0."""
        passed = self.countdown.gone(now) / self.countdown.seconds
        stage = 2 if passed >= 1 else 1 if passed >= 1 / 2 else 0
        moment, noticed = self._noticed
        noticed = noticed if moment == self.countdown.moment else 0
        self._noticed = (self.countdown.moment, max(stage, noticed))
        return stage if stage > noticed else 0


def on_this_computer(table: TableView, invitation: Invitation) -> Sequence[int]:
    """Return the other seats that play on the host's computer: bots, and guests in a browser."""
    # Bots with keys of the lobby run in this process; other bots have their own computer.
    own = invitation.table.table.lobby.own if invitation.table is not None else set()
    lobby = [(seat, one) for seat, one in enumerate(table.lobby) if seat != table.seat]
    return [seat for seat, one in lobby if one.guest or (one.bot and one.key in own)]


# The moment

Mood = Literal["mine", "dead", "other", "stopped", "waiting", "over", "closed", "offline"]
"""The situation of one player. `mine`: the player must decide. `other`: another player must. `dead`: the
player's character was killed, and the player has no other turn in this round. `stopped`: no one can move.
`waiting`: the table continues without a decision of a player. `over`: the game has ended. `closed`: the host
has closed the game. `offline`: the host cannot be reached."""
Progress = Literal["done", "now", "ahead"]
Name = Literal["gather", "build", "end"]


@dataclass(frozen=True)
class TurnPart:
    """A step of a turn, such as building. It allows `limit` moves, of which `used` were made."""

    name: Name
    progress: Progress
    used: int = 0
    limit: int = 0


def mood(view: State, seat: int | None, *, stopped: bool = False) -> Mood:
    """Return the situation of `seat` in this view; a spectator's `seat` is None. `stopped`: no one can move,
    for example during a pause."""
    deciding = acting(view)
    if view.phase == "over":
        return "over"
    if stopped:
        return "stopped"
    if seat in deciding:
        return "mine"
    if dead(view, seat):
        return "dead"
    return "other" if deciding else "waiting"


def dead(view: State, seat: int | None) -> bool:
    """Return whether all unrevealed characters of `seat` were killed, and no district lets the seat gather
    nevertheless."""
    if seat is None or clears(view, seat):
        return False
    killed = {mark.character for mark in public_effects(view, seat) if mark.kind == "killed"}
    return bool(killed) and killed >= set(view.players[seat].concealed)


PARTS: Final[Mapping[str, Name]] = {
    **dict.fromkeys(("gather", "keep", "income", "bonus", "taxes"), "gather"), "build": "build", "end": "end",
}  # fmt: skip
"""The step of a turn to which a move belongs, by the verb of the move. Abilities belong to no step."""


def turn_parts(view: State, preselected: str = "") -> Sequence[TurnPart]:
    """Return the steps of the present turn that are possible for its character. In the player's own turn,
    `preselected` is the verb of the preselected move, and its step is marked as the current one."""
    turn = view.turn
    if turn is None:
        return ()
    ability = edition_of(view).abilities[turn.character]
    gathering = not turn.gathered or (bool(view.steps) and view.steps[-1].verb == "keep")
    full = turn.builds >= ability.limit
    building: Progress = "ahead" if gathering else "done" if full else "now"
    parts = [TurnPart("gather", "now" if gathering else "done")]
    if ability.builds and not turn.bound:
        parts.append(TurnPart("build", building, turn.builds, ability.limit))
    ends = not gathering and (parts[-1].name == "gather" or full)
    parts.append(TurnPart("end", "now" if ends else "ahead"))
    if not preselected:
        return parts
    for number, part in enumerate(parts):
        progress: Progress = "done" if part.progress == "done" else "ahead"
        current = part.name == PARTS.get(preselected)
        parts[number] = replace(part, progress="now" if current else progress)
    return parts


def statuses(
    texts: Texts, table: TableView, names: Sequence[str], left: str = "", *, hosting: bool, keys: Mapping[str, str]
) -> Sequence[str]:
    """Return the status line in several lengths, the longest first; the shortest one has only what other
    parts of the screen do not show. `left` is the remaining decision time. `hosting`: this player is the
    host. `keys` has the displayed key or word of each command, by its name."""
    view = table.state
    if view is None:
        return [texts.say("Waiting for the game to begin.")]
    if table.halted:
        absent = asked_about_absent(texts, table, names, hosting=hosting)
        return [_all(because(texts, table.halted, {}), absent)]
    if view.phase == "over" and not table.record_closed:
        return [texts.say(CLOSING)]
    if view.phase != "over" and table.record_closed:
        ended = texts.say(notice_text("end", "ended"))
        return [_all(ended, how_to_leave(texts, keys)), ended]
    handing = texts.listing([names[seat] for seat in handing_on(view, table.waiting)])
    passes = texts.say(notice_text("handing", "hands_on"), names=handing)
    asks = passes if handing else question(texts, view, table.seat, names)
    acts = _all(asks, left)
    if table.paused:
        paused = paused_sentence(texts, keys)
        return [_all(paused, acts), paused]
    if table.seat in table.substituted:
        taken = msg("A bot of the host plays your seat although you are online. Press {key} to take it back.")
        key = _command(texts, keys, "return", "return")
        bot = texts.say(taken, key=key) if table.taken_over else texts.say(notice_text("handing", "kept"))
        return [_all(acts, bot), bot]
    away = texts.listing([names[seat] for seat in awaited(table)]) if table.away else ""
    absent = msg("Offline: {names}.") if hosting else msg("Offline, according to the host: {names}.")
    missing = texts.say(absent, names=away) if away else ""
    offer = offered(texts, table, keys, hosting=hosting)
    if not (missing or offer):
        return [acts]
    # The absent players come first if the game cannot continue without them.
    waits = view.inquiry is not None or bool(handing)
    return [_all(missing, acts) if waits else _all(acts, missing, offer), _all(missing, offer)]


def _all(*said: str) -> str:
    return " ".join(filter(None, said))
