"""What must hold at a table, whatever is new at it.

    python -m tests.adding.playing '{"players": 4, "edition": "2016", "cast": […]}' [VERB…]

Random games keep cards and gold, their views commute, what is listed is accepted; a game with commitments is
verified by both verifiers; a game in lines is told to its end in every language. Prints what the second verifier
says and the lines of the games; fails where something does not hold, or where no game had one of the verbs.
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
from citadels_lan.front.launcher import Place
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import LANGUAGES, load
from tests.crypto import table
from tests.engine import checks
from tests.engine.games import Game
from tests.extras import second
from tests.ui.fake import FakeSession
from tests.ui.test_plain import Reader

GAMES = range(3)


def random_games(config: TableConfig) -> Counter[str]:
    """Three properties, each of some games; the verbs that were said."""
    verbs: Counter[str] = Counter()
    for seed in GAMES:
        checks.keeps_cards_and_gold(Game(seed, config))
        checks.square_commutes(Game(seed, config))
        checks.listed_is_accepted(Game(seed, config), every=0.2)
        verbs += listed_reads_back(Game(seed, config))
    return verbs


def listed_reads_back(game: Game) -> Counter[str]:
    """Every move of a game reads back as it is written; how often each verb was offered."""
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
    """A game with commitments, and what both verifiers say of its transcripts."""
    game = table.begin(setup=config).play()
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{viewer}.ctr") for viewer in (0, config.players - 1, None)]
        for path, viewer in zip(paths, (0, config.players - 1, None), strict=True):
            path.write_bytes(game.transcript(viewer))
        report = verify(paths)
        assert report.code == 0, report
        assert second.check_paths(paths) == 0


async def in_lines(config: TableConfig, language: str) -> list[str]:
    """A game as `--plain` prints it."""
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
