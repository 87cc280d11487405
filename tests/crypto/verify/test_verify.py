import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import Open, TableMove
from citadels_lan.crypto.replay import chance_of, play
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Damaged, parse
from citadels_lan.engine import TableConfig, from_scenario
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import Game, begin, player, recorded, seats, with_bodies
from tests.effort import one_case, quick
from tests.facts import RULES, SCENARIOS


def test_an_honest_game_is_verified_from_every_seat(four: Game, tmp_path: Path) -> None:
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


SETUPS = [from_scenario(key, players) for key, players in zip(SCENARIOS, (2, 3, 4, 5, 6, 7), strict=False)]


TABLES = [*SETUPS, TableConfig(5, (), ()), TableConfig(8, (), ())]
QUICK = (2, 4, 5)


@pytest.mark.parametrize(
    "setup",
    [pytest.param(one, marks=() if one.players in QUICK else pytest.mark.slow) for one in TABLES],
    ids=lambda one: str(one.players),
)
def test_no_false_alarm(setup: TableConfig, tmp_path: Path) -> None:
    game = recorded(setup=setup, seed=7)
    report = verify([saved(tmp_path / "a.ctr", game.transcript(1))])
    assert (report.code, report.findings) == (0, ())


@one_case("n", [0, 1, 3, 4, 9, 40, 80])
def test_an_unfinished_game_is_incomplete(duel: Game, tmp_path: Path, n: int) -> None:
    data = with_bodies(duel, duel.bodies[:n]).transcript(0, finish=False)
    report = verify([saved(tmp_path / "a.ctr", data)])
    assert (report.code, [finding.code for finding in report.findings]) == (4, ["unfinished"])
    report = verify([saved(tmp_path / "a.ctr", data[:-1] if n else data)])
    assert report.code == 4


def test_a_game_without_its_owners_signature_is_incomplete(duel: Game, tmp_path: Path) -> None:
    report = verify([saved(tmp_path / "a.ctr", duel.transcript(0, finish=False))])
    assert (report.code, report.findings[0].code) == (4, "unsigned")


def test_a_signed_file_of_an_aborted_game_is_incomplete(tmp_path: Path) -> None:
    game = begin(2).play(until=lambda game: game.state.round > 2)
    report = verify([saved(tmp_path / "a.ctr", game.transcript(0))])
    assert (report.code, report.findings[0].code) == (4, "unfinished")


def test_what_is_no_transcript(tmp_path: Path) -> None:
    report = verify([saved(tmp_path / "a.ctr", b"hello"), tmp_path / "missing.ctr", tmp_path])
    assert report.code == 3
    assert [finding.code for finding in report.findings] == ["not_transcript", "unreadable", "unreadable"]
    assert verify([]).code == 3


def with_rules(game: Game, rules: bytes, program: str = "citadels-lan 7.0", **changes: object) -> list[Draft]:
    """The entries of a game as a host with other rules has them."""
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


def test_damage_goes_before_other_rules(duel: Game, tmp_path: Path) -> None:
    data = bytearray(Forge(rules=bytes(32)).file(with_rules(duel, bytes(32))))
    data[-300] ^= 1
    report = verify([saved(tmp_path / "a.ctr", bytes(data))])
    assert report.code == 3
    assert {finding.code for finding in report.findings} >= {"other_rules"}


def test_edited_rules_digest_is_damage(duel: Game, tmp_path: Path) -> None:
    """The chain begins with the digest, so whoever edits it breaks the first link."""
    data = duel.transcript(0).replace(RULES, bytes(32), 1)
    report = verify([saved(tmp_path / "a.ctr", data)])
    assert (report.code, [finding.code for finding in report.findings]) == (3, ["changed_at"])


def test_two_histories_with_other_rules_accuse_no_one(duel: Game, tmp_path: Path) -> None:
    one = with_rules(duel, bytes(32))
    other = with_rules(duel, bytes(32), "citadels-lan 7.1")
    paths = [
        saved(tmp_path / f"{number}.ctr", Forge(rules=bytes(32)).file(entries))
        for number, entries in enumerate((one, other))
    ]
    assert verify(paths).code == 5


@pytest.mark.parametrize("step", quick([37, 1], 37))
def test_flipped_bytes_all_over_a_finished_file_are_seen(duel: Game, step: int) -> None:
    """Whatever is flipped, the file cannot be read or is not what was signed."""
    data = bytearray(duel.transcript(0))
    chance = random.Random(5)
    middle = range(3000, len(data) - 1000, 11)
    for at in (*range(3000), *middle, *range(len(data) - 1000, len(data)))[::step]:
        bit = 1 << chance.randrange(8)
        data[at] ^= bit
        try:
            transcript = parse(bytes(data))
        except Damaged:
            pass
        else:
            assert not (transcript.whole and transcript.signed(duel.host_log.chain))
        data[at] ^= bit


@pytest.mark.parametrize("tries", quick([3, 30], 3))
def test_flipped_bits_are_damage_and_accuse_nobody(duel: Game, tmp_path: Path, tries: int) -> None:
    """In finished and in unfinished files: never verified, never anybody's fault, always a sentence."""
    chance = random.Random(6)
    for finish in (True, False):
        whole = duel.transcript(0, finish=finish)
        places = [
            *range(0, 160, 270 // tries),
            *(chance.randrange(len(whole)) for _ in range(tries)),
            len(whole) - 1,
        ]
        for at in places:
            data = bytearray(whole)
            data[at] ^= 1 << chance.randrange(8)
            report = verify([saved(tmp_path / "a.ctr", bytes(data))])
            assert report.code in (3, 4), at
            assert finish is False or report.code == 3 or report.findings[0].code == "torn"
            assert report.findings
            assert "damaged" in report_text.text(report) or "transcript" in report_text.text(report)


@pytest.mark.slow
def test_a_flip_never_speaks_against_another_file(duel: Game, tmp_path: Path) -> None:
    chance = random.Random(7)
    good = saved(tmp_path / "b.ctr", duel.transcript(1))
    for _ in range(12):
        data = bytearray(duel.transcript(0))
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        report = verify([saved(tmp_path / "a.ctr", bytes(data)), good])
        assert report.code in (3, 4)
        assert all(finding.kind != "proof" for finding in report.findings)
        assert report.files[1].code == 0


def test_removed_and_repeated_records_are_damage(duel: Game, tmp_path: Path) -> None:
    bodies = list(duel.bodies)
    for changed in (
        bodies[:5] + bodies[6:],
        bodies[:6] + bodies[5:],
        [*bodies[:5], bodies[6], bodies[5], *bodies[7:]],
    ):
        game = with_bodies(duel, changed)
        for one in (game.transcript(0, finish=finish) for finish in (True, False)):
            report = verify([saved(tmp_path / "a.ctr", one)])
            assert (report.code, report.findings[0].code) == (3, "link")


def test_a_file_whose_key_is_not_that_of_its_seat(duel: Game, tmp_path: Path) -> None:
    data = duel.transcript(0, finish=False).replace(player(0).public, player(5).public, 1)
    report = verify([saved(tmp_path / "a.ctr", data)])
    assert (report.code, report.findings[0].code) == (3, "owner")


def test_files_of_different_games_are_not_compared(duel: Game, four: Game, tmp_path: Path) -> None:
    one = saved(tmp_path / "a.ctr", duel.transcript(0))
    report = verify([one, one])
    assert report.code == 0
    assert [file.compared for file in report.files] == [1, 1]


def test_no_secret_is_in_a_report_of_a_damaged_file(duel: Game, tmp_path: Path) -> None:
    data = bytearray(duel.transcript(0, finish=False))
    data[len(data) // 2] ^= 4
    text = report_text.text(verify([saved(tmp_path / "a.ctr", bytes(data))]))
    for written in duel.host_log.written:
        for opening in written.openings:
            assert opening.nonce.hex() not in text
