"""Set up a game: seats, bots, edition and options. Other players read the edition and the cards in play."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from msgspec.structs import replace as changed
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual import events, on
from textual.binding import Binding, BindingType

from citadels_lan.engine import EDITIONS, Unplayable
from citadels_lan.net.client.updates import Update
from citadels_lan.net.wire.messages import MOST
from citadels_lan.presenter.launcher import Launcher, TableOptions, remember_edition
from citadels_lan.presenter.plan import (
    DRAWN,
    Plan,
    about_edition,
    about_sealed,
    changes,
    character,
    district,
    draft_kind,
    heading,
    option_name,
    options_line,
    plan_lines,
    players_line,
    reason,
    scenario_name,
    sealed_draft,
    unique_names,
)
from citadels_lan.presenter.text_width import pad
from citadels_lan.texts import Texts, msg, terms
from citadels_lan.texts.cards import summary
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.look import Look

from .cast import CardsScreen, CastScreen
from .list_screen import BACK, CHANGE, CHOOSE, HELP, LANGUAGE, ListScreen

LEVELS: Final = {
    "random": msg("at random"),
    "sensible": msg("sensibly"),
    "easy": msg("carelessly (easy)"),
    "normal": msg("well (normal)"),
    "hard": msg("thinking ahead (hard)"),
    "expert": msg("thinking long (expert)"),
}
"""How bots play."""
DETAILED: Final = 45
"""Lines of a screen from which the unique districts have their effects beside them."""
NAME: Final = 21
"""Columns of a card's name before its effect."""


class SetupScreen(ListScreen):
    """Returns the options, or None if the player cancels."""

    HINTS = (CHANGE, CHOOSE, HELP, BACK)

    def __init__(self, launcher: Launcher, *, alone: bool) -> None:
        super().__init__()
        self.launcher = launcher
        self.alone = alone
        self.options = TableOptions()
        edition, plan = launcher.preferences.edition, self._plan()
        self._seat(plan.in_edition(edition) if edition in EDITIONS else plan, bots=MOST if alone else 0)

    def title_text(self) -> str:
        return self.texts.say(msg("Play alone") if self.alone else msg("Open a table"))

    def below_title(self) -> list[str]:
        about = msg("You against bots.") if self.alone else msg("Free seats are for your friends.")
        return [f"{self.texts.say(about)} {players_line(self.texts, self._plan())}"]

    def rows(self) -> list[Row]:
        say, options, settings = self.texts.say, self.options, self.options.settings
        plan = self._plan()
        rows = [Row("open", say(msg("Begin")) if self.alone else say(msg("Open the table")))]
        rows.append(Row("places", say(msg("Players")), value=str(settings.players)))
        if not self.alone:
            rows.append(Row("bots", say(msg("of them bots")), value=str(settings.bots)))
        if settings.bots:
            rows.append(Row("level", say(msg("Bots play")), value=say(LEVELS.get(options.level, options.level))))
        rows.append(Row("edition", say(msg("Edition")), value=terms.name(self.texts, plan.config.edition)))
        if plan.chooses:
            rows.append(Row("scenario", say(msg("Characters")), value=scenario_name(self.texts, plan.scenario)))
            rows.append(Row("cast", say(msg("Characters and districts…"))))
        rows.append(Row("options", say(msg("Edition and options…")), options_line(self.texts, plan)))
        if not self.alone:
            if plan.drafts:
                rows.append(Row("draft", say(msg("The draft")), value=draft_kind(self.texts, plan.config.draft)))
            allowed = say(msg("allowed, and told to all")) if settings.hints else say(msg("for no player"))
            rows.append(Row("hints", say(msg("Hints of bots")), value=allowed))
        if told := sealed_draft(self.texts, settings):
            rows += self.about(told, margin=0)
        if self.has_beside or not plan.chooses:
            return rows
        lines = plan_lines(self.texts, plan, max(self.size.width - 3, 20))
        return [*rows, Row("", ""), *(Row("", line) for line in lines)]

    def beside(self) -> tuple[str, RenderableType]:
        return about_plan(self.texts, self.look, self._plan(), detailed=self.size.height >= DETAILED)

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        settings, step, plan = self.options.settings, message.step, self._plan()
        if message.key == "places":
            after = plan.more(step)
            self._seat(after, bots=MOST if self.alone else settings.bots)
            self.say(" ".join(changes(self.texts, plan, after)))
        elif message.key == "bots":
            self._seat(plan, bots=(settings.bots + step) % settings.players)
        elif message.key == "level":
            levels = list(self.launcher.levels)
            following = (levels.index(self.options.level) + step) % len(levels)
            self.options = replace(self.options, level=levels[following])
        elif message.key == "hints":
            self.options = replace(self.options, settings=changed(settings, hints=not settings.hints))
        elif message.key == "edition":
            self._play(plan.next_edition(step))
        elif message.key == "draft":
            self._play(plan.other_draft())
        else:
            self._play(plan.next_way(step))
        self.retell()

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        if message.key == "cast":
            self.app.push_screen(CastScreen(self._plan()), self._play)
        elif message.key == "options":
            self.app.push_screen(EditionScreen(self._plan()), self._play)
        else:
            remember_edition(self.launcher, self.options.settings.config.edition)
            self.dismiss(self.options)

    def _plan(self) -> Plan:
        return Plan.of(self.options.settings.config)

    def _play(self, plan: Plan | None) -> None:
        """Take on a plan, unless it is None."""
        if plan is not None:
            self._seat(plan, MOST if self.alone else self.options.settings.bots)
            self.retell()

    def _seat(self, plan: Plan, bots: int) -> None:
        """Take on a plan with this number of bots, at most one for each other seat."""
        settings = changed(self.options.settings, config=plan.config, bots=min(bots, plan.config.players - 1))
        self.options = replace(self.options, settings=settings)


def about_plan(texts: Texts, look: Look, plan: Plan, *, detailed: bool) -> tuple[str, RenderableType]:
    """Return a heading, and the plan: options, characters with their abilities, unique districts. With `detailed`
    the districts have their effects."""
    parts: list[RenderableType] = []
    if terms.chosen(texts, plan.config.options):
        options = texts.say(msg("Options: {options}"), options=options_line(texts, plan))
        parts.append(Text(options, look.dim))
    if not plan.chooses:
        return heading(texts, plan), Group(*parts, Text(about_edition(texts, plan)))
    parts.append(Text(texts.say(msg("Characters")), look.title))
    ranks, costs = plan.edition.ranks, plan.edition.costs
    cast = {key: f"{ranks.get(key, '?')} {character(texts, key)}" for key in plan.cast or ()}
    parts.append(Text(texts.say(DRAWN)) if plan.cast is None else _with_effects(texts, look, plan, cast))
    parts.append(Text(f"\n{texts.say(msg('Unique districts'))}", look.title))
    uniques = {key: f"{costs.get(key, '?')} {district(texts, key)}" for key in plan.uniques or ()}
    if detailed and uniques:
        parts.append(_with_effects(texts, look, plan, uniques))
    else:
        parts.append(Text(", ".join(unique_names(texts, plan))))
    return heading(texts, plan), Group(*parts)


def _with_effects(texts: Texts, look: Look, plan: Plan, names: Mapping[str, str]) -> Table:
    """Return a line for each card: its name, and its effect if this program knows the card."""
    table, known = Table.grid(padding=(0, 1)), {*plan.edition.characters, *plan.edition.districts}
    for key, name in names.items():
        table.add_row(
            Text(name, look.bold, no_wrap=True),
            Text(summary(texts, plan.edition, key) if key in known else "", look.dim),
        )
    return table


def edition_page(texts: Texts, look: Look, plan: Plan) -> Text:
    """Return the page of the edition and its options."""
    page = Text(terms.name(texts, plan.config.edition), look.title)
    page.append(f"\n\n{about_edition(texts, plan)}", "not bold default")
    for name in plan.edition.options:
        page.append(f"\n\n{option_name(texts, name)}: ", look.bold)
        page.append(terms.value(texts, name, plan.option(name)), look.strong)
        page.append(f"\n{terms.about(texts, name)}", look.dim)
    if plan.drafts:
        page.append(f"\n\n{texts.say(msg('The draft'))}: ", look.bold)
        page.append(draft_kind(texts, plan.config.draft), look.strong)
        page.append(f"\n{about_sealed(texts)}", look.dim)
    return page


class EditionScreen(ListScreen):
    """Returns the accepted plan, or None if the player cancels."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("a,A", "accept", show=False)]
    HINTS = (CHANGE, ("A", msg("accept")), HELP, LANGUAGE, BACK)

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(ChoiceList).point("edition")

    def title_text(self) -> str:
        return self.texts.say(msg("Edition and options"))

    def below_title(self) -> list[str]:
        return [self.texts.say(msg("All players at the table see your choice."))]

    def rows(self) -> list[Row]:
        texts, plan = self.texts, self.plan
        rows = [Row("accept", texts.say(msg("Play with these")))]
        rows.append(Row("edition", texts.say(msg("Edition")), value=terms.name(texts, plan.config.edition)))
        rows += self.about(about_edition(texts, plan))
        for name in plan.edition.options:
            value = terms.value(texts, name, plan.option(name))
            rows += [Row("", ""), Row(name, option_name(texts, name), value=value)]
            rows += self.about(terms.about(texts, name))
        if plan.drafts:
            value = draft_kind(texts, plan.config.draft)
            rows += [Row("", ""), Row("draft", texts.say(msg("The draft")), value=value)]
            rows += self.about(about_sealed(texts))
        return rows

    def beside(self) -> tuple[str, RenderableType]:
        return about_plan(self.texts, self.look, self.plan, detailed=self.size.height >= DETAILED)

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        plan, step = self.plan, message.step
        try:
            if message.key == "edition":
                self.plan = plan.next_edition(step)
            else:
                self.plan = plan.other_draft() if message.key == "draft" else plan.next_value(message.key, step)
        except Unplayable as why:
            self.say(reason(self.texts, why))
        else:
            self.say("")
        self.retell()

    @on(ChoiceList.Chosen)
    def _accepted(self) -> None:
        self.action_accept()

    def action_accept(self) -> None:
        self.dismiss(self.plan)


class InPlayScreen(CardsScreen):
    """A list of the cards of a table. `current` returns the plan whenever something changes; the keys of `closing`
    lead back, as Escape does."""

    HINTS = (("?", msg("explain")), ("F1", msg("help")), LANGUAGE, BACK)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,Q", "back", show=False),
        Binding("question_mark,i", "explain", show=False),
    ]

    def __init__(self, current: Callable[[], Plan], closing: Sequence[str] = ("p", "P")) -> None:
        super().__init__()
        self._current = current
        self._closers = closing
        self.plan = current()

    def on_key(self, event: events.Key) -> None:
        if event.key in self._closers:
            event.stop()
            self.action_back()

    def updated(self, updates: Sequence[Update]) -> None:
        self.plan = self._current()
        self.retell()

    def title_text(self) -> str:
        return self.texts.say(msg("Cards in play"))

    def below_title(self) -> list[str]:
        return [heading(self.texts, self.plan)]

    def purpose(self) -> list[str]:
        what = msg("The characters and unique districts that this table plays with; Enter reads one in full.")
        return [*self.below_title(), self.texts.say(what)]

    def rows(self) -> list[Row]:
        plan, texts = self.plan, self.texts
        return [
            Row("", texts.say(msg("Characters"))),
            *self._cards({key: character(texts, key) for key in plan.cast or ()}, drawn=plan.cast is None),
            Row("", ""),
            Row("", texts.say(msg("Unique districts"))),
            *self._cards({key: district(texts, key) for key in plan.uniques or ()}, drawn=plan.uniques is None),
        ]

    def _cards(self, names: Mapping[str, str], *, drawn: bool) -> list[Row]:
        """A row for each card: its rank or cost, its name, and its effect if this program knows the card."""
        if drawn:
            return [Row("", f"  {self.texts.say(DRAWN)}")]
        edition = self.plan.edition
        numbers = {**edition.ranks, **edition.costs}
        return [
            Row(key, pad(f"{numbers[key]} {name}", NAME), summary(self.texts, edition, key))
            if key in numbers
            else Row("", f"? {name}")
            for key, name in names.items()
        ]

    @on(ChoiceList.Chosen)
    def action_explain(self) -> None:
        super().action_explain()
