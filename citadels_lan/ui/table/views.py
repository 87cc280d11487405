"""The drawn parts of the table screen: the table, the own hand, what has befallen one, the line of hints."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from citadels_lan.front.cells import cut
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.key_names import printed

from .board import board
from .city import common_city
from .hand import hand
from .scene import Scene

KEYS = 16
"""Cells that the words of the round leave to the keys at least: Enter, and what comes next."""


class TableView(Canvas, can_focus=True):
    """Everything that lies open on the table, in one widget."""

    POINTS = True

    def __init__(self, scene: Callable[[], Scene]) -> None:
        super().__init__(id="table")
        self._scene = scene

    def draw(self, width: int, height: int) -> Drawing:
        return board(self._scene(), width, height)


class CityView(Canvas, can_focus=True):
    """The city that all build together, name by name."""

    POINTS = True

    def __init__(self, scene: Callable[[], Scene]) -> None:
        super().__init__(id="city")
        self._scene = scene

    def draw(self, width: int, height: int) -> Drawing:
        return common_city(self._scene(), width, height)


class HandView(Canvas, can_focus=True):
    """The own cards and characters."""

    POINTS = True

    def __init__(self, scene: Callable[[], Scene]) -> None:
        super().__init__(id="hand")
        self._scene = scene

    def draw(self, width: int, height: int) -> Drawing:
        return hand(self._scene(), width, height)


COVERED = "..."
"""In place of what is covered."""


class BefallenLine(Canvas):
    """What others have done to this person, until it is understood: the newest first, as many as there is room
    for, and how many more there are."""

    def __init__(self, scene: Callable[[], Scene], blows: Callable[[], Sequence[str]]) -> None:
        super().__init__(id="befallen")
        self._scene = scene
        self._blows = blows

    def draw(self, width: int, height: int) -> Drawing:
        drawing, scene = Drawing(), self._scene()
        glyphs, blows = scene.look.glyphs, [COVERED] if scene.hidden else list(self._blows()) or [""]
        key = scene.texts.say(msg("Esc: understood"))
        room = width - cell_len(key) - 5
        ways = [("  ".join(blows[:count]), _more(len(blows) - count)) for count in range(len(blows), 0, -1)]
        said, more = next((way for way in ways if cell_len("".join(way)) <= room), ways[-1])
        pen = Pen(drawing).write(f" {glyphs.gone} ")
        pen.write(cut(said, room - cell_len(more), glyphs.cut)).write(more)
        pen.to(width - cell_len(key) - 1).thing("key", "Esc", key)
        return drawing


def _more(count: int) -> str:
    """How many others there are, in brackets."""
    return f" (+{count})" if count else ""


class HintLine(Canvas):
    """The keys, and for a moment what the program has to say; at the right end the words of the round, in the
    longest form that leaves room. `urgent`: what the code of the table is looked at for, before all others."""

    def __init__(
        self,
        keys: Callable[[], list[tuple[str, str]]],
        scene: Callable[[], Scene],
        words: Callable[[], Sequence[str]] = lambda: (),
        urgent: Callable[[], str] = lambda: "",
    ) -> None:
        super().__init__(id="hints")
        self._keys = keys
        self._scene = scene
        self._words = words
        self._urgent = urgent
        self.word = ""

    def say(self, word: str) -> None:
        """Say something in place of the keys; nothing brings them back."""
        self.word = word
        self.set_class(bool(word), "-word")
        self.redraw()

    def draw(self, width: int, height: int) -> Drawing:
        drawing = Drawing()
        pen = Pen(drawing).write(" ")
        look = self._scene().look
        needs = cell_len(self.word) if self.word else KEYS
        words = next((one for one in self._words() if cell_len(one) + needs + 4 <= width), "")
        room = width - cell_len(words) - 1 if words else width
        if self.word:
            pen.write(cut(self.word, room - 2), look.danger)
        else:
            self._keys_in(pen, room)
        if words:
            pen.to(room).thing("page", "words", words, look.accent)
        return drawing

    def _keys_in(self, pen: Pen, room: int) -> None:
        scene = self._scene()
        look = scene.look
        urgent = self._urgent()
        if urgent and pen.x + cell_len(urgent) + 2 < room:
            key = scene.key_of("invite")
            pen.thing("key", key, f"{key} {urgent}", look.danger).write("  ")
        for key, meaning in self._keys():
            name = printed(scene.texts, key)
            if pen.x + cell_len(name) + cell_len(meaning) + 1 > room - 1:
                break
            pen.thing("key", key, name, look.title)
            pen.thing("key", key, f" {meaning}", look.dim).write("  ")
