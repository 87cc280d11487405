"""The rules and every card of an edition, to find and to read."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Static

from citadels_lan.engine import DEFAULT, EDITIONS, Edition
from citadels_lan.front.cells import wrap
from citadels_lan.front.glyphs import ASCII
from citadels_lan.texts import Texts, msg, terms
from citadels_lan.texts.topics import Found, Topic, elsewhere, find, in_other_languages, page, plain, title
from citadels_lan.ui.drawings.frame import SIDES, frame, said
from citadels_lan.ui.widgets.canvas import Canvas, DrawnBy
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.look import Look

from .list_screen import BACK, HELP, LANGUAGE, Hint, ListScreen

KINDS: Final = {"rule": msg("The rules"), "character": msg("The characters"), "district": msg("The districts")}
LIST: Final = 28
"""Cells of the list: the longest title in any language, and the cursor before it."""
WIDE: Final = 72
"""Cells from which the page of a topic stands beside the list."""
READABLE: Final = 88
"""Cells of the widest line of a page."""
LONGEST: Final = 30
"""Letters of what is looked for."""


def draw_page(texts: Texts, look: Look, edition: Edition, topic: Topic, width: int) -> Drawing:
    """The page of a topic, as long as it is."""
    drawing = Drawing()
    for language, name in in_other_languages(texts, topic):
        said(drawing, f"{language}: {name}", width, look.dim)
    for number, paragraph in enumerate(page(texts, topic, edition)):
        if drawing.lines:
            Pen(drawing)
        facts = number == 0 and topic.kind != "rule"
        for line in paragraph.split("\n"):
            for part in wrap(line, width):
                Pen(drawing).write(part, look.dim if facts else None)
    return drawing


def draw_card(texts: Texts, look: Look, edition: Edition, key: str, width: int, height: int) -> Drawing:
    """The page of a card of an edition in a frame."""
    topic = Topic("character" if key in edition.characters else "district", key)
    inside = draw_page(texts, look, edition, topic, min(width - SIDES, READABLE))
    return frame(look, title(texts, topic), inside, width, height)


class SearchInput(Input):
    """What is looked for. The keys of the screen that are letters, too, are not typed into it."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character not in ("L", "?", "/") and super().check_consume_key(key, character)


class RulesScreen(ListScreen):
    """The rules and cards of one edition; left and right switch to another one. Every letter is
    typed into the search, but for the capital L, which changes the language."""

    AUTO_FOCUS = "#search"
    NUMBERS = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "list('cursor_up')", show=False),
        Binding("down", "list('cursor_down')", show=False),
        Binding("home", "list('first')", show=False, priority=True),
        Binding("end", "list('last')", show=False, priority=True),
        Binding("left", "turn(-1)", show=False, priority=True),
        Binding("right", "turn(1)", show=False, priority=True),
        Binding("pageup", "scroll_page(-1)", show=False, priority=True),
        Binding("pagedown", "scroll_page(1)", show=False, priority=True),
        Binding("slash", "clear", show=False, priority=True),
        Binding("question_mark", "help", show=False, priority=True),
        Binding("L", "app.switch_language", show=False, priority=True),
    ]

    def __init__(self, edition: str = DEFAULT) -> None:
        super().__init__()
        self.edition: Edition = EDITIONS.get(edition, EDITIONS[DEFAULT])

    def compose(self) -> ComposeResult:
        yield DrawnBy("heading", self.draw_heading)
        yield SearchInput(id="search", compact=True, max_length=LONGEST, select_on_focus=False)
        with Horizontal(id="middle"):
            choices = ChoiceList("list", numbers=False, points=True)
            choices.can_focus = False  # every letter goes to the search
            yield choices
            with VerticalScroll(id="aside", can_focus=False):
                yield Static(id="topic", markup=False)
        yield DrawnBy("foot", self.draw_foot)

    # What it shows

    def title_text(self) -> str:
        return self.texts.say(msg("Rules and cards"))

    def purpose(self) -> list[str]:
        what = msg("Small letters look for a name, in any language; where there is none, for a word in the pages.")
        return [self.texts.say(what)]

    def hints(self) -> Sequence[Hint]:
        scroll = [("PgUp PgDn", msg("scroll"))] if self.has_beside else []
        turn = ("←→", msg("another edition"))
        return (("Enter", msg("read")), ("/", msg("search anew")), turn, HELP, BACK, LANGUAGE, *scroll)

    def draw_heading(self, width: int, height: int) -> Drawing:
        """The edition and the result of the search."""
        drawing, look = Drawing(), self.look
        pen = Pen(drawing).write(f" {look.glyphs.crown} ", look.gold).write(self.title_text(), look.title)
        pen.write("   ").thing("edition", "left", "<", look.title)
        pen.write(f" {terms.name(self.texts, self.edition.key)} ", look.strong)
        pen.thing("edition", "right", ">", look.title)
        said(drawing, f"{self.texts.say(msg('Search'))}: {self._outcome()}", width - 1, look.dim, indent=3)
        return drawing

    def _outcome(self) -> str:
        """The result of the search, in a few words."""
        texts, found = self.texts, self.found
        count = len(found.topics)
        if not self.typed:
            return texts.say(msg("type a name, in any language"))
        if found.said:
            return texts.plural(
                "no such name; {count} page has the word", "no such name; {count} pages have the word", count
            )
        if count:
            return texts.plural("{count} found", "{count} found", count)
        if others := elsewhere(texts, self.edition, self.typed, list(EDITIONS.values())):
            names = texts.listing([terms.name(texts, key) for key in others])
            return texts.say(msg("not in this edition; in {editions}"), editions=names)
        return texts.say(msg("nothing; Esc clears it"))

    @property
    def typed(self) -> str:
        """What is looked for."""
        return self.query_one(Input).value

    @property
    def found(self) -> Found:
        return find(self.texts, self.edition, self.typed)

    @property
    def topic(self) -> Topic | None:
        """What is under the cursor."""
        row = self.pointed
        return next((topic for topic in self.found.topics if row is not None and topic.key == row.key), None)

    @property
    def has_beside(self) -> bool:
        return self.app.size.width >= WIDE

    @property
    def list_width(self) -> int:
        return LIST if self.has_beside else self.app.size.width

    def rows(self) -> list[Row]:
        rows: list[Row] = []
        kind = ""
        for topic in self.found.topics:
            if topic.kind != kind:
                kind = topic.kind
                rows += [*([Row("", "")] if rows else []), Row("", self.texts.say(KINDS[kind]))]
            style = self.look.types[self.edition.types[topic.key]] if topic.kind == "district" else Style()
            rows.append(Row(topic.key, "", text=Text(title(self.texts, topic), style)))
        return rows

    def retell(self) -> None:
        super().retell()
        self._read_beside()

    @on(ChoiceList.OptionHighlighted)
    def _read_beside(self) -> None:
        """The page of what is under the cursor, from its first line on."""
        aside, topic = self.query_one("#aside"), self.topic
        aside.styles.border = ("ascii" if self.look.glyphs is ASCII else "round", self.look.palette.faint)
        aside.border_title = "" if topic is None else title(self.texts, topic)
        aside.scroll_home(animate=False)
        shown = Drawing()
        if topic is not None:
            width = min(self.app.size.width - self.list_width - SIDES - 2, READABLE)
            shown = draw_page(self.texts, self.look, self.edition, topic, max(width, 1))
        self.query_one("#topic", Static).update(Text("\n").join(shown.lines))

    # What changes it

    @on(Input.Changed)
    def _search(self) -> None:
        """The cursor goes to the first title that begins as typed."""
        self.retell()
        wanted, topics = plain(self.typed), self.found.topics
        named = (topic.key for topic in topics if plain(title(self.texts, topic)).startswith(wanted))
        if first := next(named, topics[0].key if topics else ""):
            self.query_one(ChoiceList).point(first)

    async def action_list(self, action: str) -> None:
        await self.query_one(ChoiceList).run_action(action)

    def action_turn(self, step: int) -> None:
        """Read another edition; the cursor stays on its topic if that edition has the topic."""
        known = list(EDITIONS.values())
        self.edition = known[(known.index(self.edition) + step) % len(known)]
        self.retell()

    def action_scroll_page(self, direction: int) -> None:
        aside = self.query_one("#aside")
        aside.scroll_relative(y=direction * max(aside.size.height - 1, 1), animate=False)

    def action_clear(self) -> None:
        self.query_one(Input).value = ""

    def action_back(self) -> None:
        """First the search is cleared, then the screen is left."""
        if self.typed:
            self.action_clear()
        else:
            self.dismiss()

    @on(Input.Submitted)
    @on(ChoiceList.Chosen)
    def action_read(self) -> None:
        """The page of what is pointed at, over everything."""
        if (topic := self.topic) is not None:
            self.read(title(self.texts, topic), page(self.texts, topic, self.edition))

    @on(Canvas.Pointed, "#heading")
    def _edition_clicked(self, message: Canvas.Pointed) -> None:
        self.action_turn(-1 if message.hit.key == "left" else 1)
