"""What is to be known while nothing is asked: what has befallen one, who is still to come and who it could be."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from citadels_lan.engine import HIDDEN, State, edition_of
from citadels_lan.front.common_city import before, shared
from citadels_lan.front.fate import POWERLESS, fates, heals
from citadels_lan.front.guess import possible
from citadels_lan.front.log import Log, fate
from citadels_lan.front.told.entries import Line
from citadels_lan.texts import Texts, msg, msg_in
from citadels_lan.texts.cards import summary

NOBODY: Final = msg_in("character", "nobody")


@dataclass(frozen=True)
class Outlook:
    """One player's; `story` is the log so far, and `recap` what others did since this player's last turn."""

    texts: Texts
    view: State
    seat: int
    names: Sequence[str]
    story: Log
    recap: Sequence[Line] = ()

    def lines(self) -> list[Line]:
        """All of it, the most important first."""
        if shared(self.view):
            known = [*self._in_line(), *self._in_deck()]
        else:
            known = [*self._befallen(), *self._to_come()]
        since = [line for line in self.recap if line not in known]
        return [*known, *([self._line(self.texts.say(msg("Since your last turn:")))] if since else []), *since]

    def _line(self, said: str) -> Line:
        return Line("event", said)

    def _befallen(self) -> list[Line]:
        """What lies on the own characters, and what those can do that still can."""
        texts, marks = self.texts, fates(self.view, self.seat)
        healed = heals(self.view, self.seat)
        told = [self.story.line(texts, fate(mark, healed=healed)) for mark in marks]
        powerless = {mark.character for mark in marks if mark.kind in POWERLESS}
        own = self.view.players[self.seat].concealed
        able = [key for key in own if key != HIDDEN and key not in powerless]
        does = [f"{texts.character(key)}: {summary(texts, edition_of(self.view), key)}" for key in able]
        return [*filter(None, told), *map(self._line, does)]

    def _to_come(self) -> list[Line]:
        """The characters that are still to be called, each with those who could be it."""
        texts, ranks = self.texts, edition_of(self.view).ranks
        names = {
            key: texts.alternatives([self._called(seat) for seat in seats])
            for key, seats in coming(self.view, self.seat)
        }
        lines = [f"{ranks[key]} {texts.character(key)}: {who or texts.say(NOBODY)}" for key, who in names.items()]
        return list(map(self._line, [texts.say(msg("Still to be called:")), *lines] if lines else ()))

    def _called(self, seat: int) -> str:
        """The name of a seat, or that it is the own one."""
        return self.texts.say(msg("you")) if seat == self.seat else self.names[seat]

    def _in_line(self) -> list[Line]:
        """When the own turn comes, where everybody calls a character in turn."""
        names = [self.names[other] for other in before(self.view, self.seat)]
        if self.view.phase != "turns" or not names:
            return []
        said = self.texts.plural(
            "{count} turn before yours: {names}",
            "{count} turns before yours: {names}",
            len(names),
            names=", ".join(names),
        )
        return [self._line(said)]

    def _in_deck(self) -> list[Line]:
        """The characters that nobody has called yet, where they are called off a deck."""
        left = [self.texts.character(key) for key in self.view.cast if key not in self.view.called]
        said = self.texts.say(msg("Still in the deck ({count}):"), count=len(left))
        return [self._line(f"{said} {', '.join(left)}")] if left else []


def coming(view: State, seat: int) -> Sequence[tuple[str, Sequence[int]]]:
    """The characters after the one that is called now, by rank, each with the seats that could hold it."""
    if view.phase != "turns":
        return ()
    ranks, others, own = edition_of(view).ranks, possible(view, seat), view.players[seat].concealed
    later = sorted((key for key in view.cast if ranks[key] > view.rank), key=ranks.__getitem__)
    return [
        (key, [seat] if key in own else [one for one, keys in others.items() if key in keys])
        for key in later
        if key not in view.faceup
    ]
