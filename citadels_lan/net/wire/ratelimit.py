"""How often somebody may ask for something."""

from msgspec import Struct


class Bucket(Struct):
    """So many requests at once, and then only so many a second. `spent` is the time until which they are spent."""

    burst: int
    rate: float
    spent: float = 0.0

    def take(self, now: float) -> bool:
        """Whether one more is allowed now."""
        spent = max(self.spent, now - self.burst / self.rate) + 1 / self.rate
        if spent > now:
            return False
        self.spent = spent
        return True
