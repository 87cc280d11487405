"""The base class of rules, and the error for rejected moves."""

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from citadels_lan.engine.action import Action, OfAnswer

from .choices import Choice
from .state import State
from .table import Table

A = TypeVar("A", bound=Action)


class IllegalMove(Exception):
    """A move that the rules reject. `code` names the reason for the translations, and `details` has its
    numbers and names. They contain no secrets of other seats."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def __str__(self) -> str:
        parts = " ".join(f"{name}={value}" for name, value in self.details.items())
        return f"{self.code} ({parts})" if parts else self.code


class Rule(Generic[A]):
    """When one kind of action is legal, and what it does.

    `choices` lists every legal action. `refusal` returns None for these and the reason for any other action.
    `perform` plays a legal action. `choices` and `refusal` use only what the seat may know, so a client's view
    gives the same answers as the host.

    The turn applies these fields. `once` names an ability that can be used once per turn. `bound`: the rule
    also holds while only gathering is allowed. `last`: the ability is used after gathering, and then only
    `closing` rules remain; it needs `once`. `early` and `late` are False for a rule of every turn that has no
    choices before, or after, gathering.
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
        """Record that the owner of sealed markers has proved which `character` has the one that counts. Raises
        IllegalMove if this action opens no commitment."""
        raise IllegalMove("nothing_sealed")

    def perform(self, table: Table, seat: int, action: A) -> None:
        """Emit the events of a legal action."""
        raise NotImplementedError


class SingleRule(Rule[A]):
    """Base of rules whose only action names nothing."""

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        action: Any = self.action()
        return () if self.refusal(state, seat, action) else (action,)


class AnswerRule(Rule[OfAnswer]):
    """A yes-or-no answer. Both are legal unless `refusal` rejects one."""

    action: ClassVar[type[OfAnswer]]

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        answers = (self.action(yes=True), self.action(yes=False))
        return [answer for answer in answers if self.refusal(state, seat, answer) is None]

    def refusal(self, state: State, seat: int, action: OfAnswer) -> IllegalMove | None:
        return None
