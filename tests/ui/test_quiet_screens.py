"""The screens for settings, rules and past games: keys, mouse, sizes, and the frame to the right of the
list."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import pytest
from textual.widgets import Input

from citadels_lan.engine import DEFAULT, EDITIONS
from citadels_lan.presenter.archive import PastGame, Wins, tallies, transcripts
from citadels_lan.presenter.launcher import FoundTable, Place, Preferences
from citadels_lan.texts import load
from citadels_lan.texts.topics import Topic, find, page, title
from citadels_lan.ui.screens.games import GamesScreen
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.rules import RulesScreen
from citadels_lan.ui.widgets.program import ChoiceList, PageScreen
from tests.crypto.tables import leaving
from tests.effort import one_case, quick
from tests.net.playing import until
from tests.past.files import finished

from .fake import FakeLauncher, FakeLobby, FakeSession
from .keys import press
from .pictures import shown, text, the
from .test_pictures import SIZES, keep_all, make
from .waiting import settle

NAMES = ("Ada", "Massimiliano", "Bruno")


def past(day: int, winner: str = "Ada", edition: str = "2016", **more: object) -> PastGame:
    when = datetime(2026, 11, day, 20, 15)
    values = {"winners": (winner,), "round": 7, "over": True, "seat": 0, "edition": edition, **more}
    return PastGame(Path(f"game-{day}.ctr"), str(day), when, NAMES, **values)  # type: ignore[arg-type]


PLAYED = [past(20 - n, NAMES[n % 3], ("2016", "dark_city")[n % 4 == 0]) for n in range(12)]
OPEN = past(21, winners=(), over=False, round=4, hosted=True, seat=None)


class Past(FakeLauncher):
    """A launcher with finished games, and one game that can be resumed."""

    def __init__(self, preferences: Preferences | None = None) -> None:
        super().__init__(preferences=preferences)
        self.resumed: list[PastGame] = []

    def finished(self) -> Sequence[PastGame]:
        return PLAYED

    def unfinished(self) -> Sequence[PastGame]:
        return [OPEN]

    async def go_on(self, game: PastGame) -> Place:
        self.resumed.append(game)
        return Place(FakeLobby())


# All screens


@pytest.mark.parametrize("key", quick(["", "r", "s", "o", "g"], "", "s"))
async def test_ascii_terminals_get_only_ascii_characters(key: str) -> None:
    launcher = Past(Preferences(name="Ada", ascii=True))
    async with make(launcher=launcher).run_test(size=(120, 40)) as pilot:
        await press(pilot, *key)
        assert text(pilot).isascii()


PLACES: dict[str, Callable[[], Place | None]] = {
    "home": lambda: None,
    "lobby": lambda: Place(FakeLobby(8)),
    "table": lambda: Place(FakeSession(3)),
}


@pytest.mark.slow
@pytest.mark.parametrize("place", quick(PLACES, "table"))
async def test_every_screen_can_have_any_size(place: str) -> None:
    found = FoundTable("192.168.1.9:47110", "Chiara", 2, 5)
    async with make(PLACES[place](), FakeLauncher([found])).run_test(size=(80, 24)) as pilot:
        await press(pilot, "L")
        for size in ((40, 10), (10, 3), (1, 1), (200, 60)):
            await pilot.resize_terminal(*size)


# Settings


async def test_settings_are_saved() -> None:
    launcher = FakeLauncher()
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await press(pilot, "s", "enter")
        pilot.app.screen.query_one(Input).value = "\x1b[1mMassimiliano"
        await press(pilot, "enter", *("down", "right") * 5)
        kept = launcher.preferences
        assert kept.name == "[1mMassimiliano"
        assert (kept.language, kept.dark, kept.ascii, kept.alerts) == ("it", False, True, True)
        assert kept.bot_speed == "instant"
        await press(pilot, "escape")
        assert "Massimiliano" in text(pilot)


# Rules


def beginning(edition: str) -> str:
    """Return the first words of the first page of the rules."""
    return page(load("en"), Topic("rule", "game"), EDITIONS[edition])[0][:25].rpartition(" ")[0]


BEGINNING = beginning(DEFAULT)


@pytest.mark.parametrize("typed", ["wit", "Str", "STREGA", "witch"])
def test_rules_search_finds_a_card_by_its_name_in_any_language(typed: str) -> None:
    assert "Witch" in names(typed)
    assert "Strega" in names(typed, "it")


def test_rules_search_finds_later_words_parts_of_words_and_page_texts() -> None:
    assert names("treas") == ["Imperial Treasury"]
    assert names("athedr") == ["Cathedral"]
    found = find(load("en"), EDITIONS[DEFAULT], BEGINNING.lower())
    assert found.said
    assert [topic.key for topic in found.topics] == ["game"]


def names(typed: str, language: str = "en") -> list[str]:
    texts = load(language)
    return [title(texts, topic) for topic in find(texts, EDITIONS[DEFAULT], typed).topics]


@pytest.mark.parametrize(("width", "height"), quick([(80, 24), (160, 50), (40, 10), (10, 3)], (80, 24)))
async def test_cursor_reaches_every_topic_of_the_rules(width: int, height: int) -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(width, height)) as pilot:
        await press(pilot, "r")
        screen = the(RulesScreen, pilot.app.screen)
        topics = screen.found.topics
        for topic in topics[:: max(len(topics) // 6, 1)]:
            screen.query_one(ChoiceList).point(topic.key)
            await settle(pilot)
            assert screen.topic == topic
            assert width < 40 or any(title(load("en"), topic) in line for line in shown(pilot.app))
        await press(pilot, "end")
        assert screen.topic == topics[-1]


async def test_list_and_page_of_the_rules_scroll() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(80, 14)) as pilot:
        await press(pilot, "r")
        assert BEGINNING in text(pilot)
        await press(pilot, "pagedown")
        assert BEGINNING not in text(pilot)
        await press(pilot, "pageup")
        assert BEGINNING in text(pilot)
        assert "Wishing Well" not in text(pilot)
        await press(pilot, "end")
        assert "Wishing Well" in text(pilot)


async def test_escape_clears_the_rules_search_before_it_leaves_the_screen() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(120, 40)) as pilot:
        await press(pilot, "r", *"spel")
        assert "nothing" in text(pilot) or "have the word" in text(pilot) or "has the word" in text(pilot)
        await press(pilot, "backspace", "backspace", "Y")
        screen = the(RulesScreen, pilot.app.screen)
        assert screen.typed == "spY"
        assert "─ Spy ─" in text(pilot)
        await press(pilot, "L")
        assert "─ Spia ─" in text(pilot)
        await press(pilot, "escape")
        assert screen.typed == ""
        await press(pilot, "question_mark")
        assert "lettere minuscole" in text(pilot)
        await press(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


@pytest.mark.slow
async def test_rules_of_another_edition_are_found_and_read() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(120, 40)) as pilot:
        await press(pilot, "r", *"auction")
        assert "in Città Comune" in text(pilot)
        await press(pilot, "left")
        assert "─ Selling and auctions ─" in text(pilot)
        await press(pilot, "escape", "home", "enter")
        assert beginning("citta_comune") in text(pilot)
        x = shown(pilot.app)[0].index(">")
        await pilot.click("#heading", offset=(x, 0))
        assert "< 2016/2021 >" in text(pilot)


# Games


def test_won_games_are_counted_by_edition(tmp_path: Path) -> None:
    assert tallies([*PLAYED, OPEN, past(1, seat=None), past(2, bot=True)]) == [
        Wins("", 12, 4), Wins("2016", 9, 3), Wins("dark_city", 3, 1),
    ]  # fmt: skip
    assert tallies([]) == [Wins("", 0, 0)]
    (tmp_path / "a.ctr").write_bytes(leaving({}, players=3).transcript(0))
    (game,) = transcripts(tmp_path)
    assert (game.edition, len(tallies([game]))) == ("2016", 2)


@pytest.mark.parametrize(("width", "height"), quick([(80, 24), (160, 50), (40, 12), (2, 2)], (80, 24)))
async def test_list_of_games_shows_the_game_under_the_cursor_at_every_size(width: int, height: int) -> None:
    hostile = past(3, "\u5927" * 30, edition="\x1b[31mnone", winners=("\u5927" * 30,))
    app = make(launcher=FakeLauncher())
    async with app.run_test(size=(width, height)) as pilot:
        screen = GamesScreen([OPEN], [hostile, *PLAYED])
        await app.push_screen(screen)
        await press(pilot, "L")
        for game in (OPEN, hostile, *PLAYED):
            assert screen.game == game
            assert width < 10 or sum("►" in line for line in shown(app)) == 1
            assert "\x1b" not in text(pilot)
            await press(pilot, "down")
        await press(pilot, "home", "pagedown", "end")
        assert screen.game == PLAYED[-1]


@one_case("keys", [("enter",), ("down", "down", "C")])
async def test_unfinished_game_is_resumed_from_the_list(keys: tuple[str, ...]) -> None:
    launcher = Past()
    app = make(launcher=launcher)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: any("Continue your game" in line for line in shown(app)))
        await press(pilot, "G", *keys)
        assert launcher.resumed == [OPEN]
        assert isinstance(pilot.app.screen, LobbyScreen)


async def test_keys_of_the_list_of_games_apply_to_the_game_under_the_cursor() -> None:
    async with make(launcher=Past()).run_test(size=(80, 24)) as pilot:
        await press(pilot, "g")
        assert "replay" not in shown(pilot.app)[-1]
        await press(pilot, "v")
        assert isinstance(pilot.app.screen, GamesScreen), "there is no proof of it yet"
        row = next(y for y, line in enumerate(shown(pilot.app)) if "2026-11-18" in line)
        await pilot.click(offset=(10, row))
        assert "► " in shown(pilot.app)[row]
        assert "V check the proofs" in shown(pilot.app)[-1]
        await press(pilot, "end", "question_mark")
        assert "The crown marks" in text(pilot)
        await press(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


@pytest.mark.slow
async def test_list_of_games_matches_its_pictures() -> None:
    async with make(launcher=Past()).run_test(size=(80, 24)) as pilot:
        await press(pilot, "g", "down", "down")
        await keep_all(pilot, "games", SIZES)


async def test_statistics_of_games_are_drawn_as_bars(tmp_path: Path) -> None:
    finished(tmp_path)
    app = make(launcher=FakeLauncher())
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(GamesScreen([], transcripts(tmp_path)))
        await press(pilot, "s")
        await until(lambda: isinstance(app.screen, PageScreen))
        await settle(pilot)
        assert "Favourite characters" in text(pilot)
        assert "█" * 14 in text(pilot)
        await press(pilot, "s")
        assert isinstance(app.screen, GamesScreen)
