"""Two statistical tests of whether two groups of numbers have the same distribution, written without a
library."""

import math
import random
from collections.abc import Sequence


def kolmogorov_smirnov(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the p-value of the two-sample Kolmogorov-Smirnov test: the probability of a distance this large
    between the two samples if their distributions are equal. The asymptotic formula is good from a few
    dozen numbers on."""
    first, second = sorted(one), sorted(other)
    n, m = len(first), len(second)
    i = j = 0
    distance = 0.0
    while i < n and j < m:
        at = min(first[i], second[j])
        while i < n and first[i] <= at:
            i += 1
        while j < m and second[j] <= at:
            j += 1
        distance = max(distance, abs(i / n - j / m))
    size = math.sqrt(n * m / (n + m))
    x = (size + 0.12 + 0.11 / size) * distance
    if x < 0.2:
        return 1.0
    total = 4.0 * sum(math.copysign(0.5, k % 2 - 0.5) * math.exp(-2 * (k * x) ** 2) for k in range(1, 101))
    return min(max(total, 0.0), 1.0)


def permutation_of_means(
    one: Sequence[float], other: Sequence[float], dice: random.Random, times: int = 2000
) -> float:
    """Return the p-value of the difference of the means: the share of random divisions of all numbers into
    two groups in which the means differ at least as much. Numbers above the 95th percentile are lowered to
    it, so that one pause of the machine does not decide the result."""
    numbers = [*one, *other]
    limit = sorted(numbers)[int(0.95 * len(numbers))]
    numbers = [min(number, limit) for number in numbers]
    whole, n = sum(numbers), len(one)

    def difference(part: float) -> float:
        return abs(part / n - (whole - part) / (len(numbers) - n))

    found = difference(sum(numbers[:n]))
    as_large = 0
    for _ in range(times):
        dice.shuffle(numbers)
        as_large += difference(sum(numbers[:n])) >= found
    return (as_large + 1) / (times + 1)
