"""What table to open: how many seats, how many bots, which edition and characters."""

from dataclasses import replace
from typing import ClassVar

from msgspec.structs import replace as changed
from textual import on
from textual.binding import BindingType

from citadels_lan.engine import EDITIONS
from citadels_lan.front.cells import wrap
from citadels_lan.front.launcher import Launcher, TableOptions, remember_edition
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import changes, in_lines, options_line, players_line, scenario_name
from citadels_lan.front.sealed_draft import kind, sealed_draft
from citadels_lan.net.wire.messages import MOST
from citadels_lan.texts import editions, msg
from citadels_lan.ui.drawings.tonight import draw_tonight
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.drawing import Drawing

from .beside_screen import BesideScreen
from .cast import CastScreen
from .edition import EditionScreen


class SetupScreen(BesideScreen):
    """Returns the options, or None where it was left."""

    BINDINGS: ClassVar[list[BindingType]] = []

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

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [
            ("←→", say(msg("change"))),
            ("Enter", say(msg("choose"))),
            ("?", say(msg("help"))),
            ("Esc", say(msg("back"))),
        ]

    def rows(self) -> list[Row]:
        say, options, settings = self.texts.say, self.options, self.options.settings
        plan = self._plan()
        rows = [Row("open", say(msg("Begin")) if self.alone else say(msg("Open the table")))]
        rows.append(Row("places", say(msg("Players")), value=str(settings.players)))
        if not self.alone:
            rows.append(Row("bots", say(msg("of them bots")), value=str(settings.bots)))
        if settings.bots:
            rows.append(Row("level", say(msg("Bots play")), value=say(LEVELS.get(options.level, options.level))))
        rows.append(Row("edition", say(msg("Edition")), value=editions.name(self.texts, plan.config.edition)))
        if plan.chooses:
            rows.append(Row("scenario", say(msg("Characters")), value=scenario_name(self.texts, plan.scenario)))
            rows.append(Row("cast", say(msg("Characters and districts…"))))
        rows.append(Row("options", say(msg("Edition and options…")), options_line(self.texts, plan)))
        if not self.alone:
            if plan.drafts:
                rows.append(Row("draft", say(msg("The draft")), value=kind(self.texts, plan.config.draft)))
            allowed = say(msg("allowed, and told to all")) if settings.hints else say(msg("for nobody"))
            rows.append(Row("hints", say(msg("Hints of bots")), value=allowed))
        if told := sealed_draft(self.texts, settings):
            rows += [Row("", line) for line in wrap(told, max(self.list_width - 3, 20))]
        if self.has_beside or not plan.chooses:
            return rows
        lines = in_lines(self.texts, plan, max(self.list_width - 3, 20))
        return [*rows, Row("", ""), *(Row("", line) for line in lines)]

    def beside(self, width: int, height: int) -> Drawing:
        """What will be played."""
        return draw_tonight(self.texts, self.look, self._plan(), width, height)

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
            self.options = replace(self.options, level=_next(self.launcher.levels, self.options.level, step))
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
        """Play this, unless it is None."""
        if plan is not None:
            self._seat(plan, MOST if self.alone else self.options.settings.bots)
            self.retell()

    def _seat(self, plan: Plan, bots: int) -> None:
        """Play this with so many bots, or as many as leave one seat."""
        settings = changed(self.options.settings, config=plan.config, bots=min(bots, plan.players - 1))
        self.options = replace(self.options, settings=settings)


LEVELS = {
    "random": msg("at random"),
    "sensible": msg("sensibly"),
    "easy": msg("carelessly (easy)"),
    "normal": msg("well (normal)"),
    "hard": msg("thinking ahead (hard)"),
    "expert": msg("thinking long (expert)"),
}


def _next(known: object, here: str, step: int) -> str:
    words = list(known)  # type: ignore[call-overload]
    return str(words[(words.index(here) + step) % len(words)])
