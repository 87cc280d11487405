"""Copy the sources to a folder, prepared for mypyc. The build uses a copy, because mypyc writes its libraries
next to the sources, where Python would import them."""

import runpy
import shutil
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
FILES: Final = ("hatch_build.py", "pyproject.toml", "README.md", "LICENSE", ".gitignore", "release/manual.man")


def main(folder: Path) -> int:
    shutil.rmtree(folder, ignore_errors=True)
    left_out = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "*.mo")
    shutil.copytree(ROOT / "citadels_lan", folder / "citadels_lan", ignore=left_out)
    for name in FILES:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    engine, bots = folder / "citadels_lan" / "engine", folder / "citadels_lan" / "bots"
    runpy.run_path(str(ROOT / "native_data.py"))["main"](engine)
    runpy.run_path(str(ROOT / "native_once.py"))["main"]([engine / "edition.py", bots / "heuristics"])
    return 0
