"""A table and its players in memory, to whom everything happens that a network and a machine can do to them.

    world = World(folder, players=3)
    world.begin()
    world.cut(1, arrives=False)          # what was on the way is lost
    world.check()                        # what holds at any time
    world.settle()                       # everybody back, everything said: what holds then

The host's log, its clients, the journal and the transcripts are the real ones; only bytes and time are carried by
hand, as in `tests.net.room`.
"""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from citadels_lan.bots.policy import Forgetful
from citadels_lan.crypto.client_log import comparable
from citadels_lan.crypto.log import Move
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import Action, Choice, State, TableConfig, acting, view
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import ENTRY, FROM_CLIENT, Pause, Ready, Remove, Settings, Start, decode
from tests.facts import first_game
from tests.net.playing import random_action
from tests.net.room import Guest, Room

AFTER: Final = 20.0
"""Seconds until a bot moves for somebody who is gone."""
SOON: Final = 5
"""Seconds in which everybody has all of the log again who is connected: some pings long."""
PATIENCE: Final = 120
"""Seconds in which a game goes on without whoever is gone."""


class Survivor(Guest):
    """A player whose connection may break, stand still, and bring frames twice, in another order, or garbled."""

    slow = False
    mischief = ""

    def hear(self) -> bool:
        """Carry to the client what was sent to it. What is garbled ends the connection."""
        if self.slow:
            return False
        data = bytes(self.port.waiting)
        self.port.waiting.clear()
        try:
            for frame in self._disturbed(list(self.decoder.feed(data))):
                self.client.receive(frame)
        except Malformed:
            self.break_off()
            return False
        self.client.settle()
        return bool(data)

    def overhear(self, frames: int) -> None:
        """The first of the frames on the way arrive, and there is no time for an answer."""
        if self.viewer is not None:
            for frame in list(self.decoder.feed(bytes(self.port.waiting)))[:frames]:
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
        """The connection is gone at both ends."""
        if self.viewer is not None:
            self.cut()
        self.forget()

    def forget(self) -> None:
        """This end has noticed that there is no connection any more."""
        self.viewer = None
        self.slow, self.mischief = False, ""
        self.client.unsent()
        self.client.trust.farewell = None

    def kill(self) -> None:
        """The program ends while it writes, and begins anew."""
        self.break_off()
        self.records.close()
        if (path := self.records.path) is not None and not self.records.finished:
            with path.open("ab") as file:
                file.write(b"\0\0\1")
        self.open()


class Bot(Forgetful):
    """Whoever moves for those who are gone: at random."""

    def __init__(self) -> None:
        self.dice = random.Random(3)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """One of the choices."""
        return random_action(choices, self.dice)


class World(Room):
    """The table. `survivors` are the players and, last, a spectator. `taken` are the moves that somebody knows to
    be in the log: entry, seat, and what was said."""

    def __init__(self, folder: Path, players: int) -> None:
        self.bot = Bot()
        self.taken: dict[int, tuple[int, str | bytes]] = {}
        usual = first_game(players)
        sealing = TableConfig(players, ("magistrate", "blackmailer", *usual.cast[2:]), usual.districts)
        super().__init__(folder, settings=Settings(sealing, 0))
        self.survivors = [Survivor(self, f"Player {seat}") for seat in range(players)]
        self.survivors.append(Survivor(self, "Wanda", player=False))

    def _table(self) -> HostTable:
        table = super()._table()
        table.playing.takeover = Takeover(lambda _: self.bot, AFTER)
        return table

    # The lobby

    def gather(self) -> None:
        """Everybody is there, and ready."""
        self.guests = list(self.survivors)
        self.table.lobby.bans.removed.clear()
        for guest in self.survivors:
            self.back(guest)
            if guest.player:
                guest.say(Ready(True))

    def remove(self, guest: Survivor) -> None:
        """The owner sends somebody away, who is let in again after there is a new code."""
        owner = next(one for one in self.survivors if one.identity.public == self.table.lobby.owner)
        owner.say(Remove(guest.identity.public))
        self.notice()
        if guest is not owner:
            assert guest.port.code == "removed"
        assert refused(guest) == "removed"

    def start(self) -> None:
        """The game begins."""
        owner = next(one for one in self.survivors if one.identity.public == self.table.lobby.owner)
        owner.say(Start())
        assert self.table.game is not None

    # What happens to them

    def back(self, guest: Survivor) -> None:
        """Connect, if there is no connection, and hear everything."""
        guest.slow, guest.mischief = False, ""
        if guest.viewer is None:
            guest.join()
        self.carry()
        self.notice()

    def cut(self, guest: Survivor, *, said: bool, heard: int) -> None:
        """A connection breaks. What was `said` on it may still arrive, and so many frames of the host's."""
        if said:
            guest.speak()
        guest.overhear(heard)
        guest.break_off()

    def kill_host(self, *, heard: int, lost: int) -> None:
        """The host is killed, and goes on from its journal; so many of the frames it had sent still arrive. It may
        have been so many entries sooner, as long as nobody has heard of them."""
        for guest in self.survivors:
            guest.overhear(heard)
            guest.forget()
        told = max(guest.records.n for guest in self.survivors)
        self.restart(max(told, len(self.journal) - lost, 1))

    def tell_garbage(self, guest: Survivor, frame: Frame) -> None:
        """A client says what is no message, and its connection ends for that."""
        assert guest.viewer is not None
        try:
            self.table.receive(guest.viewer, decode(frame, FROM_CLIENT), self.now)
        except Malformed:
            guest.break_off()

    def notice(self) -> None:
        """Whoever the host has sent away finds that out."""
        for guest in self.survivors:
            if guest.viewer is not None and guest.port.code:
                guest.forget()

    def pass_time(self, seconds: float) -> None:
        """Time passes; whoever is connected goes on listening, but for the slow."""
        self.wait(seconds)
        self.notice()

    def go_on_without(self, guest: Survivor) -> None:
        """Somebody is gone, and the others play: a bot makes the moves, and rounds begin."""
        for one in self.survivors:
            self.back(one)
        self._end_pause()
        guest.break_off()
        last = self.game.n + 12
        for _ in range(PATIENCE):
            if self.game.closed or self.game.n >= last:
                return
            self.move()
            self.pass_time(1)
            for one in self.survivors:
                if one is not guest:
                    self.back(one)
        raise AssertionError(f"the game does not go on without {guest.name}")

    # What holds

    def check(self) -> None:
        """What holds at any time."""
        if self.table.game is None:
            return
        log = self.game.host_log
        assert len(self.journal) >= self.game.n, "somebody may be told what is not on the disk"
        for guest in self.survivors:
            assert log.knows(guest.records.n, guest.records.head), f"{guest.name} is not on the host's chain"
            assert not [one for one in guest.client.updates if isinstance(one, Alarm)], guest.name
            self._note_taken(guest)
            if guest.records.n == self.game.n and not guest.client.closed:
                assert self.sees_right(guest), f"{guest.name} sees something else"
        for n, (seat, what) in self.taken.items():
            entry = log.entry(n)
            assert isinstance(entry, Move), f"the move {n} is lost"
            assert (entry.seat, entry.what) == (seat, what), f"the move {n} is another one now"

    def _note_taken(self, guest: Survivor) -> None:
        sent = guest.client.turn.sent
        if sent is not None and sent.taken and guest.client.seat is not None:
            self.taken[sent.play.n] = guest.client.seat, sent.play.what

    def sees_right(self, guest: Survivor) -> bool:
        """Whether a client that has all of the log sees what the host would show to its seat."""
        state = guest.client.state
        return state is not None and comparable(state) == comparable(view(self.game.state, guest.client.seat))

    def settle(self) -> None:
        """Everybody is back and there is no pause: all have the same, and the game can go on."""
        for guest in self.survivors:
            self.back(guest)
        assert {guest.client.notices.paused for guest in self.survivors} == {self.table.playing.pace.paused}
        self._end_pause()
        for _ in range(SOON):
            if self.quiet:
                break
            self.pass_time(1)
        assert self.quiet, "they are not all at the end of the log"
        self.check()
        for player in self.players:
            sent, seat = player.client.turn.sent, player.client.seat
            assert sent is None or sent.settled, f"{player.name} still waits for an answer"
            assert seat is not None
        if not self.game.closed:
            asked = {guest.client.seat for guest in self.players if guest.client.may_move}
            assert asked == set(acting(self.game.state)), "whoever has to move cannot"
            assert asked

    def _end_pause(self) -> None:
        if self.table.playing.pace.paused:
            self.survivors[0].say(Pause(False))
        assert not self.table.playing.pace.paused

    @property
    def quiet(self) -> bool:
        """Whether everybody has all of the log, and nobody's share in the chance is awaited."""
        game = self.game
        heads = {guest.records.head for guest in self.survivors}
        return heads == {game.head} and not game.awaited

    def verified(self) -> None:
        """Every transcript is found in order, and nobody is accused."""
        paths = [guest.records.path for guest in self.survivors if guest.records.path is not None]
        report = verify(paths)
        assert len(report.files) == len(self.survivors)
        assert report.code == (0 if self.game.closed else 4)
        assert not [one for one in report.findings if one.kind == "proof"]


def refused(guest: Guest) -> str:
    """Why somebody is not let in; empty for who is."""
    try:
        guest.join()
    except Refusal as reason:
        guest.viewer = None
        return reason.code
    return ""
