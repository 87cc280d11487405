"""Plays many games and checks that no viewer receives information that they may not have: `python -m
tools.long_interference --games 1000`.

Each table is compared with twin tables. A twin has the same game, except for secrets that one viewer may not
know, and must send this viewer the same bytes (tests/engine/interference.py). tests/engine/tables.py
describes the tables.
"""

import argparse
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.engine.interference import Difference, Twins
from tests.engine.tables import ALL, Tables


def main() -> int:
    """Play the games and print the number of comparisons. Return 1 if a viewer could distinguish a table from
    its twin."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    Tables.add_arguments(parser)
    Tables.add_draft(parser)
    options = parser.parse_args()
    work = partial(play, first=options.seed, tables=Tables.of(options))
    started = time.perf_counter()
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        for each in pool.map(work, range(options.games), chunksize=5):
            total += each
    print(f"{options.games} games from seed {options.seed}, {time.perf_counter() - started:.0f} s")
    for name, count in sorted(total.items()):
        print(f"  {name}: {count}")
    return 1 if total["failed"] else 0


def play(number: int, *, first: int, tables: Tables = ALL) -> Counter[str]:
    """Play game `number`. Return the number of comparisons of each kind; "failed" counts errors."""
    seed = first * 1_000_003 + number
    try:
        return Twins(seed, tables).play()
    except Difference as difference:
        print(f"seed {seed}: {difference}", file=sys.stderr, flush=True)
    except Exception:
        print(f"seed {seed}: {traceback.format_exc()}", file=sys.stderr, flush=True)
    return Counter(failed=1)


if __name__ == "__main__":
    sys.exit(main())
