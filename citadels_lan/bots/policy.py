"""What a bot is, and how it is told what happens."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from citadels_lan.engine import Event, evolve
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State


class Policy(Protocol):
    """Chooses a seat's moves. It is shown what the seat may know and nothing else."""

    @property
    def blind(self) -> bool:
        """Never looks at the view, so that whoever asks need not make one."""
        ...

    @property
    def deaf(self) -> bool:
        """Makes nothing of what happens, so that whoever asks need not tell it."""
        ...

    def told(self, view: State, event: Event) -> None:
        """An event as the seat is told it, and the view that the seat had before it. All of them, in order, from
        the moment on from which somebody plays for the seat."""
        ...

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """One of the choices, of which there is at least one."""
        ...


def tell(policy: Policy, view: State, events: Iterable[Event]) -> State:
    """Tell of events, as the seat whose `view` it is may know them; the view after them."""
    for event in events:
        policy.told(view, event)
        view = evolve(view, event)
    return view


class Forgetful:
    """Lives in the moment: what the view shows is enough."""

    deaf = True

    def told(self, view: State, event: Event) -> None:
        """Nothing is made of it."""
