"""Districts that are paid for, built, destroyed, moved or changed."""

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.state import District, Site, State

from .base import Cards, Event, hide, take


class BuildPaid(Event, frozen=True, array_like=True, tag=29):
    """`seat` pays for a hand card, which waits to be built. `counts` tells whether it uses the building limit.
    `paid` is False if a Framework or a sacrifice replaced the payment."""

    seat: int
    card: str
    gold: int
    counts: bool
    paid: bool

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        take(player.hand, self.card)
        player.gold -= self.gold
        state.site = Site(self.seat, self.card, self.gold)
        turn = state.current_turn
        turn.builds += self.counts
        turn.refund += self.gold
        turn.paid = turn.paid or self.paid


class Built(Event, frozen=True, array_like=True, tag=34):
    """The district that was paid for is built in the city of `seat`. `cost` is the printed one."""

    seat: int
    card: str
    cost: int

    def apply(self, state: State) -> None:
        state.site = None
        player = state.players[self.seat]
        player.city.append(District(self.card, self.cost, False, (), state.round))
        player.has_built = True
        state.fresh.append(self.card)


class Confiscated(Event, frozen=True, array_like=True, tag=35):
    """The Magistrate (`by`) reveals the signed warrant. The district that `seat` paid for is built in the
    Magistrate's city, `seat` gets the gold back, and all warrants are removed (R101)."""

    by: int
    seat: int
    card: str
    gold: int
    character: str
    cost: int

    def apply(self, state: State) -> None:
        state.site = None
        state.players[self.by].city.append(District(self.card, self.cost, built=state.round))
        state.players[self.seat].gold += self.gold
        state.current_turn.refund -= self.gold
        state.marks = [mark for mark in state.marks if mark.kind not in ("warrant", "signed")]


class Destroyed(Event, frozen=True, array_like=True, tag=30):
    """The district at `index` leaves the city of `owner` together with the cards under it, which stay hidden.
    The next events put them away."""

    owner: int
    index: int
    card: str
    under: Cards
    why: str

    def apply(self, state: State) -> None:
        district = state.players[self.owner].city.pop(self.index)
        if district.turned and state.last_round:
            state.lowered = True

    def redact(self, viewer: int | None) -> Event:
        return Destroyed(self.owner, self.index, self.card, hide(self.under), self.why)


class Completed(Event, frozen=True, array_like=True, tag=31):
    """The city of `seat` is complete. The game ends with this round (rulebook p. 6)."""

    seat: int

    def apply(self, state: State) -> None:
        state.players[self.seat].completed = True
        if state.first is None:
            state.first = self.seat
        state.last_round = True


class DistrictMoved(Event, frozen=True, array_like=True, tag=46):
    """The district at `index` moves to another city, with everything on it and under it."""

    giver: int
    taker: int
    index: int
    card: str
    why: str

    def apply(self, state: State) -> None:
        district = state.players[self.giver].city.pop(self.index)
        state.players[self.taker].city.append(district)
        state.fresh.append(self.card)


class Beautified(Event, frozen=True, array_like=True, tag=47):
    """`seat` puts one gold on a district, which costs one more from now on (R237)."""

    seat: int
    index: int
    card: str

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        player.gold -= 1
        player.city[self.index] = player.city[self.index].but(beautified=True)


class Turned(Event, frozen=True, array_like=True, tag=65):
    """`seat` turns the Bell Tower at `index` for all to see (R371)."""

    seat: int
    index: int

    def apply(self, state: State) -> None:
        city = state.players[self.seat].city
        city[self.index] = city[self.index].but(turned=True)


class Slid(Event, frozen=True, array_like=True, tag=48):
    """`seat` puts a hand card under its Museum at `index` (R288)."""

    seat: int
    index: int
    card: str

    def apply(self, state: State) -> None:
        player = state.players[self.seat]
        take(player.hand, self.card)
        museum = player.city[self.index]
        player.city[self.index] = museum.but(under=(*museum.under, (self.seat, self.card)))

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else Slid(self.seat, self.index, HIDDEN)
