"""Writing a film of a terminal: an asciicast of version 2, which asciinema plays (docs.asciinema.org)."""

import json
from collections.abc import Iterable, Iterator


def asciicast(width: int, height: int, title: str, shown: Iterable[tuple[float, str]]) -> Iterator[str]:
    """The lines of the file: what it is, then when, in seconds from the beginning, a terminal is sent what."""
    yield json.dumps({"version": 2, "width": width, "height": height, "title": title}, ensure_ascii=False)
    for seconds, sent in shown:
        yield json.dumps([round(seconds, 3), "o", sent], ensure_ascii=False)
