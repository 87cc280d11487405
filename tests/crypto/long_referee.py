"""Many games before the public referee: `python -m tests.crypto.long_referee --games 1000 --seed 1`.

First every game is told honestly, to all seats and a spectator: nobody may object, and everybody must end up with
the view that the rules give. Then a lying host plays it: it tells one lie at a random entry, goes on from what it
has told, and the table says how often a lie about each kind of event was found at once or later in the game. The
exit code is 1 if anybody objected to an honest host, or the referee failed in any other way.
"""

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Final

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.engine import Event, State, view
from tests.engine.tables import ALL, Tables

from .referee.hosts import MOST_ENTRIES, Host, Told, hear, referees
from .referee.lies import OneLie

LIES: Final = 4
"""So many lying hosts play each game."""
FIRST: Final = 5
"""The number of the first entry with events."""
BATCH: Final = 20
"""So many games are begun together."""
TELLING: Final = 1500
"""A lying host goes on for so many entries at most."""


def honest(
    seed: int, tables: Tables = ALL, players: int | None = None
) -> tuple[Counter[str], list[frozenset[type[Event]]]]:
    """A game told as it was; what was read, and the kinds of events in each entry."""
    host, count = Host(seed, setup=tables.draw(random.Random(seed), players)), Counter[str](games=1)
    viewers, happened = referees(host), []
    over = False
    while not over and host.n < MOST_ENTRIES:
        told = host.step()
        count["entries"] += 1
        happened.append(frozenset(map(type, told.events)))
        over = host.over
        after = state_after(host)
        for referee in list(viewers):
            try:
                hear(referee, told)
            except Exception:
                _say(f"seed {seed}, {host.setup.named}, viewer {referee.seat}", told)
                count["false alarms"] += 1
                viewers.remove(referee)
                continue
            count["read"] += 1
            if referee.state != view(after, referee.seat):
                _say(f"seed {seed}, viewer {referee.seat} sees another table", told)
                count["other views"] += 1
                viewers.remove(referee)
    return count, happened


def state_after(host: Host) -> State:
    """The table after what was told last."""
    host.follow()
    return host.state


def _say(what: str, told: Told) -> None:
    print(what, told, traceback.format_exc(), file=sys.stderr, flush=True)


def lying(seed: int, number: int, happened: Sequence[Set[type[Event]]], tables: Tables = ALL) -> tuple[str, str]:
    """A game with one lie, about any event or about one of a kind that is drawn of those that happen in the
    honest game: what it was about, and how it was found: `at once`, `later`, `never`, or, by nobody, because the
    host itself could not go on from it, `stuck`; `failed` is a fault of the referee's. Empty where it has come to
    tell no lie."""
    dice = random.Random(f"{seed} {number}")
    kinds = sorted(frozenset().union(*happened), key=lambda kind: kind.__name__)
    kind = dice.choice(kinds) if number % 2 else None
    at = dice.choice([at for at, those in enumerate(happened, FIRST) if kind is None or kind in those])
    lie = OneLie(at, dice, kind)
    host = Host(seed, setup=tables.draw(random.Random(seed)), lie=lie)
    viewers = referees(host)
    since = 0
    while not host.over and since < TELLING:
        try:
            told = host.step()
        except Exception:  # what it has told cannot be played on from
            if not since:
                raise
            return lie.told, "stuck"
        since += bool(lie.told)
        for referee in viewers:
            try:
                hear(referee, told)
            except Mismatch:
                return lie.told, "at once" if since == 1 else "later"
            except Exception:
                _say(f"seed {seed} lie {number}: {lie.told}", told)
                return lie.told, "failed"
    return lie.told, "never"


def judged(seed: int, tables: Tables = ALL, lies: int = LIES) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """An honest game and its lying ones."""
    try:
        count, happened = honest(seed, tables)
        return count, Counter(lying(seed, number, happened, tables) for number in range(lies))
    except Exception:
        print(f"seed {seed}: {traceback.format_exc()}", file=sys.stderr, flush=True)
        return Counter(failed=1), Counter()


def table_of(found: Counter[tuple[str, str]]) -> list[str]:
    """The lies by what they were about: how many were found at once, later, never; `stuck` are those that the
    host could not go on from, and that were over with it."""
    ways = ("at once", "later", "never", "stuck", "failed")
    lines = [f"{'a lie about':32}" + "".join(f"{way:>9}" for way in ways)]
    for about in sorted({about for about, _ in found if about}):
        lines.append(f"{about:32}" + "".join(f"{found[about, way] or '':>9}" for way in ways))
    told = {way: sum(n for (about, how), n in found.items() if about and how == way) for way in ways}
    lines.append(f"{'all':32}" + "".join(f"{told[way]:>9}" for way in ways))
    return lines


def main() -> int:
    """Run, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--lies", type=int, default=LIES, help="lying hosts of each game")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no more games after so long")
    Tables.add_arguments(parser)
    options = parser.parse_args()
    begun = time.perf_counter()
    seeds = range(options.seed * 1_000_003, options.seed * 1_000_003 + options.games)
    work = partial(judged, tables=Tables.of(options), lies=options.lies)
    count, found = Counter[str](), Counter[tuple[str, str]]()
    with ProcessPoolExecutor(options.jobs) as pool:
        for at in range(0, options.games, BATCH):
            if time.perf_counter() - begun > options.seconds:
                break
            for one, ways in pool.map(work, seeds[at : at + BATCH], chunksize=2):
                count += one
                found += ways
    print(
        f"{count['games']} games from seed {options.seed}, {time.perf_counter() - begun:.0f} s: "
        f"{count['entries']} entries, read {count['read']} times: {count['false alarms']} false alarms, "
        f"{count['other views']} other views"
    )
    if options.lies:
        print("\n".join(table_of(found)))
    failed = sum(n for (_, how), n in found.items() if how == "failed")
    return 1 if count["false alarms"] or count["other views"] or count["failed"] or failed else 0


if __name__ == "__main__":
    sys.exit(main())
