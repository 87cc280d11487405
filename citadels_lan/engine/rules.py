"""The base class of rules, and the error for rejected moves."""

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from citadels_lan.engine.action import Action, OfAnswer

from .choices import Choice
from .state import State
from .table import Table

A = TypeVar("A", bound=Action)


class IllegalMove(Exception):
    """A move that the rules reject. `code` names the reason for the translations, and `details` has numbers
    and names for the text. Both contain no secrets of other seats."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def __str__(self) -> str:
        parts = " ".join(f"{name}={value}" for name, value in self.details.items())
        return f"{self.code} ({parts})" if parts else self.code


class Rule(Generic[A]):
    """When one kind of action is legal, and what it does.

    `choices` lists every legal action. `refusal` returns None for a legal action and the reason for any
    other. `perform` makes a legal action. `choices` and `refusal` use only what the seat may know, so a
    client's view gives the same results as the host's state.

    The turn applies these fields. `once`: the name of an ability that can be used once per turn. `bound`: the
    rule also applies while only gathering is allowed. `closing`: it still applies after an ability that ends
    the turn. `last`: its ability ends the turn; it is used after gathering and needs `once`. `early`, `late`:
    False if the rule never has choices before, or after, gathering.
    """

    action: ClassVar[type[Action]]
    once: str = ""
    bound: bool = False
    closing: bool = False
    early: bool = True
    late: bool = True
    last: bool = False

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        """Return every legal action of `seat`, or deals that stand for them."""
        raise NotImplementedError

    def refusal(self, state: State, seat: int, action: A) -> IllegalMove | None:
        """Return why the action is rejected, or None if it is legal."""
        raise NotImplementedError

    def unseal(self, table: Table, seat: int, action: A, character: str) -> None:
        """Record the proof that `character` has the marker that counts among the sealed markers of `seat`.
        Raises IllegalMove if `action` does not need this proof."""
        raise IllegalMove("nothing_sealed")

    def perform(self, table: Table, seat: int, action: A) -> None:
        """Emit the events of a legal action."""
        raise NotImplementedError


class SingleRule(Rule[A]):
    """Base of rules with a single possible action, which has no parameters."""

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        action: Any = self.action()
        return () if self.refusal(state, seat, action) else (action,)


class AnswerRule(Rule[OfAnswer]):
    """Base of rules for yes-or-no answers. Both answers are legal unless `refusal` rejects one."""

    action: ClassVar[type[OfAnswer]]

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        answers = (self.action(yes=True), self.action(yes=False))
        return [answer for answer in answers if self.refusal(state, seat, answer) is None]

    def refusal(self, state: State, seat: int, action: OfAnswer) -> IllegalMove | None:
        return None
