"""The values that a heuristic bot derives from its view: holders of characters, prices, the shared city.

A player knows the face-up characters, its own, those already called, and the packet that it chose from. A
character that was not in that packet was taken by an earlier player or lies face down. The other characters
of the packet went to later players.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import exp
from random import Random
from typing import Final, TypeAlias

from citadels_lan.bots.heuristics.values import PLAIN, Taste, amounts, once
from citadels_lan.engine import HIDDEN, TYPES, DistrictType, Edition, edition_of, other_seats
from citadels_lan.engine.characters.tax_collector import TaxCollectorOfTurns
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.flow.cycles import ALL_TYPES as ALL_IN_CYCLE
from citadels_lan.engine.flow.cycles import MOST_DISTRICTS, Cycles, cycle_points
from citadels_lan.engine.flow.draft import picks
from citadels_lan.engine.pieces import Unique
from citadels_lan.engine.scoring import ALL_TYPES
from citadels_lan.engine.state import Player, State, is_killed, user_of
from citadels_lan.engine.turn.building import may_duplicate
from citadels_lan.engine.turn.cities import paying_districts, size, uniques
from citadels_lan.engine.turn.shared_city import names, names_wanted

Chances: TypeAlias = dict[str, dict[int, float]]
"""For each character, the probability of each other seat to hold it unrevealed."""

POPULAR: Mapping[str, float] = {
    "assassin": 1.2, "witch": 1.2, "magistrate": 1.1, "thief": 1.1, "blackmailer": 1.1, "magician": 0.9,
    "king": 1.3, "emperor": 1.2, "patrician": 1.2, "abbot": 1.1, "merchant": 1.3, "alchemist": 1.1,
    "trader": 1.2, "architect": 1.5, "navigator": 1.1, "scholar": 1.2, "diplomat": 0.9, "queen": 0.9,
    "artist": 0.9,
}  # fmt: skip
"""How often people pick a character, compared with others. A character that is not listed has 1."""


def liking(view: State, seat: int, character: str, greed: float) -> float:
    """Return how likely `seat` is to pick a character, compared with others. Each of its districts that pays
    for the character adds `greed` to the logarithm."""
    kind = edition_of(view).characters[character].income if greed else None
    return POPULAR.get(character, 1.0) * (exp(greed * paying_districts(view, seat, kind)) if kind else 1.0)


def open_characters(view: State, seat: int) -> list[str]:
    """Return the characters that another seat may still hold unrevealed."""
    me = view.players[seat]
    gone = {*view.faceup, *me.concealed, *me.laid}
    for player in view.players:
        gone.update(player.revealed)
    ranks = edition_of(view).ranks
    return [character for character in view.cast if character not in gone and ranks[character] > view.rank]


def holders(view: State, seat: int, greed: float) -> Chances:
    """Return, for each character that another seat may hold, the probability of each seat to hold it. `greed`
    is explained at `liking`."""
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
            # A killed player stays silent, so the parts may add up to more than one.
            most = max(1.0, sum(parts.values()))
            chances[character] = {other: part / most for other, part in parts.items()}
    return chances


def callers(view: State, seat: int) -> Chances:
    """Return, for each character not called in this cycle, the probability of each other seat to be the one
    that calls it. The next calls go clockwise, and each call is equally likely to have each of these
    characters."""
    players = len(view.players)
    remaining = [character for character in view.cast if character not in view.called]
    last = seat if view.caller is None else view.caller
    calls = Counter((last + step) % players for step in range(1, len(remaining) + 1))
    del calls[seat]
    return {
        character: {other: times / len(remaining) for other, times in calls.items()} for character in remaining
    }


def _sides(view: State, seat: int) -> tuple[dict[int, int], dict[int, int]]:
    """Return two counts by other seat: how many of its unrevealed characters it picked before the last packet
    of `seat`, and how many afterwards. If that is uncertain, a character counts in both."""
    players = len(view.players)
    seen = view.players[seat].seen
    # The last two players of a full table see equally many characters.
    unsure = view.rank >= 4 and bool(seen) and len(seen[0]) == 2 and full_table(view)
    first = 0 if unsure else first_to_pick(view, seat)
    order = [(first + step) % players for step in picks(players)]
    mine = [index for index, picker in enumerate(order) if picker == seat]
    last = mine[min(len(seen), len(mine)) - 1] if seen else -1
    early: dict[int, int] = {}
    late: dict[int, int] = {}
    for index, picker in enumerate(order):
        held = len(view.players[picker].concealed)
        if picker == seat or not held:
            continue
        # The last player of a full table also had the first face-down character to choose from (R018).
        either = unsure or (full_table(view) and index == players - 1)
        for side in (early, late) if either else (early,) if index < last else (late,):
            side[picker] = min(side.get(picker, 0) + 1, held)
    return early, late


def first_to_pick(view: State, seat: int) -> int:
    """Return which seat had the crown during this round's draft, as far as `seat` can tell.

    Until rank 4 is called, it still has the crown. Afterwards the size of the first packet that `seat`
    received tells how many players picked before. If there is one more character than players, the packets of
    the last two players have the same size; then `seat` counts as the earlier of the two.
    """
    seen = view.players[seat].seen
    if view.rank < 4 or not seen:
        return view.crown
    # If no character was dealt face down (R346), the first player sees one more, and the difference is negative.
    before = max(0, len(view.cast) - len(view.faceup) - 1 - len(seen[0]))
    return (seat - before) % len(view.players)


def full_table(view: State) -> bool:
    """Return whether there is exactly one more character than players."""
    return len(view.players) == len(view.cast) - 1


PACE: Final = 2.2
"""In games of bots, how many turns pass until one more district name is built in the shared city."""
NEARNESS: Final = (0.0, 1.0, 0.42, 0.2, 0.1, 0.07)
"""The part of the points for all types that one more type is worth, by the number of types that the city
lacks."""
LASTS: Final = 1.5
"""For how many cycles a district more than the others is expected to remain an advantage."""
WINS: Final = 8.0
"""The value of winning the game, in points."""
REACH: Final = 2
"""A player who is behind delays the end of the game if the points of this many cycles can make up the
difference."""


class SharedCity:
    """The values that `seat` can expect of the coming cycles and of the end of a game of Città Comune. Each
    value is computed when it is first used."""

    def __init__(self, view: State, seat: int, edition: Edition) -> None:
        self.view = view
        self.seat = seat
        self.edition = edition

    @once
    def left(self) -> int:
        """How many more district names must be built to end the game."""
        return max(0, names_wanted(self.view) - len(names(self.view)))

    @once
    def cycles_left(self) -> float:
        """An estimate of how many more cycles the game has."""
        return (PACE * self.left + len(self.view.called)) / len(self.view.cast)

    @once
    def totals(self) -> tuple[int, ...]:
        """The points that each seat would have if the game ended now, judged by public information."""
        return tuple(score.total for score in self.edition.scores(self.view))

    @once
    def lead(self) -> int:
        """How many points this seat has more than the best other seat. Negative if it is behind."""
        return self.totals[self.seat] - max(self._others(self.totals))

    def _others(self, values: Iterable[int]) -> list[int]:
        return [value for seat, value in enumerate(values) if seat != self.seat]

    @once
    def gains(self) -> bool:
        """Whether this seat would get more points than the best other seats if the cycle ended now."""
        now = cycle_points(self.view)
        best = max(self._others(self.totals))
        ahead = [now[seat] for seat, total in enumerate(self.totals) if seat != self.seat and total == best]
        return now[self.seat] > max(ahead)

    @once
    def a_type(self) -> float:
        """The value, in points, of a first district of a type that this seat lacks, over the coming
        cycles."""
        types = Counter(self.edition.types[district.key] for district in self.view.players[self.seat].city)
        lacking = sum(not types[kind] for kind in TYPES)
        return float(ALL_IN_CYCLE) * self.cycles_left * NEARNESS[lacking]

    @once
    def one_more(self) -> float:
        """The value, in points, that one more district has for the cycles' points for most districts."""
        sizes = [len(player.city) for player in self.view.players]
        gap = max(self._others(sizes)) - sizes[self.seat]
        near = 0.3 if -1 <= gap <= 1 else 0.15 if abs(gap) <= 3 else 0.05
        return MOST_DISTRICTS * min(LASTS, self.cycles_left) * near

    def finishing(self, cards: Iterable[str]) -> float:
        """Return the value, in points, of ending the game by building `cards`. WINS: this seat then wins.
        -WINS: it is behind, but could catch up if the game continued. 0: otherwise, and if these cards do not
        end the game."""
        new = set(cards) - names(self.view)
        if not self.left or len(new) < self.left:
            return 0.0
        lead = self.lead + sum(self.edition.costs[card] for card in new)
        if lead >= 0:
            return WINS
        most = ALL_IN_CYCLE + MOST_DISTRICTS
        return -WINS if self.gains and -lead <= REACH * most else 0.0


FAR = 99
"""Stands for "infinitely many" missing districts."""


class Mind:
    """A view of one seat, with values derived from it. Each value is computed when it is first used.
    "Missing" districts are those that a city lacks to be complete; points are those of the final score."""

    greed: float = 0.0
    """How much districts that pay for a character make their owner like it; see `liking`."""

    def __init__(
        self, view: State, seat: int, choices: Sequence[Choice], random: Random, taste: Taste = PLAIN
    ) -> None:
        self.view = view
        self.taste = taste
        self.seat = seat
        self.choices = choices
        self.random = random
        self.worths: dict[str, float] = {}
        """The values of cards in this seat's city, for those already computed."""
        self.me: Player = view.players[seat]
        self.last_turn = view.last_round
        """Whether this is the seat's last turn of the game."""
        self.others = other_seats(len(view.players), seat)
        self.edition = edition_of(view)
        self.amounts = amounts(self.edition)
        needed = self.edition.goal(view)
        self.goal = needed or FAR
        self.shared = SharedCity(view, seat, self.edition) if needed is None else None
        """The shared city, in an edition without complete cities."""

    # The race

    def missing(self, seat: int) -> int:
        """Return how many districts the city of `seat` lacks to be complete."""
        return max(0, self.goal - size(self.view, seat))

    @once
    def my_missing(self) -> int:
        """How many districts this seat's city lacks to be complete."""
        return self.missing(self.seat)

    @once
    def nearest(self) -> int:
        """How many districts the most complete city of the other seats lacks."""
        return min((self.missing(seat) for seat in self.others), default=FAR)

    @once
    def rounds_left(self) -> int:
        """An estimate of how many turns each player still has, including the present one."""
        if self.view.last_round:
            return 1
        if self.shared is not None:
            return max(1, round(PACE * self.shared.left / len(self.view.players)))
        return max(1, min(self.my_missing, self.nearest))

    def standing(self, seat: int) -> float:
        """Return the strength of `seat` in points: its score so far, and the value of its cards and gold."""
        player = self.view.players[seat]
        promise = 0.35 * player.gold + 0.5 * len(player.hand)
        if self.shared is not None:
            return self.shared.totals[seat] + promise
        points = sum(district.cost for district in player.city)
        points += ALL_TYPES * (len({self.edition.types[district.key] for district in player.city}) == len(TYPES))
        return points + 1.5 * size(self.view, seat) + promise

    @once
    def standings(self) -> tuple[float, ...]:
        """The strength of each seat."""
        return tuple(self.standing(seat) for seat in range(len(self.view.players)))

    @once
    def leader(self) -> int:
        """The strongest other seat."""
        return max(self.others, key=lambda seat: self.standings[seat])

    @once
    def leading(self) -> bool:
        """Whether no other seat is stronger."""
        return self.standings[self.seat] >= self.standings[self.leader]

    def danger(self, seat: int) -> float:
        """Return how much it is worth to hinder `seat`: from 0.5 for a weak player to about 6."""
        ahead = self.standings[seat] - self.standings[self.seat]
        danger = 1.0 + max(-0.5, min(2.0, ahead / 6))
        missing = self.missing(seat)
        if not self.view.last_round and missing <= 2:
            danger += (3.0, 3.0, 1.2)[missing]
        return danger

    # Characters and gold of the other seats

    @once
    def chances(self) -> Chances:
        """For each character that another seat may hold, the probability of each seat to hold it."""
        return holders(self.view, self.seat, self.greed)

    def expected(self, value: Callable[[int], float]) -> dict[str, float]:
        """Return, for each character of the cast, the expected value of `value(seat)` for the seat that holds
        it."""
        values = {seat: value(seat) for seat in self.others}
        return {
            character: sum(chance * values[seat] for seat, chance in self.chances.get(character, {}).items())
            for character in self.view.cast
        }

    @once
    def gold_of(self) -> dict[str, float]:
        """For each character, the expected gold of its holder, randomly changed a little so that opponents
        cannot foresee the bot's choice."""
        gold = self.expected(lambda seat: self.view.players[seat].gold + 0.5)
        return {character: value * (0.8 + 0.4 * self.random.random()) for character, value in gold.items()}

    # My city and my hand

    @once
    def types(self) -> dict[DistrictType, int]:
        """How many districts of each type this seat's city has."""
        types = [self.edition.types[district.key] for district in self.me.city]
        return {kind: types.count(kind) for kind in TYPES}

    @once
    def types_lacking(self) -> int:
        """How many types have no district in this seat's city."""
        return list(self.types.values()).count(0)

    @once
    def names(self) -> frozenset[str]:
        """The names of the districts in this seat's city."""
        return frozenset(district.key for district in self.me.city)

    @once
    def duplicates(self) -> bool:
        """Whether this seat may build districts whose name is already in its city."""
        return may_duplicate(self.view, self.seat)

    @property
    def my_turn(self) -> bool:
        """Whether it is the turn of this seat."""
        return self.view.turn is not None and self.view.turn.seat == self.seat

    @once
    def character(self) -> str:
        """The character of the present turn."""
        return self.view.current_turn.character

    def may_stand(self, card: str) -> bool:
        """Return whether `card` can still be built in this seat's city, now or later."""
        effect = self.edition.effects.get(card)
        return card not in self.forbidden and (effect is None or not effect.unbuildable(self.me))

    @once
    def forbidden(self) -> Mapping[str, str]:
        """The names that this seat may not build because such a district exists, each with the code of the
        reason."""
        return self.edition.identical(self.view, self.seat)

    @once
    def useful(self) -> list[str]:
        """The names of the hand cards that can be built now or later, each once."""
        return [card for card in dict.fromkeys(self.me.hand) if card != HIDDEN and self.may_stand(card)]

    def price(self, card: str) -> int:
        """Return the price of building a card now, in gold."""
        if not self.effects:
            return self.edition.costs[card]
        facts = self.edition.districts[card]
        return max(0, facts.cost + sum([unique.price(facts) for unique in self.effects]))

    @once
    def prices(self) -> dict[str, int]:
        """The price of building each useful card now, in gold."""
        return {card: self.price(card) for card in self.useful}

    @once
    def effects(self) -> list[Unique]:
        """The unique districts in this seat's city."""
        return uniques(self.view, self.seat)

    def income(self, character: str) -> int:
        """Return how many districts of this seat pay for `character`."""
        kind = self.edition.characters[character].income
        return paying_districts(self.view, self.seat, kind) if kind else 0

    # This turn

    def builds_left(self) -> int:
        """Return how many more districts the building limit of the present turn allows."""
        turn = self.view.turn
        if turn is None or not self.edition.abilities[turn.character].builds or self.only_gathers:
            return 0
        return max(0, self.edition.abilities[turn.character].limit - turn.builds)

    @property
    def only_gathers(self) -> bool:
        """Whether the turn ends after gathering: the character was killed (Hospital) or bewitched."""
        turn = self.view.turn
        if turn is None or not turn.bound:
            return False
        return is_killed(self.view, turn.character) or user_of(self.view, turn.seat, turn.character) != turn.seat

    @once
    def tax(self) -> int:
        """The gold that this seat must give a Tax Collector at the end of the turn if it builds."""
        turn = self.view.turn
        if turn is None or turn.paid:
            return 0
        return int(any(self._taxes(seat, c) for seat in self.others for c in self.view.players[seat].revealed))

    def _taxes(self, seat: int, character: str) -> bool:
        taxes = isinstance(self.edition.abilities[character], TaxCollectorOfTurns)
        return taxes and not is_killed(self.view, character) and user_of(self.view, seat, character) != self.seat

    def counts(self, card: str) -> bool:
        """Return whether building `card` counts against the building limit of the turn."""
        if self.my_turn:
            return card not in self.edition.uncounted[self.character]
        return not self.edition.effect(card).outside_limit

    @once
    def verbs(self) -> frozenset[str]:
        """The verbs of the choices that the bot has now."""
        return frozenset(choice.verb for choice in self.choices)

    @once
    def income_now(self) -> int:
        """The gold that the moves `income` and `bonus` can still bring in this turn."""
        if not self.my_turn:
            return 0
        gold = 0
        if "income" in self.verbs and self.edition.characters[self.character].pays in ("gold", "gold_or_cards"):
            gold += self.income(self.character)
        if "bonus" in self.verbs:
            gold += self.amounts.bonus.get(self.character, 0)
        return gold
