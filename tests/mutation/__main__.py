"""`python -m tests.mutation`: put small mistakes into the rules, one at a time, and see which nothing finds.

A seeded sample of 150 is held against the rulings and then the quick tests of the engine, one after the other.
Mistakes that change nothing a player could ever see are listed with the reason in `equal.yaml` and do not count.
Exits 1 when fewer than 97 in 100 of the others were found.

With `--proofs` 200 mistakes are put into the proofs and the network instead, and held against their quick tests,
two at the same time; what is judged equal stands in `equal_proofs.yaml`, and 95 in 100 are enough. Files
with tests that fail without any mistake are looked for first and left out. That takes an hour.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

from tests.rulings.files import load_yaml

from .mistakes import Mistake, all_mistakes, sample
from .proofs import proof_mistakes
from .proofs_trial import judge, red
from .trial import TESTS, Trials

EQUAL: Final = Path(__file__).with_name("equal.yaml")
ENOUGH: Final = 0.97
EQUAL_PROOFS: Final = Path(__file__).with_name("equal_proofs.yaml")
ENOUGH_PROOFS: Final = 0.95
DIGESTS: Final = TESTS[0]
"""They notice that something is other than it was, and not what is right."""


def main() -> int:
    """Try, and print what nothing found."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--count", type=int, help="how many mistakes (150, or 200); those judged equal are no part"
    )
    parser.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parser.add_argument(
        "--rulings", action="store_true", help="only the rulings; print those that no mistake fails"
    )
    parser.add_argument("--only", default="", help="only mistakes with these words in their name")
    parser.add_argument("--proofs", action="store_true", help="mistakes in the proofs and the network")
    parser.add_argument("--workers", type=int, default=2, help="so many of those at the same time (2)")
    parser.add_argument("--without", default="", help="files that fail without any of those (looked for)")
    options = parser.parse_args()
    if options.proofs:
        return _proofs(options)
    equal = {name for group in load_yaml(EQUAL.read_text(encoding="utf-8")) for name in group["mistakes"]}
    mistakes = all_mistakes()
    if gone := equal - {one.name for one in mistakes}:
        print("no longer there, take out of equal.yaml:", *sorted(gone), sep="\n  ")
        return 1
    chosen = sample(
        [one for one in mistakes if one.name not in equal and options.only in one.name],
        150 if options.count is None else options.count,
        options.seed,
    )
    print(f"{len(mistakes)} mistakes can be made, {len(equal)} are judged equal")
    print(f"{len(chosen)} are tried, seed {options.seed}")
    trials = Trials()
    return _idle(trials, chosen) if options.rulings else _try(trials, chosen)


def _try(trials: Trials, chosen: list[Mistake]) -> int:
    if (failing := trials.found_by(None)) is not None:
        print(f"without any mistake there fails: {failing}")
        return 1
    started = time.perf_counter()
    rulings = {case.id for case in trials.cases}
    by: Counter[str] = Counter()
    for one in chosen:
        found = trials.found_by(one)
        if found is None:
            print(f"not found: {one.name}  ({one.module})", flush=True)
        else:
            by["the rulings" if found in rulings else found] += 1
        if found == DIGESTS:
            print(f"found by digests alone, no ruling shows it: {one.name}  ({one.module})", flush=True)
    for what, count in by.most_common():
        print(f"  {count} found by {what}")
    share = by.total() / len(chosen) if chosen else 1.0
    print(f"{by.total()} of {len(chosen)} found, {share:.1%}, {time.perf_counter() - started:.0f} s")
    return 0 if share >= ENOUGH else 1


def _proofs(options: argparse.Namespace) -> int:
    equal = {name for group in load_yaml(EQUAL_PROOFS.read_text(encoding="utf-8")) for name in group["mistakes"]}
    mistakes = proof_mistakes()
    if gone := equal - {one.name for one in mistakes}:
        print("no longer there, take out of equal_proofs.yaml:", *sorted(gone), sep="\n  ")
    possible = [one for one in mistakes if one.name not in equal and options.only in one.name]
    chosen = sample(possible, 200 if options.count is None else options.count, options.seed)
    print(f"{len(mistakes)} mistakes can be made, {len(equal)} are judged equal")
    print(f"{len(chosen)} are tried, seed {options.seed}", flush=True)
    without = options.without.split(",") if options.without else red()
    for file in without:
        print(f"left out, it fails without any mistake: {file}", flush=True)
    started = time.perf_counter()
    by: Counter[str] = Counter()
    for count, (one, found) in enumerate(judge(chosen, options.workers, without), 1):
        assert one is not None
        if found is None:
            print(f"not found: {one.name}", flush=True)
        else:
            by[found.partition("::")[0]] += 1
        if count % 20 == 0:
            print(f"  {by.total()} of {count} so far, {time.perf_counter() - started:.0f} s", flush=True)
    for what, times in by.most_common():
        print(f"  {times} found by {what}")
    share = by.total() / len(chosen) if chosen else 1.0
    print(f"{by.total()} of {len(chosen)} found, {share:.1%}, {time.perf_counter() - started:.0f} s")
    return 0 if share >= ENOUGH_PROOFS else 1


def _idle(trials: Trials, chosen: list[Mistake]) -> int:
    """The rulings that none of the mistakes makes fail."""
    failed: set[str] = set()
    for one in chosen:
        failed.update(trials.failing(one))
    idle = [case.id for case in trials.cases if case.id not in failed]
    print(f"{len(idle)} of {len(trials.cases)} rulings failed with no mistake", *idle, sep="\n  ")
    return 1 if idle else 0


if __name__ == "__main__":
    sys.exit(main())
