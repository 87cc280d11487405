"""Cards with tags: in tests every copy of a district, and every character of every round, has a unique name,
so that a name found in some bytes identifies the card.

A tagged name is the card's key followed by a tag (`marketqzbcdf`). The engine plays with such names as with
any others: it finds their costs, types, ranks and abilities, and compares keys where the rules compare names
(identical districts in a city, the called character). A few prices and final points may differ from those of
the real cards, for all players alike."""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, TypeVar
from unittest import mock

from msgspec.structs import replace as with_fields

from citadels_lan import engine
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.engine import (
    EDITIONS,
    Chance,
    Edition,
    Event,
    Options,
    Player,
    State,
    Table,
    TableConfig,
    cards,
    edition,
    new_table,
    notation,
)
from citadels_lan.engine.characters import diplomat, magistrate, marshal
from citadels_lan.engine.districts import armory, bell_tower, museum
from citadels_lan.engine.edition import Casting
from citadels_lan.engine.events import CastDrawn, Revealed, hide, take
from citadels_lan.engine.flow import rounds
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.turn import building, shared_city

T = TypeVar("T")

TAG: Final = re.compile(r"qz[bcdfghjk]{4}")
BYTES: Final = re.compile(TAG.pattern.encode())
_LETTERS: Final = "bcdfghjk"
ROUNDS: Final = 100
"""Characters have tags in this many rounds."""
PLAIN: Final = {key: edition._VARIANTS[key] for key in EDITIONS}
"""The editions without tags."""


@cache
def _plain(key: str, options: Options) -> Edition:
    """Return the edition without tags for an edition `key` and its options."""
    return edition.with_options(PLAIN[key][()], options)


def _tag(number: int) -> str:
    return "qz" + "".join(_LETTERS[number // 8**place % 8] for place in range(4))


def base(name: str) -> str:
    """Return the key of a tagged card."""
    return TAG.sub("", name)


def _copies(key: str) -> int:
    """Return the largest number of copies that any edition has of a district."""
    return max(played.districts[key].count for played in EDITIONS.values() if key in played.districts)


def _tagged_copies() -> dict[str, tuple[str, ...]]:
    number, found = 0, {}
    for key in cards.DISTRICTS:
        found[key] = tuple(key + _tag(number + copy) for copy in range(_copies(key)))
        number += len(found[key])
    assert number < FIRST_CHARACTER
    return found


FIRST_CHARACTER: Final = 300
COPIES: Final = _tagged_copies()
"""For each district: the names of all its copies, each with a tag."""
_ORDER: Final = tuple(cards.CHARACTERS)


def deck_of(played: Edition, districts: Sequence[str]) -> list[str]:
    """Return the cards of a game, each copy with its tag, in the order of the box."""
    return [
        COPIES[key][copy] for key in dict.fromkeys(played.basics) for copy in range(played.districts[key].count)
    ] + [COPIES[key][copy] for key in districts for copy in range(played.districts[key].count)]


def character(key: str, round_: int) -> str:
    """Return the name of a character card of one round, with its tag."""
    return key + _tag(FIRST_CHARACTER + round_ * len(_ORDER) + _ORDER.index(key))


OF_CHARACTERS: Final = frozenset(
    _tag(number) for number in range(FIRST_CHARACTER, FIRST_CHARACTER + (ROUNDS + 1) * len(_ORDER))
)
"""All tags of characters. They differ from round to round."""


def tags_in(data: object) -> set[str]:
    """Return the tags in an object's text, or in bytes."""
    if isinstance(data, bytes | bytearray):
        return {found.decode() for found in BYTES.findall(data)}
    return set(TAG.findall(str(data)))


class _FromTheBox(Casting):
    """Draws and checks a cast and districts by the untagged keys of their cards."""

    def __init__(self, played: Edition) -> None:
        self.played = played
        self.chosen = played.casting.chosen

    def check(self, edition: Edition, config: TableConfig) -> None:
        self.played.casting.check(self.played, config)

    def filled(self, edition: Edition, config: TableConfig) -> TableConfig:
        return self.played.casting.filled(self.played, config)

    def draw(self, edition: Edition, config: TableConfig, chance: Chance) -> TableConfig:
        return self.played.casting.draw(self.played, config, chance)

    def substituted(self, cast: Sequence[str], players: int, ninth: str = "") -> tuple[str, ...]:
        return self.played.casting.substituted(cast, players, ninth)


def _with_tags(table: Mapping[str, T], names: Mapping[str, str]) -> dict[str, T]:
    return {**table, **{new: table[old] for new, old in names.items() if old in table}}


_DISTRICTS: Final = {tagged: key for key, copies in COPIES.items() for tagged in copies}
_PEOPLE: Final = {character(key, number): key for number in range(1, ROUNDS + 1) for key in _ORDER}


def with_tags(played: Edition) -> Edition:
    """Return an edition with tagged cards."""
    return replace(
        played,
        districts=_with_tags(played.districts, _DISTRICTS),
        effects=_with_tags(played.effects, _DISTRICTS),
        characters=_with_tags(played.characters, _PEOPLE),
        abilities=_with_tags(played.abilities, _PEOPLE),
        casting=_FromTheBox(played),
        identical=lambda state, seat: _tagged_names(played.identical(_without_tags(state), seat)),
    )


def _tagged_names(codes: Mapping[str, str]) -> Mapping[str, str]:
    """Return data about cards for their tagged names, from data for their untagged keys."""
    return {tagged: codes[name] for tagged, name in _DISTRICTS.items() if name in codes}


class _Tagged(dict[Options, Edition]):
    """By options: an edition with tagged cards."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key

    def __missing__(self, options: Options) -> Edition:
        self[options] = with_tags(_plain(self.key, options))
        return self[options]


_TAGGED: Final = {key: _Tagged(key) for key in EDITIONS}


@contextlib.contextmanager
def tagged(*, characters: bool = True) -> Iterator[None]:
    """Within this context all new tables play with tagged cards. Without `characters` only districts have
    tags, because in a sealed draft only the owner's program knows a character."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(EDITIONS, {key: one[()] for key, one in _TAGGED.items()}))
        stack.enter_context(mock.patch.dict(edition._VARIANTS, _TAGGED))
        stack.enter_context(mock.patch.dict(cards._PLACE, _with_tags(cards._PLACE, _PEOPLE)))
        for module in (diplomat, magistrate, marshal):
            stack.enter_context(mock.patch.object(module, "standing", _standing))
        for module in (shared_city, bell_tower):
            stack.enter_context(mock.patch.object(module, "names", _names))
        for owner, name, instead in (
            (notation, "DISTRICTS", (*cards.DISTRICTS, *_DISTRICTS)),
            (notation, "CHARACTERS", {*cards.CHARACTERS, *_PEOPLE}),
            (armory, "ITSELF", Spot(COPIES["armory"][0])),
            (bell_tower, "ITSELF", Spot(COPIES["bell_tower"][0])),
            (museum, "ITSELF", Spot(COPIES["museum"][0])),
            (building, "FRAMEWORK", Spot(COPIES["framework"][0])),
            (shared_city, "names_wanted", _names_wanted),
            (shared_city, "edition_of", _plain_edition),
            (engine, "new_table", _new_table),
            (CastDrawn, "apply", _apply_cast),
            *(_OF_CHARACTERS if characters else ()),
        ):
            stack.enter_context(mock.patch.object(owner, name, instead))
        yield


_real_shuffle = SeededChance.shuffle
_real_emit = Table.emit
_real_table = new_table
_real_names = shared_city.names
_real_names_wanted = shared_city.names_wanted


def _new_table(wanted: TableConfig, *, sealed: bool) -> State:
    state = _real_table(wanted, sealed=sealed)
    state.deck = deck_of(_plain_edition(state), state.districts)
    return state


def _plain_edition(state: State) -> Edition:
    return _plain(state.edition, state.options)


def _without_tags(state: State) -> State:
    """Return a state in which districts, and the cards under them, have their keys in place of tagged
    names."""
    plain = state.copy()
    for player in plain.players:
        player.city = [
            with_fields(one, key=base(one.key), under=tuple((by, base(card)) for by, card in one.under))
            for one in player.city
        ]
    return plain


def _names(state: State) -> set[str]:
    return _real_names(_without_tags(state))


def _names_wanted(state: State) -> int:
    return _real_names_wanted(_without_tags(state))


def _standing(player: Player, key: str) -> bool:
    return any(base(district.key) == base(key) for district in player.city)


def _holder(state: State, wanted: str) -> int | None:
    for seat, player in enumerate(state.players):
        if any(base(one) == base(wanted) for one in player.concealed):
            return seat
    return None


def _shuffle(self: SeededChance, label: str, items: Sequence[Any]) -> list[Any]:
    shuffled = _real_shuffle(self, label, items)
    kind, number, *_ = label.split("/")
    return [character(one, int(number)) for one in shuffled] if kind == "chars" else shuffled


def _emit(self: Table, event: Event) -> None:
    """Emit an event with the tagged names of the cards. Replaces `Table.emit` while cards have tags."""
    if isinstance(event, Revealed):
        held = self.state.players[event.seat].concealed
        event = Revealed(event.seat, next(one for one in held if base(one) == event.character))
    _real_emit(self, event)


def _apply_revealed(self: Revealed, state: State) -> None:
    player = state.players[self.seat]
    take(player.concealed, self.character)
    player.revealed.append(base(self.character))


def _apply_cast(self: CastDrawn, state: State) -> None:
    state.cast = self.cast
    if self.districts != state.districts:
        state.districts = self.districts
        cards = tuple(COPIES[card][0] for card in self.districts)
        state.deck.extend(cards if state.whole else hide(cards))


_OF_CHARACTERS: Final = (
    (rounds, "holder", _holder),
    (SeededChance, "shuffle", _shuffle),
    (Table, "emit", _emit),
    (Revealed, "apply", _apply_revealed),
)

__all__ = ["COPIES", "OF_CHARACTERS", "base", "character", "tagged", "tags_in"]
