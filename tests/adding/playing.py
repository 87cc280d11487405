"""Check a table with new cards or with a new edition.

    python -m tests.adding.playing '{"players": 4, "edition": "2016", "cast": […]}' [VERB…]

In random games, no card and no gold gets lost, views evolve like the states, and exactly the listed moves are
accepted. Both verifiers accept a game with commitments. A game in line mode is printed to its end in every
language. Prints the results of the second verifier and the lines of the games. Fails if a check fails, or if
no game offered one of the verbs.
"""

import asyncio
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import convert

from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import TableConfig, expand, parse
from citadels_lan.line_mode.streams import InputLines
from citadels_lan.line_mode.table import play_plain
from citadels_lan.presenter.launcher import Place
from citadels_lan.texts import LANGUAGES, load
from tests.crypto import table
from tests.engine import checks
from tests.engine.games import Game
from tests.extras import second
from tests.line_mode.test_lines import Reader
from tests.ui.fake import FakeSession

GAMES = range(3)


def random_games(config: TableConfig) -> Counter[str]:
    """Check several properties, each in some random games. Return how often each verb was offered."""
    verbs: Counter[str] = Counter()
    for seed in GAMES:
        checks.keeps_cards_and_gold(Game(seed, config))
        checks.square_commutes(Game(seed, config))
        checks.listed_is_accepted(Game(seed, config), every=0.2)
        verbs += listed_reads_back(Game(seed, config))
    return verbs


def listed_reads_back(game: Game) -> Counter[str]:
    """Check in a whole game that the notation of each listed move is parsed as the same move. Return how
    often each verb was offered."""
    offered: Counter[str] = Counter()
    while game.state.phase != "over":
        asked = game.asked()
        if asked is not None:
            seat, choices = asked
            for choice in choices:
                action = next(expand([choice]))
                assert parse(str(action), seat) == action, action
                offered[action.verb] += 1
        game.step()
    return offered


def proven(config: TableConfig) -> None:
    """Play a game with commitments. Check that both verifiers accept its transcripts."""
    game = table.begin(setup=config).play()
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{viewer}.ctr") for viewer in (0, config.players - 1, None)]
        for path, viewer in zip(paths, (0, config.players - 1, None), strict=True):
            path.write_bytes(game.transcript(viewer))
        report = verify(paths)
        assert report.code == 0, report
        assert second.check_paths(paths) == 0


async def in_lines(config: TableConfig, language: str) -> list[str]:
    """Return the lines of a whole game as line mode prints them in `language`."""
    session, reader = FakeSession(seed=1, config=config), Reader()
    code = await play_plain(Place(session), load(language), lines=InputLines(reader.source), out=reader.out)
    reader.close()
    assert (code, session.full_state.phase) == (0, "over")
    return reader.lines


def main(arguments: Sequence[str]) -> None:
    config = convert(json.loads(arguments[0]), TableConfig)
    verbs = random_games(config)
    assert all(verbs[verb] for verb in arguments[1:]), verbs
    proven(config)
    for language in LANGUAGES:
        for line in asyncio.run(in_lines(config, language)):
            assert not re.search(r"\{\w*\}|None", line), line
            print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
