"""The web server: codes, seats, pages, limits."""

import json
import os
import stat
from pathlib import Path

import aiohttp
import msgspec
import pytest
from aiohttp import WSServerHandshakeError

from citadels_lan.web.beside import TableNow, web_key
from citadels_lan.web.browser import HEIGHT, LARGEST, WIDTH, PageKeys, cost
from citadels_lan.web.web_server import FILES
from tests.effort import one_case
from tests.net.playing import until

from .serving import GAME, KEY, NOW, drawn, guests, told


async def test_link_gives_a_seat_with_a_cookie_and_a_private_folder(tmp_path: Path) -> None:
    async with guests(tmp_path / "web") as web, web.browser() as anna:
        assert await anna.sit() == (200, {})
        (cookie,) = anna.session.cookie_jar
        assert cookie.key == f"citadels_{GAME[:8]}"
        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"
        assert cookie.value not in (tmp_path / "web" / "seats.json").read_text()
        socket = await anna.play()
        assert await drawn(socket) == b"client 0"
        assert web.clients[0].code == NOW.token
        await socket.close()
        for folder in (tmp_path / "web", tmp_path / "web" / "1"):
            assert os.name != "posix" or stat.S_IMODE(folder.stat().st_mode) == 0o700


@one_case("code", ["pixel veranda siesta", "PIXEL-veranda siesta", KEY, f"http://x/#{KEY}"])
async def test_code_words_give_a_seat(tmp_path: Path, code: str) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        assert await anna.sit(code=code) == (200, {})


@one_case(("code", "reason"), [("", "code_needed"), ("b" * 26, "wrong_code"), ("pixel pixel pixel", "wrong_code")])
async def test_wrong_code_is_rejected_with_the_reason(tmp_path: Path, code: str, reason: str) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        status, said = await anna.sit(code=code)
        assert (status, said["code"]) == (403, reason)
        assert str(said["reason"]).endswith(".")
        assert list(web.server.seats) == []


async def test_number_of_wrong_codes_is_limited(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        said = [(await anna.sit(code="pixel pixel pixel"))[1]["code"] for _ in range(4)]
        assert said == ["wrong_code"] * 3 + ["too_many_tries"]
        assert (await anna.sit())[1]["code"] == "too_many_tries"


async def test_web_link_with_the_old_code_is_rejected_after_a_new_code(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna, web.browser() as bruno:
        await anna.sit()
        web.server.change(msgspec.structs.replace(NOW, words=("siesta", "siesta", "pixel"), token="c" * 26))
        assert (await bruno.sit())[0] == 403
        assert (await bruno.sit(code=web_key("c" * 26)))[0] == 200
        socket = await anna.play()  # a seated guest stays
        assert await drawn(socket) == b"client 0"
        await socket.close()


@one_case(
    "foreign",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}, {"Host": "127.0.0.2:1"}],
)
async def test_foreign_origins_and_hosts_are_rejected(tmp_path: Path, foreign: dict[str, str]) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        assert (await anna.sit(**foreign))[0] == 403
        await anna.sit()
        with pytest.raises(WSServerHandshakeError, match="403"):
            await anna.play(**foreign)
        assert web.clients == []


async def test_requests_without_origin_or_cookie_are_rejected(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna, web.browser() as stranger:
        await anna.sit()
        with pytest.raises(WSServerHandshakeError, match="403"):
            await anna.session.ws_connect(f"{web.origin}/play?kind=screens&width=80&height=24")
        with pytest.raises(WSServerHandshakeError, match="403"):
            await stranger.play()
        assert (await stranger.get("/transcript"))[0] == 403
        assert (await stranger.get("/hello", Host="evil.example"))[0] == 403
        assert web.clients == []


async def test_one_address_gets_a_limited_number_of_seats(tmp_path: Path) -> None:
    """Each seat has its own folder."""
    async with guests(tmp_path) as web:
        said = []
        for _ in range(12):
            async with web.browser() as anna:
                said.append((await anna.sit())[0])
        assert said == [200] * 10 + [403] * 2


async def test_only_the_files_of_the_page_are_served(tmp_path: Path) -> None:
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
async def test_terminal_sizes_are_limited(
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
        await until(lambda: web.clients[0].heard_all == [PageKeys("x"), PageKeys("y")])
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
        (json.dumps({"type": "about", "key": "x" * 41}), "cannot read"),
        (json.dumps({"type": "keys", "keys": "x" * 65}), "limit is 64"),
        (json.dumps({"type": "keys", "keys": "\x1b[<35;80;24M" * 65}), "limit is 64"),
        (json.dumps({"type": "paste", "text": "x" * 1001}), "at most 1000"),
        (json.dumps({"type": "line", "text": "x" * 501}), "at most 500"),
        (json.dumps({"type": "say", "text": "x" * 501}), "at most 500"),
    ],
)  # fmt: skip
async def test_invalid_message_is_dropped_with_a_sentence(tmp_path: Path, message: str, sentence: str) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        socket = await anna.play()
        await drawn(socket)
        await socket.send_str(message)
        assert sentence in (await told(socket, "notice"))["text"]
        await socket.send_json({"type": "keys", "keys": "x"})
        await until(lambda: web.clients[0].heard_all == [PageKeys("x")])
        await socket.close()


@pytest.mark.parametrize("frame", ["x" * (LARGEST + 1), b"\xff\xfe"])
async def test_too_large_or_binary_websocket_message_closes_only_its_connection(
    tmp_path: Path, frame: str | bytes
) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        await anna.sit()
        socket = await anna.play()
        await drawn(socket)
        await (socket.send_str(frame) if isinstance(frame, str) else socket.send_bytes(frame))
        assert (await socket.receive(timeout=20)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
        again = await anna.play()
        assert await drawn(again) == b"client 0"
        await again.close()


async def test_table_has_no_more_guests_than_seats(tmp_path: Path) -> None:
    async with guests(tmp_path) as web, web.browser() as anna, web.browser() as bruno, web.browser() as carla:
        for guest in (anna, bruno):
            await guest.sit()
            await drawn(await guest.play())
        assert (await carla.sit())[1]["code"] == "table_full"
        web.clients[0].end("")  # a guest who leaves before the game frees the seat
        assert await carla.sit() == (200, {})
        with pytest.raises(WSServerHandshakeError, match="403"):
            await anna.play()


async def test_guest_can_download_only_their_own_transcript(tmp_path: Path) -> None:
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


@one_case("body", ["", "[]", "nonsense", '{"name":7}', '{"name":"Anna","code":[]}', '{"dark":"x"}'])
async def test_invalid_join_request_is_rejected_with_a_sentence(tmp_path: Path, body: str) -> None:
    async with guests(tmp_path) as web, web.browser() as anna:
        async with anna.session.post(f"{web.origin}/sit", data=body, headers={"Origin": web.origin}) as answer:
            assert answer.status == 400
            assert "cannot read" in (await answer.json())["reason"]
        assert list(web.server.seats) == []


@one_case(("keys", "count"), [
    ("", 0), ("abc", 3), ("à🏰", 2),
    ("\x1b[A\x1b[1;5C\x1b[5~\x1bOP\x1bx\x1b", 6), ("\x1b[<35;80;24M", 1), ("\r\x00", 2),
])  # fmt: skip
def test_escape_sequence_counts_as_one_key_press(keys: str, count: int) -> None:
    assert cost(PageKeys(keys)) == count


async def test_open_table_needs_no_code(tmp_path: Path) -> None:
    async with guests(tmp_path, lambda: TableNow(1, (), "", 2)) as web, web.browser() as anna:
        assert await anna.sit(code="") == (200, {})
        assert json.loads((await anna.get("/hello"))[1])["open"]
