"""`games`: the games of this computer, finished and unfinished, and statistics: wins, characters, opponents."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from citadels_lan.cli.console import DONE, Console
from citadels_lan.cli.profiles import transcripts_folder
from citadels_lan.platform.files import data_folder
from citadels_lan.presenter.archive import PastGame, result, transcripts, unfinished
from citadels_lan.presenter.statistics import own_games, statistics, statistics_lines
from citadels_lan.presenter.symbols import suitable
from citadels_lan.texts import msg


def games(console: Console, options: argparse.Namespace) -> int:
    """Print the games, or the statistics of the finished ones."""
    out = transcripts_folder() if options.out is None else Path(options.out).expanduser()
    past = [*unfinished(data_folder() / "tables", handed=True), *transcripts(out)]
    if options.statistics:
        counted = statistics(own_games(past))
        as_json = [json.dumps(asdict(counted), ensure_ascii=False)]
        for line in as_json if options.json else statistics_lines(console.texts, counted, suitable()):
            console.line(line)
    elif options.json:
        console.line(json.dumps([_figures(game) for game in past], ensure_ascii=False))
    elif not past:
        console.say(msg("None yet: play one first."))
    else:
        for game in past:
            names = ", ".join(game.names) or "?"
            console.line(f"{game.date}  {names}: {result(console.texts, game)}  {game.path}")
    return DONE


def _figures(game: PastGame) -> dict[str, object]:
    return {
        "date": game.when.isoformat(timespec="seconds"), "game": game.game, "players": list(game.names),
        "winners": list(game.winners), "round": game.round, "over": game.over, "ended": game.ended,
        "hosted": game.hosted, "file": str(game.path),
    }  # fmt: skip
