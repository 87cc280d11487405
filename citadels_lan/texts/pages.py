"""The cards and the rules as a language writes them: Markdown files in its folder (docs/adding.md).

`characters.md` and `districts.md` have a section for each card, `rules/` has a file for each page:

    # witch                                        the key of the card; in a page of the rules its title

    Name: Witch
    Article: the Witch                             for characters
    Short: Witch                                   if the name needs more than 10 cells
    Line: Gather, name a character, …              what the card does, in at most 76 cells
    Line [classic]: …                              the same in one edition, or in several
    Also: gather, resources                        for pages: other words that find the page
    Not in: citta_comune                           for pages: editions without it

    A paragraph of every edition.
    - A special case of every edition.
    - [classic, dark_city] A special case of these editions.

    [2016]
        indented lines, which are shown as they are

The number in the name of a page (`06-gathering.md`) gives the order of the pages, the rest is its key. An edition
that is not one of EDITIONS reads what 2016 reads, unless a text names it.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

FILES: Final = ("characters.md", "districts.md")
FOLDER: Final = "rules"
EDITIONS: Final = frozenset({"2016", "classic", "dark_city", "citta_comune"})
USUAL: Final = "2016"
SHORT_CELLS: Final = 10
"""The largest width of a short name."""
BULLET: Final = "- "
HEADER: Final = re.compile(r"(Name|Article|Short|Line|Also|Not in)(?: \[([\w, ]+)\])?: (.+)")
TAG: Final = re.compile(r"(- |)\[([\w, ]+)\](?: |\n|$)")

Texts: TypeAlias = Sequence[tuple[Sequence[str], str]]
"""Texts in order, each with the editions for which it is; a text with no editions is for all."""


def for_edition(texts: Texts, edition: str) -> Sequence[str]:
    """Return those of `texts` that apply to an edition."""
    named = {key for editions, _ in texts for key in editions}
    # An edition that no text names reads what 2016 reads.
    reader = edition if edition in named | EDITIONS else USUAL
    return [text for editions, text in texts if not editions or reader in editions]


def gap(paragraph: str) -> str:
    """Return the line breaks before a paragraph: one before a special case, otherwise two."""
    return "\n" if paragraph.startswith(BULLET) else "\n\n"


class CardText(NamedTuple):
    """The texts of a card in a language."""

    name: str
    article: str
    """The name of a character with its article."""
    short: str
    """The name in at most SHORT_CELLS cells."""
    lines: Texts
    """What the card does, in one line; empty for a district without an effect."""
    paragraphs: Texts
    """What the card does, in full. Paragraphs about special cases begin with a BULLET."""

    def line(self, edition: str) -> str:
        """Return what the card does in an edition, in one line; "" for a district without an effect."""
        # The line of one edition comes after the general one, so the last one counts.
        return (for_edition(self.lines, edition) or ("",))[-1]

    def explanation(self, edition: str) -> Sequence[str]:
        """Return what the card does in an edition, in full: paragraphs, then a line for each special case."""
        return for_edition(self.paragraphs, edition)


class Page(NamedTuple):
    """A page of the rules. A paragraph of it that contains line breaks is shown unchanged."""

    title: str
    also: Sequence[str]
    """Other words by which players can find the page."""
    lacking: Sequence[str]
    """The editions that do not have this page."""
    paragraphs: Texts

    def told(self, edition: str) -> Sequence[str]:
        """Return the paragraphs that apply in an edition; none if the edition does not have the page."""
        return () if edition in self.lacking else for_edition(self.paragraphs, edition)


def read_cards(folder: str) -> dict[str, CardText]:
    """Read the cards in the folder of a language. Return them by their keys, characters first; empty if the
    folder has no files of cards. Raises OSError; ValueError for a card without a name."""
    return {key: card for name in FILES for key, card in _cards(os.path.join(folder, name))}


def _cards(path: str) -> Iterator[tuple[str, CardText]]:
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        sections = re.split(r"^# ", file.read(), flags=re.MULTILINE)[1:]
    for section in sections:
        key, _, rest = section.partition("\n")
        headers, paragraphs = _parts(rest)
        if "Name" not in headers:
            raise ValueError(f"{path}: {key} has no name")
        name, article, short = (
            headers[word][0][1] if word in headers else headers["Name"][0][1]
            for word in ("Name", "Article", "Short")
        )
        yield key, CardText(name, article, short, headers.get("Line", ()), paragraphs)


def read_pages(folder: str) -> dict[str, Page]:
    """Read the pages of the rules in the folder of a language. Return them by their keys, in the order of
    reading; empty if the folder has no rules. Raises OSError; ValueError for an invalid page."""
    place = os.path.join(folder, FOLDER)
    names = sorted(name for name in os.listdir(place) if name.endswith(".md")) if os.path.isdir(place) else []
    return {name[:-3].partition("-")[2]: _page(os.path.join(place, name)) for name in names}


def _page(path: str) -> Page:
    with open(path, encoding="utf-8") as file:
        first, _, rest = file.read().partition("\n")
    if not first.startswith("# "):
        raise ValueError(f"{path}: the first line must be the title: # …")
    headers, paragraphs = _parts(rest)
    also, lacking = (_words(headers[word][0][1]) if word in headers else () for word in ("Also", "Not in"))
    return Page(first[2:], also, lacking, paragraphs)


def _parts(text: str) -> tuple[Mapping[str, Texts], Texts]:
    """Split the text after a title into the header lines (by their names) and the paragraphs."""
    headers: dict[str, list[tuple[Sequence[str], str]]] = {}
    paragraphs: list[tuple[Sequence[str], str]] = []
    for block in filter(None, re.split(r"\n\s*\n|\n(?=- |\[)|^(?=- |\[)", text)):
        lines = block.strip("\n").splitlines()
        matches = [HEADER.fullmatch(line) for line in lines]
        # A block is a header only if all its lines are, so a paragraph may begin like one.
        if all(matches):
            for match in filter(None, matches):
                headers.setdefault(match[1], []).append((_words(match[2] or ""), match[3]))
        else:
            paragraphs.append(_paragraph(block.strip("\n")))
    return headers, paragraphs


def _paragraph(block: str) -> tuple[Sequence[str], str]:
    tag = TAG.match(block)
    editions, lead = (_words(tag[2]), tag[1]) if tag is not None else ((), "")
    lines = block[0 if tag is None else tag.end() :].splitlines()
    # Indented blocks are tables, so their line breaks count.
    if lines[0].startswith("    ") and not lead:
        return editions, "\n".join(line[2:] for line in lines)  # two of the four spaces stay
    return editions, lead + " ".join(map(str.strip, lines))


def _words(text: str) -> Sequence[str]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
