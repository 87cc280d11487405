"""Players who are gone: what is told of them, and what the person at the host can do about it."""

from collections.abc import Mapping, Sequence
from typing import Final

from citadels_lan.engine import acting
from citadels_lan.front.table_session import BackAgain, PauseChanged, StoodIn, TableSession
from citadels_lan.front.told.entries import Notice
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.commands import word

GONE: Final = msg("{name} is gone, says the host: a bot ({level}) moves in their place until they are back.")
GONE_YOU: Final = msg("You were gone, says the host: a bot ({level}) had your place until you came back.")
SKIPPED: Final = msg("{name} is gone, says the host: a bot skips what is theirs until they are back.")
SKIPPED_YOU: Final = msg("You were gone, says the host: a bot skipped what was yours until you came back.")
ROBBED: Final = msg(
    "The host let a bot move for you as if you were gone. Your program has asked for the seat at once, and for the"
    " log to say that you were here."
)
BACK: Final = msg("{name} is back, and moves again.")
HERE: Final = msg("{name} is back, and says that it had been here all the time.")
WRITTEN: Final = msg("The log says now that you were here all the time. It is your seat again.")
KEPT: Final = msg(
    "A bot of the host has your seat, and your program has asked for it back. If it stays so, the host does not"
    " give it back: ask the host."
)
AGAIN: Final = msg(
    "Moves that a bot of the host made for you although you were here: {count}. It is your seat again."
)
MEANWHILE: Final = msg(
    "Moves that a bot of the host made for you while you were away: {count}. It is your seat again."
)
NOTHING: Final = msg("A bot of the host had your seat while you were away, and made no move. It is yours again.")
PAUSED: Final = msg("{name} pauses the game: nobody moves until somebody goes on.")
GOES_ON: Final = msg("{name} goes on with the game.")
PAUSED_NOW: Final = msg("The game is paused: {key} ends that.")
OFFER: Final = msg("{bot}: a bot moves for them, {skip}: they are skipped; or wait.")
TYPED: Final = msg("“{word}”")
LEAVE_BY_KEY: Final = msg("Press {key} to leave.")
LEAVE_BY_WORD: Final = msg("Type {word} to leave.")
LACKING: Final = msg("Away, says the host: {names}.")
WITHOUT: Final = msg("If they will not come back, continue without them (“without”).")
PAUSING: Final = ("pause", "go on")
LEVELS: Final = {"bot": "", "skip": "skip"}
"""What the person at the host may say, and the level that it means; the table's own one for none."""


def told(update: StoodIn | BackAgain | PauseChanged, viewer: int | None, names: Sequence[str]) -> Notice | None:
    """What the log says of somebody who is gone, or back; None where it would say nothing new."""
    name = "" if update.seat is None else names[update.seat]
    match update:
        case StoodIn(_, _, True):
            return Notice(ROBBED)
        case StoodIn(seat, "skip"):
            return Notice(SKIPPED_YOU if seat == viewer else SKIPPED, (("name", name),), aside=seat != viewer)
        case StoodIn(seat, level):
            text = GONE_YOU if seat == viewer else GONE
            return Notice(text, (("name", name), ("level", level)), aside=seat != viewer)
        case BackAgain(seat, moves, disputes, here):
            if seat == viewer:
                said = WRITTEN if disputes else AGAIN if here else MEANWHILE if moves else NOTHING
                return Notice(said, (("count", str(moves)),))
            return Notice(HERE if disputes else BACK, (("name", name),), aside=True)
        case PauseChanged(paused, seat):
            return None if seat is None else Notice(PAUSED if paused else GOES_ON, (("name", name),), aside=True)


def replaceable(session: TableSession) -> list[int]:
    """The seats that the table waits for although their players are gone."""
    acts = acting(session.state) if session.state is not None else ()
    return [seat for seat in acts if seat in session.away and seat not in session.stood_in]


def lacking(session: TableSession) -> list[int]:
    """The seats of which a resumed host waits for one, their players being gone."""
    return [seat for seat in session.waiting if seat in session.away] if session.halted == "resumed" else []


def asked(texts: Texts, session: TableSession, names: Sequence[str], *, hosting: bool) -> str:
    """What is said of them, and to the person who may go on without them (`hosting`)."""
    gone = [names[seat] for seat in lacking(session)]
    if not gone:
        return ""
    told = texts.say(LACKING, names=texts.listing(gone))
    return f"{told} {texts.say(WITHOUT)}" if hosting else told


def paused(texts: Texts, keys: Mapping[str, str]) -> str:
    """That nobody can move, and how the pause ends."""
    return texts.say(PAUSED_NOW, key=_called(texts, keys, "pause", "go on"))


def offered(texts: Texts, session: TableSession, keys: Mapping[str, str], *, hosting: bool) -> str:
    """What this person may do about those who are waited for and gone; empty where it is nothing."""
    if not hosting or not replaceable(session):
        return ""
    bot, skip = (_called(texts, keys, name, name) for name in ("bot", "skip"))
    return texts.say(OFFER, bot=bot, skip=skip)


def leave(texts: Texts, keys: Mapping[str, str]) -> str:
    """Which key leaves the table, or which word."""
    if key := keys.get("leave"):
        return texts.say(LEAVE_BY_KEY, key=key)
    return texts.say(LEAVE_BY_WORD, word=texts.say(TYPED, word=word(texts, "quit")))


def _called(texts: Texts, keys: Mapping[str, str], name: str, command: str) -> str:
    """How a command is given here: its key, or its word."""
    return keys.get(name) or texts.say(TYPED, word=word(texts, command))


def of_pause(line: str) -> bool:
    """Whether a line pauses the game, or goes on with it."""
    return " ".join(line.lower().split()) in PAUSING


async def heed(session: TableSession, line: str, *, hosting: bool) -> bool:
    """Do what a line says about those who are gone, if it does; whether it does. Raises Refusal."""
    word = " ".join(line.lower().split())
    if of_pause(line):
        await session.pause(word == "pause")
    elif word == "without" and hosting and lacking(session):
        await session.stand_in(lacking(session)[0], "")
    elif word in LEVELS and hosting and (seats := replaceable(session)):
        await session.stand_in(seats[0], LEVELS[word])
    else:
        return False
    return True
