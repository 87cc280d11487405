"""`simulate`: games without network and screen, for numbers."""

import argparse
import json
import secrets

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import DONE, REFUSED, Console
from citadels_lan.cli.open.options import bot_levels, number, seed_bytes, set_up, table_options
from citadels_lan.texts import msg


def arguments(parser: Parser) -> None:
    texts = parser.texts
    table_options(parser, seed=True)
    run = parser.add_argument_group(texts.say("The run"))
    run.add_argument("--games", metavar="N", default="100", help=texts.say("how many games (100)"))
    run.add_argument("--jobs", metavar="J", default="1", help=texts.say("how many processes play them (1)"))
    run.add_argument("--json", action="store_true", help=texts.say("the last line is one JSON object"))


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.bots.simulation import run as play_games

    games = number(console, "--games", options.games, 1, 1_000_000)
    jobs = number(console, "--jobs", options.jobs, 1, 256)
    seed = (seed_bytes(console, options.seed) or secrets.token_bytes(32)).hex().lstrip("0")
    config = set_up(console, options)
    levels = bot_levels(console, options.bots or "random", config.players)
    report = play_games(games, config, levels, seed, jobs)
    for failure in report.errors[:10]:
        console.complain(failure)
    figures = report.summary() | {"seed": seed, "cast": list(config.cast), "jobs": min(jobs, games)}
    if options.json:
        console.line(json.dumps(figures))
    else:
        for name, value in figures.items():
            shown = " ".join(map(str, value)) if isinstance(value, list) else value
            console.line(f"{name:20} {shown}")
        console.say(msg("A copy of the state is measured in the middle of a game; --json gives one line."))
    return REFUSED if report.stuck or report.errors else DONE
