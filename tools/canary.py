"""Play whole games in which every private value can be recognised wherever it is sent or logged (a canary).

    python -m tools.canary --games 1000

Every card has a tag (`tagged_cards.py`). A frame with entry n may contain only the tags that the rules show
to its viewer in the events of entry n (`tests/engine/telling.py`). Any other frame may contain only the tags
that the viewer knows at this moment, and a log line none. Nonces, keys, chain links, parts of the seed and
the host's secret are searched as bytes, in hexadecimal digits and in base64: in everything that any viewer
was sent before they were revealed and, if only their owner may ever know them, in everything that the host
was sent.

With `--draft sealed` the characters have no tags, because the host does not know them. The values that hide
picks, packets and exchanged characters are searched in everything that the host was sent before a call was
answered, and in what a spectator and the logs received. At every second table with a Theater all players try
to build it, so that characters are also exchanged."""

import argparse
import contextlib
import functools
import logging
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from unittest import mock

from citadels_lan.crypto import log
from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.commitments import BREAKING, Opening, manner, nonce
from citadels_lan.crypto.draft.drafts import NOT_HELD, CallReply, decode_message
from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import AnyEntry, Move, decode_entry
from citadels_lan.engine import EVENTS, Action, Event, decisions, evolve, refusal
from citadels_lan.engine.events import CharactersSwapped
from citadels_lan.net.client.own_seat import Sent, signed
from citadels_lan.net.host import audience, hosted_game
from citadels_lan.net.host.hosted_game import LONGEST, HostedGame
from citadels_lan.net.host.lobby import Core
from citadels_lan.net.wire.messages import Cosign, Play, SayInDraft, Settings, decode
from tests.engine.candidates import candidates
from tests.engine.tables import ALL, Tables
from tests.net.links import frames_in
from tests.net.playing import random_action
from tests.net.room import Guest, Port, Room
from tests.net.sealed_draft.rooms import hidden_in, longing, with_theater
from tests.once import once
from tests.play.dice import seldom_trading
from tools.tagged_cards import tagged, tags_in
from tools.watched_table import HOST, Leak, Secret, Watch

WINDOW: Final = 60
"""Number of recent entries that the host can send again in these games. It is small, so that snapshots are
sent often."""


EXCHANGES: Final = 3
"""After this many exchanges of characters, the players of a game no longer try to get the Theater."""


class Overheard(Port):
    """A connection from the host to a viewer. The test records every frame that the host sends."""

    def __init__(self, guest: "Listener") -> None:
        super().__init__()
        self._guest = guest

    def send(self, data: bytes) -> None:
        watch, guest = self._guest.watch, self._guest
        watch.sent[guest.name] += data
        for frame in frames_in(data):
            seat = guest.room.table.lobby.seat(guest.identity.public) if guest.player else None
            watch.frame(guest.name, seat, frame.type, frame.body)
        super().send(data)


class Listener(Guest):
    """A viewer for whom the test records everything that it sends and receives."""

    room: "CanaryRoom"

    def __init__(self, room: "CanaryRoom", name: str, player: bool = True) -> None:
        self.watch = room.watch_all
        self.watch.sent[name] = bytearray()
        super().__init__(room, name, player)
        self.part = Secret("part of the seed", name, self.records.starts._draw(32))
        if player:
            self.watch.keep(self.part)
        for what, value in self.seeds.items():
            self.watch.keep(Secret(what, name, value, sealed=True))

    def new_port(self) -> Port:
        return Overheard(self)

    def speak(self) -> bool:
        """Send one message at a time, so that for each message the test knows what the host had sent
        before."""
        out, self.client.out = self.client.out, []
        for message in out:
            self.watch.arriving = len(self.watch.sent[HOST])
            self._note_draft(message)
            if message[4] == Cosign.type and self.room.game.host_log.audit.over:
                self.watch.at_end[self.name] = self.watch.arriving
            self.watch.sent[HOST] += message
            self.client.out = [message]
            super().speak()
        return bool(out)

    def act(self, action: Action) -> Sent:
        self._note(str(action))
        return super().act(action)

    def _note_draft(self, message: bytes) -> None:
        """Before a message of a sealed draft is sent: record the secret bytes in it that hide picks and
        packets. For a reply to a call, record that it reveals a character."""
        drafting = self.client.view.drafting
        hand = drafting._hand if drafting is not None else None
        if hand is None or message[4] != SayInDraft.type:
            return
        for what, value in hidden_in(hand):
            self.watch.keep_drafted(self.name, what, value)
        (frame,) = frames_in(message)
        told = decode(frame, {SayInDraft.type: SayInDraft})
        assert isinstance(told, SayInDraft)
        said, inquiry = decode_message(told.what), self.room.game.state.inquiry
        held = hand.record.table.plan.names(hand.held())
        if isinstance(said, CallReply) and said != NOT_HELD and inquiry is not None and inquiry.character in held:
            self.watch.replied(said.nonce)

    def _note(self, line: str) -> None:
        """Record the secret values that a move (`line`) is going to hide."""
        client_log, seat, key = self.records.client_log, self.client.seat, self.records.key
        assert client_log is not None
        assert seat is not None
        if manner(line) == "open":
            return
        place = (client_log.audit.round, seat, client_log.audit.concealed.slot(seat))
        if manner(line) == "sealed":
            verb = line.split(" ", 1)[0]
            salt = nonce(key, self.room.core.game, client_log.chain.head, verb, place[-1])
            self.watch.keep_opening(self.name, Opening(*place, verb, line, salt), sealed=True)
        else:
            for one in signed(self.client.records, client_log, seat, line).openings:
                self.watch.keep_opening(self.name, one, sealed=False)

    def begin_again(self) -> None:
        """Lose the connection and the transcript, and reconnect with the player's key alone."""
        self.cut()
        self.records.close()
        for path in self.folder.glob("*.ctr"):
            path.unlink()
        self.open()
        self.join()


class CanaryRoom(Room):
    """A table with random settings at which, now and then, a viewer joins late, loses its files, or sends a
    move that is not allowed."""

    def __init__(self, folder: Path, seed: int, tables: Tables = ALL) -> None:
        dice = random.Random(seed)
        setup = tables.draw(dice)
        self.longs = tables.draft == "sealed" and dice.random() < 0.5
        if self.longs:
            setup = with_theater(setup)
        super().__init__(folder, settings=Settings(setup))
        self.dice = dice
        self.watch_all = Watch()
        self.watch_all.room = self
        host, secret = dice.randbytes(32), dice.randbytes(32)
        self.core = Core(dice.randbytes(16), secret, Identity(host), dice.randbytes(32))
        self.host_secret = self.watch_all.keep(Secret("s", HOST, secret))
        self.watch_all.keep(Secret("the host's key", HOST, host))
        self.open(Settings(setup))
        self.late = 0

    def seat(self, *names: str) -> list[Guest]:
        self.guests += [Listener(self, name).join() for name in names]
        self.carry()
        return self.guests

    def watch(self, name: str) -> Guest:
        self.guests.append(Listener(self, name, player=False).join())
        self.carry()
        return self.guests[-1]

    def seated(self) -> list[Listener]:
        """The players of the table."""
        return [guest for guest in self.players if isinstance(guest, Listener)]

    def move(self) -> Sent | None:
        self._disturb()
        self.watch_all.check()
        return None if self.full else super().move()

    def choice(self, guest: Guest) -> Action:
        """Return a random legal action of a player. Trades are rare, so that games end. At every other table
        with a sealed draft all players try to get the Theater, which chance alone seldom brings, until
        EXCHANGES is reached."""
        client = guest.client
        assert client.state is not None
        assert client.seat is not None
        choices = seldom_trading(self.dice, decisions(client.state)[client.seat])
        longs = self.longs and self.watch_all.count[CharactersSwapped.__name__] < EXCHANGES
        choose = longing if longs and self.dice.random() < 0.5 else random_action
        return choose(choices, self.dice)

    @property
    def full(self) -> bool:
        """Whether the game has the maximum number of entries."""
        return self.game.n >= LONGEST

    def _disturb(self) -> None:
        chance = self.dice.random()
        if chance < 0.01 and self.late < 2:
            self.late += 1
            self.watch(f"Late {self.late}")
        elif chance < 0.015:
            self.dice.choice(self.seated()).begin_again()
            self.carry()
        elif chance < 0.1:
            self._ask_too_much(self.dice.choice(self.seated()))
        elif chance < 0.11:
            self._break_down()
        elif chance < 0.12:
            self.guests[-1].say(Play(self.game.n + 1, "end", bytes(64), ()))

    def _break_down(self) -> None:
        """Make a move at which the host's engine fails with an error whose text contains all secrets of the
        table."""
        asked = next((guest for guest in self.players if guest.client.may_move), None)
        if asked is None or asked.client.question:
            return  # An answer that breaks a seal reveals the marker to the host, whatever happens next.
        fault = RuntimeError(f"{self.game.state}")
        with mock.patch.object(hosted_game, "decide", side_effect=fault):
            asked.act(self.choice(asked))
        self.watch_all.count["faults"] += 1

    def _ask_too_much(self, guest: Listener) -> None:
        """Send a move that the rules reject, with cards that this seat knows."""
        client, client_log = guest.client, guest.records.client_log
        state, seat = client.state, client.seat
        if state is None or seat is None or client_log is None or client.behind or self.game.cosigning:
            return
        if client.turn.sent is not None and not client.turn.sent.settled:
            return
        known = self.watch_all.known[seat]
        every = candidates(self.dice, state, seat)
        asked = [
            action
            for action in self.dice.sample(every, min(30, len(every)))
            if refusal(state, seat, action) is not None
            and str(action) not in BREAKING
            and tags_in(str(action)) <= known
        ]
        for action in asked[:2]:
            line = str(action)
            if manner(line) == "open" or client_log.audit.expects(Move):
                guest.say(signed(client.records, client_log, seat, line))


@contextlib.contextmanager
def listening(watch: Watch) -> Iterator[None]:
    """Within this context, pass each entry and each log line to `watch`."""
    real = HostedGame.append

    def append(self: HostedGame, written: Written, events: Sequence[Event] = ()) -> None:
        watch.entry(written, events)
        real(self, written, events)

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            watch.line(self.format(record))

    root, handler = logging.getLogger(), Lines(logging.DEBUG)
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with (
            mock.patch.object(HostedGame, "append", append),
            mock.patch.object(audience, "WINDOW", WINDOW),
            mock.patch.object(Bookkeeping, "follow", _follow),  # The cards of no edition have tags.
        ):
            yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before)


def _follow(books: Bookkeeping, n: int, entry: AnyEntry, events: Sequence[Event]) -> None:
    """Update the state of `books` by the events that the viewer received, without any check."""
    for event in events:
        books.state = evolve(books.state, event)


@contextlib.contextmanager
def quicker() -> Iterator[None]:
    """Context in which a computation that every viewer makes with the same bytes is made only once."""
    decoded = functools.lru_cache(maxsize=4096)(decode_entry)
    with once(), mock.patch.object(log, "decode_entry", decoded):
        yield


def play(seed: int, moves: int = 10**9, tables: Tables = ALL) -> Watch:
    """Play one game to its end, or for this many moves. Raises Leak."""
    with tempfile.TemporaryDirectory() as folder:
        room = CanaryRoom(Path(folder), seed, tables)
        watch = room.watch_all
        with quicker(), tagged(characters=tables.draft == "open"), listening(watch):
            room.begin()
            room.watch("Wanda")
            room.play(moves)
            assert room.game.closed or room.full or moves < 10**9
            watch.search()
        for guest in room.guests:
            guest.records.close()
    return watch


@dataclass
class Total:
    """The sums of many games: what was checked and what occurred."""

    count: Counter[str] = field(default_factory=Counter)
    revealed: Counter[str] = field(default_factory=Counter)
    built: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)

    def add(self, other: "Total") -> None:
        """Add the sums of other games to these sums."""
        self.count += other.count
        self.revealed += other.revealed
        self.built += other.built
        self.leaks += other.leaks


def one(number: int, *, first: int, tables: Tables = ALL, until: float = float("inf")) -> Total:
    """Play game `number` of many and return its sums. After the time `until`, play nothing and return empty
    sums."""
    if time.time() > until:
        return Total()
    seed = first * 1_000_003 + number
    try:
        watch = play(seed, tables=tables)
    except Leak as leak:
        return Total(Counter(games=1), leaks=[f"seed {seed}: {leak}"])
    except Exception:
        return Total(Counter(games=1), leaks=[f"seed {seed}: {traceback.format_exc()}"])
    return Total(watch.count + Counter(games=1), watch.revealed, watch.built)


def main() -> int:
    """Play the games and print what was covered. Return 1 if anything leaked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no more games after so long")
    Tables.add_arguments(parser)
    Tables.add_draft(parser)
    options = parser.parse_args()
    tables = Tables.of(options)
    started, total = time.time(), Total()
    work = functools.partial(one, first=options.seed, tables=tables, until=started + options.seconds)
    with ProcessPoolExecutor(options.jobs) as pool:
        for each in pool.map(work, range(options.games), chunksize=5):
            total.add(each)
            for leak in each.leaks:
                print(leak, file=sys.stderr, flush=True)
    print(f"{total.count['games']} games from seed {options.seed}, {time.time() - started:.0f} s")
    kinds = {name for name in total.count if name[0].isupper()}
    for name in (
        "frames",
        "tags told",
        "snapshots",
        "refusals",
        "faults",
        "log lines",
        "secrets",
        "searches",
        "found when shown",
        "of drafts",
        "shown at calls",
        CharactersSwapped.__name__,
    ):
        print(f"  {name}: {total.count[name]}")
    print(f"  kinds of events: {len(kinds)}; never: {sorted(all_kinds() - kinds)}")
    for what, found, every in (
        ("characters revealed", total.revealed, characters(tables)),
        ("unique districts built", total.built, uniques(tables)),
    ):
        counts = {name: found[name] for name in every}
        least = min(counts, key=counts.__getitem__)
        print(f"  {what}: {len(every)} kinds, at least {counts[least]} times ({least})")
    print(f"  leaks: {len(total.leaks)}")
    return 1 if total.leaks else 0


def characters(tables: Tables) -> set[str]:
    """Return all characters that can be revealed in at least one game with these settings."""
    return {key for edition in tables.known for key in edition.characters}


def uniques(tables: Tables) -> set[str]:
    """Return all unique districts that can occur in games with these settings."""
    return {key for edition in tables.known for key in edition.uniques}


def all_kinds() -> set[str]:
    """Return the names of all kinds of events of the engine."""
    return {kind.__name__ for kind in EVENTS.__args__}


if __name__ == "__main__":
    sys.exit(main())
