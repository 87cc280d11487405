"""Stopping as soon as the question is settled: a sequential test of a winning share.

A generalised sequential probability ratio test on the shares of the deals, which are independent of each other:
the logarithm of the ratio of likelihoods of `share` and of `share - margin`, with the variance as the deals show
it (A. Wald, Sequential Analysis, 1947, and the normal approximation that testers of chess programs use). Of bots
whose true share is `share - margin` about one in twenty gets the answer "at least", and of those whose true share
is `share` as many get the answer "less".
"""

from math import log
from statistics import fmean
from typing import Final, Literal, TypeAlias

from msgspec import Struct

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
