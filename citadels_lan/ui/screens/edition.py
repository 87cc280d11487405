"""Choosing the edition and its options, each with a sentence; for everybody else to read."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from citadels_lan.engine import Unplayable
from citadels_lan.front.cells import wrap
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import players_line, reason
from citadels_lan.texts import editions, msg
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row

from .list_screen import ListScreen

MARGIN = 5
"""Cells before a sentence."""


class EditionScreen(ListScreen):
    """Returns the plan that was accepted, or None where everything stays as it was. Where nothing may be chosen,
    `plan` is asked again whenever something changes."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("a", "accept", show=False), Binding("q", "back", show=False)]

    def __init__(self, plan: Callable[[], Plan], *, fixed: bool = False) -> None:
        super().__init__()
        self._asked = plan
        self._chosen: Plan | None = None
        self.fixed = fixed

    @property
    def plan(self) -> Plan:
        return self._chosen or self._asked()

    def title_text(self) -> str:
        return self.texts.say(msg("Edition and options"))

    def below_title(self) -> list[str]:
        return [self.texts.say(msg("Everybody at the table sees what is chosen here."))]

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        keys = [] if self.fixed else [("←→", say(msg("change"))), ("a", say(msg("accept")))]
        return [*keys, ("l", say(msg("language"))), ("Esc", say(msg("back")))]

    def rows(self) -> list[Row]:
        texts, plan = self.texts, self.plan
        key = plan.config.edition
        rows = [] if self.fixed else [Row("accept", texts.say(msg("Play with these")))]
        rows.append(self._value("edition", texts.say(msg("Edition")), editions.name(texts, key)))
        rows += self._said(f"{editions.summary(texts, key)} {players_line(texts, plan)}".strip())
        for name in plan.edition.options:
            label = editions.option(texts, name)
            rows.append(
                self._value(name, label[:1].upper() + label[1:], editions.value(texts, name, plan.option(name)))
            )
            rows += self._said(editions.about(texts, name))
        return rows

    def _value(self, key: str, label: str, value: str) -> Row:
        return Row("", f"{label}: {value}") if self.fixed else Row(key, label, value=value)

    def _said(self, sentence: str) -> list[Row]:
        lines = wrap(sentence, max(min(self.size.width, 110) - MARGIN - 2, 20)) if sentence else []
        return [*(Row("", f"{' ' * (MARGIN - 1)}{line}") for line in lines), Row("", "")]

    def on_resize(self) -> None:
        self.retell()

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        plan, step = self.plan, message.step
        try:
            self._chosen = (
                plan.next_edition(step) if message.key == "edition" else plan.next_value(message.key, step)
            )
        except Unplayable as why:
            self.say(reason(self.texts, why))
        else:
            self.say("")
        self.retell()

    @on(ChoiceList.Chosen)
    def _accepted(self) -> None:
        self.action_accept()

    def action_accept(self) -> None:
        self.dismiss(None if self.fixed else self.plan)

    def action_back(self) -> None:
        self.dismiss(None)
