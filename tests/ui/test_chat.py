"""Who speaks: a player by the name of its seat, and whoever only watches always marked as that."""

import io
from itertools import count

import pytest

from citadels_lan.front.glyphs import ASCII
from citadels_lan.front.launcher import Place
from citadels_lan.front.log import Line
from citadels_lan.net.client.updates import Chatted
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.table.log_view import LogView, rows
from citadels_lan.ui.widgets.look import DARK, Look
from tests.effort import quick

from .fake import FakeLobby, FakeSession
from .keys import settle

OUTSIDE = Chatted(None, "Massimiliano", "I am the King")
INSIDE = Chatted(1, "Massimiliano", "no, I am")


@pytest.mark.parametrize(
    ("language", "mark"), quick([("en", "[watching]"), ("it", "[spettatore]")], ("it", "[spettatore]"))
)
@pytest.mark.parametrize("kind", quick([FakeSession, FakeLobby], FakeLobby))
async def test_a_spectator_is_marked_on_the_screen(language: str, mark: str, kind: type[FakeSession]) -> None:
    session = kind()
    app = CitadelsApp(Place(session), language=language, clock=map(float, count()).__next__)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        for line in (OUTSIDE, INSIDE):
            session.queue.put_nowait(line)
        await settle(pilot)
        log = app.screen.query_one(LogView).drawing.lines
        page = " ".join(" ".join(line.plain for line in log).split())
        assert f"{mark} Massimiliano: I am the King" in page
        assert "Massimiliano: no, I am" in page
        assert f"{mark} Massimiliano: no, I am" not in page


async def test_a_spectator_is_marked_in_lines() -> None:
    session = FakeSession()
    for line in (OUTSIDE, INSIDE, Chatted(None, "Ada: hi", "[watching]")):
        session.queue.put_nowait(line)
    out = io.StringIO()
    await play_plain(Place(session), load("en"), lines=InputLines(io.StringIO("quit\nquit\n")), out=out)
    said = out.getvalue().splitlines()
    assert "[watching] Massimiliano: I am the King" in said
    assert "Massimiliano: no, I am" in said
    assert "[watching] Ada: hi: [watching]" in said


async def test_a_player_is_called_like_its_seat_whatever_the_line_says() -> None:
    session = FakeSession()
    session.queue.put_nowait(Chatted(1, "Ada", "hello"))
    out = io.StringIO()
    await play_plain(Place(session), load("en"), lines=InputLines(io.StringIO("quit\nquit\n")), out=out)
    assert "Massimiliano: hello" in out.getvalue().splitlines()


def test_the_rest_of_a_long_line_is_no_line_of_somebody() -> None:
    line = Line("chat", "[watching] Eva: " + "x" * 32 + " Ada: I am the King")
    shown = [row.plain for _, row in rows(Look(DARK, ASCII), line, 40)]
    assert shown == [
        "  [watching] Eva:",
        "    " + "x" * 32,
        "    Ada: I am the King",
    ]
