from citadels_lan.crypto.messages import CONTRADICTIONS, LABELS, SENTENCES
from citadels_lan.crypto.report import Finding, sentence
from citadels_lan.crypto.show import TEXTS, lines
from citadels_lan.crypto.transcript import parse

from .table import Game, begin


def test_a_game_as_text(four: Game) -> None:
    shown = list(lines(parse(four.transcript(0))))
    assert shown[0].startswith("game 000102030405060708090a0b0c0d0e0f")
    assert "a: Player 0" in shown
    assert "b: Player 1 (bot)" in shown
    for n in range(1, len(four.bodies) + 1):
        if n in four.ledger._lines:
            assert any(line.startswith(f"[{n}] ") and line.endswith(four.ledger.line(n)) for line in shown)
    assert shown[-1] == f"Player {four.state.winner} wins"
    assert not any("(hidden)" in line for line in shown)


def test_an_unfinished_game_as_text() -> None:
    game = begin(2).play(until=lambda game: game.state.round > 1)
    shown = list(lines(parse(game.transcript(None, finish=False))))
    assert shown[-1] == "the game was not finished"
    assert any("(hidden)" in line for line in shown)
    assert not any("wins" in line for line in shown)


def test_a_damaged_end_is_left_out_and_said(duel: Game) -> None:
    data = bytearray(duel.transcript(0, finish=False))
    data[-700] ^= 1
    shown = list(lines(parse(bytes(data))))
    assert any("cannot be read" in line for line in shown)


def test_every_text_says_itself_with_what_it_is_given() -> None:
    values = dict.fromkeys(
        [
            "n",
            "move",
            "line",
            "reason",
            "event",
            "index",
            "told",
            "expected",
            "rules",
            "own",
            "at",
            "error",
            "other",
            "round",
        ],
        "x",
    )
    for code in CONTRADICTIONS:
        assert sentence(Finding("unproven", "damaged", values, code, 0), None)
    for code in SENTENCES.keys() - {"host_cheated", "two_histories", "file_falsified", "unproven"}:
        assert sentence(Finding(code, "damaged", values, seat=0), None)
    assert LABELS
    assert TEXTS


def test_another_language_can_say_it(duel: Game) -> None:
    shown = list(lines(parse(duel.transcript(0)), lambda message, /, **_: f"<{message}>"))
    assert shown[0] == f"<{TEXTS['game']}>"
