"""The characters and unique districts of a table, each in a line and to be read in full, for everybody."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType

from citadels_lan.front.cells import pad
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import DRAWN, character, district, heading
from citadels_lan.texts import msg
from citadels_lan.texts.cards import summary
from citadels_lan.ui.drawings.rules import draw_card
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.drawing import Drawing
from citadels_lan.ui.widgets.page import PageScreen

from .beside_screen import BesideScreen
from .explain import card
from .list_screen import CssPath

NAME = 21
"""Cells of a name before its line."""


class InPlayScreen(BesideScreen):
    """A list of the cards of a table. `plan` is asked again whenever something changes; the keys of `closing` lead
    back, as Escape does."""

    CSS_PATH: ClassVar[CssPath] = ["list_screen.tcss", "beside_screen.tcss", "cast.tcss"]
    NUMBERS = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,Q", "back", show=False),
        Binding("question_mark,i", "explain", show=False),
    ]

    def __init__(self, plan: Callable[[], Plan], closing: Sequence[str] = ("p", "P")) -> None:
        super().__init__()
        self.plan = plan
        self._closers = closing

    def on_key(self, event: events.Key) -> None:
        if event.key in self._closers:
            event.stop()
            self.action_back()

    def title_text(self) -> str:
        return self.texts.say(msg("Cards in play"))

    def below_title(self) -> list[str]:
        return [heading(self.texts, self.plan())]

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [("?", say(msg("explain"))), ("F1", say(msg("help"))), ("L", say(msg("language"))),
                ("Esc", say(msg("back")))]  # fmt: skip

    def purpose(self) -> list[str]:
        say = self.texts.say
        return [
            *self.below_title(),
            say(msg("The characters and unique districts that this table plays with; Enter reads one in full.")),
        ]

    def rows(self) -> list[Row]:
        plan, texts = self.plan(), self.texts
        drawn = Row("", f"  {texts.say(DRAWN)}")
        rows = [Row("", texts.say(msg("Characters")))]
        for key in plan.cast or ():
            rows.append(
                self._row(
                    key,
                    f"{plan.edition.ranks.get(key, '?')} {character(texts, key)}",
                    known=key in plan.edition.ranks,
                )
            )
        rows += [drawn] if plan.cast is None else []
        rows += [Row("", ""), Row("", texts.say(msg("Unique districts")))]
        for key in plan.uniques or ():
            rows.append(
                self._row(
                    key,
                    f"{plan.edition.costs.get(key, '?')} {district(texts, key)}",
                    known=key in plan.edition.costs,
                )
            )
        return rows + ([drawn] if plan.uniques is None else [])

    def _row(self, key: str, label: str, *, known: bool) -> Row:
        return (
            Row(key, pad(label, NAME), summary(self.texts, self.plan().edition, key)) if known else Row("", label)
        )

    def beside(self, width: int, height: int) -> Drawing:
        """The card under the cursor in full."""
        row = self.query_one(ChoiceList).current
        if row is None or not row.key:
            return Drawing()
        return draw_card(self.texts, self.look, self.plan().edition, row.key, width, height)

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        self.app.push_screen(PageScreen(card(self.texts, self.look, self.plan().edition, message.key)))

    def action_explain(self) -> None:
        row = self.query_one(ChoiceList).current
        if row is not None and row.key:
            self.app.push_screen(PageScreen(card(self.texts, self.look, self.plan().edition, row.key)))
        else:
            self.action_help()
