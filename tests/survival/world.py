"""A table and its players in memory, with simulated faults of the network and of computers.

    world = World(folder, players=3)
    world.gather(); world.start()
    world.cut(guest, said=False, heard=0)   # frames that were sent are lost
    world.check()                           # checks what must be true at any time
    world.settle()                          # all reconnect; checks what must be true then

The host's log, its clients, the journal and the transcripts are the real ones. Only bytes and time are
simulated, as in `tests.net.room`."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from citadels_lan.bots.policy import Forgetful
from citadels_lan.crypto.client_log import comparable
from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.log import Move
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import Action, Choice, State, TableConfig, acting, view
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.messages import ENTRY, FROM_CLIENT, Frame, Pause, Ready, Remove, Settings, Start, decode
from tests.facts import first_game
from tests.net.links import frames_in
from tests.net.playing import random_action
from tests.net.room import Guest, Room, rejects

AFTER: Final = 20.0
"""Seconds of absence after which a bot plays for a player."""
SOON: Final = 5
"""Seconds within which all connected clients must receive the whole log: the time of some pings."""
PATIENCE: Final = 120
"""Seconds within which a game must continue without an absent player."""


class Survivor(Guest):
    """A viewer whose connection may be lost or slow, and may deliver frames twice, in another order, or
    garbled."""

    slow = False
    mischief = ""

    def hear(self) -> bool:
        """Transfer the waiting bytes to the client. A garbled frame ends the connection."""
        if self.slow:
            return False
        data = bytes(self.port.waiting)
        self.port.waiting.clear()
        try:
            for frame in self._disturbed(frames_in(data)):
                self.client.receive(frame)
        except Malformed:
            self.break_off()
            return False
        self.client.settle()
        return bool(data)

    def overhear(self, frames: int) -> None:
        """Transfer only the first of the waiting frames, without an answer of the client."""
        if self.viewer is not None:
            for frame in frames_in(bytes(self.port.waiting))[:frames]:
                self.client.receive(frame)
            self.port.waiting.clear()

    def _disturbed(self, frames: list[Frame]) -> list[Frame]:
        entries = [frame for frame in frames if frame.type == ENTRY]
        if not entries or not self.mischief:
            return frames
        mischief, self.mischief = self.mischief, ""
        if mischief == "twice":
            return [*frames, *entries]
        if mischief == "reordered":
            turned = iter(entries[::-1])
            return [next(turned) if frame.type == ENTRY else frame for frame in frames]
        return [*frames[:-1], Frame(frames[-1].type, bytes(len(frames[-1].body)))]

    def break_off(self) -> None:
        """End the connection at both ends."""
        if self.viewer is not None:
            self.cut()
        self.forget()

    def forget(self) -> None:
        """End the connection at the client only; the host does not notice."""
        self.viewer = None
        self.slow, self.mischief = False, ""
        self.client.unsent()
        self.client.trust.farewell = None

    def kill(self) -> None:
        """Kill the client while it writes its files, and start it again."""
        self.break_off()
        self.records.close()
        if (path := self.records.path) is not None and not self.records.finished:
            with path.open("ab") as file:
                file.write(b"\0\0\1")
        self.open()


class Bot(Forgetful):
    """A substitute bot that plays at random."""

    def __init__(self) -> None:
        self.dice = random.Random(3)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        return random_action(choices, self.dice)


class World(Room):
    """A room with simulated faults. `survivors` are the players and, last, a spectator. `taken` are the moves
    that a client has found in its log: seat and content, by entry."""

    def __init__(self, folder: Path, players: int) -> None:
        bot, usual = Bot(), first_game(players)
        self.taken: dict[int, tuple[int, str | bytes]] = {}
        sealing = TableConfig(players, ("magistrate", "blackmailer", *usual.cast[2:]), usual.districts)
        super().__init__(folder, settings=Settings(sealing, 0), takeover=Takeover(lambda _: bot, AFTER))
        self.survivors = [Survivor(self, f"Player {seat}") for seat in range(players)]
        self.survivors.append(Survivor(self, "Wanda", player=False))

    # The lobby

    @property
    def owner(self) -> Survivor:
        """The player who may change the settings and start."""
        return next(guest for guest in self.survivors if guest.identity.public == self.table.lobby.owner)

    def gather(self) -> None:
        """Let all viewers connect, and all players be ready."""
        self.guests = list(self.survivors)
        self.table.lobby.bans.removed.clear()
        for guest in self.survivors:
            self.back(guest)
            if guest.player:
                guest.say(Ready(True))

    def remove(self, guest: Survivor) -> None:
        """Let the owner remove a player, who cannot join before there is a new code."""
        if guest is not self.owner:
            self.owner.say(Remove(guest.identity.public))
            assert guest.port.code == "removed" or guest.viewer is None
            self.notice()
            with rejects("removed"):
                guest.join()
            guest.viewer = None

    def start(self) -> None:
        """Let the owner begin the game."""
        self.owner.say(Start())
        assert self.table.game is not None

    # What happens to them

    def back(self, guest: Survivor) -> None:
        """Connect a viewer if it is not connected, and let it receive everything."""
        guest.slow, guest.mischief = False, ""
        if guest.viewer is None:
            guest.join()
        self.carry()
        self.notice()

    def cut(self, guest: Survivor, *, said: bool, heard: int) -> None:
        """End a connection. `said`: the client's frames still arrive before that. The first `heard` frames of
        the host arrive, too."""
        if said:
            guest.speak()
        guest.overhear(heard)
        guest.break_off()

    def kill_host(self, *, heard: int, lost: int) -> None:
        """Kill the host and resume it from its journal. The last `lost` entries may be missing, but none that
        a client has received. Before that, the first `heard` frames for each viewer arrive."""
        for guest in self.survivors:
            guest.overhear(heard)
            guest.forget()
        received = max(guest.records.n for guest in self.survivors)
        self.restart(max(received, len(self.journal) - lost, 1))

    def tell_garbage(self, guest: Survivor, frame: Frame) -> None:
        """Send an invalid frame to the host, which ends the connection."""
        try:
            guest.tell(decode(frame, FROM_CLIENT))
        except Malformed:
            guest.break_off()

    def notice(self) -> None:
        """Let the clients notice which connections the host has ended."""
        for guest in self.survivors:
            if guest.viewer is not None and guest.port.code:
                guest.forget()

    def pass_time(self, seconds: float) -> None:
        """Let this many seconds pass."""
        self.wait(seconds)
        self.notice()

    def go_on_without(self, guest: Survivor) -> None:
        """Let the other players continue while a bot plays for this player."""
        for each in self.survivors:
            self.back(each)
        self._end_pause()
        guest.break_off()
        last = self.game.n + 12
        for _ in range(PATIENCE):
            if self.game.closed or self.game.n >= last:
                return
            self.move()
            self.pass_time(1)
            for each in self.survivors:
                if each is not guest:
                    self.back(each)
        raise AssertionError(f"the game does not continue without {guest.name}")

    # Invariants

    def check(self) -> None:
        """Check what must be true at any time: no client has other entries than the host, none raises an
        alarm, and no move that a client found in its log is lost."""
        if self.table.game is None:
            return
        log = self.game.host_log
        assert len(self.journal) >= self.game.n, "the host may send what is not on the disk"
        for guest in self.survivors:
            assert log.knows(guest.records.n, guest.records.head), f"{guest.name} is not on the host's chain"
            assert not [one for one in guest.client.updates if isinstance(one, Alarm)], guest.name
            sent = guest.client.turn.sent
            if sent is not None and sent.taken and guest.client.seat is not None:
                self.taken[sent.play.n] = guest.client.seat, sent.play.what
            if guest.records.n == self.game.n and not guest.client.closed:
                own = comparable(view(self.game.state, guest.client.seat))
                assert guest.client.state is not None
                assert comparable(guest.client.state) == own, f"{guest.name} sees another state"
        for n, (seat, what) in self.taken.items():
            entry = log.entry(n)
            assert isinstance(entry, Move), f"the move {n} is lost"
            assert (entry.seat, entry.what) == (seat, what), f"the move {n} is another one now"

    def settle(self) -> None:
        """Let all viewers reconnect, and end a pause. Check that all have the same log and that the game can
        continue."""
        for guest in self.survivors:
            self.back(guest)
        assert {guest.client.notices.paused for guest in self.survivors} == {self.table.clock.paused}
        self._end_pause()
        for _ in range(SOON):
            if not self._quiet:
                self.pass_time(1)
        assert self._quiet, "they are not all at the end of the log"
        self.check()
        for player in self.players:
            sent = player.client.turn.sent
            assert sent is None or sent.settled, f"{player.name} still waits for an answer"
        if not self.game.closed:
            movers = {guest.seat for guest in self.players if guest.client.may_move}
            assert movers == set(acting(self.game.state)) != set()

    def _end_pause(self) -> None:
        if self.table.clock.paused:
            self.survivors[0].say(Pause(False))
        assert not self.table.clock.paused

    @property
    def _quiet(self) -> bool:
        """Whether all clients have the whole log, and the table waits for no message of a client."""
        heads = {guest.records.head for guest in self.survivors}
        return heads == {self.game.head} and not self.game.awaited

    def check_files(self) -> None:
        """Check that all transcripts verify and contain no proof of cheating."""
        report = verify([guest.path for guest in self.survivors])
        assert len(report.files) == len(self.survivors)
        assert report.code == (0 if self.game.closed else 4)
        assert not [one for one in report.findings if one.kind == "proof"]
