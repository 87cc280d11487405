"""A canvas paints what is different, once, and nothing else."""

from rich.style import Style
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip

from citadels_lan.front.glyphs import ASCII, UNICODE
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.look import DARK, Look


class Lines(Canvas):
    """Shows `words`, and notes what is drawn and painted."""

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
        """What is on the screen."""
        lines = self.render_lines(Region(0, 0, *self.size))
        return [strip.text.rstrip() for strip in lines[: len(self.words)]]


class Show(App[None]):
    """A canvas alone."""

    def __init__(self) -> None:
        super().__init__()
        self.look = Look(DARK, UNICODE)
        self.lines = Lines()

    def compose(self) -> ComposeResult:
        yield self.lines


async def test_only_lines_that_are_different_are_painted_and_once() -> None:
    app = Show()
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        lines = app.lines
        lines.draws, lines.painted = 0, set()
        lines.words = ["one", "two…", "four"]
        for _ in range(3):
            lines.redraw()
        await pilot.pause()
        assert (lines.draws, lines.painted) == (1, {2})
        assert lines.text() == ["one", "two…", "four"]


async def test_what_is_drawn_as_before_is_not_painted() -> None:
    app = Show()
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        app.lines.painted = set()
        app.lines.redraw()
        await pilot.pause()
        assert app.lines.painted == set()


async def test_another_style_is_a_difference() -> None:
    app = Show()
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        app.lines.painted, app.lines.style = set(), Style(bold=True)
        app.lines.redraw()
        await pilot.pause()
        assert app.lines.painted == {0, 1, 2}


async def test_other_signs_change_lines_that_say_the_same() -> None:
    app = Show()
    async with app.run_test(size=(20, 5)) as pilot:
        app.look = Look(DARK, ASCII)
        app.lines.redraw()
        await pilot.pause()
        assert app.lines.text()[1] == "two~"


async def test_another_background_is_painted_everywhere() -> None:
    app = Show()
    async with app.run_test(size=(20, 5)) as pilot:
        app.lines.painted = set()
        app.lines.styles.background = "red"
        app.lines.redraw()
        await pilot.pause()
        assert app.lines.painted == set(range(5))
        (strip, *_) = app.lines.render_lines(Region(0, 0, *app.lines.size))
        assert all(part.style and part.style.bgcolor and part.style.bgcolor.name == "#ff0000" for part in strip)


async def test_a_line_that_changes_while_it_has_no_room_is_shown_as_it_is_now() -> None:
    app = Show()
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        assert app.lines.text()[2] == "three"
        app.lines.styles.height = 2
        await pilot.pause()
        app.lines.words = ["one", "two…", "four"]
        app.lines.redraw()
        await pilot.pause()
        app.lines.styles.height = 5
        await pilot.pause()
        assert app.lines.text()[2] == "four"
