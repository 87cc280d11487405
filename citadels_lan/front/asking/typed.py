"""A move as people type it: with verbs of the menu, names of cards and players, or as a choice is listed."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from citadels_lan.engine import Action, BadNotation, Edition, parse, seat_name
from citadels_lan.engine.actions import Armory, Destroy, Exchange, Seize
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.engine.spots import Spot
from citadels_lan.texts import Texts
from citadels_lan.texts.topics import cards_beginning, cards_called, plain
from citadels_lan.texts.verbs import VERBS
from citadels_lan.texts.verbs import choice as verb_chosen

from .menu import Item

OWNED: Final = re.compile(r"([a-i]\.)?(.*?)(#[0-9]+)?")
"""Whose district, which one, and the how many'th of its name."""
AWAY: Final = frozenset({"destroy", "exchange", "seize", "armory"})
"""The verbs of the notation that name a district of somebody."""
FEW: Final = 3
"""So many choices are asked about in a line; of more, their list is opened."""
NAME: Final = 8
"""Words of a name at most."""
LONGEST: Final = 100
"""Words of a move at most."""
KEPT: Final = frozenset(
    {"with", "by", "from", "for", "taking", "giving", "discarding", "borrowing", "sacrificing", "framework",
     "building", "gold", "cards", "card", "yes", "no", "none", "noble", "religious", "trade", "military", "unique",
     "bell_tower"}
)  # fmt: skip
"""Words of the notation that are no cards, where a move expects them."""


def read_move(
    texts: Texts, edition: Edition, seat: int | None, names: Sequence[str], items: Iterable[Item], line: str
) -> Action:
    """The move of `seat` that a line says, in notation or in words. Raises BadNotation."""
    items = tuple(items)
    with contextlib.suppress(BadNotation):
        return _anybodys(parse(line, seat), items)
    if words := line.split()[LONGEST:]:
        raise BadNotation("line_too_long", words[0])
    return _anybodys(parse(in_notation(texts, edition, names, items, line), seat), items)


def _anybodys(action: Action, items: Iterable[Item]) -> Action:
    """The same, where a district is named without its owner and cannot be the own one: of whoever has it. Raises
    BadNotation where that may be one of several."""
    spot = _away(action)
    if spot is None or spot.seat is not None:
        return action
    offered = [item.choice for item in _all(items) if isinstance(item.choice, Action)]
    alike = [it for it in offered if it.verb == action.verb and _unowned(it) == action]
    if not alike or action in alike:
        return action
    if len(alike) > 1:
        raise BadNotation("no_seat", spot.key)
    return alike[0]


def _away(action: Action) -> Spot | None:
    """The district of somebody that a move is about."""
    match action:
        case Destroy(target) | Seize(target) | Armory(target) | Exchange(target=target):
            return target
    return None


def _unowned(action: Action) -> Action:
    """A move as it is said without the owner of its target."""
    spot = _away(action)
    return action if spot is None else replace(action, target=replace(spot, seat=None))


def in_notation(texts: Texts, edition: Edition, names: Sequence[str], items: Iterable[Item], line: str) -> str:
    """A line with its verb and its names as the notation has them, as far as they are known. Of several cards
    whose names begin as typed it is the one that the question is about, if that is one."""
    items = list(_all(items))
    words = line.split()
    length, verb = _verb(texts, items, words)
    about = {item.about for item in items if item.about}
    said, at = [verb], length
    while at < len(words):
        length, word = _named(edition, names, about, words[at:])
        said.append(word)
        at += length
    return " ".join(_owned(said, len(names)) if verb in AWAY else said)


def _owned(said: Sequence[str], players: int) -> Iterator[str]:
    """The same words, whose a district is and which one in one word."""
    seats, words = {seat_name(seat) for seat in range(players)}, iter(said)
    for word in words:
        card = next(words, "") if word in seats else ""
        yield f"{word}.{card}" if card.partition("#")[0] in DISTRICTS else f"{word} {card}".strip()


def called(items: Sequence[Item], line: str) -> list[Item]:
    """The items that are listed by these words: the first word whole, of the others the beginnings, some left out.
    What stands in the list itself comes before what is found in groups; a group stands for all that is found in it
    where that is much."""
    typed = _split(line)
    here = [item for item in items if _listed(item.label, typed)]
    if here:
        return here
    inside = [item for item in _all(items) if item.choice is not None and item not in items]
    found = [item for item in inside if _listed(item.label, typed)]
    groups = [item for item in items if set(found) <= set(_all(item.items))] if len(found) > FEW else []
    return groups[:1] or found


def _all(items: Iterable[Item]) -> Iterator[Item]:
    """Items and all that is in them."""
    for item in items:
        yield item
        yield from _all(item.items)


def _listed(label: str, typed: Sequence[str]) -> bool:
    words = iter(_split(label))
    first = next(words, "")
    return (
        bool(typed) and typed[0] == first and all(any(word.startswith(it) for word in words) for it in typed[1:])
    )


def _split(text: str) -> list[str]:
    """The words of a text as they are compared."""
    return [found for word in re.split(r"[\W_]+", text) if (found := plain(word))]


def _verb(texts: Texts, items: Iterable[Item], words: Sequence[str]) -> tuple[int, str]:
    """How many of the words are the verb, and which one; an unknown word is left as it is."""
    phrases = {tuple(_split(verb_chosen(texts, word))): word for word in VERBS}
    for length in range(min(len(words), NAME), 0, -1):
        if (found := phrases.get(tuple(_split(" ".join(words[:length]))))) is not None:
            return length, found
    if words[0] in VERBS:
        return 1, words[0]
    listed = {item.verb for item in items if _split(item.label)[:1] == _split(words[0])}
    known = listed or {word for phrase, word in phrases.items() if list(phrase[:1]) == _split(words[0])}
    return 1, known.pop() if len(known) == 1 else words[0]


def _named(edition: Edition, names: Sequence[str], about: set[str], words: Sequence[str]) -> tuple[int, str]:
    """How many of the words are a name, and the word of the notation for it; what is none is left as it is."""
    for length in range(min(len(words), NAME), 0, -1):
        if length == 1 and (words[0] in KEPT or words[0] in CHARACTERS or words[0] in DISTRICTS):
            break
        match = OWNED.fullmatch(" ".join(words[:length]))
        assert match is not None
        owner, name, number = (part or "" for part in match.groups())
        if (word := _meant(edition, names, about, name)) is not None:
            return length, f"{owner}{word}{number}"
    return 1, words[0]


def _meant(edition: Edition, names: Sequence[str], about: set[str], name: str) -> str | None:
    """The card or the player of a name, or of its beginning where that is of one alone; rather the card that the
    question is about, where several books differ on a name."""
    if len(plain(name)) < 2:
        return None
    exact = cards_called(name, edition)
    cards = exact or cards_beginning(name, edition)
    close = [card for card in cards if card in about]
    if len(close) == 1:
        return close[0]
    if exact:
        return exact[0]
    players = [seat_name(seat) for seat, known in enumerate(names) if plain(known).startswith(plain(name))]
    found = [*cards, *players]
    return found[0] if len(found) == 1 else None
