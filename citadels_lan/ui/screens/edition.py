"""Choosing the edition and its options, each with a sentence; a page of them for everybody else."""

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType

from citadels_lan.engine import Unplayable
from citadels_lan.front.cells import wrap
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import about_edition, option_name, reason
from citadels_lan.front.sealed_draft import about_sealed, kind
from citadels_lan.texts import Texts, editions, msg
from citadels_lan.ui.drawings.tonight import draw_tonight
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.drawing import Drawing
from citadels_lan.ui.widgets.look import Look

from .beside_screen import BesideScreen

MARGIN = 5
"""Cells before a sentence."""
WIDEST = 110


def edition_page(texts: Texts, look: Look, plan: Plan) -> Text:
    """The edition and its options as they are chosen."""
    page = Text(editions.name(texts, plan.config.edition), look.title)
    page.append(f"\n\n{about_edition(texts, plan)}", "not bold default")
    for name in plan.edition.options:
        page.append(f"\n\n{option_name(texts, name)}: ", look.bold)
        page.append(editions.value(texts, name, plan.option(name)), look.strong)
        page.append(f"\n{editions.about(texts, name)}", look.dim)
    if plan.drafts:
        page.append(f"\n\n{texts.say(msg('The draft'))}: ", look.bold)
        page.append(kind(texts, plan.config.draft), look.strong)
        page.append(f"\n{about_sealed(texts)}", look.dim)
    return page


class EditionScreen(BesideScreen):
    """Returns the plan that was accepted, or None where everything stays as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("a,A", "accept", show=False)]

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(ChoiceList).point(1)

    def title_text(self) -> str:
        return self.texts.say(msg("Edition and options"))

    def below_title(self) -> list[str]:
        return [self.texts.say(msg("Everybody at the table sees what you choose here."))]

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [
            ("←→", say(msg("change"))),
            ("A", say(msg("accept"))),
            ("?", say(msg("help"))),
            ("L", say(msg("language"))),
            ("Esc", say(msg("back"))),
        ]

    def rows(self) -> list[Row]:
        texts, plan = self.texts, self.plan
        rows = [Row("accept", texts.say(msg("Play with these")))]
        rows.append(Row("edition", texts.say(msg("Edition")), value=editions.name(texts, plan.config.edition)))
        rows += self._said(about_edition(texts, plan))
        for name in plan.edition.options:
            value = editions.value(texts, name, plan.option(name))
            rows += [Row("", ""), Row(name, option_name(texts, name), value=value)]
            rows += self._said(editions.about(texts, name))
        if plan.drafts:
            value = kind(texts, plan.config.draft)
            rows += [Row("", ""), Row("draft", texts.say(msg("The draft")), value=value)]
            rows += self._said(about_sealed(texts))
        return rows

    def _said(self, sentence: str) -> list[Row]:
        lines = wrap(sentence, max(min(self.list_width, WIDEST) - MARGIN - 2, 20))
        return [Row("", f"{' ' * (MARGIN - 1)}{line}") for line in lines]

    def beside(self, width: int, height: int) -> Drawing:
        """What will be played with these."""
        return draw_tonight(self.texts, self.look, self.plan, width, height)

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        name, step = message.key, message.step
        try:
            self.plan = self._after(name, step)
        except Unplayable as why:
            self.say(reason(self.texts, why))
        else:
            self.say("")
        self.retell()

    def _after(self, name: str, step: int) -> Plan:
        """The plan with the next value of what is called so, or the one before. Raises Unplayable."""
        match name:
            case "edition":
                return self.plan.next_edition(step)
            case "draft":
                return self.plan.other_draft()
        return self.plan.next_value(name, step)

    @on(ChoiceList.Chosen)
    def _accepted(self) -> None:
        self.action_accept()

    def action_accept(self) -> None:
        self.dismiss(self.plan)

    def action_back(self) -> None:
        self.dismiss(None)
