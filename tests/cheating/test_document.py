"""docs/attacks.md names tests that exist."""

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def test_document_names_an_existing_test_for_each_defence() -> None:
    document = (ROOT / "docs" / "attacks.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_/]+(?:\.py)?)`", document))
    assert named
    assert [name for name in sorted(named) if not has_tests(ROOT / "tests" / name)] == []
    for line in document.split("## Measured")[0].splitlines():
        if line.startswith("| ") and not line.startswith("| attack"):
            attack, defence, test, _ = (cell.strip() for cell in line.strip("|").split("|"))
            assert re.search(r"`(python -m )?[a-z_]+[/.]", test) or defence.startswith("none"), attack


def has_tests(path: Path) -> bool:
    """Whether a module or a folder has tests, or is a program that measures."""
    modules = [path] if path.is_file() else list(path.glob("**/test_*.py"))
    found = [module.read_text(encoding="utf-8") for module in modules]
    return any("def test_" in text or "__main__" in text for text in found)
