"""Sealed games, and the files of their seats."""

from pathlib import Path

from msgspec.structs import replace

from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import TableConfig, from_scenario
from tests.crypto.forging import saved
from tests.crypto.table import Game, seats
from tests.facts import first_game


def sealed_first(players: int) -> TableConfig:
    """The first game for so many players, with a sealed draft."""
    return replace(first_game(players), draft="sealed")


def sealed_theater(players: int = 4) -> TableConfig:
    """The same with the Theater in its deck."""
    config = from_scenario("first_game", players)
    return replace(config, draft="sealed", districts=tuple(sorted({"theater", *config.districts[1:]})))


def checked(game: Game, folder: Path) -> Report:
    """What the files of all seats and of a spectator tell."""
    players = len(game.state.players)
    return verify([saved(folder / f"{seat}.ctr", game.transcript(seat)) for seat in seats(players)])


def accused(report: Report) -> set[tuple[str | None, int | None]]:
    """Who is proven to have cheated."""
    return {(one.accused, one.seat if one.accused == "player" else None) for one in report.findings if one.accused}
