"""The tutorial: a scripted game of three rounds on this computer, with a lesson above each choice of the player.

The script and all its texts are in `tutorial.toml`. A choice that the lesson does not teach is answered with a
sentence and changes nothing, so the lessons always fit the position.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import cache
from typing import Final, NoReturn, TypeVar

from msgspec import Struct, convert
from msgspec.structs import replace

from citadels_lan import engine
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import Action, Event, parse
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Happened, TableView, Update
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Seat, Settings
from citadels_lan.texts import Texts
from citadels_lan.texts.tables import data_file

T = TypeVar("T")
OWN: Final = 0
"""The seat of the player."""
OTHERS: Final = ("Isotta", "Cosimo", "Bianca")
"""The names of the other seats; the lessons use them."""
TRIED: Final = ("pick", "gather", "keep", "destroy")
"""The verbs of moves that the player must point at."""
PAUSE: Final = 0.9
"""Seconds before each move of another seat."""


class Script(Struct, frozen=True):
    """The first cards of the deck, the first characters of each round, and all moves."""

    deck: tuple[str, ...]
    characters: tuple[tuple[str, ...], ...]
    moves: tuple[str, ...]

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """Return the scripted items first, then the others in their order (`engine.Chance`)."""
        purpose, number, *_ = label.split("/")
        first = self.deck if purpose == "districts" else self.characters[int(number) - 1]
        rest = list(items)
        return [rest.pop(rest.index(key)) for key in first] + rest  # type: ignore[arg-type]  # all are keys

    def pick(self, label: str, items: Sequence[T]) -> T:
        """Return the first item. So the player has the crown in the first round (`engine.Chance`)."""
        return items[0]


class Lesson(Struct, frozen=True):
    """The texts about one move of the player, see `tutorial.toml`."""

    text: str
    wrong: str
    then: str = ""


class Tutorial(Struct, frozen=True):
    """The content of `tutorial.toml`."""

    script: Script
    how: dict[str, str]
    lessons: dict[str, Lesson]
    finish: dict[str, str]


@cache
def tutorial() -> Tutorial:
    """The script and the texts, read once."""
    return convert(data_file(__package__, "tutorial.toml"), Tutorial)


class TutorialSession(Session):
    """The seat of the player at the scripted table. There is no host, so what needs one is rejected."""

    past: Sequence[Update] = ()
    delay = PAUSE

    def __init__(self, name: str) -> None:
        settings = Settings(engine.from_scenario("first_game", 1 + len(OTHERS)), len(OTHERS), hints=False)
        self.script = tutorial().script
        self.moved = 0
        """The number of moves that were made."""
        self._state = engine.new_table(settings.config)
        self._made: asyncio.Queue[Update] = asyncio.Queue()
        names = (name, *OTHERS)
        lobby = [Seat(name, SeatKind.PLAYER, ready=True), *(Seat(bot, SeatKind.BOT, ready=True) for bot in OTHERS)]
        beginning = engine.view(self._state, OWN)
        self.table = TableView(
            status="playing", seat=OWN, lobby=tuple(lobby), names=names, settings=settings, beginning=beginning
        )
        self._go_on()

    @property
    def finished(self) -> bool:
        """Whether the last move was made."""
        return self.moved == len(self.script.moves)

    @property
    def taught(self) -> Action | None:
        """The move that the current lesson teaches; None while other seats move."""
        seat, line = self._next()
        return parse(line, OWN) if seat == OWN else None

    @property
    def pointed(self) -> Action | None:
        """The move on which the cursor starts: the taught one, or another one if the player must choose."""
        taught, moves = self.taught, [choice for choice in self.table.choices if isinstance(choice, Action)]
        if taught is None or taught.verb not in TRIED:
            return taught
        # Otherwise Enter alone would lead through the tutorial, and no lesson would be read.
        return next((move for move in moves if move.verb == taught.verb and move != taught), taught)

    @property
    def _own(self) -> int:
        """The number of moves that the player has made."""
        return sum(move.startswith("a ") for move in self.script.moves[: self.moved])

    def lesson(self, texts: Texts, keys: Mapping[str, str], *, in_lines: bool) -> str:
        """Return the lesson about the present choice, or the text after the last lesson; empty if there is
        none. `keys` has the key or word of a command by its name."""
        lessons = list(tutorial().lessons.values())
        text = lessons[self._own].text if self.taught is not None else lessons[self._own - 1].then
        how = texts.say(tutorial().how["lines" if in_lines else "screen"])
        return texts.say(text, how=how, **_named(keys)) if text else ""

    def wrong(self, texts: Texts) -> str:
        """Why the last rejected choice is not the one of the lesson."""
        return texts.say(list(tutorial().lessons.values())[self._own].wrong)

    async def updates(self) -> AsyncIterator[Update]:
        """Yield the updates: the moves of the player, and those of the others after a pause."""
        while not self.finished or not self._made.empty():
            if self.taught is None and self._made.empty():
                await asyncio.sleep(self.delay)
                self._play()
            yield await self._made.get()

    async def act(self, action: Action) -> None:
        """Make the move of the lesson. Raises Rejected: `not_taught`."""
        if action != self.taught:
            raise Rejected("not_taught")
        self._play()

    async def leave(self) -> None:
        """Leave the table. A tutorial has nothing to close."""

    def _connected(self) -> NoReturn:
        raise Rejected("tutorial")

    def _next(self) -> tuple[int, str]:
        """Return the seat that moves next, and its move; no seat after the last move."""
        if self.finished:
            return -1, ""
        seat, _, line = self.script.moves[self.moved].partition(" ")
        return "abcd".index(seat), line

    def _play(self) -> None:
        """Make the next move, then the steps of the table until a seat must decide."""
        seat, line = self._next()
        action = parse(line, seat)
        self.moved += 1
        hidden = seat != OWN and action.verb in ("pick", "keep")
        self._take(seat, None if hidden else line, engine.decide(self._state, seat, action, self.script))
        self._go_on()

    def _go_on(self) -> None:
        while not self.finished and not engine.acting(self._state):
            self._take(None, None, engine.advance(self._state, self.script))
        seen = engine.view(self._state, OWN)
        choices = () if self.finished else engine.decisions(seen).get(OWN, ())
        self.table = replace(self.table, state=seen, choices=choices, waiting=engine.acting(seen))

    def _take(self, seat: int | None, line: str | None, events: Sequence[Event]) -> None:
        self._state = engine.evolve(self._state, *events)
        told = tuple(engine.redact(event, OWN) for event in events)
        self._made.put_nowait(Happened(self._state.tick, seat, line, told))


def _named(keys: Mapping[str, str]) -> dict[str, str]:
    return {name: keys.get(name, "") for name in ("end", "explain", "hint")}


def finish(texts: Texts, keys: Mapping[str, str]) -> tuple[str, str]:
    """Return the title and the text after the last round."""
    return texts.say(tutorial().finish["title"]), texts.say(tutorial().finish["text"], **_named(keys))
