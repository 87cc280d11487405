"""What table to open: how many seats, how many bots, which characters."""

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from citadels_lan.front.launcher import Launcher, TableOptions
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import changes, in_lines, scenario_name
from citadels_lan.front.table_session import Settings
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row

from .cast import CastScreen
from .list_screen import ListScreen

FEWEST, MOST = 2, 8


class SetupScreen(ListScreen):
    """Returns the options, or None where it was left."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, launcher: Launcher, *, alone: bool) -> None:
        super().__init__()
        self.launcher = launcher
        self.alone = alone
        self.options = TableOptions(places=4, bots=3 if alone else 0, level=launcher.levels[-1])

    def title_text(self) -> str:
        return self.texts.say(msg("Play alone") if self.alone else msg("Open a table"))

    def below_title(self) -> list[str]:
        if self.alone:
            return [self.texts.say(msg("You against bots. 4 to 7 players are the usual game."))]
        return [self.texts.say(msg("Free seats are for your friends. 4 to 7 players are the usual game."))]

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [("←→", say(msg("change"))), ("Enter", say(msg("choose"))), ("Esc", say(msg("back")))]

    def rows(self) -> list[Row]:
        say, options = self.texts.say, self.options
        rows = [Row("open", say(msg("Begin")) if self.alone else say(msg("Open the table")))]
        rows.append(Row("places", say(msg("Players")), value=str(options.places)))
        if not self.alone:
            rows.append(Row("bots", say(msg("of them bots")), value=str(options.bots)))
        if options.bots:
            rows.append(Row("level", say(msg("Bots play")), value=say(LEVELS.get(options.level, options.level))))
        rows.append(Row("scenario", say(msg("Characters")), value=scenario_name(self.texts, options.scenario)))
        lines = in_lines(self.texts, self._plan(), max(self.size.width - 3, 20))
        cards = [Row("", line) for line in lines]
        return [*rows, Row("cast", say(msg("Characters and districts…"))), Row("", ""), *cards]

    def on_resize(self) -> None:
        self.retell()

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        options, step = self.options, message.step
        if message.key == "places":
            places = _round(options.places + step, FEWEST, MOST)
            bots = places - 1 if self.alone else min(options.bots, places - 1)
            before = self._plan()
            self.options = replace(options, places=places, bots=bots)
            self._play(after := before.for_players(places))
            self.say(" ".join(changes(self.texts, before, after)))
        elif message.key == "bots":
            self.options = replace(options, bots=_round(options.bots + step, 0, options.places - 1))
        elif message.key == "level":
            self.options = replace(options, level=_next(self.launcher.levels, options.level, step))
        else:
            here = options.scenario or self.launcher.scenarios[0 if step < 0 else -1]
            self.options = replace(
                options, scenario=_next(self.launcher.scenarios, here, step), cast=(), uniques=()
            )
        self.retell()

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        if message.key == "cast":
            self.app.push_screen(CastScreen(self._plan()), self._play)
        else:
            self.dismiss(self.options)

    def _plan(self) -> Plan:
        options = self.options
        return Plan.of(
            Settings(options.places, 0, options.scenario, options.rank_nine, options.cast, options.uniques)
        )

    def _play(self, plan: Plan | None) -> None:
        """Play this, unless it is None."""
        if plan is not None:
            wanted = plan.settings(Settings(self.options.places))
            self.options = replace(
                self.options,
                scenario=wanted.scenario, rank_nine=wanted.rank_nine, cast=wanted.cast, uniques=wanted.uniques,
            )  # fmt: skip
            self.retell()


LEVELS = {"random": msg("at random"), "sensible": msg("sensibly")}


def _round(number: int, least: int, most: int) -> int:
    """A number that goes round at its ends."""
    return least + (number - least) % (most - least + 1)


def _next(known: object, here: str, step: int) -> str:
    words = list(known)  # type: ignore[call-overload]
    return str(words[(words.index(here) + step) % len(words)])
