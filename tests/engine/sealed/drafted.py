"""One game at three tables: one with an open draft, one with a sealed draft whose state knows the picks, and
the host's table of that sealed draft, which does not know them (blind)."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeVar

from msgspec.structs import replace

from citadels_lan.engine import (
    HIDDEN,
    Choice,
    District,
    Event,
    State,
    Table,
    TableConfig,
    acting,
    advance,
    check_event,
    check_state,
    decisions,
    decode_event,
    decode_state,
    edition_of,
    encode_event,
    encode_state,
    evolve,
    go_on,
    new_table,
    play_move,
    redact,
    refusal,
    view,
)
from citadels_lan.engine import events as ev
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Kill, Pick, Theater
from citadels_lan.engine.choices import Answer, Holder, LaidOut
from citadels_lan.engine.flow.sealed_draft import OwnPicks, asks_own, with_picks
from citadels_lan.engine.state import SECRET_MARKS, is_killed
from tests.engine.checks import plain_choices
from tests.engine.sealed.sealing import seal, shown_with
from tests.facts import known_table
from tests.play.dice import Dice, LabelChance, patient, some

T = TypeVar("T")
DRAFTING: Final = ("2016", "classic", "dark_city")
OF_SEATS: Final = ("chars/", "back/", "third/", "theater/")
"""The labels of draws that the seats make themselves in a sealed draft begin like this."""
WAITING: Final = (ev.Inquired, ev.InquiryAnswered)
"""The events that only a table with a sealed draft has, because it waits for answers."""
SECRET: Final = (ev.RoundBegan, ev.Offered, ev.Picked, ev.SetAside, ev.CharactersSwapped, ev.Inquired)
"""Events that name unrevealed characters."""


def as_blind(action: Action) -> Action:
    """Return an action as it is made at a blind table: with HIDDEN characters."""
    match action:
        case Pick():
            return Pick(HIDDEN, action.discarding and HIDDEN)
        case Theater():
            return Theater(action.seat, action.giving and HIDDEN)
    return action


def blind_event(event: Event) -> Event:
    """Return an event as a blind table has it: with HIDDEN characters if it is one of SECRET."""
    return event.redact(None) if isinstance(event, SECRET) else event


class DraftChance:
    """Chance that gives the same outcomes of the draft at each of the tables. If `blind`, it fails at a draw
    that the seats make themselves."""

    def __init__(self, seed: int, *, blind: bool = False) -> None:
        self._of_seats, self._of_table, self._blind = LabelChance(seed), Dice(seed), blind

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        return self._of_seats.shuffle(label, items) if self._seats(label) else self._of_table.shuffle(label, items)

    def pick(self, label: str, items: Sequence[T]) -> T:
        return self._of_seats.pick(label, items) if self._seats(label) else self._of_table.pick(label, items)

    def _seats(self, label: str) -> bool:
        asked = label.startswith(OF_SEATS)
        assert not (asked and self._blind), label
        return asked


def blinded(state: State) -> State:
    """Return `state`, which knows the picks, as the host of a sealed draft has it."""
    seen = state.copy()
    seen.draft = "blind"
    seen.facedown = [HIDDEN] * len(seen.facedown)
    for player in seen.players:
        player.concealed, player.laid = [HIDDEN] * len(player.concealed), [HIDDEN] * len(player.laid)
        player.seen = []
    if seen.inquiry is not None and seen.inquiry.given:
        seen.inquiry = seen.inquiry.but(given=(HIDDEN,))
    seen.steps = [
        step.but(cards=(HIDDEN,) * len(step.cards)) if step.verb == "pick" else step for step in seen.steps
    ]
    return seen


def as_open(state: State) -> State:
    """Return the state of a sealed table without its differences from that of an open table. The markers that
    count are HIDDEN in it."""
    seen = state.copy()
    seen.sealed, seen.draft, seen.inquiry, seen.tick = False, "open", None, 0
    seen.marks = [mark.but(character=HIDDEN) if mark.kind in SECRET_MARKS else mark for mark in seen.marks]
    return seen


def told_by(events: Sequence[Event]) -> Answer | None:
    """Return the answer to an inquiry that these events contain; None if there is none."""
    for event in events:
        if isinstance(event, ev.RoundBegan):
            return LaidOut(event.faceup)
        if isinstance(event, ev.InquiryAnswered):
            return Holder(event.seat)
    return None


def without_star(event: Event) -> Event:
    """Return an event as it is at a table with sealed markers: the marker that counts is HIDDEN."""
    return event.but(chosen=HIDDEN) if isinstance(event, ev.Placed) else event


def in_question(public: State) -> tuple[int, ...]:
    """Return the seats that the inquiry of a public view must ask: those that may hold its character."""
    assert public.inquiry is not None
    character, what = public.inquiry.character, public.inquiry.what
    if what == "deal":
        return (public.crown,)
    if what == "swap":
        return public.inquiry.seats
    assert character is not None
    silent = is_killed(public, character)
    called = what == "call"
    return tuple(
        seat
        for seat, player in enumerate(public.players)
        if player.concealed
        and (not (silent and called) or any(district.key == "hospital" for district in player.city))
    )


def kind_of(state: State) -> str:
    """Return the kind of the state's inquiry: deal, swap, call or late, or "killed" for the call of a killed
    character."""
    assert state.inquiry is not None
    what, character = state.inquiry.what, state.inquiry.character
    return "killed" if what == "call" and character and is_killed(state, character) else what


class Seat:
    """A seat at a blind table. `told` is the view that the host sends, `view` the same completed by the
    seat's own characters."""

    def __init__(self, seat: int, blind: State) -> None:
        self.seat = seat
        self.told = self.view = view(blind, seat)
        self.checked: State | None = None

    def hear(self, events: Sequence[Event], truths: Sequence[Event]) -> None:
        """Receive `events` of the host. `truths` are the same events with all characters; the seat takes from
        them what only it knows."""
        heard: list[Event] = []
        for event, truth in zip(events, truths, strict=True):
            told = decode_event(encode_event(redact(event, self.seat)))
            check_event(self.told, told)
            self.told = evolve(self.told, told)
            heard.append(redact(truth, self.seat) if asks_own(told, self.seat) else told)
        self.view = evolve(self.view, *heard)


def own_picks(known: State, seat: int) -> OwnPicks:
    """Return what only `seat` knows of its draft, from a state that knows the picks."""
    player = view(known, seat).players[seat]
    return OwnPicks(tuple(player.seen), tuple(player.concealed), tuple(player.laid))


class ThreeTables:
    """One game at three tables: `open` has an open draft, `known` a sealed draft whose state knows the picks,
    and `blind` is the host's table of that sealed draft."""

    def __init__(self, config: TableConfig, seed: int, standing: str = "") -> None:
        """`standing` is the name of a district that is in the city of seat 0 from the beginning; "" for none."""
        self.rng, self.moves = random.Random(seed), 0
        self.sealed = replace(config, draft="sealed")
        self.open = Table(new_table(config), DraftChance(seed))
        self.known = Table(known_table(self.sealed), DraftChance(seed))
        self.blind = Table(new_table(self.sealed, sealed=True), DraftChance(seed, blind=True))
        self.tables = (self.open, self.known, self.blind)
        for table in self.tables if standing else ():
            table.state.players[0].city.append(District(standing, 1))
        self.seats = [Seat(seat, self.blind.state) for seat in range(config.players)]
        self.met: Counter[str] = Counter()

    @property
    def over(self) -> bool:
        return self.open.state.phase == "over"

    def step(self) -> None:
        """Make a random move at all tables, or let them act. Check that the same happened at all of them."""
        for table in self.tables:
            table.events = []
        happened: list[Event] = []
        asked = decisions(self.open.state)
        if asked:
            self._move(asked)
        else:
            for table in self.tables:
                go_on(table)
        happened += self._compare()
        while self.known.state.inquiry is not None:
            self._answer()
            happened += self._compare()
        played = [event for event in happened if not isinstance(event, (*WAITING, ev.Unsealed))]
        assert played == [without_star(event) for event in self.open.events]
        assert as_open(self.known.state) == as_open(self.open.state)

    def _move(self, asked: dict[int, Sequence[Choice]]) -> None:
        ((seat, choices),) = asked.items()
        action = some(self.rng, patient(self.rng, self._telling(choices), self.moves))
        self.moves += 1
        sealed = seal(action)
        shown = shown_with(action, self.open.state, self.blind.state)
        own = self.seats[seat].view
        assert plain_choices(decisions(own)[seat]) == plain_choices(decisions(view(self.known.state, seat))[seat])
        assert refusal(own, seat, action) is None
        assert acting(self.blind.state) == acting(self.open.state) == tuple(decisions(self.blind.state))
        if as_blind(action) != action:
            assert as_blind(action) in decisions(self.blind.state)[seat]
            assert refusal(self.blind.state, seat, action) is not None
        play_move(self.open, seat, action)
        play_move(self.known, seat, sealed, shown)
        play_move(self.blind, seat, as_blind(sealed), shown)

    def _telling(self, choices: Sequence[Choice]) -> Sequence[Choice]:
        """Return the choices that matter for hidden characters (Theater; killing rank 4) in most cases, if
        there are any; otherwise all choices."""
        ranks = edition_of(self.open.state).ranks
        telling = [
            choice
            for choice in choices
            if (isinstance(choice, Theater) and choice.seat is not None)
            or (isinstance(choice, Kill) and ranks[choice.character] == 4)
        ]
        return telling if telling and self.rng.random() < 0.7 else choices

    def _answer(self) -> None:
        """Check that the blind table waits for an answer, take the answer from the table `known`, and give
        it."""
        state = self.blind.state
        assert not acting(state)
        assert not decisions(state)
        assert advance(state, DraftChance(0, blind=True)) == []
        assert state.inquiry is not None
        assert state.inquiry.seats == in_question(view(state, None))
        asked = kind_of(state)
        self.known.events, self.blind.events = [], []
        go_on(self.known)
        told = told_by(self.known.events)
        go_on(self.blind, told)
        self.met[f"{asked}, {'shown' if told != Holder(None) else 'not shown'}"] += 1

    def _compare(self) -> list[Event]:
        """Check that the same happened at `known` and at `blind`, and that every seat's completed view equals
        its view of `known`. Return the events at `known`."""
        self.met.update(type(event).__name__ for event in self.known.events)
        assert list(map(blind_event, self.known.events)) == self.blind.events
        assert blinded(self.known.state) == self.blind.state
        check_state(self.blind.state)
        for seat in self.seats:
            seat.hear(self.blind.events, self.known.events)
            own = decode_state(encode_state(view(self.blind.state, seat.seat)))
            check_state(own, seat.checked)
            seat.checked = own
            assert seat.told == own
            assert seat.view == with_picks(own, seat.seat, own_picks(self.known.state, seat.seat))
            assert seat.view.but(draft="sealed") == view(self.known.state, seat.seat)
        return self.known.events
