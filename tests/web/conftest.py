"""Skips the tests of this folder if the extra `web` is not installed."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

pytest.importorskip("aiohttp", reason="the extra `web` is not installed")

from .chromium import Browser, browser
from .hosting import WebHost, web_host


@pytest.fixture
def host(tmp_path: Path) -> Iterator[WebHost]:
    with web_host(tmp_path / "host", "--players=4", "--bots=random,random") as one:
        yield one


@pytest.fixture
async def chromium(tmp_path: Path) -> AsyncIterator[Browser]:
    async with browser(tmp_path / "browser") as one:
        yield one
