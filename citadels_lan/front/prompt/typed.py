"""The player's typed input: a move in words or notation, and a digit that no choice has."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from citadels_lan.engine import (
    Action,
    BadNotation,
    Edition,
    State,
    actions,
    edition_of,
    expand,
    parse,
    seat_name,
)
from citadels_lan.engine.action import OfCharacter
from citadels_lan.engine.actions import Armory, Destroy, Exchange, Seize
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS, by_rank
from citadels_lan.engine.play import refusal
from citadels_lan.engine.spots import Spot
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.choices import VERBS
from citadels_lan.texts.choices import choice as verb_chosen
from citadels_lan.texts.refusals import refusal as sentence
from citadels_lan.texts.topics import cards_beginning, cards_called, plain

from .menu import Item
from .prompt import Prompt

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
    """The same move, with the owner of a district added if the own city cannot be meant. Raises BadNotation if
    several players have it."""
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
    """The district in a city that a move is about."""
    match action:
        case Destroy(target) | Seize(target) | Armory(target) | Exchange(target=target):
            return target
    return None


def _unowned(action: Action) -> Action:
    """The move without the owner of its target, as players type it."""
    spot = _away(action)
    return action if spot is None else replace(action, target=replace(spot, seat=None))


def in_notation(texts: Texts, edition: Edition, names: Sequence[str], items: Iterable[Item], line: str) -> str:
    """A line with its verb and names in notation, as far as they are known. If several card names begin as typed,
    the card of the question is meant."""
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
    """The items that these words name: the first word in full, the beginnings of others. Items of the list come
    before those in groups; a group represents many items found in it."""
    typed = _split(line)
    here = [item for item in items if _listed(item.label, typed)]
    if here:
        return here
    inside = [item for item in _all(items) if item.choice is not None and item not in items]
    found = [item for item in inside if _listed(item.label, typed)]
    groups = [item for item in items if set(found) <= set(_all(item.items))] if len(found) > FEW else []
    return groups[:1] or found


def _all(items: Iterable[Item]) -> Iterator[Item]:
    """Items and their descendants."""
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


NO_RANK: Final = msg("No character of this game has rank {rank}.")
MISSING: Final = msg("{character} is not among the characters you may choose from.")


def not_offered(texts: Texts, view: State, seat: int, prompt: Prompt, key: str) -> str:
    """Why the question does not offer the characters of a rank, which `key` is the digit of; empty where it is not
    about characters, and a digit is no rank."""
    sample = next(_naming(prompt), None) if key.isdecimal() else None
    if sample is None:
        return ""
    ranks = edition_of(view).ranks
    found = [character for character in view.cast or ranks if ranks[character] == int(key)]
    if not found:
        return texts.say(NO_RANK, rank=int(key))
    others = (_other(sample, character, inner=len(prompt.at.levels) > 1) for character in found)
    said = (_why(texts, view, seat, *pair) for pair in zip(others, found, strict=True))
    return " ".join(dict.fromkeys(said))


def _naming(prompt: Prompt) -> Iterator[Action]:
    """What can be done in the list that is open, or with the cards to be ticked, and names a character."""
    picked = prompt.at.picked
    listed = [item for item in prompt.items if item.keys[:1].isdigit() and item.seat is None]
    choices = (item.choice for item in (_all(listed) if picked is None else [picked]))
    leaves = expand([choice for choice in choices if choice is not None])
    return (action for action in leaves if isinstance(action, OfCharacter | actions.Pick | actions.Marks))


def _other(sample: Action, key: str, *, inner: bool) -> Action:
    """The action with another character; in an inner list, with another second one."""
    match sample:
        case actions.Pick() if inner:
            return replace(sample, discarding=key)
        case actions.Marks(characters, chosen):
            kept = {*characters} - {chosen or characters[0]}
            return replace(sample, characters=by_rank({*kept, key}), chosen=chosen and key)
    return replace(sample, character=key)


def _why(texts: Texts, view: State, seat: int, action: Action, key: str) -> str:
    reason = refusal(view, seat, action)
    if reason is None:
        return texts.say(MISSING, character=texts.character(key))
    return sentence(texts, reason.code, reason.details)
