"""`python -m tests.rulings FILE_OR_FOLDER...`: play rulings and print which hold."""

import argparse
import sys
from collections.abc import Sequence

from .files import load
from .runner import run_all


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the rulings in these files and folders, and print the results. Return 1 if one failed, otherwise
    0."""
    parser = argparse.ArgumentParser(prog="python -m tests.rulings", description="Run executable rulings.")
    parser.add_argument("places", nargs="+", metavar="FILE_OR_FOLDER")
    outcomes = []
    for result in run_all(load(parser.parse_args(arguments).places)):
        print(result)
        outcomes.append(result.outcome)
    failed = outcomes.count("FAILED")
    print(f"{outcomes.count('ok')} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
