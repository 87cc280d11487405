"""Choosing cards for a bounded choice, one part after the other. Nothing is sent before the last part."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from citadels_lan.engine import Action, Deal


@dataclass(frozen=True)
class Selection:
    """A bounded choice being made. `part` is the one being filled; cards are told apart by their place in the
    pool, so that of two equal cards one can be chosen. `order` has the places as they are shown: by their keys.
    Each step is another selection."""

    deal: Deal
    part: int = 0
    chosen: tuple[tuple[int, ...], ...] = ()
    order: tuple[int, ...] = ()

    @classmethod
    def of(cls, deal: Deal, keys: Sequence[str] = ()) -> "Selection":
        """Nothing is chosen yet; `keys` are those of the pool's cards, what has none stands last."""
        known = [*keys, *[""] * (len(deal.pool) - len(keys))]
        places = sorted(range(len(deal.pool)), key=lambda place: known[place] or "~")
        return cls(deal, 0, ((),) * len(deal.sizes), tuple(places))

    @property
    def sizes(self) -> tuple[int, int]:
        """The least and the most cards of this part."""
        return self.deal.sizes[self.part]

    @property
    def here(self) -> tuple[int, ...]:
        """What is chosen for this part."""
        return self.chosen[self.part]

    def free(self) -> list[int]:
        """The places of the pool that this part may take: all but those that earlier parts have."""
        taken = {place for part in self.chosen[: self.part] for place in part}
        return [place for place in self.order if place not in taken]

    def toggled(self, place: int) -> "Selection":
        """A card more, or one less; where only one may be chosen, it replaces the other."""
        if place in self.here:
            return self.with_(tuple(other for other in self.here if other != place))
        here = () if self.sizes[1] == 1 else self.here
        fits = place in self.free() and len(here) < self.sizes[1]
        return self.with_((*here, place)) if fits else self

    def with_(self, here: Sequence[int]) -> "Selection":
        """Exactly these for this part."""
        return replace(self, chosen=(*self.chosen[: self.part], tuple(here), *self.chosen[self.part + 1 :]))

    @property
    def ready(self) -> bool:
        """Whether this part has as many cards as it needs."""
        return self.sizes[0] <= len(self.here) <= self.sizes[1]

    @property
    def last(self) -> bool:
        """Whether no part comes after this one."""
        return self.part + 1 == len(self.deal.sizes)

    def next_part(self) -> "Selection":
        """The next part begins."""
        return replace(self, part=self.part + 1)

    def action(self) -> Action:
        """What comes of it, once the last part is ready."""
        pool = self.deal.pool
        return self.deal.make(tuple(tuple(pool[place] for place in part) for part in self.chosen))
