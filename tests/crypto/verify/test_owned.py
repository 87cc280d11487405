"""Sealed moves that the log leaves unopened, and what their owners write into their own files (records `O`)."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.codec import pack
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.host_log import CoSigning, HostLog, Written
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import parse
from tests.crypto.conftest import MARKED
from tests.crypto.forging import saved
from tests.crypto.table import Game, begin, seats


class Forgetful(HostLog):
    """A host that receives the openings of two seats with the last co-signatures and writes none of them."""

    def cosign(self, given: Mapping[int, CoSigning]) -> Written:
        left_out = {seat: replace(one, openings=()) for seat, one in given.items() if seat in (1, 2)}
        return super().cosign({**given, **left_out})


@pytest.fixture(scope="module")
def forgotten() -> Game:
    games = (begin(setup=MARKED, seed=seed, kind=Forgetful, followed=False).play() for seed in count(1))
    return next(game for game in games if unopened(game) == {1, 2})


def unopened(game: Game) -> set[int]:
    """The seats whose seals the log leaves unopened."""
    return {place.seat for place in game.host_log.audit.concealed.pending.values()}


@pytest.fixture(scope="module")
def owners(forgotten: Game) -> set[int]:
    """The seats whose seals the log leaves unopened."""
    return unopened(forgotten)


def files(game: Game, path: Path) -> dict[int | None, Path]:
    return {seat: saved(path / f"{seat}.ctr", game.transcript(seat)) for seat in seats(4)}


def missing(paths: list[Path]) -> tuple[int, set[int | None]]:
    report = verify(paths)
    assert {finding.code for finding in report.findings} <= {"unopened"}
    return report.code, {finding.seat for finding in report.findings}


@pytest.mark.slow
def test_owners_file_has_the_openings_that_the_host_omitted(
    forgotten: Game, owners: set[int], tmp_path: Path
) -> None:
    paths = files(forgotten, tmp_path)
    for seat, path in paths.items():
        left = owners - {seat}
        assert missing([path]) == (4 if left else 0, left)
        assert bool(parse(path.read_bytes()).own) == (seat in owners)
    assert missing(list(paths.values())) == (0, set())
    for seat in set(range(4)) - owners:
        assert missing([paths[seat], *(paths[owner] for owner in owners)]) == (0, set())
        assert missing([*(paths[owner] for owner in owners), paths[seat]]) == (0, set())


def test_owner_who_was_away_at_the_end_opens_in_the_own_file(tmp_path: Path) -> None:
    owner = 1

    def present(game: Game) -> list[int]:
        return [seat for seat in range(4) if seat != owner or not game.host_log.audit.over]

    game = begin(setup=MARKED, seed=3, followed=False)
    game.present = present
    game.play()
    assert game.host_log.audit.concealed.sealed_by(owner)
    paths = files(game, tmp_path)
    assert missing([paths[0]]) == (4, {owner})
    assert missing([paths[owner]]) == (0, set())
    assert missing([paths[0], paths[owner]]) == (0, set())


def own_record(openings: list[Opening]) -> bytes:
    body = pack(tuple(openings))
    return len(body).to_bytes(4, "big") + b"O" + body


@pytest.mark.slow
def test_wrong_opening_in_another_file_opens_nothing(forgotten: Game, owners: set[int], tmp_path: Path) -> None:
    """An opening with another star or another place opens no seal in any file."""
    data = forgotten.transcript(None, finish=False)
    good = [one for owner in sorted(owners) for one in forgotten.own_openings(owner)]
    assert verify([saved(tmp_path / "a.ctr", data + own_record(good))]).findings[0].code == "unsigned"
    for change in ({"slot": 9}, {"round": 99}, {"seat": 8}, {"kind": "pick"}, {"nonce": bytes(32)}):
        bad = [replace(one, **change) for one in good]
        report = verify([saved(tmp_path / "a.ctr", data + own_record(bad))])
        assert (report.code, {one.seat for one in report.findings if one.code == "unopened"}) == (4, owners)
