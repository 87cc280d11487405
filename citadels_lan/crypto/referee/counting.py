"""What no rule says by itself, because the engine knows it of the full state: which characters can be offered, how
many copies of a card there are, and that everybody was called who is in play."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.engine import HIDDEN, Event, Options, State, edition_named
from citadels_lan.engine.events import (
    Asked,
    AuctionBegan,
    Built,
    CardsGained,
    CardsMoved,
    Confiscated,
    Discarded,
    Drawn,
    GameEnded,
    HandsSwapped,
    Offered,
    RoundEnded,
    Salvaged,
    Slid,
    TakenFromDeck,
)

SHOWING = (
    Asked, AuctionBegan, Built, CardsGained, CardsMoved, Confiscated, Discarded, Drawn, HandsSwapped, Salvaged,
    Slid, TakenFromDeck,
)  # fmt: skip
"""Events by which a viewer comes to see a district card."""
WHOLE_PACKETS = 3
"""With so many players at most nothing that was not in a packet before comes into a later one."""


def check_offer(n: int, before: State, offered: Offered) -> None:
    """Mismatch for a packet of the viewer that cannot be left to choose from; `before` is the view without it."""
    if HIDDEN not in offered.packet and not _may_be_left(before, offered):
        raise Mismatch("offer", n, seat=offered.seat)


def _may_be_left(state: State, offered: Offered) -> bool:
    packet, player = set(offered.packet), state.players[offered.seat]
    gone = {*state.faceup, *player.concealed, *player.laid}
    if len(packet) != len(offered.packet) or not packet <= set(state.cast) or packet & gone:
        return False
    few = len(state.players) <= WHOLE_PACKETS
    return not (few and player.seen) or packet <= set(player.seen[-1])


def check_called(n: int, state: State, told: Sequence[Event]) -> None:
    """Mismatch where a round is over and somebody holds a character that was never called; the killed one alone
    may be left, unless everybody has seen it elsewhere. After a sealed draft whoever was gone holds one, too."""
    if state.draft != "open" or not any(isinstance(event, RoundEnded | GameEnded) for event in told):
        return
    left = [seat for seat, player in enumerate(state.players) for _ in player.concealed]
    if not left:
        return
    killed = state.mark("killed")
    seen = {*state.faceup, *(card for player in state.players for card in player.revealed)}
    own = {card for player in state.players for card in player.concealed} - {HIDDEN}
    if len(left) > 1 or killed is None or killed.character in seen or own - {killed.character}:
        raise Mismatch("uncalled", n, seat=left[-1])


def check_copies(n: int, state: State, told: Sequence[Event]) -> None:
    """Mismatch where the viewer sees a district more often than there are cards of it."""
    if not any(isinstance(event, SHOWING) for event in told):
        return
    there = _copies(state.edition, state.options, state.districts)
    for card, count in Counter(_visible(state)).items():
        if count > there.get(card, 0):
            raise Mismatch("copies", n)


@lru_cache(maxsize=64)
def _copies(edition: str, options: Options, districts: tuple[str, ...]) -> Mapping[str, int]:
    return Counter(edition_named(edition, options).deck(districts))


def _visible(state: State) -> Iterator[str]:
    """Every district card that the viewer sees, each once."""
    yield from state.discards
    for player in state.players:
        yield from (card for card in player.hand if card != HIDDEN)
        for district in player.city:
            yield district.key
            yield from (card for _, card in district.under if card != HIDDEN)
    for step in state.steps:
        if step.verb != "pick":
            yield from (card for card in step.cards if card != HIDDEN)
    if state.site is not None:
        yield state.site.card
    if state.auction is not None and not state.knows(state.auction.seller):
        yield state.auction.card
