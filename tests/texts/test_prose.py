"""The texts for people: short sentences, plain patterns, one term for each concept (`prose.toml`)."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from citadels_lan.texts.language import LANGUAGES
from citadels_lan.texts.pages import read_cards, read_pages
from citadels_lan.ui.table.commands import COMMANDS
from tests.effort import one_case
from tests.test_documents import ROOT, sentences
from tools import texts as catalogues

PATTERNS: Final = tomllib.loads(Path(__file__).with_name("prose.toml").read_text(encoding="utf-8"))
MARKS: Final[Mapping[str, str]] = PATTERNS["english"]["marks"]
RETIRED: Final = {"en": PATTERNS["english"]["retired"], "it": PATTERNS["italian"]["retired"]}
MARKS_PER_1000_WORDS: Final = 1.0
LONGEST: Final = 25
"""Largest number of words in a sentence for players."""
LONGEST_IN_DOCUMENTS, LONGER_IN_DOCUMENTS = 30, 10
"""A sentence of a document should have at most so many words. The second number is how many sentences may
have more."""
WORDS_OF_AN_EDITION, EASE = 900, 65.0
"""The largest number of words in the rules of an edition, without the pages about the program; and the lowest
allowed reading ease in English."""
ABOUT_THE_PROGRAM: Final = ("proofs", "notation")


class Sentence(NamedTuple):
    """A sentence and the file that contains it."""

    file: str
    text: str

    @property
    def words(self) -> int:
        """The number of its words; placeholders and commands count as one each."""
        return len(re.sub(r"`[^`]*`|\{\w+\}", "X", self.text).split())


def split(file: str, text: str) -> Iterator[Sentence]:
    """Split a text for players into units that are read at once. A unit ends at a full stop, colon, semicolon
    or line break."""
    for part in re.split(r"(?<=[.!?:;…])\s+|\n+", text):
        if part.strip():
            yield Sentence(file, part.strip())


def for_players(language: str) -> Iterator[Sentence]:
    """Yield the sentences of the catalogue, the cards and the rules in a language."""
    catalogue = catalogues.catalogue(LANGUAGES["it"])
    for message in catalogue:
        texts = message.id if language == "en" else message.string
        for text in [texts] if isinstance(texts, str) else texts or ():
            yield from split(f"{language} catalogue", text)
    folder = LANGUAGES[language].folder
    for key, card in read_cards(folder).items():
        for _, text in (*card.lines, *card.paragraphs):
            yield from split(f"{language} card {key}", text.removeprefix("- "))
    for key, page in read_pages(folder).items():
        for _, text in page.paragraphs:
            if not text.startswith("  "):  # not a table
                yield from split(f"{language} rules/{key}", text)


def in_documents() -> list[Sentence]:
    pages = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    return [
        sentence
        for page in pages
        for one in sentences(page.read_text(encoding="utf-8"))
        for sentence in split(str(page.relative_to(ROOT)), one)
    ]


def marks(found: list[Sentence]) -> list[str]:
    """Return the sentences that contain an awkward pattern, each with its file and the advice for that
    pattern."""
    rules = {advice: re.compile(pattern, re.MULTILINE) for advice, pattern in MARKS.items()}
    return [
        f"{one.file}: {one.text}: {why}" for one in found for why, rule in rules.items() if rule.search(one.text)
    ]


def per_1000_words(found: list[Sentence]) -> float:
    return len(marks(found)) * 1000 / sum(one.words for one in found)


def syllables(word: str) -> int:
    """Estimate the syllables of an English word by its groups of vowels."""
    letters = re.sub(r"[^a-z]", "", word.lower())
    groups = len(re.findall(r"[aeiouy]+", re.sub(r"(?<=[^aeiouyl])e$|(?<=[^aeiouytd])ed$", "", letters)))
    return max(1, groups)


def reading_ease(found: list[Sentence]) -> float:
    """Return the Flesch reading ease, as textstat computes it; 65 is plain English."""
    words = [word for one in found for word in one.text.split()]
    return 206.835 - 1.015 * len(words) / len(found) - 84.6 * sum(map(syllables, words)) / len(words)


@pytest.mark.parametrize("where", ["players", "documents"])
def test_english_texts_have_few_awkward_patterns(where: str) -> None:
    found = list(for_players("en")) if where == "players" else in_documents()
    assert per_1000_words(found) <= MARKS_PER_1000_WORDS, "\n".join(marks(found))


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_for_players_are_short(language: str) -> None:
    assert [one for one in for_players(language) if one.words > LONGEST] == []


def test_few_sentences_of_documents_are_long() -> None:
    longer = [one for one in in_documents() if one.words > LONGEST_IN_DOCUMENTS]
    assert len(longer) <= LONGER_IN_DOCUMENTS, "\n".join(map(str, longer))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_concept_has_one_term(language: str) -> None:
    terms = {term: re.compile(pattern) for term, pattern in RETIRED[language].items()}
    found = [(term, one) for one in for_players(language) for term, rule in terms.items() if rule.search(one.text)]
    assert found == []


def test_labels_have_at_most_three_words() -> None:
    assert [command.title for command in COMMANDS if len(str(command.title).split()) > 3] == []


@one_case("edition", ["2016", "classic", "dark_city", "citta_comune"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_of_an_edition_are_read_in_five_minutes(language: str, edition: str) -> None:
    pages = read_pages(LANGUAGES[language].folder)
    told = [
        text
        for key, page in pages.items()
        for text in page.told(edition)
        if key not in ABOUT_THE_PROGRAM and not text.startswith("  ")
    ]
    assert sum(len(text.split()) for text in told) <= WORDS_OF_AN_EDITION
    assert language != "en" or reading_ease([one for text in told for one in split("", text)]) >= EASE


@one_case(
    ("text", "count"),
    [("Who comes back has the old seat again.", 1), ("The host is told that nobody is here.", 2),
     ("The host sends each player a signed view.", 0), ("Who has the crown?", 0)],
)  # fmt: skip
def test_awkward_patterns_are_detected(text: str, count: int) -> None:
    assert len(marks([Sentence("a.md", text)])) == count
