"""The interface of bots, and how they receive events."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from citadels_lan.engine import Action, Choice, Event, State, evolve


class Policy(Protocol):
    """Chooses the moves of a seat. It receives only what the seat may know."""

    ignores_view: bool
    """Whether the policy never uses the view, so that the caller need not make one."""
    ignores_events: bool
    """Whether the policy ignores events, so that the caller need not call `told`."""

    def told(self, view: State, event: Event) -> None:
        """Receive an event as the policy's seat may know it, with the seat's view before the event. A policy
        receives all events in order, from the moment at which it begins to play for the seat."""

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """Return one of `choices`, which is not empty. If it is a Deal, return one of its actions instead."""


def tell(policy: Policy, view: State, events: Iterable[Event]) -> State:
    """Pass `events` to a policy. `view` is the view of its seat before them, and the events are as this seat
    may know them. Return the view after them."""
    for event in events:
        policy.told(view, event)
        view = evolve(view, event)
    return view


class Forgetful:
    """Base of policies that use only the present view and ignore events."""

    ignores_events = True

    def told(self, view: State, event: Event) -> None:
        """Do nothing."""
