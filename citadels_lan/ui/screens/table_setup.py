"""The screens on which a game is set up: seats, bots, edition and options; scenario, characters and unique
districts. Other players can read the settings on them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar, Final

from msgspec.structs import replace as changed
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual import on
from textual.binding import BindingType

from citadels_lan.engine import EDITIONS, Unplayable
from citadels_lan.net.client.updates import Update
from citadels_lan.net.wire.messages import MOST, Settings
from citadels_lan.presenter import plan as plans
from citadels_lan.presenter.launcher import Launcher, TableOptions
from citadels_lan.presenter.plan import Plan, character, district, draft_kind, reason, scenario_name
from citadels_lan.presenter.text_width import pad
from citadels_lan.texts import Texts, msg, terms
from citadels_lan.texts.tables import sentences
from citadels_lan.texts.topics import summary
from citadels_lan.ui.screens.list_screen import BACK, CHANGE, CHOOSE, HELP, LANGUAGE, ListScreen
from citadels_lan.ui.screens.rules import card, card_page
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.program import ChoiceList, PageScreen, Row, bindings_of, letters

BOXED: Final = 18
"""Cells of the column with the names of cards that can be ticked."""
SEED: Final = msg("All players take part in the random draw.")


class CardsScreen(ListScreen):
    """A list whose rows are cards, with the keys of the cards as keys of the rows. The frame to the right of
    the list explains the card under the cursor."""

    NUMBERS = False
    plan: Plan

    def beside(self) -> tuple[str, Text]:
        key = self.pointed.key if self.pointed is not None else ""
        edition = self.plan.edition
        if key in edition.characters or key in edition.districts:
            return card_page(self.texts, self.look, edition, key)
        return self.texts.say("Scenario"), Text("\n".join(plans.about_scenario(self.texts, self.plan)))

    def action_explain(self) -> None:
        """Open the page about the card under the cursor."""
        key, edition = self.pointed.key if self.pointed is not None else "", self.plan.edition
        if key in edition.characters or key in edition.districts:
            self.app.push_screen(PageScreen(card(self.texts, self.look, edition, key)))
        else:
            self.action_help()


class CastScreen(CardsScreen):
    """The screen on which the characters and unique districts are chosen. Returns the changed plan, or None
    if the player cancels."""

    HEADLINE = msg("Characters and districts")
    HINTS = (
        ("A", msg("accept")), ("?", msg("explain")), ("Tab", msg("page")), ("F", msg("fill")), ("X", msg("clear")),
        ("O", msg("reset")), BACK, ("F1", msg("help")),
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = bindings_of("cast")

    FIRST = "way"

    def __init__(self, plan: Plan, dice: Random | None = None) -> None:
        super().__init__()
        self.plan = plan
        self.dice = dice or Random()

    def below_title(self) -> list[str]:
        say, plan, why = self.texts.say, self.plan, self.plan.problem()
        count = say("{count} of {all}", count=len(plan.uniques or ()), all=plan.wanted)
        districts = "" if plan.uniques is None else f" · {say('Unique districts')}: {count}"
        seen = say("All players see your choice.")
        return [
            f"{say('{players} players', players=plan.config.players)}{districts}",
            seen if why is None else reason(self.texts, why),
        ]

    def rows(self) -> list[Row]:
        say, plan = self.texts.say, self.plan
        rows = [
            Row("accept", say("Play with these"), warns=plan.problem() is not None),
            Row("way", say("Scenario"), value=scenario_name(self.texts, plan.scenario)),
            *self.about(" ".join(plans.about_scenario(self.texts, plan))),
            Row("", say("Characters")),
            self._box("draw_cast", say(plans.DRAWN), say(SEED), chosen=plan.cast is None),
        ]
        for rank, keys in plan.edition.of_rank.items():
            rows += [self._card(rank, key, plan.cast, plan.why_not(key)) for key in keys]
        if 9 in plan.edition.of_rank:
            none = plan.cast is not None and all(plan.edition.ranks.get(key) != 9 for key in plan.cast)
            rows.append(self._box("no_nine", f"9 {say('none')}", chosen=none, barred=plan.why_nine()))
        rows += [Row("", ""), Row("", say("Unique districts"))]
        if plan.edition.casting.chosen:
            rows.append(self._box("draw_uniques", say(plans.DRAWN), say(SEED), chosen=plan.uniques is None))
        return rows + [self._card(plan.edition.costs[key], key, plan.uniques) for key in plan.edition.uniques]

    def _card(
        self, number: int, key: str, chosen: Collection[str] | None, barred: Unplayable | None = None
    ) -> Row:
        texts, edition = self.texts, self.plan.edition
        name = texts.character(key) if key in edition.characters else texts.district(key)
        about = summary(texts, edition, key)
        return self._box(key, f"{number} {name}", about, chosen=key in (chosen or ()), barred=barred)

    def _box(
        self, key: str, label: str, about: str = "", *, chosen: bool, barred: Unplayable | None = None
    ) -> Row:
        """Return a row that can be ticked: `[✓]` if chosen, `[ ]` if not, and `[-]` with the reason if it
        cannot be chosen."""
        sign = self.look.glyphs.tick if chosen else " " if barred is None else "-"
        detail = "" if self.has_beside else about
        label = f"[{sign}] {label:<{BOXED}}"
        return Row(key, label, detail if barred is None else reason(self.texts, barred))

    # Actions

    def change(self, step: Callable[[], Plan]) -> None:
        """Replace the plan by the result of `step`. If the rules do not allow that, show why."""
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
        """Move the cursor to the first unique district; if it is among the unique districts, to the first
        character."""
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


LEVELS: Final = sentences("citadels_lan.ui", "screens.toml")["levels"]
"""The explanation of each level of bots."""
DETAILED: Final = 45
"""From this height of the screen on, the effects of unique districts are shown to the right of their
names."""
NAME: Final = 21
"""The width of the column with the names of cards, in cells."""


class SetupScreen(ListScreen):
    """The screen on which a new table is set up. Returns the options of the table, or None if the player
    cancels."""

    HINTS = (CHANGE, CHOOSE, HELP, BACK)

    def __init__(self, launcher: Launcher, *, alone: bool) -> None:
        super().__init__()
        self.launcher = launcher
        self.alone = alone
        self.options = TableOptions(Settings())
        edition, plan = launcher.preferences.edition, self._plan()
        self._seat(plan.in_edition(edition) if edition in EDITIONS else plan, bots=MOST if alone else 0)

    def title_text(self) -> str:
        return self.texts.say(msg("Play against bots") if self.alone else msg("Host a game"))

    def below_title(self) -> list[str]:
        about = msg("You against bots.") if self.alone else msg("Free seats are for your friends.")
        return [f"{self.texts.say(about)} {plans.players_line(self.texts, self._plan())}"]

    def rows(self) -> list[Row]:
        say, options, settings = self.texts.say, self.options, self.options.settings
        plan = self._plan()
        rows = [Row("open", say("Begin") if self.alone else say("Host the game"))]
        rows.append(Row("players", say("Players"), value=str(settings.players)))
        if not self.alone:
            rows.append(Row("bots", say("Bots"), value=str(settings.bots)))
        if settings.bots:
            rows.append(Row("level", say("Bots play"), value=say(LEVELS.get(options.level, options.level))))
        rows.append(Row("edition", say("Edition"), value=terms.name(self.texts, plan.config.edition)))
        if plan.chooses:
            rows.append(Row("scenario", say("Characters"), value=scenario_name(self.texts, plan.scenario)))
            rows.append(Row("cast", say("Characters and districts…")))
        rows.append(Row("options", say("Edition and options…"), plans.options_line(self.texts, plan)))
        if not self.alone:
            if plan.drafts:
                rows.append(Row("draft", say("The draft"), value=draft_kind(self.texts, plan.config.draft)))
            allowed = say("allowed, announced to all") if settings.hints else say("not allowed")
            rows.append(Row("hints", say("Bot hints"), value=allowed))
        if told := plans.sealed_draft(self.texts, settings):
            rows += self.about(told, margin=0)
        if self.has_beside or not plan.chooses:
            return rows
        lines = plans.plan_lines(self.texts, plan, max(self.size.width - 3, 20))
        return [*rows, Row("", ""), *(Row("", line) for line in lines)]

    def beside(self) -> tuple[str, RenderableType]:
        return about_plan(self.texts, self.look, self._plan(), detailed=self.size.height >= DETAILED)

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        settings, step, plan = self.options.settings, message.step, self._plan()
        if message.key == "bots":
            self._seat(plan, bots=(settings.bots + step) % settings.players)
        elif message.key == "level":
            from citadels_lan.bots import LEVELS

            levels = list(LEVELS)
            following = (levels.index(self.options.level) + step) % len(levels)
            self.options = replace(self.options, level=levels[following])
        elif message.key == "hints":
            self.options = replace(self.options, settings=changed(settings, hints=not settings.hints))
        else:
            after = plan.stepped(message.key, step)
            self._seat(after, bots=MOST if self.alone else settings.bots)
            self.say(" ".join(plans.changes(self.texts, plan, after)))
        self.retell()

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        if message.key == "cast":
            self.app.push_screen(CastScreen(self._plan()), self._play)
        elif message.key == "options":
            self.app.push_screen(EditionScreen(self._plan()), self._play)
        else:
            edition = self.options.settings.config.edition
            self.launcher.remember(replace(self.launcher.preferences, edition=edition))
            self.dismiss(self.options)

    def _plan(self) -> Plan:
        return Plan.of(self.options.settings.config)

    def _play(self, plan: Plan | None) -> None:
        """Use this plan; do nothing if it is None."""
        if plan is not None:
            self._seat(plan, MOST if self.alone else self.options.settings.bots)
            self.retell()

    def _seat(self, plan: Plan, bots: int) -> None:
        """Use this plan with `bots` bots, or fewer if the table has not enough seats for them."""
        settings = changed(self.options.settings, config=plan.config, bots=min(bots, plan.config.players - 1))
        self.options = replace(self.options, settings=settings)


def about_plan(texts: Texts, look: Look, plan: Plan, *, detailed: bool) -> tuple[str, RenderableType]:
    """Return a heading and a description of the plan: options, characters with their abilities, unique
    districts; with `detailed` also the effects of the districts."""
    parts: list[RenderableType] = []
    if terms.chosen(texts, plan.config.options):
        options = texts.say("Options: {options}", options=plans.options_line(texts, plan))
        parts.append(Text(options, look.dim))
    if not plan.chooses:
        return plans.heading(texts, plan), Group(*parts, Text(plans.about_edition(texts, plan)))
    parts.append(Text(texts.say("Characters"), look.title))
    ranks, costs = plan.edition.ranks, plan.edition.costs
    cast = {key: f"{ranks.get(key, '?')} {character(texts, key)}" for key in plan.cast or ()}
    parts.append(Text(texts.say(plans.DRAWN)) if plan.cast is None else _with_effects(texts, look, plan, cast))
    parts.append(Text(f"\n{texts.say('Unique districts')}", look.title))
    uniques = {key: f"{costs.get(key, '?')} {district(texts, key)}" for key in plan.uniques or ()}
    if detailed and uniques:
        parts.append(_with_effects(texts, look, plan, uniques))
    else:
        parts.append(Text(", ".join(plans.unique_names(texts, plan))))
    return plans.heading(texts, plan), Group(*parts)


def _with_effects(texts: Texts, look: Look, plan: Plan, names: Mapping[str, str]) -> Table:
    """Return a table with a line for each card: its name, and its effect if this version knows the card."""
    table, known = Table.grid(padding=(0, 1)), {*plan.edition.characters, *plan.edition.districts}
    for key, name in names.items():
        effect = summary(texts, plan.edition, key) if key in known else ""
        table.add_row(Text(name, look.bold, no_wrap=True), Text(effect, look.dim))
    return table


def edition_page(texts: Texts, look: Look, plan: Plan) -> Text:
    """Return a text about the edition and its options."""
    page = Text(terms.name(texts, plan.config.edition), look.title)
    page.append(f"\n\n{plans.about_edition(texts, plan)}", "not bold default")
    for name in plan.edition.options:
        page.append(f"\n\n{plans.option_name(texts, name)}: ", look.bold)
        page.append(terms.value(texts, name, plan.option(name)), look.strong)
        page.append(f"\n{terms.about(texts, name)}", look.dim)
    if plan.drafts:
        page.append(f"\n\n{texts.say('The draft')}: ", look.bold)
        page.append(draft_kind(texts, plan.config.draft), look.strong)
        page.append(f"\n{plans.about_sealed(texts)}", look.dim)
    return page


class EditionScreen(ListScreen):
    """The screen on which the edition and its options are chosen. Returns the changed plan, or None if the
    player cancels."""

    HEADLINE = msg("Edition and options")
    BINDINGS: ClassVar[list[BindingType]] = letters(a="accept")
    HINTS = (CHANGE, ("A", msg("accept")), HELP, LANGUAGE, BACK)
    FIRST = "edition"

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan

    def below_title(self) -> list[str]:
        return [self.texts.say("All players see your choice.")]

    def rows(self) -> list[Row]:
        texts, plan = self.texts, self.plan
        rows = [Row("accept", texts.say("Play with these"))]
        rows.append(Row("edition", texts.say("Edition"), value=terms.name(texts, plan.config.edition)))
        rows += self.about(plans.about_edition(texts, plan))
        for name in plan.edition.options:
            value = terms.value(texts, name, plan.option(name))
            rows += [Row("", ""), Row(name, plans.option_name(texts, name), value=value)]
            rows += self.about(terms.about(texts, name))
        if plan.drafts:
            value = draft_kind(texts, plan.config.draft)
            rows += [Row("", ""), Row("draft", texts.say("The draft"), value=value)]
            rows += self.about(plans.about_sealed(texts))
        return rows

    def beside(self) -> tuple[str, RenderableType]:
        return about_plan(self.texts, self.look, self.plan, detailed=self.size.height >= DETAILED)

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        try:
            self.plan = self.plan.stepped(message.key, message.step)
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
    """A list of the cards in a game. `current` returns the present plan, which may change. The keys in
    `closing` leave the screen, as Escape does."""

    HEADLINE = msg("Cards in play")
    HINTS = (("?", msg("explain")), ("F1", msg("help")), LANGUAGE, BACK)
    BINDINGS: ClassVar[list[BindingType]] = bindings_of("in_play")

    def __init__(self, current: Callable[[], Plan], closing: Sequence[str] = ("p", "P")) -> None:
        super().__init__()
        self._current = current
        self.closing = closing
        self.plan = current()

    def updated(self, updates: Sequence[Update]) -> None:
        self.plan = self._current()
        self.retell()

    def below_title(self) -> list[str]:
        return [plans.heading(self.texts, self.plan)]

    def rows(self) -> list[Row]:
        plan, texts = self.plan, self.texts
        return [
            Row("", texts.say("Characters")),
            *self._cards({key: character(texts, key) for key in plan.cast or ()}, drawn=plan.cast is None),
            Row("", ""),
            Row("", texts.say("Unique districts")),
            *self._cards({key: district(texts, key) for key in plan.uniques or ()}, drawn=plan.uniques is None),
        ]

    def _cards(self, names: Mapping[str, str], *, drawn: bool) -> list[Row]:
        """Return a row for each card: its rank or cost, its name, and its effect if this version knows the
        card."""
        if drawn:
            return [Row("", f"  {self.texts.say(plans.DRAWN)}")]
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
