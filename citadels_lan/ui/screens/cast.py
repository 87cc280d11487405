"""Choosing what will be played: scenario, characters and unique districts in one list."""

from collections.abc import Callable
from random import Random
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType

from citadels_lan.engine import Unplayable
from citadels_lan.presenter.plan import DRAWN, Plan, about_scenario, reason, scenario_name
from citadels_lan.texts import msg
from citadels_lan.texts.cards import summary
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.page import PageScreen

from .explain import card
from .list_screen import BACK, ListScreen
from .rules import card_page

NAME: Final = 18
"""Columns of a card's name before its effect."""
SEED: Final = msg("Every player adds to the seed that draws them.")


class CardsScreen(ListScreen):
    """A list in which the rows of cards have the keys of the cards. The card under the cursor is shown in full."""

    NUMBERS = False
    plan: Plan

    def beside(self) -> tuple[str, Text]:
        key = self.pointed.key if self.pointed is not None else ""
        edition = self.plan.edition
        if key in edition.characters or key in edition.districts:
            return card_page(self.texts, self.look, edition, key)
        return self.texts.say(msg("Scenario")), Text("\n".join(about_scenario(self.texts, self.plan)))

    def action_explain(self) -> None:
        """Read the card under the cursor."""
        key, edition = self.pointed.key if self.pointed is not None else "", self.plan.edition
        if key in edition.characters or key in edition.districts:
            self.app.push_screen(PageScreen(card(self.texts, self.look, edition, key)))
        else:
            self.action_help()


class CastScreen(CardsScreen):
    """Returns the plan, or None if nothing changes."""

    HINTS = (
        ("A", msg("accept")), ("?", msg("explain")), ("Tab", msg("page")), ("F", msg("fill")), ("X", msg("clear")),
        ("O", msg("by the book")), BACK, ("F1", msg("help")),
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "tick", show=False),
        Binding("tab,shift+tab", "turn", show=False),
        Binding("a,A", "accept", show=False),
        Binding("f,F", "fill", show=False),
        Binding("x,X", "clear", show=False),
        Binding("o,O", "own", show=False),
        Binding("question_mark,i", "explain", show=False),
    ]

    def __init__(self, plan: Plan, dice: Random | None = None) -> None:
        super().__init__()
        self.plan = plan
        self.dice = dice or Random()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(ChoiceList).point("way")

    def title_text(self) -> str:
        return self.texts.say(msg("Characters and districts"))

    def below_title(self) -> list[str]:
        say, plan, why = self.texts.say, self.plan, self.plan.problem()
        count = say(msg("{count} of {all}"), count=len(plan.uniques or ()), all=plan.wanted)
        districts = "" if plan.uniques is None else f" · {say(msg('Unique districts'))}: {count}"
        seen = say(msg("All players at the table see your choice."))
        return [
            f"{say(msg('{players} players'), players=plan.config.players)}{districts}",
            seen if why is None else reason(self.texts, why),
        ]

    def purpose(self) -> list[str]:
        say = self.texts.say
        return [
            *self.below_title(),
            say(msg("Enter takes the character of a rank, or a district, in or out; Tab is the other page.")),
            say(msg("F draws what is missing, X takes all districts out, O goes back to what the book proposes.")),
        ]

    def rows(self) -> list[Row]:
        say, plan = self.texts.say, self.plan
        rows = [
            Row("accept", say(msg("Play with these")), warns=plan.problem() is not None),
            Row("way", say(msg("Scenario")), value=scenario_name(self.texts, plan.scenario)),
            *self.about(" ".join(about_scenario(self.texts, plan))),
            Row("", say(msg("Characters"))),
            self._box("draw_cast", say(DRAWN), say(SEED), chosen=plan.cast is None),
        ]
        for rank, keys in plan.edition.of_rank.items():
            rows += [self._character(rank, key) for key in keys]
        if 9 in plan.edition.of_rank:
            none = plan.cast is not None and all(plan.edition.ranks.get(key) != 9 for key in plan.cast)
            rows.append(self._box("no_nine", f"9 {say(msg('none'))}", chosen=none, barred=plan.why_nine()))
        rows += [Row("", ""), Row("", say(msg("Unique districts")))]
        if plan.edition.casting.chosen:
            rows.append(self._box("draw_uniques", say(DRAWN), say(SEED), chosen=plan.uniques is None))
        return rows + [self._unique(key) for key in plan.edition.uniques]

    def _character(self, rank: int, key: str) -> Row:
        label, about = f"{rank} {self.texts.character(key)}", summary(self.texts, self.plan.edition, key)
        return self._box(key, label, about, chosen=key in (self.plan.cast or ()), barred=self.plan.why_not(key))

    def _unique(self, key: str) -> Row:
        label = f"{self.plan.edition.costs[key]} {self.texts.district(key)}"
        about = summary(self.texts, self.plan.edition, key)
        return self._box(key, label, about, chosen=key in (self.plan.uniques or ()))

    def _box(
        self, key: str, label: str, about: str = "", *, chosen: bool, barred: Unplayable | None = None
    ) -> Row:
        """A row to tick: `[✓]` chosen, `[ ]` not chosen, `[-]` impossible, with the reason."""
        sign = self.look.glyphs.tick if chosen else " " if barred is None else "-"
        detail = "" if self.has_beside else about
        label = f"[{sign}] {label:<{NAME}}"
        return Row(key, label, detail if barred is None else reason(self.texts, barred))

    # What it does

    def change(self, step: Callable[[], Plan]) -> None:
        """Change the plan, or explain why that is not possible."""
        try:
            self.plan = step()
        except Unplayable as why:
            self.say(reason(self.texts, why))
        self.retell()

    @on(ChoiceList.Changed)
    def _scenario(self, message: ChoiceList.Changed) -> None:
        self.change(lambda: self.plan.next(message.step))

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        key, plan = message.key, self.plan
        steps: dict[str, Callable[[], Plan]] = {
            "no_nine": plan.without_nine, "draw_cast": plan.draw_cast, "draw_uniques": plan.draw_uniques,
        }  # fmt: skip
        if key == "accept":
            self.action_accept()
        elif key in steps:
            self.change(steps[key])
        elif key not in plan.edition.ranks:
            self.change(lambda: plan.toggle(key))
        elif key not in (plan.cast or ()):
            self.change(lambda: plan.choose(key))
        elif plan.edition.ranks[key] == 9:
            self.change(plan.without_nine)

    def action_tick(self) -> None:
        self.query_one(ChoiceList).action_select()

    def action_accept(self) -> None:
        why = self.plan.problem()
        if why is None:
            self.dismiss(self.plan)
        else:
            self.say(reason(self.texts, why))

    def action_turn(self) -> None:
        """Go to the first unique district, or from there to the first character."""
        plan, choices = self.plan, self.query_one(ChoiceList)
        at_districts = self.pointed is not None and self.pointed.key in (*plan.edition.uniques, "draw_uniques")
        keys = next(iter(plan.edition.of_rank.values())) if at_districts else plan.edition.uniques
        choices.point(keys[0])

    def action_fill(self) -> None:
        self.change(lambda: self.plan.filled(self.dice))

    def action_clear(self) -> None:
        self.change(lambda: self.plan.with_uniques(()))

    def action_own(self) -> None:
        self.change(self.plan.back)
