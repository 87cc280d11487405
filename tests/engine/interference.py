"""Twin tables: a twin of a table is the same game with some other secrets. A viewer who may not know these
secrets must not be able to distinguish the two.

For every viewer there is a twin of the table, in which some things that this viewer may not know are
exchanged: cards in other hands, in the deck, under another's Museum, just drawn by a player; characters held,
laid aside or offered to others; which warrant is signed and which threat has the flower.

All tables make the same moves with the same chance. If a hidden move names something that was exchanged, the
twin makes the move with the counterpart. Every event must reach the viewer in the same bytes, until one of
these allows a difference: the event shows this viewer a secret for the first time, as `telling.py` says; it
shows who answers a call; or the rules let all viewers see an effect of a hidden card. After such an event the
twin is dropped, and the next twin is made.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

from citadels_lan.crypto.client_log import private_parts
from citadels_lan.crypto.codec import bucket, pack
from citadels_lan.crypto.commitments import manner
from citadels_lan.crypto.log import Delta, longest
from citadels_lan.engine import (
    Action,
    BadNotation,
    Event,
    IllegalMove,
    State,
    advance,
    decide,
    decisions,
    encode_event,
    evolve,
    new_table,
    parse,
    redact,
    refusal,
    view,
)
from citadels_lan.engine import events as ev
from citadels_lan.engine.state import SECRET_MARKS
from tests.engine.tables import ALL, Tables
from tests.engine.telling import Untold, check_told, may_differ, told
from tests.play.dice import LabelChance, patient, some

T = TypeVar("T")
Viewer = int | None
EXCHANGES: Final = 4
"""The largest number of pairs that are exchanged to make a twin."""
A_CALL: Final = "who answers a call"
SILENCE: Final = (ev.Called, ev.GoldGained, ev.RoundEnded, ev.GameEnded)
"""The events that may follow a call that no player answers: the next call, or the end of the round, perhaps
with the Queen's gold before it."""


class Difference(AssertionError):
    """A viewer could distinguish two tables, but must not be able to."""


class OtherChance(LabelChance):
    """Chance with the outcomes of LabelChance, but with two cards of the deck, or two characters of the
    draft, exchanged."""

    def __init__(self, seed: int, dice: random.Random) -> None:
        super().__init__(seed)
        self._other = dice

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        shuffled = super().shuffle(label, items)
        if label.startswith(("districts/", "chars/")):
            here, there = self._other.sample(range(len(shuffled)), 2)
            shuffled[here], shuffled[there] = shuffled[there], shuffled[here]
        return shuffled


Slot = tuple[Any, int]
"""A place for a card of a twin: a list, and an index in it."""


def exchanged(state: State, viewer: Viewer, dice: random.Random) -> State | None:
    """Return a twin of the table: a state with other secrets and the same view for `viewer`. None if there
    was nothing to exchange."""
    twin = state.copy()
    steps = [list(step.cards) for step in twin.steps]
    unders = [[[card for _, card in one.under] for one in player.city] for player in twin.players]
    done = 0
    for slots in (_cards(twin, viewer, steps, unders), character_slots(twin, viewer, steps)):
        for _ in range(dice.randint(1, EXCHANGES) if len(slots) > 1 else 0):
            (here, i), (there, j) = dice.sample(slots, 2)
            here[i], there[j] = there[j], here[i]
            done += 1
    twin.steps = [step.but(cards=tuple(cards)) for step, cards in zip(twin.steps, steps, strict=True)]
    for player, lists in zip(twin.players, unders, strict=True):
        player.city = [
            one.but(under=tuple((by, card) for (by, _), card in zip(one.under, cards, strict=True)))
            for one, cards in zip(player.city, lists, strict=True)
        ]
    twin.marks = [_other_mark(twin, mark, viewer, dice) for mark in twin.marks]
    if twin == state:
        return None
    if view(twin, viewer) != view(state, viewer):
        raise Difference("the twin differs in what the viewer sees: the exchange is wrong")
    return twin


def _cards(twin: State, viewer: Viewer, steps: list[list[str]], unders: list[list[list[str]]]) -> list[Slot]:
    """Return the places of all district cards that the viewer does not see. `steps` and `unders` are the
    cards of questions and those under Museums, as lists that can be changed."""
    seen = {step.other for step in twin.steps if step.verb == "take"}  # its cards are that hand once more
    shown = any(step.verb == "lighthouse" for step in twin.steps)  # its cards are the deck once more
    lists: list[Any] = [] if shown else [twin.deck]
    lists += [p.hand for seat, p in enumerate(twin.players) if seat != viewer and seat not in seen]
    lists += [steps[i] for i, step in enumerate(twin.steps) if step.verb == "keep" and step.seat != viewer]
    slots = [(one, i) for one in lists for i in range(len(one))]
    if twin.auction is not None:  # all players have seen that card, which is still in the seller's hand
        hand = twin.players[twin.auction.seller].hand
        shown_card = hand.index(twin.auction.card)
        slots = [(one, i) for one, i in slots if one is not hand or i != shown_card]
    for player, lying in zip(twin.players, unders, strict=True):
        for district, cards in zip(player.city, lying, strict=True):
            slots += [(cards, i) for i, (by, _) in enumerate(district.under) if by != viewer]
    return slots


def character_slots(twin: State, viewer: Viewer, steps: list[list[str]]) -> list[Slot]:
    """Return the places of all characters that the viewer does not see. `steps` are the cards of questions,
    as lists that can be changed."""
    lists: list[Any] = [p.concealed for seat, p in enumerate(twin.players) if seat != viewer]
    own = twin.players[viewer].laid if viewer is not None else []
    lists += [steps[i] for i, step in enumerate(twin.steps) if step.verb == "pick" and step.seat != viewer]
    slots = [(one, i) for one in lists for i in range(len(one))]
    laid = [card for player in twin.players for card in player.laid]
    slots += [(twin.facedown, i) for i, card in enumerate(twin.facedown) if card not in (*own, *laid)]
    return slots


def _other_mark(twin: State, mark: Any, viewer: Viewer, dice: random.Random) -> Any:
    if mark.kind not in SECRET_MARKS or mark.by == viewer:
        return mark
    kind = {"signed": "warrant", "flower": "threat"}[mark.kind]
    places = [one.character for one in twin.marks if (one.kind, one.by) == (kind, mark.by)]
    return mark.but(character=dice.choice(places)) if places else mark


class Twins:
    """A random game, with a twin of its table for each viewer."""

    def __init__(self, seed: int, tables: Tables = ALL) -> None:
        self.seed = seed
        self.dice = random.Random(seed)
        self.state = new_table(tables.draw(self.dice))
        self.chance = LabelChance(seed)
        self.viewers: tuple[Viewer, ...] = (None, *range(len(self.state.players)))
        self.twins: dict[Viewer, State | None] = dict.fromkeys(self.viewers)
        self.count: Counter[str] = Counter()

    def play(self) -> Counter[str]:
        """Play the whole game. Return how often each kind of check was made. Raises Difference."""
        while self.state.phase != "over":
            self.step()
        return self.count

    def step(self) -> None:
        """Make a random move on the table and on all twins, or let them act, and compare what each viewer
        sees."""
        waiting = decisions(self.state)
        seat: int | None = None
        line = ""
        if waiting:
            ((seat, choices),) = waiting.items()
            action = some(self.dice, patient(self.dice, choices, self.count["moves"]))
            self.count["moves"] += 1
            line = str(action)
            events = decide(self.state, seat, action, self.chance)
        else:
            events = advance(self.state, self.chance)
        self.count["events"] += len(events)
        for viewer in self.viewers:
            twin = (
                self.twins[viewer]
                or (self.state if seat is None else None)
                or exchanged(self.state, viewer, self.dice)
            )
            for event in events:
                self._check(event, viewer)
            self.twins[viewer] = self._follow(twin, viewer, seat, line, events) if twin is not None else None
        self.state = evolve(self.state, *events)
        for viewer, twin in self.twins.items():
            if twin is not None and view(twin, viewer) != view(self.state, viewer):
                raise Difference(f"{viewer} sees another table after {line or 'the table'}")

    def _follow(
        self, twin: State, viewer: Viewer, seat: int | None, line: str, events: Sequence[Event]
    ) -> State | None:
        """Make the same move on a twin, and compare its events with `events`, those of the table. Return the
        new state of the twin, or None if the viewer may now see a difference."""
        theirs = self._moved(twin, viewer, seat, line)
        if theirs is None:
            self.count["not possible there"] += 1
            return None
        for index in range(max(len(events), len(theirs))):
            one = events[index] if index < len(events) else None
            other = theirs[index] if index < len(theirs) else None
            self.count["compared"] += 1
            if one == other:  # the cards that all players see in it have been checked
                continue
            if self._told(one, viewer) != self._told(other, viewer):
                why = _explained(one, other, viewer)
                if why is None:
                    raise Difference(f"{viewer} can tell apart, after {seat} {line}: {one} and {other}")
                self.count[why] += 1
                return None
            self.count["compared, different"] += 1
            assert other is not None
            self._check(other, viewer)
        self._sizes(events, theirs)
        return evolve(twin, *theirs)

    def _moved(self, twin: State, viewer: Viewer, seat: int | None, line: str) -> list[Event] | None:
        if seat is None:
            return None if decisions(twin) else self._begun(twin, viewer)
        if seat not in decisions(twin):
            raise Difference(f"{seat} is asked at one table only")
        for said in (line, *self._counterparts(twin, seat, line)):
            try:
                action: Action = parse(said, seat)
                if refusal(twin, seat, action) is None:
                    return decide(twin, seat, action, self.chance)
            except (BadNotation, IllegalMove):
                continue
        if seat == viewer:
            raise Difference(f"{seat} may do {line} at one table only")
        return None

    def _begun(self, twin: State, viewer: Viewer) -> list[Event]:
        """Return the events with which a round or the game begins on a twin. If possible, hidden draws have
        other outcomes than at the table, but the viewer may see the same."""
        ours = advance(twin, self.chance)
        for _ in range(6):
            theirs = advance(twin, OtherChance(self.seed, self.dice))
            if theirs != ours and [told(one, viewer) for one in ours] == [told(one, viewer) for one in theirs]:
                return theirs
        return ours

    def _counterparts(self, twin: State, seat: int, line: str) -> Iterator[str]:
        """Yield lines for the move `line` on the twin, in which exchanged cards are replaced by those that
        are in their places there. Only for hidden moves."""
        if manner(line) != "hidden":
            return
        ours, theirs = _own(self.state, seat), _own(twin, seat)
        words = line.replace("=", " = ").split(" ")
        gone, come = list((ours - theirs).elements()), list((theirs - ours).elements())
        for _ in range(6):
            self.dice.shuffle(come)
            left = list(zip(gone, come, strict=False))
            said = list(words)
            for at, word in enumerate(words):
                pair = next((pair for pair in left if pair[0] == word), None)
                if pair is not None and at:
                    left.remove(pair)
                    said[at] = pair[1]
            text = " ".join(said).replace(" = ", "=")
            yield text
            yield " ".join((said[0], *sorted(said[1:])))

    @staticmethod
    def _told(event: Event | None, viewer: Viewer) -> object:
        return None if event is None else pack(encode_event(redact(event, viewer)))

    @staticmethod
    def _check(event: Event, viewer: Viewer) -> None:
        try:
            check_told(event, viewer)
        except Untold as reason:
            raise Difference(str(reason)) from reason

    def _sizes(self, events: Sequence[Event], theirs: Sequence[Event]) -> None:
        """Count the network frames of these events, and those whose size differs between the two tables."""
        if list(events) == list(theirs):
            return
        self.count["frames"] += 1
        ours, other = (frame_size(one, len(self.state.players)) for one in (events, theirs))
        self.count["frames of another size"] += ours != other


def frame_size(events: Sequence[Event], seats: int) -> int:
    """Return the length of the network frames that send these events to all viewers, with a commitment."""
    open_events = [redact(event, None) for event in events]
    public = pack([3, 0, 0, bytes(32), [encode_event(event) for event in open_events], [], bytes(64)])
    private = private_parts(seats, events, open_events)
    leaves = bytes(33 * len(private))
    delta = Delta(300, bytes(64), public, leaves, None, None)
    return bucket(longest(delta, private.values()))


def _own(state: State, seat: int) -> Counter[str]:
    """Return the cards and characters that a seat may name in a hidden move."""
    player = state.players[seat]
    cards = [card for step in state.steps if step.seat == seat for card in step.cards]
    return Counter([*player.hand, *player.concealed, *cards])


def _explained(one: Event | None, other: Event | None, viewer: Viewer) -> str | None:
    """Return the reason why the rules let the viewer see the difference between the two events, or None if
    they do not."""
    if one is not None and other is not None and may_differ(one, other, viewer):
        return f"told by {type(one).__name__}"
    if isinstance(one, ev.AllStand) or isinstance(other, ev.AllStand):
        return "what lies under a Museum decides the end"  # R410
    if {_tribute(one), _tribute(other)} == {"asked", "by itself"}:
        return "whether a tribute leaves a choice"  # R468: with one kind of card the player is not asked
    answered = isinstance(one, ev.Revealed) and isinstance(other, SILENCE)
    silent = isinstance(one, SILENCE) and isinstance(other, ev.Revealed)
    return A_CALL if answered or silent else None


def _tribute(event: Event | None) -> str:
    """Return "asked" if the event asks for a tribute, "by itself" if it pays one without asking, otherwise
    ""."""
    if isinstance(event, ev.Asked) and event.verb == "tribute":
        return "asked"
    return "by itself" if isinstance(event, ev.CardsMoved) and event.why == "tribute" else ""
