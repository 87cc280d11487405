"""The promises of a closed game are the same words in README, help, rules and report, in all languages."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.model import INCOMPLETE, VERDICTS, alone
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import DEFAULT, edition_named
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.texts.record import HOST_KNOWS, LIMITS, NO_PROMISE, PROMISED, PROMISES
from citadels_lan.texts.topics import find_topic, page
from tests.cli.program import run
from tests.crypto.forging import saved
from tests.crypto.table import recorded
from tests.effort import one_case

ROOT = Path(__file__).parents[2]
SECTIONS = (("README.md", "Can the host cheat?"), ("docs/verify.md", "What does a closed game promise?"))
STATED = (PROMISED, *PROMISES, *LIMITS)


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize(("name", "title"), SECTIONS)
def test_document_states_the_promises_word_for_word(name: str, title: str) -> None:
    document = (ROOT / name).read_text(encoding="utf-8")
    section = document.split(f"## {title}")[1].split("\n## ")[0]
    told = one_line(document)
    assert [text for text in STATED if text not in told] == []
    numbered = re.findall(r"^\d\. (.+?)$", re.sub(r"\n   ", " ", section), re.MULTILINE)
    assert tuple(numbered) == PROMISES


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_page_states_the_promises_word_for_word(language: str) -> None:
    texts, edition = load(language), edition_named(DEFAULT, ())
    told = list(page(texts, find_topic("proof", edition), edition))
    assert [text for text in map(texts.say, STATED) if text not in told] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_of_verify_states_the_promises_word_for_word(tmp_path: Path, language: str) -> None:
    texts, told = load(language), run(tmp_path, "verify", "--help", "--lang", language).stdout
    assert [text for text in map(texts.say, STATED) if text not in one_line(told)] == []
    assert all(len(line) <= 80 for line in told.splitlines())


@pytest.mark.parametrize("language", LANGUAGES)
def test_report_of_a_closed_game_states_the_promises_word_for_word(tmp_path: Path, language: str) -> None:
    texts, path = load(language), saved(tmp_path / "a.ctr", recorded().transcript(0))
    told = one_line(report_text.text(verify([path]), texts.say))
    assert [text for text in map(texts.say, (PROMISED, *PROMISES, HOST_KNOWS)) if text not in told] == []
    assert texts.say(NO_PROMISE) not in told


def test_game_whose_only_person_is_the_host_has_no_promises(tmp_path: Path) -> None:
    header = verify([saved(tmp_path / "a.ctr", recorded().transcript(0))]).games[0].best.header
    assert header is not None
    assert not alone(header)
    bots = tuple(replace(player, kind=SeatKind.BOT) for player in header.players)
    assert alone(replace(header, players=bots))


@one_case("text", [*VERDICTS.values(), *INCOMPLETE.values()])
def test_verdicts_of_verify_have_short_sentences(text: str) -> None:
    sentences = re.split(r"(?<=[.:]) ", text)
    assert max(len(sentence.split()) for sentence in sentences) <= 20
