"""The journal that a new host makes: it has the present format, and the table comes back from it."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.cli.open.takeover import make
from citadels_lan.crypto.chain import sign_entry
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import NewHost, decode_entry
from citadels_lan.crypto.migration.agreement import Proposal, agree, new_host
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.client.agreeing.pledges import Won
from citadels_lan.net.client.beside import House
from citadels_lan.net.client.moving import Heritage
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.journal import MAGIC, Content, Journal, read
from citadels_lan.net.host.new_host.succeeding import Successor
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.host.stand_ins import Takeover
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.host.viewers import Viewer
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Clock, Settings, TakesOver, Welcome
from tests.crypto.migrating import opened, told
from tests.crypto.table import GAME, Game, begin, player
from tests.facts import first_game
from tests.net.migrating import SHORT
from tests.net.playing import until
from tests.net.room import Guest, Room


def heritage(game: Game, successor: Successor, folder: Path) -> Heritage:
    """What seat 1 takes over, with the agreement of seat 2."""
    log, deltas, heads = told(game, 1)
    secret = opened(game, log, (1, 2))
    assert secret is not None
    keys = folder / "own.heir"
    proposal = Proposal(len(deltas), heads[-1], 1, *successor.prepare(keys))
    entry = new_host(proposal, {seat: agree(player(seat), GAME, proposal) for seat in (1, 2)})
    won = Won(proposal, entry, secret)
    return Heritage(log.audit.table, tuple(deltas), tuple(heads), won, keys, player(1).public)


async def journal(folder: Path, game: Game) -> Path:
    """That of the table which has gone on at seat 1, and is closed now."""
    successor = Successor(folder, host="127.0.0.1", announce=False, timing=SHORT)
    await successor.begin(heritage(game, successor, folder))
    await successor.close()
    (path,) = (folder / "tables").glob("*.journal")
    return path


@pytest.fixture(scope="module")
def game() -> Game:
    return begin(3, migrate=2, seed=4).play(until=lambda game: game.host_log.chain.n == 20)


async def test_it_has_the_present_format(tmp_path: Path, game: Game) -> None:
    path = await journal(tmp_path, game)
    content = read(path)
    assert path.read_bytes().startswith(MAGIC)
    assert content.whole
    assert isinstance(decode_entry(content.entries[20].public), NewHost)
    assert content.lobby is not None
    assert (content.lobby.settings.migrate, content.lobby.own) == (2, (player(1).public,))
    assert [place.key for place in content.lobby.places] == [player(seat).public for seat in range(3)]


async def test_its_keys_are_the_same_for_a_program_that_is_started_anew(tmp_path: Path) -> None:
    path = tmp_path / "own.heir"
    first = Successor(tmp_path).prepare(path)
    assert Successor(tmp_path).prepare(path) == first
    assert Successor(tmp_path).prepare(tmp_path / "other.heir") != first
    path.write_bytes(b"damaged")
    with pytest.raises(OSError, match="damaged"):
        Successor(tmp_path).prepare(path)


async def test_who_has_begun_goes_on_from_its_journal(tmp_path: Path, game: Game) -> None:
    """At the port where it was."""
    ports = []
    for _ in range(2):
        successor = Successor(tmp_path, host="127.0.0.1", announce=False, timing=SHORT)
        ports.append(await successor.begin(heritage(game, successor, tmp_path)))
        await successor.close()
    assert ports[0] == ports[1]
    (path,) = (tmp_path / "tables").glob("*.journal")
    assert len(read(path).entries) >= 21


async def test_what_a_crash_left_of_a_journal_is_written_again(tmp_path: Path, game: Game) -> None:
    whole = await journal(tmp_path, game)
    whole.rename(whole.with_suffix(".draft"))
    assert await journal(tmp_path, game) == whole
    assert len(read(whole).entries) >= 21


async def test_the_table_comes_back_from_it(tmp_path: Path, game: Game) -> None:
    path = await journal(tmp_path, game)
    async with open_table(Settings(), tmp_path, host="127.0.0.1", resume=path, timing=SHORT) as table:
        assert table.table.game is not None
        assert table.table.game.n == len(read(path).entries) > 20
        assert table.lost is None


def cut(path: Path, content: Content, entries: int) -> Path:
    """A journal with only so many of the entries."""
    other = path.with_name("cut.journal")
    assert content.lobby is not None
    begun = Journal.create(other, content.table, content.lobby)
    for written in content.entries[:entries]:
        begun.append(written)
    begun.close()
    return other


async def test_without_the_entry_that_makes_it_the_host_it_signs_nothing(tmp_path: Path, game: Game) -> None:
    """What comes there is another host's to sign."""
    path = await journal(tmp_path, game)
    shorter = cut(path, read(path), 20)
    with pytest.raises(Refusal) as refused:
        async with open_table(Settings(), tmp_path, host="127.0.0.1", resume=shorter, timing=SHORT):
            pass
    assert refused.value.code == "journal_damaged"


@pytest.mark.parametrize(
    ("told", "takeover"),
    [
        (TakesOver(7, "skip"), Takeover(make, 7, "skip")),
        (TakesOver(7, "unheard of"), Takeover(make, 7, "sensible")),
        (TakesOver(None, "skip"), Takeover(make, 60)),
        (TakesOver(None, ""), None),
    ],
)
async def test_the_table_is_run_as_before(
    tmp_path: Path, game: Game, told: TakesOver, takeover: Takeover | None
) -> None:
    successor = Successor(tmp_path, host="127.0.0.1", announce=False, timing=SHORT, takeover=Takeover(make, 60))
    await successor.begin(replace(heritage(game, successor, tmp_path), house=House(90, told)))
    assert successor._opened is not None
    table = successor._opened.result().table
    await successor.close()
    assert table.playing.takeover == takeover
    (clock,) = table.playing.pace.news(None, 0.0)
    assert clock == Clock(90, 0)


async def test_somebody_who_never_saw_the_host_before_may_watch(tmp_path: Path, game: Game) -> None:
    """The log shows how the host of now has become that."""
    successor = Successor(tmp_path, host="127.0.0.1", announce=False, timing=SHORT)
    await successor.begin(heritage(game, successor, tmp_path))
    assert successor._opened is not None
    table = successor._opened.result()
    people = {"address": table.address, "code": table.door.token, "timing": SHORT, "compare": False}
    watcher = await Session.join(data_dir=tmp_path / "w", name="Wanda", role="spectator", **people)  # type: ignore[arg-type]
    assert table.table.game is not None
    await until(lambda: watcher.head.n == table.table.game.n)  # type: ignore[union-attr]
    assert watcher.head.hash == table.table.game.head
    assert watcher.client is not None
    assert watcher.client.records.hosts[0] == (game.host_log.header.hostkey, game.host_log.header.fp)
    assert watcher.client.records.hosts[1:] == [successor.prepare(tmp_path / "own.heir")]
    await watcher.leave()
    again = await Session.join(data_dir=tmp_path / "w", name="Wanda", role="spectator", **people)  # type: ignore[arg-type]
    assert again.head.n == table.table.game.n
    await again.leave()
    await successor.close()
    assert again.transcript is not None
    assert {finding.kind for finding in verify([again.transcript]).findings} == {"incomplete"}


@pytest.mark.parametrize(("signs", "code"), [(True, "other_host"), (False, "unsigned")])
def test_whoever_shows_a_log_that_does_not_make_it_the_host_is_left(
    signs: bool, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else's game, all of it genuine, from a machine that nobody has agreed to; whether or not that signs
    how far the log goes."""
    room = Room(tmp_path, 3, settings=Settings(first_game(3), 0, 2)).begin().play(5)
    nobody, honest = Identity(bytes(32)), HostTable._welcome_of

    def welcome_of(table: HostTable, viewer: Viewer) -> Welcome:
        welcome = honest(table, viewer)
        return replace(welcome, said=sign_entry(nobody, room.core.game, welcome.n, welcome.head))

    if signs:
        monkeypatch.setattr(HostTable, "_welcome_of", welcome_of)
    watcher = Guest(room, "Wanda", player=False)
    watcher.records.host = nobody.public
    watcher.join()
    with pytest.raises(Refusal) as left:
        watcher.hear()
    assert left.value.code == code
    assert watcher.client.farewell is left.value
