"""What the build makes: the compiled translations of every language, beside the texts that they are made of, and
in a wheel the manual page, made of the parser that the program reads its words with.

Hatchling runs it for a wheel and for an editable install. The repository and the source archive do not have the
results.
"""

import runpy
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TEXTS = Path("citadels_lan", "texts")
MANUAL = "citadels-lan.6"
SUMMARY = "the card game Citadels for friends on one network"


class Translations(BuildHookInterface):
    """Compiles each `texts.po`; `artifacts` in pyproject.toml lets the results into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root, TEXTS)
        catalogue = runpy.run_path(str(root / "catalogue.py"))
        for po in sorted(root.glob("languages/*/texts.po")):
            catalogue["compile_catalogue"](str(po.parent))
        if version != "editable" and self.target_name == "wheel":
            page = Path(tempfile.mkdtemp(), MANUAL)
            page.write_text(manual(self.root, self.metadata.version), encoding="utf-8")
            build_data["shared_data"][str(page)] = f"share/man/man6/{MANUAL}"


def manual(root: str, version: str) -> str:
    """The manual page, for `man citadels-lan`."""
    from argparse_manpage.manpage import Manpage

    sys.path.insert(0, root)
    from citadels_lan.cli.commands import whole_parser
    from citadels_lan.texts.language import SOURCE, load

    facts = {"version": version, "manual_section": "6", "manual_title": "Games", "description": SUMMARY}
    page = Manpage(whole_parser(load(SOURCE)), facts, format="single-commands-section")
    return str(page)
