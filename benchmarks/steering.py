"""How much called-off starts help a dishonest host: `python -m benchmarks.steering [DEALS]`. docs/attacks.md
has the table.

A host at a table of eight wants a certain first deal. It knows the deal as soon as it has all parts of the
seed. After that it can call off the start and try again, but the header of the next start lists all
called-off starts.
"""

import random
import sys
from collections.abc import Callable
from typing import Final, NamedTuple

from citadels_lan.crypto.seed import SeededChance
from citadels_lan.engine import advance, edition_of, from_scenario, new_table
from citadels_lan.engine.events import CardsGained, Crowned

PLAYERS: Final = 8
CALLED_OFF: Final = (0, 1, 2, 3, 5, 10)
"""The largest number of starts that the host calls off."""
DEALS: Final = 3000
HOST: Final = 0
"""The seat for which the host wants a certain deal."""

TABLE: Final = new_table(from_scenario("first_game", PLAYERS), sealed=True)
WANTED: Final = TABLE.districts[0]
UNIQUE: Final = frozenset(edition_of(TABLE).uniques)


class Deal(NamedTuple):
    """What the host sees of a deal: its first hand, and whether it begins with the crown."""

    hand: tuple[str, ...]
    crown: bool


Wish = Callable[[Deal], bool]
WISHES: Final[dict[str, Wish]] = {
    "one unique card by name": lambda deal: WANTED in deal.hand,
    "crown and two unique cards": lambda deal: deal.crown and sum(card in UNIQUE for card in deal.hand) >= 2,
}


def deal_of(seed: bytes) -> Deal:
    """The deal that follows from the seed of a game."""
    events = advance(TABLE, SeededChance(seed))
    hands = {event.seat: event.cards for event in events if isinstance(event, CardsGained)}
    crowned = next(event.seat for event in events if isinstance(event, Crowned))
    return Deal(hands[HOST], crowned == HOST)


def within(chance: float, called_off: int) -> float:
    """Return the probability that a wish with this `chance` for one start comes true when at most
    `called_off` starts are called off. Each start has a new seed."""
    return 1 - (1 - chance) ** (called_off + 1)


def main(deals: int) -> None:
    """Compute and print how often a host that calls starts off gets the wanted deal."""
    dice = random.Random(11)
    dealt = [deal_of(dice.randbytes(32)) for _ in range(deals)]
    print(f"{deals} deals, {PLAYERS} players, first game of 2016; per cent with so many called-off starts")
    print(f"{'the host wants':28}" + "".join(f"{count:>7}" for count in CALLED_OFF))
    for name, wish in WISHES.items():
        chance = sum(map(wish, dealt)) / deals
        print(f"{name:28}" + "".join(f"{100 * within(chance, count):7.1f}" for count in CALLED_OFF))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DEALS)
