"""`python -m benchmarks [PART…]`: measure and print. Exit 1 if a figure is outside its limits."""

import os
import sys
from importlib import import_module

from .figure import table

PARTS = (
    "move", "start", "app", "fanout", "crowd", "net", "wire", "engine", "bots", "keys", "proofs", "sealed",
    "thinking", "pauses",
)  # fmt: skip


def main(wanted: list[str]) -> int:
    unknown = [part for part in wanted if part not in PARTS]
    if unknown:
        print(f"There is no part {unknown[0]}: {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    # An installed program has compiled modules, so programs started here keep theirs.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    good = True
    for part in wanted or PARTS:
        module = import_module(f"{__package__}.{part}")
        good = table(module.TITLE, module.figures()) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
