"""`python -m tools.release`: make a release.

fill            write the values of release/publisher.toml in place of @NAME@ in the repository
native FOLDER   copy the sources to FOLDER, prepared for mypyc: `make compiled` and cibuildwheel build there
dist [FOLDER]   build wheel, sdist, archive and single file, with their digests (dist)
check FOLDER    start each of them, and play with it (`make dist-test`)
film OUT        record 40 seconds of a game on the network for asciinema
"""

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

COMMANDS: Final = {
    "fill": "placeholders", "native": "native", "dist": "artefacts", "check": "trial", "film": "film",
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.release", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("path", nargs="?", type=Path, default=Path("dist"))
    options = parser.parse_args()
    run = import_module(f"tools.release.{COMMANDS[options.command]}").main
    code: int = run(options.path.resolve())
    return code


if __name__ == "__main__":
    sys.exit(main())
