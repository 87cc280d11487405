"""Who could hold which character, or call it, as far as one seat can tell.

What a player knows: the characters face up, its own, those called already, and the packet it chose from. Whatever
was not in the packet was taken by somebody before it or lies face down; the rest went on to those after it.
"""

from collections import Counter
from collections.abc import Mapping
from math import exp
from typing import TypeAlias

from citadels_lan.engine import edition_of
from citadels_lan.engine.flow.cycles import Cycles
from citadels_lan.engine.flow.draft import picks
from citadels_lan.engine.state import State
from citadels_lan.engine.turn.cities import paying_districts

Chances: TypeAlias = dict[str, dict[int, float]]
"""For a character, the chance of each other seat to hold it unrevealed."""

POPULAR: Mapping[str, float] = {
    "assassin": 1.2, "witch": 1.2, "magistrate": 1.1, "thief": 1.1, "blackmailer": 1.1, "magician": 0.9,
    "king": 1.3, "emperor": 1.2, "patrician": 1.2, "abbot": 1.1, "merchant": 1.3, "alchemist": 1.1,
    "trader": 1.2, "architect": 1.5, "navigator": 1.1, "scholar": 1.2, "diplomat": 0.9, "queen": 0.9,
    "artist": 0.9,
}  # fmt: skip
"""How readily people take a character, where it is not as readily as most."""


def liking(view: State, seat: int, character: str, greed: float) -> float:
    """How readily a seat takes a character: more by `greed`, as a logarithm, for each district it pays for."""
    wanted = edition_of(view).characters[character].income if greed else None
    return POPULAR.get(character, 1.0) * (exp(greed * paying_districts(view, seat, wanted)) if wanted else 1.0)


def open_characters(view: State, seat: int) -> list[str]:
    """The characters that another seat may still hold unrevealed."""
    me = view.players[seat]
    gone = {*view.faceup, *me.concealed, *me.laid}
    for player in view.players:
        gone.update(player.revealed)
    ranks = edition_of(view).ranks
    return [character for character in view.cast if character not in gone and ranks[character] > view.rank]


def holders(view: State, seat: int, greed: float = 0.0) -> Chances:
    """For each character that somebody else may hold: the chance of each seat to hold it.
    `greed` is that of everybody (`liking`)."""
    if isinstance(edition_of(view).flow, Cycles):
        return callers(view, seat)
    characters = open_characters(view, seat)
    early, late = _sides(view, seat)
    seen = view.players[seat].seen
    passed_on = seen[-1] if seen else characters
    chances: Chances = {}
    for seats, group in (
        (early, [c for c in characters if c not in passed_on]),
        (late, [c for c in characters if c in passed_on]),
    ):
        likings = {other: {c: liking(view, other, c, greed) for c in group} for other in seats}
        totals = {other: sum(liked.values()) for other, liked in likings.items()}
        for character in group:
            parts = {other: held * (likings[other][character] / totals[other]) for other, held in seats.items()}
            most = max(1.0, sum(parts.values()))  # a killed player's silence leaves a seat too many
            chances[character] = {other: part / most for other, part in parts.items()}
    return chances


def callers(view: State, seat: int) -> Chances:
    """For each character not called in this cycle: the chance of each other seat to call it. Each of them is as
    likely to be the next one, the one after that, and so on, clockwise."""
    players = len(view.players)
    left = [character for character in view.cast if character not in view.called]
    last = seat if view.caller is None else view.caller
    calls = Counter((last + step) % players for step in range(1, len(left) + 1))
    del calls[seat]
    return {character: {other: times / len(left) for other, times in calls.items()} for character in left}


def _sides(view: State, seat: int) -> tuple[dict[int, int], dict[int, int]]:
    """How many unrevealed characters each other seat took before this seat's last packet, and after it."""
    players = len(view.players)
    first = _first_to_pick(view, seat)
    order = [((first or 0) + step) % players for step in picks(players)]
    mine = [index for index, picker in enumerate(order) if picker == seat]
    looked = len(view.players[seat].seen)
    last = mine[min(looked, len(mine)) - 1] if looked else -1
    early: dict[int, int] = {}
    late: dict[int, int] = {}
    for index, picker in enumerate(order):
        held = len(view.players[picker].concealed)
        if picker == seat or not held:
            continue
        # The last player of a full table also had the first face-down character to choose from (R018).
        either = first is None or (full_table(view) and index == players - 1)
        for side in (early, late) if either else (early,) if index < last else (late,):
            side[picker] = min(side.get(picker, 0) + 1, held)
    return early, late


def _first_to_pick(view: State, seat: int) -> int | None:
    """Who had the crown in this round's draft; None where this seat cannot tell any more.

    The crown stays until rank 4 is called. After that the size of the first packet says how many had picked
    before; only the last two players of a full table see equally many cards.
    """
    seen = view.players[seat].seen
    if view.rank < 4 or not seen:
        return view.crown
    players, size = len(view.players), len(seen[0])
    if size == 2 and full_table(view):
        return None
    before = max(0, len(view.cast) - len(view.faceup) - 1 - size)  # where none lay face down (R346), the first
    return (seat - before) % players


def full_table(view: State) -> bool:
    """Whether there is just one character more than there are players."""
    return len(view.players) == len(view.cast) - 1
