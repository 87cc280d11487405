"""What a match shows: shares of victories with intervals, a test that stops the match early, and a picture in SVG.

The test is a generalised sequential probability ratio test on the shares of the deals, which are independent:
the logarithm of the ratio of likelihoods of `share` and of `share - margin`, with the variance that the deals
show (A. Wald, Sequential Analysis, 1947, and the normal approximation that testers of chess programs use). Of
bots whose true share is `share - margin` about one in twenty gets the answer "at least", and of those whose
true share is `share` as many get the answer "less".
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape
from math import ceil, log, sqrt
from statistics import fmean
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from citadels_lan.bots.arena.match import ArenaGame, Contest, Pairing, PlayedDeal, quantile, rotations

ERROR: Final = 0.05
"""Both alpha and beta."""
BOUND: Final = log((1 - ERROR) / ERROR)
LEAST: Final = 10
"""Deals before anything is settled: fewer say nothing of the variance."""
DOUBT: Final = 4
"""So many deals of the largest variance a share can have are added, because the first deals may all be alike."""

Settled: TypeAlias = Literal["at_least", "less"]


class Question(Struct, frozen=True):
    """Is the share `share` at least, or `share - margin` at most?"""

    share: float
    margin: float

    def ratio(self, shares: list[float]) -> float:
        """The logarithm of the ratio of likelihoods; positive where the deals speak for `share`."""
        mean = fmean(shares)
        squares = sum((share - mean) ** 2 for share in shares)
        variance = (squares + DOUBT * self.share * (1 - self.share)) / (len(shares) + DOUBT)
        middle = self.share - self.margin / 2
        return len(shares) * self.margin * (mean - middle) / variance

    def settled(self, shares: list[float]) -> Settled | None:
        """The answer, once there is one."""
        if len(shares) < LEAST:
            return None
        ratio = self.ratio(shares)
        return "at_least" if ratio >= BOUND else "less" if ratio <= -BOUND else None

    def figures(self, shares: list[float]) -> dict[str, object]:
        """The test as plain data."""
        return {
            "at_least": self.share, "against": self.share - self.margin, "alpha": ERROR, "beta": ERROR,
            "bound": BOUND, "ratio": self.ratio(shares), "settled": self.settled(shares),
        }  # fmt: skip


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


WIDTH, LEFT, RIGHT, TOP, ROW = 720, 190, 90, 64, 34
INK, PALE, FILL, LINE = "#333333", "#dddddd", "#7aa6c2", "#b5523b"


def picture(title: str, bars: Sequence[WinningShare], par: float, par_name: str) -> str:
    """The picture as text. The scale ends at the next tenth above all bars, their intervals and par."""
    most = min(1.0, ceil(10 * max(par, *(bar.high for bar in bars)) - 1e-9) / 10)
    height = TOP + ROW * len(bars) + 34

    def x(share: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * share / most, 1)

    bottom = TOP + ROW * len(bars)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        _text(16, 24, title, "start", ' font-size="15" font-weight="bold"'),
    ]
    for tenth in range(round(most * 10) + 1):
        lines.append(_line(x(tenth / 10), TOP - 6, x(tenth / 10), bottom, PALE))
        lines.append(_text(x(tenth / 10), bottom + 18, f"{10 * tenth} %", "middle"))
    for number, bar in enumerate(bars):
        lines += _bar(bar, x(0), x(bar.share), x(bar.low), x(bar.high), TOP + ROW * number)
    lines.append(_line(x(par), TOP - 10, x(par), bottom, LINE, ' stroke-dasharray="5 3" stroke-width="2"'))
    lines.append(_text(x(par), TOP - 14, par_name, "middle", f' fill="{LINE}"'))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _bar(bar: WinningShare, zero: float, share: float, low: float, high: float, top: int) -> list[str]:
    middle = top + ROW / 2
    return [
        _text(LEFT - 10, middle + 5, bar.bot, "end"),
        f'<rect x="{zero}" y="{top + 6}" width="{round(share - zero, 1)}" height="{ROW - 12}" fill="{FILL}"/>',
        _line(low, middle, high, middle, INK, ' stroke-width="2"'),
        *(_line(end, middle - 6, end, middle + 6, INK, ' stroke-width="2"') for end in (low, high)),
        _text(high + 8, middle + 5, f"{100 * bar.share:.1f} %", "start"),
    ]


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{more}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, more: str = "") -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}"{more}/>'
