"""Typed input: a move in words or notation; and the explanation of a typed digit that no choice has."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from citadels_lan.engine import Action, BadNotation, Edition, State, actions, edition_of, expand, parse, seat_name
from citadels_lan.engine.action import OfCharacter
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS, by_rank
from citadels_lan.engine.play import refusal
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.moves import VERBS
from citadels_lan.texts.moves import choice as verb_chosen
from citadels_lan.texts.refusals import refusal as sentence
from citadels_lan.texts.topics import cards_beginning, cards_called, plain

from .menu import Item
from .prompt import Prompt

OWNED: Final = re.compile(r"([a-i]\.)?(.*?)(#[0-9]+)?")
"""Matches a word of the notation for a district in a city: the owner's letter, the card, and the number if
the city has several such districts. All but the card are optional."""
AWAY: Final = frozenset({"destroy", "exchange", "seize", "armory"})
"""Verbs that are followed by a district in a city."""
FEW: Final = 3
"""At most this many matching choices are listed in one line; for more, their list is opened."""
NAME: Final = 8
"""How many words a name of a card has at most."""
LONGEST: Final = 100
"""How many words a typed move may have."""
KEPT: Final = frozenset(
    {"with", "by", "from", "for", "taking", "giving", "discarding", "borrowing", "sacrificing", "framework",
     "building", "gold", "cards", "card", "yes", "no", "none", "noble", "religious", "trade", "military", "unique",
     "bell_tower"}
)  # fmt: skip
"""Words of the notation that stay as they are, although the name of a card could begin like them."""


def read_move(
    texts: Texts, edition: Edition, seat: int | None, names: Sequence[str], items: Iterable[Item], line: str
) -> Action:
    """Return the move of `seat` that is typed in `line`, in notation or in displayed words. Raises
    BadNotation."""
    items = tuple(items)
    with contextlib.suppress(BadNotation):
        return _anybodys(parse(line, seat), items)
    # Matching names takes long for very long lines.
    if words := line.split()[LONGEST:]:
        raise BadNotation("line_too_long", words[0])
    return _anybodys(parse(in_notation(texts, edition, names, items, line), seat), items)


def _anybodys(action: Action, items: Iterable[Item]) -> Action:
    """Return the move with the owner of its district added, if the player typed none and it cannot be a
    district of this player. Raises BadNotation if several players have that district."""
    spot = getattr(action, "target", None)
    if action.verb not in AWAY or spot is None or spot.seat is not None:
        return action
    offered: list[Any] = [item.choice for item in _all(items) if isinstance(item.choice, Action)]
    same = [choice for choice in offered if choice.verb == action.verb]
    alike: list[Action] = [it for it in same if replace(it, target=replace(it.target, seat=None)) == action]
    if not alike or action in alike:
        return action
    if len(alike) > 1:
        raise BadNotation("no_seat", spot.key)
    return alike[0]


def in_notation(texts: Texts, edition: Edition, names: Sequence[str], items: Iterable[Item], line: str) -> str:
    """Return the typed line in notation. Words that are neither a verb nor a name stay unchanged. If several
    cards begin with the typed words, the one that the question offers is meant."""
    items = list(_all(items))
    words = line.split()
    at, verb = _verb(texts, items, words)
    about, translated = {item.about for item in items if item.about}, [verb]
    while at < len(words):
        length, word = _named(edition, names, about, words[at:])
        translated.append(word)
        at += length
    return " ".join(_owned(translated, len(names)) if verb in AWAY else translated)


def _owned(said: Sequence[str], players: int) -> Iterator[str]:
    """Yield the words of the notation, with the owner and the district joined to one word."""
    seats, words = {seat_name(seat) for seat in range(players)}, iter(said)
    for word in words:
        card = next(words, "") if word in seats else ""
        yield f"{word}.{card}" if card.partition("#")[0] in DISTRICTS else f"{word} {card}".strip()


def called(items: Sequence[Item], line: str) -> list[Item]:
    """Return the items whose label has these words: the first word in full, and the beginnings of the others.
    Items of the list come before items in groups. If several items of a group match, the group itself is
    returned."""
    typed = _split(line)
    if here := [item for item in items if _listed(item.label, typed)]:
        return here
    inside = [item for item in _all(items) if item.choice is not None and item not in items]
    found = [item for item in inside if _listed(item.label, typed)]
    groups = [item for item in items if set(found) <= set(_all(item.items))] if len(found) > FEW else []
    return groups[:1] or found


def _all(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items, and all items in their groups."""
    for item in items:
        yield item
        yield from _all(item.items)


def _listed(label: str, typed: Sequence[str]) -> bool:
    words = iter(_split(label))
    begins = bool(typed) and typed[0] == next(words, "")
    return begins and all(any(word.startswith(it) for word in words) for it in typed[1:])


def _split(text: str) -> list[str]:
    """Return the words of a text in a normal form, for comparison."""
    return [found for word in re.split(r"[\W_]+", text) if (found := plain(word))]


def _verb(texts: Texts, items: Iterable[Item], words: Sequence[str]) -> tuple[int, str]:
    """Return the verb at the beginning of `words`, and how many words it has. If there is none, return the
    first word unchanged."""
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
    """Return the notation of the card or player at the beginning of `words`, and how many words the name has.
    If there is none, return the first word unchanged."""
    for length in range(min(len(words), NAME), 0, -1):
        # Words of the notation win over beginnings of names.
        if length == 1 and (words[0] in KEPT or words[0] in CHARACTERS or words[0] in DISTRICTS):
            break
        match = OWNED.fullmatch(" ".join(words[:length]))
        assert match is not None
        owner, name, number = (part or "" for part in match.groups())
        if (word := _meant(edition, names, about, name)) is not None:
            return length, f"{owner}{word}{number}"
    return 1, words[0]


def _meant(edition: Edition, names: Sequence[str], about: set[str], name: str) -> str | None:
    """Return the notation of the card or player whose name is, or begins with, `name`; None if there is none
    or it is ambiguous. If editions use a name for different cards, the card of this question (`about`) is
    meant."""
    # A single letter could begin many names.
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
MISSING: Final = msg("{character} is not one of your choices.")


def not_offered(texts: Texts, view: State, seat: int, prompt: Prompt, key: str) -> str:
    """Return why the player cannot choose the character with the rank `key`. Return "" if `key` is no digit,
    or the question is not about characters, so that a digit is not a rank."""
    sample = next(_naming(prompt), None) if key.isdecimal() else None
    if sample is None:
        return ""
    ranks, reasons = edition_of(view).ranks, []
    for character in view.cast or ranks:
        if ranks[character] == int(key):
            reason = refusal(view, seat, _other(sample, character, inner=len(prompt.at.levels) > 1))
            missing = texts.say(MISSING, character=texts.character(character))
            reasons.append(missing if reason is None else sentence(texts, reason.code, reason.details))
    return " ".join(dict.fromkeys(reasons)) or texts.say(NO_RANK, rank=int(key))


def _naming(prompt: Prompt) -> Iterator[Action]:
    """Yield the actions of the open list, or of the cards to select, that choose a character."""
    listed = _all([item for item in prompt.items if item.keys[:1].isdigit() and item.seat is None])
    choices = (item.choice for item in (listed if prompt.at.picked is None else [prompt.at.picked]))
    leaves = expand([choice for choice in choices if choice is not None])
    return (action for action in leaves if isinstance(action, OfCharacter | actions.Pick | actions.Marks))


def _other(sample: Action, key: str, *, inner: bool) -> Action:
    """Return the action `sample` with the character `key` in place of its own one. With `inner`, replace the
    second character of the action."""
    match sample:
        case actions.Pick() if inner:
            return replace(sample, discarding=key)
        case actions.Marks(characters, chosen):
            kept = {*characters} - {chosen or characters[0]}
            return replace(sample, characters=by_rank({*kept, key}), chosen=chosen and key)
    return replace(sample, character=key)
