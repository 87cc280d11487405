"""Tables in memory with a sealed draft, some of them with the Theater."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from citadels_lan.crypto.draft.knowledge import DraftHand
from citadels_lan.engine import HIDDEN, Action, Choice, Deal, TableConfig, edition_named, from_scenario
from citadels_lan.engine.actions import Theater
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.messages import Settings
from tests.net.playing import random_action
from tests.net.room import Guest, Room


def sealed(players: int, edition: str = "2016", scenario: str = "first_game") -> TableConfig:
    """Return a configuration with a sealed draft."""
    return replace(from_scenario(scenario, players, edition_key=edition), draft="sealed")


def sealed_room(folder: Path, config: TableConfig, dice: int = 1, takeover: Takeover | None = None) -> Room:
    """Return a room whose game with a sealed draft has begun. `dice` determines the chance and the moves."""
    folder.mkdir(exist_ok=True)
    room = Room(folder, settings=Settings(config), takeover=takeover)
    room.core = replace(room.core, game=bytes([dice]) * 16)
    room.open(Settings(config))
    room.dice.seed(dice)
    return room.begin()


def held(guest: Guest) -> list[str]:
    """Return the characters that a seat holds, as its client knows them."""
    player = guest.state.players[guest.seat]
    return [*player.concealed, *player.laid]


def unseen(room: Room) -> bool:
    """Return whether the host's state contains no character that is not revealed."""
    state = room.game.state
    hidden = [card for player in state.players for card in (*player.concealed, *player.laid)]
    packets = [card for step in state.steps if step.verb == "pick" for card in step.cards]
    return {*hidden, *packets, *state.facedown} <= {HIDDEN}


def hidden_in(hand: DraftHand) -> Iterator[tuple[str, bytes]]:
    """Yield the secret bytes in a seat's draft that are still hidden, each with its kind."""
    record, secret = hand.record, hand.secret
    yield "link", secret.y
    yield "box", secret.box
    fixed = [one for done in record.steps for one in (done.pick, done.aside) if one is not None]
    fixed += [*record.packets, *(box.fixed for box in record.given)]
    fixed += [record.face_down] if record.face_down is not None else []
    for one in fixed:
        if one.by == hand.seat and one not in record.shown:
            yield one.kind, secret.nonce(one)
    for box in record.boxes:
        content = record.table.open_box(box, secret.box) if box.to == hand.seat else None
        if content is not None and box.fixed not in record.shown:
            yield "told", content[1]


# The Theater

WISHED = ("keep theater", "build theater", "theater")
"""How the moves begin that lead to the Theater or use it."""


def sealed_theater(players: int) -> TableConfig:
    """Return the first game of 2016 with the Theater in its deck, and a sealed draft."""
    return with_theater(sealed(players))


def with_theater(config: TableConfig) -> TableConfig:
    """Return a configuration with the Theater in its deck. It is unchanged if the edition has no Theater, or
    chance draws the districts."""
    if "theater" not in edition_named(config.edition, config.options).uniques or not config.districts:
        return config
    others = [key for key in config.districts if key != "theater"]
    return replace(config, districts=tuple(sorted(["theater", *others[-len(config.districts) + 1 :]])))


def longing(choices: Sequence[Choice], dice: random.Random) -> Action:
    """Return an action that helps to build the Theater; if there is none, any action."""
    actions = [action for choice in choices for action in _actions(choice)]
    wished = [one for one in actions if str(one).startswith(WISHED) and one != Theater()]
    gold = [action for action in actions if str(action) == "gather gold"]
    return dice.choice(wished or gold) if wished or gold else random_action(choices, dice)


def saving(choices: Sequence[Choice], dice: random.Random) -> Action:
    """Return an action that helps to build the Theater; if there is none, one that ends the turn, so that the
    game lasts longer."""
    ends = [choice for choice in choices if not isinstance(choice, Deal) and choice.verb == "end"]
    longed = longing(choices, dice)
    return longed if str(longed).startswith(WISHED) or not ends else ends[0]


def _actions(choice: Choice) -> list[Action]:
    """Return the actions of a choice; for a deal of cards, the first ones."""
    if not isinstance(choice, Deal):
        return [choice]
    return [action for action, _ in zip(choice.actions(), range(64), strict=False)]


def asked(room: Room) -> Guest | None:
    """Return the player who may exchange characters now; None if there is none."""
    steps = room.game.state.steps
    return room.at(steps[-1].seat) if steps and steps[-1].verb == "theater" else None


GAMES = {4: 1, 3: 4, 2: 9}
"""The `dice` of a game in which the Theater is built early, by number of players."""


def theater(folder: Path, players: int = 4) -> tuple[Room, Guest, Guest]:
    """Return a room, a guest who may exchange a character now, and the guest to exchange it with."""
    room = sealed_room(folder, sealed_theater(players), GAMES[players])
    while (owner := asked(room)) is None:
        room.mover.act(longing(room.mover.client.choices, room.dice))
    return room, owner, next(guest for guest in room.players if guest is not owner)


def exchange(owner: Guest, other: Guest) -> Theater:
    """Return the action with which `owner` begins an exchange with `other`."""
    return next(one for one in owner.client.choices if isinstance(one, Theater) and one.seat == other.seat)


def finish(room: Room) -> None:
    """Play to the end without exchanges. Check that the files of all players verify."""
    while not room.game.closed:
        guest = asked(room)
        if guest is not None and guest.viewer is not None and guest.client.may_move:
            guest.act(Theater())
        elif room.move() is None:
            room.wait(1.0)
    assert room.verified() == (0, [])
