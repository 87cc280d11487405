"""One key explains: a card, a character, a player's possible characters."""

from typing import ClassVar

from citadels_lan.engine.cards import CHARACTERS, COST, DISTRICTS, RANK, TYPE
from citadels_lan.texts import msg
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from .card_texts import explanation, summary
from .game import Game
from .guess import possible


class Explanation(ModalScreen[None]):
    """A page about a card, about who could be who, or about how to play."""

    CSS_PATH = "explain.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q,question_mark,i,f1", "dismiss", show=False)]

    def __init__(self, game: Game, key: str) -> None:
        super().__init__()
        self.game = game
        self.key = key

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(self._page(), markup=False)

    def on_mount(self) -> None:
        self.query_one("#page").focus()

    def on_click(self, event: events.Click) -> None:
        self.dismiss()

    def _page(self) -> Text:
        if self.key in CHARACTERS or self.key in DISTRICTS:
            return self._card(self.key)
        if self.key.isdigit():
            return self._who(int(self.key))
        return self._who(None) if self.key == "who" else self._help()

    def _card(self, key: str) -> Text:
        texts, look = self.game.texts, self.app.look  # type: ignore[attr-defined]
        page = Text()
        if key in CHARACTERS:
            rank = texts.say(msg("rank {rank}"), rank=RANK[key])
            page.append(f"{texts.character(key)}", look.title).append(f" {look.glyphs.dot} {rank}\n\n")
        else:
            kind = texts.type(TYPE[key])
            cost = texts.say(msg("costs {cost}"), cost=COST[key])
            page.append(texts.district(key), look.types[TYPE[key]])
            page.append(f" {look.glyphs.dot} {kind} {look.glyphs.dot} {cost}\n\n")
        return page.append(explanation(texts, key))

    def _who(self, only: int | None) -> Text:
        texts, look, view = self.game.texts, self.app.look, self.game.view  # type: ignore[attr-defined]
        page = Text()
        assert view is not None
        page.append(texts.say(msg("Who could still be who")), look.title).append("\n\n")
        for seat, keys in possible(view, self.game.seat).items():
            if only is None or seat == only:
                page.append(f"{self.game.names[seat]}: ", look.bold).append(
                    texts.alternatives([*map(texts.character, keys)])
                )
                page.append("\n")
        page.append("\n").append(texts.say(msg("The characters of this game")), look.title).append("\n\n")
        for key in view.cast:
            page.append(f"{RANK[key]} {texts.character(key)}: ", look.bold).append(f"{summary(texts, key)}\n")
        return page

    def _help(self) -> Text:
        return self._who(None)
