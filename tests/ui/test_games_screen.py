"""One's own games: in one list, those to go on with first, by keyboard and mouse."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from citadels_lan.front.archive import PastGame, Wins, tallies, transcripts
from citadels_lan.front.glyphs import ASCII, UNICODE
from citadels_lan.front.launcher import Place, Preferences
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.ui.drawings.games import Shelf, draw_games
from citadels_lan.ui.screens.games import GamesScreen
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.widgets.look import DARK, Look
from tests.crypto.tables import leaving
from tests.effort import quick

from .fake import FakeLauncher, FakeLobby
from .keys import settle
from .pictures import shown, text
from .test_pictures import keep_all, make

NAMES = ("Ada", "Massimiliano", "Bruno")


def past(day: int, winner: str = "Ada", edition: str = "2016", **more: object) -> PastGame:
    when = datetime(2026, 11, day, 20, 15)
    values = {"winners": (winner,), "round": 7, "over": True, "seat": 0, "edition": edition, **more}
    return PastGame(Path(f"game-{day}.ctr"), str(day), when, NAMES, **values)  # type: ignore[arg-type]


PLAYED = [past(20 - n, NAMES[n % 3], ("2016", "dark_city")[n % 4 == 0]) for n in range(12)]
OPEN = past(21, winners=(), over=False, round=4, hosted=True, seat=None)


def drawn(unfinished: Sequence[PastGame], games: Sequence[PastGame], size: tuple[int, int], cursor: int = 0,
          language: str = "en") -> list[str]:  # fmt: skip
    shelf = Shelf(load(language), Look(DARK, UNICODE), unfinished, games, tallies(games), cursor)
    return [str(line) for line in draw_games(shelf, *size).lines]


def test_what_is_counted() -> None:
    assert tallies([*PLAYED, OPEN, past(1, seat=None), past(2, bot=True)]) == [
        Wins("", 12, 4), Wins("2016", 9, 3), Wins("dark_city", 3, 1),
    ]  # fmt: skip
    assert tallies([]) == [Wins("", 0, 0)]


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
@pytest.mark.parametrize("size", [(80, 23), (120, 39), (160, 49), (30, 8), (1, 1)])
def test_every_size_shows_the_game_under_the_cursor(size: tuple[int, int], language: str) -> None:
    hostile = past(3, "\u5927" * 30, edition="\x1b[31mnone", winners=("\u5927" * 30,))
    games = [hostile, *PLAYED]
    for cursor in range(len(games) + 1):
        lines = drawn([OPEN], games, size, cursor, language)
        if size[0] > 10:
            assert sum("►" in line for line in lines) == 1
            assert all(cell_len(line) <= size[0] for line in lines)
        assert not any("\x1b" in line for line in lines)


def test_games_without_room_are_counted_and_signs_are_plain() -> None:
    assert "9 more" in drawn([], PLAYED, (80, 7))[-1]
    assert "9 before" in drawn([], PLAYED, (80, 7), 11)[-1]
    look = Look(DARK, ASCII)
    plain = [str(line) for line in draw_games(Shelf(load("en"), look, [], PLAYED, [], 0), 120, 30).lines]
    assert all(line.isascii() for line in plain)


def test_a_transcript_tells_its_edition(tmp_path: Path) -> None:
    (tmp_path / "a.ctr").write_bytes(leaving({}, players=3).transcript(0))
    (game,) = transcripts(tmp_path)
    assert (game.edition, len(tallies([game]))) == ("2016", 2)


class Past(FakeLauncher):
    """Games have been played here, and one can go on."""

    def __init__(self, preferences: Preferences | None = None) -> None:
        super().__init__(preferences=preferences)
        self.went_on: list[PastGame] = []

    def finished(self) -> Sequence[PastGame]:
        return PLAYED

    def unfinished(self) -> Sequence[PastGame]:
        return [OPEN]

    async def go_on(self, game: PastGame) -> Place:
        self.went_on.append(game)
        return Place(FakeLobby())


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


@pytest.mark.parametrize("keys", [("enter",), ("c",), ("down", "down", "C")])
async def test_a_game_goes_on(keys: tuple[str, ...]) -> None:
    launcher = Past()
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await pilot.app.workers.wait_for_complete([])
        await settle(pilot)
        await press(pilot, "G", *keys)
        assert launcher.went_on == [OPEN]
        assert isinstance(pilot.app.screen, LobbyScreen)


async def test_keys_belong_to_the_game_under_the_cursor() -> None:
    async with make(launcher=Past()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "g")
        assert "replay" not in shown(pilot.app)[-1]
        await press(pilot, "v")
        assert isinstance(pilot.app.screen, GamesScreen), "there is no proof of it yet"
        row = next(y for y, line in enumerate(shown(pilot.app)) if "2026-11-18" in line)
        await pilot.click(offset=(10, row))
        await settle(pilot)
        assert "► " in shown(pilot.app)[row]
        assert "V check the proofs" in shown(pilot.app)[-1]
        await press(pilot, "end", "question_mark")
        assert "with a crown" in text(pilot)
        await press(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_pictures() -> None:
    async with make(launcher=Past()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "g", "down", "down")
        await keep_all(pilot, "games", [(80, 24), (120, 40), (160, 50)])
