"""What is known of the mistakes that were tried, in a file, so that a long run can be stopped and goes on."""

from collections.abc import Sequence
from pathlib import Path

from tools.mutation.mistakes import Mistake


class Kept:
    """What found each mistake, by name; empty where nothing did. The file has a line for each: what found it, a
    tab, its name. Without a file nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else []
        parts = [line.partition("\t") for line in lines]
        self.found = {name: found for found, _, name in parts}

    def note(self, one: Mistake, found: str | None) -> None:
        """Remember what found one."""
        self.found[one.name] = found or ""
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{found or ''}\t{one.name}\n")

    def of(self, mistakes: Sequence[Mistake]) -> list[str]:
        """What found those that are known."""
        return [self.found[one.name] for one in mistakes if one.name in self.found]
