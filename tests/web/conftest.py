"""Without the extra `web` nothing here can run."""

import pytest

pytest.importorskip("aiohttp", reason="the extra `web` is not installed")
