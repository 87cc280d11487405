"""The table at work: how a move becomes events, and how play goes on from one decision to the next.

`decide`, `advance` and `evolve` are the engine's doors. Inside, a `Table` holds a state of its own; rules emit
events to it, which are applied at once, so that what comes next sees what has happened.
"""

from collections.abc import Sequence
from typing import Any

from . import rounds, turns
from .actions import Action
from .chance import Chance
from .choices import Choice
from .cities import complete
from .events import CardsGained, Completed, Destroyed, Event, GoldGained, PutUnder
from .registry import STEPS
from .rules import IllegalMove, Rule
from .state import State


class Table:
    """A state being played on. `events` are those emitted so far."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Let an event happen."""
        event.apply(self.state)
        self.state.tick += 1
        self.events.append(event)

    def play(self, seat: int, action: Action, unsealed: str | None = None) -> None:
        """Make a move and go on to the next decision; see `decide`."""
        rule = rule_for(self.state, seat, action)
        if unsealed is not None:
            rule.unseal(self, seat, action, unsealed)
        refusal = rule.refusal(self.state, seat, action)
        if refusal is not None:
            raise refusal
        if rule.once:
            turns.spend(self, rule.once)
        rule.perform(self, seat, action)
        rounds.proceed(self)

    def top(self, count: int) -> tuple[str, ...]:
        """The top cards of the deck, top first; fewer where the deck ends (R053)."""
        deck = self.state.deck
        return tuple(deck[: -count - 1 : -1]) if count else ()

    def gain_cards(self, seat: int, count: int, why: str) -> None:
        """`seat` gains the top cards of the deck."""
        cards = self.top(count)
        if cards:
            self.emit(CardsGained(seat, cards, why))

    def gain_gold(self, seat: int, gold: int, why: str) -> None:
        """`seat` gains gold from the bank."""
        if gold:
            self.emit(GoldGained(seat, gold, why))

    def destroy(self, owner: int, index: int, why: str) -> None:
        """A district leaves a city for the bottom of the deck (R048), the Museum's cards with it (R213)."""
        district = self.state.players[owner].city[index]
        under = self.mixed([card for _, card in district.under], "museum")
        self.emit(Destroyed(owner, index, district.key, under, why))
        self.emit(PutUnder((district.key, *under)))

    def put_under(self, cards: Sequence[str], what: str) -> None:
        """Cards that have just left a hand go under the deck, in an order that nobody knows (R036)."""
        if cards:
            self.emit(PutUnder(self.mixed(cards, what)))

    def mixed(self, cards: Sequence[str], what: str) -> tuple[str, ...]:
        """Cards in the random order in which they go under the deck together (R036)."""
        if len(cards) < 2:
            return tuple(cards)
        return tuple(self.chance.shuffle(self.label(what), cards))

    def label(self, what: str) -> str:
        """A label for chance that no other request of the game has."""
        return f"{what}/{self.state.round}/{self.state.tick}"

    def check_completed(self, *seats: int) -> None:
        """Note the cities that have just become complete (R323)."""
        for seat in seats:
            if not self.state.players[seat].completed and complete(self.state, seat):
                self.emit(Completed(seat))


def rule_for(state: State, seat: int, action: Action) -> Rule[Any]:
    """The rule that an action of `seat` falls under now; IllegalMove where it is out of place."""
    if state.steps:
        step = state.steps[-1]
        rule = STEPS[step.verb]
        if step.seat != seat:
            raise IllegalMove("not_your_turn")
        if type(action) is not rule.action:
            raise IllegalMove("answer_first", verb=step.verb)
        return rule
    if state.turn is None or state.turn.seat != seat:
        raise IllegalMove("game_over" if state.phase == "over" else "not_your_turn")
    return turns.rule_for(state, state.turn, action)


def decisions(state: State) -> dict[int, Sequence[Choice]]:
    """Who must decide now, and everything they may choose. Empty while the table itself must go on.

    In a view the choices of other seats are left empty: they depend on what only those seats know.
    """
    if state.steps:
        step = state.steps[-1]
        return {step.seat: STEPS[step.verb].choices(state, step.seat) if state.knows(step.seat) else ()}
    if state.turn is not None:
        seat = state.turn.seat
        return {seat: turns.choices(state, state.turn) if state.knows(seat) else ()}
    return {}


def refusal(state: State, seat: int, action: Action) -> IllegalMove | None:
    """Why a move would be refused, or None where it is legal. A client may ask its own view."""
    try:
        return rule_for(state, seat, action).refusal(state, seat, action)
    except IllegalMove as reason:
        return reason


def decide(state: State, seat: int, action: Action, chance: Chance, unsealed: str | None = None) -> list[Event]:
    """What comes of a move, up to the next decision. Raises IllegalMove; changes nothing.

    At a sealed table a `confiscate yes` or `reveal yes` breaks a seal: `unsealed` is the character that has the
    marker that counts, and whoever calls has checked the proof of it.
    """
    table = Table(state.copy(), chance)
    table.play(seat, action, unsealed)
    return table.events


def advance(state: State, chance: Chance) -> list[Event]:
    """What the table does by itself before the game and between rounds: deals, begins a round. Empty at any
    other time."""
    table = Table(state.copy(), chance)
    rounds.advance(table)
    return table.events


def evolve(state: State, event: Event) -> State:
    """The state after an event; `state` itself stays as it is. The same for a full state and for a view."""
    after = state.copy()
    event.apply(after)
    after.tick += 1
    return after


def redact(event: Event, viewer: int | None) -> Event:
    """An event as `viewer` (a seat, None for a spectator) is told it."""
    return event.redact(viewer)
