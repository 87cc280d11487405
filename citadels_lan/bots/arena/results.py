"""The results of a match: winning shares with intervals, a test that stops the match early, and an SVG
picture.

The test is a generalised sequential probability ratio test on the winning shares of the deals, which are
independent: it computes the logarithm of the likelihood ratio of `share` and `share - margin`, with the
variance of the deals (A. Wald, Sequential Analysis, 1947, with the normal approximation that is common in
tests of chess programs). It is wrong in about one of twenty tests: it answers "at least" although the true
share is `share - margin`, or "less" although the true share is `share`.
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
"""The probability of a wrong answer of the test, for each of the two answers (alpha and beta)."""
BOUND: Final = log((1 - ERROR) / ERROR)
LEAST: Final = 10
"""The test needs at least this many deals, because the variance of fewer is too uncertain."""
DOUBT: Final = 4
"""The test estimates the variance as if there were this many more deals with the largest possible variance,
because the first deals may all be equal."""

Settled: TypeAlias = Literal["at_least", "less"]


class Question(Struct, frozen=True):
    """A question for the sequential test: is a bot's winning share at least `share`, or at most `share -
    margin`?"""

    share: float
    margin: float

    def ratio(self, shares: list[float]) -> float:
        """Return the logarithm of the likelihood ratio of `share` and `share - margin`, given the winning
        `shares` of the deals. It is positive if they support `share`."""
        mean = fmean(shares)
        squares = sum((share - mean) ** 2 for share in shares)
        variance = (squares + DOUBT * self.share * (1 - self.share)) / (len(shares) + DOUBT)
        middle = self.share - self.margin / 2
        return len(shares) * self.margin * (mean - middle) / variance

    def settled(self, shares: list[float]) -> Settled | None:
        """Return the answer that the winning `shares` of the deals give, or None if more deals are needed."""
        if len(shares) < LEAST:
            return None
        ratio = self.ratio(shares)
        return "at_least" if ratio >= BOUND else "less" if ratio <= -BOUND else None

    def figures(self, shares: list[float]) -> dict[str, object]:
        """Return the test as plain data: the two shares, the error probabilities, the limit, the ratio so
        far, and the answer."""
        return {
            "at_least": self.share, "against": self.share - self.margin, "alpha": ERROR, "beta": ERROR,
            "bound": BOUND, "ratio": self.ratio(shares), "settled": self.settled(shares),
        }  # fmt: skip


NORMAL: Final = 1.959964
"""95 % of the values of a normal distribution lie within this many standard deviations."""
STUDENT: Final = (12.706, 4.303, 3.182)
"""95 % of the values of Student's distribution with one, two and three degrees of freedom lie within these
limits."""


class WinningShare(Struct, frozen=True):
    """The part of the games that a bot won in one seat, from 0 to 1, and the limits of its 95 % confidence
    interval."""

    bot: str
    share: float
    low: float
    high: float


class Strength(WinningShare, frozen=True):
    """The result of one bot in a match. `points` are its mean points. `thought` and `long_thought` are the
    median and the 95 % quantile of its decision times, in seconds. `decisions` is the number of decisions
    with several choices, per game and seat."""

    points: float
    thought: float
    long_thought: float
    decisions: float


class MatchReport(Struct, frozen=True):
    """The report of one pairing. `rows` has the result of the hero, then one for each other bot. `stuck` is
    the number of games that did not end, `moves` the mean number of moves in a game."""

    pairing: Pairing
    rows: tuple[Strength, ...]
    games: int
    stuck: int
    moves: float


class Outcome(Struct, frozen=True):
    """All deals that were played for the pairings of a contest; at least one."""

    contest: Contest
    pairings: tuple[Pairing, ...]
    deals: tuple[PlayedDeal, ...]

    @property
    def par(self) -> float:
        """The winning share of each bot if all bots are equally strong."""
        return 1 / self.contest.config.players

    @property
    def won(self) -> list[float]:
        """The winning share of the first pairing's hero in each deal."""
        return shares(self.pairings[0], self.deals)

    def matches(self) -> list[MatchReport]:
        """Return the report of each pairing."""
        return [report(self.contest, pairing, self.deals) for pairing in self.pairings]

    def strengths(self) -> list[WinningShare]:
        """With one pairing: return the result of each bot. With several: return, for each hero, its result
        over all pairings in which it is the hero."""
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
        """Return a hash of the results of all games, without decision times."""
        games = [
            (seating, game.wins, game.points, game.moves)
            for deal in self.deals
            for seating, game in sorted(deal.items())
        ]
        return hashlib.sha256(repr(games).encode()).hexdigest()[:16]


def shares(pairing: Pairing, deals: Sequence[PlayedDeal], places: Sequence[int] = (0,)) -> list[float]:
    """Return, for each deal, the mean share of the victory that the bots in these places of the pairing won
    in a game. Place 0 is the hero."""
    return [fmean(_seats(pairing, deal, places, lambda game, seat: game.wins[seat])) for deal in deals]


def _seats(
    pairing: Pairing, deal: PlayedDeal, places: Sequence[int], value: Callable[[ArenaGame, int], float]
) -> list[float]:
    """Return `value(game, seat)` for each game of a deal and, in it, for each seat of a bot in these places
    of the pairing."""
    seats = len(pairing)
    turned = enumerate(rotations(pairing))
    return [value(deal[seating], (place + turn) % seats) for turn, seating in turned for place in places]


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """Return the limits of the 95 % confidence interval of a winning share. `shares` are the winning shares
    of the deals.

    This is E. B. Wilson's interval for a proportion. Games of one deal depend on each other, so instead of
    their number it uses the number of independent games that would have the same variance as the deals. If
    all shares are 0 or all are 1, the variance is 0 and each deal counts as one game, so that the interval
    still has a width. With few deals the quantile is Student's.
    """
    deals = len(shares)
    if deals < 2:
        return 0.0, 1.0
    share = fmean(shares)
    variance = sum((value - share) ** 2 for value in shares) / (deals - 1) / deals
    if variance <= 0 and 0 < share < 1:
        return share, share
    alike = share * (1 - share) / variance if variance > 0 else deals
    part = _quantile(deals - 1) ** 2 / alike
    middle, half = share + part / 2, sqrt(part * (share * (1 - share) + part / 4))
    return max(0.0, (middle - half) / (1 + part)), min(1.0, (middle + half) / (1 + part))


def _quantile(freedom: int) -> float:
    """Return the 95 % quantile of Student's distribution with `freedom` degrees of freedom. Up to three, it
    is taken from a table; above, from the first terms of the expansion around the normal quantile."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    z = NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def report(contest: Contest, pairing: Pairing, deals: Sequence[PlayedDeal]) -> MatchReport:
    """Return the report of a pairing over these deals, at least one."""
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
    """Return an SVG picture as text: a bar with its interval for each bot, and a line at `par`. The scale
    ends at the next tenth above all intervals and `par`."""
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
