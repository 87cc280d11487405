"""Any number of random games: `python -m tools.long_games --games 100000 --deep 1000`.

Checks that every game ends, that no card or gold gets lost, and that no label of chance is used twice. In the
first `--deep` games it also checks, for every event and viewer, that the viewer's copy of the event changes
the view as the full event does; and that the engine accepts exactly the moves that it lists. `--first-game`
plays the cards of the first game at 2 and 4 to 7 players only. Other tables have any edition, or the given
ones (see `tables.py`).
"""

import argparse
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests import facts
from tests.engine import checks
from tests.engine.games import Game
from tests.engine.tables import Tables


def main() -> int:
    """Play the games and print one line with the results. Return 1 if a game failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--deep", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first-game", action="store_true")
    Tables.add_arguments(parser)
    Tables.add_draft(parser)
    options = parser.parse_args()
    tables = Tables.of(options)
    started = time.perf_counter()
    work = partial(play, first=options.seed, deep=options.deep, first_game=options.first_game, tables=tables)
    with ProcessPoolExecutor(options.jobs) as pool:
        moves = list(pool.map(work, range(options.games), chunksize=50))
    failed = moves.count(None)
    seconds = time.perf_counter() - started
    print(
        f"{options.games} games from seed {options.seed} ({min(options.deep, options.games)} in depth), "
        f"{sum(count or 0 for count in moves)} moves, {seconds:.0f} s: {failed} failed"
    )
    return 1 if failed else 0


def play(number: int, *, first: int, deep: int, first_game: bool, tables: Tables) -> int | None:
    """Play one game. Return its number of moves, or None if a check failed."""
    seed = first * 1_000_003 + number
    setup = facts.first_game((2, 4, 5, 6, 7)[number % 5]) if first_game else None
    try:
        checks.keeps_cards_and_gold(game := Game(seed, setup, tables))
        if number < deep:
            checks.square_commutes(Game(seed, setup, tables))
            checks.listed_is_accepted(Game(seed, setup, tables), every=0.2)
    except Exception:
        print(f"seed {seed}:", file=sys.stderr)
        traceback.print_exc()
        return None
    return game.moves


if __name__ == "__main__":
    sys.exit(main())
