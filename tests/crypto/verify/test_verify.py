"""The verdicts of `verify` on honest games, unfinished ones, and games with other rules."""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.commitments import committed
from citadels_lan.crypto.log import SUBSTITUTE, Move, Open, TableMove
from citadels_lan.crypto.replay import chance_of, play
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.report_text import figures
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seed import SeededChance, joint_seed
from citadels_lan.engine import DEFAULT, EDITIONS
from citadels_lan.texts.record import PROMISES
from tests.crypto.contradictions import ROWS
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.log.test_handover import SECOND, Handing, handed
from tests.crypto.table import GAME, HOST, SECRET, Game, begin, seats
from tests.effort import one_case, quick
from tests.engine.tables import Tables
from tests.extras.second import remembering
from tools.long_verify import Outcome, checked


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
    assert all(one.seats == (0, 1, 2, 3) for one in file.audit.cosigned)
    assert min(file.signatures, len(file.audit.concealed.opened), file.counts.events, file.counts.leaves) > 50
    assert "verified" in report_text.text(report)


def test_transcript_without_its_owners_signature_is_incomplete(duel: Game, tmp_path: Path) -> None:
    report = verify([saved(tmp_path / "a.ctr", duel.transcript(0, finish=False))])
    assert (report.code, report.findings[0].code) == (4, "unsigned")


def with_rules(game: Game, rules: bytes, program: str = "citadels-lan 7.0", **changes: object) -> list[Draft]:
    """Return the entries of a game whose header has another rules digest and, if given, other fields."""
    entries = drafts(game)
    opening = entries[0].entry
    assert isinstance(opening, Open)
    entries[0].entry = Open(replace(opening.header, rules=rules, program=program, **changes))
    return entries


@one_case("edition", ["2016", "classic", "of_1066"])
def test_game_with_other_rules_gets_exit_5_and_no_accusation(duel: Game, tmp_path: Path, edition: str) -> None:
    """Nothing in the file is judged, not even contradictions to the rules of this program."""
    entries = with_rules(duel, bytes(32), edition=edition)
    entries[find(entries, TableMove)].entry = TableMove([[199, "unheard of"]])
    path = saved(tmp_path / "a.ctr", Forge(rules=bytes(32)).file(entries))
    report = verify([path])
    assert (report.code, [finding.code for finding in report.findings]) == (5, ["other_rules"])
    text = " ".join(report_text.text(report).split())
    assert text.startswith("NOT CHECKED: the game was played with other rules. No one is accused.")
    assert f"Install citadels-lan 7.0 with the rules 00000000 of the edition {edition}." in text
    assert figures(report)["verdict"] == "other_rules"


def test_file_without_a_header_by_other_rules_accuses_no_one(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    entries[0].entry = TableMove([])
    report = verify([saved(tmp_path / "a.ctr", Forge(rules=bytes(32)).file(entries))])
    assert (report.code, [finding.code for finding in report.findings]) == (5, ["unknown_rules"])


# Random games, as in `tools.long_verify`


GAMES = [("classic", 20), (DEFAULT, 26), *((edition, 21) for edition in EDITIONS)]
"""Editions and seeds of random games in which players are away, late or left out, and markers are sealed."""


@pytest.mark.slow
def test_random_games_are_verified(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("games")
    outcomes = [checked(seed, folder, Tables((edition,))) for edition, seed in GAMES]
    assert [one.wrong for one in outcomes if one.wrong] == []
    assert all(one.entries > 60 for one in outcomes)
    assert any(one.missed for one in outcomes)
    assert any(one.sealed for one in outcomes)
    assert any(one.wordless for one in outcomes)
    assert any(one.protests for one in outcomes)
    assert not list(folder.iterdir())


def test_long_verify_tool_reports_an_error(tmp_path_factory: pytest.TempPathFactory) -> None:
    missing = tmp_path_factory.mktemp("games") / "nowhere"
    outcome: Outcome = checked(20, missing)
    assert "FileNotFoundError" in outcome.wrong


CHANGED: Final = {"revealed", "opening", "withheld", "placed", "seal_unopened", "shown"}
"""Codes of contradictions of hosts that change or withhold what players have committed to."""
OTHER_SEEDS: Final = {"secret", "part", "agreement", "value_again"}
"""Codes of contradictions of hosts that change what the seed is made from."""


def accused(data: bytes, folder: Path, capsys: pytest.CaptureFixture[str]) -> bytes | None:
    """Return the key that both verifiers accuse; None if both verify the file. Fails if they differ."""
    path = saved(folder / "a.ctr", data)
    report = verify([path])
    capsys.readouterr()
    code = remembering().main([str(path)])
    said = capsys.readouterr().out
    assert code == report.code
    if code == 0:
        return None
    assert code == 1
    (key,) = {one.accused_key for one in report.findings if one.accused}
    assert key is not None
    assert f"\n    key {key.hex()}\n" in said
    return key


def test_hidden_picks_cannot_be_changed_after_the_commitment(
    duel: Game, marked: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No player can change a hidden choice, warrant or threat afterwards."""
    for game in (duel, marked):
        assert accused(game.transcript(0), tmp_path, capsys) is None
    assert {code for code, _ in ROWS} >= CHANGED, "both verifiers find these: see tests/cheating"
    opened = marked.host_log.audit.concealed.opened.values()
    lines = sorted({opening.line for opening in opened})
    assert {line.split(" ")[0] for line in lines} >= {"pick", "warrant", "threaten"}
    for opening in opened:
        fitting = [
            line for line in lines if committed(GAME, replace(opening, line=line)) == committed(GAME, opening)
        ]
        assert fitting == [opening.line]


def test_no_one_can_choose_or_predict_the_seed_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The deck and all random draws come from a seed. No one could choose or predict it alone."""
    assert {code for code, _ in ROWS} >= OTHER_SEEDS, "both verifiers find these: see tests/cheating"
    game = begin(2, chance=lambda seed: SeededChance(seed[::-1]), followed=False).play()
    assert accused(game.transcript(1), tmp_path, capsys) == HOST.public
    values = [bytes([number]) * 32 for number in range(100)]
    for unknown in range(4):  # the host's secret, or the part of one seat, while the other three are known
        crowns, tops = Counter[int](), set()
        for value in values:
            secret, *parts = [value if at == unknown else SECRET for at in range(4)]
            chance = SeededChance(joint_seed(bytes(32), secret, parts))
            crowns[chance.pick("crown/0/table/0", range(3))] += 1
            tops.add(tuple(chance.shuffle("districts/0/table/0", range(66))[:4]))
        assert min(crowns[seat] for seat in range(3)) > 20
        assert len(tops) == len(values)


@pytest.mark.parametrize("part", quick(range(4), 0))
def test_false_entry_accuses_the_key_that_signed_it_and_no_other(
    part: int, four: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every entry is signed. A false entry in a closed game identifies the key that signed it. No honest key can
    be accused."""
    honest, handover = handed(four)
    moves = [at for at, draft in enumerate(honest) if isinstance(draft.entry, Move)]
    assert accused(Handing().file(honest), tmp_path, capsys) is None
    for at in moves[part::8]:
        entries, _ = handed(four)
        entries[at].entry = replace(entries[at].entry, by=SUBSTITUTE, sig=b"")
        signer = SECOND if at >= handover else HOST
        assert accused(Handing().file(entries), tmp_path, capsys) == signer.public, at + 1
    unsigned = Handing()
    unsigned.host = SECOND
    report = verify([saved(tmp_path / "b.ctr", unsigned.file(honest))])
    assert (report.code, [one.accused for one in report.findings if one.accused]) == (3, [])


def test_each_promise_of_the_report_is_the_docstring_of_a_test() -> None:
    tests = (
        test_hidden_picks_cannot_be_changed_after_the_commitment,
        test_no_one_can_choose_or_predict_the_seed_alone,
        test_false_entry_accuses_the_key_that_signed_it_and_no_other,
    )
    assert tuple(" ".join((test.__doc__ or "").split()) for test in tests) == PROMISES
