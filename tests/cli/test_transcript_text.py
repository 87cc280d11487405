"""Transcripts as text: what `show` prints."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from citadels_lan.cli.transcript_text import TEXTS, Plain, lines
from citadels_lan.crypto.log import CoSigned, Move
from citadels_lan.crypto.report.findings import CONTRADICTIONS, LABELS, READING, SENTENCES
from citadels_lan.crypto.report.model import Evidence, Finding, sentence
from citadels_lan.crypto.transcript import hear, parse
from citadels_lan.crypto.words import WORDS
from citadels_lan.engine import Event, TableConfig
from citadels_lan.engine.events import RoundBegan
from tests.crypto.table import Game, begin
from tests.crypto.tables import leaving, sealing, with_own


@pytest.fixture(scope="module")
def duel() -> Game:
    """A whole game of two."""
    return begin(2).play()


@pytest.fixture(scope="module")
def four() -> Game:
    """A whole game of four."""
    return begin(4).play()


def test_a_game_as_text(four: Game) -> None:
    shown = list(lines(hear(parse(four.transcript(0)))))
    assert shown[0].startswith("game 000102030405060708090a0b0c0d0e0f")
    assert "a: Player 0" in shown
    assert "b: Player 1 (bot)" in shown
    for n in range(1, len(four.bodies) + 1):
        if isinstance(four.host_log.entry(n), Move):
            assert any(line.startswith(f"[{n}] ") and line.endswith(four.host_log.line(n)) for line in shown)
    assert shown[-1] == f"Player {four.state.winners[0]} wins"
    assert not any("(hidden)" in line for line in shown)
    assert "told as Player 0 received it" in shown


def test_an_unfinished_game_as_text() -> None:
    game = begin(2).play(until=lambda game: game.state.round > 1)
    shown = list(lines(hear(parse(game.transcript(None, finish=False)))))
    assert shown[-1] == "the game was not finished"
    assert any("(hidden)" in line for line in shown)
    assert not any("wins" in line for line in shown)


def test_the_options_stand_beside_the_edition() -> None:
    game = begin(2, setup=TableConfig(2, edition="classic", options=(("deck", 66),)))
    shown = list(lines(hear(parse(game.transcript(None, finish=False)))))
    assert shown[0].endswith("edition classic, deck=66")


def test_a_damaged_end_is_left_out_and_said(duel: Game) -> None:
    data = bytearray(duel.transcript(0, finish=False))
    data[-700] ^= 1
    shown = list(lines(hear(parse(bytes(data)))))
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
            "own_rules",
            "program",
            "at",
            "error",
            "other",
            "round",
            "rounds",
            "edition",
            "names",
        ],
        "x",
    )
    evidence = (Evidence(1, bytes([171]) * 32, b"", b""),)
    for seat in (0, None):
        for code in CONTRADICTIONS:
            said = sentence(Finding("host_cheated", "proof", values, code, seat, evidence), None)
            assert "key abababababababab" in said, "nobody else has signed it"
            assert sentence(Finding("player_cheated", "proof", values, code, seat, evidence), None)
        for code in SENTENCES.keys() - {"host_cheated", "player_cheated"}:
            assert sentence(Finding(code, "damaged", values, seat=seat), None)
    for code in READING:
        assert sentence(Finding("unreadable", "damaged", {"reason": code}), None) != f"{code}."
    assert LABELS
    assert TEXTS


def test_the_words_of_every_round_stand_after_it(four: Game) -> None:
    shown = list(lines(hear(parse(four.transcript(None)))))
    assert "told as a spectator received it" in shown
    rounds = [entry for entry in four.host_log.entries() if isinstance(entry, CoSigned)]
    told = [line for line in shown if "signed by all players" in line]
    assert len(told) == len(rounds)
    assert "after round 1," in told[0]
    assert "at the end," in told[-1]
    words = {tuple(line.split(": ")[1].split()) for line in told}
    assert len(words) == len(rounds)
    assert all(len(four) == 4 and set(four) <= set(WORDS) for four in words)


def test_who_was_left_out_of_a_round_is_said(tmp_path: Path) -> None:
    shown = list(lines(hear(parse(leaving({2: 1, 0: 2}, players=3).transcript(0)))))
    assert sum("not by Player 1" in line for line in shown) == 1
    (line,) = [line for line in shown if "not by Player 2" in line]
    assert "at the end" in line


@pytest.mark.slow
def test_a_sealed_move_is_shown_with_its_star_once_it_is_open() -> None:
    def sealed(data: bytes) -> list[str]:
        shown = lines(hear(parse(data)))
        return [line for line in shown if line.split(" ")[2:3] in (["warrant"], ["threaten"])]

    opened = sealed(sealing(silent=False).transcript(0))
    assert opened
    assert all(line.count("*") == 1 and "sealed" not in line for line in opened)
    silent = sealing(silent=True)
    closed = [line for line in sealed(silent.transcript(0)) if line.endswith(" (sealed)")]
    assert closed
    assert not any("*" in line for line in closed)
    for seat in {place.seat for place in silent.host_log.audit.concealed.pending.values()}:  # its own file knows
        own = tuple(silent.recover(seat, commit) for commit, _ in silent.host_log.audit.concealed.sealed_by(seat))
        mine = [line for line in sealed(with_own(silent, seat, own)) if f"] {'abcd'[seat]} " in line]
        assert all(line.count("*") == 1 for line in mine)


def test_what_is_told_comes_through_the_narrator(duel: Game) -> None:
    class Telling(Plain):
        def begin(self, names: Sequence[str], viewer: int | None) -> None:
            self.told = f"{' '.join(names)} {viewer}"

        def tell(self, events: Sequence[Event]) -> Iterator[str]:
            return (f"<{self.told}>" for event in events if isinstance(event, RoundBegan))

    shown = list(lines(hear(parse(duel.transcript(1))), narrator=Telling()))
    assert shown.count("    <Player 0 Player 1 1>") == duel.state.round
    assert not any("RoundBegan" in line for line in shown)


def test_another_language_can_say_it(duel: Game) -> None:
    shown = list(lines(hear(parse(duel.transcript(0))), lambda message, /, **_: f"<{message}>"))
    assert shown[0] == f"<{TEXTS['game']}>"
