"""Replace @NAME@ in the repository by the values that only the publisher knows."""

import subprocess
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
VALUES: Final = ROOT / "release" / "publisher.toml"


def known() -> dict[str, str]:
    """Return the values by the names of their placeholders; "" for a value that the publisher has not
    given."""
    return {str(name): str(value) for name, value in tomllib.loads(VALUES.read_text(encoding="utf-8")).items()}


def main(_: Path) -> int:
    listed = subprocess.run(("git", "ls-files"), cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for path in (ROOT / name for name in listed.splitlines() if not name.startswith("tests/")):
        try:
            before = path.read_text(encoding="utf-8") if path != VALUES else ""
        except UnicodeDecodeError:
            continue
        after = before
        for name, value in known().items():
            after = after.replace(f"@{name}@", value or f"@{name}@")
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(path.relative_to(ROOT))
    unknown = [name for name, value in known().items() if not value]
    print(f"still unknown: {', '.join(unknown)}" if unknown else "All values are known.")
    return 0
