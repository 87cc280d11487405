"""`arena` and `simulate`: games between bots, to measure the strength of bots (also plug-ins) and the speed of
games."""

import argparse
import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Final

from msgspec import to_builtins

from citadels_lan.bots import LEVELS
from citadels_lan.bots import arena as matches
from citadels_lan.bots.arena.match import against
from citadels_lan.bots.arena.plugins import function_of
from citadels_lan.bots.arena.results import BOUND, ERROR, Strength, WinningShare, picture, shares
from citadels_lan.bots.arena.workers import OtherVersion, WorkersLost
from citadels_lan.bots.simulation import run as play_games
from citadels_lan.cli.console import DONE, INTERRUPTED, REFUSED, UNREADABLE, Console
from citadels_lan.cli.game_config import game_config, levels_of_seats, not_one_of
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.tables import table

EVERY: Final = 5.0
"""Seconds between two lines of progress."""
FAULTS: Final = table("refusals.toml", "plugins", str)
"""For each fault code of a plug-in: the sentence that says what is wrong with the plug-in."""


def simulate(console: Console, options: argparse.Namespace) -> int:
    """Play games without network and screen, print figures about them, and return the exit code."""
    config = game_config(console, options)
    levels = levels_of_seats(console, options.bots or ("random",), config.players)
    seed = _seed(options)
    report = play_games(options.games, config, levels, seed, options.jobs)
    for failure in report.errors[:10]:
        console.complain(failure)
    jobs = min(options.jobs, options.games)
    figures = report.summary() | {"seed": seed, "cast": list(config.cast), "jobs": jobs}
    if options.json:
        console.line(json.dumps(figures))
    else:
        lists = {name: " ".join(map(str, value)) for name, value in figures.items() if isinstance(value, list)}
        console.table(list((figures | lists).items()))
    return REFUSED if report.stuck or report.errors else DONE


def arena(console: Console, options: argparse.Namespace) -> int:
    """Play matches, print the strengths, and return the exit code: 1 if a bot does not reach `--at-least`."""
    question = _question(console, options)
    config = game_config(console, options)
    if options.svg is not None:
        console.require_free(options.svg, replace=options.force)
    elif options.force:
        raise console.failure(msg("--force replaces an existing picture. Use it with --svg."))
    played: list[matches.PlayedDeal] = []
    interrupted = False
    try:
        contenders, pairings = _contenders(console, options, config.players)
        contest = matches.Contest(config, contenders, _seed(options))
        with _workers(console, options) as workers:
            follow = _progress(console, pairings, question, options.deals)
            try:
                for deal in matches.play(contest, pairings, options.deals, workers):
                    played.append(deal)
                    if follow(deal):
                        break
            except KeyboardInterrupt:  # The games so far are reported.
                interrupted = True
    except matches.PluginFault as fault:
        code = UNREADABLE if fault.code in ("unreadable", "not_loaded", "no_choose") else REFUSED
        raise console.failure(FAULTS[fault.code], code, name=fault.plugin, detail=fault.detail) from None
    except WorkersLost:
        text = msg("The processes that played the games stopped. Run the command again.")
        raise console.failure(text, REFUSED) from None
    if not played:
        return INTERRUPTED
    code = _report(console, options, matches.Outcome(contest, pairings, tuple(played)), question)
    return INTERRUPTED if interrupted else code


def _seed(options: argparse.Namespace) -> str:
    return (options.seed or secrets.token_bytes(32)).hex().lstrip("0") or "0"


def _question(console: Console, options: argparse.Namespace) -> matches.Question | None:
    """Return the hypothesis that `--at-least` and `--margin` ask to test; None without these options. Raises
    Failure."""
    if options.at_least is None:
        if options.margin is not None:
            raise console.failure(msg("--margin needs --at-least."))
        return None
    margin = options.margin or 5.0
    if margin >= options.at_least:
        raise console.failure(msg("--margin must be less than --at-least."))
    return matches.Question(options.at_least / 100, margin / 100)


def _contenders(
    console: Console, options: argparse.Namespace, players: int
) -> tuple[tuple[matches.Contender, ...], tuple[matches.Pairing, ...]]:
    """Return the bots that `--plugin` and the list of bots name, each once, and the pairings in which they
    play. Raises Failure, PluginFault."""
    names = [name.strip() for name in options.bots.split(",")]
    bots = {name: matches.Contender(name) for name in LEVELS}
    for path in options.plugin:
        plugin = matches.read_plugin(Path(path).expanduser())
        if plugin.name in bots:
            text = msg("A bot named {name} exists already. Give the plug-in another name.")
            raise console.failure(text, name=plugin.name)
        function_of(plugin)  # An error in the plug-in is reported before any game.
        bots[plugin.name] = matches.Contender(plugin.name, plugin)
    for name in names:
        if name not in bots:
            raise not_one_of(console, "arena", name, bots)
    distinct = tuple(dict.fromkeys(names))
    contenders = tuple(bots[name] for name in distinct)
    if options.round_robin:
        if len(names) < 2 or len(distinct) != len(names):
            raise console.failure(msg("--round-robin needs at least two different bots."))
        return contenders, tuple(against(len(names), players))
    if len(names) not in (2, players):
        text = msg(
            "Name a bot and its opponents: one for all other seats, or one for each of the {others}. You "
            "named {named}."
        )
        raise console.failure(text, others=players - 1, named=len(names) - 1)
    hero, *others = (distinct.index(name) for name in names)
    return contenders, ((hero, *(others if len(others) == players - 1 else others * (players - 1))),)


def _workers(console: Console, options: argparse.Namespace) -> matches.Workers:
    """Return the processes of this computer or, with `--dask`, the remote machines that play the games.
    Raises Failure."""
    if options.dask is None:
        return matches.Workers.here(options.jobs)
    try:
        return matches.Workers.dask(options.dask)
    except ImportError:
        text = msg("--dask needs {package}. Install it with `pip install 'citadels-lan[dask]'`.")
        raise console.failure(text, package="distributed") from None
    except OtherVersion as reason:
        text = msg("A worker has another version of this program ({reason}). Install the same version everywhere.")
        raise console.failure(text, REFUSED, reason=reason) from None
    except (OSError, ValueError):
        text = msg("No Dask scheduler with workers answers at {address}. Check the address.")
        raise console.failure(text, REFUSED, address=options.dask) from None


def _progress(
    console: Console, pairings: Sequence[matches.Pairing], question: matches.Question | None, deals: int
) -> Callable[[matches.PlayedDeal], bool]:
    """Return a function that receives each played deal, prints the progress every EVERY seconds, and returns
    True once `question` is answered."""
    won: list[float] = []
    printed = monotonic()

    def follow(deal: matches.PlayedDeal) -> bool:
        nonlocal printed
        won.extend(shares(pairings[0], [deal]))
        if monotonic() - printed >= EVERY:
            printed = monotonic()
            text, share = msg("{done} of {deals} deals, {share}% so far"), _percent(sum(won) / len(won))
            console.complain(console.texts.say(text, done=len(won), deals=deals, share=share))
        return question is not None and question.settled(won) is not None

    return follow


def _report(
    console: Console, options: argparse.Namespace, outcome: matches.Outcome, question: matches.Question | None
) -> int:
    """Print the outcome, draw its picture if one is wanted, and return the exit code."""
    stuck = sum(match.stuck for match in outcome.matches())
    if stuck:
        console.complain(console.texts.say("{stuck} games did not end and have no winner.", stuck=stuck))
    if options.svg is not None:
        say, config = console.texts.say, outcome.contest.config
        title = say("Games won, {edition}, {players} players", edition=config.named, players=config.players)
        drawing = picture(title, outcome.strengths(), outcome.par, say("even share"))
        console.save(options.svg, drawing.splitlines(), replace=options.force)
    if options.json:
        console.line(json.dumps(_figures(outcome, question)))
    else:
        _print(console, outcome)
        if question is not None:
            console.line(_answer(console.texts, question, outcome.won))
    return REFUSED if question is not None and question.settled(outcome.won) != "at_least" else DONE


def _print(console: Console, outcome: matches.Outcome) -> None:
    """Print the settings of the match and one result table for each pairing. If there are several pairings,
    also print a table with the overall results."""
    say, config, reports = console.texts.say, outcome.contest.config, outcome.matches()
    console.say(
        msg(
            "{edition}, {players} players. Each of {deals} deals is played once from every seat: {games} "
"games in a match, {moves} moves in a game. An even share is {par}%."
        ),
        edition=config.named, players=config.players, deals=len(outcome.deals), games=reports[0].games,
        moves=f"{sum(match.moves for match in reports) / len(reports):.0f}", par=_percent(outcome.par),
    )  # fmt: skip
    titles = [
        say("bot"), say("wins, %"), say("95% range"), say("points"), say("thinking, ms"), say("95th pct., ms"),
        say("decisions"),
    ]  # fmt: skip
    for match in reports:
        console.line()
        console.table([titles, *map(_row, match.rows)], numbers=True)
    if len(reports) > 1:
        console.line()
        console.table(list(_round_robin(console.texts, outcome)), numbers=True)
    console.line()
    console.say(msg("Use seed {seed} to play the same games again."), seed=outcome.contest.seed)


def _row(strength: Strength) -> list[str]:
    return [
        strength.bot, _percent(strength.share), _between(strength), f"{strength.points:.1f}",
        _milliseconds(strength.thought), _milliseconds(strength.long_thought), f"{strength.decisions:.0f}",
    ]  # fmt: skip


def _round_robin(texts: Texts, outcome: matches.Outcome) -> Iterator[list[str]]:
    """Yield the rows of a text table: first the headings, then for each bot its wins (%) at tables with each
    other bot, and over all games."""
    names = [contender.name for contender in outcome.contest.contenders]
    won = {match.pairing[:2]: _percent(match.rows[0].share) for match in outcome.matches()}
    yield [texts.say("wins (%) against"), *names, texts.say("all"), texts.say("95% range")]
    for hero, overall in enumerate(outcome.strengths()):
        shares_won = [won.get((hero, other), "") for other in range(len(names))]
        yield [overall.bot, *shares_won, _percent(overall.share), _between(overall)]


def _answer(texts: Texts, question: matches.Question, won: list[float]) -> str:
    """Return the sentence with the result of the sequential test and the error rates of the test."""
    answers = {
        "at_least": msg("The bot wins at least {share}% of games: settled after {deals} deals."),
        "less": msg("The bot wins less than {share}% of games: settled after {deals} deals."),
        None: msg("Not settled after {deals} deals: whether the bot wins {share}% of games."),
    }
    share, less = _percent(question.share), _percent(question.share - question.margin)
    answer = texts.say(answers[question.settled(won)], share=share, deals=len(won))
    bounds = texts.say(
        "(Sequential test of {share}% against {less}% over the deals, alpha = beta = {error}. Limits: "
"±{bound}, now: {ratio}.)",
        share=share, less=less, error=ERROR, bound=f"{BOUND:.2f}", ratio=f"{question.ratio(won):.2f}",
    )  # fmt: skip
    return f"{answer} {bounds}"


def _figures(outcome: matches.Outcome, question: matches.Question | None) -> dict[str, object]:
    """Return the outcome as data: shares are from 0 to 1, times are in seconds. Equal games give equal data,
    except for the times."""
    config = outcome.contest.config
    figures: dict[str, object] = {
        "edition": config.edition, "options": dict(config.options), "players": config.players,
        "cast": list(config.cast), "seed": outcome.contest.seed, "deals": len(outcome.deals), "par": outcome.par,
        "digest": outcome.digest(), "matches": to_builtins(outcome.matches()),
        "bots": [contender.name for contender in outcome.contest.contenders],
    }  # fmt: skip
    if len(outcome.pairings) > 1:
        figures["overall"] = to_builtins(outcome.strengths())
    return figures if question is None else figures | {"test": question.figures(outcome.won)}


def _between(share: WinningShare) -> str:
    return f"{_percent(share.low)} – {_percent(share.high)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2f}" if seconds < 0.1 else f"{1000 * seconds:.0f}"
