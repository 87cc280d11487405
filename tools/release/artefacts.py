"""Build what is published: wheel, sdist, an archive that runs on the Python of this system, a single file that
needs none, the Homebrew formula and the AUR PKGBUILD. Needs the extra `release`, and a package index."""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PLATFORM: Final = sysconfig.get_platform().replace("-", "_").replace(".", "_")
PYTHON: Final = f"cp{sys.version_info.major}{sys.version_info.minor}"
SUFFIX: Final = ".exe" if os.name == "nt" else ""
FORMULAS: Final = ("homebrew/citadels-lan.rb", "aur/PKGBUILD")
LAZY: Final = ("citadels_lan", "textual", "zeroconf", "rich._unicode_data")
"""Packages that import some of their modules by name, where PyInstaller does not see them."""


def main(folder: Path) -> int:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # The same sources make the same bytes: files have the date of the commit.
    os.environ.setdefault("SOURCE_DATE_EPOCH", _commit_date())
    _run("-m", "build", "--outdir", str(folder), str(ROOT))
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    _check_reproducible(wheel)
    version = sdist.name.removesuffix(".tar.gz").rpartition("-")[2]
    _archive(wheel, folder / f"citadels-lan-{version}-{PYTHON}-{PLATFORM}.pyz")
    _single_file(wheel, folder / f"citadels-lan-{version}-{PLATFORM}{SUFFIX}")
    for name in FORMULAS:
        text = (ROOT / "release" / name).read_text(encoding="utf-8")
        text = text.replace("@version@", version).replace("@sha256@", _digest(sdist))
        (folder / Path(name).name).write_text(text, encoding="utf-8")
    published = sorted(path for path in folder.iterdir() if path.name.startswith("citadels"))
    sums = "".join(f"{_digest(path)}  {path.name}\n" for path in published)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    for path in published:
        print(f"{path.stat().st_size / 1e6:7.2f} MB  {_digest(path)[:16]}  {path.name}")
    return 0


def _check_reproducible(wheel: Path) -> None:
    """Build the wheel again, from the checkout and not from the sdist, and compare the bytes."""
    with tempfile.TemporaryDirectory() as again:
        _run("-m", "build", "--wheel", "--outdir", again, str(ROOT))
        assert _digest(Path(again, wheel.name)) == _digest(wheel), "a second build gives another wheel"


def _archive(wheel: Path, path: Path) -> None:
    """Make an archive that runs on the Python of the system. The option -E is needed because web guests are
    other processes of Python, which must find the archive's packages."""
    options = ("-E", "--compressed", "--reproducible", "-c", "citadels-lan", "-p", "/usr/bin/env python3")
    _run("-m", "shiv", *options, "-o", str(path), f"citadels-lan[web] @ {wheel.as_uri()}", "--quiet")


def _single_file(wheel: Path, path: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pyinstaller")
        subprocess.run((python, *pip, f"citadels-lan[web] @ {wheel.as_uri()}"), check=True)
        main = folder / "main.py"
        main.write_text("import sys\nfrom citadels_lan.__main__ import run\n\nsys.exit(run())\n", encoding="utf-8")
        lazy = (word for package in LAZY for word in ("--collect-submodules", package))
        options = ("--onefile", "--clean", "--noconfirm", "--log-level", "ERROR", "--name", path.name, *lazy)
        places = ("--distpath", str(path.parent), "--workpath", str(folder / "work"), "--specpath", name)
        subprocess.run(
            (python, "-m", "PyInstaller", *options, "--collect-data", "citadels_lan", *places, main),
            check=True, cwd=name,
        )  # fmt: skip


def _run(*arguments: str) -> None:
    subprocess.run((sys.executable, *arguments), check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def _commit_date() -> str:
    git = ("git", "log", "-1", "--format=%ct")
    return subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
