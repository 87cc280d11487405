"""The guide at a table: it remembers the lessons that were met and shown, and chooses the hints for now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from citadels_lan.engine import Event
from citadels_lan.engine import events as ev
from citadels_lan.texts import Texts

from .advice import barred, happened, now, possible, progress_sentence
from .lessons import Glance, Lesson, about, tutorial, values

CHARACTER: Final = "character "
"""Before a character's key: the idea of what it is good for."""
RECENT: Final = 40
"""Events in which the last one worth a sentence is looked for."""
Kind = Literal["idea", "happened", "now", "may", "barred", "far"]


@dataclass(frozen=True)
class Hint:
    """A sentence of the guide, and what it is about."""

    kind: Kind
    text: str


class Guide:
    """The state of the tutorial. `on`: it shows hints. `shown` are the lessons to show now, at most `room`; `told`
    those that a front end has shown, each once. `asked` are waiting lessons about the question, and `met` waiting
    lessons about events."""

    def __init__(self, *, on: bool = False, room: int = 1) -> None:
        self.on = on
        self.room = room
        self.told: list[str] = []
        self.shown: list[str] = []
        self.asked: list[str] = []
        self.met: list[str] = []
        self._recent: list[Event] = []

    @property
    def waiting(self) -> int:
        """The number of lessons that wait."""
        return len(self.asked) + len(self.met)

    def note(self, events: Sequence[Event], glance: Glance, *, own: bool = False) -> None:
        """Take events; `own`: this player's move caused them, so the shown lessons were read. Waiting lessons
        about the answered question return with the next one like it. During other turns the player cannot answer,
        so each turn brings the next lessons. Passing lessons come first."""
        if not self.on:
            return
        if own:
            self.asked, self._recent = [], []
        self._recent = [*self._recent, *events][-RECENT:]
        self._drop_outdated(glance)
        found = {key for event in events for key in _seen(event, glance) if not _outdated(key, glance)}
        known = {*self.told, *self.met, *self.shown}
        self.met = sorted(
            [*self.met, *sorted(found - known, key=_place)], key=lambda key: not _lesson(key).passing
        )
        if own or (self.met and any(isinstance(event, ev.TurnBegan) for event in events)):
            self._clear(keep=())
        self._show()
        if own:
            self.ask(glance)

    def ask(self, glance: Glance) -> None:
        """A question is put: what it is about comes before what was met."""
        if not self.on or not glance.choices:
            return
        about_it = [key for key, lesson in tutorial().lessons.items() if lesson.met_in_question(glance)]
        self._clear(keep=about_it)
        self.asked = [key for key in about_it if key not in (*self.told, *self.shown)]
        self.met = [key for key in self.met if key not in self.asked]
        self._show()

    def tell(self) -> None:
        """Mark the shown lessons as told: a front end has drawn or printed them."""
        self.told += [key for key in self.shown if key not in self.told]

    def understood(self) -> bool:
        """The person has read what is shown: on to what waits; whether there was anything."""
        had = bool(self.shown)
        self.tell()
        self.shown = []
        self._show()
        return had

    def switch(self) -> None:
        """On or off; what happened meanwhile is not explained later."""
        self.on = not self.on
        self.shown, self.asked, self.met, self._recent = [], [], [], []

    def hints(self, texts: Texts, glance: Glance) -> Iterator[Hint]:
        """The hints for now, the most useful first."""
        if not self.on:
            return
        self._drop_outdated(glance)
        ideas = [Hint("idea", explained(texts, glance, key)) for key in self.shown]
        yield from ideas[:1]
        for said in now(texts, glance):
            yield Hint("now", said)
        for said in possible(texts, glance):
            yield Hint("may", said)
        if why := barred(texts, glance):
            yield Hint("barred", why)
        if said := happened(texts, glance, self._recent):
            yield Hint("happened", said)
        yield from ideas[1:]
        if said := progress_sentence(texts, glance):
            yield Hint("far", said)

    def _drop_outdated(self, glance: Glance) -> None:
        """Leave out what is no longer true; what waits comes in the place of what was shown."""
        before = len(self.shown)
        for keys in (self.shown, self.asked, self.met):
            keys[:] = [key for key in keys if not _outdated(key, glance)]
        if len(self.shown) < before:
            self._show()

    def _clear(self, keep: Sequence[str]) -> None:
        """Make room; lessons that the player could not read wait again."""
        gone = [key for key in self.shown if key not in keep]
        self.shown = [key for key in self.shown if key in keep]
        self.met = [*(key for key in gone if key not in self.told), *self.met]

    def _show(self) -> None:
        """As many of those that wait as there is room for."""
        while self.waiting and len(self.shown) < self.room:
            self.shown.append((self.asked or self.met).pop(0))


def explained(texts: Texts, glance: Glance, key: str) -> str:
    """A lesson in words that are true now; empty if it is outdated."""
    if key.startswith(CHARACTER):
        return about(texts, glance, key.removeprefix(CHARACTER))
    return texts.say(tutorial().lessons[key].now(glance) or "", **values(texts, glance))


def _place(key: str) -> int:
    """The place of a lesson in the order; characters come last."""
    places = list(tutorial().lessons)
    return places.index(key) if key in places else len(places)


def _lesson(key: str) -> Lesson:
    """The lesson of a key; for a character, one that stays true."""
    return tutorial().lessons.get(key, Lesson(""))


def _outdated(key: str, glance: Glance) -> bool:
    return _lesson(key).now(glance) is None


def _seen(event: Event, glance: Glance) -> Iterator[str]:
    """The lessons that an event is the first example of."""
    yield from (key for key, lesson in tutorial().lessons.items() if lesson.met_in_event(event, glance))
    if isinstance(event, ev.TurnBegan) or (isinstance(event, ev.Picked) and event.seat == glance.seat):
        yield f"{CHARACTER}{event.character}"
