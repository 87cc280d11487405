"""The lessons of the tutorial, and the view of the table that they need.

Their texts and conditions are in `lessons.toml`; here they are evaluated.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct, convert

from citadels_lan.engine import Choice, Edition, Event, State, edition_of
from citadels_lan.engine import events as ev
from citadels_lan.engine.cards import TYPES
from citadels_lan.engine.turn.cities import goal, size
from citadels_lan.front.attacks import clears, public_effects
from citadels_lan.front.city_view import shared
from citadels_lan.texts import Plural, Texts, msg
from citadels_lan.texts.cards import summary
from citadels_lan.texts.tables import data_file

NO_KEYS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True)
class Glance:
    """The table as the tutorial sees it. `seat` is None for a spectator; `choices` are empty if the seat has no
    decision. `keys` has the key or word of a command by its name; `lines`: the player uses line mode; `advised`: a
    bot may be asked."""

    view: State
    seat: int | None
    names: Sequence[str]
    choices: Sequence[Choice] = ()
    keys: Mapping[str, str] = field(default_factory=lambda: NO_KEYS)
    lines: bool = False
    advised: bool = True

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return edition_of(self.view)

    @property
    def verbs(self) -> Sequence[str]:
        """The possible verbs, each once, in the order of the list."""
        return tuple(dict.fromkeys(choice.verb for choice in self.choices))

    @property
    def step(self) -> str:
        """The verb that answers what is asked of this seat; empty where that is a turn, or nothing."""
        return self.view.steps[-1].verb if self.choices and self.view.steps else ""

    @property
    def hand(self) -> Sequence[str]:
        """The own cards."""
        return () if self.seat is None else self.view.players[self.seat].hand

    @property
    def held(self) -> Sequence[str]:
        """The own characters that are not revealed."""
        return () if self.seat is None else self.view.players[self.seat].concealed

    def paying(self) -> Sequence[str]:
        """The characters of this table that are paid for districts of a type."""
        cards = self.edition.characters
        return [key for key in self.view.cast if cards[key].income is not None]

    def ahead(self) -> int:
        """The seat whose city is nearest to complete."""
        return max(range(len(self.view.players)), key=lambda seat: size(self.view, seat))


def values(texts: Texts, glance: Glance) -> Mapping[str, Any]:
    """The values for the sentences of the tutorial."""
    view, cards = glance.view, glance.edition.characters
    four = [key for key in view.cast if cards[key].rank == 4]
    paid = [f"{texts.the(key)} ({texts.type(cards[key].income or '')})" for key in glance.paying()]
    ahead = glance.ahead()
    return {
        "goal": goal(view) or 0,
        "crown": _named(texts, glance, view.crown),
        "four": texts.the(four[0]) if four else "",
        "paid": texts.listing(paid),
        "out": texts.characters(view.faceup),
        "types": ", ".join(f"{texts.letter(kind)} {texts.type(kind)}" for kind in TYPES),
        "ahead": _named(texts, glance, ahead),
        "size": size(view, ahead),
        **{name: glance.keys.get(name, "") for name in ("end", "explain", "cast", "guide", "hint", "who")},
    }


def _named(texts: Texts, glance: Glance, seat: int) -> str:
    return texts.say(msg("you")) if seat == glance.seat else glance.names[seat]


# Conditions


def _is_marked(kind: str) -> Callable[[Glance], bool]:
    """Whether such a marker of another player counts against an own character that has not been called yet."""

    def marked(glance: Glance) -> bool:
        spared = kind == "killed" and glance.seat is not None and clears(glance.view, glance.seat)
        marks = public_effects(glance.view, glance.seat)
        return not spared and any((mark.kind, mark.by == glance.seat) == (kind, False) for mark in marks)

    return marked


def _is_near(glance: Glance) -> bool:
    """Whether a city lacks two districts at most."""
    wanted = goal(glance.view)
    return not glance.view.last_round and wanted is not None and size(glance.view, glance.ahead()) >= wanted - 2


def _is_short(glance: Glance) -> bool:
    """Whether the player has gathered and can pay for nothing in hand."""
    turn = glance.view.turn
    done = turn is not None and turn.seat == glance.seat and turn.gathered and not turn.builds and not turn.bound
    can_end = "end" in glance.verbs and not glance.view.last_round
    return bool(done and can_end and glance.hand and "build" not in glance.verbs)


def _sees_unique(glance: Glance) -> bool:
    """Whether a unique district is in hand, or among the cards to keep."""
    step = glance.view.steps[-1].cards if glance.step == "keep" else ()
    return any(glance.edition.types.get(card) == "unique" for card in (*glance.hand, *step))


CONDITIONS: Final[Mapping[str, Callable[[Glance], bool]]] = {
    "any": lambda _: True,
    "own_city": lambda glance: not shared(glance.view),
    "common_city": lambda glance: shared(glance.view),
    "paying": lambda glance: bool(glance.paying()),
    "more_rounds": lambda glance: not glance.view.last_round,
    "playing": lambda glance: glance.view.phase != "over",
    "discarded": lambda glance: "pick" in glance.verbs and bool(glance.view.faceup),
    "near": _is_near,
    "short": _is_short,
    "unique_card": _sees_unique,
    "killed_me": _is_marked("killed"),
    "robbed_me": _is_marked("robbed"),
    "screens": lambda glance: not glance.lines,
    "lines": lambda glance: glance.lines,
    "advised": lambda glance: glance.advised,
}
"""What a lesson may ask of the table, by the names in `lessons.toml`."""


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson of the tutorial, as `lessons.toml` explains it."""

    text: str
    after: str | None = None
    verbs: frozenset[str] = frozenset()
    asked: tuple[str, ...] = ()
    events: frozenset[str] = frozenset()
    fields: dict[str, str | int] = {}
    when: tuple[str, ...] = ()
    timely: str = "any"

    def met_in_question(self, glance: Glance) -> bool:
        """Whether the question that is open is about it."""
        offered = not self.verbs or not self.verbs.isdisjoint(glance.verbs)
        return bool(self.verbs or self.asked) and offered and _hold(glance, *self.asked, *self.when)

    def met_in_event(self, event: Event, glance: Glance) -> bool:
        """Whether an event is an example of it."""
        return (
            type(event).__name__ in self.events
            and all(_value(event, name, glance) == value for name, value in self.fields.items())
            and _hold(glance, *self.when)
        )

    def now(self, glance: Glance) -> str | None:
        """The text that is true now; None if the lesson is outdated."""
        return self.text if _hold(glance, self.timely) else self.after

    @property
    def passing(self) -> bool:
        """Whether the lesson becomes outdated and no question brings it: such lessons come first."""
        return self.timely != "any" and not (self.verbs or self.asked)


def _hold(glance: Glance, *conditions: str) -> bool:
    return all(CONDITIONS[name](glance) for name in conditions)


def _value(event: Event, name: str, glance: Glance) -> object:
    """A field of an event, or the type of the district that was built."""
    if name == "type":
        return glance.edition.types[event.card] if isinstance(event, ev.Built) else None
    return getattr(event, name)


class Lessons(Struct, frozen=True):
    """All texts of the tutorial by their keys, see `lessons.toml`, in order of priority."""

    lessons: dict[str, Lesson]
    characters: dict[str, str]
    abilities: dict[str, str]
    free: dict[str, str]
    advice: dict[str, str | Plural]


@cache
def tutorial() -> Lessons:
    """The texts of the tutorial, read once."""
    return convert(data_file(__package__, "lessons.toml"), Lessons)


def about(texts: Texts, glance: Glance, character: str) -> str:
    """Explain a character to a player who has never seen it: what it is good for, or the summary of its card."""
    the = texts.the(character)
    the = the[:1].upper() + the[1:]
    good_for = tutorial().characters.get(character)
    if good_for is not None and not shared(glance.view):
        return texts.say(good_for, the=the)
    return f"{the}: {summary(texts, glance.edition, character)}"
