"""Workers that play games: a thread, several processes, or machines of a Dask scheduler."""

from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Final, ParamSpec, Self, TypeVar

from citadels_lan import __version__
from citadels_lan.platform.process import end_with_parent, ignore_ctrl_c, kill_children

P = ParamSpec("P")
T = TypeVar("T")

ANSWERS: Final = 10
"""How long to wait for the answer of a Dask scheduler, in seconds."""
AHEAD: Final = 3
"""How many tasks are submitted for each worker at a time, so that no worker has to wait for a task."""


class OtherVersion(Exception):
    """A worker has another version of this program. The message contains the version."""


class WorkersLost(Exception):
    """The workers have ended or are not reachable."""


class Workers:
    """Workers that play the games of a match, behind one executor. Use it as a context manager: leaving it
    calls `close`.

    `ahead` is how many tasks are submitted before the first result is needed. `lost` are the errors that the
    executor raises if its workers are gone.
    """

    def __init__(
        self,
        executor: Executor,
        close: Callable[[], object],
        ahead: int = 1,
        lost: tuple[type[BaseException], ...] = (),
    ) -> None:
        self._executor = executor
        self._close = close
        self.ahead = ahead
        self._lost: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError, *lost)

    @classmethod
    def here(cls, jobs: int = 1) -> Self:
        """Return workers on this computer: one thread of this process, or `jobs` processes."""
        executor = ThreadPoolExecutor(1) if jobs == 1 else ProcessPoolExecutor(jobs, initializer=_begin)

        def close() -> None:
            executor.shutdown(wait=False, cancel_futures=True)
            if jobs > 1:
                kill_children()

        return cls(executor, close, 1 if jobs == 1 else AHEAD * jobs)

    @classmethod
    def dask(cls, address: str) -> Self:
        """Return the workers of a Dask scheduler.

        Raises ImportError if the extra `dask` is not installed, OSError if no scheduler with workers answers, and
        OtherVersion.
        """
        from distributed import Client, KilledWorker

        client = Client(address, timeout=ANSWERS, set_as_default=False)
        try:
            client.wait_for_workers(1, timeout=ANSWERS)
            _check_versions(client.run(_version))
            threads = sum(client.nthreads().values())
        except BaseException:
            client.close()
            raise
        # Not pure: the same call twice is two tasks.
        executor = client.get_executor(pure=False)
        return cls(executor, client.close, AHEAD * threads, (KilledWorker, OSError))

    def submit(self, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Callable[[], T]:
        """Let a worker call `work` with these arguments. Return a function that waits for the result and
        returns it. Both raise WorkersLost."""
        try:
            future = self._executor.submit(work, *arguments, **named)
        except self._lost as reason:
            raise WorkersLost from reason

        def result() -> T:
            try:
                return future.result()
            except self._lost as reason:
                raise WorkersLost from reason

        return result

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._close()


def _begin() -> None:
    end_with_parent()
    ignore_ctrl_c()


def _check_versions(versions: Mapping[str, str]) -> None:
    for worker, version in versions.items():
        if version != __version__:
            raise OtherVersion(f"{worker}: {version}")


def _version() -> str:
    return __version__
