"""What is missing before a game can begin, in the lobby."""

from collections.abc import Iterator, Sequence

from citadels_lan.front.cells import clean
from citadels_lan.front.table_session import TableSession
from citadels_lan.texts import Texts, msg


def missing(texts: Texts, session: TableSession) -> str:
    """Who must still come, who must still be ready, and what this person can do about it; during a start, whose
    program must still answer."""
    if session.waiting:
        names = [session.names[seat] for seat in session.waiting]
        return texts.say(msg("The game is starting. Waiting for: {names}."), names=_listing(texts, names))
    return " ".join(_missing(texts, session)) or _nothing(texts, session)


def _missing(texts: Texts, session: TableSession) -> Iterator[str]:
    seats, settings = session.lobby, session.settings
    people = [seat for seat in seats if not seat.bot]
    free = settings.players - settings.bots - len(people)
    if free > 0:
        yield texts.plural("{count} player has still to come.", "{count} players have still to come.", free)
    others = [seat for number, seat in enumerate(seats) if number != session.seat and not seat.bot]
    if gone := [seat.name for seat in others if seat.away]:
        yield texts.say(msg("Away: {names}."), names=_listing(texts, gone))
    if slow := [seat.name for seat in others if not seat.ready and not seat.away]:
        yield texts.say(msg("Not ready yet: {names}."), names=_listing(texts, slow))
    if session.seat is not None and not session.owner and not seats[session.seat].ready:
        yield texts.say(msg("You are not ready yet: R says that you are."))
    if free <= 0 and len(seats) < settings.players:
        yield texts.say(msg("The bots are still coming."))


def _nothing(texts: Texts, session: TableSession) -> str:
    if session.owner:
        return texts.say(msg("Everybody is here: S starts the game."))
    return texts.say(msg("Everybody is here and ready: who opened the table starts the game."))


def _listing(texts: Texts, names: Sequence[str]) -> str:
    return texts.listing([clean(name, 24) for name in names])
