"""What table to open: how many seats, how many bots, which characters."""

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from citadels_lan.texts import msg
from citadels_lan.texts.names import SCENARIOS

from .choice_list import ChoiceList, Row
from .frame import Frame
from .launcher import Launcher, TableOptions

FEWEST, MOST = 2, 8


class SetupScreen(Frame):
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
        rows.append(Row("scenario", say(msg("Characters")), value=self._scenario(options.scenario)))
        return rows

    def _scenario(self, key: str) -> str:
        return self.texts.say(SCENARIOS[key]) if key in SCENARIOS else key

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        options, step = self.options, message.step
        if message.key == "places":
            places = _round(options.places + step, FEWEST, MOST)
            bots = places - 1 if self.alone else min(options.bots, places - 1)
            self.options = replace(options, places=places, bots=bots)
        elif message.key == "bots":
            self.options = replace(options, bots=_round(options.bots + step, 0, options.places - 1))
        elif message.key == "level":
            self.options = replace(options, level=_next(self.launcher.levels, options.level, step))
        else:
            self.options = replace(options, scenario=_next(self.launcher.scenarios, options.scenario, step))
        self.retell()

    @on(ChoiceList.Chosen)
    def _opened(self) -> None:
        self.dismiss(self.options)


LEVELS = {"random": msg("at random"), "sensible": msg("sensibly")}


def _round(number: int, least: int, most: int) -> int:
    """A number that goes round at its ends."""
    return least + (number - least) % (most - least + 1)


def _next(known: object, here: str, step: int) -> str:
    words = list(known)  # type: ignore[call-overload]
    return str(words[(words.index(here) + step) % len(words)])
