"""What many viewers compute from the same bytes is computed once: who checks a signature again gets the same
answer. Every viewer at a table in memory, the host, and whoever verifies a game check the same ones.
"""

import contextlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import Final
from unittest import mock

from citadels_lan.crypto import audit, beacons, host_log, identity, transcript
from citadels_lan.crypto import signed_head as heard

CHECKING: Final[tuple[tuple[ModuleType, str], ...]] = (
    (audit, "verify"),
    (beacons, "verify"),
    (heard, "verify"),
    (host_log, "verify"),
    (transcript, "verify_signature"),
)
MOST: Final = 100_000

verify: Final[Callable[..., bool]] = lru_cache(MOST)(identity.verify)
hashed: Final[Callable[..., bytes]] = lru_cache(MOST)(beacons.hashed)


@contextlib.contextmanager
def once() -> Iterator[None]:
    """Within this context signatures, and links of beacons, are remembered."""
    with contextlib.ExitStack() as stack:
        for module, name in CHECKING:
            stack.enter_context(mock.patch.object(module, name, verify))
        stack.enter_context(mock.patch.object(beacons, "hashed", hashed))
        yield
