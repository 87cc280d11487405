"""Codes over real connections on this machine: friends, guessers, and somebody who sits in between."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from citadels_lan.crypto.identity import Identity
from citadels_lan.net.client.search import PASSING
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.server import Server, SpectatorPort
from citadels_lan.net.join.door import ALARMING, Door, Secret, read_secret
from citadels_lan.net.join.handshake import (
    Challenge,
    ClientHandshake,
    Guard,
    HostHandshake,
    Profile,
    Versions,
    give_code,
)
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import encode_frame
from citadels_lan.net.wire.link import Link, connect
from citadels_lan.net.wire.messages import (
    FROM_HOST,
    Bye,
    CodeShare,
    Confirm,
    HostProof,
    HostShare,
    TableHello,
    decode,
    encode,
)
from citadels_lan.net.wire.tls import host_context, make_certificate
from tests.facts import first_table
from tests.net.links import serve_links
from tests.net.playing import QUICK, join, play_all, reached, until

pytestmark = pytest.mark.slow
NOT_IT = "no no no"
HIS = Identity(bytes([66]) * 32)


@contextlib.asynccontextmanager
async def opened(folder: Path, code: str | None = "", **options: object) -> AsyncIterator[OpenTable]:
    """A table with a code, on loopback."""
    async with (
        asyncio.timeout(60),
        open_table(
            first_table(2), folder / "host", host="127.0.0.1", port=0, timing=QUICK, code=code,
            **options,  # type: ignore[arg-type]
        ) as table,
    ):  # fmt: skip
        yield table


async def refused(table: OpenTable, folder: Path, code: str = "") -> str:
    """Why somebody with this code is turned away."""
    with pytest.raises(Refusal) as turned:
        await join(table, folder, "Guest", code=code)
    return turned.value.code


def guess(table: OpenTable) -> None:
    """Ten wrong codes from ten addresses."""
    now = asyncio.get_running_loop().time()
    for number in range(ALARMING):
        with pytest.raises(Refusal):
            table.door.judge(table.door.knock(f"10.0.0.{number}", "code", now), lambda: False, now)


# Friends


@pytest.mark.parametrize("give", [
    lambda table: table.door.code, lambda table: table.door.code.title().replace(" ", "-"),
    lambda table: table.door.token, lambda table: table.link("127.0.0.1"),
])  # fmt: skip
async def test_words_token_and_link_let_in(tmp_path: Path, give: Callable[[OpenTable], str]) -> None:
    async with opened(tmp_path) as table, await join(table, tmp_path / "a", "Anna", code=give(table)) as anna:
        assert anna.table.seat == 0


async def test_own_words(tmp_path: Path) -> None:
    async with opened(tmp_path, "Cane gatto TOPO") as table:
        assert table.door.words == ("cane", "gatto", "topo")
        async with await join(table, tmp_path / "a", "Anna", code="cane gatto topo") as anna:
            assert anna.table.seat == 0
    with pytest.raises(Refusal, match="at least 3 words"):
        async with opened(tmp_path, "cane 7"):
            pass


async def test_without_and_with_a_wrong_code(tmp_path: Path) -> None:
    async with opened(tmp_path) as table:
        assert await refused(table, tmp_path / "a") == "code_needed"
        assert await refused(table, tmp_path / "a", NOT_IT) == "wrong_code"
        assert await refused(table, tmp_path / "a", "two words") == "wrong_code"
        assert await refused(table, tmp_path / "a", table.door.link("x", 1)[:-1] + "2") == "wrong_code"
    assert not {"code_needed", "wrong_code", "too_many_tries", "too_many_guesses", "code_unasked"} & PASSING


async def test_an_open_table_is_one_only_for_those_who_gave_no_code(tmp_path: Path) -> None:
    """Whoever has been told a code is at another table than he thinks."""
    async with opened(tmp_path, None) as table:
        assert await refused(table, tmp_path / "a", NOT_IT) == "code_unasked"
        async with await join(table, tmp_path / "a", "Anna") as anna:
            assert anna.table.seat == 0


async def test_the_hosts_own_need_no_code(tmp_path: Path) -> None:
    async with opened(tmp_path) as table, await table.join("Anna", tmp_path / "a") as anna:
        assert anna.table.owner


async def test_a_seat_belongs_to_its_key(tmp_path: Path) -> None:
    """A friend whose connection breaks, and one whose program was started again, while somebody guesses."""
    async with opened(tmp_path) as table:
        sessions = [await join(table, tmp_path / str(seat), f"P{seat}", code=table.door.code) for seat in range(2)]
        await sessions[0].start()
        await until(reached(sessions[1], 3))
        guess(table)
        for viewer in list(table.table.viewers):
            assert isinstance(viewer.port, Link)
            viewer.port.abort("lost")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(play_all(sessions))
            await until(lambda: sessions[1].table.status == "connecting" or sessions[1].table.head.n > 20)
            assert table.door.guessed
        await table.over()
        assert sessions[0].table.head == sessions[1].table.head
        for session in sessions:
            await session.leave()


async def test_a_program_that_is_started_again_needs_no_code(tmp_path: Path) -> None:
    async with opened(tmp_path) as table:
        first = await join(table, tmp_path / "a", "Anna", code=table.door.code)
        first._loop._task.cancel() if first._loop._task else None
        first.connection.abort("lost")
        await until(lambda: table.table.lobby.places[0].away)
        again = await join(table, tmp_path / "a", "Anna")
        assert again.table.seat == 0
        await again.leave()
        await first.leave()


async def test_a_spectator_comes_back_with_the_code_that_let_him_in(tmp_path: Path) -> None:
    async with (
        opened(tmp_path) as table,
        await join(table, tmp_path / "w", "Wanda", code=table.door.code, role="spectator") as wanda,
    ):
        (viewer,) = table.table.viewers
        assert isinstance(viewer.port, SpectatorPort)
        viewer.port.link.abort("lost")
        await until(lambda: bool(table.table.viewers) and table.table.viewers[0] is not viewer)
        assert wanda.table.reason is None


async def test_right_code_joins_while_others_guess_until_there_is_a_new_one(tmp_path: Path) -> None:
    async with opened(tmp_path) as table:
        old = table.door.code
        guess(table)
        assert table.door_changed.is_set()
        assert table.changed.is_set()
        async with await join(table, tmp_path / "b", "Bea", code=old) as bea:
            assert bea.table.seat == 0, "others were wrong, this address was not"
        table.door.renew()
        assert await refused(table, tmp_path / "a", old) == "wrong_code"
        async with await join(table, tmp_path / "a", "Anna", code=table.door.code) as anna:
            assert anna.table.seat == 0


async def test_three_wrong_codes_have_to_wait(tmp_path: Path) -> None:
    async with opened(tmp_path) as table:
        for _ in range(3):
            assert await refused(table, tmp_path / "a", NOT_IT) == "wrong_code"
        with pytest.raises(Refusal, match=r"try again in \d\d seconds"):
            await join(table, tmp_path / "a", "Anna", code=table.door.code)


async def test_eight_friends_on_one_machine_come_at_once(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(60),
        open_table(first_table(8), tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK, code="") as table,
    ):
        joins = (join(table, tmp_path / str(n), f"P{n}", code=table.door.code) for n in range(8))
        sessions = await asyncio.gather(*joins)
        assert sorted(session.table.seat or 0 for session in sessions) == list(range(8))
        for session in sessions:
            await session.leave()


# Guessers and worse


async def greeted(address: tuple[str, int], identity: Identity) -> tuple[Link, ClientHandshake]:
    """A connection up to the host's proof."""
    link = await connect(*address, 5)
    handshake = ClientHandshake(identity, Profile("Guest"), link.fp, Versions())
    link.send(handshake.hello)
    while (frame := await link.frame()) is not None:
        if isinstance(handshake.receive(frame), Challenge):
            return link, handshake
    raise AssertionError


async def test_shares_without_confirmations(tmp_path: Path) -> None:
    async with opened(tmp_path) as table:
        codes = []
        for _ in range(4):
            link, handshake = await greeted(table.address, Identity.create())
            pake = handshake.prove(Secret("code", NOT_IT))
            link.send(encode(CodeShare("code", pake.share())))
            frame = await link.frame()
            assert frame is not None
            codes.append(frame.type)
            link.abort("left")
            await until(lambda: not table.door._inside)
        assert codes == [HostShare.type] * 3 + [Bye.type]
        assert not table.door.guessed


async def test_garbage_for_a_share(tmp_path: Path) -> None:
    async with opened(tmp_path) as table:
        for point in (bytes(32), b"\x01" + bytes(31), b"\xff" * 32):
            link, _ = await greeted(table.address, Identity.create())
            link.send(encode(CodeShare("code", b"A" + point)))
            frame = await link.frame()
            assert frame is not None
            assert decode(frame, FROM_HOST) == Bye("malformed")
            link.abort("left")
        async with await join(table, tmp_path / "a", "Anna", code=table.door.code) as anna:
            assert anna.table.seat == 0


class Between:
    """A man in the middle with a certificate of the same name: the victim's TLS ends here, and another goes on to
    the table. `he` makes both ends of what the victim and the table say."""

    def __init__(self, table: OpenTable, *, own_table: bool) -> None:
        self.table = table
        self.own_table = own_table
        self.certificate = make_certificate()
        self.address = ("", 0)
        self.from_host: list[int] = []
        self.from_victim: list[int] = []

    @contextlib.asynccontextmanager
    async def laid(self) -> AsyncIterator["Between"]:
        server = await serve_links(self._serve, host_context(self.certificate))
        self.address = server.sockets[0].getsockname()
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, victim: Link) -> None:
        host = await connect(*self.table.address, 5)
        with contextlib.suppress(OSError):
            if self.own_table:
                host.abort("left")
                host = await self._as_a_table_of_his_own(victim)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._relay(victim, host, self.from_victim))
                tasks.create_task(self._relay(host, victim, self.from_host))

    async def _as_a_table_of_his_own(self, victim: Link) -> Link:
        """To the victim he is a table with a key of his own, to the table a guest with a key of his own; shares
        and confirmations he passes on."""
        core = self.table.table.core
        guard = Guard(Door.of(""), "", lambda _: False)
        his_table = HostHandshake(HIS, core.game, self.certificate.fp, Versions(), guard)
        hello = await victim.frame()
        assert hello is not None
        victim.send(his_table.receive(hello)[0])
        host, _ = await greeted(self.table.address, HIS)
        return host

    @staticmethod
    async def _relay(source: Link, sink: Link, seen: list[int]) -> None:
        with contextlib.suppress(OSError):
            while (frame := await source.frame()) is not None:
                seen.append(frame.type)
                sink.send(encode_frame(frame.type, frame.body))
        await sink.closed()


async def test_a_man_in_the_middle_who_passes_everything_on(tmp_path: Path) -> None:
    async with opened(tmp_path) as table, Between(table, own_table=False).laid() as between:
        with pytest.raises(Refusal) as turned:
            await Session.join(
                between.address, data_dir=tmp_path / "a", name="Anna", timing=QUICK, code=table.door.code
            )
        assert turned.value.code == "bad_signature"
        assert between.from_host[:2] == [TableHello.type, HostProof.type]
        assert CodeShare.type not in between.from_victim, "the code is not begun with where the host is another"
        assert not table.table.viewers


async def test_a_man_in_the_middle_with_keys_of_his_own(tmp_path: Path) -> None:
    async with opened(tmp_path) as table, Between(table, own_table=True).laid() as between:
        with pytest.raises(Refusal) as turned:
            await Session.join(
                between.address, data_dir=tmp_path / "a", name="Anna", timing=QUICK, code=table.door.code
            )
        assert turned.value.code == "wrong_code"
        assert between.from_victim[:2] == [CodeShare.type, Confirm.type]
        assert between.from_host[0] == HostShare.type
        assert Confirm.type not in between.from_host, "a host confirms nothing before it has heard the right one"
        assert not table.table.viewers
        assert table.door._wrong == 1


async def test_a_false_table_that_asks_for_no_code_does_not_get_a_guest_with_one(tmp_path: Path) -> None:
    async with opened(tmp_path / "false", None) as false:
        assert await refused(false, tmp_path / "a", Door.of("").code) == "code_unasked"


async def test_a_table_that_does_not_know_the_code_is_found_out(tmp_path: Path) -> None:
    """It lets everybody in who shows anything; but it cannot confirm."""
    async with opened(tmp_path) as table:
        table.door.judge = lambda knock, fits, now: None  # type: ignore[method-assign]
        secret = read_secret(NOT_IT)
        link, handshake = await greeted(table.address, Identity.create())
        with pytest.raises(Refusal) as turned:
            await give_code(link, handshake, secret)
        assert turned.value.code == "bad_signature"
        link.abort("left")


async def test_nothing_of_a_code_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    async with opened(tmp_path) as table:
        await refused(table, tmp_path / "a", NOT_IT)
        async with await join(table, tmp_path / "a", "Anna", code=table.link("127.0.0.1")):
            pass
        told = caplog.text
        assert Server.__module__ in told
        assert not any(word in told for word in (table.door.token, table.door.code, NOT_IT))
