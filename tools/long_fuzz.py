"""Randomly edited transcripts: `python -m tools.long_fuzz --edits 5000 --seed 1`.

Prints, for each kind of edit, how many edits gave each exit code, how many were not detected, and whether an
innocent player was accused. The exit code is 1 if an innocent player was accused or the program failed."""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.cheating.fuzz import EDITIONS, Trial, trial


def batch(seed: int, editions: tuple[str, ...], numbers: Sequence[int]) -> tuple[Counter[str], list[str]]:
    """Make some edits. Return the counts of the results and the errors found."""
    counted, wrong = Counter[str](), []
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            try:
                one = trial(seed, number, Path(folder), editions)
            except Exception as fault:
                wrong.append(f"{number}: {type(fault).__name__}: {fault}")
                continue
            counted[f"{one.manner}: exit {one.report.code}"] += 1
            counted[f"{one.manner}: the same history, verified"] += one.same and one.report.code == 0
            wrong += [f"{number} ({what}): {one}" for what in _wrong(one)]
    return counted, wrong


def _wrong(one: Trial) -> list[str]:
    return [what for what in ("unnoticed", "unjust", "failed") if getattr(one, what)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the edits and print the results."""
    parser = argparse.ArgumentParser(prog="python -m tools.long_fuzz")
    parser.add_argument("--edits", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first edit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--edition", action="append", choices=EDITIONS, help="only this one; may be said again")
    asked = parser.parse_args(arguments)
    numbers = range(asked.first, asked.first + asked.edits)
    parts = [numbers[at :: asked.jobs] for at in range(asked.jobs)]
    counted, wrong = Counter[str](), list[str]()
    with ProcessPoolExecutor(asked.jobs) as pool:
        for some, bad in pool.map(partial(batch, asked.seed, tuple(asked.edition or EDITIONS)), parts):
            counted += some
            wrong += bad
    for what in sorted(counted):
        print(f"{counted[what]:6} {what}")
    for one in wrong:
        print(one)
    print(f"{asked.edits} edits, {len(wrong)} with something wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
