"""What is written of each card in a language: its name, what it does, and where editions differ.

The files `characters.md` and `districts.md` in the folder of a language have a section for each card:

    # witch                                        the key of the card

    Name: Witch
    Article: the Witch                             characters have it
    Short: Witch                                   if the name needs more than 10 cells
    Line: Gathers, names a character, …            what the card does, in at most 76 cells

    What the card does, in full.

    ## classic, dark_city                          editions where the card differs

    Line: …                                        if the line differs, too
"""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

FILES: Final = ("characters.md", "districts.md")
HEADER: Final = re.compile(r"(Name|Article|Short|Line): (.+)")
SHORT_CELLS: Final = 10
"""How wide a short name is at most."""


class Story(NamedTuple):
    """What a card does in an edition: in a line, and in full. Both are empty for a district without an effect."""

    line: str = ""
    text: str = ""


class CardText(NamedTuple):
    """A card in a language."""

    name: str
    article: str
    """The name of a character with its article."""
    short: str
    """The name in at most SHORT_CELLS cells."""
    usual: Story
    editions: Mapping[str, Story]
    """The stories of editions where the card does something else, by the edition's key."""

    def story(self, edition: str = "") -> Story:
        """What the card does in an edition."""
        own = self.editions.get(edition, self.usual)
        return own if own.line else own._replace(line=self.usual.line)


def read_cards(folder: str) -> dict[str, CardText]:
    """The cards in the folder of a language by their keys, characters first; none if it has no such files.
    Raises OSError, and ValueError for a card without a name."""
    return {key: text for name in FILES for key, text in _read(os.path.join(folder, name))}


def _read(path: str) -> Iterator[tuple[str, CardText]]:
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        sections = re.split(r"^# ", file.read(), flags=re.MULTILINE)[1:]
    for section in sections:
        first, *others = re.split(r"^## ", section, flags=re.MULTILINE)
        key, headers, usual = _part(first)
        if "Name" not in headers:
            raise ValueError(f"{path}: {key} has no name")
        stories = [_part(other) for other in others]
        editions = {edition.strip(): story for names, _, story in stories for edition in names.split(",")}
        name = headers["Name"]
        yield key, CardText(name, headers.get("Article", name), headers.get("Short", name), usual, editions)


def _part(part: str) -> tuple[str, Mapping[str, str], Story]:
    """The title, the headers and the story of a part of a section."""
    title, *lines = filter(None, map(str.strip, part.splitlines()))
    found = [HEADER.fullmatch(line) for line in lines]
    headers = {match[1]: match[2] for match in found if match is not None}
    text = " ".join(line for line, match in zip(lines, found, strict=True) if match is None)
    return title, headers, Story(headers.get("Line", ""), text)
