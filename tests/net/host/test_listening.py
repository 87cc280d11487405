"""Where a host listens."""

import pytest

from citadels_lan.net.host.listening import listen

HERE = "127.0.0.1"


def test_a_port_that_is_taken_is_an_error_of_the_system() -> None:
    (taken,) = listen(HERE, 0)
    with taken, pytest.raises(OSError, match="in use"):
        listen(HERE, taken.getsockname()[1])
