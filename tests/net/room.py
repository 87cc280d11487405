"""A table and its viewers in one place, without sockets and without a clock: bytes are carried by hand."""

import random
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Self

from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import Action, Event, parse
from citadels_lan.net.client.client import Client
from citadels_lan.net.client.records import GameIdentity as GameId
from citadels_lan.net.client.records import Records, key_path
from citadels_lan.net.client.signing import Sent
from citadels_lan.net.client.updates import Happened
from citadels_lan.net.host.audience import Viewer
from citadels_lan.net.host.game import HostedDraft, HostedGame
from citadels_lan.net.host.lobby import Core, Lobby, TakenSeat
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.join.handshake import Applicant, Profile
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import FROM_CLIENT, Message, Play, Role, Settings, Start, decode
from citadels_lan.net.wire.timing import Timing
from citadels_lan.systems.files import write_private
from tests.facts import first_table

from .playing import random_action

TIMING = Timing()


@dataclass
class Port:
    """What was sent to a viewer and not carried yet; `all` has everything."""

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
    """A viewer: its files, what it knows, and its connection if it has one. Its keys are those of its name, so
    that a game goes the same way in every run."""

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
        """Which game the table says it plays."""
        core = self.room.core
        return GameId(core.game, core.fp, core.host.public)

    def open(self) -> None:
        """Start the program (again): everything it knows comes from its files."""
        role: Role = "player" if self.player else "spectator"
        profile = Profile(self.name, role, SeatKind.BOT if self.bot else SeatKind.PLAYER)
        self.records = Records(self.identity, self.game, self.folder, self.folder, profile)
        self.records.starts._draw = lambda length: sha256(f"part of {self.name}".encode()).digest()[:length]
        self.client = Client(self.records)
        self.replied = 0

    def new_port(self) -> Port:
        """What its next connection sends to."""
        return Port()

    def join(self) -> Self:
        """Connect. Raises Turned."""
        records = self.records
        role = "player" if self.player else "spectator"
        kind = records.profile.kind
        who = Applicant(
            self.identity.public, self.name, role, kind, records.n, records.head, records.said  # type: ignore[arg-type]
        )  # fmt: skip
        self.port, self.decoder, self.replied = self.new_port(), Decoder(KNOWN), 0
        self.viewer = self.room.table.join(who, self.port, self.room.now, self.address)
        return self

    def cut(self) -> None:
        """The connection is gone, with whatever was on it."""
        assert self.viewer is not None
        self.room.table.audience.lost(self.viewer, self.room.now)
        self.viewer = None

    def hear(self) -> bool:
        """Carry to the client what was sent to it."""
        data = bytes(self.port.waiting)
        self.port.waiting.clear()
        for frame in self.decoder.feed(data):
            self.client.receive(frame)
        self.client.settle()
        return self.reply() or bool(data)

    def reply(self) -> bool:
        """Reply to a call, once; whether it is one."""
        asked = self.client.asked if self.viewer is not None else None
        if asked is None or asked == self.replied:
            return False
        self.replied = asked
        assert self.client.view.drafting is not None
        self.client.ask(self.client.view.drafting.reply())
        return True

    def speak(self) -> bool:
        """Carry to the table what the client wants to send."""
        out, self.client.out = self.client.out, []
        if self.viewer is None:
            return False
        for frame in Decoder(KNOWN).feed(b"".join(out)):
            self.room.table.receive(self.viewer, decode(frame, FROM_CLIENT), self.room.now)
        return bool(out)

    def say(self, message: Message) -> None:
        """Send something and let it have its effect."""
        self.client.ask(message)
        self.room.carry()

    def act(self, action: Action) -> Sent:
        """Make a move and let it have its effect."""
        sent = self.client.move(action)
        self.room.carry()
        return sent


class Room:
    """A table with its guests. `journal` is what is on the host's disk."""

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
        """Another table instead, before anybody sits at it."""
        self.settings = settings
        self.table = self._table()

    def _table(self) -> HostTable:
        lobby = Lobby(self.settings)
        return HostTable(self.core, lobby, self.journal.append, self.timing, takeover=self.takeover)

    def seat(self, *names: str) -> list[Guest]:
        """Let players in."""
        self.guests += [Guest(self, name).join() for name in names]
        self.carry()
        return self.guests

    def watch(self, name: str) -> Guest:
        """Let a spectator in."""
        self.guests.append(Guest(self, name, player=False).join())
        self.carry()
        return self.guests[-1]

    def begin(self) -> "Room":
        """Seat everybody and begin the game."""
        self.seat(*(f"Player {seat}" for seat in range(self.settings.players)))
        for guest in self.guests:
            self.table.lobby.ready(guest.identity.public, True)
        self.guests[0].say(Start())
        return self

    def carry(self) -> None:
        """Carry everything, both ways, until nobody says anything more."""
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
        """The sealed draft at its host."""
        assert self.game.draft is not None
        return self.game.draft

    @property
    def players(self) -> list[Guest]:
        return [guest for guest in self.guests if guest.player]

    def move(self) -> Sent | None:
        """One random move by whoever is asked; None when the game is over."""
        for guest in self.players:
            if guest.client.may_move:
                return guest.act(self.choice(guest))
        return None

    def say(self, seat: int, line: str) -> list[Event]:
        """A move of a script; what the seat is told of it. Raises Rejected."""
        guest = next(guest for guest in self.players if guest.client.seat == seat)
        self.carry()
        sent = guest.act(parse(line, seat))
        if sent.refusal is not None:
            raise sent.refusal
        told = [one for one in guest.client.updates if isinstance(one, Happened) and one.n == sent.play.n]
        return [event for one in told for event in one.events]

    def choice(self, guest: Guest) -> Action:
        """A random legal action of a guest that is asked."""
        return random_action(guest.client.choices, self.dice)

    def play(self, moves: int = 10**9) -> "Room":
        """So many random moves, or until the game is over."""
        self.carry()
        for _ in range(moves):
            if self.move() is None:
                break
        return self

    def restart(self, entries: int | None = None) -> None:
        """Kill the host, with only so many entries on its disk, and resume; nobody is connected."""
        del self.journal[entries if entries is not None else len(self.journal) :]
        for guest in self.guests:
            guest.viewer = None
        places = self.table.lobby.places
        self.table = self._table()
        self.table.lobby.places = [TakenSeat(one.key, one.name, one.kind, True, True) for one in places]
        if self.journal:
            secrets = (self.core.secret, self.core.host)
            self.table.resume(HostedGame.restore(self.journal, *secrets, self.journal.append))

    def wait(self, seconds: float, *, deaf: tuple[Guest, ...] = ()) -> None:
        """Time passes; everybody but the deaf goes on listening."""
        until = self.now + seconds
        while self.now < until:
            self.now += 1
            self.table.tick(self.now)
            for guest in self.guests:
                if guest not in deaf and guest.viewer is not None:
                    self._both(guest)


__all__ = ["Guest", "Play", "Port", "Room"]
