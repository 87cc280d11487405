"""The structure of the package: no import cycle, no class name twice, sizes within the budget."""

from pathlib import Path
from typing import Final

import pytest

from tools import structure

BUDGET: Final = {
    "": (190, 3),
    "bots": (3_480, 30),
    "cli": (3_200, 21),
    "crypto": (4_060, 32),
    "doctor": (290, 2),
    "engine": (5_650, 97),
    "line_mode": (1_650, 9),
    "net": (6_900, 43),
    "platform": (600, 7),
    "presenter": (4_700, 29),
    "texts": (1_580, 18),
    "ui": (6_900, 51),
    "web": (1_080, 8),
}
"""At most so many code lines and modules for each folder. If one needs more, look first for what it replaces."""


@pytest.mark.slow
def test_package_has_no_import_cycle() -> None:
    assert structure.cycles(structure.imports()) == []


@pytest.mark.slow
def test_class_name_exists_once() -> None:
    assert structure.twice() == {}


@pytest.mark.slow
def test_folders_stay_within_their_budget() -> None:
    sizes = structure.sizes()
    assert set(sizes) == set(BUDGET)
    over = {name: size for name, size in sizes.items() if size[0] > BUDGET[name][0] or size[1] > BUDGET[name][1]}
    assert over == {}
    assert len(structure.small()) <= 50
    assert len(structure.repeated()) <= 37


def test_import_cycle_is_found(tmp_path: Path) -> None:
    """Also where one side imports for its types only, and through a package."""
    package = tmp_path / "citadels_lan"
    (package / "wing").mkdir(parents=True)
    for name, text in {
        "__init__.py": "",
        "wing/__init__.py": "",
        "wing/one.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import two\n",
        "wing/two.py": "def f():\n    from citadels_lan.wing.one import g\n",
        "wing/three.py": "from . import one\nclass Same: ...\n",
        "wing/four.py": "class Same: ...\n",
    }.items():
        (package / name).write_text(text, encoding="utf-8")
    assert structure.cycles(structure.imports(tmp_path)) == [["citadels_lan.wing.one", "citadels_lan.wing.two"]]
    assert structure.twice(tmp_path) == {"Same": ["citadels_lan.wing.four", "citadels_lan.wing.three"]}


def test_code_lines_leave_out_comments_docstrings_and_blanks(tmp_path: Path) -> None:
    package = tmp_path / "citadels_lan"
    package.mkdir()
    text = '"""Doc."""\n\n# comment\nA = 1  # and code\n"""What A is."""\n\n\n'
    text += 'def f() -> str:\n    """Doc."""\n    return (\n        "a"\n    )\n'
    (package / "f.py").write_text(text, encoding="utf-8")
    assert structure.sizes(tmp_path) == {"": (5, 1)}
    assert structure.small(tmp_path) == ["citadels_lan.f"]
