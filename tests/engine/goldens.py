"""Digests of games with fixed seeds, 50 of each edition, and the rules digest of each edition, which covers
them.

`make goldens` writes both: `goldens.json` in this folder, and `citadels_lan/engine/rules_digests.py`.

    python -m tests.engine.goldens              all editions
    python -m tests.engine.goldens 2016         this edition only; the others keep their digests

The games derive their random draws from a seed like real games. Each digest covers the label and the number
of items of every draw. So the rules digest of an edition changes if a game of it would be replayed
differently.
"""

import hashlib
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct, to_builtins

from citadels_lan.crypto.seed import SeededChance
from citadels_lan.engine import EDITIONS, Edition, Table, edition_named, encode_event, new_table, rules_digests
from tests.engine.games import Game
from tests.engine.tables import Tables

T = TypeVar("T")
GOLDENS: Final = Path(__file__).with_name("goldens.json")
DIGESTS: Final = Path(rules_digests.__file__).with_suffix(".py")
GAMES: Final = 50
SEALED: Final = 5
"""Every fifth game has a sealed draft, if the edition has a draft."""
HEADING: Final = '''"""The rules digest of each edition. `make goldens` writes this file.

It covers the card tables, the labels of all chance, and fixed games, so it changes if a game would be replayed
differently. The header of a game contains the digest of its edition.
"""

from typing import Final

RULES: Final[dict[str, bytes]] = {
'''


class RecordedChance:
    """The chance of a real game, with a record: `drawn` has the label and the number of items of each draw."""

    def __init__(self, seed: bytes) -> None:
        self._chance = SeededChance(seed)
        self.drawn: list[tuple[str, int]] = []

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        self.drawn.append((label, len(items)))
        return self._chance.shuffle(label, items)

    def pick(self, label: str, items: Sequence[T]) -> T:
        self.drawn.append((label, len(items)))
        return self._chance.pick(label, items)


def game(edition: str, number: int) -> Game:
    """Return game `number` of an edition. Consecutive games have different numbers of players; options, cast
    and districts are random."""
    players = EDITIONS[edition].players
    sealed = EDITIONS[edition].flow.drafts and number % SEALED == 0
    tables = Tables((edition,), draft="sealed" if sealed else "open")
    return Game(number, tables.draw(random.Random(number), players[number % len(players)]))


def digest(edition: str, number: int) -> str:
    """Return a digest of every move, event and draw of a game."""
    played = game(edition, number)
    chance = RecordedChance(hashlib.sha256(f"{edition}/{number}".encode()).digest())
    played.table = Table(new_table(played.setup), chance)
    digested = hashlib.sha256()
    for said, events in played.steps():
        digested.update(json.dumps([said, *map(encode_event, events)]).encode())
    digested.update(json.dumps(chance.drawn).encode())
    return digested.hexdigest()[:16]


def rules_digest(edition: str, games: Sequence[str]) -> bytes:
    """Return the rules digest of an edition. `games` are the digests of its games."""
    covered = [edition, *tables_of(EDITIONS[edition]), games]
    return hashlib.sha256(json.dumps(covered, sort_keys=True).encode()).digest()


def tables_of(edition: Edition) -> Iterator[Any]:
    """Yield the facts on the cards and the numbers of an edition, then the same with each value of each
    option."""
    yield numbers_of(edition)
    for name, values in edition.options.items():
        for value in list(values)[1:]:
            yield [name, value, numbers_of(edition_named(edition.key, ((name, value),)))]


def numbers_of(edition: Edition) -> Mapping[str, Any]:
    """Return the facts on the cards and the numbers of an edition as plain values."""
    return {
        "players": list(edition.players),
        "hand": [[players, cards] for players, cards in sorted(edition.hand.items())],
        "gold": edition.gold,
        "districts": plain(edition.districts),
        "characters": plain(edition.characters),
        "effects": plain(edition.effects),
        "abilities": plain(edition.abilities),
        "scenarios": plain(edition.scenarios),
    }


def plain(value: Any) -> Any:
    """Return a value as plain data for JSON. An object that is not data is represented by its attributes; its
    code is covered by the games."""
    match value:
        case None | str() | int() | float():
            return value
        case Struct():
            return to_builtins(value)
        case Mapping():
            return {str(key): plain(one) for key, one in value.items()}
        case list() | tuple() | range():
            return [plain(one) for one in value]
        case set() | frozenset():
            return sorted(map(str, value))
        case type():
            return None
    return plain(getattr(value, "__dict__", None))


def write(editions: Sequence[str]) -> None:
    """Play the games of these editions and write their digests, and the rules digests of all editions."""
    known = json.loads(GOLDENS.read_text(encoding="utf-8")) if GOLDENS.exists() else {}
    for edition in editions:
        known[edition] = [digest(edition, number) for number in range(GAMES)]
    kept = {edition: known[edition] for edition in EDITIONS if edition in known}
    GOLDENS.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")
    rows = "".join(
        f'    "{edition}": bytes.fromhex("{rules_digest(edition, games).hex()}"),\n'
        for edition, games in kept.items()
    )
    DIGESTS.write_text(f"{HEADING}{rows}}}\n", encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1:] or list(EDITIONS))
