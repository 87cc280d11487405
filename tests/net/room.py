"""A table and its viewers in one process, without sockets and without a clock: the test transfers the bytes
between them, and time passes only when the test says so."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Self

import pytest

from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import Action, Event, State, parse
from citadels_lan.net.client.client import Client
from citadels_lan.net.client.own_seat import Sent
from citadels_lan.net.client.records import GameIdentity as GameId
from citadels_lan.net.client.records import Records, key_path
from citadels_lan.net.client.updates import Happened
from citadels_lan.net.host.audience import Viewer
from citadels_lan.net.host.hosted_game import HostedDraft, HostedGame
from citadels_lan.net.host.lobby import Core, Lobby, TakenSeat
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.join.handshake import Applicant, Profile
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import FROM_CLIENT, Message, Play, Refused, Role, Settings, Start, decode
from citadels_lan.net.wire.timing import Timing
from citadels_lan.platform.files import write_private
from tests.facts import first_table
from tests.net.links import frames_in

from .playing import random_action

TIMING = Timing()


@dataclass
class Port:
    """The connection to a viewer: `waiting` are the bytes that were sent but not transferred, `all` are all
    bytes that were sent. `code` is the reason with which it was closed, or ""."""

    waiting: bytearray = field(default_factory=bytearray)
    all: bytearray = field(default_factory=bytearray)
    code: str = ""

    def send(self, data: bytes) -> None:
        if not self.code:
            self.waiting += data
            self.all += data

    def close(self, code: str = "left", **details: str | int) -> None:
        self.code = self.code or code


class Guest:
    """A viewer: its files, its client, and its connection, if there is one. Its keys follow from its name, so
    each run of a test plays the same game."""

    def __init__(self, room: "Room", name: str, player: bool = True, bot: bool = False) -> None:
        self.room = room
        self.name = name
        self.player = player
        self.bot = bot
        self.folder = room.folder / name
        self.folder.mkdir(exist_ok=True)
        self.seeds = {what: sha256(f"{what} of {name}".encode()).digest() for what in ("identity", "key")}
        self.identity = Identity(self.seeds["identity"])
        write_private(self.folder / "identity.key", self.seeds["identity"])
        write_private(key_path(self.folder, self.game, self.identity.public), self.seeds["key"])
        self.port = Port()
        self.address = "192.168.1.2"
        self.viewer: Viewer | None = None
        self.open()
        assert self.records.key == self.seeds["key"]

    @property
    def game(self) -> GameId:
        """The identity of the table's game."""
        core = self.room.core
        return GameId(core.game, core.fp, core.host.public)

    def open(self) -> None:
        """Start the client, which reads its files."""
        role: Role = "player" if self.player else "spectator"
        profile = Profile(self.name, role, SeatKind.BOT if self.bot else SeatKind.PLAYER)
        self.records = Records(self.identity, self.game, self.folder, self.folder, profile)
        self.records.starts._draw = lambda length: sha256(f"part of {self.name}".encode()).digest()[:length]
        self.client = Client(self.records)
        self.replied = 0

    def new_port(self) -> Port:
        """Make the port of the next connection, and return it."""
        return Port()

    def join(self) -> Self:
        """Connect to the table. Raises Refusal."""
        records = self.records
        role = "player" if self.player else "spectator"
        kind = records.profile.kind
        who = Applicant(
            self.identity.public, self.name, role, kind, records.n, records.head, records.said  # type: ignore[arg-type]
        )  # fmt: skip
        self.port, self.replied = self.new_port(), 0
        self.viewer = self.room.table.join(who, self.port, self.room.now, self.address)
        return self

    def cut(self) -> None:
        """Lose the connection, with the frames that were not transferred."""
        self.room.table.audience.lost(self.connected, self.room.now)
        self.viewer = None

    def stop(self) -> None:
        """End the client. Only its files remain."""
        if self.viewer is not None:
            self.cut()
        self.records.close()

    def restart(self) -> Self:
        """End the client, start it again, and connect."""
        self.stop()
        self.open()
        return self.join()

    @property
    def connected(self) -> Viewer:
        """This guest's viewer at the table."""
        assert self.viewer is not None
        return self.viewer

    @property
    def seat(self) -> int:
        """This guest's seat at the table."""
        assert self.client.seat is not None
        return self.client.seat

    @property
    def state(self) -> State:
        """The client's view of the game."""
        assert self.client.state is not None
        return self.client.state

    @property
    def path(self) -> Path:
        """The path of the transcript."""
        assert self.records.path is not None
        return self.records.path

    @property
    def received(self) -> list[int]:
        """The types of all frames that were sent to this guest since it connected, or since `port.all` was
        cleared."""
        return [frame.type for frame in frames_in(bytes(self.port.all))]

    def tell(self, message: Message) -> None:
        """Give the table a message of this guest that its client has not made."""
        self.room.table.receive(self.connected, message, self.room.now)

    def hear(self) -> bool:
        """Transfer the waiting bytes to the client. Return whether there were any."""
        data = bytes(self.port.waiting)
        self.port.waiting.clear()
        for frame in frames_in(data):
            self.client.receive(frame)
        self.client.settle()
        return self.reply() or bool(data)

    def reply(self) -> bool:
        """Let the client reply to a call in a sealed draft, if it has to. Return whether it did."""
        asked = self.client.asked if self.viewer is not None else None
        if asked is None or asked == self.replied:
            return False
        self.replied = asked
        assert self.client.view.drafting is not None
        self.client.ask(self.client.view.drafting.reply())
        return True

    def speak(self) -> bool:
        """Transfer the frames that the client has made to the table. Return whether there were any."""
        out, self.client.out = self.client.out, []
        if self.viewer is None:
            return False
        for frame in frames_in(b"".join(out)):
            self.room.table.receive(self.viewer, decode(frame, FROM_CLIENT), self.room.now)
        return bool(out)

    def say(self, message: Message) -> None:
        """Send a message, and transfer everything that follows from it."""
        self.client.ask(message)
        self.room.carry()

    def act(self, action: Action) -> Sent:
        """Make a move, and transfer everything that follows from it."""
        sent = self.client.move(action)
        self.room.carry()
        return sent


class Room:
    """A table with its guests. `journal` are the entries on the host's simulated disk."""

    def __init__(
        self,
        folder: Path,
        players: int = 4,
        timing: Timing = TIMING,
        bots: int = 0,
        settings: Settings | None = None,
        takeover: Takeover | None = None,
    ) -> None:
        self.folder = folder
        self.takeover = takeover
        self.core = Core(bytes(range(16)), bytes([9]) * 32, Identity(bytes([8]) * 32), bytes([7]) * 32)
        self.journal: list[Written] = []
        self.now = 1000.0
        self.timing = timing
        self.settings = settings or first_table(players, bots)
        self.table = self._table()
        self.guests: list[Guest] = []
        self.dice = random.Random(players)

    def open(self, settings: Settings) -> None:
        """Replace the table by one with these settings, before any guest joins."""
        self.settings = settings
        self.table = self._table()

    def _table(self) -> HostTable:
        lobby = Lobby(self.settings)
        return HostTable(self.core, lobby, self.journal.append, self.timing, takeover=self.takeover)

    def seat(self, *names: str) -> list[Guest]:
        """Let players with these names join. Return their guests."""
        self.guests += [Guest(self, name).join() for name in names]
        self.carry()
        return self.guests

    def watch(self, name: str) -> Guest:
        """Let a spectator join. Return the guest."""
        self.guests.append(Guest(self, name, player=False).join())
        self.carry()
        return self.guests[-1]

    def begin(self) -> Self:
        """Let players take all seats, and begin the game."""
        self.seat(*(f"Player {seat}" for seat in range(self.settings.players)))
        self.start()
        return self

    def start(self) -> None:
        """Make all players ready, and let the owner start the game."""
        self.ready()
        self.guests[0].say(Start())

    def ready(self) -> None:
        """Make all players ready."""
        for guest in self.players:
            self.table.lobby.ready(guest.identity.public, True)

    def carry(self) -> None:
        """Transfer all bytes in both directions until no client and no port has any more."""
        busy = True
        while busy:
            busy = False
            for guest in self.guests:
                busy |= guest.viewer is not None and self._both(guest)

    @staticmethod
    def _both(guest: Guest) -> bool:
        heard = guest.hear()
        return guest.speak() or heard

    @property
    def game(self) -> HostedGame:
        assert self.table.game is not None
        return self.table.game

    @property
    def draft(self) -> HostedDraft:
        """The host's side of the sealed drafts."""
        assert self.game.draft is not None
        return self.game.draft

    @property
    def players(self) -> list[Guest]:
        return [guest for guest in self.guests if guest.player]

    @property
    def mover(self) -> Guest:
        """The player who has to move."""
        return next(guest for guest in self.players if guest.client.may_move)

    @property
    def other(self) -> Guest:
        """A player who does not have to move."""
        return next(guest for guest in self.players if not guest.client.may_move)

    def at(self, seat: int) -> Guest:
        """Return the guest at a seat."""
        return next(guest for guest in self.players if guest.client.seat == seat)

    def move(self) -> Sent | None:
        """Make one random move of a player who has to move. Return None if no player has to."""
        for guest in self.players:
            if guest.client.may_move:
                return guest.act(self.choice(guest))
        return None

    def refused_move(self) -> str:
        """Try to make a random move. Return the code with which the host rejects it."""
        sent = self.move()
        assert sent is not None
        assert sent.refusal is not None
        return sent.refusal.code

    def say(self, seat: int, line: str) -> list[Event]:
        """Make the move `line` of a seat. Return the events as the seat sees them. Raises Rejected."""
        guest = self.at(seat)
        self.carry()
        sent = guest.act(parse(line, seat))
        if sent.refusal is not None:
            raise sent.refusal
        told = [one for one in guest.client.updates if isinstance(one, Happened) and one.n == sent.play.n]
        return [event for one in told for event in one.events]

    def choice(self, guest: Guest) -> Action:
        """Return a random legal action of a guest who has to move."""
        return random_action(guest.client.choices, self.dice)

    def play(self, moves: int = 10**9) -> Self:
        """Make this many random moves, or fewer if the game is over before."""
        self.carry()
        for _ in range(moves):
            if self.move() is None:
                break
        return self

    def restart(self, entries: int | None = None) -> None:
        """Kill the host, and resume it with the first `entries` of its journal (None: all). All viewers are
        disconnected."""
        del self.journal[entries if entries is not None else len(self.journal) :]
        for guest in self.guests:
            guest.viewer = None
        places = self.table.lobby.places
        self.table = self._table()
        self.table.lobby.places = [TakenSeat(one.key, one.name, one.kind, True, True) for one in places]
        if self.journal:
            secrets = (self.core.secret, self.core.host)
            self.table.resume(HostedGame.restore(self.journal, *secrets, self.journal.append))

    def kill_all(self) -> None:
        """Kill the host and all clients, and start and connect them again."""
        self.restart()
        for guest in self.guests:
            guest.restart()
        self.carry()

    def verified(self) -> tuple[int, list[str]]:
        """Return the exit code of `verify` for the files of all players, and the codes of the proven
        contradictions."""
        report = verify([guest.path for guest in self.players])
        return report.code, [finding.code for finding in report.findings if finding.kind == "proof"]

    def wait(self, seconds: float, *, deaf: tuple[Guest, ...] = ()) -> None:
        """Let this many seconds pass. All guests except `deaf` ones receive and answer meanwhile."""
        until = self.now + seconds
        while self.now < until:
            self.now += 1
            self.table.tick(self.now)
            for guest in self.guests:
                if guest not in deaf and guest.viewer is not None:
                    self._both(guest)


@contextmanager
def rejects(code: str) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """Check that the block raises Refusal with this code."""
    with pytest.raises(Refusal) as reason:
        yield reason
    assert reason.value.code == code


def refusals(guest: Guest) -> list[str]:
    """Return the codes with which the host has rejected requests of this guest since the last call."""
    codes = [answer.code for answer in guest.client.answers if isinstance(answer, Refused)]
    guest.client.answers.clear()
    return codes


def updates(guest: Guest, kind: type) -> Sequence[object]:
    """Return the updates of this type that a guest's client has made since the last call."""
    news = [update for update in guest.client.updates if type(update) is kind]
    guest.client.updates.clear()
    return news


def talk(guest: Guest, text: str) -> None:
    """Send a guest's signed line of chat."""
    guest.client.ask(guest.client.roster.line(text, 0))
    guest.room.carry()


def cosigning(room: Room) -> None:
    """Play until the table waits for co-signatures, and keep the clients from sending them."""
    for guest in room.players:
        guest.client._owe = lambda: None  # type: ignore[method-assign]
    while not room.game.cosigning:
        assert room.move() is not None


def holding_back(guest: Guest, *kinds: type[Message]) -> Callable[[], None]:
    """Keep a guest's client from sending messages of these types. Return a function that ends this."""
    real = guest.client.ask

    def ask(message: Message) -> None:
        if not isinstance(message, kinds):
            real(message)

    def again() -> None:
        guest.client.ask = real  # type: ignore[method-assign]

    guest.client.ask = ask  # type: ignore[method-assign]
    return again


def full(_: object) -> None:
    """Replaces a function that writes a file: raises the error of a full disk."""
    raise OSError(28, "No space left on device")


__all__ = ["Guest", "Play", "Port", "Room"]
