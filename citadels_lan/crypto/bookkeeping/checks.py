"""Checks that need more than the event itself: what can be offered, called, seen and scored."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.engine import HIDDEN, Options, Score, State, edition_named, edition_of
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
    Salvaged,
    Slid,
    TakenFromDeck,
)

SHOWING = (
    Asked, AuctionBegan, Built, CardsGained, CardsMoved, Confiscated, Discarded, Drawn, HandsSwapped, Salvaged,
    Slid, TakenFromDeck,
)  # fmt: skip
"""Events that can show a district card to a viewer."""
WHOLE_PACKETS = 3
"""With at most this many players, a packet holds only characters that were in the packet before it."""


def check_offer(n: int, state: State, offered: Offered) -> None:
    """A packet that the viewer sees holds different characters that can be left; `state` is the view before it."""
    if HIDDEN in offered.packet:
        return
    packet, player = set(offered.packet), state.players[offered.seat]
    gone = {*state.faceup, *player.concealed, *player.laid}
    few = len(state.players) <= WHOLE_PACKETS
    known = not (few and player.seen) or packet <= set(player.seen[-1])
    if len(packet) != len(offered.packet) or not packet <= set(state.cast) or packet & gone or not known:
        raise Mismatch("offer", n, seat=offered.seat)


def check_called(n: int, state: State) -> None:
    """At the end of a round only the killed character is uncalled, unless all have seen it elsewhere. In a sealed
    draft an absent seat may hold another one."""
    left = [seat for seat, player in enumerate(state.players) for _ in player.concealed]
    if state.draft != "open" or not left:
        return
    killed = state.mark("killed")
    seen = {*state.faceup, *(card for player in state.players for card in player.revealed)}
    own = {card for player in state.players for card in player.concealed} - {HIDDEN}
    if len(left) > 1 or killed is None or killed.character in seen or own - {killed.character}:
        raise Mismatch("uncalled", n, seat=left[-1])


def check_scores(n: int, state: State, ended: GameEnded) -> None:
    """The final scores follow from the cities; points for a card in a hidden hand are taken as they are shown. The
    winners follow from the scores."""
    edition = edition_of(state)
    for seat, (score, shown) in enumerate(zip(edition.scores(state), ended.scores, strict=True)):
        if score != (shown if state.knows(seat) else _without_hand(state, seat, shown)):
            raise Mismatch("score", n, seat=seat)
    if ended.winners != edition.winners(state, ended.scores):
        raise Mismatch("winners", n)


def _without_hand(state: State, seat: int, score: Score) -> Score:
    """The score without points for cards in hand, as far as a hand of this size can give them."""
    effects, parts, left = edition_of(state).effects, [], len(state.players[seat].hand)
    for key, points in score.parts:
        each = effects[key].points_in_hand if key in effects and key in state.districts else 0
        if each and points % each == 0 and 0 < points // each <= left:
            left -= points // each
        else:
            parts.append((key, points))
    return Score(tuple(parts), score.haunted)


def check_copies(n: int, state: State) -> None:
    """The viewer sees no district more often than there are cards of it."""
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
