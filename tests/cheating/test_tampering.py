"""Every value in every entry and record of a real transcript, edited once: no edit goes unnoticed.

By somebody with an editor, who has no keys: the file is damaged, and nobody is accused. By the host, who chains
and signs everything anew: a client refuses it, or the file is proof against the host. By the host with all players
signing along: still refused or proof, because of chance, rules and commitments. No edit is harmless but one, and
it is tested: longer padding of a body is in the file's hash and in nothing else.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.delta import decode_delta
from citadels_lan.crypto.faults import Gap, Mismatch
from citadels_lan.crypto.log import Close, Seal, decode_entry
from citadels_lan.crypto.packing import Malformed, pack, pad, unpack, unpad
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.signed_head import encode
from citadels_lan.crypto.transcript import MAGIC, footer_fields
from tests.crypto.forging import Draft, Forge, drafts, refused, saved
from tests.crypto.heads import statements
from tests.crypto.table import FP, GAME, HOST, Game, player

Place = tuple[int, ...]
SAMPLE = 50
"""In the quick suite every so many edits one is made."""
PARTS = 6
"""All edits are made in so many tests."""

SIGNED_AGAIN = ("2 2", "8 3", "5 1")
"""Where the players' signatures are: who signs along signs anew, and nothing of such an edit is left."""


class Edit(NamedTuple):
    """One edit: of which entry or record, where in it, and what. `shape` is the same for all of a kind."""

    at: int
    place: Place
    what: str
    shape: str


def edits(value: Any, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """All places in a decoded value, and what can be done there."""
    if isinstance(value, list):
        if value:
            yield place, "drop"
            yield place, "double"
        for index, item in enumerate(value):
            yield from edits(item, (*place, index))
    elif isinstance(value, bytes):
        yield place, "flip"
    elif value is None:
        yield place, "fill"
    else:
        yield place, "change"


def edited(value: Any, place: Place, what: str) -> Any:
    """The value with one edit."""
    if place:
        return [edited(item, place[1:], what) if at == place[0] else item for at, item in enumerate(value)]
    if what == "drop":
        return value[:-1]
    if what == "double":
        return [*value, value[-1]]
    if what == "fill":
        return 0
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, bytes):
        middle = len(value) // 2
        return value[:middle] + bytes([value[middle] ^ 1]) + value[middle + 1 :] if value else b"x"
    return f"{value}x" if value != "?" else "king"


def shape(kind: str, value: Any, place: Place, what: str) -> str:
    """What kind of place it is: indices in lists of many like things do not matter, tags of events do."""
    words, here = [kind], value
    for index in place:
        many = (len(here) > 1 and len({type(item) for item in here}) == 1) or isinstance(here[0], list)
        words.append("*" if many else str(index))
        here = here[index]
        if isinstance(here, list) and here and isinstance(here[0], int) and len(words) == 3:
            words.append(f"event {here[0]}")
    return f"{' '.join(words)}: {what}"


def one_of_each(found: Iterator[Edit]) -> list[Edit]:
    """The last edit of each shape: late enough that much depends on it."""
    return list({edit.shape: edit for edit in found}.values())


def entry_edits(game: Game) -> list[Edit]:
    found = (
        Edit(at, place, what, shape(str(value[0]), value, place, what))
        for at, written in enumerate(game.host_log.written)
        for value in [unpack(written.public)]
        for place, what in edits(value)
    )
    return one_of_each(found)


def assert_nobody_accused(report: Report, codes: tuple[int, ...] = (3,)) -> None:
    assert report.code in codes
    assert not [finding for finding in report.findings if finding.kind == "proof"]


def assert_host_alone(report: Report) -> None:
    found = [finding for finding in report.findings if finding.kind == "proof"]
    assert found
    for finding in found:
        assert finding.code == "host_cheated"
        assert finding.evidence[0].key == HOST.public


# With an editor


def records(game: Game) -> list[tuple[bytes, bytes]]:
    """The records of a file of seat 0 that has all kinds."""
    data = game.transcript(0, finish=False)
    found, at = [], len(MAGIC)
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        found.append((data[at + 4 : at + 5], data[at + 5 : at + 5 + length]))
        at += 5 + length
    openings = list(game.host_log.audit.opened.values())[:2]
    return [*found, (b"O", pack(tuple(openings))), (b"G", encode(statements(game)[1]))]


def joined(some: list[tuple[bytes, bytes]]) -> bytes:
    return MAGIC + b"".join(len(body).to_bytes(4, "big") + kind + body for kind, body in some)


def finished(some: list[tuple[bytes, bytes]], game: Game) -> list[tuple[bytes, bytes]]:
    """The records with the owner's footer."""
    sha256 = hashlib.sha256(joined(some)).digest()
    fields = footer_fields(game.host_log.header.game_id, game.host_log.chain, sha256)
    return [*some, (b"F", pack([sha256, player(0).sign("transcript", *fields)]))]


def inside(kind: bytes, body: bytes) -> Any:
    """What a record says, an entry with its public and private parts decoded."""
    if kind != b"E":
        return unpack(body)
    n, check, public, leaves, salt, private = unpad(body)
    return [n, check, unpack(public), leaves, salt, unpack(private) if private is not None else None]


def outside(kind: bytes, value: Any) -> bytes:
    """The record that says it."""
    if kind != b"E" or not isinstance(value, list) or len(value) != 6:
        return pad(pack(value)) if kind == b"E" else pack(value)
    n, check, public, leaves, salt, private = value
    private = pack(private) if isinstance(private, list) else private
    return pad(pack([n, check, pack(public) if isinstance(public, list) else public, leaves, salt, private]))


def file_edits(game: Game) -> list[Edit]:
    found = []
    for at, (kind, body) in enumerate(finished(records(game), game)):
        value = inside(kind, body)
        name = f"{kind.decode()}{value[2][0] if kind == b'E' else ''}"
        found += [Edit(at, place, what, shape(name, value, place, what)) for place, what in edits(value)]
    return one_of_each(iter(found))


def check_file_edits(game: Game, folder: Path, step: int, first: int = 0) -> int:
    """Make the edits in a finished file, and again in one that has no footer."""
    whole = finished(records(game), game)
    assert verify([saved(folder / "a.ctr", joined(whole))]).code == 0
    assert verify([saved(folder / "b.ctr", joined(whole[:-1]))]).code == 4
    other = saved(folder / "c.ctr", game.transcript(1))
    chosen = file_edits(game)[first::step]
    for edit in chosen:
        kind, body = whole[edit.at]
        changed = outside(kind, edited(inside(kind, body), edit.place, edit.what))
        assert changed != body, edit
        some = [*whole[: edit.at], (kind, changed), *whole[edit.at + 1 :]]
        report = verify([saved(folder / "a.ctr", joined(some)), other])
        assert_nobody_accused(report)
        assert report.files[1].code == 0
        if kind != b"F":
            report = verify([saved(folder / "b.ctr", joined(some[:-1]))])
            assert_nobody_accused(report, (3, 4) if kind in (b"O", b"G") else (3,))
    return len(chosen)


def test_edits_in_a_file(marked: Game, tmp_path: Path) -> None:
    assert check_file_edits(marked, tmp_path, SAMPLE) > 5


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_all_edits_in_a_file(marked: Game, tmp_path: Path, part: int) -> None:
    assert check_file_edits(marked, tmp_path, PARTS, part) > 20


@pytest.mark.parametrize("kind", [b"H", b"E", b"O", b"G", b"F"])
@pytest.mark.parametrize("how", ["drop", "double", "empty", "another kind", "longer"])
def test_records_dropped_doubled_and_emptied(marked: Game, tmp_path: Path, kind: bytes, how: str) -> None:
    whole = finished(records(marked), marked)
    at = [index for index, (each, _) in enumerate(whole) if each == kind][len(whole) // 2 if kind == b"E" else 0]
    body = whole[at][1]
    new = {
        "drop": [],
        "double": [whole[at], whole[at]],
        "empty": [(kind, b"")],
        "another kind": [(b"E" if kind != b"E" else b"O", body)],
        "longer": [(kind, body + bytes(1024))],
    }[how]
    report = verify([saved(tmp_path / "a.ctr", joined([*whole[:at], *new, *whole[at + 1 :]]))])
    assert_nobody_accused(report, (3, 4) if kind == b"F" and how == "drop" else (3,))


# By the host


def tampered(game: Game, edit: Edit) -> list[Draft] | None:
    """The entries with one edit; a seal or close that is changed is signed again. None if nothing is changed."""
    entries = drafts(game)
    public = pack(edited(unpack(game.host_log.written[edit.at].public), edit.place, edit.what))
    draft = entries[edit.at]
    own = isinstance(draft.entry, Seal | Close) and edit.place == (len(unpack(public)) - 1,)
    try:
        changed = decode_entry(public)
    except Malformed:
        draft.public = public
        return entries
    if changed == draft.entry:
        return None
    if own:
        draft.public = public
    else:
        draft.entry = changed
    return entries


def taken(entries: list[Draft], fault_at: int, folder: Path) -> Report:
    """The file of an honest client that refused this entry: with it only if it is a seal or close."""
    until = fault_at if isinstance(entries[fault_at - 1].entry, Seal | Close) else fault_at - 1
    data = Forge(players=False).file(entries[:until], finish=False)
    return verify([saved(folder / "a.ctr", data)])


def leaves_out_a_seal(edit: Edit, report: Report) -> bool:
    """Whether an edit drops the opening of a sealed move at the end: the game is incomplete then, and names whose
    it was, whoever left it out."""
    dropped = edit.what == "drop" and edit.shape.startswith(("7 1", "6 2"))
    return dropped and report.code == 4 and {finding.code for finding in report.findings} == {"unopened"}


def check_host_edits(game: Game, folder: Path, step: int, first: int = 0) -> int:
    """The host edits, chains and signs anew; the players' signatures are what they were."""
    chosen = entry_edits(game)[first::step]
    for edit in chosen:
        entries = tampered(game, edit)
        assert entries is not None, edit
        fault = refused(entries, forge=Forge(players=False))
        if fault is None:
            report = verify([saved(folder / "a.ctr", Forge(players=False).file(entries))])
            if not leaves_out_a_seal(edit, report):
                assert_host_alone(report)
            continue
        assert fault.n > edit.at
        report = taken(entries, fault.n, folder)
        if report.code == 1:
            assert_host_alone(report)
        else:
            assert_nobody_accused(report, (3, 4))
    return len(chosen)


def test_edits_by_the_host(marked: Game, tmp_path: Path) -> None:
    assert check_host_edits(marked, tmp_path, SAMPLE) > 5


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_all_edits_by_the_host(marked: Game, tmp_path: Path, part: int) -> None:
    assert check_host_edits(marked, tmp_path, PARTS, part) > 20


def check_conspiracy(game: Game, folder: Path, step: int, first: int = 0) -> int:
    """All players sign whatever the host says; a program that checks is still not to be had for it."""
    chosen = [edit for edit in entry_edits(game) if not edit.shape.startswith(SIGNED_AGAIN)][first::step]
    for edit in chosen:
        entries = tampered(game, edit)
        assert entries is not None, edit
        report = verify([saved(folder / "a.ctr", Forge().file(entries))])
        if leaves_out_a_seal(edit, report):
            continue
        assert report.code in (1, 3), edit
        codes = {finding.code for finding in report.findings}
        if "other_edition" in codes:  # nobody here sits down at such a table, and nobody can say how it is played
            continue
        if "host_cheated" not in codes:
            assert refused(entries) is not None, edit
    return len(chosen)


def test_edits_that_everybody_signs(marked: Game, tmp_path: Path) -> None:
    assert check_conspiracy(marked, tmp_path, SAMPLE) > 5


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_all_edits_that_everybody_signs(marked: Game, tmp_path: Path, part: int) -> None:
    assert check_conspiracy(marked, tmp_path, PARTS, part) > 20


# What one viewer is sent


@pytest.mark.parametrize("viewer", [0, 3])
def test_edits_of_what_one_seat_is_told_in_private(marked: Game, tmp_path: Path, viewer: int) -> None:
    """The leaf is made to fit: only the game itself is against it."""
    places = [
        (at, place, what)
        for at, draft in enumerate(drafts(marked))
        if viewer in draft.private
        for place, what in edits(unpack(draft.private[viewer]))
    ]
    for at, place, what in places[:: len(places) // 6]:
        entries = drafts(marked)
        entries[at].private[viewer] = pack(edited(unpack(entries[at].private[viewer]), place, what))
        assert_host_alone(verify([saved(tmp_path / "a.ctr", Forge().file(entries))]))


def test_edits_of_a_frame_are_refused(marked: Game) -> None:
    """Every value of a delta but its padding, which is in no hash but that of the file."""
    n = next(one.n for one in marked.host_log.written if dict(one.private).get(0))
    body = marked.bodies[n - 1][0]
    value = unpad(body)
    for place, what in edits(value):
        client_log = ClientLog(GAME, marked.host_log.header.rules, FP, 0)
        for bodies in marked.bodies[: n - 1]:
            client_log.receive(bodies[0])
        with pytest.raises((Gap, Malformed, Mismatch)):
            client_log.receive(pad(pack(edited(value, place, what))))
    assert decode_delta(body + bytes(2048 - len(body))) == decode_delta(body)
