"""What a program keeps of its memory: what is loaded stays, what nobody needs goes back to the system."""

import contextlib
import ctypes
import gc
from functools import cache
from typing import Any


@cache
def keep_loaded() -> None:
    """What is loaded by now stays: Python does not look through it any more for what nobody needs, which stops a
    program for 25 milliseconds or more. Done once, for whatever is there is never given back."""
    gc.freeze()


def give_back() -> bool:
    """Give the memory that is free back to the system, where the C library can do that (glibc); whether it can.
    Otherwise what a crowd has needed stays with the program. Takes about a fifth of a millisecond."""
    trim = _trim()
    if trim is not None:
        trim(0)
    return trim is not None


def limit_memory(pid: int, most: int) -> None:
    """Limit the private memory of a process and its children to `most` bytes, without mapped files (Linux). A
    process that needs more ends with an error."""
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        resource.prlimit(pid, resource.RLIMIT_DATA, (most, most))


@cache
def _trim() -> Any:
    """The C library's function for that; None where there is none."""
    with contextlib.suppress(AttributeError, OSError, TypeError):  # TypeError: Windows has no library of that kind
        return ctypes.CDLL(None).malloc_trim
    return None
