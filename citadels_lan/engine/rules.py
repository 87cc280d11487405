"""What a rule is, and what the rules refuse.

A `Rule` belongs to one kind of action: it lists the legal ones, says why others are refused, and performs them.
"""

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from .action import Action, OfAnswer
from .choices import Choice
from .state import State
from .table import Table

A = TypeVar("A", bound=Action)


class IllegalMove(Exception):
    """A move that the rules refuse. `code` names the reason for the translations, `details` its numbers and
    names; nothing of another seat's secrets is in them."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def __str__(self) -> str:
        parts = " ".join(f"{name}={value}" for name, value in self.details.items())
        return f"{self.code} ({parts})" if parts else self.code


class Rule(Generic[A]):
    """When one kind of action is legal, and what it does.

    `choices` lists every legal action, `refusal` is None for exactly these and says why for any other, `perform`
    runs a legal one. The first two see nothing that the seat may not know, so a client's view answers them as
    the host does. `once` names an ability that is spent by use: the turn sees to that. `bound` is a rule of every
    turn that holds also while only gathering is allowed. `last` belongs to the end of a turn: it waits for the
    gathering, and after it nothing is left but the rules of every turn that are `closing`. The turn sees to that,
    too; such an ability has its `once`. A rule of every turn that has no choices before the gathering, or none
    after it, may say so with `early` or `late`: it is then not asked for them.
    """

    action: ClassVar[type[Action]]
    once: str = ""
    bound: bool = False
    closing: bool = False
    early: bool = True
    late: bool = True
    last: bool = False

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        raise NotImplementedError

    def refusal(self, state: State, seat: int, action: A) -> IllegalMove | None:
        raise NotImplementedError

    def unseal(self, table: Table, seat: int, action: A, character: str) -> None:
        """The owner of sealed markers shows that `character` has the one that counts. IllegalMove where this
        action breaks no seal."""
        raise IllegalMove("nothing_sealed")

    def perform(self, table: Table, seat: int, action: A) -> None:
        raise NotImplementedError


class AnswerRule(Rule[OfAnswer]):
    """Yes or no, where nothing else forbids one of them."""

    action: ClassVar[type[OfAnswer]]

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        answers = (self.action(yes=True), self.action(yes=False))
        return [answer for answer in answers if self.refusal(state, seat, answer) is None]

    def refusal(self, state: State, seat: int, action: OfAnswer) -> IllegalMove | None:
        return None
