"""A hint on the screen and in lines: thought out elsewhere, told to all, and forbidden where the table says so."""

import asyncio
import io
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.front.bot_hint import (
    FORBIDDEN,
    NOT_NOW,
    TAKEN,
    Adviser,
    BotHint,
    NoHint,
    advise,
    check_hint,
)
from citadels_lan.front.game import Game
from citadels_lan.front.launcher import Place
from citadels_lan.front.review import hint_lines
from citadels_lan.net.client.updates import Chatted
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import PlainTable
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.ui.widgets.page import PageScreen
from tests.bots.here_and_now import HereAndNow
from tests.effort import quick
from tests.net.playing import join, seated, until

from .fake import FakeSession
from .keys import settle
from .pictures import text
from .test_table_keys import make_app


def heard(game: Game, session: FakeSession) -> None:
    """The game takes all that the session has told."""
    while not session.queue.empty():
        game.take(session.queue.get_nowait())


async def later(moves: int = 12) -> tuple[FakeSession, Game]:
    """A game after some moves of the person."""
    session = FakeSession(4, seed=3)
    game = Game(session, load("en"))
    for _ in range(moves):
        await session.act(session.sampled())
    heard(game, session)
    return session, game


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
async def test_a_hint_says_the_best_move_its_chance_and_the_others(language: str) -> None:
    session, game = await later()
    hint = await advise(session, game.adviser, HereAndNow())
    told = list(hint_lines(load(language), hint, session.names))
    assert " %" in told[0]
    assert len([line for line in told if "±" in line]) == len(hint.moves) > 1
    assert hint.moves[0].gap == 0


async def test_everybody_is_told_before_it_is_thought_about() -> None:
    session, game = await later()
    pool = HereAndNow()

    async def refuse(text: str) -> None:
        assert text == TAKEN
        assert not pool.asked
        raise NoHint(NOT_NOW)

    session.chat = refuse  # type: ignore[method-assign]
    with pytest.raises(NoHint):
        await advise(session, game.adviser, pool)
    assert not pool.asked


async def test_whoever_takes_one_is_named_in_the_log_and_a_spectator_only_says_so() -> None:
    _, game = await later()
    game.take(Chatted(1, "Massimiliano", TAKEN))
    game.take(Chatted(None, "Massimiliano", TAKEN))
    taken, only_said = list(game.story.lines(game.texts))[-2:]
    assert (taken.kind, taken.text) == ("notice", "Massimiliano asks for a hint.")
    assert only_said.kind == "chat"


async def test_there_is_none_where_the_table_says_so_and_where_nothing_is_asked() -> None:
    session, _ = await later()
    session.settings = replace(session.settings, hints=False)
    with pytest.raises(NoHint) as none:
        check_hint(session.table)
    assert none.value.why == FORBIDDEN
    session.settings, session.seat = replace(session.settings, hints=True), None
    with pytest.raises(NoHint) as none:
        check_hint(session.table)
    assert none.value.why == NOT_NOW


async def test_there_is_none_without_all_that_was_told() -> None:
    session, _ = await later()
    with pytest.raises(NoHint):
        await advise(session, Adviser(), HereAndNow())


async def test_a_key_shows_it_on_a_small_screen() -> None:
    session = FakeSession(4, seed=3)
    app = make_app(session)
    async with app.run_test(size=(80, 24)) as pilot:
        app._thinking = HereAndNow()
        await settle(pilot)
        assert "I a hint" in text(pilot)
        await pilot.press("I")
        await settle(pilot)
        assert isinstance(app.screen, PageScreen)
        assert "Best: " in text(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert "Ada asks for a hint." in text(pilot)
        await pilot.press("H", "I")
        await settle(pilot)
        assert not isinstance(app.screen, PageScreen)


async def test_the_key_says_so_where_hints_are_forbidden() -> None:
    session = FakeSession(4, seed=3)
    session.settings = replace(session.settings, hints=False)
    app = make_app(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "I a hint" not in text(pilot)
        await pilot.press("I")
        await settle(pilot)
        assert "Hints are not allowed" in text(pilot)


@pytest.mark.parametrize(("language", "word", "said"), quick([
    ("en", "hint", "Best: "), ("it", "suggerimento", "Mossa migliore: "),
], ("it", "suggerimento", "Mossa migliore: ")))  # fmt: skip
async def test_a_word_asks_for_it_in_lines(language: str, word: str, said: str) -> None:
    session, out = FakeSession(4, seed=3), io.StringIO()
    source = InputLines(io.StringIO(f"{word}\nquit\nquit\n"))
    table = PlainTable(Place(session), load(language), source, out)
    table.thinking = HereAndNow()
    await table.run()
    assert said in out.getvalue()


async def test_over_real_sockets_all_are_told_who_takes_one_and_what_was_agreed(tmp_path: Path) -> None:
    async with seated(tmp_path, 2) as (table, (ada, bea)), asyncio.timeout(60):
        assert ada.table.settings.hints
        watcher = await join(table, tmp_path / "w", "Wanda", role="spectator")
        games = [Game(session, load("en")) for session in (ada, bea, watcher)]
        async with asyncio.TaskGroup() as tasks:
            heard_all = [tasks.create_task(hear(game)) for game in games]  # kept: by the group
            await ada.start()
            await until(lambda: bool(ada.table.choices or bea.table.choices))
            asked = games[0] if ada.table.choices else games[1]
            hint = await hinted(asked)
            said = f"{asked.names[hint.seat]} asks for a hint."
            await until(lambda: all(said in told(game) for game in games))
            for task in heard_all:
                task.cancel()
        await watcher.leave()


async def test_over_real_sockets_no_hints_is_in_the_signed_header(tmp_path: Path) -> None:
    async with seated(tmp_path, 2) as (_, (ada, bea)), asyncio.timeout(60):
        await ada.configure(replace(ada.table.settings, hints=False))
        await until(lambda: not bea.table.settings.hints)
        await bea.ready()
        await ada.start()
        await until(lambda: bea.table.status == "playing")
        assert not bea.table.settings.hints
        with pytest.raises(NoHint) as none:
            check_hint(bea.table)
        assert none.value.why == FORBIDDEN


def told(game: Game) -> list[str]:
    """All that the game's log says."""
    return [line.text for line in game.story.lines(game.texts)]


async def hinted(game: Game) -> BotHint:
    """A hint, once the game has heard of all that has led to its view."""
    while True:
        try:
            return await advise(game.session, game.adviser, HereAndNow())
        except NoHint:
            await asyncio.sleep(0.002)


async def hear(game: Game) -> None:
    """The game takes all that its session tells."""
    async for update in game.session.updates():
        game.take(update)
