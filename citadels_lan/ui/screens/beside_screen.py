"""A list with something to read beside it, where there is room."""

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal

from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.choice_list import ChoiceList
from citadels_lan.ui.widgets.drawing import Drawing

from .list_screen import CssPath, Foot, Heading, ListScreen

FROM: Final = 110
"""Cells from which something stands beside the list."""
SHARE: Final = 50
"""Of a hundred cells, those beside."""


class Aside(Canvas):
    """What stands beside the list."""

    def __init__(self, screen: "BesideScreen") -> None:
        super().__init__(id="aside")
        self._screen = screen

    def draw(self, width: int, height: int) -> Drawing:
        return self._screen.beside(width, height)


class BesideScreen(ListScreen):
    """A title, a list, what stands beside it, a line of hints."""

    CSS_PATH: ClassVar[CssPath] = ["list_screen.tcss", "beside_screen.tcss"]
    NUMBERS: ClassVar[bool] = True
    """Whether the rows have numbers."""

    def beside(self, width: int, height: int) -> Drawing:
        """What to show there."""
        raise NotImplementedError

    @property
    def has_beside(self) -> bool:
        """Whether there is room for it."""
        return self.app.size.width >= FROM

    @property
    def list_width(self) -> int:
        """Cells of the list."""
        width = self.app.size.width
        return width - width * SHARE // 100 if self.has_beside else width

    def compose(self) -> ComposeResult:
        yield Heading(self)
        with Horizontal(id="middle"):
            yield ChoiceList(lambda: self.look, id="list", numbers=self.NUMBERS)
            yield Aside(self)
        yield Foot(self)

    def on_resize(self) -> None:
        self.retell()

    def retell(self) -> None:
        """Everything again, with what stands beside where there is room."""
        for view in self.query(Aside):
            view.display = self.has_beside
            view.styles.width = self.app.size.width - self.list_width
        super().retell()

    @on(ChoiceList.Moved)
    def _went(self) -> None:
        for view in self.query(Aside):
            view.redraw()
