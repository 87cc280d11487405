"""What came of an arena: as a table, for programs, and as a picture."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citadels_lan.cli.console import Console
from citadels_lan.cli.failures import DONE, REFUSED, Failure
from citadels_lan.texts import Texts, msg

if TYPE_CHECKING:
    from citadels_lan.bots.arena import Outcome, Question
    from citadels_lan.bots.arena.results import Strength, WinningShare


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
    from citadels_lan.bots.arena.sequential import BOUND, ERROR

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
    from citadels_lan.bots.arena.picture import picture
    from citadels_lan.front.past.saving import not_saved, save

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
