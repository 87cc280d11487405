"""One game at an open table, at one with a sealed draft that knows the picks, and at the host's, which does not.
And two worlds that differ in picks alone."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeVar

from msgspec.structs import replace

from citadels_lan.crypto.packing import pack
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
    decide,
    decisions,
    decode_event,
    decode_state,
    edition_of,
    encode_event,
    encode_state,
    evolve,
    expand,
    go_on,
    new_table,
    play_move,
    redact,
    refusal,
    view,
)
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Kill, Pick, Theater
from citadels_lan.engine.choices import Answer, Holder, LaidOut
from citadels_lan.engine.events import (
    CharactersSwapped,
    Inquired,
    InquiryAnswered,
    Offered,
    Picked,
    Placed,
    RoundBegan,
    SetAside,
    Unsealed,
)
from citadels_lan.engine.flow.sealed import OwnPicks, asks_own, with_picks
from citadels_lan.engine.state import SECRET_MARKS, is_killed
from tests.engine.checks import plain_choices
from tests.engine.interference import character_slots
from tests.engine.sealed.sealing import seal, shown_with
from tests.engine.tables import Tables
from tests.facts import known_table
from tests.play.dice import Dice, LabelChance, patient, some

T = TypeVar("T")
DRAFTING: Final = ("2016", "classic", "dark_city")
OF_SEATS: Final = ("chars/", "back/", "third/", "theater/")
"""The chance that the seats make, each its own."""
WAITING: Final = (Inquired, InquiryAnswered)
"""What happens at a table that waits for answers, and at no other."""
SECRET: Final = (RoundBegan, Offered, Picked, SetAside, CharactersSwapped, Inquired)
"""The events that name characters not shown."""


def as_blind(action: Action) -> Action:
    """An action as a blind table plays it."""
    match action:
        case Pick():
            return Pick(HIDDEN, action.discarding and HIDDEN)
        case Theater():
            return Theater(action.seat, action.giving and HIDDEN)
    return action


def blind_event(event: Event) -> Event:
    """An event as it happens at a blind table."""
    return event.redact(None) if isinstance(event, SECRET) else event


class DraftChance:
    """The same outcomes for the draft whenever they are asked, and for all else in turn; a `blind` table asks for
    none of the draft."""

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
    """A table that knows the picks as the host has it."""
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
    """What a table shows beside the fact that it is sealed."""
    seen = state.copy()
    seen.sealed, seen.draft, seen.inquiry, seen.tick = False, "open", None, 0
    seen.marks = [mark.but(character=HIDDEN) if mark.kind in SECRET_MARKS else mark for mark in seen.marks]
    return seen


def told_by(events: Sequence[Event]) -> Answer | None:
    """What the seats have said, as it has become known."""
    for event in events:
        if isinstance(event, RoundBegan):
            return LaidOut(event.faceup)
        if isinstance(event, InquiryAnswered):
            return Holder(event.seat)
    return None


def without_star(event: Event) -> Event:
    """An event as it happens where markers are sealed."""
    return event.but(chosen=HIDDEN) if isinstance(event, Placed) else event


def in_question(public: State) -> tuple[int, ...]:
    """Who may have what is asked for, by what everybody sees."""
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
    """What is asked for: a deal, somebody at a call, somebody killed who is called, or shows it late."""
    assert state.inquiry is not None
    what, character = state.inquiry.what, state.inquiry.character
    return "killed" if what == "call" and character and is_killed(state, character) else what


class Seat:
    """A seat at a blind table: what it is told, and the same with what it knows by itself."""

    def __init__(self, seat: int, blind: State) -> None:
        self.seat = seat
        self.told = self.view = view(blind, seat)
        self.checked: State | None = None

    def hear(self, events: Sequence[Event], truths: Sequence[Event]) -> None:
        """Events as the host tells them; `truths` have what only this seat knows of them."""
        heard: list[Event] = []
        for event, truth in zip(events, truths, strict=True):
            told = decode_event(encode_event(redact(event, self.seat)))
            check_event(self.told, told)
            self.told = evolve(self.told, told)
            heard.append(redact(truth, self.seat) if asks_own(told, self.seat) else told)
        self.view = evolve(self.view, *heard)


def own_picks(known: State, seat: int) -> OwnPicks:
    """What a seat knows by itself."""
    player = view(known, seat).players[seat]
    return OwnPicks(tuple(player.seen), tuple(player.concealed), tuple(player.laid))


class ThreeTables:
    """One game at three tables: with an open draft; sealed, with the picks known; and blind, as the host's."""

    def __init__(self, config: TableConfig, seed: int, standing: str = "") -> None:
        """`standing`: a district that stands in the first city from the beginning."""
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
        """A move at all tables, or what they do by themselves; all that must hold of what comes of it."""
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
        played = [event for event in happened if not isinstance(event, (*WAITING, Unsealed))]
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
        """Mostly those that matter to whoever holds a character unseen."""
        ranks = edition_of(self.open.state).ranks
        telling = [
            choice
            for choice in choices
            if (isinstance(choice, Theater) and choice.seat is not None)
            or (isinstance(choice, Kill) and ranks[choice.character] == 4)
        ]
        return telling if telling and self.rng.random() < 0.7 else choices

    def _answer(self) -> None:
        """The answers that the table waits for."""
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
        """What happened at the table that knows the picks is what happened at the blind one, and every seat's own
        view is what an open table would show it."""
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


def swapped_picks(state: State, rng: random.Random) -> State:
    """The same table with characters exchanged that are not shown, wherever they lie."""
    other = state.copy()
    steps = [list(step.cards) for step in other.steps]
    slots = character_slots(other, None, steps)
    for _ in range(rng.randint(1, 4) if len(slots) > 1 else 0):
        (here, i), (there, j) = rng.sample(slots, 2)
        here[i], there[j] = there[j], here[i]
    other.steps = [step.but(cards=tuple(cards)) for step, cards in zip(other.steps, steps, strict=True)]
    return other


def counterpart(state: State, seat: int, action: Action) -> Action | None:
    """A move of the other table that is the same to the host."""
    if as_blind(action) == action:
        return action if refusal(state, seat, action) is None else None
    found = [choice for choice in expand(decisions(state)[seat]) if as_blind(choice) == as_blind(action)]
    return action if action in found else found[0]


class TwoWorlds:
    """Two tables that differ only in picks, and play on with the same moves."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        config = Tables(DRAFTING, draft="sealed").draw(self.rng)
        self.state, self.chance = new_table(config), LabelChance(seed)
        self.differed = 0
        for _ in range(self.rng.randrange(80)):
            self._step(None)

    def _step(self, other: State | None) -> State | None:
        """A step at both tables; the other one, as long as the host cannot tell them apart."""
        asked = decisions(self.state)
        if asked:
            ((seat, choices),) = asked.items()
            action = some(self.rng, self.rng.choice(choices))
            ours = decide(self.state, seat, action, self.chance)
            theirs_action = counterpart(other, seat, action) if other is not None else None
            theirs = decide(other, seat, theirs_action, self.chance) if other and theirs_action else None
        else:
            ours = advance(self.state, self.chance)
            theirs = advance(other, self.chance) if other is not None else None
        self.state = evolve(self.state, *ours)
        if other is None or theirs is None:
            return None
        for one, two in zip(ours, theirs, strict=False):
            if to_host(one) != to_host(two):
                assert isinstance(one, InquiryAnswered)
                assert isinstance(two, InquiryAnswered)
                self.differed += 1
                return None
        assert len(ours) == len(theirs)
        return evolve(other, *theirs)

    def play(self) -> int:
        """The rest of the game, each time with other picks; how often they came out, each time at a call."""
        other: State | None = None
        while self.state.phase != "over":
            if other is None and not decisions(self.state) and self.state.inquiry is None:
                self._step(None)
                continue
            if other is None or other == self.state:
                other = swapped_picks(self.state, self.rng)
            other = self._step(other)
            assert other is None or blinded(other) == blinded(self.state)
        return self.differed


def to_host(event: Event) -> bytes:
    """The bytes of an event as the host has it."""
    return pack(encode_event(blind_event(event)))
