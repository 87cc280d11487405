"""Tables with a sealed draft at which somebody builds the Theater and exchanges characters on purpose."""

import random
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from citadels_lan.engine import Action, Choice, Deal, TableConfig, edition_named, from_scenario
from citadels_lan.engine.actions import Theater
from citadels_lan.net.host.substitutes import Takeover
from tests.net.playing import random_action
from tests.net.room import Guest, Room

from .rooms import sealed_room

WISHED = ("keep theater", "build theater", "theater")
"""How moves begin that bring the Theater, or use it."""


def sealed_theater(players: int) -> TableConfig:
    """The first game of 2016 with the Theater in its deck, and a sealed draft."""
    return with_theater(replace(from_scenario("first_game", players), draft="sealed"))


def with_theater(config: TableConfig) -> TableConfig:
    """The same table with the Theater in its deck; as it is, where its edition has none or its chance draws."""
    if "theater" not in edition_named(config.edition, config.options).uniques or not config.districts:
        return config
    others = [key for key in config.districts if key != "theater"]
    return replace(config, districts=tuple(sorted(["theater", *others[-len(config.districts) + 1 :]])))


def longing(choices: Sequence[Choice], dice: random.Random) -> Action:
    """An action that brings the Theater nearer; any other where none does."""
    actions = [action for choice in choices for action in some(choice)]
    wished = [one for one in actions if str(one).startswith(WISHED) and one != Theater()]
    gold = [action for action in actions if str(action) == "gather gold"]
    return dice.choice(wished or gold) if wished or gold else random_action(choices, dice)


def saving(choices: Sequence[Choice], dice: random.Random) -> Action:
    """The same of somebody who does nothing else where that can be helped, so that the game goes on until then."""
    ends = [choice for choice in choices if not isinstance(choice, Deal) and choice.verb == "end"]
    longed = longing(choices, dice)
    return longed if str(longed).startswith(WISHED) or not ends else ends[0]


def some(choice: Choice) -> list[Action]:
    """The action, or the first ones of a deal of cards."""
    if not isinstance(choice, Deal):
        return [choice]
    return [action for action, _ in zip(choice.actions(), range(64), strict=False)]


def choice_of(room: Room, guest: Guest) -> Action:
    """What a guest does who longs for the Theater."""
    return longing(guest.client.choices, room.dice)


def in_the_theater(folder: Path, players: int, dice: int, takeover: Takeover | None = None) -> Room:
    """Such a game, played until somebody may exchange characters."""
    room = sealed_room(folder, sealed_theater(players), dice, takeover)
    while asked(room) is None:
        assert step(room)
    return room


def exchange(owner: Guest, other: Guest) -> Theater:
    """An exchange that one seat may begin with the other."""
    fitting = [one for one in owner.client.choices if isinstance(one, Theater) and one.seat == other.client.seat]
    return fitting[0]


def asked(room: Room) -> Guest | None:
    """Who may exchange characters now."""
    steps = room.game.state.steps
    if not steps or steps[-1].verb != "theater":
        return None
    return next(guest for guest in room.players if guest.client.seat == steps[-1].seat)


def step(room: Room) -> bool:
    """One move; whether there was one."""
    for guest in room.players:
        if guest.client.may_move:
            guest.act(choice_of(room, guest))
            return True
    return False
