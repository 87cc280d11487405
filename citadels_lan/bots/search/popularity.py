"""How readily each of the others takes a character, as far as one seat can tell."""

from math import exp
from random import Random
from typing import Final

from citadels_lan.bots.thumb.drafting import appeal
from citadels_lan.bots.thumb.mind import Mind
from citadels_lan.engine.state import State

WARMTH: Final = 1.5
"""So many gold more make a character about three times as likely to be taken."""


class Popularity:
    """The weights of characters by seat, worked out when they are first asked for."""

    def __init__(self, view: State) -> None:
        self._minds = [Mind(view, seat, (), Random(0)) for seat in range(len(view.players))]
        self._known: dict[tuple[int, str], float] = {}

    def __call__(self, view: State, seat: int, character: str) -> float:
        key = (seat, character)
        if key not in self._known:
            self._known[key] = exp(appeal(self._minds[seat], character) / WARMTH)
        return self._known[key]
