"""The notices of the log: each text of `notices.toml` is used, and each that is used exists."""

import re
from pathlib import Path

from citadels_lan.front import acquaintances, log, pending
from citadels_lan.texts.tables import sentences

USED = re.compile(r'\bnotice(?:_text)?\(\s*"(\w+)"')


def test_every_table_of_notices_is_used_and_every_key_is_named() -> None:
    sources = "".join(Path(str(module.__file__)).read_text("utf-8") for module in (acquaintances, log, pending))
    game = Path(str(log.__file__)).with_name("game.py").read_text("utf-8")
    tables = sentences("citadels_lan.front", "notices.toml")
    assert set(USED.findall(sources + game)) == set(tables)
    for table in tables.values():
        for key in table:
            stem = key.removesuffix("_you").removesuffix("_by_host")
            assert f'"{stem}"' in sources + game or f'"{key}"' in sources + game, key
