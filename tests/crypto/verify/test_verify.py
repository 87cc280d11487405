from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import Open, TableMove
from citadels_lan.crypto.replay import chance_of, play
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import DEFAULT, EDITIONS
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import Game, player, seats, with_bodies
from tests.effort import one_case
from tests.engine.tables import Tables
from tools.long_verify import Outcome, checked, run


def test_honest_game_is_verified_from_every_seat(four: Game, tmp_path: Path) -> None:
    paths = [saved(tmp_path / f"{seat}.ctr", four.transcript(seat)) for seat in seats(4)]
    for path in paths:
        assert verify([path]).code == 0
    report = verify(paths)
    assert (report.code, report.findings) == (0, ())
    assert {file.compared for file in report.files} == {4}
    file = report.files[0]
    assert file.links == len(four.bodies)
    log, chance = four.host_log, chance_of(four.host_log.audit)
    assert list(play(log.header, log.entries(), log.line, chance))
    assert file.counts.outcomes == chance.asked
    assert all(one.seats == (0, 1, 2, 3) for one in file.tally.cosigned)
    assert min(file.signatures, file.openings, file.counts.events, file.counts.leaves) > 50
    assert "verified" in report_text.text(report)


@one_case("n", [0, 1, 3, 4, 9, 40, 80])
def test_unfinished_game_is_incomplete(duel: Game, tmp_path: Path, n: int) -> None:
    data = with_bodies(duel, duel.bodies[:n]).transcript(0, finish=False)
    report = verify([saved(tmp_path / "a.ctr", data)])
    assert (report.code, [finding.code for finding in report.findings]) == (4, ["unfinished"])
    report = verify([saved(tmp_path / "a.ctr", data[:-1] if n else data)])
    assert report.code == 4
    assert n == 0 or report.findings[0].code == "torn"


def test_game_without_its_owners_signature_is_incomplete(duel: Game, tmp_path: Path) -> None:
    report = verify([saved(tmp_path / "a.ctr", duel.transcript(0, finish=False))])
    assert (report.code, report.findings[0].code) == (4, "unsigned")


def with_rules(game: Game, rules: bytes, program: str = "citadels-lan 7.0", **changes: object) -> list[Draft]:
    """The entries of a game at a host with other rules."""
    entries = drafts(game)
    opening = entries[0].entry
    assert isinstance(opening, Open)
    entries[0].entry = Open(replace(opening.header, rules=rules, program=program, **changes))
    return entries


@one_case("edition", ["2016", "classic", "of_1066"])
def test_game_with_other_rules_gets_exit_5_and_no_accusation(duel: Game, tmp_path: Path, edition: str) -> None:
    """Nothing in the file is judged, not even what contradicts the rules of this program."""
    entries = with_rules(duel, bytes(32), edition=edition)
    entries[find(entries, TableMove)].entry = TableMove([[199, "unheard of"]])
    path = saved(tmp_path / "a.ctr", Forge(rules=bytes(32)).file(entries))
    report = verify([path])
    assert (report.code, [finding.code for finding in report.findings]) == (5, ["other_rules"])
    text = " ".join(report_text.text(report).split())
    assert text.startswith("NOT CHECKED: the game was played with other rules. No one is accused.")
    assert f"Install citadels-lan 7.0 with the rules 00000000 of the edition {edition}." in text
    assert figures(report)["verdict"] == "other_rules"


def test_other_rules_without_a_header_accuse_no_one(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    entries[0].entry = TableMove([])
    report = verify([saved(tmp_path / "a.ctr", Forge(rules=bytes(32)).file(entries))])
    assert (report.code, [finding.code for finding in report.findings]) == (5, ["unknown_rules"])


def test_file_with_a_key_of_another_seat_is_damaged(duel: Game, tmp_path: Path) -> None:
    data = duel.transcript(0, finish=False).replace(player(0).public, player(5).public, 1)
    report = verify([saved(tmp_path / "a.ctr", data)])
    assert (report.code, report.findings[0].code) == (3, "owner")


# Random games, as in `tools.long_verify`


GAMES = [("classic", 20), (DEFAULT, 26)]
"""In these somebody is away or late or left out, and something is sealed."""
GAMES_MORE = 30
ONE_OF_EACH = [(edition, 21) for edition in EDITIONS]


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ONE_OF_EACH], ids=["few", "each edition"])
def test_random_games_are_verified(tmp_path_factory: pytest.TempPathFactory, more: list[tuple[str, int]]) -> None:
    folder = tmp_path_factory.mktemp("games")
    outcomes = [checked(seed, folder, Tables((edition,))) for edition, seed in [*GAMES, *more]]
    assert [one.wrong for one in outcomes if one.wrong] == []
    assert all(one.entries > 60 for one in outcomes)
    assert any(one.missed for one in outcomes)
    assert any(one.sealed for one in outcomes)
    assert any(one.wordless for one in outcomes)
    assert any(one.protests for one in outcomes)
    assert not list(folder.iterdir())


def test_long_verify_reports_an_error(tmp_path_factory: pytest.TempPathFactory) -> None:
    missing = tmp_path_factory.mktemp("games") / "nowhere"
    outcome: Outcome = checked(20, missing)
    assert "FileNotFoundError" in outcome.wrong


@pytest.mark.slow
@pytest.mark.long
def test_many_random_games_are_verified() -> None:
    sums, wrong = run(GAMES_MORE, 2, 2)
    assert wrong == []
    assert sums["games"] == GAMES_MORE
