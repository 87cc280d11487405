"""Hosts that state a wrong length of the log, or send another entry for an old number."""

import re
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.codec import pack
from citadels_lan.crypto.log import Open, decode_entry, encode_delta, entry_hash, sign_entry
from citadels_lan.engine import acting
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.host.audience import Viewer
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import ENTRY, Frame, Welcome
from tests.cheating.attacks import assert_verdict
from tests.cheating.court import Court
from tests.facts import first_table
from tests.net.room import Guest

NOWHERE = bytes([5]) * 32
"""A hash that no entry has."""


@pytest.fixture
def court(tmp_path: Path) -> Court:
    court = Court(tmp_path, first_table(2))
    court.begin()
    return court.play(30)


def lie_to(court: Court, victim: Guest, further: int, patch: pytest.MonkeyPatch, *, signed: bool) -> None:
    """Let `victim` reconnect to a host that claims to have `further` more entries than it has. `signed`: the
    host signs that."""
    honest, core = HostTable._welcome_of, court.core

    def welcome_of(table: HostTable, viewer: Viewer) -> Welcome:
        welcome = honest(table, viewer)
        if viewer.key != victim.identity.public:
            return welcome
        n = welcome.n + further
        said = sign_entry(core.host, core.game, n, NOWHERE) if signed else welcome.said
        return replace(welcome, n=n, head=NOWHERE if signed else welcome.head, said=said)

    patch.setattr(HostTable, "_welcome_of", welcome_of)
    victim.cut()
    victim.join()
    court.carry()


def asked(court: Court) -> tuple[Guest, Guest]:
    """Return the guest who has to move, and the other guest."""
    (seat,) = acting(court.game.state)
    players = sorted(court.players, key=lambda guest: guest.client.seat != seat)
    return players[0], players[1]


def test_client_leaves_a_host_that_tells_a_log_length_without_a_valid_signature(
    court: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the host could claim a longer log without signing it, the client would count the next entries as
    made before it connected, and would not protest against a substitute bot's move in them."""
    _, victim = asked(court)
    n = court.game.n
    lie_to(court, victim, 1, monkeypatch, signed=False)
    assert court.left == {victim.name: "unsigned"}
    assert victim.client.trust.target <= n, "it counts for nothing"
    assert_verdict(court, 4)


def test_signed_log_length_with_another_last_entry_raises_an_alarm(
    court: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing, victim = asked(court)
    n = court.game.n
    lie_to(court, victim, 1, monkeypatch, signed=True)
    assert victim.client.behind
    playing.act(court.choice(playing))
    assert court.game.n > n
    farewell = victim.client.trust.farewell
    assert farewell is not None
    assert (farewell.code, farewell.details["n"]) == ("two_histories", n + 1)
    assert any(isinstance(update, Alarm) for update in victim.client.updates)
    court.files()
    assert victim.records.path is not None
    assert_verdict([victim.records.path], 4)


def otherwise(court: Court, n: int, seat: int) -> bytes:
    """Return another first entry, signed by the host, as seat `seat` would receive it. All clients have an
    entry with that number."""
    log, core = court.game.host_log, court.core
    delta = log.delta(n, seat)
    entry = decode_entry(delta.public)
    assert isinstance(entry, Open)
    public = pack(replace(entry, header=replace(entry.header, program="another")))
    head = entry_hash(log.heads[n - 1], n, public, delta.leaves)
    return encode_delta(replace(delta, public=public, signature=sign_entry(core.host, core.game, n, head)))


def give(guest: Guest, body: bytes) -> None:
    guest.client.receive(Frame(ENTRY, body))


def test_second_entry_for_an_old_number_raises_an_alarm(court: Court) -> None:
    """The player who receives it leaves. It is no proof without the file of a player who has the other entry."""
    guest = court.players[0]
    with pytest.raises(Refusal) as left:
        give(guest, otherwise(court, 1, 0))
    assert guest.client.trust.farewell is left.value
    assert left.value.code == "two_histories"
    court.files()
    path = guest.records.path
    assert path is not None
    report = assert_verdict([path], 4)
    assert "told_otherwise" in {finding.code for finding in report.findings}


def test_unsigned_entry_for_an_old_number_closes_the_connection(court: Court) -> None:
    """A known entry may arrive again. Another entry without a signature ends the connection."""
    guest, log = court.players[0], court.game.host_log
    give(guest, log.body(5, 0))
    assert guest.client.trust.farewell is None
    delta = log.delta(1, 0)
    entry = decode_entry(delta.public)
    assert isinstance(entry, Open)
    public = pack(replace(entry, header=replace(entry.header, program="another")))
    with pytest.raises(Refusal) as left:
        give(guest, encode_delta(replace(delta, public=public)))
    assert left.value.code == "unsigned"
    assert_verdict(court, 4)


ROOT: Final = Path(__file__).parents[2]


def test_attacks_page_names_an_existing_test_for_each_defence() -> None:
    document = (ROOT / "docs" / "attacks.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_/]+(?:\.py)?)`", document))
    assert named
    assert [name for name in sorted(named) if not has_tests(ROOT / "tests" / name)] == []
    for line in document.split("## Measured")[0].splitlines():
        if line.startswith("| ") and not line.startswith("| attack"):
            attack, defence, test, _ = (cell.strip() for cell in line.strip("|").split("|"))
            assert re.search(r"`(python -m )?[a-z_]+[/.]", test) or defence.startswith("none"), attack


def has_tests(path: Path) -> bool:
    """Return whether a module or folder contains tests or is a benchmark."""
    modules = [path] if path.is_file() else list(path.glob("**/test_*.py"))
    found = [module.read_text(encoding="utf-8") for module in modules]
    return any("def test_" in text or "__main__" in text for text in found)
