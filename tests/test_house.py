"""The shape of the house: no circle of imports, no flat folder, no class name twice."""

from pathlib import Path

import pytest

from . import house


@pytest.mark.slow
def test_no_circle_of_imports() -> None:
    assert house.circles(house.imports()) == []


def test_no_flat_folder() -> None:
    assert house.flat() == {}


@pytest.mark.slow
def test_one_name_for_one_class() -> None:
    assert house.twice() == {}


def test_a_circle_is_found(tmp_path: Path) -> None:
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
    assert house.circles(house.imports(tmp_path)) == [["citadels_lan.wing.one", "citadels_lan.wing.two"]]
    assert house.twice(tmp_path) == {"Same": ["citadels_lan.wing.four", "citadels_lan.wing.three"]}
    assert house.flat(tmp_path) == {}
    for number in range(house.MOST):
        (package / "wing" / f"other{number}.py").write_text("", encoding="utf-8")
    assert house.flat(tmp_path) == {"citadels_lan/wing": house.MOST + 5}
