"""Widgets: a canvas that paints only what has changed, and the prompt for a join code."""

import pytest
from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip

from citadels_lan.presenter.symbols import UNICODE
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.widgets.canvas import Canvas, Drawing, Pen
from citadels_lan.ui.widgets.code_prompt import CodePrompt
from citadels_lan.ui.widgets.look import DARK, Look
from citadels_lan.ui.widgets.program import LineInput, LinePrompt

from .fake import FakeLauncher
from .pictures import notified, shown
from .waiting import painted, settle


class Lines(Canvas):
    """A canvas that shows `words`, and records which lines are drawn and painted."""

    def __init__(self) -> None:
        super().__init__()
        self.words = ["one", "two…", "three"]
        self.style = Style()
        self.draws = 0
        self.painted: set[int] = set()

    def draw(self, width: int, height: int) -> Drawing:
        self.draws += 1
        drawing = Drawing()
        for word in self.words:
            Pen(drawing).write(word, self.style)
        return drawing

    def render_line(self, y: int) -> Strip:
        self.painted.add(y)
        return super().render_line(y)

    def text(self) -> list[str]:
        """Return the lines on the screen."""
        lines = self.render_lines(Region(0, 0, *self.size))
        return [strip.text.rstrip() for strip in lines[: len(self.words)]]


class Show(App[None]):
    """An app with one canvas."""

    def __init__(self) -> None:
        super().__init__()
        self.look = Look(DARK, UNICODE)
        self.lines = Lines()

    def compose(self) -> ComposeResult:
        yield self.lines


async def test_only_changed_lines_are_painted_and_only_once() -> None:
    app = Show()
    async with app.run_test(size=(20, 5)) as pilot:
        lines = app.lines
        while lines.painted != set(range(5)):  # the first painting of all lines
            await painted(pilot)
        while lines.painted:  # it may paint once more
            lines.painted = set()
            await painted(pilot)
        lines.draws = 0
        lines.redraw()
        await painted(pilot)
        assert lines.painted == set()
        lines.draws, lines.words = 0, ["one", "two…", "four"]
        for _ in range(3):
            lines.redraw()
        await painted(pilot)
        assert (lines.draws, lines.painted) == (1, {2})
        assert lines.text() == ["one", "two…", "four"]
        lines.painted, lines.style = set(), Style(bold=True)
        lines.redraw()
        await painted(pilot)
        assert lines.painted == {0, 1, 2}
        lines.painted = set()
        lines.styles.background = "red"
        lines.redraw()
        await painted(pilot)
        assert lines.painted == set(range(5))
        (strip, *_) = lines.render_lines(Region(0, 0, *lines.size))
        assert all(part.style and part.style.bgcolor and part.style.bgcolor.name == "#ff0000" for part in strip)


async def test_line_that_changes_while_hidden_is_shown_changed() -> None:
    app = Show()
    async with app.run_test(size=(20, 5)) as pilot:
        app.lines.styles.height = 2
        await painted(pilot)
        app.lines.words = ["one", "two…", "four"]
        app.lines.redraw()
        await painted(pilot)
        app.lines.styles.height = 5
        await painted(pilot)
        assert app.lines.text()[2] == "four"


# The prompt for a code

LINK = "citadels://192.168.1.7:47110/#abcdefghijklmnopqrstuvwx27"
COMMAND = "$ citadels-lan join --code lotto andante slalom -- 192.168.1.7"


async def asked(pilot: Pilot[None]) -> list[object]:
    """Show the prompt for a code, and return a list that will contain its answers."""
    results: list[object] = []
    pilot.app.push_screen(CodePrompt(load("en"), UNICODE), results.append)
    await settle(pilot)
    return results


async def paste(pilot: Pilot[None], text: str) -> None:
    pilot.app.post_message(events.Paste(text))
    await settle(pilot)


async def test_lines_pasted_into_the_prompt_are_one_answer() -> None:
    async with CitadelsApp(launcher=FakeLauncher(), language="en").run_test() as pilot:
        for text in ("\nlotto\nandante\r\nslalom\n", f"{LINK}\n", f"\n{COMMAND}\n"):
            results = await asked(pilot)
            await paste(pilot, text)
            await pilot.press("enter")
            assert results == [" ".join(text.split())]


@pytest.mark.slow
async def test_invalid_code_gives_one_sentence_and_the_prompt_stays() -> None:
    async with CitadelsApp(launcher=FakeLauncher(), language="en").run_test() as pilot:
        for text in ("x" * 10_000, "a\x00b \x1b[31m c d", "\ufffd\ufffd \ufffd lotto", "1 2 3"):
            results = await asked(pilot)
            await paste(pilot, text)
            await pilot.press("enter")
            assert results == []
            assert isinstance(pilot.app.screen, CodePrompt)
            said = "\n".join(shown(pilot.app))
            assert ("Invalid code." in said) != ("Words missing" in said)
            await pilot.press("escape")


async def test_pasted_text_replaces_the_selected_text() -> None:
    async with CitadelsApp(launcher=FakeLauncher(), language="en").run_test() as pilot:
        pilot.app.push_screen(LinePrompt("Which?", "wrong"))
        await settle(pilot)
        field = pilot.app.screen.query_one(LineInput)
        field.select_all()
        await paste(pilot, "two\nlines")
        assert field.value == "two lines"


@pytest.mark.slow
async def test_invitation_for_another_address_joins_there_and_names_it() -> None:
    launcher = FakeLauncher()
    launcher.code = "lotto andante slalom"
    async with CitadelsApp(launcher=launcher, language="en").run_test(size=(100, 30)) as pilot:
        await pilot.press("j")
        await paste(pilot, "10.0.0.9\n")
        await pilot.press("enter")
        launcher.code = "citadels-lan join 10.0.0.8 --code lotto andante slalom"  # what the fake table compares
        await paste(pilot, launcher.code)
        await pilot.press("enter")
        assert launcher.opened == [("10.0.0.9", ""), ("10.0.0.8", launcher.code)]
        assert notified(pilot.app) == "The invitation is for 10.0.0.8. Connecting…"
