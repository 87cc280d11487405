"""Cards that can be told apart: in tests every copy of a district, and every character of every round, has a name
of its own, so that whoever finds the name in some bytes knows which card was meant.

A tagged name is the card's key and a tag (`marketqzbcdf`). The engine plays with such names like with any others:
costs, types, ranks and abilities are found under them too, and where the rules compare names (identical districts
in a city, the character that is called) the keys are compared. A few prices and points at the end may differ from
those of the real cards, for everybody alike.
"""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar
from unittest import mock

from citadels_lan.crypto import replay
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.engine import (
    EDITIONS,
    Chance,
    Edition,
    Event,
    Player,
    State,
    Table,
    TableConfig,
    edition,
    new_table,
    reading,
    words,
)
from citadels_lan.engine.characters import diplomat, magistrate, marshal
from citadels_lan.engine.districts import armory, museum
from citadels_lan.engine.edition import Casting
from citadels_lan.engine.events import CastDrawn, Revealed, hide
from citadels_lan.engine.events.base import take
from citadels_lan.engine.flow import rounds
from citadels_lan.engine.spots import Spot
from citadels_lan.engine.turn import building
from tests.facts import BASICS, CHARACTERS, E2016, UNIQUES

T = TypeVar("T")

TAG: Final = re.compile(r"qz[bcdfghjk]{4}")
BYTES: Final = re.compile(TAG.pattern.encode())
_LETTERS: Final = "bcdfghjk"
ROUNDS: Final = 100
"""Characters have tags for so many rounds."""


def _tag(number: int) -> str:
    return "qz" + "".join(_LETTERS[number // 8**place % 8] for place in range(4))


def base(name: str) -> str:
    """The key of the card."""
    return TAG.sub("", name)


DECK: Final = tuple(card + _tag(number) for number, card in enumerate(BASICS))
"""The basic districts, each copy with its tag, in the order of the box."""
UNIQUE: Final = {card: card + _tag(100 + number) for number, card in enumerate(UNIQUES)}
_ORDER: Final = tuple(CHARACTERS)


def character(key: str, round_: int) -> str:
    """A character card of one round."""
    return key + _tag(200 + round_ * len(_ORDER) + _ORDER.index(key))


OF_CHARACTERS: Final = frozenset(_tag(number) for number in range(200, 200 + (ROUNDS + 1) * len(_ORDER)))
"""The tags of characters, which are new in every round."""


def tags_in(data: object) -> set[str]:
    """The tags in something's text, or in its bytes."""
    if isinstance(data, bytes | bytearray):
        return {found.decode() for found in BYTES.findall(data)}
    return set(TAG.findall(str(data)))


def _names() -> Iterator[tuple[str, str]]:
    yield from zip(DECK, BASICS, strict=True)
    yield from ((tagged, key) for key, tagged in UNIQUE.items())


class _FromTheBox(Casting):
    """A cast and districts are drawn from the box, where the cards have no tags."""

    chosen = E2016.casting.chosen

    def check(self, edition: Edition, config: TableConfig) -> None:
        E2016.casting.check(E2016, config)

    def draw(self, edition: Edition, config: TableConfig, chance: Chance) -> TableConfig:
        return E2016.casting.draw(E2016, config, chance)

    def substituted(self, cast: Sequence[str], players: int, ninth: str = "") -> tuple[str, ...]:
        return E2016.casting.substituted(cast, players, ninth)


def _with_tags(table: Mapping[str, T], names: Mapping[str, str]) -> dict[str, T]:
    return {**table, **{new: table[old] for new, old in names.items() if old in table}}


_DISTRICTS: Final = dict(_names())
_PEOPLE: Final = {character(key, number): key for number in range(1, ROUNDS + 1) for key in CHARACTERS}
TAGGED: Final = replace(
    E2016,
    districts=_with_tags(E2016.districts, _DISTRICTS),
    effects=_with_tags(E2016.effects, _DISTRICTS),
    characters=_with_tags(E2016.characters, _PEOPLE),
    abilities=_with_tags(E2016.abilities, _PEOPLE),
    casting=_FromTheBox(),
)
"""The edition with tagged cards."""


@contextlib.contextmanager
def tagged() -> Iterator[None]:
    """All tables that begin within this context play with tagged cards."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(EDITIONS, {TAGGED.key: TAGGED}))
        stack.enter_context(mock.patch.dict(edition._VARIANTS, {TAGGED.key: edition._Variants(TAGGED)}))
        stack.enter_context(mock.patch.dict(words._PLACE, _with_tags(words._PLACE, _PEOPLE)))
        for module in (building, diplomat, magistrate, marshal):
            stack.enter_context(mock.patch.object(module, "standing", _standing))
        for owner, name, instead in (
            (reading, "DISTRICTS", (*words.DISTRICTS, *_DISTRICTS)),
            (reading, "CHARACTERS", {*words.CHARACTERS, *_PEOPLE}),
            (armory, "ITSELF", Spot(UNIQUE["armory"])),
            (museum, "ITSELF", Spot(UNIQUE["museum"])),
            (building, "FRAMEWORK", Spot(UNIQUE["framework"])),
            (replay, "new_table", _new_table),
            (rounds, "holder", _holder),
            (SeededChance, "shuffle", _shuffle),
            (Table, "emit", _emit),
            (Revealed, "apply", _apply_revealed),
            (CastDrawn, "apply", _apply_cast),
        ):
            stack.enter_context(mock.patch.object(owner, name, instead))
        yield


_real_shuffle = SeededChance.shuffle
_real_emit = Table.emit
_real_table = new_table


def _new_table(wanted: TableConfig, *, sealed: bool) -> State:
    state = _real_table(wanted, sealed=sealed)
    state.deck = [*DECK, *(UNIQUE[card] for card in wanted.districts)]
    return state


def _standing(player: Player, key: str) -> bool:
    return any(base(district.key) == base(key) for district in player.city)


def _holder(state: State, wanted: str) -> int | None:
    for seat, player in enumerate(state.players):
        if any(base(one) == base(wanted) for one in player.concealed):
            return seat
    return None


def _shuffle(self: SeededChance, label: str, items: Sequence[Any]) -> list[Any]:
    shuffled = _real_shuffle(self, label, items)
    kind, _, number = label.partition("/")
    return [character(one, int(number)) for one in shuffled] if kind == "chars" else shuffled


def _emit(self: Table, event: Event) -> None:
    """What is shown is the card that lies there."""
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
        cards = tuple(UNIQUE[card] for card in self.districts)
        state.deck.extend(cards if state.whole else hide(cards))


__all__ = ["OF_CHARACTERS", "base", "character", "tagged", "tags_in"]
