"""Games with a sealed draft, and the files of their seats."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar
from unittest import mock

from msgspec.structs import replace

from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.engine import Action, Deal, TableConfig, decisions, from_scenario
from tests.crypto.forging import saved
from tests.crypto.table import Game, seats
from tests.facts import first_game

T = TypeVar("T")


def sealed_first(players: int) -> TableConfig:
    """Return the first game for this many players, with a sealed draft."""
    return replace(first_game(players), draft="sealed")


def sealed_theater(players: int = 4) -> TableConfig:
    """Return the configuration of `sealed_first` with the Theater in the deck."""
    config = from_scenario("first_game", players)
    return replace(config, draft="sealed", districts=tuple(sorted({"theater", *config.districts[1:]})))


@contextlib.contextmanager
def theater_on_top() -> Iterator[None]:
    """Within this context the Theater (possibly with a tag) is the first card of the deck, for the host and
    for verification."""
    shuffled = SeededChance.shuffle

    def shuffle(self: SeededChance, label: str, items: Sequence[T]) -> list[T]:
        found = shuffled(self, label, items)
        return (
            sorted(found, key=lambda card: not str(card).startswith("theater"))
            if label.startswith("districts/")
            else found
        )

    with mock.patch.object(SeededChance, "shuffle", shuffle):
        yield


@contextlib.contextmanager
def theater_first() -> Iterator[None]:
    """Context in which the Theater is the first card of the deck, and seats save their gold to build it."""
    with theater_on_top(), mock.patch.object(Game, "random_action", longing):
        yield


def longing(game: Game, seat: int) -> Action:
    """Return a random move of a seat that saves its gold for the Theater until that is built."""
    choices = decisions(game.own_view(seat))[seat]
    built = any(card.key == "theater" for player in game.state.players for card in player.city)
    actions = [choice for choice in choices if not isinstance(choice, Deal)]
    wished = [one for one in actions if str(one).startswith(("build theater", "gather gold"))]
    others = [one for one in actions if not str(one).startswith("build")]
    if built or not (wished or others):
        return random_action(game, seat)
    return game.choose.choice(wished or others)


random_action = Game.random_action


def checked(game: Game, folder: Path) -> Report:
    """Verify the files of all seats and of a spectator. Return the report."""
    players = len(game.state.players)
    return verify([saved(folder / f"{seat}.ctr", game.transcript(seat)) for seat in seats(players)])


def accused(report: Report) -> set[tuple[str | None, int | None]]:
    """Return whom the report proves to have cheated: "host" or "player", and the seat."""
    return {(one.accused, one.seat if one.accused == "player" else None) for one in report.findings if one.accused}
