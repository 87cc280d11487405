"""The rules and every card of an edition, to find and to read."""

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from citadels_lan.engine import DEFAULT, EDITIONS, Edition
from citadels_lan.texts import editions, msg
from citadels_lan.texts.search import Found, elsewhere, find
from citadels_lan.texts.topics import page, plain, title
from citadels_lan.ui.drawings.rules import Browsing, draw_rules, last_top, list_width, page_width
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.choice_list import Row
from citadels_lan.ui.widgets.drawing import Drawing
from citadels_lan.ui.widgets.page import PageScreen, paragraphs

from .list_screen import CssPath, Foot, ListScreen

LONGEST = 30
"""Letters of what is looked for."""
SCROLL = 5
"""Lines at a time."""


class RulesView(Canvas, can_focus=True):
    """The search, the list and the page. Every letter is typed into the search, but for the capital L, which changes
    the language."""

    def __init__(self, screen: "RulesScreen") -> None:
        super().__init__(id="rules")
        self._screen = screen

    def draw(self, width: int, height: int) -> Drawing:
        return draw_rules(self._screen.shown(), width, height)

    def on_key(self, event: events.Key) -> None:
        letter = event.character or ""
        if (letter.isalnum() and letter != "L") or letter in (" ", "'"):
            self._screen.search(self._screen.typed + letter)
            event.stop()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, step: int) -> None:
        """Over the page it scrolls, over the list it moves the cursor."""
        if event.x > list_width(self._screen.shown(), *self.size):
            self._screen.action_scroll_page(3 * step)
        else:
            self._screen.action_move(step)


class RulesScreen(ListScreen):
    """Everything that can be explained in one edition; the arrows to the sides read another one."""

    CSS_PATH: ClassVar[CssPath] = ["list_screen.tcss", "rules.tcss"]
    AUTO_FOCUS = "#rules"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("home", "move(-1000)", show=False),
        Binding("end", "move(1000)", show=False),
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
        Binding("pageup", f"scroll_page(-{SCROLL})", show=False),
        Binding("pagedown", f"scroll_page({SCROLL})", show=False),
        Binding("backspace", "erase", show=False),
        Binding("slash", "clear", show=False),
        Binding("enter", "read", show=False),
    ]

    def __init__(self, edition: str = DEFAULT) -> None:
        super().__init__()
        self.edition: Edition = EDITIONS.get(edition, EDITIONS[DEFAULT])
        self.typed = ""
        self.cursor = 0
        self.top = 0

    def compose(self) -> ComposeResult:
        yield RulesView(self)
        yield Foot(self)

    def title_text(self) -> str:
        return self.texts.say(msg("Rules and cards"))

    def purpose(self) -> list[str]:
        return [
            self.texts.say(
                msg(
                    "Small letters look for a name, in any language; where there is none, for a word in the pages."
                )
            )
        ]

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [
            ("Enter", say(msg("read"))),
            ("/", say(msg("search anew"))),
            ("←→", say(msg("another edition"))),
            ("?", say(msg("help"))),
            ("Esc", say(msg("back"))),
            ("L", say(msg("language"))),
            *([("PgUp PgDn", say(msg("scroll")))] if self.has_page else []),
        ]

    def rows(self) -> list[Row]:
        return []

    @property
    def found(self) -> Found:
        return find(self.texts, self.edition, self.typed)

    def shown(self) -> Browsing:
        """All of it."""
        found = self.found
        others = [] if found.topics else elsewhere(self.texts, self.edition, self.typed, list(EDITIONS.values()))
        names = [editions.name(self.texts, key) for key in others]
        return Browsing(self.texts, self.look, self.edition, self.typed, found, names, self.cursor, self.top)

    @property
    def has_page(self) -> bool:
        """Whether the page of a topic stands beside the list."""
        return page_width(self.shown(), *self.query_one(RulesView).size) > 0

    # What changes it

    def search(self, typed: str) -> None:
        """Look for this; the cursor goes to the first title that begins like it."""
        self.typed = typed[:LONGEST]
        wanted = plain(self.typed)
        titles = [plain(title(self.texts, topic)) for topic in self.found.topics]
        self._point(next((place for place, name in enumerate(titles) if name.startswith(wanted)), 0))

    def _point(self, place: int) -> None:
        self.cursor, self.top = place, 0
        self.retell()

    def action_move(self, step: int) -> None:
        """Up or down; it goes round by single steps."""
        count = len(self.found.topics)
        if count:
            there = self.cursor + step
            self._point(there % count if abs(step) == 1 else max(0, min(there, count - 1)))

    def action_turn(self, step: int) -> None:
        """Read another edition; the cursor stays on the topic where that one has it, too."""
        known, found = list(EDITIONS.values()), self.found.topics
        here = found[self.cursor] if self.cursor < len(found) else None
        self.edition = known[(known.index(self.edition) + step) % len(known)]
        there = list(self.found.topics)
        self._point(there.index(here) if here in there else 0)

    def action_scroll_page(self, lines: int) -> None:
        last = last_top(self.shown(), *self.query_one(RulesView).size)
        self.top = max(0, min(self.top + lines, last))
        self.retell()

    def action_erase(self) -> None:
        self.search(self.typed[:-1])

    def action_clear(self) -> None:
        self.search("")

    def action_back(self) -> None:
        """First the search is cleared, then the screen is left."""
        if self.typed:
            self.action_clear()
        else:
            self.dismiss()

    def action_read(self) -> None:
        """The page of what is pointed at, over everything."""
        topic = self.shown().topic
        if topic is not None:
            text = paragraphs(self.look, title(self.texts, topic), page(self.texts, topic, self.edition))
            self.app.push_screen(PageScreen(text))

    @on(Canvas.Pointed, "#rules")
    def _clicked(self, message: Canvas.Pointed) -> None:
        """A click on a topic points at it where its page stands beside it; else, and again, it is read."""
        if message.hit.kind == "edition":
            self.action_turn(-1 if message.hit.key == "left" else 1)
            return
        place = int(message.hit.key)
        again = place == self.cursor
        self._point(place)
        if again or not self.has_page:
            self.action_read()
