"""Choosing cards for a bounded choice, one part after the other. Nothing is sent before the last part."""

from citadels_lan.engine import Action, Deal


class Selection:
    """A bounded choice being made. `part` is the one being filled; cards are told apart by their place in the
    pool, so that of two equal cards one can be chosen."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.part = 0
        self.chosen: list[list[int]] = [[] for _ in deal.sizes]

    @property
    def sizes(self) -> tuple[int, int]:
        """The least and the most cards of this part."""
        return self.deal.sizes[self.part]

    @property
    def here(self) -> list[int]:
        """What is chosen for this part."""
        return self.chosen[self.part]

    def free(self) -> list[int]:
        """The places of the pool that this part may take: all but those that earlier parts have."""
        taken = {place for part in self.chosen[: self.part] for place in part}
        return [place for place in range(len(self.deal.pool)) if place not in taken]

    def toggle(self, place: int) -> None:
        """Choose a card or put it back; where only one may be chosen, it replaces the other."""
        if place in self.here:
            self.here.remove(place)
        elif place in self.free():
            if self.sizes[1] == 1:
                self.here.clear()
            if len(self.here) < self.sizes[1]:
                self.here.append(place)

    @property
    def ready(self) -> bool:
        """Whether this part has as many cards as it needs."""
        return self.sizes[0] <= len(self.here) <= self.sizes[1]

    def go_on(self) -> Action | None:
        """The action if this was the last part, else the next part begins; nothing where it is not ready."""
        if not self.ready:
            return None
        if self.part + 1 < len(self.deal.sizes):
            self.part += 1
            return None
        pool = self.deal.pool
        return self.deal.make(tuple(tuple(pool[place] for place in part) for part in self.chosen))

    def go_back(self) -> bool:
        """Return to the part before; False where this is the first."""
        self.here.clear()
        if self.part == 0:
            return False
        self.part -= 1
        return True
