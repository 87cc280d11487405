"""The rules and all cards of an edition, with a search; and help pages about a card, a player, the possible
characters, the keys and the symbols."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Static

from citadels_lan.engine import DEFAULT, EDITIONS, Edition
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS, TYPES
from citadels_lan.engine.state import is_killed
from citadels_lan.presenter.facts import brief, callers, in_force, known_this_round, possible, shared
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.prompt.menu import capital
from citadels_lan.presenter.symbols import MARKS, MATCHED, WORDS
from citadels_lan.texts import Message, Texts, msg, msgs, terms, topics
from citadels_lan.texts.pages import gap
from citadels_lan.texts.topics import Found, Topic, facts, page, plain, summary, title, topics_of
from citadels_lan.ui.table.board import mark_signs
from citadels_lan.ui.table.commands import COMMANDS, key_of, keys_of
from citadels_lan.ui.table.scene import YOU
from citadels_lan.ui.widgets.look import Look, paragraphs, shown
from citadels_lan.ui.widgets.program import ChoiceList, Row, bindings_of

from .list_screen import BACK, HELP, LANGUAGE, Hint, ListScreen

KINDS: Final = {"rule": msg("The rules"), "character": msg("The characters"), "district": msg("The districts")}
WIDE: Final = 72
"""From this width on, the page of a topic is to the right of the list."""
LIST: Final = 28
"""Columns of the list: the longest title in any language, and the cursor to the left of it."""
READABLE: Final = 92
"""Most columns of a page."""
LONGEST: Final = 30
"""How many letters a search can have."""


def page_text(texts: Texts, look: Look, edition: Edition, topic: Topic) -> Text:
    """Return the page of a topic: its names in other languages, its facts, and its paragraphs."""
    paragraphs = [Text(paragraph) for paragraph in page(texts, topic, edition)]
    if topic.kind != "rule":
        paragraphs[0].stylize(look.dim)
    names = topics.in_other_languages(texts, topic) if topic.kind != "rule" else []
    text = Text("\n").join([Text(f"{language}: {name}", look.dim) for language, name in names])
    for paragraph in paragraphs:
        text.append(gap(paragraph.plain) if text else "").append(paragraph)
    return text


def card_page(texts: Texts, look: Look, edition: Edition, key: str) -> tuple[str, Text]:
    """Return the title and the page of a card."""
    topic = Topic("character" if key in edition.characters else "district", key)
    return title(texts, topic), page_text(texts, look, edition, topic)


class SearchInput(Input):
    """The input of the search. It does not consume characters that are keys of the screen."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character not in ("L", "?", "/") and super().check_consume_key(key, character)


class RulesScreen(ListScreen):
    """The rules and cards of one edition. Left and Right switch to another edition. Letters are typed into
    the search; only a capital L switches the language."""

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

    # Contents

    def hints(self) -> Sequence[Hint]:
        read = ("PgUp PgDn", msg("scroll")) if self.has_beside else ("Enter", msg("read"))
        turn = ("←→", msg("another edition"))
        return (read, ("/", msg("search again")), turn, HELP, BACK, LANGUAGE)

    def heading(self) -> Text:
        """Return the edition, and how many topics the search has found."""
        look = self.look
        before, after = (Style(meta={"@click": f"screen.turn({step})"}) + look.title for step in (-1, 1))
        return Text.assemble(
            (f"{look.glyphs.crown} ", look.gold), (self.title_text(), look.title), "   ", ("<", before),
            (f" {terms.name(self.texts, self.edition.key)} ", look.strong), (">", after),
            (f"\n  {self.texts.say('Search')}: {self._outcome()}", look.dim),
        )  # fmt: skip

    def _outcome(self) -> str:
        """Return in a few words how many topics the search has found."""
        texts, found = self.texts, self.found
        count = len(found.topics)
        if not self.typed:
            return texts.say("type a name, in any language")
        if found.said:
            pages = msgs("no such name; {count} page has the word", "no such name; {count} pages have the word")
            return texts.say(pages, count=count)
        if count:
            return texts.plural("{count} found", "{count} found", count)
        if others := topics.elsewhere(texts, self.edition, self.typed, list(EDITIONS.values())):
            names = texts.listing([terms.name(texts, key) for key in others])
            return texts.say("not in this edition; in {editions}", editions=names)
        return texts.say("nothing found; Esc clears")

    @property
    def typed(self) -> str:
        """The text that is typed into the search."""
        return self.query_one(Input).value

    @property
    def found(self) -> Found:
        return topics.find(self.texts, self.edition, self.typed)

    @property
    def topic(self) -> Topic | None:
        """The topic under the cursor; None if there is none."""
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

    # Actions

    @on(Input.Changed)
    def _search(self) -> None:
        """Show the topics that were found. The cursor is on the first title that begins with the typed
        text."""
        self.retell()
        wanted, topics = plain(self.typed), self.found.topics
        named = (topic.key for topic in topics if plain(title(self.texts, topic)).startswith(wanted))
        if first := next(named, topics[0].key if topics else ""):
            self.query_one(ChoiceList).point(first)

    async def action_list(self, action: str) -> None:
        await self.query_one(ChoiceList).run_action(action)

    def action_turn(self, step: int) -> None:
        """Show another edition. The cursor stays on its topic if that edition has it."""
        known = list(EDITIONS.values())
        self.edition = known[(known.index(self.edition) + step) % len(known)]
        self.retell()

    def action_scroll_page(self, direction: int) -> None:
        aside = self.query_one("#aside")
        aside.scroll_relative(y=direction * max(aside.size.height - 1, 1), animate=False)

    def action_clear(self) -> None:
        self.query_one(Input).value = ""

    def action_back(self) -> None:
        """Clear the search. If it is empty, leave the screen."""
        if self.typed:
            self.action_clear()
        else:
            self.dismiss()

    @on(Input.Submitted)
    @on(ChoiceList.Chosen)
    def action_read(self) -> None:
        """Show the page of the topic under the cursor above the screen. Do nothing if it is visible to the
        right of the list."""
        if not self.has_beside and (topic := self.topic) is not None:
            self.read(title(self.texts, topic), page(self.texts, topic, self.edition))


# Help

NO_KEYMAP: Final[Mapping[str, str]] = MappingProxyType({})
KEYS: Final = keys_of("question")
"""The keys of a question, and what each does."""
SIGN: Final = 8
"""Cells for a key or symbol to the left of its meaning."""
COLUMN: Final = 36
"""Cells of the left one of two columns."""


def help_page(game: Game, look: Look, key: str, keymap: Mapping[str, str] = NO_KEYMAP) -> Text:
    """Return the page that `key` selects: the key of a card or rule, the number of a seat, `who`, `cast`,
    `pile` or `words`. Any other key selects the page of keys and symbols."""
    if (rule := Topic("rule", key)) in topics_of(game.edition):
        return paragraphs(look, title(game.texts, rule), page(game.texts, rule, game.edition))
    if key in CHARACTERS or key in DISTRICTS:
        return card(game.texts, look, game.edition, key)
    if key in ("pile", "words"):
        return _pile(game, look) if key == "pile" else _words(game, look)
    text, seat = Text(), int(key) if key.isdigit() else None
    if seat is None and key not in ("who", "cast"):
        _help(game, look, text, keymap)
    elif game.table.state is None or not shared(game.table.state):
        if key != "cast":
            _who(game, look, text, seat)
        if seat is not None:
            _signs(game, look, text)
            text.append("\n")
        _cast(game, look, text)
    elif seat is not None:
        _part(game, look, text, seat)
        text.append("\n")
        _signs(game, look, text)
    else:
        if key == "who":
            _called(game, look, text)
        _cast(game, look, text)
    return text


def card(texts: Texts, look: Look, edition: Edition, key: str) -> Text:
    """Return the page of a card."""
    text = Text()
    if key in edition.characters:
        text.append(texts.character(key), look.title)
    else:
        text.append(texts.district(key), look.types[edition.types[key]] + Style(bold=True))
    text.append(f"\n{facts(texts, edition, key)}", look.dim)
    said = summary(texts, edition, key)
    if key not in edition.districts or edition.types[key] == "unique":
        text.append(f"\n\n{said}", look.strong)
    return text.append("".join(f"{gap(line)}{line}" for line in topics.explanation(texts, edition, key)))


def _name(game: Game, seat: int) -> str:
    """Return the name of a player; the player at this screen is called "you"."""
    return game.texts.say(YOU) if seat == game.table.seat else game.names[seat]


def _pile(game: Game, look: Look) -> Text:
    """Return the page of the discard pile: the top cards in order, then how often each card is in the
    pile."""
    texts, view = game.texts, game.table.state
    pile = view.discards if view is not None else []
    text = Text(texts.say("The discard pile"), look.title)
    text.append("\n")
    if not pile:
        return text.append(f"\n{texts.say('The discard pile is empty.')}")
    top = texts.say("On top: {cards}.", cards=", ".join(map(texts.district, pile[:-6:-1])))
    then = texts.say("When the deck is empty, the pile is shuffled and becomes the deck.")
    text.append(f"\n{top} {then}\n\n")
    edition = game.edition
    for key in sorted(set(pile), key=lambda key: (TYPES.index(edition.types[key]), edition.costs[key], key)):
        text.append(f"{pile.count(key):>3}  ", look.bold)
        text.append(f"{brief(texts, edition, key)}\n", look.types[edition.types[key]])
    return text


def _part(game: Game, look: Look, text: Text, seat: int) -> None:
    """Write which districts of the common city a player has built, and the characters that the player has
    called in this cycle."""
    texts, view, edition = game.texts, game.table.state, game.edition
    assert view is not None
    player = view.players[seat]
    text.append(_name(game, seat), look.title).append("\n")
    points = texts.plural("{count} point", "{count} points", player.points)
    gold = texts.plural("{count} gold", "{count} gold", player.gold)
    cards = texts.plural("{count} card in hand", "{count} cards in hand", len(player.hand))
    text.append(f"\n{points}, {gold}, {cards}\n")
    called = ", ".join(map(texts.character, player.revealed)) or "-"
    text.append(f"{texts.say('Called in this cycle')}: {called}\n\n")
    for district in sorted(player.city, key=lambda one: (TYPES.index(edition.types[one.key]), one.cost, one.key)):
        kind = edition.types[district.key]
        turned = f" ({texts.say('turned')})" if district.turned else ""
        said = f"{texts.letter(kind)}{district.cost} {texts.district(district.key)}{turned}\n"
        text.append(said, look.types[kind])
    if not player.city:
        text.append(texts.say("No district yet."), look.dim)


def _called(game: Game, look: Look, text: Text) -> None:
    """Write the characters that were called in this cycle, and those that are still in the deck of
    characters."""
    texts, view = game.texts, game.table.state
    assert view is not None
    text.append(texts.say("Called in this cycle"), look.title).append("\n")
    for key, seat in callers(view).items():
        text.append(f"\n{texts.character(key)}: ", look.bold)
        text.append(_name(game, seat))
        if is_killed(view, key):
            text.append(f" ({texts.say(MARKS['killed'])})")
        if key in in_force(view):
            text.append(f" ({texts.say('active until all characters have been called')})", look.accent)
    left = [texts.character(key) for key in view.cast if key not in view.called]
    text.append(f"\n\n{texts.say('Still in the deck ({count}):', count=len(left))} ", look.title)
    text.append(", ".join(left)).append("\n\n")


def _who(game: Game, look: Look, text: Text, only: int | None) -> None:
    """Write which characters each player may hold, as far as it can be concluded from what this player knows.
    With `only`, write this for that seat alone."""
    texts, view = game.texts, game.table.state
    text.append(texts.say("Possible characters"), look.title).append("\n")
    found = possible(view, game.table.seat) if view is not None else {}
    found = {seat: keys for seat, keys in found.items() if only in (None, seat)}
    mine = None if game.hidden or view is None or view.whole else game.table.seat
    own = mine is not None and only in (None, mine)
    if own:
        _own(game, look, text, cards=only is not None)
    for seat, keys in found.items():
        text.append(f"\n{game.names[seat]}: ", look.bold)
        text.append(texts.alternatives([texts.character(key) for key in keys]))
    if not found and not own:
        text.append(f"\n{texts.say('No player has a hidden character now.')}")
    text.append("\n\n")


def _own(game: Game, look: Look, text: Text, *, cards: bool) -> None:
    """Write this player's characters of the round; with `cards` also the hand."""
    texts, view = game.texts, game.table.state
    assert view is not None
    assert game.table.seat is not None
    player = view.players[game.table.seat]
    text.append(f"\n{texts.say(YOU)}: ", look.title)
    text.append(texts.characters([*player.revealed, *player.concealed]) or look.glyphs.dot)
    if cards:
        text.append(f"\n{texts.plural('{count} card in hand', '{count} cards in hand', len(player.hand))}: ")
        text.append(", ".join(map(texts.district, player.hand)) or look.glyphs.dot)


def _help(game: Game, look: Look, text: Text, keymap: Mapping[str, str]) -> None:
    """Write the symbols, and the keys in sections with two columns each. The symbols fit on the smallest
    screen without scrolling."""
    _signs(game, look, text)
    common, hosting = game.table.state is not None and shared(game.table.state), game.invitation is not None
    possible_now = {
        "palette": False, "map": common, "pile": common, "invite": hosting, "bot": hosting, "skip": hosting,
        "handover": bool(game.may_hand_to), "result": game.over, "return": game.table.taken_over,
        "conclude": game.may_end, "chat": game.tutorial is None, "pause": game.tutorial is None,
        "hint": game.table.settings.hints,
    }  # fmt: skip
    for section in dict.fromkeys(command.section for command in COMMANDS):
        keys = [(row.key, row.does) for row in KEYS] if section == COMMANDS[0].section else []
        keys += [
            (shown(key_of(command.name, keymap)), command.title)
            for command in COMMANDS
            if command.section == section and possible_now.get(command.name, True)
        ]
        text.append("\n").append(game.texts.say(section), look.title).append("\n")
        _two_columns(text, [(Text(key, look.title), game.texts.say(title)) for key, title in keys])


def _two_columns(text: Text, entries: Sequence[tuple[Text, str]]) -> None:
    """Write entries in two columns; each entry is a key or symbol with its meaning."""
    half = (len(entries) + 1) // 2
    for pair in zip_longest(entries[:half], entries[half:]):
        row = filter(None, pair)
        cells = [Text.assemble(sign, " " * max(SIGN - sign.cell_len, 1), meaning) for sign, meaning in row]
        for cell in cells[:-1]:
            text.append_text(cell).append(" " * max(COLUMN - cell.cell_len, 1))
        text.append_text(cells[-1]).append("\n")


def _words(game: Game, look: Look) -> Text:
    """Return the page about the check words, and about the tick beside a character."""
    texts = game.texts
    text = Text(texts.say("Check words"), look.title)
    text.append(f"\n{' '.join(game.session.table.words)}\n" if game.session.table.words else "\n", look.strong)
    text.append(f"\n{capital(texts.say(WORDS))}\n")
    text.append(f"\n{texts.say('Against bots you need not look at them.')}\n\n", look.dim)
    return text.append(f"{look.glyphs.matched}  ", look.title).append(f"{texts.say(MATCHED)}\n")


def _signs(game: Game, look: Look, text: Text) -> None:
    """Write the symbols of the table with their meanings."""
    say, glyphs = game.texts.say, look.glyphs
    signs: list[tuple[str, Message]] = [(getattr(glyphs, row.key, row.key), row.does) for row in keys_of("legend")]
    signs += [(sign, MARKS[kind]) for kind, sign in mark_signs(glyphs)]
    entries = [(Text(sign, look.title), say(meaning)) for sign, meaning in signs]
    entries += [(Text(game.texts.letter(kind), look.types[kind]), game.texts.type(kind)) for kind in TYPES]
    text.append(say("Symbols"), look.title).append("\n")
    _two_columns(text, entries)


def _cast(game: Game, look: Look, text: Text) -> None:
    """Write the characters of this game with their abilities."""
    texts, view = game.texts, game.table.state
    if view is None:
        return
    text.append(texts.say("Characters in play"), look.title).append("\n")
    for key in view.cast:
        rank = "" if shared(view) else f"{game.edition.ranks[key]} "
        text.append(f"\n{rank}{texts.character(key)}", look.bold)
        known = list(known_this_round(texts, view, None if game.hidden else game.table.seat, game.names, key))
        text.append(f" ({', '.join(known)})" if known else "", look.accent)
        text.append(f": {summary(texts, game.edition, key)}")
