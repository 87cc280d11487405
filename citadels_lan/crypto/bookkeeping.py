"""The public bookkeeping: gold, cards, cities, turns and scores, as they follow from the events of a log.

A client keeps these books during the game, and `verify` keeps them for a game that was not closed. They do not
guess hidden cards or play by the rules: only the replay of a closed game does (docs/protocol.md, section 13).

`Bookkeeping(header, seat)` is empty (`seat` None: a spectator). `follow(n, entry, events)` raises Mismatch if the
entry contradicts the books. `state` is the viewer's view after the last entry.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from citadels_lan import engine
from citadels_lan.crypto.draft.knowledge import play_of
from citadels_lan.crypto.log import EVENTFUL, AnyEntry, EventfulEntry, Header, Mismatch, Move, TableMove
from citadels_lan.crypto.replay import table_of
from citadels_lan.engine import events as ev

SHOWING = (
    ev.Asked, ev.AuctionBegan, ev.Built, ev.CardsGained, ev.CardsMoved, ev.Confiscated, ev.Discarded, ev.Drawn,
    ev.HandsSwapped, ev.Salvaged, ev.Slid, ev.TakenFromDeck,
)  # fmt: skip
"""Events that can show a district card to a viewer."""
WHOLE_PACKETS = 3
"""With at most this many players, a seat sees more than one packet of a draft, and each later packet contains
only characters of the earlier one."""


def check_offer(n: int, state: engine.State, offered: ev.Offered) -> None:
    """Check the packet of characters that entry `n` offers to a seat. The characters must differ, and each
    must still be available in the draft. `state` is the view before the offer. A hidden packet is not
    checked. Raises Mismatch."""
    if engine.HIDDEN in offered.packet:
        return
    packet, player = set(offered.packet), state.players[offered.seat]
    gone = {*state.faceup, *player.concealed, *player.laid}
    few = len(state.players) <= WHOLE_PACKETS
    known = not (few and player.seen) or packet <= set(player.seen[-1])
    if len(packet) != len(offered.packet) or not packet <= set(state.cast) or packet & gone or not known:
        raise Mismatch("offer", n, seat=offered.seat)


def check_called(n: int, state: engine.State) -> None:
    """Check that no player still holds a character at the end of a round, except the killed one. Skips sealed
    drafts, where an absent seat may hold a character that it did not show. Raises Mismatch."""
    left = [seat for seat, player in enumerate(state.players) for _ in player.concealed]
    if state.draft != "open" or not left:
        return
    killed = state.mark("killed")
    seen = {*state.faceup, *(card for player in state.players for card in player.revealed)}
    own = {card for player in state.players for card in player.concealed} - {engine.HIDDEN}
    if len(left) > 1 or killed is None or killed.character in seen or own - {killed.character}:
        raise Mismatch("uncalled", n, seat=left[-1])


def check_scores(n: int, state: engine.State, ended: ev.GameEnded) -> None:
    """Check that the final scores in `ended` follow from the cities in `state`, and the winners from the
    scores. Points for cards in hidden hands are accepted as the host states them. Raises Mismatch."""
    edition = engine.edition_of(state)
    for seat, (score, shown) in enumerate(zip(edition.scores(state), ended.scores, strict=True)):
        if score != (shown if state.knows(seat) else _without_hand(state, seat, shown)):
            raise Mismatch("score", n, seat=seat)
    if ended.winners != edition.winners(state, ended.scores):
        raise Mismatch("winners", n)


def _without_hand(state: engine.State, seat: int, score: engine.Score) -> engine.Score:
    """Return `score` without points for cards in the seat's hidden hand, which a viewer cannot check. The
    number of cards in the hand limits how many points are left out."""
    effects, parts, left = engine.edition_of(state).effects, [], len(state.players[seat].hand)
    for key, points in score.parts:
        each = effects[key].points_in_hand if key in effects and key in state.districts else 0
        # A viewer cannot see a hidden hand, only how many cards it has.
        if each and points % each == 0 and 0 < points // each <= left:
            left -= points // each
        else:
            parts.append((key, points))
    return engine.Score(tuple(parts), score.haunted)


def check_copies(n: int, state: engine.State) -> None:
    """Check that the viewer sees each district at most as often as the deck has copies of it. Raises
    Mismatch."""
    there = _copies(state.edition, state.options, state.districts)
    for card, count in Counter(_visible(state)).items():
        if count > there.get(card, 0):
            raise Mismatch("copies", n)


@lru_cache(maxsize=64)
def _copies(edition: str, options: engine.Options, districts: tuple[str, ...]) -> Mapping[str, int]:
    return Counter(engine.edition_named(edition, options).deck(districts))


def _visible(state: engine.State) -> Iterator[str]:
    """Yield the name of every district card that the viewer sees in `state`, once for each card."""
    yield from state.discards
    for player in state.players:
        yield from (card for card in player.hand if card != engine.HIDDEN)
        for district in player.city:
            yield district.key
            yield from (card for _, card in district.under if card != engine.HIDDEN)
    for step in state.steps:
        if step.verb != "pick":
            yield from (card for card in step.cards if card != engine.HIDDEN)
    if state.site is not None:
        yield state.site.card
    if state.auction is not None and not state.knows(state.auction.seller):
        yield state.auction.card


class Bookkeeping:
    """The table as `seat` sees it (None: a spectator); `state` is the view after the last entry.

    `follow` raises Mismatch for an entry that no honest host can have signed. Every other exception is an error of
    this program and accuses no one. After either, `state` is unchanged.
    """

    def __init__(self, header: Header, seat: int | None) -> None:
        self.seat = seat
        self.state: engine.State = engine.view(table_of(header), seat)

    def follow(self, n: int, entry: AnyEntry, events: Sequence[engine.Event]) -> None:
        """Apply the events of entry `n`, as this viewer sees them, to `state`. Raises Mismatch; `state` is
        then unchanged."""
        if not isinstance(entry, EVENTFUL):
            return
        _check_turn(n, entry, self.state, happened=bool(events))
        self.state = followed(n, self.state, events)


def followed(n: int, before: engine.State, events: Sequence[engine.Event]) -> engine.State:
    """Return the view after the events of entry `n`; `before` stays as it is. Raises Mismatch."""
    # The state is copied, so that a rejected entry leaves the books as they were.
    seen = before.copy()
    try:
        for event in events:
            engine.check_event(seen, event)
            if isinstance(event, ev.Offered):
                check_offer(n, seen, event)
            elif isinstance(event, ev.GameEnded):
                check_scores(n, seen, event)
            event.apply(seen)
            seen.tick += 1
        engine.check_state(seen, before)
    except engine.Impossible:
        raise Mismatch("impossible_event", n) from None
    kinds = set(map(type, events))
    if kinds & {ev.RoundEnded, ev.GameEnded}:
        check_called(n, seen)
    if kinds.intersection(SHOWING):
        check_copies(n, seen)
    return seen


def _check_turn(n: int, entry: EventfulEntry, state: engine.State, *, happened: bool) -> None:
    """Check that the right actor has made entry `n` in `state`. A seat may act only if it has to decide, and
    the table only if no seat has to. An entry that changes the game must have events (`happened`). Raises
    Mismatch."""
    if isinstance(entry, Move) and entry.seat not in engine.acting(state):
        raise Mismatch("turn", n, seat=entry.seat)
    if isinstance(entry, TableMove) and (engine.acting(state) or state.phase == "over"):
        raise Mismatch("no_table", n)
    if not happened and (isinstance(entry, Move | TableMove) or play_of(entry.items, state) is not None):
        raise Mismatch("no_events", n)
