"""Line mode for a web page: messages with a type, and answers with the number of their question."""

import asyncio
import io
import json
import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from citadels_lan.line_mode.page_table import MOST, PageTable
from citadels_lan.line_mode.streams import UNREAD, InputLines
from citadels_lan.line_mode.table import play_plain
from citadels_lan.net.client.updates import Chatted
from citadels_lan.presenter.launcher import Place
from citadels_lan.texts import load
from tests.effort import one_case, quick
from tests.ui.fake import NAMES, FakeLobby, FakeSession

OVER = "That choice is no longer possible."


class Typed(InputLines):
    """An input with messages that the test sends."""

    def __init__(self) -> None:
        self._queue = asyncio.Queue()
        self._room = threading.Semaphore()

    def type(self, line: str) -> None:
        self._queue.put_nowait(line)

    def send(self, kind: str, **values: object) -> None:
        self.type(json.dumps({"type": kind} | values))

    def end(self) -> None:
        self._queue.put_nowait(None)


class Page:
    """A web page that records the messages which it receives."""

    playing: asyncio.Task[int]

    def __init__(self, session: FakeSession) -> None:
        self.session = session
        self.out = io.StringIO()
        self.typed = Typed()
        self._read = 0
        self._messages: list[dict[str, Any]] = []

    def got(self, *types: str) -> list[dict[str, Any]]:
        """Return the received messages of these types."""
        self.out.seek(self._read)
        self._messages += map(json.loads, self.out.readlines())
        self._read = self.out.tell()
        return [message for message in self._messages if message["type"] in types]

    @property
    def question(self) -> dict[str, Any] | None:
        """The open question; None if there is none."""
        last = self.got("question", "closed")[-1:]
        return last[0] if last and last[0]["type"] == "question" else None

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(60):
            while not holds():  # noqa: ASYNC110 -- what the game prints
                await asyncio.sleep(0)

    async def asked(self, after: int = 0) -> dict[str, Any]:
        """Wait for a question with another number than `after`, and return it."""
        await self.until(lambda: self.question is not None and self.question["id"] != after)
        assert self.question is not None
        return self.question

    def notices(self) -> list[str]:
        return [message["text"] for message in self.got("notice")]


@asynccontextmanager
async def page(session: FakeSession) -> AsyncIterator[Page]:
    """Open a page for a game. At the end, the page leaves the game unless it is over."""
    guest = Page(session)
    guest.playing = asyncio.get_running_loop().create_task(  # kept: awaited below
        play_plain(Place(session), load("en"), lines=guest.typed, out=guest.out, table=PageTable)
    )
    yield guest
    guest.typed.end()
    assert await guest.playing == 0


class Waiting(FakeSession):
    """A session in which another player never makes the first move."""

    def held_up(self) -> bool:
        asked = self.play.asked()
        return asked is not None and asked[0] != 0


def choices(question: dict[str, Any]) -> list[int]:
    """Return the numbers of as many possible choices as the question requires."""
    numbers = [one["id"] for one in question["choices"] if one["id"]]
    return numbers[: question["least"] if question["ticking"] else 1]


@pytest.mark.parametrize("scenario", quick(["first_game", "random"], "first_game"))
async def test_whole_game_is_played_by_message_types_alone(scenario: str) -> None:
    session, answered = FakeSession(4, seed=1, scenario=scenario), 0
    async with page(session) as guest:
        while not guest.playing.done():
            await asyncio.sleep(0)
            question = guest.question
            if question is not None and question["id"] != answered:
                answered = question["id"]
                guest.typed.send("answer", question=answered, choices=choices(question))
    assert session.full_state.phase == "over"
    assert [message["stage"] for message in guest.got("stage")] == ["game", "over"]
    assert OVER not in guest.notices()
    assert any(message["kind"] == "round" for message in guest.got("text"))


async def test_board_message_contains_the_table_and_the_guests_cards() -> None:
    session = FakeSession(4, seed=1)
    async with page(session) as guest:
        await guest.asked()
        await guest.until(lambda: guest.got("board"))
        board, player = guest.got("board")[-1], session.full_state.players[0]
        assert sorted(card["key"] for card in board["hand"]) == sorted(player.hand)
        assert [seat["name"] for seat in board["seats"]] == list(NAMES[:4])
        assert [seat["you"] for seat in board["seats"]] == [True, False, False, False]
        assert [seat["cards"] for seat in board["seats"]] == [len(one.hand) for one in session.full_state.players]
        guest.typed.send("about", key=player.hand[0])
        guest.typed.send("about", key="no card")
        guest.typed.send("show", what="help")
        await guest.until(lambda: len(guest.got("view")) == 2)
        assert [view["what"] for view in guest.got("view")] == ["about", "help"]
        names = {card["key"]: card["name"] for card in board["hand"]}
        assert guest.got("view")[0]["lines"][0] == names[player.hand[0]]


async def test_end_of_the_guests_turn_is_marked_between_the_lines() -> None:
    session, answered = FakeSession(4, seed=1), 0
    async with page(session) as guest:
        while not (marks := guest.got("since")):
            await asyncio.sleep(0)
            question = guest.question
            if question is not None and question["id"] != answered:
                answered = question["id"]
                guest.typed.send("answer", question=answered, choices=choices(question))
        told = guest.got("text", "since")
        before, after = told[: told.index(marks[0])], told[told.index(marks[0]) + 1 :]
        assert any("Your turn" in one["text"] for one in before)
        assert not any("Your turn" in one["text"] for one in after if one["type"] == "text")


async def test_late_answer_does_not_answer_the_next_question() -> None:
    async with page(FakeSession(4, seed=1)) as guest:
        first = await guest.asked()
        guest.typed.send("answer", question=first["id"], choices=[1])
        second = await guest.asked(after=first["id"])
        guest.typed.send("answer", question=first["id"], choices=[1])
        guest.typed.send("line", text="1", question=first["id"])
        guest.typed.send("line", text="end", question=first["id"])
        guest.typed.send("line", text="1")
        await guest.until(lambda: len(guest.notices()) == 4)
        assert set(guest.notices()) == {OVER}
        assert guest.question == second
        assert len(guest.session.acted) == 1


async def test_page_can_request_views_chat_and_leave_out_of_turn() -> None:
    session = next(one for one in (Waiting(4, seed=seed) for seed in range(20)) if 0 not in one.waiting)
    async with page(session) as guest:
        await guest.until(lambda: any(message["kind"] == "round" for message in guest.got("text")))
        for what in ("keys", "cast", "log", "help"):
            guest.typed.send("show", what=what)
        await guest.until(lambda: len(guest.got("view")) == 4)
        assert all(message["lines"] for message in guest.got("view"))
        guest.typed.send("say", text="good luck")
        await guest.until(lambda: {"type": "text", "kind": "chat", "text": "Ada: good luck"} in guest.got("text"))
        guest.typed.send("answer", question=1, choices=[1])
        guest.typed.send("line", text="1", question=0)
        await guest.until(lambda: guest.notices() == [OVER, OVER])
        assert guest.got("question") == []
        guest.typed.send("leave")
        guest.typed.send("show", what="cast")
    assert len(guest.got("view")) == 4


async def test_requests_are_answered_while_a_move_waits_for_the_host() -> None:
    session = FakeSession(4, seed=1)
    host = asyncio.Event()
    act = session.act

    async def slow(action: Any) -> None:
        await host.wait()
        await act(action)

    session.act = slow  # type: ignore[method-assign]
    async with page(session) as guest:
        question = await guest.asked()
        guest.typed.send("answer", question=question["id"], choices=[1])
        await guest.until(lambda: guest.question is None)
        guest.typed.send("show", what="cast")
        await guest.until(lambda: guest.got("view"))
        for _ in range(MOST):
            guest.typed.send("line", text="hint")
        guest.typed.send("say", text="waiting")
        await guest.until(lambda: any("not received your last messages" in notice for notice in guest.notices()))
        assert session.acted == []
        host.set()
        await guest.asked(after=question["id"])


async def test_names_and_chat_cannot_forge_messages() -> None:
    session = FakeSession(4, seed=1, names=("Ada", "-- z", "== Round 9", "? 1 Gold"))
    async with page(session) as guest:
        question = await guest.asked()
        for seat in (1, 2, 3):
            for text in ("hello", "1 Take 2 gold", "", "-- Turn of Ada"):
                session.queue.put_nowait(Chatted(seat, session.names[seat], text))
        await guest.until(lambda: sum(message["kind"] == "chat" for message in guest.got("text")) >= 9)
        assert guest.question == question
        guest.typed.send("answer", question=question["id"], choices=[1])
        await guest.until(lambda: session.acted)


@one_case("values", [
    {"choices": [99]}, {"choices": [10**9]},
    {"choices": [1, 2]}, {"choices": []}, {"back": True}, {"choices": [0]},
])  # fmt: skip
async def test_invalid_answer_of_a_page_repeats_the_question(values: dict[str, Any]) -> None:
    async with page(FakeSession(4, seed=1)) as guest:
        question = await guest.asked()
        guest.typed.send("answer", question=question["id"], **values)
        again = await guest.asked(after=question["id"])
        assert again["choices"] == question["choices"]
        assert guest.session.acted == []


async def test_typed_move_needs_a_question_and_commands_do_not() -> None:
    async with page(FakeSession(4, seed=1)) as guest:
        question = await guest.asked()
        guest.typed.send("line", text="who", question=0)
        guest.typed.send("line", text="rules king", question=77)
        await guest.until(lambda: any("King" in message["text"] for message in guest.got("text")))
        guest.typed.send("line", text="1", question=question["id"])
        await guest.asked(after=question["id"])
        assert len(guest.session.acted) == 1
        assert guest.notices() == []


@one_case("text", ["", "x" * 10_000, "\x00\x1b[2J", "a\nb\r\nc", "\u202e", "9" * 400])
async def test_invalid_text_from_the_page_does_not_change_the_question(text: str) -> None:
    async with page(FakeSession(4, seed=1)) as guest:
        question = await guest.asked()
        guest.typed.send("line", text=text, question=question["id"])
        guest.typed.send("say", text=text)
        guest.typed._queue.put_nowait("not json")
        guest.typed._queue.put_nowait('{"type":"shutdown"}')
        guest.typed.send("show", what="cast")
        await guest.until(lambda: guest.got("view"))
        now = await guest.asked()
        assert now["choices"] == question["choices"]
        assert guest.session.acted == []


async def test_page_in_the_lobby_shows_the_lobby_and_no_board() -> None:
    async with page(FakeLobby()) as guest:
        guest.typed.send("show", what="cast")
        await guest.until(lambda: guest.notices() == ["There is nothing to show yet."])
        assert guest.got("stage") == [{"type": "stage", "stage": "lobby"}]
        await guest.until(lambda: guest.got("board"))
        assert NAMES[1] in [seat["name"] for seat in guest.got("board")[-1]["seats"]]
        guest.typed.send("ready")
        await guest.until(lambda: True)


async def test_unread_lines_stay_in_the_pipe() -> None:
    reading, writing = os.pipe()
    wanted = [str(number) for number in range(5000)]
    lines = InputLines(os.fdopen(reading))
    threading.Thread(target=lambda: os.fdopen(writing, "w").write("\n".join(wanted)), daemon=True).start()
    async with asyncio.timeout(60):
        while lines._queue.qsize() < UNREAD:  # noqa: ASYNC110 -- filled by a thread
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        assert lines._queue.qsize() == UNREAD
        assert [await lines.next() for _ in wanted] == wanted
        assert await lines.next() is None
