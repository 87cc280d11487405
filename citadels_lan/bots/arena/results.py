"""What came of the deals: winning shares with their intervals, points, and the time of thought."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean
from typing import Final

from msgspec import Struct

from .contest import Contest, Pairing, PlayedDeal, rotations
from .games import ArenaGame, quantile

NORMAL: Final = 1.959964
"""Within so many standard deviations lie 95 of 100 values of a normal distribution."""


class WinningShare(Struct, frozen=True):
    """The part of the games that a bot won for each seat it took, and where its true share lies with 95 %."""

    bot: str
    share: float
    low: float
    high: float


class Strength(WinningShare, frozen=True):
    """One bot in a match: also its mean points, and the seconds of a decision, the median and what 95 of 100 do
    not exceed. `decisions` are those with more than one choice, in a game and a seat."""

    points: float
    thought: float
    long_thought: float
    decisions: float


class MatchReport(Struct, frozen=True):
    """A match of a pairing: the hero's row, then those of the others."""

    pairing: Pairing
    rows: tuple[Strength, ...]
    games: int
    stuck: int
    moves: float


class Outcome(Struct, frozen=True):
    """What came of all pairings in the deals played, of which there is one at least."""

    contest: Contest
    pairings: tuple[Pairing, ...]
    deals: tuple[PlayedDeal, ...]

    @property
    def par(self) -> float:
        return 1 / self.contest.config.players

    @property
    def won(self) -> list[float]:
        """The share of the first hero in each deal."""
        return shares(self.pairings[0], self.deals)

    def matches(self) -> list[MatchReport]:
        return [report(self.contest, pairing, self.deals) for pairing in self.pairings]

    def strengths(self) -> list[WinningShare]:
        """Everybody in a match, or where there are several, each hero over all of its matches."""
        if len(self.pairings) == 1:
            return list(report(self.contest, self.pairings[0], self.deals).rows)
        heroes = dict.fromkeys(pairing[0] for pairing in self.pairings)
        return [self._overall(hero) for hero in heroes]

    def _overall(self, hero: int) -> WinningShare:
        own = [pairing for pairing in self.pairings if pairing[0] == hero]
        each = zip(*(shares(pairing, self.deals) for pairing in own), strict=True)
        won = [fmean(values) for values in each]
        return WinningShare(self.contest.contenders[hero].name, fmean(won), *interval(won))

    def digest(self) -> str:
        """What tells two courses of games apart; times are no part of it."""
        told = [
            (seating, game.wins, game.points, game.moves)
            for deal in self.deals
            for seating, game in sorted(deal.items())
        ]
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def shares(pairing: Pairing, deals: Sequence[PlayedDeal], places: Sequence[int] = (0,)) -> list[float]:
    """For each deal the share of the victories that those in these places of the pairing won, for each of them."""
    return [fmean(_seats(pairing, deal, places, lambda game, seat: game.wins[seat])) for deal in deals]


def _seats(
    pairing: Pairing, deal: PlayedDeal, places: Sequence[int], value: Callable[[ArenaGame, int], float]
) -> list[float]:
    """A value of each game of a deal and each seat where those in these places sat."""
    seats = len(pairing)
    turned = enumerate(rotations(pairing))
    return [value(deal[seating], (place + turn) % seats) for turn, seating in turned for place in places]


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """Where the true share lies with 95 %.

    E. B. Wilson's interval for a proportion, with as many games as would vary by themselves as much as the deals
    do: the games of a deal depend on each other, the deals do not. So it has a width at 0 and 1 too, where the
    deals show no variance and each counts as one game. For few deals the quantile is Student's.
    """
    deals = len(shares)
    if deals < 2:
        return 0.0, 1.0
    share = fmean(shares)
    variance = sum((one - share) ** 2 for one in shares) / (deals - 1) / deals
    if variance <= 0 and 0 < share < 1:
        return share, share
    alike = share * (1 - share) / variance if variance > 0 else deals
    part = _quantile(deals - 1) ** 2 / alike
    middle, half = share + part / 2, sqrt(part * (share * (1 - share) + part / 4))
    return max(0.0, (middle - half) / (1 + part)), min(1.0, (middle + half) / (1 + part))


def _quantile(freedom: int) -> float:
    """Student's quantile for 95 %, by the first terms of its expansion around the normal one."""
    z = NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def report(contest: Contest, pairing: Pairing, deals: Sequence[PlayedDeal]) -> MatchReport:
    """What came of the match of a pairing in these deals, of which there is one at least."""
    games = [deal[seating] for deal in deals for seating in rotations(pairing)]
    by_bot: dict[int, list[int]] = {}
    for place, contender in enumerate(pairing[1:], 1):
        by_bot.setdefault(contender, []).append(place)
    rows = [_row(contest, pairing, deals, (0,))]
    rows += [_row(contest, pairing, deals, places) for places in by_bot.values()]
    stuck = sum(game.stuck for game in games)
    return MatchReport(pairing, tuple(rows), len(games), stuck, fmean(game.moves for game in games))


def _row(contest: Contest, pairing: Pairing, deals: Sequence[PlayedDeal], places: Sequence[int]) -> Strength:
    together = [share * len(places) for share in shares(pairing, deals, places)]
    low, high = interval(together)
    points = [fmean(_seats(pairing, deal, places, lambda game, seat: game.points[seat])) for deal in deals]
    thoughts: Counter[int] = Counter()
    for deal in deals:
        for turn, seating in enumerate(rotations(pairing)):
            for place in places:
                thoughts.update(deal[seating].thoughts[(place + turn) % len(pairing)])
    seats = len(deals) * len(pairing) * len(places)
    return Strength(
        contest.contenders[pairing[places[0]]].name,
        fmean(together) / len(places), low / len(places), high / len(places),
        fmean(points), quantile(thoughts, 0.5), quantile(thoughts, 0.95), thoughts.total() / seats,
    )  # fmt: skip
