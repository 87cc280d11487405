"""How screens show whether the host is honest: check words, marks of openings, missing signatures, alarms.
Also guessed join codes."""

import asyncio
import io
from collections.abc import AsyncIterator
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from rich.cells import cell_len

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import Event
from citadels_lan.engine.events import Called, Confiscated, GameEnded, Revealed, RoundBegan, ThreatShown, TurnBegan
from citadels_lan.line_mode.streams import InputLines
from citadels_lan.line_mode.table import PlainTable, play_plain
from citadels_lan.net.client.updates import Alarm, Cosigned, Happened, Update
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.join.join_code import ALARMING
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Seat
from citadels_lan.presenter.error_messages import Violation
from citadels_lan.presenter.invitation import Invitation
from citadels_lan.presenter.join_form import misspelt, typed_words, word_lines
from citadels_lan.presenter.launcher import Contradiction, FoundTable, Place, Preferences
from citadels_lan.presenter.log import Log, opened
from citadels_lan.presenter.symbols import ASCII, UNICODE, Glyphs
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.alarm import AlarmScreen
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.invite import InviteScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.sure import LeaveScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.widgets.program import PageScreen
from tests.effort import one_case, quick
from tests.facts import first_table
from tests.line_mode.test_lines import run_lines

from .fake import INVITATION, WORDS, FakeLauncher, FakeLobby, FakeSession
from .pictures import compare, shown, text
from .test_pictures import at_table, make
from .waiting import settle

EN = load("en")
NAMES = ("Ada", "Bruno", "Carla", "Dario")
FORKED = {"n": 120, "name": "Bruno", "theirs": "0123456789abcdef", "ours": "fedcba9876543210"}
FORK = Alarm("two_histories", FORKED)  # type: ignore[arg-type]


# Check words


@pytest.mark.parametrize(("width", "language"), quick(product((80, 100, 160), LANGUAGES), (80, "it"), (100, "en")))
async def test_check_words_are_shown_in_full_above_the_draft(language: str, width: int) -> None:
    session = FakeSession(8)
    session.words = WORDS
    for people in (False, True):
        session.lobby[1] = Seat(session.names[1], SeatKind.GUEST if people else SeatKind.BOT, ready=True)
        async with make(Place(session), language=language).run_test(size=(width, 24)) as pilot:
            lines = shown(pilot.app)
            assert lines[1].endswith(f"round 1 · {' '.join(WORDS)}") == people, "none among bots"
            assert not any(WORDS[0] in line for line in lines[2:])


def test_line_mode_prints_check_words_each_round() -> None:
    session = FakeSession()
    session.words = WORDS
    session.queue.put_nowait(Cosigned(1, WORDS, (0, 1, 2, 3), (), over=False, own=False))
    lines = run_lines("words\nquit\n", session)
    assert f"Check words after round 1: {' '.join(WORDS)}" in lines
    assert "the host showed you different games" in lines.replace("\n", " ")


# Missing signatures and matching openings


def told(*events: object, viewer: int | None = 0) -> Log:
    story = Log(viewer, NAMES)
    for event in events:
        if isinstance(event, Cosigned):
            story.cosigned(event)
        else:
            story.add(event)  # type: ignore[arg-type]
    return story


def test_log_names_players_without_a_signature() -> None:
    signed = told(Cosigned(4, WORDS, (0, 1, 2, 3), (), over=False, own=False))
    assert list(signed.lines(EN)) == []
    left = told(Cosigned(5, WORDS, (0, 1, 3), (2,), over=False, own=False))
    assert [line.text for line in left.lines(EN)] == ["Not signed after round 5: Carla."]
    italian = [line.text for line in left.lines(load("it"))]
    assert italian == ["Senza firma dopo il round 5: Carla."]
    over = told(GameEnded((), (0,)), Cosigned(6, WORDS, (0, 3), (1, 2), over=True, own=False))
    assert "Not signed at the end of the game: Bruno and Carla" in next(over.lines(EN, 1)).text


async def test_player_is_warned_if_the_host_drops_their_signature() -> None:
    update = Cosigned(5, WORDS, (1, 2, 3), (0,), over=False, own=True)
    (line,) = told(update).lines(EN)
    assert line.kind == "notice"
    assert "The host left out your signature" in line.text
    async with at_table(FakeSession()) as (session, pilot):
        session.queue.put_nowait(update)
        await settle(pilot)
        assert any("left out your" in note.message for note in pilot.app._notifications)


def test_log_names_protests_of_other_players() -> None:
    update = Cosigned(6, WORDS, (0, 1, 2, 3), (), over=False, own=False, protests=(0, 2))
    assert [line.text for line in told(update).lines(EN)] == [
        "A bot moved although the player was online, according to Carla."
    ]
    assert [line.text for line in told(update, viewer=2).lines(EN)] == [
        "A bot moved although the player was online, according to Ada."
    ]


def opening(line: str, round_: int = 3, seat: int = 1) -> Opening:
    return Opening(round_, seat, 0, line.split(" ", maxsplit=1)[0], line, bytes(32))


def test_check_mark_appears_only_with_a_matching_opening() -> None:
    king = Revealed(1, "king")
    assert opened(king, [opening("pick king")], 3)
    assert opened(king, [opening("pick king", seat=2)], 3), "the Theater swaps who holds a pick"
    assert not opened(king, [], 3)
    assert not opened(king, [opening("pick bishop")], 3)
    assert not opened(king, [opening("pick king", round_=2)], 3)
    shown_ = Confiscated(1, 0, "castle", 4, "king", 4)
    assert opened(shown_, [opening("warrant bishop king* thief")], 3)
    assert not opened(shown_, [opening("warrant bishop* king thief")], 3)
    assert not opened(shown_, [opening("warrant bishop king* thief", seat=2)], 3)
    assert opened(ThreatShown("king", True), [opening("threaten king* bishop")], 3)
    assert opened(ThreatShown("king", False), [opening("threaten king bishop*")], 3)
    assert not opened(ThreatShown("king", True), [opening("threaten king bishop*")], 3)


# Alarms


@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
async def test_fork_shows_the_alarm_over_the_whole_screen(language: str) -> None:
    session = FakeSession()
    session.transcript = Path("/home/ada/citadels/3f2a-a.ctr")
    app = make(Place(session), language=language)
    async with app.run_test(size=(80, 24)) as pilot:
        session.queue.put_nowait(FORK)
        await settle(pilot)
        assert isinstance(app.screen, AlarmScreen)
        for width, height in ((80, 24), (120, 40)):
            await pilot.resize_terminal(width, height)
            await compare(app, f"alarm-{width}x{height}-{language}")
        session.queue.put_nowait(FORK)
        await settle(pilot)
        await pilot.press("escape")
        assert isinstance(app.screen, TableScreen), "it is shown once"


def test_line_mode_prints_the_alarm_about_a_fork() -> None:
    session = FakeSession()
    session.transcript = Path("game.ctr")
    session.queue.put_nowait(FORK)
    text = run_lines("\n\nquit\n", session)
    assert text.count("ALARM: The host showed two different versions") == 1
    assert "elsewhere: entry 120, hash 0123456789abcdef" in text
    assert "citadels-lan verify game.ctr" in text


async def test_host_with_missing_entries_raises_an_alarm_when_joining() -> None:
    class Forgetful(FakeLauncher):
        async def join(self, address: str, code: str) -> Place:
            raise Contradiction("ALARM", Violation("fork", {}, Path("game.ctr")))

    launcher = Forgetful([FoundTable("192.168.1.9:47110", "Chiara", 2, 5)])
    app = make(None, launcher)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1", "enter")
        assert isinstance(app.screen, AlarmScreen)
        assert "entries are missing" in "\n".join(shown(app))
        await pilot.press("q")
        assert isinstance(app.screen, HomeScreen)


class Gone(FakeSession):
    """A session that ends because the host has lost entries."""

    async def updates(self) -> AsyncIterator[Update]:
        self.reason = Refusal("fork")
        return
        yield


async def test_session_that_ends_with_a_fork_raises_an_alarm() -> None:
    app = make(Place(Gone()))
    async with app.run_test(size=(80, 24)):
        assert isinstance(app.screen, AlarmScreen)


# Guessed codes


def guess(table: OpenTable) -> None:
    """Enter ten wrong codes at the table."""
    for number in range(ALARMING):
        knock = table.join_code.begin(f"10.0.0.{number}", "code", 0.0)
        with pytest.raises(Refusal):
            table.join_code.check(knock, lambda: False, 0.0)


def invited(table: OpenTable) -> Invitation:
    address = f"192.168.1.7:{table.port}"
    return Invitation((address,), table.join_code, partial(table.link, "192.168.1.7"), table=table)


@pytest.mark.parametrize("playing", quick([False, True], True))
async def test_host_is_warned_of_guesses_and_renews_the_code_with_one_key(tmp_path: Path, playing: bool) -> None:
    async with open_table(first_table(4), tmp_path, host="127.0.0.1", port=0, code="") as table:
        app = make(Place(FakeSession() if playing else FakeLobby(), invited(table)))
        async with app.run_test(size=(80, 24)) as pilot:
            before = table.join_code.code
            table.changed.clear()
            guess(table)
            await asyncio.sleep(0.05)
            await settle(pilot)
            assert shown(app)[-1].startswith(" N make a new code")
            assert "Many wrong codes were entered" in "\n".join(shown(app))
            assert table.changed.is_set(), "whoever announces the table waits for that"
            await pilot.press("N" if playing else "n")
            assert isinstance(app.screen, InviteScreen)
            assert not table.join_code.guessed
            assert table.join_code.code != before
            assert f"--code {table.join_code.code}" in "\n".join(shown(app))
            assert table.join_code.token in "\n".join(shown(app))
            await pilot.press("escape")
            assert isinstance(app.screen, TableScreen if playing else LobbyScreen)
            assert "guessed:" not in shown(app)[-1]


def test_line_mode_shows_and_renews_the_code(tmp_path: Path) -> None:
    out = io.StringIO()

    async def play() -> tuple[str, str]:
        async with open_table(first_table(4), tmp_path, host="127.0.0.1", port=0, code="") as table:
            before = table.join_code.code
            place = Place(FakeLobby(), invited(table))
            source = io.StringIO("qr\nready\nnewcode\n\ncode\nquit\n")
            await play_plain(place, EN, lines=InputLines(source), out=out)
            return before, table.join_code.code

    before, after = asyncio.run(play())
    text = out.getvalue()
    assert text.count(f"code: {before}") == 1, "not again with everybody who comes"
    assert f"--code {before}" in text
    assert f"--code {after}" in text
    assert before != after
    assert "██" in text or "##" in text


async def test_invitation_fits_the_screen_in_ascii() -> None:
    app = CitadelsApp(
        None, FakeLauncher(preferences=Preferences(name="Ada", ascii=True)), language="en", glyphs=ASCII
    )
    async with app.run_test(size=(160, 50)) as pilot:
        app.push_screen(InviteScreen(INVITATION))
        await settle(pilot)
        await pilot.press("question_mark")
        assert isinstance(app.screen, PageScreen)
        assert "N: make a new code" in "\n".join(shown(app))
        await pilot.press("escape")
        for size in ((160, 50), (80, 24), (40, 10), (5, 3)):
            await pilot.resize_terminal(*size)
            assert all(cell_len(line) <= size[0] for line in shown(app))
            assert "\n".join(shown(app)).isascii()


# A code while it is typed


def test_words_of_a_join_code_are_checked_while_typing() -> None:
    assert [one.word for one in typed_words("Zebra OPER-radio")] == ["zebra", "opera", "radio"]
    assert typed_words("ze")[0].unfinished
    assert not typed_words("ze ")[0].unfinished
    assert "opera" in typed_words("oprea ")[0].nearest
    assert (
        misspelt("zebra opera radio") == misspelt(f"citadels://1.2.3.4:5/#{'a' * 26}") == misspelt("a" * 26) == []
    )
    assert [one.typed for one in misspelt("zebra oprea ra")] == ["oprea"]
    assert word_lines(EN, ASCII, "zebra oprea ")[0].startswith("x oprea: not a code word. Did you mean opera")


# Ctrl-C


async def test_ctrl_c_leaves_lobby_and_home() -> None:
    launcher = FakeLauncher()
    app = make(Place(FakeLobby()), launcher)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c", "h", "ctrl+c")
        assert isinstance(app.screen, LeaveScreen)
        await pilot.press("ctrl+c")
        assert isinstance(app.screen, HomeScreen)
        await pilot.press("ctrl+c")
        assert not app.is_running


# The mark of moves whose commitment was opened


SHOWN: dict[str, tuple[tuple[Event, ...], Opening, tuple[str, str]]] = {
    "pick": ((Called(4), Revealed(1, "king"), TurnBegan(1, "king")), opening("pick king", 1), ("King", "Re")),
    "warrant": (
        (Confiscated(1, 2, "castle", 4, "king", 4),),
        opening("warrant bishop king* thief", 1),
        ("confiscate", "confisca"),
    ),
    "flower": ((ThreatShown("king", True),), opening("threaten king* bishop", 1), ("flower", "fiore")),
    "bluff": ((ThreatShown("king", False),), opening("threaten king bishop*", 1), ("King", "Re")),
}


def marked(page: str, sign: str) -> int:
    """Return how many lines of `page` end with this sign."""
    return sum(line.rstrip(" │").endswith(f" {sign}") for line in page.splitlines())


@one_case("kind", SHOWN)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("checked", [True, False])
async def test_screen_at_80x24_marks_moves_whose_commitment_was_opened(
    kind: str, language: str, checked: bool
) -> None:
    events, found, _ = SHOWN[kind]
    session = FakeSession(4, seed=1)
    async with make(Place(session), language=language).run_test(size=(80, 24)) as pilot:
        before = marked(text(pilot), UNICODE.matched)
        session.queue.put_nowait(Happened(session.n + 1, 1, None, events, openings=(found,) if checked else ()))
        await settle(pilot)
        assert marked(text(pilot), UNICODE.matched) - before == checked


@one_case("kind", SHOWN)
@pytest.mark.parametrize(("language", "word"), [("en", 0), ("it", 1)])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("checked", [True, False])
async def test_line_mode_marks_moves_whose_commitment_was_opened(
    kind: str, language: str, word: int, glyphs: Glyphs, checked: bool
) -> None:
    events, found, words = SHOWN[kind]
    out = io.TextIOWrapper(io.BytesIO(), "utf-8" if glyphs is UNICODE else "latin-1")
    table = PlainTable(Place(FakeSession(4, seed=1)), load(language), InputLines(io.StringIO()), out)
    for update in (
        Happened(1, None, None, (RoundBegan(1, (), ()),)),
        Happened(2, 1, None, events, openings=(found,) if checked else ()),
    ):
        table.game.take(update)
        table.tell(update)
    out.seek(0)
    printed = out.read()
    assert marked(printed, glyphs.matched) == checked
    assert any(words[word] in line for line in printed.splitlines())
