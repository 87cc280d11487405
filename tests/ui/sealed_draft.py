"""A session of seat 0 at a table with a sealed draft. Its view contains its own characters, because its
program knows them; it contains characters of other seats only after they were called."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from citadels_lan.engine import TableConfig, decisions
from citadels_lan.engine.state import Inquiry

from .fake import FakeSession

Stop = Callable[[Inquiry], bool]


def never(_: Inquiry) -> bool:
    """A `stop` function for `SealedSession`: the seats answer every inquiry at once."""
    return False


def always(_: Inquiry) -> bool:
    """A `stop` function for `SealedSession`: the table waits at every inquiry."""
    return True


class SealedSession(FakeSession):
    """The session of seat 0. At each inquiry for which `stop` returns True, the table waits until `go_on` is
    called. It also waits for picks of the seats in `slow`. `handing` are seats that must pass on a character
    before the first pick."""

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
        """Make a legal move of seat 0, then continue the game."""
        self._move(0, self.sampled())
        self._run()

    def go_on(self) -> None:
        """Let the seats answer the inquiry, then continue the game."""
        self._happen(*self.play.step(lambda _, choices: self._sample(choices)[0]))
        self._run()
