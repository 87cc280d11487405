"""`arena`: how strong is a bot? Matches between bots, also your own plug-ins."""

import argparse
import json
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import DONE, INTERRUPTED, REFUSED, UNREADABLE, Console, Failure
from citadels_lan.cli.open.options import not_one_of, number, seed_bytes, set_up, table_options
from citadels_lan.texts import Message, Texts, msg

if TYPE_CHECKING:
    from citadels_lan.bots.arena import Contender, Outcome, Pairing, PlayedDeal, PluginFault, Question, Workers
    from citadels_lan.bots.arena.results import Strength, WinningShare

MARGIN: Final = "5"
SCHEDULER: Final = re.compile(r"(tcp://|tls://)?[^\s/]+:[0-9]{1,5}")

FAULTS: Final[dict[str, Message]] = {
    "bad_name": msg("The plug-in {name} cannot be called so: letters, digits and _ make a name, 32 at most."),
    "unreadable": msg("The plug-in {name} cannot be read: {detail}."),
    "not_loaded": msg("The plug-in {name} cannot be loaded: {detail}."),
    "no_choose": msg("The plug-in {name} has no function `choose`; docs/bots.md shows one."),
    "raised": msg("The plug-in {name} failed: {detail}."),
    "no_action": msg("The plug-in {name} returned no action but a value of type {detail}."),
    "illegal": msg("The plug-in {name} played what the rules refuse: {detail}."),
}


def question_of(console: Console, options: argparse.Namespace) -> "Question | None":
    """What is to be settled, where something is. Raises Failure."""
    from citadels_lan.bots.arena import Question

    if options.at_least is None:
        if options.margin is not None:
            raise console.wrong(msg("--margin belongs to --at-least, and needs it."))
        return None
    if options.round_robin:
        raise console.wrong(msg("--at-least asks for one bot, and --round-robin plays them all: choose one."))
    share = _percent_typed(console, "--at-least", options.at_least)
    margin = _percent_typed(console, "--margin", options.margin or MARGIN)
    if margin >= share:
        raise console.wrong(msg("--margin is less than --at-least."))
    return Question(share, margin)


def _percent_typed(console: Console, option: str, word: str) -> float:
    try:
        value = float(word) if word.isascii() else 0.0
    except ValueError:
        value = 0.0
    if not 0.1 <= value <= 99.9:
        raise console.wrong(msg("{option} is a number of percent from 0.1 to 99.9."), option=option)
    return value / 100


def check_picture(console: Console, options: argparse.Namespace) -> None:
    """Raises Failure before anything is played where the picture could not be kept."""
    if options.svg is None:
        if options.force:
            raise console.wrong(msg("--force replaces a picture: say which, with --svg."))
        return
    if Path(options.svg).exists() and not options.force:
        said = msg("There is a file {path} already; --force replaces it.")
        raise Failure(REFUSED, console.texts.say(said, path=options.svg))


def who_plays(
    console: Console, options: argparse.Namespace, players: int
) -> "tuple[tuple[Contender, ...], tuple[Pairing, ...]]":
    """The bots, each once, and who plays whom. Raises PluginFault."""
    from citadels_lan.bots import LEVELS
    from citadels_lan.bots.arena import Contender, read_plugin
    from citadels_lan.bots.arena.match import against
    from citadels_lan.bots.arena.plugins import function_of

    names = [name.strip() for name in options.bots.split(",")]
    known = {name: Contender(name) for name in (*LEVELS, *names) if name in LEVELS}
    for path in options.plugin:
        plugin = read_plugin(Path(path).expanduser())
        if plugin.name in known:
            raise console.wrong(
                msg("There is a bot {name} already: give the plug-in another name."), name=plugin.name
            )
        function_of(plugin)
        known[plugin.name] = Contender(plugin.name, plugin)
    for name in names:
        if name not in known:
            raise not_one_of(console, "arena", name, known)
    distinct = tuple(dict.fromkeys(names))
    contenders = tuple(known[name] for name in distinct)
    if options.round_robin:
        if len(names) < 2 or len(distinct) != len(names):
            raise console.wrong(msg("--round-robin is played by two bots or more, each named once."))
        return contenders, tuple(against(len(names), players))
    if len(names) not in (2, players):
        raise console.wrong(
            msg(
                "arena takes a bot and those it plays against: one for all other seats, or one for each of the "
                "{others}; {named} are named."
            ),
            others=players - 1, named=len(names) - 1,
        )  # fmt: skip
    hero, *others = (distinct.index(name) for name in names)
    return contenders, ((hero, *(others if len(others) == players - 1 else others * (players - 1))),)


def workers_of(console: Console, options: argparse.Namespace) -> "Workers":
    """Who plays. Raises Failure where nobody can."""
    from citadels_lan.bots.arena.workers import OtherVersion, Workers

    jobs = number(console, "--jobs", options.jobs, 1, 256)
    if options.dask is None:
        return Workers.here(jobs)
    if jobs != 1:
        raise console.wrong(msg("--jobs and --dask both say who plays: choose one."))
    if SCHEDULER.fullmatch(options.dask) is None:
        raise console.wrong(msg("--dask takes the address of a scheduler, such as tcp://192.168.1.20:8786."))
    try:
        return Workers.dask(options.dask)
    except ImportError:
        raise console.wrong(
            msg("--dask needs {package}, which is not installed: `pip install 'citadels-lan[dask]'` installs it."),
            package="distributed",
        ) from None
    except OtherVersion as reason:
        said = msg("A worker has another version of this program ({reason}): all need the same.")
        raise Failure(REFUSED, console.texts.say(said, reason=reason)) from None
    except (OSError, ValueError):
        said = msg("No Dask scheduler with workers answers at {address}.")
        raise Failure(REFUSED, console.texts.say(said, address=options.dask)) from None


def at_fault(console: Console, fault: "PluginFault") -> Failure:
    """What is wrong with a plug-in, in a sentence that names it."""
    code = UNREADABLE if fault.code in ("unreadable", "not_loaded", "no_choose") else REFUSED
    return Failure(code, console.texts.say(FAULTS[fault.code], name=fault.plugin, detail=fault.detail))


def tell(console: Console, options: argparse.Namespace, outcome: "Outcome", question: "Question | None") -> int:
    """Print it, draw it, and say by the exit code whether the share is reached, where that was asked."""
    stuck = sum(match.stuck for match in outcome.matches())
    if stuck:
        console.complain(console.texts.say("{stuck} games went nowhere, and nobody won them.", stuck=stuck))
    if options.svg is not None:
        _draw(console, options, outcome)
    if options.json:
        console.line(json.dumps(_figures(outcome, question)))
    else:
        for line in _lines(console.texts, outcome):
            console.line(line)
        if question is not None:
            console.line(_answer(console.texts, question, outcome.won))
    return REFUSED if question is not None and question.settled(outcome.won) != "at_least" else DONE


def _lines(texts: Texts, outcome: "Outcome") -> Iterator[str]:
    """For people: what was played, a table for each match, and where there are several, one of all."""
    say, config, matches = texts.say, outcome.contest.config, outcome.matches()
    yield say(
        "{edition}, {players} players, {deals} deals, each played once for every seat: {games} games in a match, "
        "{moves} moves in a game; par is {par} %.",
        edition=config.named, players=config.players, deals=len(outcome.deals), games=matches[0].games,
        moves=f"{sum(match.moves for match in matches) / len(matches):.0f}", par=_percent(outcome.par),
    )  # fmt: skip
    titles = [
        say("bot"), say("wins, %"), say("with 95 %"), say("points"), say("thinks, ms"), say("95 of 100, ms"),
        say("decisions"),
    ]  # fmt: skip
    for match in matches:
        yield ""
        yield from _table([titles, *map(_row, match.rows)])
    if len(matches) > 1:
        yield ""
        yield from _table(_round_robin(texts, outcome))
    yield ""
    yield say("Seed {seed} plays the same games again.", seed=outcome.contest.seed)


def _row(strength: "Strength") -> list[str]:
    return [
        strength.bot, _percent(strength.share), _between(strength), f"{strength.points:.1f}",
        _milliseconds(strength.thought), _milliseconds(strength.long_thought), f"{strength.decisions:.0f}",
    ]  # fmt: skip


def _round_robin(texts: Texts, outcome: "Outcome") -> list[list[str]]:
    """Each bot's share against tables of each other one, and over all of them."""
    names = [contender.name for contender in outcome.contest.contenders]
    won = {match.pairing[:2]: _percent(match.rows[0].share) for match in outcome.matches()}
    table = [[texts.say("wins, %, against"), *names, texts.say("all"), texts.say("with 95 %")]]
    for hero, overall in enumerate(outcome.strengths()):
        against = [won.get((hero, other), "") for other in range(len(names))]
        table.append([overall.bot, *against, _percent(overall.share), _between(overall)])
    return table


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join(cells).rstrip()


def _answer(texts: Texts, question: "Question", won: list[float]) -> str:
    """What the sequential test says, and what it would be wrong about."""
    from citadels_lan.bots.arena.results import BOUND, ERROR

    answers = {
        "at_least": msg("It wins {share} % at least: settled after {deals} deals."),
        "less": msg("It wins less than {share} %: settled after {deals} deals."),
        None: msg("Whether it wins {share} % is not settled after {deals} deals."),
    }
    share, less = _percent(question.share), _percent(question.share - question.margin)
    said = texts.say(answers[question.settled(won)], share=share, deals=len(won))
    bounds = texts.say(
        "(A sequential test over the deals of {share} % against {less} %, alpha = beta = {error}: it ends at "
        "±{bound}, and stands at {ratio}.)",
        share=share, less=less, error=ERROR, bound=f"{BOUND:.2f}", ratio=f"{question.ratio(won):.2f}",
    )  # fmt: skip
    return f"{said} {bounds}"


def _figures(outcome: "Outcome", question: "Question | None") -> dict[str, object]:
    """For programs: shares are parts of 1, times are seconds. All but the times is the same for the same games."""
    from msgspec import to_builtins

    config = outcome.contest.config
    found: dict[str, object] = {
        "edition": config.edition, "options": dict(config.options), "players": config.players,
        "cast": list(config.cast), "seed": outcome.contest.seed, "deals": len(outcome.deals), "par": outcome.par,
        "digest": outcome.digest(), "matches": [to_builtins(match) for match in outcome.matches()],
        "bots": [contender.name for contender in outcome.contest.contenders],
    }  # fmt: skip
    if len(outcome.pairings) > 1:
        found["overall"] = [to_builtins(strength) for strength in outcome.strengths()]
    return found if question is None else found | {"test": question.figures(outcome.won)}


def _draw(console: Console, options: argparse.Namespace, outcome: "Outcome") -> None:
    from citadels_lan.bots.arena.results import picture
    from citadels_lan.front.retelling import not_saved, save

    say, config = console.texts.say, outcome.contest.config
    title = say("Games won, {edition}, {players} players", edition=config.named, players=config.players)
    drawn = picture(title, outcome.strengths(), outcome.par, say("par"))
    path = Path(options.svg)
    try:
        save(path, drawn.splitlines(), replace=options.force)
    except OSError as reason:
        raise Failure(REFUSED, not_saved(console.texts, path, reason)) from None


def _between(share: "WinningShare") -> str:
    return f"{_percent(share.low)} – {_percent(share.high)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2f}" if seconds < 0.1 else f"{1000 * seconds:.0f}"


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
