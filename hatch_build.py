"""What the build makes: the compiled translations of every language, beside the texts that they are made of.

Hatchling runs it for a wheel and for an editable install. The repository and the source archive hold the texts
alone; a checkout that nobody has built compiles them when they are first read (`citadels_lan/texts/catalogue.py`).
"""

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TEXTS = Path("citadels_lan", "texts")


class Translations(BuildHookInterface):
    """Compiles each `texts.po`; `artifacts` in pyproject.toml lets the results into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root, TEXTS)
        spec = importlib.util.spec_from_file_location("catalogue", root / "catalogue.py")
        assert spec is not None
        assert spec.loader is not None
        catalogue = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(catalogue)
        for po in sorted(root.glob(f"languages/*/{catalogue.PO}")):
            catalogue.write(str(po.with_name(catalogue.MO)), catalogue.compiled(po.read_bytes()))
