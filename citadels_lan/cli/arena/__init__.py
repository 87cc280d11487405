"""`arena`: how strong a bot is, and how sure that is."""

import argparse
import secrets
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final

from citadels_lan.cli.console import Console
from citadels_lan.cli.failures import INTERRUPTED, REFUSED, Failure
from citadels_lan.cli.open.options import number, seed_bytes, set_up, table_options
from citadels_lan.cli.parsing import Parser

from .outcome import tell
from .request import at_fault, check_picture, question_of, who_plays, workers_of

if TYPE_CHECKING:
    from citadels_lan.bots.arena import Pairing, PlayedDeal, Question

EVERY: Final = 5.0
"""Seconds from one line of progress to the next."""


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.arguments.add_argument(
        "bots",
        metavar=say("LEVEL,…"),
        help=say("the bot in question, and those it plays against: one for all other seats, or one for each"),
    )
    parser.arguments.add_argument(
        "--plugin",
        metavar=say("FILE"),
        action="append",
        default=[],
        help=say(
            "a bot of your own, called as its file or folder is; it runs with all that you may do, so take only "
            "what you trust; may be said several times"
        ),
    )
    parser.arguments.add_argument(
        "--round-robin", action="store_true", help=say("each bot against tables of each other one")
    )
    table_options(parser, seed=True, bots=False)
    run = parser.add_argument_group(say("The run"))
    run.add_argument(
        "--deals", metavar="N", default="100", help=say("how many deals, each played once for every seat (100)")
    )
    run.add_argument(
        "--at-least",
        metavar="SHARE",
        help=say(
            "stop as soon as it is settled whether the first bot wins this share of the games, in percent; ends "
            "with 0 only where it does"
        ),
    )
    run.add_argument(
        "--margin", metavar="SHARE", help=say("so many percent less than --at-least are certainly not enough (5)")
    )
    run.add_argument("--jobs", metavar="J", default="1", help=say("how many processes play them (1)"))
    run.add_argument(
        "--dask", metavar="ADDRESS", help=say("the workers of this Dask scheduler play them (the extra `dask`)")
    )
    run.add_argument("--svg", metavar=say("OUT"), help=say("a picture of the strengths"))
    run.add_argument("--force", action="store_true", help=say("replace a picture that is there already"))
    run.add_argument("--json", action="store_true", help=say("the last line is one JSON object"))


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.bots.arena import Contest, Outcome, PluginFault, WorkersLost, play

    deals = number(console, "--deals", options.deals, 1, 1_000_000)
    question = question_of(console, options)
    seed = (seed_bytes(console, options.seed) or secrets.token_bytes(32)).hex().lstrip("0") or "0"
    config = set_up(console, options)
    check_picture(console, options)
    played: list[PlayedDeal] = []
    interrupted = False
    try:
        contenders, pairings = who_plays(console, options, config.players)
        contest = Contest(config, contenders, seed)
        with workers_of(console, options) as workers:
            try:
                heard = play(contest, pairings, deals, workers)
                _listen(heard, played, _watch(console, pairings, question, deals))
            except KeyboardInterrupt:
                interrupted = True
    except PluginFault as fault:
        raise at_fault(console, fault) from None
    except WorkersLost:
        raise Failure(REFUSED, console.texts.say("Those who played the games are gone: start it again.")) from None
    if not played:
        return INTERRUPTED
    code = tell(console, options, Outcome(contest, pairings, tuple(played)), question)
    return INTERRUPTED if interrupted else code


def _listen(
    heard: "Iterator[PlayedDeal]", played: "list[PlayedDeal]", watch: "Callable[[Sequence[PlayedDeal]], bool]"
) -> None:
    """Keep the deals as they come, until all are there or the question is settled."""
    for deal in heard:
        played.append(deal)
        if watch(played):
            return


def _watch(
    console: Console, pairings: "Sequence[Pairing]", question: "Question | None", deals: int
) -> "Callable[[Sequence[PlayedDeal]], bool]":
    """Says now and then how far it is, and knows when the question is settled."""
    from citadels_lan.bots.arena.results import shares

    won: list[float] = []
    said = monotonic()

    def watch(played: "Sequence[PlayedDeal]") -> bool:
        nonlocal said
        won.extend(shares(pairings[0], played[-1:]))
        if monotonic() - said >= EVERY:
            said = monotonic()
            console.complain(
                console.texts.say(
                    "{done} of {deals} deals, {share} % so far",
                    done=len(played), deals=deals, share=f"{100 * sum(won) / len(won):.1f}",
                )
            )  # fmt: skip
        return question is not None and question.settled(won) is not None

    return watch
