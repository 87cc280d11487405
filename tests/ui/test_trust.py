"""What makes the host's honesty visible: words, marks, who was left out, alarms, and the door of the table."""

import asyncio
import io
from collections.abc import AsyncIterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from rich.cells import cell_len

from citadels_lan.crypto.commitments import Opening
from citadels_lan.engine.events import Called, Confiscated, GameEnded, Revealed, RoundBegan, ThreatShown, TurnBegan
from citadels_lan.front.failures import Violation, alarm_lines, alarm_parts
from citadels_lan.front.game import PAST, Game
from citadels_lan.front.glyphs import ASCII, UNICODE
from citadels_lan.front.invitation import Invitation
from citadels_lan.front.join_form import misspelt, typed_words, word_lines
from citadels_lan.front.launcher import Contradiction, FoundTable, Place, Preferences
from citadels_lan.front.log import Log, opened
from citadels_lan.net.client.updates import Alarm, Cosigned, Happened, Update
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.join.door import ALARMING
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.alarm import AlarmScreen
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.invite import InviteScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.sure import LeaveScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.widgets.letters import HEIGHT, large
from citadels_lan.ui.widgets.page import PageScreen
from tests.effort import quick
from tests.facts import first_table

from .fake import INVITATION, WORDS, FakeLauncher, FakeLobby, FakeSession
from .keys import settle
from .pictures import compare, shown
from .test_plain import run_lines

EN = load("en")
NAMES = ("Ada", "Bruno", "Carla", "Dario")
FORKED = {"n": 120, "name": "Bruno", "theirs": "0123456789abcdef", "ours": "fedcba9876543210"}
FORK = Alarm("two_histories", FORKED)  # type: ignore[arg-type]


def app_of(session: FakeSession, invitation: Invitation | None = None) -> CitadelsApp:
    return CitadelsApp(
        Place(session, invitation), language="en", glyphs=UNICODE, clock=map(float, count()).__next__
    )


# The words


@pytest.mark.parametrize(
    ("width", "language"),
    [
        (80, "it"),
        (100, "en"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in ((80, "en"), (100, "it"), (160, "en"), (160, "it"))
        ),
    ],
)
async def test_the_words_are_whole_and_always_there(language: str, width: int) -> None:
    session = FakeSession(8)
    session.words = WORDS
    app = CitadelsApp(Place(session), language=language, clock=map(float, count()).__next__)
    async with app.run_test(size=(width, 24)) as pilot:
        await settle(pilot)
        last = shown(app)[-1]
        assert last.endswith(f"round 1 · {' '.join(WORDS)}")
        assert cell_len(last) <= width
        keys = last.split("  ")
        assert keys[0].strip() in ("Enter confirm", "Invio conferma"), "the first key stays, others give way"
        await pilot.press("colon", *"build castle", "enter")
        await settle(pilot)
        last = shown(app)[-1]
        assert last != f" {'  '.join(keys).strip()}", "there is something to say"
        assert not any(word in last and WORDS[0] not in last for word in WORDS), "all four words, or none"


def test_the_words_in_lines_at_the_beginning_of_each_round() -> None:
    session = FakeSession()
    session.words = WORDS
    session.queue.put_nowait(Cosigned(1, WORDS, (0, 1, 2, 3), (), over=False, own=False))
    told = run_lines("words\nquit\n", session)
    assert f"Words after round 1: {' '.join(WORDS)}" in told
    assert "A player with other words has another history" in told.replace("\n", " ")


async def test_help_says_what_words_and_marks_are_for() -> None:
    session = FakeSession()
    session.words = WORDS
    async with app_of(session).run_test(size=(80, 72)) as pilot:
        await settle(pilot)
        await pilot.press("f1")
        await settle(pilot)
        page = " ".join(" ".join(line.strip(" │") for line in shown(pilot.app)).split())
        assert "The four words: read them aloud" in page
        assert "✓: behind a character" in page


# Who has not signed, what matched


def told(*events: object, viewer: int | None = 0) -> Log:
    story = Log(viewer, NAMES)
    for event in events:
        if isinstance(event, Cosigned):
            story.cosigned(event)
        else:
            story.add(event)  # type: ignore[arg-type]
    return story


def test_who_has_not_signed_is_told_and_nobody_else() -> None:
    signed = told(Cosigned(4, WORDS, (0, 1, 2, 3), (), over=False, own=False))
    assert list(signed.lines(EN)) == []
    left = told(Cosigned(5, WORDS, (0, 1, 3), (2,), over=False, own=False))
    assert [line.text for line in left.lines(EN)] == ["Not signed after round 5: Carla."]
    italian = [line.text for line in left.lines(load("it"))]
    assert italian == ["Senza firma dopo il round 5: Carla."]
    over = told(GameEnded((), (0,)), Cosigned(6, WORDS, (0, 3), (1, 2), over=True, own=False))
    assert "not signed by Bruno and Carla" in next(over.lines(EN, 1)).text


async def test_a_signature_that_was_sent_and_left_out_is_told_to_its_owner() -> None:
    update = Cosigned(5, WORDS, (1, 2, 3), (0,), over=False, own=True)
    (line,) = told(update).lines(EN)
    assert line.kind == "notice"
    assert "The host left out your signature" in line.text
    session = FakeSession()
    async with app_of(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        session.queue.put_nowait(update)
        await settle(pilot)
        assert any("left out your" in note.message for note in pilot.app._notifications)


def test_who_protests_is_told_to_the_others() -> None:
    update = Cosigned(6, WORDS, (0, 1, 2, 3), (), over=False, own=False, protests=(0, 2))
    assert [line.text for line in told(update).lines(EN)] == [
        "A bot moved although the player was connected, says Carla."
    ]
    assert [line.text for line in told(update, viewer=2).lines(EN)] == [
        "A bot moved although the player was connected, says Ada."
    ]


def opening(line: str, round_: int = 3, seat: int = 1) -> Opening:
    return Opening(round_, seat, 0, line.split(" ", maxsplit=1)[0], line, bytes(32))


def test_a_mark_needs_the_opening_of_just_that() -> None:
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


def test_the_mark_stands_behind_the_heading_that_says_the_character() -> None:
    story = told(RoundBegan(3, (), ()))
    story.add(Called(4))
    story.add(Revealed(1, "king"), [opening("pick king")])
    story.add(TurnBegan(1, "king"))
    story.add(Called(5))
    lines = list(story.lines(EN))
    assert [line.matched for line in lines] == [False, True, False]
    assert "King" in lines[1].text


# After coming back


class Back(FakeSession):
    """Somebody who comes back with a fresh client: what happened is in the past, and nothing in the queue."""

    def __init__(self) -> None:
        super().__init__()
        self.full_state.round = 0
        past: list[Update] = []
        while not self.queue.empty():
            past.append(self.queue.get_nowait())
        for number in range(1, 9):
            shows = (RoundBegan(number, (), ()), *(Revealed(1, "king") for _ in range(60)))
            past.append(Happened(0, None, None, shows))
        self.past = past


async def test_the_log_is_there_after_coming_back() -> None:
    game = Game(Back(), EN)
    assert len(game.story.entries) == PAST
    assert any("Round 8" in line.text for line in game.story.lines(EN))
    assert sorted(game.story.who)[:8] == list(range(1, 9)), "who was who is known from the first round on"


# Alarms


@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
async def test_two_histories_fill_the_screen(language: str) -> None:
    session = FakeSession()
    session.transcript = Path("/home/ada/citadels/3f2a-a.ctr")
    app = CitadelsApp(Place(session), language=language, glyphs=UNICODE, clock=map(float, count()).__next__)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        session.queue.put_nowait(FORK)
        await settle(pilot)
        assert isinstance(app.screen, AlarmScreen)
        for width, height in ((80, 24), (120, 40)):
            await pilot.resize_terminal(width, height)
            await settle(pilot)
            await compare(app, f"alarm-{width}x{height}-{language}")
        text = "\n".join(shown(app))
        assert "fedcba9876543210" in text
        assert "0123456789abcdef" in text
        assert "citadels-lan verify /home/ada/citadels/3f2a-a.ctr" in text
        session.queue.put_nowait(FORK)
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, TableScreen), "it is shown once"


def test_every_alarm_has_its_page_and_its_lines() -> None:
    transcript = Path("a game.ctr")
    for code, details in (("entry", {"n": 7, "reason": "hash"}), ("two_histories", FORKED), ("fork", {})):
        for language in ("en", "it"):
            lines = list(alarm_lines(load(language), Violation(code, details, transcript)))  # type: ignore[arg-type]
            assert "ALARM" in lines[0] or "ALLARME" in lines[0]
            assert 'citadels-lan verify "a game.ctr"' in lines
    assert not any(part.kind == "copy" for part in alarm_parts(EN, Violation("fork")))


def test_the_alarm_in_lines() -> None:
    session = FakeSession()
    session.transcript = Path("game.ctr")
    session.queue.put_nowait(FORK)
    text = run_lines("\n\nquit\n", session)
    assert text.count("ALARM: The host has shown two different histories") == 1
    assert "elsewhere: entry 120, head 0123456789abcdef" in text
    assert "citadels-lan verify game.ctr" in text


async def test_a_host_that_has_forgotten_is_an_alarm_at_home() -> None:
    class Forgetful(FakeLauncher):
        async def join(self, address: str, code: str) -> Place:
            raise Contradiction("ALARM", Violation("fork", {}, Path("game.ctr")))

    launcher = Forgetful([FoundTable("192.168.1.9:47110", "Chiara", 2, 5)])
    app = CitadelsApp(None, launcher, language="en", clock=map(float, count()).__next__)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("1", "enter")
        await settle(pilot)
        assert isinstance(app.screen, AlarmScreen)
        assert "entries are missing" in "\n".join(shown(app))
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)


class Gone(FakeSession):
    """Its host has forgotten what was played, as a client notices that comes back."""

    async def updates(self) -> AsyncIterator[Update]:
        self.reason = Refusal("fork")
        return
        yield


async def test_a_running_session_that_ends_so_is_an_alarm() -> None:
    app = app_of(Gone())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, AlarmScreen)


# The door


def guess(table: OpenTable) -> None:
    """Ten wrong codes."""
    for number in range(ALARMING):
        knock = table.door.knock(f"10.0.0.{number}", "code", 0.0)
        with pytest.raises(Refusal):
            table.door.judge(knock, lambda: False, 0.0)


def invited(table: OpenTable) -> Invitation:
    address = f"192.168.1.7:{table.port}"
    return Invitation((address,), table.door, partial(table.link, "192.168.1.7"), table=table)


@pytest.mark.parametrize("playing", quick([False, True], True))
async def test_guessing_is_said_and_ended_with_one_key(tmp_path: Path, playing: bool) -> None:
    async with open_table(first_table(4), tmp_path, host="127.0.0.1", port=0, code="") as table:
        app = app_of(FakeSession() if playing else FakeLobby(), invited(table))
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            before = table.door.code
            table.changed.clear()
            guess(table)
            await asyncio.sleep(0.05)
            await settle(pilot)
            assert shown(app)[-1].startswith(" N guessed: new code")
            assert "Somebody is guessing" in "\n".join(shown(app))
            assert table.changed.is_set(), "whoever announces the table waits for that"
            await pilot.press("N" if playing else "n")
            await settle(pilot)
            assert isinstance(app.screen, InviteScreen)
            assert not table.door.guessed
            assert table.door.code != before
            assert f"--code {table.door.code}" in "\n".join(shown(app))
            assert table.door.token in "\n".join(shown(app))
            await pilot.press("escape")
            await settle(pilot)
            assert isinstance(app.screen, TableScreen if playing else LobbyScreen)
            assert "guessed:" not in shown(app)[-1]


async def test_a_guest_sees_nothing_of_the_door() -> None:
    app = app_of(FakeLobby())
    async with app.run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot)
        assert isinstance(app.screen, LobbyScreen)
        assert "code" not in "\n".join(shown(app))


async def test_an_open_table_says_so(tmp_path: Path) -> None:
    async with open_table(first_table(4), tmp_path, host="127.0.0.1", port=0) as table:
        app = app_of(FakeLobby(), invited(table))
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            text = " ".join("\n".join(shown(app)).split())
            assert "No code: whoever is on this network may join" in text
            assert "--code" not in text


def test_the_door_in_lines(tmp_path: Path) -> None:
    out = io.StringIO()

    async def play() -> tuple[str, str]:
        async with open_table(first_table(4), tmp_path, host="127.0.0.1", port=0, code="") as table:
            before = table.door.code
            place = Place(FakeLobby(), invited(table))
            source = io.StringIO("qr\nready\nnewcode\n\ncode\nquit\n")
            await play_plain(place, EN, lines=InputLines(source), out=out)
            return before, table.door.code

    before, after = asyncio.run(play())
    text = out.getvalue()
    assert text.count(f"code: {before}") == 1, "not again with everybody who comes"
    assert f"--code {before}" in text
    assert f"--code {after}" in text
    assert before != after
    assert "██" in text or "##" in text


def test_a_guest_has_no_code_in_lines() -> None:
    assert "Only whoever opened the table" in run_lines("code\nquit\n", FakeLobby())


def test_large_letters() -> None:
    rows = large("zebra opera radio", 80)
    assert len(rows) == HEIGHT
    assert len({len(row) for row in rows}) == 1
    assert large("zebra opera radio", 40) == []
    assert large("città è-3", 80) == [], "what has no large letter is written small"
    letters = {tuple(large(letter, 9)) for letter in "abcdefghijklmnopqrstuvwxyz"}
    assert len(letters) == 26, "no two letters look alike"


async def test_the_invitation_fits_and_is_ascii_where_it_must_be() -> None:
    app = CitadelsApp(
        None, FakeLauncher(preferences=Preferences(name="Ada", ascii=True)), language="en", glyphs=ASCII
    )
    async with app.run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        app.push_screen(InviteScreen(INVITATION))
        await settle(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        assert isinstance(app.screen, PageScreen)
        assert "N: make a new code" in "\n".join(shown(app))
        await pilot.press("escape")
        for size in ((160, 50), (80, 24), (40, 10), (5, 3)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert all(cell_len(line) <= size[0] for line in shown(app))
            assert "\n".join(shown(app)).isascii()


# A code while it is typed


def test_words_are_judged() -> None:
    assert [one.word for one in typed_words("Zebra OPER-radio")] == ["zebra", "opera", "radio"]
    assert typed_words("ze")[0].unfinished
    assert not typed_words("ze ")[0].unfinished
    assert "opera" in typed_words("oprea ")[0].nearest
    assert (
        misspelt("zebra opera radio") == misspelt(f"citadels://1.2.3.4:5/#{'a' * 26}") == misspelt("a" * 26) == []
    )
    assert [one.typed for one in misspelt("zebra oprea ra")] == ["oprea"]
    assert word_lines(EN, ASCII, "zebra oprea ")[0] == "ok zebra"
    assert word_lines(EN, ASCII, "zebra oprea ")[1].startswith("x oprea: not a code word. Did you mean opera")


# Ctrl-C


async def test_ctrl_c_asks_first_while_a_game_is_on() -> None:
    app = app_of(FakeSession())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("f1", "ctrl+c")
        await settle(pilot)
        assert isinstance(app.screen, LeaveScreen), "over what was being read"
        assert any("Leave the table?" in line for line in shown(app))
        await pilot.press("escape", "escape")
        assert app.game is not None
        await pilot.press("ctrl+c", "ctrl+c")
        await settle(pilot)
        assert app.game is None


async def test_ctrl_c_leaves_lobby_and_home() -> None:
    launcher = FakeLauncher()
    app = CitadelsApp(Place(FakeLobby()), launcher, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("c", "h", "ctrl+c")
        await settle(pilot)
        assert isinstance(app.screen, LeaveScreen)
        await pilot.press("ctrl+c")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)
        await pilot.press("ctrl+c")
        await settle(pilot)
        assert not app.is_running


def test_words_of_the_hosts_own_are_taken_at_once_and_a_slip_is_not() -> None:
    assert not misspelt("lemon tiger piano")
    assert [one.typed for one in misspelt("humus Oprea operaa")] == ["humus", "Oprea", "operaa"]
