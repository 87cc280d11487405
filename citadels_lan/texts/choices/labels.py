"""What labels of choices are made with."""

from collections.abc import Container, Sequence
from typing import Final

from citadels_lan.engine import edition_of
from citadels_lan.engine.spots import Spot
from citadels_lan.engine.state import District, State
from citadels_lan.engine.turn.cities import find
from citadels_lan.texts.amounts import cards, gold
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import msg


class Labeller:
    """For whom a label is made: the view of `seat`, everybody's name, the language."""

    def __init__(self, texts: Texts, view: State, seat: int, names: Sequence[str]) -> None:
        self.texts = texts
        self.view = view
        self.seat = seat
        self.names = names
        self.edition = edition_of(view)

    def gold(self, amount: int) -> str:
        """An amount of gold in words."""
        return gold(self.texts, amount)

    def cards(self, amount: int) -> str:
        """A number of cards in words."""
        return cards(self.texts, amount)

    def drawn(self, amount: int) -> int:
        """How many of so many cards there are to draw; a face-up pile becomes the deck."""
        return min(amount, len(self.view.deck) + len(self.view.discards))

    def place(self, spot: Spot) -> str:
        """A district where it stands: `your Market`, `Anna's Market`."""
        card = self.texts.district(spot.key)
        if spot.seat is None or spot.seat == self.seat:
            return self.texts.say(msg("your {card}"), card=card)
        return self.texts.say(msg("{name}'s {card}"), name=self.names[spot.seat], card=card)

    def district(self, spot: Spot) -> tuple[int, District]:
        """Whose a district is, and the district."""
        owner, index = find(self.view, self.seat, spot)
        return owner, self.view.players[owner].city[index]

    def priced(self, card: str) -> str:
        """A card with its cost."""
        return self.texts.say(
            msg("{card} ({cost})"), card=self.texts.district(card), cost=self.edition.costs[card]
        )

    def naming(self, key: str) -> str:
        """A character to be named, with its article; marked where it lies face up out of play."""
        return marked_out(self.texts, self.view.faceup, key, self.texts.the(key))

    def naming_all(self, keys: Sequence[str]) -> str:
        """Characters to be named, as a list."""
        texts, out = self.texts, self.view.faceup
        return texts.listing([marked_out(texts, out, key, texts.character(key)) for key in keys])

    @property
    def character(self) -> str:
        """The character on turn, or none between turns."""
        return self.view.turn.character if self.view.turn else ""


def marked_out(texts: Texts, out: Container[str], key: str, name: str) -> str:
    """A character's name, with a word behind it where the character is one of `out`, those that lie face up out of
    play: nobody has it."""
    return texts.say(OUT, character=name) if key in out else name


OUT: Final = msg("{character} (out of play)")
