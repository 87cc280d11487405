"""A session of seat 0 at a table with a sealed draft: its view has its own characters, as its program adds
them, and those of others only once they are called."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from citadels_lan.engine import TableConfig, decisions
from citadels_lan.engine.state import Inquiry

from .fake import FakeSession

Stop = Callable[[Inquiry], bool]


def never(_: Inquiry) -> bool:
    """Never wait: the seats answer every inquiry at once."""
    return False


def always(_: Inquiry) -> bool:
    """Wait at every inquiry."""
    return True


class SealedSession(FakeSession):
    """Waits at each inquiry for which `stop` returns True, until `go_on`, and for picks of seats in `slow`.
    `handing` are seats that must pass on a character before any pick."""

    def __init__(
        self, config: TableConfig, seed: int = 1, *, stop: Stop = never, slow: Sequence[int] = ()
    ) -> None:
        self._stop, self._slow = stop, slow
        self.handing: Sequence[int] = ()
        super().__init__(seed=seed, config=replace(config, draft="sealed"))

    def held_up(self) -> bool:
        if self.state is not None:
            self.state.draft = self.beginning.draft = "blind"
        inquiry = self.full_state.inquiry
        if inquiry is not None:
            return self._stop(inquiry)
        step = self.full_state.steps[-1] if self.full_state.steps else None
        return step is not None and step.verb == "pick" and step.seat in self._slow

    @property
    def waiting(self) -> Sequence[int]:
        inquiry = self.full_state.inquiry
        if inquiry is not None:
            return inquiry.seats
        return self.handing or tuple(decisions(self.full_state))

    def move(self) -> None:
        """Make any legal move of the person, then continue the game."""
        self._move(0, self.sampled())
        self._run()

    def go_on(self) -> None:
        """Let the seats answer the inquiry, then continue the game."""
        self._happen(*self.play.step(lambda _, choices: self._sample(choices)[0]))
        self._run()
