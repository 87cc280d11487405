"""Tables with a sealed draft, carried by hand."""

import random
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import HIDDEN, Action, Choice, Event, State, TableConfig, from_scenario
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.messages import Settings
from tests.net.playing import random_action
from tests.net.room import Guest, Room


def sealed(players: int, edition: str = "2016", scenario: str = "first_game") -> TableConfig:
    """A first game with a sealed draft."""
    return replace(from_scenario(scenario, players, edition_key=edition), draft="sealed")


def sealed_room(folder: Path, config: TableConfig, dice: int = 1, takeover: Takeover | None = None) -> Room:
    """A game with a sealed draft that has begun; `dice` are another game each."""
    folder.mkdir(exist_ok=True)
    room = Room(folder, settings=Settings(config), takeover=takeover)
    room.core = replace(room.core, game=bytes([dice]) * 16)
    room.open(Settings(config))
    room.dice.seed(dice)
    return room.begin()


def verified(room: Room) -> tuple[int, list[str]]:
    """The exit code for the files of all players, and what was proven."""
    paths = [guest.records.path for guest in room.players if guest.records.path is not None]
    report = verify(paths)
    return report.code, [finding.code for finding in report.findings if finding.kind == "proof"]


def held(guest: Guest) -> list[str]:
    """The characters that a client knows its seat to hold."""
    state, seat = guest.client.state, guest.client.seat
    assert state is not None
    assert seat is not None
    return [*state.players[seat].concealed, *state.players[seat].laid]


def unseen(room: Room) -> bool:
    """Whether the host knows no character that is not shown."""
    state = room.game.state
    hidden = [card for player in state.players for card in (*player.concealed, *player.laid)]
    packets = [card for step in state.steps if step.verb == "pick" for card in step.cards]
    return {*hidden, *packets, *state.facedown} <= {HIDDEN}


def away_at_a_call(room: Room) -> Guest:
    """Cut off a player whose turn it is not, and play until its reply to a call is awaited."""
    away = next(guest for guest in room.players[1:] if not guest.client.may_move and held(guest))
    away.cut()
    while room.game.awaited != (away.client.seat,):
        assert room.move() is not None
    return away


def crash(guest: Guest) -> None:
    """A client loses all but its files, and comes back."""
    guest.cut()
    guest.records.close()
    guest.open()
    guest.join()


def everybody_back(room: Room) -> None:
    """The host is killed, and so are all clients; everybody comes back."""
    room.restart()
    for guest in room.guests:
        guest.records.close()
        guest.open()
        guest.join()
    room.carry()


class Deaf:
    """A bot that plays at random."""

    deaf = True

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def told(self, view: State, event: Event) -> None:
        raise AssertionError

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        return random_action(choices, self.dice)
