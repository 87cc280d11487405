"""What a page of the rules is."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

Paragraphs = tuple[str, ...]
NOWHERE: Final[Mapping[str, Paragraphs]] = MappingProxyType({})


class Page(NamedTuple):
    """A page of rules; a paragraph with line breaks is shown as it stands."""

    title: str
    paragraphs: Paragraphs = ()
    """None where only some editions have the page."""
    also: Paragraphs = ()
    """Other English words it is found by."""
    editions: Mapping[str, Paragraphs] = NOWHERE
    """The paragraphs in editions where it goes otherwise, by its key; none where there is no such page."""

    def told(self, edition: str) -> Sequence[str]:
        """The paragraphs in an edition."""
        return self.editions.get(edition, self.paragraphs)
