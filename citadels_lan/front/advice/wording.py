"""Chances and reasons in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from citadels_lan.bots.search.reasons import SHARES, reason
from citadels_lan.bots.search.weighing import Weighed
from citadels_lan.engine import State, parse
from citadels_lan.texts import Message, Texts, msg, msg_in, msgs
from citadels_lan.texts.choices.describe import describe

BECAUSE: Final[Mapping[str, Message]] = {
    "points": msgs(
        "The city then has {better} point at the end of the round, and not {worse}.",
        "The city then has {better} points at the end of the round, and not {worse}.",
    ),
    "later": msgs(
        "One turn after this round the city has {better} point, and not {worse}.",
        "One turn after this round the city has {better} points, and not {worse}.",
    ),
    "lead": msgs(
        "Against the best of the others that is then {better} point, and not {worse}.",
        "Against the best of the others that is then {better} points, and not {worse}.",
    ),
    "gold": msg("One turn after this round {name} has {better} gold left, and not {worse}."),
    "payable": msg(
        "The dearest district that {name} can then build soon costs {better} gold on average, and not {worse}."
    ),
    "cards": msgs(
        "One turn after this round {name} has {better} card in hand, and not {worse}.",
        "One turn after this round {name} has {better} cards in hand, and not {worse}.",
    ),
    "crown": msg("The crown is then won in {better} of 100 cases, and not in {worse}."),
    "types": msgs(
        "The city then has districts of {better} type, and not of {worse}.",
        "The city then has districts of {better} types, and not of {worse}.",
    ),
    "rival": msgs(
        "The best of the others then has {better} point at the end of the round, and not {worse}.",
        "The best of the others then has {better} points at the end of the round, and not {worse}.",
    ),
    "won": msg("The game then ends in this round, and is won, in {better} of 100 cases, and not in {worse}."),
}
"""What makes most of the difference between a better move and a worse one, by its figure. Some of it is told as it
stands after one more turn, by which moves are weighed (`bots/search/features`)."""
SIGNED: Final = ("lead",)
"""Figures that are above nought or below it."""
POINT: Final = msg_in("between whole and tenths", ".")
NOTHING_ALONE: Final = msg("It is many small things that make the difference.")


def percent(chance: float) -> str:
    """A chance as people read it. Nothing that was only tried is certain."""
    return f"{min(99, max(1, round(100 * chance)))} %"


def spoken(texts: Texts, move: Weighed, view: State, seat: int, names: Sequence[str]) -> str:
    """A move as its button says it."""
    return describe(texts, parse(move.line, seat), view, seat, names)


def because(texts: Texts, better: Weighed, worse: Weighed, name: str) -> str:
    """Why one move of a player is better than another that was weighed with it, in a sentence."""
    found = reason(worse.parts, better.end, worse.end)
    if found is None:
        return texts.say(NOTHING_ALONE)
    figures = (_figure(texts, found.figure, found.better), _figure(texts, found.figure, found.worse))
    count = 1 if figures[0].lstrip("+-") == "1" else 2
    return texts.say(BECAUSE[found.figure], better=figures[0], worse=figures[1], count=count, name=name)


def _figure(texts: Texts, figure: str, value: float) -> str:
    if figure in SHARES:
        return str(round(100 * value))
    said = f"{value:+.1f}" if figure in SIGNED else f"{value:.1f}"
    return said.removesuffix(".0").replace(".", texts.say(POINT))


def chances(texts: Texts, moves: Sequence[Weighed], view: State, seat: int, names: Sequence[str]) -> Iterator[str]:
    """Each move with its chance and how sure that is, the best first."""
    for move in moves:
        error = max(1, round(100 * move.error))
        yield f"{percent(move.chance):>5} ±{error:<2} {spoken(texts, move, view, seat, names)}"
