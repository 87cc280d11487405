"""One's own games: in one list, those to go on with first, by keyboard and mouse."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from citadels_lan.front.archive import PastGame, Wins, tallies, transcripts
from citadels_lan.front.launcher import Place, Preferences
from citadels_lan.ui.screens.games import GamesScreen
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from tests.crypto.tables import leaving
from tests.effort import one_case
from tests.net.playing import until

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


def test_what_is_counted() -> None:
    assert tallies([*PLAYED, OPEN, past(1, seat=None), past(2, bot=True)]) == [
        Wins("", 12, 4), Wins("2016", 9, 3), Wins("dark_city", 3, 1),
    ]  # fmt: skip
    assert tallies([]) == [Wins("", 0, 0)]


@pytest.mark.parametrize("size", [(80, 24), (160, 50), (40, 12), (2, 2)])
async def test_every_size_shows_the_game_under_the_cursor(size: tuple[int, int]) -> None:
    hostile = past(3, "\u5927" * 30, edition="\x1b[31mnone", winners=("\u5927" * 30,))
    app = make(launcher=FakeLauncher())
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        screen = GamesScreen([OPEN], [hostile, *PLAYED])
        await app.push_screen(screen)
        await press(pilot, "L")
        for game in (OPEN, hostile, *PLAYED):
            assert screen.game == game
            assert size[0] < 10 or sum("►" in line for line in shown(app)) == 1
            assert "\x1b" not in text(pilot)
            await press(pilot, "down")
        await press(pilot, "home", "pagedown", "end")
        assert screen.game == PLAYED[-1]


async def test_games_without_room_are_counted() -> None:
    app = make(launcher=FakeLauncher())
    async with app.run_test(size=(80, 13)) as pilot:
        await settle(pilot)
        await app.push_screen(GamesScreen([], PLAYED))
        await settle(pilot)
        assert "▼ 7" in text(pilot)
        await press(pilot, "end")
        assert "▲ 7" in text(pilot)


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


@one_case("keys", [("enter",), ("c",), ("down", "down", "C")])
async def test_a_game_goes_on(keys: tuple[str, ...]) -> None:
    launcher = Past()
    app = make(launcher=launcher)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: any("Continue your table" in line for line in shown(app)))
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
