"""The tutorial: a scripted game of three rounds on this computer, with a lesson above each choice of the
player.

The script and all texts are in `tutorial.toml`. If the player makes another choice than the lesson asks for,
the choice is rejected with a sentence, so that the lessons always fit the position."""

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
"""The seat of the player who is taught."""
OTHERS: Final = ("Isotta", "Cosimo", "Bianca")
"""The names of the players in the other seats, which the lessons mention."""
TRIED: Final = ("pick", "gather", "keep", "destroy")
"""The verbs of moves on which the cursor does not start, because the lesson asks the player to move the
cursor there."""
PAUSE: Final = 0.9
"""Seconds before each move of another seat."""


class Script(Struct, frozen=True):
    """All that is decided in advance: the first cards of the deck, the first characters of each round, and
    all moves."""

    deck: tuple[str, ...]
    characters: tuple[tuple[str, ...], ...]
    moves: tuple[str, ...]

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """Return the scripted items first, then the others in their order. Implements `engine.Chance`."""
        purpose, number, *_ = label.split("/")
        first = self.deck if purpose == "districts" else self.characters[int(number) - 1]
        rest = list(items)
        return [rest.pop(rest.index(key)) for key in first] + rest  # type: ignore[arg-type]  # all are keys

    def pick(self, label: str, items: Sequence[T]) -> T:
        """Return the first item, so that the player has the crown in the first round. Implements
        `engine.Chance`."""
        return items[0]


class Lesson(Struct, frozen=True):
    """The texts for one move of the player; `tutorial.toml` describes the fields."""

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
    """Return the content of `tutorial.toml`, which is read only once."""
    return convert(data_file(__package__, "tutorial.toml"), Tutorial)


class TutorialSession(Session):
    """The player's session at the scripted table. It has no host, so requests that need a host are
    rejected."""

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
        """The move that the current lesson asks for; None while other seats move."""
        seat, line = self._next()
        return parse(line, OWN) if seat == OWN else None

    @property
    def pointed(self) -> Action | None:
        """The move on which the cursor starts: the one that the lesson asks for, or another one if the player
        is to move the cursor."""
        taught, moves = self.taught, [choice for choice in self.table.choices if isinstance(choice, Action)]
        if taught is None or taught.verb not in TRIED:
            return taught
        # Otherwise Enter alone would lead through the tutorial, and no lesson would be read.
        return next((move for move in moves if move.verb == taught.verb and move != taught), taught)

    @property
    def _own(self) -> int:
        """How many moves the player has made."""
        return sum(move.startswith("a ") for move in self.script.moves[: self.moved])

    def lesson(self, texts: Texts, keys: Mapping[str, str], *, in_lines: bool) -> str:
        """Return the lesson for the present choice; after the last lesson, the closing text; "" if there is
        none. `keys` has the displayed key or word of each command, by its name."""
        lessons = list(tutorial().lessons.values())
        text = lessons[self._own].text if self.taught is not None else lessons[self._own - 1].then
        how = texts.say(tutorial().how["lines" if in_lines else "screen"])
        return texts.say(text, how=how, **_named(keys)) if text else ""

    def wrong(self, texts: Texts) -> str:
        """Return why the player's last choice was rejected."""
        return texts.say(list(tutorial().lessons.values())[self._own].wrong)

    async def updates(self) -> AsyncIterator[Update]:
        """Yield the updates of the game: the player's moves at once, those of other seats after a pause."""
        while not self.finished or not self._made.empty():
            if self.taught is None and self._made.empty():
                await asyncio.sleep(self.delay)
                self._play()
            yield await self._made.get()

    async def act(self, action: Action) -> None:
        """Make the move `action`. Raises Rejected with the code `not_taught` if the lesson asks for another
        move."""
        if action != self.taught:
            raise Rejected("not_taught")
        self._play()

    async def leave(self) -> None:
        """Does nothing, because a tutorial has no connection to close."""

    def _connected(self) -> NoReturn:
        raise Rejected("tutorial")

    def _next(self) -> tuple[int, str]:
        """Return the seat that moves next, and its scripted move; after the last move, -1 and ""."""
        if self.finished:
            return -1, ""
        seat, _, line = self.script.moves[self.moved].partition(" ")
        return "abcd".index(seat), line

    def _play(self) -> None:
        """Make the next scripted move, and everything that follows without a decision of a seat."""
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
    """Return the title and the text that are shown after the last round."""
    return texts.say(tutorial().finish["title"]), texts.say(tutorial().finish["text"], **_named(keys))
