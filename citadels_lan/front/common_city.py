"""The city that everybody builds together, where an edition has one: which names stand in it, and before whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from citadels_lan.engine import State, edition_of
from citadels_lan.engine.cards import TYPES, DistrictType
from citadels_lan.engine.state import user_of
from citadels_lan.engine.turn.shared_city import SOONER, names


@dataclass(frozen=True)
class Plot:
    """The place of one name. `owners` are the seats before which it stands, a seat twice for a second copy."""

    key: str
    cost: int
    type: DistrictType
    owners: tuple[int, ...]


def shared(view: State) -> bool:
    """Whether the table builds one city together: no player's own city is ever complete."""
    return edition_of(view).goal(view) is None


def plots(view: State) -> Mapping[DistrictType, Sequence[Plot]]:
    """All names by type, the cheapest first."""
    owners: dict[str, list[int]] = {}
    for seat, player in enumerate(view.players):
        for district in player.city:
            owners.setdefault(district.key, []).append(seat)
    cards = sorted(edition_of(view).districts.values(), key=lambda card: (card.cost, card.key))
    return {
        kind: [Plot(c.key, c.cost, kind, tuple(owners.get(c.key, ()))) for c in cards if c.type == kind]
        for kind in TYPES
    }


def in_force(view: State) -> Mapping[str, int]:
    """The characters called that go on doing something after their turn, and for whom."""
    abilities = edition_of(view).abilities
    called = ((seat, key) for seat, player in enumerate(view.players) for key in player.revealed)
    return {
        key: user_of(view, seat, key) for seat, key in called if abilities[key].protects or abilities[key].watches
    }


def before(view: State, seat: int) -> Sequence[int]:
    """Who still calls a character before `seat` does, beginning with whoever is on turn."""
    count = len(view.players)
    first = view.crown if view.caller is None else view.caller
    return [(first + step) % count for step in range((seat - first) % count)]


def callers(view: State) -> Mapping[str, int]:
    """Who has called which character in this cycle: whoever shows it, and else whose call it was, for the seats
    call one after the other."""
    known = {key: seat for seat, player in enumerate(view.players) for key in player.revealed}
    last, calls, count = view.caller or 0, len(view.called), len(view.players)
    return {key: known.get(key, (last - calls + at) % count) for at, key in enumerate(view.called, 1)}


def standing(view: State) -> int:
    """How many different names stand."""
    return len(names(view))


def wanted(view: State) -> int:
    """How many end the game, as far as everybody knows: cards under a Museum may make them fewer (R410)."""
    turned = any(district.turned for player in view.players for district in player.city)
    return SOONER if turned else len(edition_of(view).districts)
