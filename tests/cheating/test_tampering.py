"""Every value in every entry and record of a real transcript, edited once: no edit goes unnoticed.

By somebody with an editor, who has no keys: the file is damaged, and nobody is accused. By the host, who chains
and signs everything anew: the file is proof against the host, also that of a client which left at once. By the
host with all players signing along: still refused or proof, because of chance, rules and commitments. No edit is
harmless but one, and it is tested: longer padding of a body is in the file's hash and in nothing else.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.log import Gap, Unsaid, decode_delta, decode_entry
from citadels_lan.crypto.packing import Malformed, pack, pad, unpack, unpad
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.verify import verify
from tests.crypto.forging import Draft, Forge, drafts, refused, saved
from tests.crypto.table import FP, GAME, HOST, Game
from tests.effort import one_case, quick

from .records import Place, edited, edits, finished, inside, joined, outside, records

PARTS = 6
"""All edits are made in so many tests."""

SIGNED_AGAIN = ("1 1 * 2", *(f"4 1 * event {seat} {at}" for seat in range(4) for at in (1, 2, 3)), "3 6", "5 1 *")
"""Where the players' signatures, protests and words are: who signs along signs anew, and nothing is wrong."""


class Edit(NamedTuple):
    """One edit: of which entry or record, where in it, and what. `shape` is the same for all of a kind."""

    at: int
    place: Place
    what: str
    shape: str


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
    assert not [finding for finding in report.findings if finding.accused]


def assert_host_alone(report: Report) -> None:
    found = [finding for finding in report.findings if finding.accused]
    assert found
    for finding in found:
        assert (finding.code, finding.accused) == ("host_cheated", "host")
        assert finding.evidence[0].key == HOST.public


# With an editor


def file_edits(game: Game) -> list[Edit]:
    found = []
    for at, (kind, body) in enumerate(finished(records(game, alarm=True), game)):
        value = inside(kind, body)
        name = f"{kind.decode()}{value[2][0] if kind == b'E' else ''}"
        found += [Edit(at, place, what, shape(name, value, place, what)) for place, what in edits(value)]
    return one_of_each(iter(found))


def check_file_edits(game: Game, folder: Path, step: int, first: int = 0) -> int:
    """Make the edits in a finished file, and again in one that has no footer."""
    whole = finished(records(game, alarm=True), game)
    assert verify([saved(folder / "a.ctr", joined(finished(records(game), game)))]).code == 0
    assert_nobody_accused(verify([saved(folder / "a.ctr", joined(whole))]), (4,))
    assert_nobody_accused(verify([saved(folder / "b.ctr", joined(whole[:-1]))]), (4,))
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
            assert_nobody_accused(report, (3, 4) if kind in (b"O", b"A") else (3,))
    return len(chosen)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_all_edits_in_a_file(marked: Game, tmp_path: Path, part: int) -> None:
    assert check_file_edits(marked, tmp_path, PARTS, part) > 20


@one_case("kind", [b"H", b"E", b"O", b"A", b"F"], parts=2)
@pytest.mark.parametrize("how", quick(["drop", "double", "empty", "another kind", "longer"], "drop", "empty"))
def test_records_dropped_doubled_and_emptied(marked: Game, tmp_path: Path, kind: bytes, how: str) -> None:
    whole = finished(records(marked, alarm=True), marked)
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
    """The entries with one edit; None if nothing is changed."""
    entries = drafts(game)
    public = pack(edited(unpack(game.host_log.written[edit.at].public), edit.place, edit.what))
    draft = entries[edit.at]
    try:
        changed = decode_entry(public)
    except Malformed:
        draft.public = public
        return entries
    if changed == draft.entry:
        return None
    draft.entry = changed
    return entries


def taken(entries: list[Draft], fault_at: int, folder: Path) -> Report:
    """The file of an honest client that left because of this entry."""
    data = Forge(players=False).file(entries[:fault_at], finish=False)
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
        if {finding.code for finding in report.findings} <= {"other_rules", "forged"}:
            # Who knows the edition may find it right; the host of another table has not signed this.
            assert_nobody_accused(report, (3, 5))
        else:
            assert_host_alone(report)
    return len(chosen)


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
        assert report.code in (1, 3, 5), edit
        codes = {finding.code for finding in report.findings}
        if "other_rules" in codes:  # nobody here sits down at such a table, and nobody can say how it is played
            continue
        if "host_cheated" not in codes:
            assert refused(entries) is not None, edit
    return len(chosen)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_all_edits_that_everybody_signs(marked: Game, tmp_path: Path, part: int) -> None:
    assert check_conspiracy(marked, tmp_path, PARTS, part) > 20


# What one viewer is sent


@pytest.mark.parametrize(("viewer", "count"), quick([(0, 2), (0, 6), (3, 6)], (0, 2)))
def test_edits_of_what_one_seat_is_told_in_private(marked: Game, tmp_path: Path, viewer: int, count: int) -> None:
    """The leaf is made to fit: only the game itself is against it, in the file of that seat and of another."""
    places = [
        (at, place, what)
        for at, draft in enumerate(drafts(marked))
        if viewer in draft.private
        for place, what in edits(unpack(draft.private[viewer]))
    ]
    for at, place, what in places[:: len(places) // count]:
        entries = drafts(marked)
        entries[at].private[viewer] = pack(edited(unpack(entries[at].private[viewer]), place, what))
        for owner in (viewer, 1):
            assert_host_alone(verify([saved(tmp_path / "a.ctr", Forge().file(entries, owner))]))


def test_edits_of_a_frame_are_refused(marked: Game) -> None:
    """Every value of a delta but its padding, which is in no hash but that of the file."""
    n = next(one.n for one in marked.host_log.written if dict(one.private).get(0))
    body = marked.bodies[n - 1][0]
    value = unpad(body)
    for place, what in edits(value):
        client_log = ClientLog(GAME, marked.host_log.header.rules, FP, HOST.public, 0)
        for bodies in marked.bodies[: n - 1]:
            client_log.receive(bodies[0])
        with pytest.raises((Gap, Malformed, Unsaid)):
            client_log.receive(pad(pack(edited(value, place, what))))
    assert decode_delta(body + bytes(2048 - len(body))) == decode_delta(body)
