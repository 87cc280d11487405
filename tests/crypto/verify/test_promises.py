"""The three promises of `citadels_lan/texts/record.py`: each is the text of a test of both verifiers."""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.chance import SeededChance, joint_seed
from citadels_lan.crypto.commitments import committed
from citadels_lan.crypto.log import SUBSTITUTE, Move
from citadels_lan.crypto.report.verify import verify
from citadels_lan.texts.record import PROMISES
from tests.crypto.contradictions import ROWS
from tests.crypto.forging import saved
from tests.crypto.log.test_handover import SECOND, Handing, handed
from tests.crypto.table import GAME, HOST, SECRET, Game, begin
from tests.effort import quick
from tests.extras.second import remembering

CHANGED: Final = {"revealed", "opening", "withheld", "placed", "seal_unopened", "shown"}
"""The contradictions of hosts that change or hold back what was committed."""
OTHER_SEEDS: Final = {"secret", "part", "agreement", "value_again"}
"""The contradictions of hosts that change what the seed comes from."""


def accused(data: bytes, folder: Path, capsys: pytest.CaptureFixture[str]) -> bytes | None:
    """The key that both verifiers accuse; None if both say that the file is verified."""
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
    """Hidden picks, warrants and threats cannot be changed after they were committed."""
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
    """The deck and all chance come from a seed that no one could choose or predict alone."""
    assert {code for code, _ in ROWS} >= OTHER_SEEDS, "both verifiers find these: see tests/cheating"
    game = begin(2, chance=lambda seed: SeededChance(seed[::-1]), followed=False).play()
    assert accused(game.transcript(1), tmp_path, capsys) == HOST.public
    values = [bytes([number]) * 32 for number in range(100)]
    for unknown in range(4):  # the host's secret, or the part of one seat; the other three are known
        crowns, tops = Counter[int](), set()
        for value in values:
            secret, *parts = [value if at == unknown else SECRET for at in range(4)]
            chance = SeededChance(joint_seed(bytes(32), secret, parts))
            crowns[chance.pick("crown/0/table/0", range(3))] += 1
            tops.add(tuple(chance.shuffle("districts/0/table/0", range(66))[:4]))
        assert min(crowns[seat] for seat in range(3)) > 20
        assert len(tops) == len(values)


@pytest.mark.parametrize("part", quick(range(8), 0))
def test_false_entry_names_its_key_and_no_honest_key(
    part: int, four: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every entry is signed; a false entry in a closed game identifies the key that signed it, and no honest key
    can be accused."""
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


def test_each_promise_is_the_text_of_a_test() -> None:
    tests = (
        test_hidden_picks_cannot_be_changed_after_the_commitment,
        test_no_one_can_choose_or_predict_the_seed_alone,
        test_false_entry_names_its_key_and_no_honest_key,
    )
    assert tuple(" ".join((test.__doc__ or "").split()) for test in tests) == PROMISES
