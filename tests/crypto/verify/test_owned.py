"""Sealed moves that the log leaves unopened, and what their owners write into their own files (records `O`)."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.commitments import BREAKING, Opening, committed, manner
from citadels_lan.crypto.host_log import CoSigning, HostLog, Written
from citadels_lan.crypto.log import sign_move
from citadels_lan.crypto.packing import pack
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import parse
from citadels_lan.engine import Action, State, view
from tests.crypto.conftest import MARKED
from tests.crypto.forging import saved
from tests.crypto.table import GAME, Game, begin, nonce_key, player, seats
from tests.effort import quick


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
    """Whose seals the log leaves unopened."""
    return unopened(forgotten)


def files(game: Game, path: Path) -> dict[int | None, Path]:
    return {seat: saved(path / f"{seat}.ctr", game.transcript(seat)) for seat in seats(4)}


def missing(paths: list[Path]) -> tuple[int, set[int | None]]:
    report = verify(paths)
    assert {finding.code for finding in report.findings} <= {"unopened"}
    return report.code, {finding.seat for finding in report.findings}


@pytest.mark.slow
def test_the_owners_file_is_complete_where_the_host_left_out(
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


def test_whoever_did_not_open_is_named(forgotten: Game, owners: set[int], tmp_path: Path) -> None:
    path = files(forgotten, tmp_path)[None]
    verdict, _ = report_text.text(verify([path])).split("\n\n", 1)
    for seat in range(4):
        assert (f"Player {seat}" in verdict) == (seat in owners)
    assert "did not open all hidden moves" in verdict
    assert "cheated" not in verdict


def test_an_owner_who_was_away_at_the_end(tmp_path: Path) -> None:
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


def test_an_opening_in_a_file_of_another_game_opens_nothing_here(forgotten: Game, tmp_path: Path) -> None:
    paths = files(forgotten, tmp_path)
    other = saved(tmp_path / "x.ctr", forgotten.transcript(1).replace(bytes(range(16)), bytes(16)))
    report = verify([paths[None], other])
    assert report.files[0].code == 4


def own_record(openings: list[Opening]) -> bytes:
    body = pack(tuple(openings))
    return len(body).to_bytes(4, "big") + b"O" + body


@pytest.mark.slow
def test_nobody_opens_for_another_what_does_not_fit(forgotten: Game, owners: set[int], tmp_path: Path) -> None:
    """Neither another star nor another place opens a seal, whoever says so."""
    data = forgotten.transcript(None, finish=False)
    good = [one for owner in sorted(owners) for one in forgotten.own_openings(owner)]
    assert verify([saved(tmp_path / "a.ctr", data + own_record(good))]).findings[0].code == "unsigned"
    for change in ({"slot": 9}, {"round": 99}, {"seat": 8}, {"kind": "pick"}, {"nonce": bytes(32)}):
        bad = [replace(one, **change) for one in good]
        report = verify([saved(tmp_path / "a.ctr", data + own_record(bad))])
        assert (report.code, {one.seat for one in report.findings if one.code == "unopened"}) == (4, owners)


class Nonsense(Game):
    """A table where seats seal what never fits: other words than they show, or another place than theirs."""

    def __init__(self, like: Game, said: str, off: int) -> None:
        super().__init__(**vars(like))
        self.said, self.off = said, off
        self.hidden: dict[bytes, Opening] = {}

    def signed(self, seat: int, line: str) -> tuple[str | bytes, bytes, tuple[Opening, ...]]:
        if manner(line) != "sealed":
            return super().signed(seat, line)
        audit, verb = self.host_log.audit, line.split(" ", maxsplit=1)[0]
        slot = audit.concealed.slot(seat) + self.off
        opening = Opening(audit.round, seat, slot, verb, self.said or line, nonce_key(seat))
        commit = committed(GAME, opening)
        self.hidden[commit] = opening
        what = f"{line.replace('*', '')} sealed {commit.hex()}"
        return what, sign_move(player(seat), GAME, self.host_log.chain, seat, what), ()

    def own_openings(self, seat: int) -> list[Opening]:
        if self.host_log.audit.secret is None:
            return []  # the host would not take them
        return [self.hidden[commit] for commit, _ in self.host_log.audit.concealed.sealed_by(seat)]

    def own_view(self, seat: int) -> State:
        return view(self.state, seat)

    def random_action(self, seat: int) -> Action:
        while str(action := super().random_action(seat)) in BREAKING:
            pass  # it could not
        return action


@pytest.mark.slow
@pytest.mark.parametrize(("said", "off"), quick([("warrant king* thief*", 0), ("x", 0), ("", 1)], ("x", 0)))
def test_a_player_who_seals_nonsense_is_named(said: str, off: int, tmp_path: Path) -> None:
    """It can never be opened, in no file, not even by who sealed it; and nobody else is to blame."""
    game = Nonsense(begin(setup=MARKED, seed=2, followed=False), said, off)
    game.play()
    guilty = {place.seat for place in game.host_log.audit.concealed.pending.values()}
    assert guilty
    paths = files(game, tmp_path)
    assert missing(list(paths.values())) == (4, guilty)
    assert missing([paths[0]]) == (4, guilty)
