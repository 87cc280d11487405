"""The interface of bots, and how they receive events."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from citadels_lan.engine import Action, Choice, Event, State, evolve


class Policy(Protocol):
    """Chooses the moves of a seat. It receives only what the seat may know."""

    ignores_view: bool
    """The policy never uses the view, so the caller need not make one."""
    ignores_events: bool
    """The policy ignores events, so the caller need not pass them."""

    def told(self, view: State, event: Event) -> None:
        """Receive an event as the seat may know it, with the seat's view before it. A policy receives all
        events in order, from the moment it plays for the seat."""

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """Return one of the choices, of which there is at least one. For a Deal, return one of its actions."""


def tell(policy: Policy, view: State, events: Iterable[Event]) -> State:
    """Pass events to a policy, as the seat with this `view` may know them. Return the view after them."""
    for event in events:
        policy.told(view, event)
        view = evolve(view, event)
    return view


class Forgetful:
    """A policy that uses only the present view."""

    ignores_events = True

    def told(self, view: State, event: Event) -> None:
        """Do nothing."""
