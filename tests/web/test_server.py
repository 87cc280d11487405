"""The web server: who gets in, what a seat is, what one browser can do."""

import asyncio
import json
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import msgspec
import pytest
from aiohttp import WSMsgType, WSServerHandshakeError

from citadels_lan.web.beside import TableNow, web_key
from citadels_lan.web.client import pasted
from citadels_lan.web.limits import HEIGHT, LARGEST, MESSAGES, UNREAD, WIDTH
from citadels_lan.web.pages import BrowserPage, PageEnd, PageKeys, cost
from citadels_lan.web.server import FILES
from tests.effort import one_case

from .serving import GAME, KEY, NOW, drawn, guests, told


async def test_the_link_lets_in_and_the_seat_is_a_cookie(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        assert await anna.sit() == (200, {})
        (cookie,) = anna.session.cookie_jar
        assert cookie.key == f"citadels_{GAME[:8]}"
        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"
        assert cookie.value not in (tmp_path / "seats.json").read_text()
        socket = await anna.play()
        assert await drawn(socket) == b"client 0"
        assert web.clients[0].code == NOW.token
        await socket.close()


@pytest.mark.skipif(os.name != "posix", reason="folders have no such mode there")
async def test_a_seats_folder_is_nobody_elses(tmp_path: Path) -> None:
    async with guests(tmp_path / "web") as web, web.browser() as anna:
        await anna.sit()
    for folder in (tmp_path / "web", tmp_path / "web" / "1"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@one_case("code", ["pixel veranda siesta", "PIXEL-veranda siesta", KEY, f"http://x/#{KEY}"])
async def test_the_words_let_in_as_well(tmp_path: Path, code: str) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        assert await anna.sit(code=code) == (200, {})


@one_case(("code", "reason"), [("", "code_needed"), ("b" * 26, "wrong_code"), ("pixel pixel pixel", "wrong_code")])
async def test_a_wrong_code_is_refused_with_its_reason(tmp_path: Path, code: str, reason: str) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        status, said = await anna.sit(code=code)
        assert (status, said["code"]) == (403, reason)
        assert str(said["reason"]).endswith(".")
        assert list(web.server.seats) == []


async def test_the_tables_own_token_is_not_the_key() -> None:
    assert NOW.token != KEY
    assert web_key("") == ""


async def test_guessing_is_slow(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        said = [(await anna.sit(code="pixel pixel pixel"))[1]["code"] for _ in range(4)]
        assert said == ["wrong_code"] * 3 + ["too_many_tries"]
        assert (await anna.sit())[1]["code"] == "too_many_tries"


async def test_a_new_code_ends_the_old_links(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna, web.browser() as bruno:
        await anna.sit()
        web.server.change(msgspec.structs.replace(NOW, words=("siesta", "siesta", "pixel"), token="c" * 26))
        assert (await bruno.sit())[0] == 403
        assert (await bruno.sit(code=web_key("c" * 26)))[0] == 200
        socket = await anna.play()  # whoever sits stays
        assert await drawn(socket) == b"client 0"
        await socket.close()


async def test_an_open_table_asks_for_nothing(tmp_path: Path) -> None:
    async with guests(tmp_path, lambda: TableNow(1, (), "", 2)) as web, web.browser() as anna:
        assert await anna.sit(code="") == (200, {})
        assert json.loads((await anna.get("/hello"))[1])["open"]


@one_case(
    "foreign",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}, {"Host": "127.0.0.2:1"}],
)
async def test_other_pages_and_other_names_are_refused(tmp_path: Path, foreign: dict[str, str]) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        assert (await anna.sit(**foreign))[0] == 403
        await anna.sit()
        with pytest.raises(WSServerHandshakeError, match="403"):
            await anna.play(**foreign)
        assert web.clients == []


async def test_a_request_without_origin_or_without_cookie_is_refused(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna, web.browser() as nobody:
        await anna.sit()
        with pytest.raises(WSServerHandshakeError, match="403"):
            await anna.session.ws_connect(f"{web.origin}/play?kind=screens&width=80&height=24")
        with pytest.raises(WSServerHandshakeError, match="403"):
            await nobody.play()
        assert (await nobody.get("/transcript"))[0] == 403
        assert (await nobody.get("/hello", Host="evil.example"))[0] == 403
        assert web.clients == []


@pytest.mark.parametrize("charset", ["bogus", "punycode", "utf-8"])
async def test_a_body_that_is_no_text_fills_no_log(
    tmp_path: Path, charset: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        headers = {"Origin": web.origin, "Content-Type": f"application/json; charset={charset}"}
        async with anna.session.post(f"{web.origin}/sit", data=b"\xff\xfe{", headers=headers) as answer:
            assert answer.status == 400
        status, _ = await anna.get("/hello", Cookie=f"{web.server.cookie}=\udcff")
        assert status == 200
        assert not caplog.records


async def test_nobody_takes_seats_without_end(tmp_path: Path) -> None:
    """Each has a folder of its own."""
    async with guests(tmp_path) as web:
        said = []
        for _ in range(12):
            async with web.browser() as anna:
                said.append((await anna.sit())[0])
        assert said == [200] * 10 + [403] * 2


async def test_only_the_pages_files_are_served(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        for path in FILES:
            async with anna.session.get(web.origin + path) as answer:
                assert answer.status == 200
                assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
                body = await answer.text()
                assert "http://" not in body or path in ("/xterm.js", "/xterm.css", "/page.js", "/LICENSE.xterm")
                assert "<script>" not in body or path != "/"
        for path in ("/page", "/page/page.js", "/../server.py", "/%2e%2e/server.py", "/seats.json", "/web/"):
            assert (await anna.get(path))[0] == 404


@one_case(("width", "height", "size"), [
    (-5, 999_999_999, (WIDTH[0], HEIGHT[1])), (1e9, 3, None), ("x", 24, None), (200, 60, (200, 60)),
    (10**30, 0, (WIDTH[1], HEIGHT[0])),
])  # fmt: skip
async def test_sizes_are_clamped(
    tmp_path: Path, width: object, height: object, size: tuple[int, int] | None
) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        if size is None:
            with pytest.raises(WSServerHandshakeError, match="400"):
                await anna.play(width=width, height=height)
            return
        socket = await anna.play(width=width, height=height)
        await drawn(socket)
        await socket.send_json({"type": "size", "size": [-1, 10**9]})
        await socket.send_json({"type": "keys", "keys": "x"})
        await socket.send_json({"type": "keys", "keys": "y"})
        await _until(lambda: web.clients[0].heard_all == [PageKeys("x"), PageKeys("y")])
        assert web.clients[0].sizes == [size, (WIDTH[0], HEIGHT[1])]
        await socket.close()


@one_case(
    ("message", "sentence"),
    [
        ("", "cannot read"), ("[]", "cannot read"), ("nonsense", "cannot read"), ("[" * 3000, "cannot read"),
        ('{"type":"size","size":["x",1]}', "cannot read"), ('{"type":"size","size":[1]}', "cannot read"),
        ('{"type":"keys","keys":7}', "cannot read"), ('{"type":"keys"}', "cannot read"),
        ('{"type":"keys","keys":"\\ud800"}', "cannot read"), ('{"type":"shutdown"}', "cannot read"),
        ('{"type":"answer","question":-1}', "cannot read"), ('{"type":"answer","question":"1"}', "cannot read"),
        ('{"type":"answer","question":1,"choices":[1e400]}', "cannot read"),
        ('{"type":"answer","question":1,"choices":[' + "1," * 60 + "1]}", "cannot read"),
        ('{"type":"show","what":"../seats.json"}', "cannot read"),
        (json.dumps({"type": "keys", "keys": "x" * 65}), "limit is 64"),
        (json.dumps({"type": "keys", "keys": "\x1b[<35;80;24M" * 65}), "limit is 64"),
        (json.dumps({"type": "paste", "text": "x" * 1001}), "at most 1000"),
        (json.dumps({"type": "line", "text": "x" * 501}), "at most 500"),
        (json.dumps({"type": "say", "text": "x" * 501}), "at most 500"),
    ],
)  # fmt: skip
async def test_bad_message_is_dropped_with_a_sentence(tmp_path: Path, message: str, sentence: str) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        socket = await anna.play()
        await drawn(socket)
        await socket.send_str(message)
        assert sentence in (await told(socket, "notice"))["text"]
        await socket.send_json({"type": "keys", "keys": "x"})
        await _until(lambda: web.clients[0].heard_all == [PageKeys("x")])
        await socket.close()


@pytest.mark.parametrize("frame", ["x" * (LARGEST + 1), b"\xff\xfe"])
async def test_frame_that_is_too_large_or_binary_ends_the_socket_alone(tmp_path: Path, frame: str | bytes) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        socket = await anna.play()
        await drawn(socket)
        await (socket.send_str(frame) if isinstance(frame, str) else socket.send_bytes(frame))
        assert (await socket.receive(timeout=20)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
        again = await anna.play()
        assert await drawn(again) == b"client 0"
        await again.close()


async def test_a_reload_has_the_same_client(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        for _ in range(3):
            socket = await anna.play()
            assert await drawn(socket) == b"client 0"
            await socket.close()
        assert await anna.sit("Other") == (200, {})  # no second seat for one browser
        assert json.loads((await anna.get("/hello"))[1])["name"] == "Anna"
        assert len(web.clients) == 1


async def test_two_browsers_have_two_seats_and_never_the_others(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna, web.browser() as bruno:
        await anna.sit("Anna")
        await bruno.sit("Bruno")
        first, second = await anna.play(), await bruno.play()
        mine = {"anna": await drawn(first), "bruno": await drawn(second)}
        assert len(set(mine.values())) == 2
        for _ in range(3):
            await first.close()
            await second.close()
            second, first = await bruno.play(), await anna.play()
            assert {"anna": await drawn(first), "bruno": await drawn(second)} == mine
        await first.close()
        await second.close()


async def test_the_older_page_is_told_that_it_was_taken_over(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        older = await anna.play()
        await drawn(older)
        newer = await anna.play()
        assert (await told(older, "end"))["why"] == "taken"
        assert await drawn(newer) == b"client 0"
        await newer.send_json({"type": "keys", "keys": "a"})
        await _until(lambda: web.clients[0].heard_all == [PageKeys("a")])
        await newer.close()
        await older.close()


async def test_a_phone_changes_from_screens_to_lines_with_one_client(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        socket = await anna.play()
        assert await drawn(socket) == b"client 0"
        lines = await anna.play("lines")
        assert await drawn(lines) == b"client 1"
        seat = next(iter(web.server.seats))
        assert seat.client is web.clients[1]
        with pytest.raises(WSServerHandshakeError, match="400"):
            await anna.play("other")
        await lines.close()


async def test_no_more_seats_than_the_table_has(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna, web.browser() as bruno, web.browser() as carla:
        for one in (anna, bruno):
            await one.sit()
            await drawn(await one.play())
        assert (await carla.sit())[1]["code"] == "table_full"
        web.clients[0].end("")  # who has gone before the game leaves room
        assert await carla.sit() == (200, {})
        with pytest.raises(WSServerHandshakeError, match="403"):
            await anna.play()


async def test_a_refusal_of_the_table_is_said_with_its_reason(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        socket = await anna.play()
        await drawn(socket)
        web.clients[0].end("The game has begun.")
        assert await told(socket, "end") == {"type": "end", "why": "left", "text": "The game has begun."}
        again = await anna.play()
        assert await drawn(again) == b"client 1"
        await again.close()


async def test_seats_are_there_after_a_restart(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        (cookie,) = anna.session.cookie_jar
    async with guests(tmp_path) as web, web.browser() as anna:
        anna.session.cookie_jar.update_cookies({cookie.key: cookie.value})
        socket = await anna.play()
        assert await drawn(socket) == b"client 0"
        await socket.close()


async def test_both_languages_and_light_and_dark(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        said = json.loads((await anna.get("/hello", **{"Accept-Language": "fr, it-IT;q=0.8, en;q=0.5"}))[1])
        assert said["language"] == "it"
        assert said["texts"]["risk"].startswith("Giochi attraverso il computer di chi ospita.")
        status, refused = await anna.sit(code="b" * 26, **{"Accept-Language": "it"})
        assert status == 403
        assert "tavolo" in str(refused["reason"])
        await anna.sit(**{"Accept-Language": "it"})
        kept = json.loads((tmp_path / "1" / "settings" / "preferences.json").read_text())
        assert kept == {"language": "it", "dark": False}


async def test_the_transcript_is_ones_own(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna, web.browser() as bruno:
        await anna.sit()
        await bruno.sit("Bruno")
        assert (await anna.get("/transcript"))[0] == 404
        for number, text in ((1, b"of Anna"), (2, b"of Bruno")):
            folder = tmp_path / str(number) / "data" / "transcripts"
            folder.mkdir(parents=True)
            (folder / "game-a.ctr").write_bytes(text)
        assert await anna.get("/transcript") == (200, b"of Anna")
        assert await bruno.get("/transcript") == (200, b"of Bruno")


async def test_the_end_of_the_game_is_told(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        socket = await anna.play()
        assert (await told(socket, "over"))["over"] is False
        web.server.change(msgspec.structs.replace(NOW, over=True))
        assert (await told(socket, "over"))["over"] is True
        await socket.close()


@pytest.mark.parametrize(("over", "last"), [(False, {"type": "away"}), (True, {"why": "closed"})])
async def test_server_that_closes_sends_the_reason_last_and_loses_nothing_before_it(
    tmp_path: Path, over: bool, last: dict[str, str]
) -> None:
    async with guests(tmp_path, lambda: msgspec.structs.replace(NOW, over=over)) as web, web.browser() as anna:
        await anna.sit()
        socket = await anna.play()
        assert await drawn(socket) == b"client 0"
        (seat,) = web.server.seats
        assert seat.page is not None
        seat.page.draw(b"the last picture")
        web.server.close()
        seat.page.draw(b"what a client says that ends")
        assert await drawn(socket) == b"the last picture"
        assert last.items() <= (await told(socket, "away", "end")).items()
        assert (await socket.receive(timeout=20)).type is WSMsgType.CLOSE


@dataclass
class Sleeper:
    """A socket whose reader sleeps until `awake` is set."""

    awake: asyncio.Event
    got: list[bytes | str]

    async def send_bytes(self, data: bytes) -> None:
        await self.awake.wait()
        self.got.append(data)

    async def send_str(self, data: str) -> None:
        await self.awake.wait()
        self.got.append(data)


async def test_a_page_that_does_not_read_costs_little_and_gets_a_new_picture() -> None:
    socket, missed = Sleeper(asyncio.Event(), []), asyncio.Event()
    page = BrowserPage(socket)
    page.missed = missed.set
    sending = asyncio.get_running_loop().create_task(page.send())  # kept: awaited below
    for _ in range(100):
        page.draw(b"x" * UNREAD)
    await asyncio.sleep(0)
    page.draw(b"y" * 1000)
    socket.awake.set()
    await missed.wait()
    assert sum(map(len, socket.got)) <= 2 * UNREAD
    page.draw(b"whole")
    page.finish(PageEnd("taken"))
    await sending
    assert socket.got[-1] == '{"type":"end","why":"taken","text":""}'


async def test_many_keys_at_once_are_slowed_down_and_none_is_lost(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        socket = await anna.play()
        await drawn(socket)
        keys = [str(number) for number in range(MESSAGES[0] + 10)]
        for one in keys:
            await socket.send_json({"type": "keys", "keys": one})
        await _until(lambda: web.clients[0].heard_all == [PageKeys(one) for one in keys])
        await socket.close()


@one_case("body", ["", "[]", "nonsense", '{"name":7}', '{"name":"Anna","code":[]}', '{"dark":"x"}'])
async def test_bad_entry_request_is_rejected_with_a_sentence(tmp_path: Path, body: str) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        async with anna.session.post(f"{web.origin}/sit", data=body, headers={"Origin": web.origin}) as answer:
            assert answer.status == 400
            assert "cannot read" in (await answer.json())["reason"]
        assert list(web.server.seats) == []


@one_case(("keys", "count"), [
    ("", 0), ("abc", 3), ("à🏰", 2),
    ("\x1b[A\x1b[1;5C\x1b[5~\x1bOP\x1bx\x1b", 6), ("\x1b[<35;80;24M", 1), ("\r\x00", 2),
])  # fmt: skip
def test_escape_sequence_is_one_key(keys: str, count: int) -> None:
    assert cost(PageKeys(keys)) == count


def test_paste_contains_no_key() -> None:
    assert pasted("a\r\nb\x1b[201~\x03\rc") == "\x1b[200~a\nb [201~ \nc\x1b[201~"


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 -- the other side of a socket
            await asyncio.sleep(0.01)
