"""A file with the results of mutation testing, so that a long run can be stopped and continued."""

from collections.abc import Sequence
from pathlib import Path

from tools.mutation.mistakes import Mistake


class Kept:
    """For each mistake, by its name: the test that found it, or "" if none did. The file has a line for each
    mistake: the test, a tab, the name. If `path` is None, nothing is stored."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else []
        parts = [line.partition("\t") for line in lines]
        self.found = {name: found for found, _, name in parts}

    def note(self, one: Mistake, found: str | None) -> None:
        """Record which test found a mistake; None if none did."""
        self.found[one.name] = found or ""
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{found or ''}\t{one.name}\n")

    def of(self, mistakes: Sequence[Mistake]) -> list[str]:
        """Return the stored results of these mistakes; mistakes without a stored result are skipped."""
        return [self.found[one.name] for one in mistakes if one.name in self.found]
