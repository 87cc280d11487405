"""Texts and choices for a host that hands its game over: the candidates, and the seats that stay behind."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.front.table_session import HostChanged, Invitation, TableSession
from citadels_lan.front.told.entries import Notice
from citadels_lan.texts import Texts, msg

HANDED: Final = msg("{old} handed the game to {new}. {new}'s computer can now see what {old}'s saw.")
HANDED_BY_HOST: Final = msg("The host handed the game to {new}. {new}'s computer can now see what the host's saw.")
HANDED_YOU: Final = msg("{old} handed the game to you. Your computer hosts it now, and can see what {old}'s saw.")
HANDED_YOU_BY_HOST: Final = msg(
    "The host handed the game to you. Your computer hosts it now, and can see what the host's saw."
)
YOU_HANDED: Final = msg("You handed the game to {new}. {new}'s computer can now see what yours saw.")
TO: Final = msg("Hand the game to {name}")
TO_WHOM: Final = msg("Who hosts the game from now on? Their computer will see every hand.")
NO_ONE: Final = msg("No other player can host: bots, guests in a browser and players who are away cannot.")
HANDING: Final = msg("Handing the game to {name}…")
STAYS: Final = msg(
    "These seats play on your computer: {names}. Stay, or substitute bots play them when you leave."
)
BEHIND: Final = msg("These seats play on your computer: {names}. Substitute bots play them when you leave.")


def told(update: HostChanged, viewer: int | None, names: Sequence[str]) -> Notice:
    """Say who hosts the game now."""
    new, yours = ("new", names[update.seat]), viewer == update.seat
    if update.former is None:
        return Notice(HANDED_YOU_BY_HOST) if yours else Notice(HANDED_BY_HOST, (new,))
    if viewer == update.former:
        return Notice(YOU_HANDED, (new,))
    old = ("old", names[update.former])
    return Notice(HANDED_YOU, (old,)) if yours else Notice(HANDED, (old, new))


def successors(session: TableSession) -> Sequence[int]:
    """The seats to which a host may hand the game over."""
    people = [seat for seat, one in enumerate(session.lobby) if not one.bot and not one.guest]
    return [seat for seat in people if seat != session.seat and seat not in session.away]


def on_this_computer(session: TableSession, invitation: Invitation) -> Sequence[int]:
    """The seats that play on the host's computer, except the person's own: its bots, and guests in a browser."""
    own = invitation.table.table.lobby.own if invitation.table is not None else set()
    lobby = [(seat, one) for seat, one in enumerate(session.lobby) if seat != session.seat]
    return [seat for seat, one in lobby if one.guest or (one.bot and one.key in own)]


def behind(texts: Texts, seats: Sequence[int], names: Sequence[str], *, leaving: bool) -> str:
    """What happens to the seats on this computer; empty if there are none."""
    if not seats:
        return ""
    return texts.say(BEHIND if leaving else STAYS, names=texts.listing([names[seat] for seat in seats]))
