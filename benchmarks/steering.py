"""What a host can do to chance: `python -m benchmarks.steering [DEALS]`, docs/attacks.md has the table.

A host at a table of eight wants something of the deal, and has `k` seats of its own that may give no link. Where
any of these could be left out after all links were known, it would choose among 2^k outcomes. With presence first
it begins the round anew, each time without one seat more, for all to see: k + 1 outcomes, one after another.
"""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import Final, NamedTuple

from citadels_lan.crypto.beacons import Round, bitmap, next_seed
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.engine import advance, edition_of, from_scenario, new_table
from citadels_lan.engine.events import CardsGained, Crowned

PLAYERS: Final = 8
OWN: Final = (0, 1, 3, 7)
"""How many seats of its own a host leaves out at most."""
DEALS: Final = 3000
HOST: Final = 0
"""The seat for which the host wants something."""

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
    """The deal that follows from the seed of the first round."""
    events = advance(TABLE, SeededChance(seed))
    hands = {event.seat: event.cards for event in events if isinstance(event, CardsGained)}
    crowned = next(event.seat for event in events if isinstance(event, Crowned))
    return Deal(hands[HOST], crowned == HOST)


def seeds(dice: random.Random, left_out: Iterator[Sequence[int]], *, anew: bool) -> Iterator[bytes]:
    """The seed of each outcome that the host may look at: without these seats, with links that are `anew` each
    time or the same ones."""
    before, head = dice.randbytes(32), dice.randbytes(32)
    links = {seat: dice.randbytes(32) for seat in range(PLAYERS)}
    for out in left_out:
        seats = [seat for seat in range(PLAYERS) if seat not in out]
        yield next_seed(before, Round(1, head, bitmap(seats), tuple(links[seat] for seat in seats)))
        if anew:
            head = dice.randbytes(32)
            links = {seat: dice.randbytes(32) for seat in range(PLAYERS)}


def subsets(own: int) -> Iterator[Sequence[int]]:
    """Any of the host's seats may be left out of one outcome."""
    return chain.from_iterable(combinations(range(own), size) for size in range(own + 1))


def restarts(own: int) -> Iterator[Sequence[int]]:
    """One seat more is left out of each outcome."""
    return (range(out) for out in range(own + 1))


def share(wish: Wish, own: int, deals: int, *, presence_first: bool) -> float:
    """In how many of so many deals the host gets its wish, in per cent."""
    dice = random.Random(f"{own} {presence_first}")
    choices = restarts if presence_first else subsets
    got = sum(
        any(wish(deal_of(seed)) for seed in seeds(dice, choices(own), anew=presence_first)) for _ in range(deals)
    )
    return 100 * got / deals


def main(deals: int) -> None:
    """Print the table."""
    print(f"{deals} deals each, {PLAYERS} players, first game of 2016; per cent of the deals")
    print(f"{'the host wants':28} {'seats':>5} {'any subset':>16} {'presence first':>16}")
    for name, wish in WISHES.items():
        for own in OWN:
            before = share(wish, own, deals, presence_first=False)
            now = share(wish, own, deals, presence_first=True)
            row = f"{before:5.1f} of {2**own:3}", f"{now:5.1f} of {own + 1:3}"
            print(f"{name:28} {own:5} {row[0]:>16} {row[1]:>16}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DEALS)
