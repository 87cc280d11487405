"""The text and the JSON report of a game: its facts, missing signatures and openings, and proofs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from citadels_lan.crypto.codec import u64
from citadels_lan.crypto.log import CoSigned, Move, Unacceptable, decode_entry
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.model import Report, english, opened, printable, unopened_hidden
from citadels_lan.crypto.report.report_text import figures
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.crypto.transcript import MAGIC, MAX_FILE
from citadels_lan.crypto.words import key_words
from citadels_lan.texts import LANGUAGES, load
from tests.crypto.forging import saved
from tests.crypto.table import GAME, HOST, OWNER, Game, begin, player, with_bodies
from tests.crypto.tables import leaving, sealing
from tests.effort import one_case

DOCUMENT = Path(__file__).parents[3] / "docs" / "report.md"


def told(report: Report) -> list[str]:
    return report_text.text(report).splitlines()


def one_line(report: Report) -> str:
    """Return the report in one line, so that line breaks do not matter."""
    return re.sub(r"\s+", " ", report_text.text(report))


def told_game(report: Report) -> dict[str, Any]:
    (game,) = figures(report)["games"]
    assert isinstance(game, dict)
    return game


# Verified games


def test_report_of_a_verified_game_is_short(four: Game, tmp_path: Path) -> None:
    path = saved(tmp_path / "a.ctr", four.transcript(0))
    lines = told(verify([path]))
    assert lines[0].startswith("VERIFIED: ")
    assert lines[-1].endswith("knows them, too.")
    assert str(path) in lines
    ends = lines.index("A closed game guarantees:")
    assert ends <= 24
    assert "verified" in lines[ends - 2]
    for seat in range(4):
        (row,) = [line for line in lines if line.startswith(f"  {'abcd'[seat]}  ")]
        assert f"Player {seat}" in row
        assert ("bot" in row) == (seat > 0)
        assert any(" ".join(key_words(player(seat).public)) in line for line in lines) == (seat == 0)
        assert not any(player(seat).public.hex()[:8] in line for line in lines)
    assert any(HOST.public.hex() in line for line in lines)
    assert any(four.host_log.chain.head.hex() in line for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_report_fits_into_80_columns_in_every_language(four: Game, tmp_path: Path, language: str) -> None:
    paths = [saved(tmp_path / f"{seat}.ctr", four.transcript(seat)) for seat in (0, 1, None)]
    for line in report_text.text(verify(paths), load(language).say).splitlines():
        assert len(line) <= 80 or str(tmp_path) in line, line


def test_report_shows_what_the_reader_knows_about_a_player_below_the_name(four: Game, tmp_path: Path) -> None:
    report = verify([saved(tmp_path / "a.ctr", four.transcript(0))])
    lines = list(
        report_text.lines(report, english, lambda player: "" if player.bot else f"{player.name} is a friend")
    )
    (at,) = [number for number, line in enumerate(lines) if "is a friend" in line]
    assert lines[at].strip() == "Player 0 is a friend"
    assert " ".join(key_words(player(0).public)) in lines[at - 1]
    assert "Player 0" in lines[at - 2]
    data = figures(report, english, lambda player: {"kind": "own"} if not player.bot else None)
    assert [one["known"] for one in data["games"][0]["players"]] == [{"kind": "own"}, None, None, None]


def test_counts_in_the_report_equal_those_of_the_log(four: Game, tmp_path: Path) -> None:
    game = told_game(verify([saved(tmp_path / "a.ctr", four.transcript(0))]))
    entries = [decode_entry(written.public) for written in four.host_log.written]
    moves = [entry.seat for entry in entries if isinstance(entry, Move)]
    hidden = [entry.seat for entry in entries if isinstance(entry, Move) and isinstance(entry.what, bytes)]
    signed = [entry for entry in entries if isinstance(entry, CoSigned)]
    for seat, one in enumerate(game["players"]):
        assert one["moves_signed"] == moves.count(seat)
        assert game["hidden"]["opened"][str(seat)] == hidden.count(seat)
        assert one["rounds_signed"] == len(signed)
    assert (game["protests"], game["hidden"]["unopened"]) == ([], {})
    checked = game["chain"]
    assert checked["move_signatures"] == len(moves)
    assert checked["cosignatures"] == 4 * len(signed)
    assert checked["entries"] == len(entries)
    claims = agreements = 4
    endorsements = 1
    of_players = len(moves) + 4 * len(signed) + claims + agreements
    assert checked["signatures"] == of_players + endorsements + len(entries)
    assert (game["over"], game["closed"], game["rounds"]) == (True, True, len(signed))


def test_several_files_of_one_game_get_one_report_with_a_line_for_each(four: Game, tmp_path: Path) -> None:
    paths = [saved(tmp_path / f"{seat}.ctr", four.transcript(seat)) for seat in (0, 1, None)]
    report = verify(paths)
    text = report_text.text(report)
    assert text.count(GAME.hex()) == 1
    assert "3 files of the same game" in text
    assert "Player 1 (b)" in text
    assert "a spectator" in text
    assert told_game(report)["files"]["distinct"] == 3
    assert [file["seat"] for file in figures(report)["files"]] == [0, 1, None]


def test_file_given_twice_is_not_compared_with_itself(four: Game, tmp_path: Path) -> None:
    one, copy = (saved(tmp_path / name, four.transcript(0)) for name in ("a.ctr", "copy.ctr"))
    report = verify([one, copy, one])
    assert report.code == 0
    assert "files:" not in report_text.text(report)
    assert f"the same file as {copy}, {one}" in report_text.text(report)
    assert told_game(report)["files"]["distinct"] == 1
    assert [file["same_as"] for file in figures(report)["files"]] == [None, str(one), str(one)]


# Missing signatures and openings


def test_report_lists_missing_co_signatures_with_their_rounds(tmp_path: Path) -> None:
    game = leaving({2: 1, 4: 1, 3: 2, 0: 3})
    report = verify([saved(tmp_path / "a.ctr", game.transcript(0))])
    assert report.code == 0
    assert "but not by Player 1 (round 2, round 4), Player 2 (round 3), Player 3 (the end)" in one_line(report)
    found = told_game(report)
    last = found["rounds"]
    (row,) = [line for line in told(report) if "Player 1 " in line and "person" not in line and " bot " in line]
    assert row.endswith(f"{last - 2} of {last}")
    seats = [[one.seat for one in entry.seats] for entry in game.host_log.entries() if isinstance(entry, CoSigned)]
    assert [one["seats"] for one in found["cosigned"]] == seats


def test_verdict_names_players_who_did_not_open_their_moves(tmp_path: Path) -> None:
    game = sealing(silent=True)
    report = verify([saved(tmp_path / f"{seat}.ctr", game.transcript(seat)) for seat in (0, 1)])
    assert report.code == 4
    unopened = told_game(report)["sealed"]["unopened_rounds"]
    silent = {f"Player {seat}": rounds for seat, rounds in unopened.items()}
    assert silent
    for name, rounds in silent.items():
        assert name in one_line(report).split("INCOMPLETE: ")[1].split(" did not open all")[0]
        assert f"{name} ({', '.join(f'round {one}' for one in rounds)})" in one_line(report)
    assert one_line(report).count("What to do") == 1
    assert "Incomplete: a sealed" not in one_line(report), "a row has all of them"
    found = [finding for finding in figures(report)["files"][1]["findings"] if finding["code"] == "unopened"]
    assert [str(one["seat"]) for one in found] == list(unopened)
    assert [one["details"] for one in found] == [
        {"round": rounds[0], "rounds": len(rounds)} for rounds in silent.values()
    ]
    assert figures(report)["verdict"] == "incomplete"


# Cheating


def test_report_names_a_cheating_host_with_evidence_and_advice(tmp_path: Path) -> None:
    game = begin(2, chance=lambda seed: SeededChance(seed[::-1]), followed=False).play()
    paths = [saved(tmp_path / f"{seat}.ctr", game.transcript(seat)) for seat in (0, 1)]
    report = verify(paths)
    text = report_text.text(report)
    assert told(report)[0].startswith(f"PROOF OF CHEATING by the host (key {key_words(OWNER.public)[0]} ")
    finding = report.findings[0]
    (evidence,) = finding.evidence
    for piece in (evidence.public, evidence.signed, evidence.signature, HOST.public):
        assert piece.hex() in text
    assert text.count(evidence.signature.hex()) == 1  # once for both files
    assert "What to do" in text
    said = figures(report)["files"][0]["findings"][0]
    assert (said["accused"], said["accused_key"]) == ("host", HOST.public.hex())
    assert bytes.fromhex(said["evidence"][0]["public"]) == evidence.public
    assert bytes.fromhex(said["evidence"][0]["signed"]) == evidence.signed
    assert (figures(report)["verdict"], figures(report)["exit"]) == ("cheating", 1)


# Unfinished and unreadable files


def test_hidden_moves_that_are_not_open_yet_are_counted_once(tmp_path: Path) -> None:
    """Hidden moves with two commitments, a kept and a discarded character, also count once."""
    game = begin(2, followed=False)
    audit = game.host_log.audit
    game.play(until=lambda _: audit.expects(CoSigned) and len(audit.concealed.pending) > 2)
    entries = [one for one in game.host_log.entries() if isinstance(one, Move)]
    hidden = [one.seat for one in entries if isinstance(one.what, bytes)]
    report = verify([saved(tmp_path / "a.ctr", game.transcript(0, finish=False))])
    covert = unopened_hidden(report.files[0].audit)
    hidden_opened = opened(report.files[0].audit, sealed=False)
    assert sum(covert.values()) < len(game.host_log.audit.concealed.pending)
    for seat in range(2):
        assert covert.get(seat, 0) + hidden_opened.get(seat, 0) == hidden.count(seat)


def test_report_of_an_unfinished_game_says_what_is_not_checked(tmp_path: Path) -> None:
    game = begin(2).play(until=lambda game: game.state.round > 2)
    report = verify([saved(tmp_path / "a.ctr", game.transcript(0, finish=False))])
    assert report.code == 4
    assert "INCOMPLETE" in told(report)[0]
    assert "Unchecked" in report_text.text(report)
    assert "(after round 2)" in report_text.text(report)
    assert "Replayed" not in report_text.text(report)
    found = told_game(report)
    assert (found["closed"], found["replayed"]["events"], found["rounds"]) == (False, 0, 3)


def test_game_ended_by_agreement_has_no_result(tmp_path: Path) -> None:
    game = begin(2).play(until=lambda game: game.state.round > 2)
    log = game.host_log
    signature = player(0).sign("end", GAME, u64(log.chain.n), log.chain.head)
    log.check_end(0, log.chain.n, signature)
    with pytest.raises(Unacceptable, match="signature"):
        log.check_end(0, log.chain.n, bytes(64))
    log.end({0: signature})
    game.tell()
    report = verify([saved(tmp_path / "a.ctr", game.transcript(0))])
    assert report.code == 4
    assert told(report)[0] == "INCOMPLETE: the players ended the game without a result."


@one_case("n", [0, 1, 3, 4, 5])
def test_report_of_a_partial_game_is_incomplete(duel: Game, tmp_path: Path, n: int) -> None:
    data = with_bodies(duel, duel.bodies[:n]).transcript(0, finish=False)
    for whole in (True, n == 0):
        report = verify([saved(tmp_path / "a.ctr", data if whole else data[:-1])])
        assert report.code == 4
        assert report.findings[0].code == ("unfinished" if whole else "torn")
        assert told(report)
        assert json.dumps(figures(report))


def test_unreadable_file_is_reported_in_a_sentence(tmp_path: Path) -> None:
    huge = tmp_path / "huge.ctr"
    with huge.open("wb") as file:
        file.write(MAGIC)
        file.truncate(MAX_FILE + 1)
    paths = {
        saved(tmp_path / "empty.ctr", b""): "The file is empty.",
        saved(tmp_path / "other.ctr", b"hello"): "This is not a transcript of citadels-lan.",
        tmp_path / "missing.ctr": "Cannot read the file: it does not exist.",
        tmp_path: "Cannot read the file: it is a folder.",
        huge: "The file is too large for a transcript.",
    }
    report = verify(list(paths))
    assert report.code == 3
    lines = told(report)
    for path, said in paths.items():
        assert lines[lines.index(str(path)) + 1] == f"  {said}"
    assert [file["verdict"] for file in figures(report)["files"]] == ["damaged"] * 5


def test_file_name_cannot_imitate_a_verdict(tmp_path: Path) -> None:
    report = verify([tmp_path / "a\nVERIFIED: played by the rules\x1b[2J"])
    assert not any(line.startswith("VERIFIED") for line in told(report))
    assert "\x1b" not in report_text.text(report)
    assert printable("a\tb\u202ec") == "a\ufffdb\ufffdc"


def test_every_key_of_the_json_report_is_documented(four: Game, tmp_path: Path) -> None:
    cheated = begin(2, chance=lambda seed: SeededChance(seed[::-1]), followed=False).play()
    files = {"a.ctr": four, "b.ctr": cheated}
    report = verify([saved(tmp_path / name, game.transcript(0)) for name, game in files.items()])
    document = DOCUMENT.read_text(encoding="utf-8")
    keys = set(re.findall(r"`(\w+)`", document))
    assert keys_of(json.loads(json.dumps(figures(report)))) - keys == set()


def keys_of(value: Any) -> set[str]:
    """Return all keys of objects in a JSON value, except those in `details`, which differ for each sentence,
    and those that are numbers of seats."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if not isinstance(value, dict):
        return set()
    inner = [keys_of(one) for key, one in value.items() if key != "details"]
    return {key for key in value if not key.isdigit()}.union(*inner)
