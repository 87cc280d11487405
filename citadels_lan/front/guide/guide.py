"""The guide at a table: it remembers which ideas have been met and told, and says what counts now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from citadels_lan.engine import Event
from citadels_lan.engine import events as ev
from citadels_lan.texts import Texts

from .characters import about
from .glance import Glance, values
from .happened import happened
from .ideas import IDEAS
from .now import barred, now, possible
from .standing import far

CHARACTER: Final = "character "
"""Before a character's key: the idea of what it is good for."""
PLACES: Final = {key: number for number, key in enumerate(IDEAS)}
RECENT: Final = 40
"""Events in which the last one worth a sentence is looked for."""
Kind = Literal["idea", "happened", "now", "may", "barred", "far"]


@dataclass(frozen=True)
class Hint:
    """A sentence of the guide, and what it is about."""

    kind: Kind
    text: str


class Guide:
    """`on`: whether it says anything. `shown` are those to be told now, as many as there is `room` for,
    and `told` those that a front end has told, each once. `asked` are those of the question that wait, and `met`
    those that were met in what has happened."""

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
        """How many ideas wait to be told."""
        return len(self.asked) + len(self.met)

    def note(self, events: Sequence[Event], glance: Glance, *, own: bool = False) -> None:
        """Something has happened; `own`: by this person's own move, who has then read what was shown. What waits
        of a question that is answered comes when it is asked again. Nobody answers for long while others play, so
        with each turn the next ideas follow. Of what was met, passing ideas come first."""
        if not self.on:
            return
        if own:
            self.asked, self._recent = [], []
        self._recent = [*self._recent, *events][-RECENT:]
        self._drop_outdated(glance)
        found = {key for event in events for key in _seen(event, glance) if not _outdated(key, glance)}
        known = {*self.told, *self.met, *self.shown}
        self.met = sorted([*self.met, *sorted(found - known, key=_place)], key=lambda key: not _passing(key))
        if own or (self.met and any(isinstance(event, ev.TurnBegan) for event in events)):
            self._clear(keep=())
        self._show()
        if own:
            self.ask(glance)

    def ask(self, glance: Glance) -> None:
        """A question is put: what it is about comes before what was met."""
        if not self.on or not glance.choices:
            return
        about_it = [key for key, idea in IDEAS.items() if idea.asked is not None and idea.asked(glance)]
        self._clear(keep=about_it)
        self.asked = [key for key in about_it if key not in (*self.told, *self.shown)]
        self.met = [key for key in self.met if key not in self.asked]
        self._show()

    def tell(self) -> None:
        """What is shown has been told: drawn, or printed."""
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
        """What to say now, the most useful first."""
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
        if said := far(texts, glance):
            yield Hint("far", said)

    def _drop_outdated(self, glance: Glance) -> None:
        """Leave out what is no longer true; what waits comes in the place of what was shown."""
        before = len(self.shown)
        for keys in (self.shown, self.asked, self.met):
            keys[:] = [key for key in keys if not _outdated(key, glance)]
        if len(self.shown) < before:
            self._show()

    def _clear(self, keep: Sequence[str]) -> None:
        """Make room; what nobody could read yet waits again."""
        gone = [key for key in self.shown if key not in keep]
        self.shown = [key for key in self.shown if key in keep]
        self.met = [*(key for key in gone if key not in self.told), *self.met]

    def _show(self) -> None:
        """As many of those that wait as there is room for."""
        while self.waiting and len(self.shown) < self.room:
            self.shown.append((self.asked or self.met).pop(0))


def explained(texts: Texts, glance: Glance, key: str) -> str:
    """An idea in words that are true now; empty where it is outdated."""
    if key.startswith(CHARACTER):
        return about(texts, glance, key.removeprefix(CHARACTER))
    return texts.say(IDEAS[key].now(glance) or "", **values(texts, glance))


def _place(key: str) -> int:
    """Where an idea stands in the order; characters come last."""
    return PLACES.get(key, len(PLACES))


def _outdated(key: str, glance: Glance) -> bool:
    return key in IDEAS and IDEAS[key].now(glance) is None


def _passing(key: str) -> bool:
    return key in IDEAS and IDEAS[key].passing


def _seen(event: Event, glance: Glance) -> Iterator[str]:
    """The ideas that an event is the first example of."""
    for key, idea in IDEAS.items():
        if idea.seen is not None and idea.seen(event, glance):
            yield key
    if isinstance(event, ev.TurnBegan) or (isinstance(event, ev.Picked) and event.seat == glance.seat):
        yield f"{CHARACTER}{event.character}"
