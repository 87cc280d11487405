"""`python -m tools.mutation`: put small mistakes into the rules, one at a time, and list those that no test
finds.

A seeded sample of 150 mistakes is tested by the rulings (tests of rules in tests/rulings) and then by the
quick tests of the engine, one mistake after another. Mistakes that change nothing for any player are listed
with the reason in `equal.yaml` and do not count. Exits with 1 if fewer than 97 % of the others were found.

With `--proofs` 200 mistakes are put into the proofs and the network instead and tested by their quick tests,
two at the same time. `equal_proofs.yaml` lists the equivalent ones, and 95 % are enough. First each test file
runs without a mistake, to find out which functions its tests call; files with a failing test are left out.
With `--kept FILE` a long run can be stopped and continued.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.rulings.files import load_yaml
from tools.mutation.kept import Kept
from tools.mutation.mistakes import Mistake, all_mistakes, sample
from tools.mutation.proofs import proof_mistakes
from tools.mutation.proofs_trial import FOLDERS, QUIET, judge
from tools.mutation.reach import Reach, files_in, reach
from tools.mutation.trial import TESTS, Trials

EQUAL: Final = Path(__file__).with_name("equal.yaml")
ENOUGH: Final = 0.97
EQUAL_PROOFS: Final = Path(__file__).with_name("equal_proofs.yaml")
ENOUGH_PROOFS: Final = 0.95
DIGESTS: Final = TESTS[0]
"""A test file that notices any change of the rules, but cannot tell whether the change is wrong."""


def main() -> int:
    """Try the mistakes, and print those that no test found."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
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
    parser.add_argument(
        "--kept",
        type=Path,
        help="a file for what is known: a run that was stopped goes on, and a line taken out is tried again",
    )
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
    # Equivalent mistakes are removed after sampling, so the sample of the others stays the same.
    mixed = sample(mistakes, len(mistakes), options.seed)
    possible = [one for one in mixed if one.name not in equal and options.only in one.name]
    chosen = possible[: 200 if options.count is None else options.count]
    kept = Kept(options.kept)
    print(f"{len(mistakes)} mistakes can be made, {len(equal)} are judged equal")
    print(f"{len(chosen)} are tried, seed {options.seed}; known already: {len(kept.of(chosen))}", flush=True)
    waiting = [one for one in chosen if one.name not in kept.found]
    files = files_in(FOLDERS)
    reached = reach(files, QUIET, options.kept and options.kept.with_suffix(".reach")) if waiting else Reach()
    for file in set(files) - reached.files.keys() if waiting else ():
        print(f"left out, it fails without any mistake: {file}", flush=True)
    started = time.perf_counter()
    for one, found in judge(waiting, options.workers, reached):
        kept.note(one, found)
        known = kept.of(chosen)
        so_far = f"{sum(map(bool, known))} of {len(known)} so far, {time.perf_counter() - started:.0f} s"
        print(f"{f'found by {found}' if found else 'NOT FOUND'}: {one.name}  ({so_far})", flush=True)
    return _share(chosen, kept)


def _share(chosen: Sequence[Mistake], kept: Kept) -> int:
    """Print how many mistakes each group of tests found, and list the mistakes that no test found. Return the
    exit code."""
    known = kept.of(chosen)
    for what, times in Counter(found.partition("::")[0] for found in known if found).most_common():
        print(f"  {times} found by {what}")
    for one in chosen:
        if not kept.found[one.name]:
            print(f"not found: {one.name}")
    share = sum(map(bool, known)) / len(chosen) if chosen else 1.0
    print(f"{sum(map(bool, known))} of {len(chosen)} found, {share:.1%}")
    return 0 if share >= ENOUGH_PROOFS else 1


def _idle(trials: Trials, chosen: list[Mistake]) -> int:
    """Print the rulings (tests of rules in tests/rulings) that fail with none of the mistakes. Return 1 if
    there are any, otherwise 0."""
    failed: set[str] = set()
    for one in chosen:
        failed.update(trials.failing(one))
    idle = [case.id for case in trials.cases if case.id not in failed]
    print(f"{len(idle)} of {len(trials.cases)} rulings failed with no mistake", *idle, sep="\n  ")
    return 1 if idle else 0


if __name__ == "__main__":
    sys.exit(main())
