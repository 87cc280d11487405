"""What a player works out from its own view before it decides anything."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from citadels_lan.engine import HIDDEN, TYPES, DistrictType, edition_of, other_seats
from citadels_lan.engine.characters.tax_collector import TaxCollectorOfTurns
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.pieces import NEITHER, Unique
from citadels_lan.engine.scoring import ALL_TYPES
from citadels_lan.engine.state import Player, State, is_killed, user_of
from citadels_lan.engine.turn.building import may_duplicate
from citadels_lan.engine.turn.cities import goal, paying_districts, size, uniques

from .amounts import amounts
from .guess import Chances, holders
from .once import once
from .shared import SharedCity
from .taste import PLAIN, Taste

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
