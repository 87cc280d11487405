"""What the end of a game says of its proof: the verdict, who has signed, and the words."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.engine.score import Score
from citadels_lan.front.game import Game
from citadels_lan.front.glyphs import UNICODE
from citadels_lan.front.proof import Proof, check
from citadels_lan.plain import lines as plain_lines
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.ui.screens.end import Ending
from citadels_lan.ui.screens.thought import narrowed
from citadels_lan.ui.widgets.look import DARK, Look
from tests.crypto.table import begin
from tests.crypto.tables import leaving
from tests.effort import quick

from .fake import FakeSession
from .test_pictures import played


def proof_of(path: Path, away: Mapping[int, int] | None = None) -> Proof:
    path.write_bytes(leaving(away or {}, players=3).transcript(0))
    proof = check(path)
    assert proof is not None
    return proof


@pytest.fixture
async def session() -> FakeSession:
    """A game that is over."""
    return await played(3, 400)


def drawn(session: FakeSession, proof: Proof, language: str) -> list[str]:
    """The end as it is drawn on 80 columns."""
    game = Game(session, load(language))
    game.proof, game.checked = proof, True
    return [str(line) for line in Ending(game, Look(DARK, UNICODE)).draw(80).lines]


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
async def test_the_end_has_the_words_and_who_signed(session: FakeSession, tmp_path: Path, language: str) -> None:
    proof = proof_of(tmp_path / "a.ctr")
    assert proof.sound
    lines = drawn(session, proof, language)
    words = " ".join(proof.report.games[0].best.tally.cosigned[-1].words)
    assert any(words in line for line in lines)
    said = {"en": "All players signed every round.", "it": "Firmato da tutti, in ogni round."}
    assert any(said[language] in line for line in lines)
    assert all(len(line) <= 80 for line in lines)


async def test_the_end_says_who_had_as_many_points(session: FakeSession, tmp_path: Path) -> None:
    proof, state = proof_of(tmp_path / "a.ctr"), session.state
    assert state is not None
    session.state = replace(state, winners=(1,), scores=tuple(Score((("districts", n),)) for n in (9, 20, 20)))
    game = Game(session, load("en"))
    names = game.names
    level = f"As many points: {names[2]}."
    assert level in " ".join(drawn(session, proof, "en"))
    told = list(plain_lines.ending(game))
    assert [line.split(":")[0] for line in told[:3]] == [f" 20 {names[1]}", f" 20 {names[2]}", f"  9 {names[0]}"]
    assert told[3].startswith(level)
    session.state = replace(session.state, winners=(1, 2))
    assert game.level() == "", "who shares the victory has no need of it"


async def test_the_end_names_who_was_left_out(session: FakeSession, tmp_path: Path) -> None:
    proof = proof_of(tmp_path / "a.ctr", {2: 1, 0: 2})
    assert proof.sound
    text = " ".join(" ".join(drawn(session, proof, "en")).split())
    assert "except: Player 1 (round 2) and Player 2 (the end)." in text


async def test_the_plain_end_says_the_same(session: FakeSession, tmp_path: Path) -> None:
    proof = proof_of(tmp_path / "a.ctr")
    game = Game(session, load("en"))
    game.proof = proof
    lines = list(plain_lines.ending(game))
    for line in proof.history(load("en")):
        assert line in lines


def test_a_game_that_broke_off_has_no_last_words(tmp_path: Path) -> None:
    path = tmp_path / "a.ctr"
    path.write_bytes(begin(2).play(until=lambda game: game.state.round > 2).transcript(0, finish=False))
    proof = check(path)
    assert proof is not None
    assert (proof.sound, proof.gaps, proof.history(load("en"))) == (False, True, [])
    assert proof.verdict(load("en")) == "INCOMPLETE:"
    path.write_bytes(b"")
    proof = check(path)
    assert proof is not None
    assert (proof.gaps, proof.history(load("en"))) == (False, [])


REPORT = """INCOMPLETE: what is there fits.

Game 585b (rules 2)
  Seat  Name  Who     Moves
  a     P3    bot        52
  Signed      the whole history, before every round and at the end, but not by
              Xeno (11 rounds, from 2 on)
  Words       aloe mimosa idea piranha
              Read them aloud: who has other words has another history.
  Host's key  e4f155d3a48ad251ddc2302fc677990bdca973bcbb83f2975ac5aa2022d4c8bd
  Incomplete: the sealed picks of Xeno (seat c, key 2f351cf34063c037) are not
  open: it has not given its link."""


def test_a_report_on_a_narrow_page_goes_on_below_where_its_lines_begin() -> None:
    lines = list(narrowed(REPORT.split("\n"), 66))
    assert lines == [
        "INCOMPLETE: what is there fits.",
        "",
        "Game 585b (rules 2)",
        "  Seat  Name  Who     Moves",
        "  a     P3    bot        52",
        "  Signed      the whole history, before every round and at the",
        "              end, but not by",
        "              Xeno (11 rounds, from 2 on)",
        "  Words       aloe mimosa idea piranha",
        "              Read them aloud: who has other words has another",
        "              history.",
        "  Host's key",
        "    e4f155d3a48ad251ddc2302fc677990bdca973bcbb83f2975ac5aa2022d4c8bd",
        "  Incomplete: the sealed picks of Xeno (seat c, key",
        "  2f351cf34063c037) are not",
        "  open: it has not given its link.",
    ]
    assert list(narrowed(REPORT.split("\n"), 80)) == REPORT.split("\n")
