"""What is told of players who are gone, and what the person at the host can do."""

import pytest

from citadels_lan.front.table_session import BackAgain, PauseChanged, StoodIn
from citadels_lan.front.waiting.absence import WRITTEN, heed, replaceable, said, told
from citadels_lan.texts import load

from .fake import FakeSession


def waiting(away: int = 0) -> FakeSession:
    """A table that waits for seat 0, whose player may be gone."""
    session = FakeSession()
    session.away = (0,) if away else ()
    return session


def test_only_who_is_waited_for_and_gone_is_replaced() -> None:
    session = waiting(1)
    assert replaceable(session) == [0]
    session.stood_in = (0,)
    assert replaceable(session) == []
    assert replaceable(waiting()) == []


@pytest.mark.parametrize(
    ("line", "asked"),
    [("bot", ("", 0)), (" Skip ", ("skip", 0)), ("pause", ("pause", True)), ("go on", ("pause", False))],
)
async def test_what_the_host_says(line: str, asked: tuple[str, object]) -> None:
    session = waiting(1)
    assert await heed(session, line, hosting=True)
    assert session.asked == [asked]


async def test_a_guest_replaces_nobody() -> None:
    session = waiting(1)
    assert not await heed(session, "bot", hosting=False)
    assert not await heed(session, "build market", hosting=True)
    assert session.asked == []
    assert said(load("en"), session, hosting=False) == ""
    assert "bot" in said(load("en"), session, hosting=True)


def test_what_is_told() -> None:
    names = ["Ada", "Bruno"]
    texts = {
        update: told(update, 1, names).text  # type: ignore[union-attr]
        for update in (StoodIn(0, "random"), StoodIn(1, "random", own=True), BackAgain(1, 4), BackAgain(0, 4),
                       BackAgain(0, 4, disputes=True), PauseChanged(True, 0), PauseChanged(False, 0))
    }  # fmt: skip
    assert len(set(texts.values())) == len(texts)
    assert told(BackAgain(1, 0, disputes=True), 1, names).text == WRITTEN  # type: ignore[union-attr]
    assert told(PauseChanged(True, None), 1, names) is None


def test_what_is_said_goes_no_further_than_what_has_happened() -> None:
    """The log has the owner's word only once the host has written it."""
    asked = told(StoodIn(1, "random", own=True), 1, ["Ada", "Bruno"])
    assert asked is not None
    assert "has asked" in asked.text
    session = waiting()
    session.stood_in = (0,)
    assert "If it stays so" in said(load("en"), session, hosting=False)
    session.stood_in = ()
    assert said(load("en"), session, hosting=False) == ""
