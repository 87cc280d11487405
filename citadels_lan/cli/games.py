"""`games`: one's own games, finished and unfinished."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import DONE, Console
from citadels_lan.texts import msg

if TYPE_CHECKING:
    from citadels_lan.front.archive import PastGame


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.options.add_argument(
        "--statistics",
        action="store_true",
        help=say("what they come to: wins, points, characters"),
    )
    parser.options.add_argument("--json", action="store_true", help=say("the same as JSON"))
    parser.options.add_argument("--out", metavar="DIR", help=say("where the transcripts are"))
    parser.epilog = say("A game that this machine hosts goes on with `citadels-lan host --resume`.")


def run(console: Console, options: argparse.Namespace) -> int:
    import json

    from citadels_lan.cli.open.launcher import launcher_for
    from citadels_lan.front.archive import result, unfinished

    launcher = launcher_for(console, options)
    games = [*unfinished(launcher.data / "tables", handed=True), *launcher.finished()]
    if options.statistics:
        _statistics(console, launcher.finished(), as_json=options.json)
    elif options.json:
        console.line(json.dumps([_plain(game) for game in games], ensure_ascii=False))
    elif not games:
        console.say(msg("None yet: play one first."))
    else:
        for game in games:
            console.line(
                f"{game.date}  {', '.join(game.names) or '?'}: {result(console.texts, game)}  {game.path}"
            )
    return DONE


def _statistics(console: Console, games: "Sequence[PastGame]", *, as_json: bool) -> None:
    import json
    from dataclasses import asdict

    from citadels_lan.cli.statistics import own_games, statistics, statistics_lines

    found = statistics(own_games(games))
    for line in (
        [json.dumps(asdict(found), ensure_ascii=False)] if as_json else statistics_lines(console.texts, found)
    ):
        console.line(line)


def _plain(game: "PastGame") -> dict[str, object]:
    return {
        "date": game.when.isoformat(timespec="seconds"),
        "game": game.game,
        "players": list(game.names),
        "winners": list(game.winners),
        "round": game.round,
        "over": game.over,
        "ended": game.ended,
        "hosted": game.hosted,
        "file": str(game.path),
    }
