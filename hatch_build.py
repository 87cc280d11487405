"""What the build makes: the compiled translations of every language, beside the texts that they are made of, and
in a wheel the manual page, made of the parser that the program reads its words with.

Hatchling runs it for a wheel and for an editable install. The repository and the source archive do not have the
results.
"""

import os
import re
import runpy
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TEXTS = Path("citadels_lan", "texts")
MANUAL = "citadels-lan.6"
SUMMARY = "the card game Citadels for friends on one network"


class Translations(BuildHookInterface):
    """Compiles each `texts.po`; `artifacts` in pyproject.toml lets the results into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if os.environ.get("RELEASE") and (left := list(placeholders(Path(self.root)))):
            raise SystemExit(f"Not a release, because release/publisher.toml lacks values: {', '.join(left)}")
        if version != "editable" and self.target_name == "sdist":
            return
        root = Path(self.root, TEXTS)
        catalogue = runpy.run_path(str(root / "catalogue.py"))
        for po in sorted(root.glob("languages/*/texts.po")):
            catalogue["compile_catalogue"](str(po.parent))
        if version != "editable" and self.target_name == "wheel":
            page = Path(tempfile.mkdtemp(), MANUAL)
            page.write_text(manual(self.root, self.metadata.version), encoding="utf-8")
            build_data["shared_data"][str(page)] = f"share/man/man6/{MANUAL}"


def placeholders(root: Path) -> Iterator[str]:
    """The files with a value that only the publisher knows, each as `FILE: @NAME@`."""
    paths = [root / "pyproject.toml", root / "mkdocs.yml", *root.glob("*.md")]
    paths += [path for folder in ("docs", "release", ".github") for path in (root / folder).rglob("*")]
    for path in sorted(path for path in paths if path.is_file() and path.name != "publisher.toml"):
        for name in sorted(set(re.findall(rb"@[A-Z]+@", path.read_bytes()))):
            yield f"{path.relative_to(root)}: {name.decode()}"


def manual(root: str, version: str) -> str:
    """The manual page, for `man citadels-lan`. Its date is that of the sources (SOURCE_DATE_EPOCH)."""
    from argparse_manpage.manpage import Manpage
    from hatchling.builders.utils import get_reproducible_timestamp

    os.environ.setdefault("SOURCE_DATE_EPOCH", str(get_reproducible_timestamp()))

    sys.path.insert(0, root)
    from citadels_lan.cli.commands import program
    from citadels_lan.texts.language import SOURCE, load

    facts = {"version": version, "manual_section": "6", "manual_title": "Games", "description": SUMMARY}
    facts["include"] = str(Path(root, "release", "manual.man"))
    page = Manpage(program(load(SOURCE))[0], facts, format="single-commands-section")
    return str(page).replace(".SH COMMENTS", ".SH NOTES")
