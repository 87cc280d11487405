"""What the guide looks at: the table as one seat sees it, and what that seat is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from citadels_lan.engine import Choice, Edition, State, edition_of
from citadels_lan.engine.cards import TYPES
from citadels_lan.engine.turn.cities import goal, size
from citadels_lan.front.common_city import shared
from citadels_lan.texts import Texts, msg

NO_KEYS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True)
class Glance:
    """`seat` is None for somebody who watches; `choices` are empty where nothing is asked of it. `keys` tells how
    a command is called here, by its name in the keymap; `lines`: the game is played in lines; `advised`: a bot may
    be asked."""

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
        """What may be done, each word once, in the order in which it is listed."""
        return tuple(dict.fromkeys(choice.verb for choice in self.choices))

    @property
    def step(self) -> str:
        """The verb that answers what is asked of this seat; empty where that is a turn, or nothing."""
        return self.view.steps[-1].verb if self.choices and self.view.steps else ""

    @property
    def common(self) -> bool:
        """Whether all build one city together."""
        return shared(self.view)

    @property
    def hand(self) -> Sequence[str]:
        """The own cards."""
        return () if self.seat is None else self.view.players[self.seat].hand

    @property
    def held(self) -> Sequence[str]:
        """The own characters that nobody has seen yet."""
        return () if self.seat is None else self.view.players[self.seat].concealed

    def paying(self) -> Sequence[str]:
        """The characters of this table that are paid for districts of a type."""
        cards = self.edition.characters
        return [key for key in self.view.cast if cards[key].income is not None]

    def ahead(self) -> int:
        """The seat whose city is nearest to complete."""
        return max(range(len(self.view.players)), key=lambda seat: size(self.view, seat))


def values(texts: Texts, glance: Glance) -> Mapping[str, Any]:
    """What the sentences of the guide may name."""
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
