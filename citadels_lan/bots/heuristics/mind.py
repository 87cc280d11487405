"""What a heuristic player derives from its view: who may hold which character, prices, the shared city.

A player knows the face-up characters, its own, those already called, and the packet that it chose from. A
character that was not in the packet was taken by an earlier player or lies face down. The other characters went
to the later players.
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
from citadels_lan.engine.flow.cycles import Cycles, Points
from citadels_lan.engine.flow.draft import picks
from citadels_lan.engine.pieces import NEITHER, Unique
from citadels_lan.engine.scoring import ALL_TYPES
from citadels_lan.engine.state import Player, State, is_killed, user_of
from citadels_lan.engine.turn.building import may_duplicate
from citadels_lan.engine.turn.cities import goal, paying_districts, size, uniques
from citadels_lan.engine.turn.shared_city import names, names_wanted

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


class SharedCity:
    """What the end of the game and of its cycles means to a seat; worked out when it is first asked for."""

    def __init__(self, view: State, seat: int, edition: Edition) -> None:
        self.view = view
        self.seat = seat
        self.edition = edition

    @once
    def left(self) -> int:
        """How many names must still come to stand before the game ends."""
        return max(0, names_wanted(self.view) - len(names(self.view)))

    @once
    def my_turns(self) -> int:
        """A guess at how many turns I still have, this one included."""
        return max(1, round(PACE * self.left / len(self.view.players)))

    @once
    def cycles_left(self) -> float:
        """A guess at how many more times points of a cycle are given."""
        return (PACE * self.left + len(self.view.called)) / len(self.view.cast)

    @once
    def points(self) -> Points | None:
        """What a cycle brings, where there are cycles."""
        flow = self.edition.flow
        return flow.points if isinstance(flow, Cycles) else None

    @once
    def totals(self) -> tuple[int, ...]:
        """Every seat's points if the game ended now, as far as they are public."""
        return tuple(score.total for score in self.edition.scores(self.view))

    @once
    def lead(self) -> int:
        """How many points I am ahead of the best of the others; negative where I am behind."""
        return self.totals[self.seat] - max(self._others(self.totals))

    def _others(self, values: Iterable[int]) -> list[int]:
        return [value for seat, value in enumerate(values) if seat != self.seat]

    @once
    def gains(self) -> bool:
        """Whether a cycle that ended now would bring me nearer to the best of the others."""
        points = self.points  # mypyc takes a call of the property itself for one of a method
        if points is None:
            return False
        now = points(self.view)
        best = max(self._others(self.totals))
        ahead = [now[seat] for seat, total in enumerate(self.totals) if seat != self.seat and total == best]
        return now[self.seat] > max(ahead)

    @once
    def a_type(self) -> float:
        """What the first district of another type brings me in the cycles to come."""
        if self.points is None:
            return 0.0
        types = Counter(self.edition.types[district.key] for district in self.view.players[self.seat].city)
        lacking = sum(not types[kind] for kind in TYPES)
        return float(self.points.all_types) * self.cycles_left * NEARNESS[lacking]

    @once
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

    @once
    def most_of_a_cycle(self) -> int:
        """The most that a cycle can bring."""
        return self.points.all_types + self.points.most if self.points else 0


FAR = 99
"""More districts than any city lacks."""


class Mind:
    """A view, seen from one seat. Everything here is worked out once, when it is first asked for.

    "Soon" and "missing" count districts; "points" are those of the final scoring.
    """

    def __init__(
        self, view: State, seat: int, choices: Sequence[Choice], random: Random, taste: Taste = PLAIN
    ) -> None:
        self.view = view
        self.taste = taste
        self.seat = seat
        self.choices = choices
        self.random = random
        self.worths: dict[str, float] = {}
        """What cards are worth in my city, as far as it was asked."""
        self.me: Player = view.players[seat]
        self.others = other_seats(len(view.players), seat)
        self.edition = edition_of(view)
        self.amounts = amounts(self.edition)
        wanted = goal(view)
        self.goal = wanted or FAR
        self.shared = SharedCity(view, seat, self.edition) if wanted is None else None
        """The city that everybody builds, where no city is ever complete of itself."""

    # The race

    def missing(self, seat: int) -> int:
        """How many districts a city lacks."""
        return max(0, self.goal - size(self.view, seat))

    @once
    def my_missing(self) -> int:
        return self.missing(self.seat)

    @once
    def nearest(self) -> int:
        """How many districts the other player nearest to the end lacks."""
        return min((self.missing(seat) for seat in self.others), default=FAR)

    @once
    def rounds_left(self) -> int:
        """A guess at how many more turns everybody has, this one included."""
        if self.view.last_round:
            return 1
        if self.shared is not None:
            return self.shared.my_turns
        return max(1, min(self.my_missing, self.nearest))

    @property
    def last_turn(self) -> bool:
        """This is my last turn of the game."""
        return self.view.last_round

    def standing(self, seat: int) -> float:
        """How well a seat does: its points on the table, and what its cards and gold promise."""
        player = self.view.players[seat]
        promise = 0.35 * player.gold + 0.5 * len(player.hand)
        if self.shared is not None:
            return self.shared.totals[seat] + promise
        points = sum(district.cost for district in player.city)
        points += ALL_TYPES * (len({self.edition.types[district.key] for district in player.city}) == len(TYPES))
        return points + 1.5 * size(self.view, seat) + promise

    @once
    def standings(self) -> tuple[float, ...]:
        return tuple(self.standing(seat) for seat in range(len(self.view.players)))

    @once
    def leader(self) -> int:
        """The strongest other seat."""
        return max(self.others, key=lambda seat: self.standings[seat])

    @once
    def leading(self) -> bool:
        return self.standings[self.seat] >= self.standings[self.leader]

    def danger(self, seat: int) -> float:
        """How much it is worth to hinder a seat: 1 for somebody of no account, up to about 6."""
        ahead = self.standings[seat] - self.standings[self.seat]
        danger = 1.0 + max(-0.5, min(2.0, ahead / 6))
        missing = self.missing(seat)
        if not self.view.last_round and missing <= 2:
            danger += (3.0, 3.0, 1.2)[missing]
        return danger

    # What the others may hold

    @once
    def chances(self) -> Chances:
        """For each character that somebody else may hold: the chance of each seat to hold it."""
        return holders(self.view, self.seat)

    def expected(self, value: Callable[[int], float]) -> dict[str, float]:
        """For each character of the cast: the value of its holder, by the chance of each seat to be it."""
        values = {seat: value(seat) for seat in self.others}
        return {
            character: sum(chance * values[seat] for seat, chance in self.chances.get(character, {}).items())
            for character in self.view.cast
        }

    @once
    def gold_of(self) -> dict[str, float]:
        """For each character: the gold its holder is likely to have, with a little caprice against bluffs."""
        gold = self.expected(lambda seat: self.view.players[seat].gold + 0.5)
        return {character: value * (0.8 + 0.4 * self.random.random()) for character, value in gold.items()}

    # My city and my hand

    @once
    def types(self) -> dict[DistrictType, int]:
        """How many districts of each type I have."""
        types = [self.edition.types[district.key] for district in self.me.city]
        return {kind: types.count(kind) for kind in TYPES}

    @once
    def types_lacking(self) -> int:
        """Of how many types I have no district."""
        return list(self.types.values()).count(0)

    @once
    def names(self) -> frozenset[str]:
        """The names of the districts I have."""
        return frozenset(district.key for district in self.me.city)

    @once
    def duplicates(self) -> bool:
        """I may build districts that I have already."""
        return may_duplicate(self.view, self.seat)

    @property
    def my_turn(self) -> bool:
        return self.view.turn is not None and self.view.turn.seat == self.seat

    @property
    def character(self) -> str:
        """The character whose turn it is."""
        assert self.view.turn is not None
        return self.view.turn.character

    def may_stand(self, card: str) -> bool:
        """Whether a card can be built in my city at all, some day."""
        effect = self.edition.effects.get(card)
        return card not in self.forbidden and (effect is None or not effect.unbuildable(self.me))

    @once
    def forbidden(self) -> Mapping[str, str]:
        """The names that I may not build because one stands already."""
        return self.edition.identical(self.view, self.seat)

    @once
    def useful(self) -> list[str]:
        """My hand's cards that can be built some day, each name once."""
        return [card for card in dict.fromkeys(self.me.hand) if card != HIDDEN and self.may_stand(card)]

    def held_by(self, seat: int, kind: DistrictType) -> int:
        """How many districts of a type pay an income to a seat."""
        return paying_districts(self.view, seat, kind)

    def price(self, card: str) -> int:
        """What building a card costs me now."""
        if not self.effects:
            return self.edition.costs[card]
        facts = self.edition.districts[card]
        return max(0, facts.cost + sum([unique.price(facts) for unique in self.effects]))

    @once
    def prices(self) -> dict[str, int]:
        """What building each card of my hand that can be built some day costs me now."""
        return {card: self.price(card) for card in self.useful}

    @once
    def effects(self) -> list[Unique]:
        """My unique districts."""
        return uniques(self.view, self.seat)

    def effect(self, card: str) -> Unique:
        """What a district does once it stands."""
        return self.edition.effects.get(card, NEITHER)

    def income(self, character: str) -> int:
        """For how many of my districts a character is paid."""
        wanted = self.edition.characters[character].income
        return paying_districts(self.view, self.seat, wanted) if wanted else 0

    # This turn

    @once
    def last_ability(self) -> str | None:
        """The verb of the ability that would end my turn, if I have one."""
        return self.edition.last_abilities.get(self.character) if self.my_turn else None

    def builds_left(self) -> int:
        """How many builds the limit of the present turn still allows."""
        turn = self.view.turn
        if turn is None or not self.edition.abilities[turn.character].builds or self.only_gathers:
            return 0
        return max(0, self.edition.abilities[turn.character].limit - turn.builds)

    @property
    def only_gathers(self) -> bool:
        """The turn is over once its seat has gathered: it is killed, and answers all the same, or bewitched."""
        turn = self.view.turn
        if turn is None or not turn.bound:
            return False
        return is_killed(self.view, turn.character) or user_of(self.view, turn.seat, turn.character) != turn.seat

    @once
    def tax(self) -> int:
        """What building costs me at the end of the turn."""
        turn = self.view.turn
        if turn is None or turn.paid:
            return 0
        return int(any(self._taxes(seat, c) for seat in self.others for c in self.view.players[seat].revealed))

    def _taxes(self, seat: int, character: str) -> bool:
        taxes = isinstance(self.edition.abilities[character], TaxCollectorOfTurns)
        return taxes and not is_killed(self.view, character) and user_of(self.view, seat, character) != self.seat

    def counts(self, card: str) -> bool:
        """Whether building a card uses the limit of my turn."""
        if self.my_turn:
            return card not in self.edition.uncounted[self.character]
        return not self.effect(card).outside_limit

    @once
    def verbs(self) -> frozenset[str]:
        """The verbs among the choices."""
        return frozenset(choice.verb for choice in self.choices)

    @once
    def income_now(self) -> int:
        """Gold that `income` and `bonus` would still bring this turn."""
        if not self.my_turn:
            return 0
        gold = 0
        if "income" in self.verbs and self.edition.characters[self.character].pays in ("gold", "gold_or_cards"):
            gold += self.income(self.character)
        if "bonus" in self.verbs:
            gold += self.amounts.bonus.get(self.character, 0)
        return gold
