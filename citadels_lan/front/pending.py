"""What a table waits for: absent players, a start, a decision, a sealed draft, a new host."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from citadels_lan.engine import State, acting
from citadels_lan.front.cells import clean
from citadels_lan.net.client.updates import BackAgain, EndProposed, HostChanged, PauseChanged, SubstituteBegan
from citadels_lan.net.client.view import TableView
from citadels_lan.net.wire.timing import Countdown
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.commands import word

from .invitation import Invitation
from .log import Notice, notice

if TYPE_CHECKING:
    from citadels_lan.net.client.session import Session


KEPT: Final = msg(
    "A bot of the host plays your seat, and your program has asked for it back. If the host does not give it back,"
    " ask the host."
)
TYPED: Final = msg("“{word}”")
HANDS_ON: Final = msg("{names} passes on the face-down character.")
TO: Final = msg("Hand the game to {name}")
TO_WHOM: Final = msg("Who hosts the game from now on? Their computer will see every hand.")
NO_ONE: Final = msg("No other player can host: bots, guests in a browser and players who are away cannot.")
"""What happens to other seats on the computer of a host that hands its game over, before and after."""
HANDING: Final = msg("Handing the game to {name}…")
STAYS: Final = msg(
    "These seats play on your computer: {names}. Stay, or substitute bots play them when you leave."
)
BEHIND: Final = msg("These seats play on your computer: {names}. Substitute bots play them when you leave.")
LEVELS: Final = {"bot": "", "skip": "skip"}
"""What the person at the host may say, and the level that it means; the table's own one for none."""


def absence_notice(
    update: SubstituteBegan | BackAgain | PauseChanged, viewer: int | None, names: Sequence[str]
) -> Notice | None:
    """The notice for a player who is away or back, or pauses; None if it would say nothing new."""
    name, mine = "" if update.seat is None else names[update.seat], update.seat == viewer
    match update:
        case SubstituteBegan(_, _, True):
            return notice("absence", "taken_over")
        case SubstituteBegan(_, level):
            key = "skipped" if level == "skip" else "gone"
            return notice("absence", f"{key}_you" if mine else key, aside=not mine, name=name, level=level)
        case BackAgain(_, moves, here) if mine:
            key = "moved_for_you" if here else "moved_meanwhile" if moves else "made_no_move"
            return notice("absence", key, count=str(moves))
        case BackAgain():
            return notice("absence", "back", aside=True, name=name)
        case PauseChanged(paused, int()):
            return notice("pause", "paused" if paused else "goes_on", aside=True, name=name)
    return None


def typed_command(texts: Texts, command: str, *, in_lines: bool) -> str:
    """How a command is typed: on a screen a colon opens the line for it."""
    return texts.say(TYPED, word=("" if in_lines else ":") + word(texts, command))


def proposed(
    update: EndProposed, viewer: int | None, names: Sequence[str], texts: Texts, *, in_lines: bool
) -> Notice:
    """The notice for players who agree to end the game without a result."""
    conclude = typed_command(texts, "conclude", in_lines=in_lines)
    others = tuple(names[seat] for seat in update.seats if seat != viewer)
    if viewer in update.seats:
        return notice("end", "proposed_you", word=conclude)
    if not others:
        return notice("end", "withdrawn", aside=True)
    return notice("end", "proposed", names=others, word=conclude)


def replaceable(table: TableView) -> list[int]:
    """The seats that the table waits for although their players are away, and that a bot can play: in a sealed
    draft there are none."""
    state = table.state
    acts = acting(state) if state is not None and state.draft == "open" else ()
    return [seat for seat in acts if seat in table.away and seat not in table.substituted]


def awaited(table: TableView) -> list[int]:
    """The seats that the table waits for although their players are away."""
    inquiry = table.state.inquiry if table.state is not None else None
    waiting = table.waiting if inquiry is None else inquiry.seats
    return [seat for seat in waiting if seat in table.away and seat not in table.substituted]


def lacking(table: TableView) -> list[int]:
    """The seats of which a resumed host waits for one, their players being gone."""
    return [seat for seat in table.waiting if seat in table.away] if table.halted == "resumed" else []


def asked_about_absent(texts: Texts, table: TableView, names: Sequence[str], *, hosting: bool) -> str:
    """A sentence about them, and for the player who may continue without them (`hosting`) the command."""
    gone = [names[seat] for seat in lacking(table)]
    if not gone:
        return ""
    told = texts.say(msg("Away, says the host: {names}."), names=texts.listing(gone))
    without = msg("If they will not come back, continue without them (“without”).")
    return f"{told} {texts.say(without)}" if hosting else told


def taken_over_sentence(texts: Texts, keys: Mapping[str, str]) -> str:
    """That a bot plays the own seat, and how to take it back."""
    said = msg("A bot of the host plays your seat although you are connected. Take it back with {key}.")
    return texts.say(said, key=_called(texts, keys, "return", "return"))


def paused_sentence(texts: Texts, keys: Mapping[str, str]) -> str:
    """A sentence that the game is paused, and how to continue."""
    return texts.say(msg("The game is paused: {key} ends that."), key=_called(texts, keys, "pause", "go on"))


def offered(texts: Texts, table: TableView, keys: Mapping[str, str], *, hosting: bool) -> str:
    """What this player may do about absent players; empty if nothing."""
    if not hosting or not replaceable(table):
        return ""
    bot, skip = (_called(texts, keys, name, name) for name in ("bot", "skip"))
    said = msg("{bot}: a bot moves for them, {skip}: they are skipped; or wait.")
    return texts.say(said, bot=bot, skip=skip)


def how_to_leave(texts: Texts, keys: Mapping[str, str]) -> str:
    """Which key leaves the table, or which word."""
    if key := keys.get("leave"):
        return texts.say(msg("Press {key} to leave."), key=key)
    return texts.say(msg("Type {word} to leave."), word=texts.say(TYPED, word=word(texts, "quit")))


def _called(texts: Texts, keys: Mapping[str, str], name: str, command: str) -> str:
    """How a command is given here: its key, or its word."""
    return keys.get(name) or texts.say(TYPED, word=word(texts, command))


def of_pause(line: str) -> bool:
    """Whether a line pauses or continues the game."""
    return " ".join(line.lower().split()) in ("pause", "go on")


async def heed(session: "Session", line: str, *, hosting: bool) -> bool:
    """Do what a line says about players who are away, if it does; whether it does. Raises Refusal."""
    word, table = " ".join(line.lower().split()), session.table
    if of_pause(line):
        await session.pause(word == "pause")
    elif word == "return" and table.taken_over:
        await session.take_back()
    elif word == "conclude" and table.seat is not None and table.state is not None:
        session.end_game(table.seat not in table.ending)
    elif word == "without" and hosting and lacking(table):
        await session.substitute(lacking(table)[0], "")
    elif word in LEVELS and hosting and (seats := replaceable(table)):
        await session.substitute(seats[0], LEVELS[word])
    else:
        return False
    return True


def missing_for_start(texts: Texts, table: TableView) -> str:
    """The players who are missing or not ready, and what this player can do; during a start, the players whose
    programs must still answer."""
    if table.waiting:
        names = [table.names[seat] for seat in table.waiting]
        return texts.say(msg("The game is starting. Waiting for: {names}."), names=_listing(texts, names))
    return " ".join(_missing_players(texts, table)) or _all_ready(texts, table)


def _missing_players(texts: Texts, table: TableView) -> Iterator[str]:
    seats, settings = table.lobby, table.settings
    people = [seat for seat in seats if not seat.bot]
    free = settings.players - settings.bots - len(people)
    if free > 0:
        yield texts.plural("{count} player has still to come.", "{count} players have still to come.", free)
    others = [seat for number, seat in enumerate(seats) if number != table.seat and not seat.bot]
    if gone := [seat.name for seat in others if seat.away]:
        yield texts.say(msg("Away: {names}."), names=_listing(texts, gone))
    if slow := [seat.name for seat in others if not seat.ready and not seat.away]:
        yield texts.say(msg("Not ready yet: {names}."), names=_listing(texts, slow))
    if table.seat is not None and not table.owner and not seats[table.seat].ready:
        yield texts.say(msg("You are not ready yet: R says that you are."))
    if free <= 0 and len(seats) < settings.players:
        yield texts.say(msg("The bots are still coming."))


def _all_ready(texts: Texts, table: TableView) -> str:
    if table.owner:
        return texts.say(msg("Everybody is here: S starts the game."))
    return texts.say(msg("Everybody is here and ready: who opened the table starts the game."))


def _listing(texts: Texts, names: Sequence[str]) -> str:
    return texts.listing([clean(name, 24) for name in names])


def asked_for(view: State) -> str:
    """The character that was called, while no player has shown it yet; empty where there is none."""
    inquiry = view.inquiry
    return inquiry.character or "" if inquiry is not None and inquiry.what == "call" else ""


def choosing(view: State) -> tuple[int, ...]:
    """The seats that are to pick in a sealed draft; empty where there are none."""
    return acting(view) if view.phase == "draft" and view.draft != "open" else ()


def handing_on(view: State, waiting: Sequence[int]) -> tuple[int, ...]:
    """Which of the seats that the table waits for pass on the face-down character; empty where none does."""
    picking = choosing(view) if view.inquiry is None else ()
    return tuple(seat for seat in waiting if seat not in picking) if picking else ()


def sealed_awaited(view: State, waiting: Sequence[int]) -> tuple[str, Sequence[int]]:
    """The reason why a table with a sealed draft waits, and the seats: the kind of an inquiry, a `pick`, or `back`
    for the face-down character; no seats if it waits for none of these."""
    if view.inquiry is not None:
        return view.inquiry.what, view.inquiry.seats
    handing = handing_on(view, waiting)
    return ("back", handing) if handing else ("pick", choosing(view))


def sealed_absent(seats: Sequence[int], named: Sequence[str], texts: Texts, *, in_lines: bool) -> Notice:
    """The notice for absent players who must answer. `named` are the names by seat."""
    conclude = typed_command(texts, "conclude", in_lines=in_lines)
    away = tuple(named[seat] for seat in seats)
    return notice("absence", "waits_in_draft", aside=True, names=away, word=conclude)


class DecisionTime:
    """The countdown of one table, and the notices already given for this decision."""

    def __init__(self, countdown: Countdown) -> None:
        self.countdown = countdown
        self._told = (countdown.moment, 0)

    def left(self, texts: Texts, now: float) -> str:
        """What is left, in minutes and seconds."""
        seconds = math.ceil(self.countdown.seconds - self.countdown.gone(now))
        if seconds <= 0:
            return texts.say(msg("The time is up."))
        return texts.say(msg("Time: {time}."), time=f"{seconds // 60}:{seconds % 60:02}")

    def news(self, now: float) -> int:
        """2 once when the time is up, 1 once when half of it is over, else 0."""
        passed = self.countdown.gone(now) / self.countdown.seconds
        stage = 2 if passed >= 1 else 1 if passed >= 1 / 2 else 0
        moment, told = self._told
        if moment != self.countdown.moment:
            told = 0
        self._told = (self.countdown.moment, max(stage, told))
        return stage if stage > told else 0


def time_notice(stage: int, names: Sequence[str], *, mine: bool, hosting: bool) -> Notice:
    """The notice at a stage of the time: for the player who decides (`mine`), for the host's, for others."""
    key = "half" if stage == 1 else "up_you" if mine else "up_host" if hosting else "up"
    return notice("time", key, aside=True, names=tuple(names))


def host_notice(update: HostChanged, viewer: int | None, names: Sequence[str]) -> Notice:
    """The notice for a new host."""
    unknown = update.former is None
    key = "by_you" if viewer == update.former and not unknown else "to_you" if viewer == update.seat else "handed"
    old = "" if update.former is None else names[update.former]
    return notice("host", f"{key}_by_host" if unknown else key, new=names[update.seat], old=old)


def successors(table: TableView) -> Sequence[int]:
    """The seats to which a host may hand the game over."""
    people = [seat for seat, one in enumerate(table.lobby) if not one.bot and not one.guest]
    return [seat for seat in people if seat != table.seat and seat not in table.away]


def on_this_computer(table: TableView, invitation: Invitation) -> Sequence[int]:
    """The seats that play on the host's computer, except the person's own: its bots, and guests in a browser."""
    own = invitation.table.table.lobby.own if invitation.table is not None else set()
    lobby = [(seat, one) for seat, one in enumerate(table.lobby) if seat != table.seat]
    return [seat for seat, one in lobby if one.guest or (one.bot and one.key in own)]
