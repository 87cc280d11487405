"""The rules by topic: short pages, each a file in the folder `rules/` of a language (docs/adding.md).

    # Gathering                                    the title
    Also: gather, resources                        other words that find the page
    Not in: citta_comune                           editions without this page

    A paragraph of every edition.

    [classic, dark_city] A paragraph of these editions.

    [2016]
        indented lines, which are shown as they are

The number in the name of a file (`06-gathering.md`) gives the order of the pages, the rest is the key of the page.
An edition that no paragraph of a page names reads what the usual edition (2016) reads.
"""

import os
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

FOLDER: Final = "rules"
USUAL: Final = "2016"
"""The edition whose paragraphs other editions read if a page does not name them."""
HEADER: Final = re.compile(r"(Also|Not in): (.+)")
TAG: Final = re.compile(r"\[([\w, ]+)\][ \n]")
INDENT: Final = 2
"""The spaces that an indented line loses: two stay."""


class Page(NamedTuple):
    """A page of the rules. A paragraph with line breaks is shown as it is."""

    title: str
    also: Sequence[str]
    """Other words that find the page."""
    lacking: Sequence[str]
    """The editions without this page."""
    paragraphs: Sequence[tuple[Sequence[str], str]]
    """Each with the editions that it is for; without any it is for all."""

    def told(self, edition: str) -> Sequence[str]:
        """The paragraphs in an edition; none if the edition does not have the page."""
        if edition in self.lacking:
            return ()
        named = {key for editions, _ in self.paragraphs for key in editions}
        reader = edition if edition in named else USUAL
        return [text for editions, text in self.paragraphs if not editions or reader in editions]


def read_pages(folder: str) -> dict[str, Page]:
    """The pages in the folder of a language by their keys, in the order of reading; none if it has no rules.
    Raises OSError, and ValueError for a file that is not such a page."""
    place = os.path.join(folder, FOLDER)
    names = sorted(name for name in os.listdir(place) if name.endswith(".md")) if os.path.isdir(place) else []
    return {name[:-3].partition("-")[2]: _read(os.path.join(place, name)) for name in names}


def _read(path: str) -> Page:
    with open(path, encoding="utf-8") as file:
        blocks = [block for block in re.split(r"\n\s*\n", file.read().strip("\n")) if block]
    if not blocks or not blocks[0].startswith("# "):
        raise ValueError(f"{path}: the first line must be the title: # …")
    title, *rest = blocks
    headers: dict[str, Sequence[str]] = {}
    while rest and all(HEADER.fullmatch(line) for line in rest[0].splitlines()):
        for word, items in HEADER.findall(rest.pop(0)):
            headers[word] = tuple(item.strip() for item in items.split(","))
    return Page(title[2:], headers.get("Also", ()), headers.get("Not in", ()), tuple(_paragraphs(rest)))


def _paragraphs(blocks: Sequence[str]) -> Iterator[tuple[Sequence[str], str]]:
    for block in blocks:
        tag = TAG.match(block)
        editions = tuple(key.strip() for key in tag[1].split(",")) if tag is not None else ()
        lines = block[0 if tag is None else tag.end() :].splitlines()
        as_it_is = lines[0].startswith("  ")
        yield editions, "\n".join(line[INDENT:] for line in lines) if as_it_is else " ".join(lines)
