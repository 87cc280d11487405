"""Who plays the games: this process, several, or machines that a Dask scheduler knows."""

import contextlib
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from typing import Any, Final, ParamSpec, Self, TypeVar

from citadels_lan import __version__
from citadels_lan.systems.process import end_with_parent, ignore_ctrl_c, kill_children

P = ParamSpec("P")
T = TypeVar("T")

ANSWERS: Final = 10
"""Seconds in which a scheduler has to answer."""
AHEAD: Final = 3
"""So many tasks for each worker are under way, lest one waits for the next."""


class OtherVersion(Exception):
    """A worker has another version of this program; the message says which."""


class WorkersLost(Exception):
    """Those who played are gone."""


class InThisProcess(Executor):
    """Does everything at once."""

    def submit(self, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(work(*arguments, **named))
        except Exception as failure:
            done.set_exception(failure)
        return done


class Workers:
    """An executor, how many tasks are under way at once (`ahead`), and what it raises once it is `lost`. When it
    is left, all of them end."""

    def __init__(self, executor: Executor, ahead: int = 1, lost: tuple[type[BaseException], ...] = ()) -> None:
        self._executor = executor
        self.ahead = ahead
        self._lost: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError, *lost)

    @classmethod
    def here(cls, jobs: int = 1) -> Self:
        """This process, or so many of its own."""
        if jobs == 1:
            return cls(InThisProcess())
        return cls(ProcessPoolExecutor(jobs, initializer=_begin), AHEAD * jobs)

    @classmethod
    def dask(cls, address: str) -> Self:
        """The workers of a Dask scheduler. Raises ImportError without the extra; OSError where nobody answers or
        nobody works; OtherVersion."""
        from distributed import Client, KilledWorker

        client = Client(address, timeout=ANSWERS, set_as_default=False)
        try:
            client.wait_for_workers(1, timeout=ANSWERS)
            _check_versions(client.run(_version))
            threads = sum(client.nthreads().values())
        except BaseException:
            client.close()
            raise
        return cls(_DaskExecutor(client), AHEAD * threads, (KilledWorker, OSError))

    def submit(self, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Callable[[], T]:
        """Have work done; what is returned waits for it. Both raise WorkersLost."""
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
        self._executor.shutdown(wait=False, cancel_futures=True)
        if isinstance(self._executor, ProcessPoolExecutor):
            kill_children()


class _DaskExecutor(Executor):
    """A client's own executor, which closes the client with itself. The same call twice is two tasks."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)

    def submit(self, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Future[T]:
        future: Future[T] = self._executor.submit(work, *arguments, **named)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with contextlib.suppress(Exception):  # what is lost already cannot be cancelled
            self._executor.shutdown(wait=wait)
        self._client.close()


def _begin() -> None:
    end_with_parent()
    ignore_ctrl_c()


def _check_versions(versions: Mapping[str, str]) -> None:
    for worker, version in versions.items():
        if version != __version__:
            raise OtherVersion(f"{worker}: {version}")


def _version() -> str:
    return __version__
