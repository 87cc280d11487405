"""The rules and all cards of an edition, with a search."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Static

from citadels_lan.engine import DEFAULT, EDITIONS, Edition
from citadels_lan.texts import Texts, msg, msgs, terms
from citadels_lan.texts.pages import gap
from citadels_lan.texts.topics import Found, Topic, elsewhere, find, in_other_languages, page, plain, title
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.program import bindings_of

from .list_screen import BACK, HELP, LANGUAGE, Hint, ListScreen

KINDS: Final = {"rule": msg("The rules"), "character": msg("The characters"), "district": msg("The districts")}
WIDE: Final = 72
"""Fewest columns at which the page of a topic is beside the list."""
LIST: Final = 28
"""Columns of the list: the longest title in any language, and the cursor before it."""
READABLE: Final = 92
"""Most columns of the frame of a page."""
LONGEST: Final = 30
"""Longest search, in letters."""


def page_text(texts: Texts, look: Look, edition: Edition, topic: Topic) -> Text:
    """Return the page of a topic: names in other languages, facts, paragraphs."""
    paragraphs = [Text(paragraph) for paragraph in page(texts, topic, edition)]
    if topic.kind != "rule":
        paragraphs[0].stylize(look.dim)
    names = in_other_languages(texts, topic) if topic.kind != "rule" else []
    text = Text("\n").join([Text(f"{language}: {name}", look.dim) for language, name in names])
    for paragraph in paragraphs:
        text.append(gap(paragraph.plain) if text else "").append(paragraph)
    return text


def card_page(texts: Texts, look: Look, edition: Edition, key: str) -> tuple[str, Text]:
    """Return the title and the page of a card."""
    topic = Topic("character" if key in edition.characters else "district", key)
    return title(texts, topic), page_text(texts, look, edition, topic)


class SearchInput(Input):
    """The input of the search. It leaves the characters that are keys of the screen to the screen."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character not in ("L", "?", "/") and super().check_consume_key(key, character)


class RulesScreen(ListScreen):
    """The rules and cards of one edition. Left and right switch the edition. Letters are typed into the search,
    except the capital L, which switches the language."""

    AUTO_FOCUS = "#search"
    HEADLINE = msg("Rules and cards")
    NUMBERS = False
    BINDINGS: ClassVar[list[BindingType]] = bindings_of("rules")

    def __init__(self, edition: str = DEFAULT) -> None:
        super().__init__()
        self.edition: Edition = EDITIONS.get(edition, EDITIONS[DEFAULT])

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        yield SearchInput(id="search", compact=True, max_length=LONGEST, select_on_focus=False)
        with Horizontal(id="middle"):
            choices = ChoiceList("list", numbers=False, points=True)
            choices.can_focus = False  # every letter goes to the search
            yield choices
            with VerticalScroll(id="aside", can_focus=False):
                yield Static(id="about")
        yield self.key_bar()

    # What it shows

    def hints(self) -> Sequence[Hint]:
        read = ("PgUp PgDn", msg("scroll")) if self.has_beside else ("Enter", msg("read"))
        turn = ("←→", msg("another edition"))
        return (read, ("/", msg("search again")), turn, HELP, BACK, LANGUAGE)

    def heading(self) -> Text:
        """Return the edition and the result of the search."""
        look = self.look
        before, after = (Style(meta={"@click": f"screen.turn({step})"}) + look.title for step in (-1, 1))
        return Text.assemble(
            (f"{look.glyphs.crown} ", look.gold), (self.title_text(), look.title), "   ", ("<", before),
            (f" {terms.name(self.texts, self.edition.key)} ", look.strong), (">", after),
            (f"\n  {self.texts.say(msg('Search'))}: {self._outcome()}", look.dim),
        )  # fmt: skip

    def _outcome(self) -> str:
        """Return the result of the search in a few words."""
        texts, found = self.texts, self.found
        count = len(found.topics)
        if not self.typed:
            return texts.say(msg("type a name, in any language"))
        if found.said:
            pages = msgs("no such name; {count} page has the word", "no such name; {count} pages have the word")
            return texts.say(pages, count=count)
        if count:
            return texts.plural("{count} found", "{count} found", count)
        if others := elsewhere(texts, self.edition, self.typed, list(EDITIONS.values())):
            names = texts.listing([terms.name(texts, key) for key in others])
            return texts.say(msg("not in this edition; in {editions}"), editions=names)
        return texts.say(msg("nothing found; Esc clears"))

    @property
    def typed(self) -> str:
        """The text of the search."""
        return self.query_one(Input).value

    @property
    def found(self) -> Found:
        return find(self.texts, self.edition, self.typed)

    @property
    def topic(self) -> Topic | None:
        """The topic under the cursor."""
        row = self.pointed
        return next((topic for topic in self.found.topics if row is not None and topic.key == row.key), None)

    def beside_width(self) -> int:
        width = self.app.size.width
        return min(width - LIST, READABLE) if width >= WIDE else 0

    def beside(self) -> tuple[str, Text] | None:
        if (topic := self.topic) is None:
            return None
        return title(self.texts, topic), page_text(self.texts, self.look, self.edition, topic)

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

    # What changes it

    @on(Input.Changed)
    def _search(self) -> None:
        """Show what was found, with the cursor on the first title that begins with the typed text."""
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
        """Clear the search, or leave the screen if there is none."""
        if self.typed:
            self.action_clear()
        else:
            self.dismiss()

    @on(Input.Submitted)
    @on(ChoiceList.Chosen)
    def action_read(self) -> None:
        """Show the page of the topic under the cursor over the screen, unless it stands beside the list."""
        if not self.has_beside and (topic := self.topic) is not None:
            self.read(title(self.texts, topic), page(self.texts, topic, self.edition))
