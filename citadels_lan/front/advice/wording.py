"""Moves, their chances and the reason for the better one, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from citadels_lan.bots.search.reasons import SHARES, reason
from citadels_lan.bots.search.weighing import Weighed
from citadels_lan.engine import State, parse
from citadels_lan.engine.actions import Pick
from citadels_lan.texts import Message, Texts, msg, msg_in, msgs
from citadels_lan.texts.choices.describe import describe

WHY: Final[Mapping[str, Message]] = {
    "points": msgs(
        "Why: {city} ends the round with {better} point; with {other}, {worse}.",
        "Why: {city} ends the round with {better} points; with {other}, {worse}.",
    ),
    "later": msgs(
        "Why: one turn later {city} has {better} point; with {other}, {worse}.",
        "Why: one turn later {city} has {better} points; with {other}, {worse}.",
    ),
    "lead": msg("Why: the lead over the best opponent is {better} after this round; with {other}, {worse}."),
    "gold": msg("Why: one turn later {better} gold is left; with {other}, {worse}."),
    "payable": msg(
        "Why: the most expensive district in reach soon costs {better} gold on average; with {other}, {worse}."
    ),
    "cards": msgs(
        "Why: one turn later there is {better} card in hand; with {other}, {worse}.",
        "Why: one turn later there are {better} cards in hand; with {other}, {worse}.",
    ),
    "crown": msg("Why: the chance to get the crown is {better} %; with {other}, {worse} %."),
    "types": msgs(
        "Why: {city} ends the round with {better} district type; with {other}, {worse}.",
        "Why: {city} ends the round with {better} district types; with {other}, {worse}.",
    ),
    "rival": msgs(
        "Why: the best opponent ends the round with {better} point; with {other}, {worse}.",
        "Why: the best opponent ends the round with {better} points; with {other}, {worse}.",
    ),
    "won": msg("Why: the chance to win in this round is {better} %; with {other}, {worse} %."),
}
"""What makes most of the difference between two moves, by its figure (see `RoundEnd`). `better` belongs to
the better move, which the line before names, `worse` to `other`."""
SIGNED: Final = ("lead",)
"""Figures that can be below zero."""
POINT: Final = msg_in("between whole and tenths", ".")
MANY_REASONS: Final = msg("Why: many small differences add up.")


def percent(chance: float) -> str:
    """A chance as people read it: an estimate is never certain."""
    return f"{min(99, max(1, round(100 * chance)))} %"


@dataclass(frozen=True)
class Wording:
    """Puts the weighed moves of a decision of `seat` into words. `own`: the reader is that player."""

    texts: Texts
    view: State
    seat: int
    names: Sequence[str]
    own: bool = False

    def label(self, move: Weighed) -> str:
        """A move as its button says it."""
        return describe(self.texts, parse(move.line, self.seat), self.view, self.seat, self.names)

    def rated(self, move: Weighed) -> str:
        """A move with its chance to win; of a character that is chosen, its name alone."""
        character = self._chosen(move)
        name = self.texts.character(character) if character else self.label(move)
        return f"{name} ({percent(move.chance)})"

    def why(self, better: Weighed, worse: Weighed) -> str:
        """Why one move is better than another that was weighed in the same worlds."""
        found = reason(worse.parts, better.end, worse.end)
        if found is None:
            return self.texts.say(MANY_REASONS)
        figure = self._figure(found.figure, found.better)
        return self.texts.say(
            WHY[found.figure],
            better=figure,
            worse=self._figure(found.figure, found.worse),
            count=1 if figure == "1" else 2,
            city=self._city(),
            other=self._other(worse),
        )

    def chances(self, moves: Sequence[Weighed]) -> Iterator[str]:
        """Each move with its chance and the error of that, the best first."""
        yield self.texts.say(msg("Chance to win:"))
        for move in moves:
            error = max(1, round(100 * move.error))
            yield f"{percent(move.chance):>5} ±{error:<2} {self.label(move)}"

    def _chosen(self, move: Weighed) -> str:
        """The character that a move chooses; empty for any other move, and where it also discards one."""
        action = parse(move.line, self.seat)
        return action.character if isinstance(action, Pick) and action.discarding is None else ""

    def _other(self, move: Weighed) -> str:
        character = self._chosen(move)
        if character:
            return self.texts.the(character)
        return self.texts.say(msg("“{word}”"), word=self.label(move))

    def _city(self) -> str:
        if self.own:
            return self.texts.say(msg("your city"))
        return self.texts.say(msg("{name}'s city"), name=self.names[self.seat])

    def _figure(self, figure: str, value: float) -> str:
        if figure in SHARES:
            return str(round(100 * value))
        said = f"{value:+.1f}" if figure in SIGNED else f"{value:.1f}"
        return said.removesuffix(".0").replace(".", self.texts.say(POINT))
