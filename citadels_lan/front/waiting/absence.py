"""Players who are away: what is said of them, and what the host's player and the player can do about it."""

from collections.abc import Mapping, Sequence
from typing import Final

from citadels_lan.engine import acting
from citadels_lan.front.table_session import BackAgain, EndProposed, PauseChanged, SubstituteBegan, TableSession
from citadels_lan.front.told.entries import Notice
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.commands import word

GONE: Final = msg("The host says that {name} is away: a bot ({level}) plays this seat until {name} is back.")
GONE_YOU: Final = msg("A bot ({level}) played your seat while you were disconnected.")
SKIPPED: Final = msg("The host says that {name} is away: a bot skips their turns until {name} is back.")
SKIPPED_YOU: Final = msg("A bot skipped your turns while you were disconnected.")
BEGAN_TAKEN: Final = msg(
    "The host let a bot play your seat although you are connected. If the bot moves, your program says so with its"
    " next signature."
)
TAKEN: Final = msg("A bot of the host plays your seat although you are connected. Take it back with {key}.")
BACK: Final = msg("{name} is back, and moves again.")
KEPT: Final = msg(
    "A bot of the host plays your seat, and your program has asked for it back. If the host does not give it back,"
    " ask the host."
)
AGAIN: Final = msg(
    "Moves that a bot of the host made for you although you were connected: {count}. It is your seat again."
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
PROPOSED: Final = msg(
    "{names} would end the game without a result. To agree, type {word}. The game ends once all players who are"
    " here agree, but for the one that it waits for."
)
PROPOSED_YOU: Final = msg(
    "You agree to end the game without a result. To withdraw, type {word} again, or play on."
)
ENDED: Final = msg("The players have ended the game without a result.")
WITHDRAWN: Final = msg("No player proposes to end the game any more.")
PAUSING: Final = ("pause", "go on")
LEVELS: Final = {"bot": "", "skip": "skip"}
"""What the person at the host may say, and the level that it means; the table's own one for none."""


def told(
    update: SubstituteBegan | BackAgain | PauseChanged, viewer: int | None, names: Sequence[str]
) -> Notice | None:
    """What the log says of somebody who is gone, or back; None where it would say nothing new."""
    name = "" if update.seat is None else names[update.seat]
    match update:
        case SubstituteBegan(_, _, True):
            return Notice(BEGAN_TAKEN)
        case SubstituteBegan(seat, "skip"):
            return Notice(SKIPPED_YOU if seat == viewer else SKIPPED, (("name", name),), aside=seat != viewer)
        case SubstituteBegan(seat, level):
            text = GONE_YOU if seat == viewer else GONE
            return Notice(text, (("name", name), ("level", level)), aside=seat != viewer)
        case BackAgain(seat, moves, here):
            if seat == viewer:
                said = AGAIN if here else MEANWHILE if moves else NOTHING
                return Notice(said, (("count", str(moves)),))
            return Notice(BACK, (("name", name),), aside=True)
        case PauseChanged(paused, seat):
            return None if seat is None else Notice(PAUSED if paused else GOES_ON, (("name", name),), aside=True)


def typed(texts: Texts, command: str, *, in_lines: bool) -> str:
    """How a command is typed: on a screen a colon opens the line for it."""
    return texts.say(TYPED, word=("" if in_lines else ":") + word(texts, command))


def proposed(
    update: EndProposed, viewer: int | None, names: Sequence[str], texts: Texts, *, in_lines: bool
) -> Notice:
    """What the log says of players who agree to end the game without a result."""
    conclude = ("word", typed(texts, "conclude", in_lines=in_lines))
    others = [names[seat] for seat in update.seats if seat != viewer]
    if viewer in update.seats:
        return Notice(PROPOSED_YOU, (conclude,))
    if not others:
        return Notice(WITHDRAWN, aside=True)
    return Notice(PROPOSED, (("names", texts.listing(others)), conclude))


def replaceable(session: TableSession) -> list[int]:
    """The seats that the table waits for although their players are away, and that a bot can play: in a sealed
    draft there are none."""
    state = session.state
    acts = acting(state) if state is not None and state.draft == "open" else ()
    return [seat for seat in acts if seat in session.away and seat not in session.substituted]


def awaited(session: TableSession) -> list[int]:
    """The seats that the table waits for although their players are away."""
    inquiry = session.state.inquiry if session.state is not None else None
    waiting = session.waiting if inquiry is None else inquiry.seats
    return [seat for seat in waiting if seat in session.away and seat not in session.substituted]


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


def taken_over(texts: Texts, keys: Mapping[str, str]) -> str:
    """That a bot plays the own seat, and how to take it back."""
    return texts.say(TAKEN, key=_called(texts, keys, "return", "return"))


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
    """Do what a line says about players who are away, if it does; whether it does. Raises Refusal."""
    word = " ".join(line.lower().split())
    if of_pause(line):
        await session.pause(word == "pause")
    elif word == "return" and session.taken_over:
        await session.take_back()
    elif word == "conclude" and session.seat is not None and session.state is not None:
        session.end_game(session.seat not in session.ending)
    elif word == "without" and hosting and lacking(session):
        await session.substitute(lacking(session)[0], "")
    elif word in LEVELS and hosting and (seats := replaceable(session)):
        await session.substitute(seats[0], LEVELS[word])
    else:
        return False
    return True
