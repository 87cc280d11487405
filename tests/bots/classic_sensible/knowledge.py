"""What is known before anything is weighed: the numbers of an edition, who may hold which character, the city that
everybody builds."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Any, Final, TypeAlias, TypeVar

from msgspec import Struct

from citadels_lan.engine import TYPES, Edition, edition_of
from citadels_lan.engine.characters.bonus import BonusRule
from citadels_lan.engine.districts.laboratory import LaboratoryRule
from citadels_lan.engine.districts.smithy import SmithyRule
from citadels_lan.engine.flow.cycles import Cycles, Points
from citadels_lan.engine.flow.draft import picks
from citadels_lan.engine.pieces import NEITHER
from citadels_lan.engine.rules import Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.turn.gathering import GatherRule
from citadels_lan.engine.turn.selling import SellRule
from citadels_lan.engine.turn.shared_city import names, names_wanted

R = TypeVar("R", bound=Rule[Any])


class ClassicAmounts(Struct, frozen=True):
    """`gathered`: gold for gathering. `bonus`: gold that characters get beside it. `laboratory`: gold for a card.
    `smithy`: gold for its cards. `sells`: the bank buys cards."""

    gathered: int
    bonus: dict[str, int]
    laboratory: int
    smithy: int
    sells: bool


def rule_of(rules: Iterable[Rule[Any]], kind: type[R]) -> R | None:
    """The rule of a kind, if there is one."""
    return next((rule for rule in rules if isinstance(rule, kind)), None)


@cache
def amounts(edition: Edition) -> ClassicAmounts:
    """The numbers of an edition."""
    gather = rule_of(edition.rules, GatherRule)
    bonuses = {key: rule_of(ability.rules, BonusRule) for key, ability in edition.abilities.items()}
    laboratory = rule_of(edition.effects.get("laboratory", NEITHER).rules, LaboratoryRule)
    smithy = rule_of(edition.effects.get("smithy", NEITHER).rules, SmithyRule)
    return ClassicAmounts(
        gather.gold if gather else 0,
        {key: rule.gold for key, rule in bonuses.items() if rule},
        laboratory.gold if laboratory else 0,
        smithy.pays if smithy else 0,
        rule_of(edition.rules, SellRule) is not None,
    )


Chances: TypeAlias = dict[str, dict[int, float]]
"""For a character, the chance of each other seat to hold it unrevealed."""

POPULAR: Mapping[str, float] = {
    "assassin": 1.2, "witch": 1.2, "magistrate": 1.1, "thief": 1.1, "blackmailer": 1.1, "magician": 0.9,
    "king": 1.3, "emperor": 1.2, "patrician": 1.2, "abbot": 1.1, "merchant": 1.3, "alchemist": 1.1,
    "trader": 1.2, "architect": 1.5, "navigator": 1.1, "scholar": 1.2, "diplomat": 0.9, "queen": 0.9,
    "artist": 0.9,
}  # fmt: skip
"""How readily people take a character, where it is not as readily as most."""


def open_characters(view: State, seat: int) -> list[str]:
    """The characters that another seat may still hold unrevealed."""
    me = view.players[seat]
    gone = {*view.faceup, *me.concealed, *me.laid}
    for player in view.players:
        gone.update(player.revealed)
    ranks = edition_of(view).ranks
    return [character for character in view.cast if character not in gone and ranks[character] > view.rank]


def holders(view: State, seat: int) -> Chances:
    """For each character that somebody else may hold: the chance of each seat to hold it."""
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
        total = sum(POPULAR.get(c, 1.0) for c in group)
        for character in group:
            share = POPULAR.get(character, 1.0) / total
            most = max(1.0, share * sum(seats.values()))  # a killed player's silence leaves a seat too many
            chances[character] = {other: held * share / most for other, held in seats.items()}
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


PACE: Final = 2.2
"""So many turns pass for each name that comes to stand, as games of bots go."""
NEARNESS: Final = (0.0, 1.0, 0.42, 0.2, 0.1, 0.07)
"""How much of the points for all types the next new type is worth, by how many are lacking."""
LASTS: Final = 1.5
"""So many cycles one more district than the others have is an advantage."""
WINS: Final = 8.0
"""What the victory is worth beside the points."""
REACH: Final = 2
"""Whoever is behind waits with the end if the points of so many cycles can change it."""


class ClassicSharedCity:
    """What the end of the game and of its cycles means to a seat; worked out when it is first asked for."""

    def __init__(self, view: State, seat: int, edition: Edition) -> None:
        self.view = view
        self.seat = seat
        self.edition = edition

    @cached_property
    def left(self) -> int:
        """How many names must still come to stand before the game ends."""
        return max(0, names_wanted(self.view) - len(names(self.view)))

    @cached_property
    def my_turns(self) -> int:
        """A guess at how many turns I still have, this one included."""
        return max(1, round(PACE * self.left / len(self.view.players)))

    @cached_property
    def cycles_left(self) -> float:
        """A guess at how many more times points of a cycle are given."""
        return (PACE * self.left + len(self.view.called)) / len(self.view.cast)

    @cached_property
    def points(self) -> Points | None:
        """What a cycle brings, where there are cycles."""
        flow = self.edition.flow
        return flow.points if isinstance(flow, Cycles) else None

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """Every seat's points if the game ended now, as far as they are public."""
        return tuple(score.total for score in self.edition.scores(self.view))

    @cached_property
    def lead(self) -> int:
        """How many points I am ahead of the best of the others; negative where I am behind."""
        return self.totals[self.seat] - max(self._others(self.totals))

    def _others(self, values: Iterable[int]) -> list[int]:
        return [value for seat, value in enumerate(values) if seat != self.seat]

    @cached_property
    def gains(self) -> bool:
        """Whether a cycle that ended now would bring me nearer to the best of the others."""
        if self.points is None:
            return False
        now = self.points(self.view)
        best = max(self._others(self.totals))
        ahead = [now[seat] for seat, total in enumerate(self.totals) if seat != self.seat and total == best]
        return now[self.seat] > max(ahead)

    @cached_property
    def a_type(self) -> float:
        """What the first district of another type brings me in the cycles to come."""
        if self.points is None:
            return 0.0
        types = Counter(self.edition.types[district.key] for district in self.view.players[self.seat].city)
        lacking = sum(not types[kind] for kind in TYPES)
        return float(self.points.all_types) * self.cycles_left * NEARNESS[lacking]

    @cached_property
    def one_more(self) -> float:
        """What one more district brings me for the most districts, until the others have as many."""
        if self.points is None:
            return 0.0
        sizes = [len(player.city) for player in self.view.players]
        gap = max(self._others(sizes)) - sizes[self.seat]
        near = 0.3 if -1 <= gap <= 1 else 0.15 if abs(gap) <= 3 else 0.05
        return self.points.most * min(LASTS, self.cycles_left) * near

    def finishing(self, cards: Iterable[str]) -> float:
        """What ending the game with these cards is worth: the victory, or what would come after it; nothing if
        they do not end it."""
        new = set(cards) - names(self.view)
        if not self.left or len(new) < self.left:
            return 0.0
        lead = self.lead + sum(self.edition.costs[card] for card in new)
        if lead >= 0:
            return WINS
        return -WINS if self.gains and -lead <= REACH * self.most_of_a_cycle else 0.0

    @cached_property
    def most_of_a_cycle(self) -> int:
        """The most that a cycle can bring."""
        return self.points.all_types + self.points.most if self.points else 0
