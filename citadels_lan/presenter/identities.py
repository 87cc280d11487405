"""Who may hold which character, which characters can be chosen, and what is public about each in this round."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from citadels_lan.engine import HIDDEN, State, acting, edition_of
from citadels_lan.engine.flow.draft import picks
from citadels_lan.engine.turn.cities import paying_districts
from citadels_lan.texts import Texts, msg

from .city_view import shared
from .symbols import mark_word


def asked_for(view: State) -> str:
    """Return the character that was called while no player has shown it yet; empty if there is none."""
    inquiry = view.inquiry
    return inquiry.character or "" if inquiry is not None and inquiry.what == "call" else ""


@dataclass(frozen=True)
class Drafter:
    """A seat in the order of choosing characters."""

    seat: int
    progress: Literal["done", "now", "ahead"]


def order(view: State) -> Sequence[Drafter]:
    """Return the seats in the order in which they choose. With few players each chooses twice."""
    count, now = len(view.players), view.picks if acting(view) else -1
    return [
        Drafter((view.crown + step) % count, "now" if at == now else "done" if at < view.picks else "ahead")
        for at, step in enumerate(picks(count))
    ]


def packet(view: State, seat: int | None) -> Sequence[str]:
    """Return the characters to choose from, by rank. Before and after the player's choice, those that were last
    seen."""
    if seat is None:
        return ()
    step, seen = view.steps[-1] if view.steps else None, view.players[seat].seen
    picking = step is not None and step.verb == "pick" and step.seat == seat
    cards = step.cards if step is not None and picking else seen[-1] if seen else ()
    return sorted((card for card in cards if card != HIDDEN), key=edition_of(view).ranks.__getitem__)


def unknown(view: State, seat: int | None) -> Sequence[str]:
    """Return the characters that may be in play and that this player has not seen in this draft."""
    seen = set(view.faceup)
    if seat is not None:
        player = view.players[seat]
        seen.update(*player.seen, player.concealed, player.laid)
    return [card for card in view.cast if card not in seen]


def income(view: State, seat: int, character: str) -> int | None:
    """Return the income of a character from the present city; None if it has no income."""
    # Income is paid for each district of one type.
    kind = edition_of(view).characters[character].income
    return None if kind is None else paying_districts(view, seat, kind)


def unseen(view: State, seat: int | None) -> list[str]:
    """Return the characters that another seat may hold without having shown them."""
    known = {*view.faceup, *(key for player in view.players for key in player.revealed)}
    if seat is not None:
        known |= {*view.players[seat].concealed, *view.players[seat].laid}
    killed, ranks = view.mark("killed"), edition_of(view).ranks
    quiet = (killed.character if killed else "", asked_for(view))
    return [key for key in view.cast if key not in known and (ranks[key] > view.rank or key in quiet)]


def possible(view: State, seat: int | None) -> dict[int, list[str]]:
    """Return, by seat, the characters that it may still hold. Seats without unrevealed characters are left out."""
    candidates = unseen(view, seat)
    return {
        other: [key for key in candidates if _can_have(view, seat, other, key)]
        for other, player in enumerate(view.players)
        if other != seat and player.concealed
    }


def _can_have(view: State, seat: int | None, other: int, key: str) -> bool:
    """Return whether a seat can hold a character. The characters that this player saw and did not take went to
    later seats; all others were taken before."""
    count = len(view.players)
    if seat is None or count < 4 or not view.players[seat].seen:
        return True
    packet = view.players[seat].seen[0]
    before_me = len(view.cast) - len(view.faceup) - 1 - len(packet)
    if len(packet) == 2 and before_me == count - 2:  # The last player of a full table also sees two.
        return True
    backwards = [view.players[(seat - step) % count] for step in range(1, count)]
    picked = [
        player for player in backwards if player.concealed or player.revealed
    ]  # Skips seats without a character.
    return (key in packet) == all(player is not view.players[other] for player in picked[:before_me])


def known_this_round(
    texts: Texts, view: State, seat: int | None, names: Sequence[str], character: str
) -> Iterator[str]:
    """Yield the public knowledge of a character in a few words; nothing if any player may have it."""
    if character in view.faceup:
        yield texts.say(msg("discarded face up"))
    yield from dict.fromkeys(
        texts.say(mark_word(view, mark)) for mark in view.marks if mark.character == character
    )
    holder = next((number for number, player in enumerate(view.players) if character in player.revealed), None)
    late = not shared(view) and view.phase == "turns" and edition_of(view).ranks[character] <= view.rank
    if seat is not None and character in view.players[seat].concealed:
        yield texts.say(msg("yours in this round"))
    elif holder is not None:
        yield texts.say(msg("yours, revealed")) if holder == seat else names[holder]
    elif late and character != asked_for(view) and character not in view.faceup:
        yield texts.say(msg("called, no answer"))
