"""A language as an object: translating, plurals, lists, and the names of the cards."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from . import names
from .folders import Language
from .marks import InContext, Message, Plural, msg

if TYPE_CHECKING:  # a --help names no cards
    from .card import Card, Cards

HIDDEN: Final = "?"
"""The engine's mark for a card that the viewer may not know; repeated here so that no engine is imported."""


class Texts:
    """Everything the program says, in one language. Switching the language is taking another object.

    Values go into texts by name (`texts.say("Hello {name}", name=name)`). A value is never read as a format or
    translated, so a person's name may contain anything.
    """

    def __init__(self, language: Language, cards: Callable[[], "Cards"]) -> None:
        self.language = language.code
        self._cards = cards  # asked for when a name is: they need the engine, and a --help needs neither
        self._before = language.before
        self.older_names = language.older_names
        """What older books call a card, by its key."""
        self._catalogue = language.translations()

    def __repr__(self) -> str:
        return f"Texts({self.language!r})"

    def say(self, message: Message, /, **values: object) -> str:
        """A text in this language, with values put in by name. The value `count` picks the form of a plural."""
        return self.fill(message, values)

    def fill(self, message: Message, values: Mapping[str, object]) -> str:
        """As `say`, with the values in a mapping, which may have an answer for those that are missing."""
        if isinstance(message, Plural):
            count = values["count"]
            text = self._catalogue.ngettext(message.one, message.many, count if isinstance(count, int) else 2)
        elif isinstance(message, InContext):
            text = self._catalogue.pgettext(message.context, message.text)
        else:
            text = self._catalogue.gettext(message) if message else ""
        if not values:
            return text
        return self._before(text, values).format_map(values)

    def plural(self, one: str, many: str, count: int, /, **values: object) -> str:
        """A text with a number in it, `{count}`."""
        return self.say(Plural(one, many), count=count, **values)

    def listing(self, items: Sequence[str]) -> str:
        """Items as a list in words: `A, B and C`."""
        if len(items) < 2:
            return "".join(items)
        return self.say(msg("{first} and {last}"), first=", ".join(items[:-1]), last=items[-1])

    def alternatives(self, items: Sequence[str]) -> str:
        """Items to choose from in words: `A, B or C`."""
        if len(items) < 2:
            return "".join(items)
        return self.say(msg("{first} or {last}"), first=", ".join(items[:-1]), last=items[-1])

    # Names

    def district(self, key: str) -> str:
        """The name of a district card; of a hidden one, that it is hidden."""
        return self.say(msg("a hidden card") if key == HIDDEN else self._cards().districts[key].name)

    def character(self, key: str) -> str:
        """The name of a character, as it stands on the card."""
        return self.say(msg("a hidden character") if key == HIDDEN else self._cards().characters[key].name)

    def the(self, key: str) -> str:
        """The name of a character with its article: the King, il Re, l'Assassina."""
        if key == HIDDEN:
            return self.say(msg("a hidden character"))
        card = self._cards().characters[key]
        return self.say(card.the or card.name)

    def type(self, key: str) -> str:
        """The name of a district type, as an adjective."""
        return self.say(names.TYPES[key])

    def letter(self, key: str) -> str:
        """One letter for a district type, different for each."""
        return self.say(names.LETTERS[key])

    def short_district(self, key: str) -> str:
        """The name of a district in at most `card.SHORT_CELLS` cells."""
        return self._short(self._cards().districts, key)

    def short_character(self, key: str) -> str:
        """The name of a character in at most `card.SHORT_CELLS` cells."""
        return self._short(self._cards().characters, key)

    def districts(self, keys: Sequence[str]) -> str:
        """Several districts as a list in words."""
        return self.listing([self.district(key) for key in keys])

    def characters(self, keys: Sequence[str]) -> str:
        """Several characters as a list in words."""
        return self.listing([self.character(key) for key in keys])

    def _short(self, cards: Mapping[str, "Card"], key: str) -> str:
        return HIDDEN if key == HIDDEN else self.say(cards[key].short or cards[key].name)
