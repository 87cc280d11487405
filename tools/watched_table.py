"""Checks that a table sends and logs no secret that the rules do not allow (used by `canary`)."""

import base64
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from citadels_lan.crypto.codec import unpad
from citadels_lan.crypto.commitments import BREAKING, Opening
from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.log import Close, Move, decode_entry
from citadels_lan.engine import Event
from citadels_lan.engine import events as ev
from citadels_lan.net.client.client import Client
from citadels_lan.net.client.records import Records
from citadels_lan.net.host.hosted_game import HostedGame
from citadels_lan.net.wire.messages import ENTRY
from tests.engine.telling import EVERYBODY, leaves_sight, names
from tools.tagged_cards import OF_CHARACTERS, base, tags_in

HOST: Final = "the host"
LOG: Final = "a log"
SPECTATOR: Final = "Wanda"


class Leak(AssertionError):
    """Raised if a private value was sent to, or logged for, someone who may not know it."""


@dataclass
class Secret:
    """Bytes that only `owner` may see before they are revealed; the host may also see them, unless `sealed`.
    When they are revealed, `shown` records how many bytes each viewer had received before; None until
    then."""

    what: str
    owner: str
    value: bytes
    sealed: bool = False
    drafted: bool = False
    shown: dict[str, int] | None = None

    def patterns(self) -> Iterator[bytes]:
        """Return patterns that find the bytes themselves, in hexadecimal digits, and in base64 at any offset."""
        yield self.value
        yield self.value.hex().encode()
        for before in range(3):
            coded = base64.b64encode(bytes(before) + self.value).rstrip(b"=")
            yield coded[(before * 8 + 5) // 6 : -1]


class WatchedPlayer(Protocol):
    """A player whose frames are all recorded."""

    name: str
    part: Secret
    client: Client
    records: Records


class WatchedRoom(Protocol):
    """The table that is checked."""

    host_secret: Secret

    @property
    def game(self) -> HostedGame:
        """The game of the table."""

    def seated(self) -> Sequence[WatchedPlayer]:
        """The players of the table."""


class Watch:
    """Receives everything that a table sends and logs. From the events it computes which secrets may be
    contained."""

    def __init__(self) -> None:
        self.sent: dict[str, bytearray] = defaultdict(bytearray)
        self.secrets: list[Secret] = []
        self.nonces: dict[bytes, Secret] = {}
        self.known: dict[int | None, set[str]] = defaultdict(set)
        self.allowed: dict[int, dict[int, set[str]]] = {}
        self.count: Counter[str] = Counter()
        self.revealed: Counter[str] = Counter()
        self.built: Counter[str] = Counter()
        self.leaks: list[str] = []
        self.arriving = 0
        self.at_end: dict[str, int] = {}
        self.room: WatchedRoom | None = None

    # What is secret

    def keep(self, secret: Secret) -> Secret:
        """Add a secret to those that are searched."""
        self.secrets.append(secret)
        return secret

    def keep_opening(self, owner: str, opening: Opening, *, sealed: bool) -> None:
        """Search for the nonce of an opening and, if `sealed`, for the notation of the sealed move."""
        if opening.nonce not in self.nonces:
            self.nonces[opening.nonce] = self.keep(
                Secret(f"nonce of {opening.line}", owner, opening.nonce, sealed)
            )
        if sealed and all(one.what != opening.line for one in self.secrets):
            self.keep(Secret(opening.line, owner, opening.line.encode(), sealed))

    def keep_drafted(self, owner: str, what: str, value: bytes) -> None:
        """Search for `value`, which hides a part (`what`) of a sealed draft."""
        if value not in self.nonces:
            self.nonces[value] = self.keep(Secret(what, owner, value, sealed=True, drafted=True))
            self.count["of drafts"] += 1

    def replied(self, nonce: bytes) -> None:
        """Record that a reply to a call is on its way to the host. The reply reveals the character that
        `nonce` hides."""
        if self.nonces[nonce].shown is None:
            self.nonces[nonce].shown = {name: len(data) for name, data in self.sent.items()} | {
                HOST: self.arriving
            }
            self.count["shown at calls"] += 1

    def show(self, secret: Secret) -> None:
        """Record that from now on every viewer may see a secret."""
        if secret.shown is None:
            host = self.at_end.get(secret.owner, self.arriving)
            if secret.what.encode() == secret.value:  # others may have sealed the same line
                host = min([*self.at_end.values(), self.arriving])
            secret.shown = {name: len(data) for name, data in self.sent.items()} | {HOST: host}

    # What happens

    def entry(self, written: Written, events: Sequence[Event]) -> None:
        """Handle an entry that is about to be written, before any viewer receives it."""
        allowed: dict[int, set[str]] = defaultdict(set)
        shown: set[str] = set()
        for event in events:
            self.count[type(event).__name__] += 1
            self._forget(event)
            for seat, told in names(event):
                tags = tags_in(" ".join(told))
                allowed[seat] |= tags
                for viewer in [*range(9), None] if seat == EVERYBODY else [seat]:
                    self.known[viewer] |= tags
            if isinstance(event, ev.Revealed | ev.CharacterCalled):
                self.revealed[base(event.character)] += 1
                shown.add(f"pick {event.character}")
            if isinstance(event, ev.Built | ev.Confiscated):
                self.built[base(event.card)] += 1
        entry = decode_entry(written.public)
        if isinstance(entry, Move):
            broken = BREAKING.get(entry.what) if isinstance(entry.what, str) else None
            for one in entry.openings:
                if one.line in shown or (one.seat == entry.seat and one.kind == broken):
                    self._opened(one)
        elif isinstance(entry, Close):
            for one in entry.openings:
                allowed[EVERYBODY] |= tags_in(one.line)
                self._opened(one)
        self._shown(entry)
        self.allowed[written.n] = allowed

    def _opened(self, opening: Opening) -> None:
        for secret in self.secrets:
            if secret.value in (opening.nonce, opening.line.encode()):
                self.show(secret)

    def _shown(self, entry: object) -> None:
        room = self.room
        assert room is not None
        if isinstance(entry, Close) and entry.secret:
            self.show(room.host_secret)
            for guest in room.seated():
                self.show(guest.part)
            for secret in self.secrets:
                if secret.drafted and secret.what == "link":
                    self.show(secret)

    def _forget(self, event: Event) -> None:
        gone = tags_in(" ".join(leaves_sight(event)))
        for known in self.known.values():
            known.difference_update(gone)
        if isinstance(event, ev.RoundBegan):
            for known in self.known.values():
                known.difference_update(OF_CHARACTERS)

    # What is sent

    def frame(self, name: str, seat: int | None, kind: int, body: bytes) -> None:
        """Check that a frame to a viewer has only the secrets that this viewer may receive."""
        found = tags_in(body)
        if kind == ENTRY:
            n = unpad(body)[0]
            told = self.allowed[n]
            may = told[EVERYBODY] | (told[seat] if seat is not None else set())
            about = f"entry {n}"
        else:
            may, about = self.known[seat], f"message {kind}"
        self.count["frames"] += 1
        self.count["snapshots"] += kind == 22
        self.count["refusals"] += kind == 21
        self.count["tags told"] += len(found)
        if not found <= may:
            self.leaks.append(f"{name} was told {sorted(found - may)} by {about}")

    def line(self, text: str) -> None:
        """Check that a line of a log file contains no secret."""
        self.count["log lines"] += 1
        self.sent[LOG] += text.encode() + b"\n"
        if found := tags_in(text):
            self.leaks.append(f"{sorted(found)} in a log: {text}")

    def search(self) -> None:
        """Search for all secrets in all bytes that were sent before they were revealed."""
        for secret in self.secrets:
            for name, data in self.sent.items():
                if name == secret.owner or (name == HOST and not secret.sealed):
                    continue
                if secret.drafted and name not in (HOST, LOG, SPECTATOR):
                    continue  # the host has none of it that it could send
                until = len(data) if secret.shown is None or name == LOG else secret.shown.get(name, 0)
                self.count["searches"] += 1
                for pattern in secret.patterns():
                    if data.find(pattern, 0, until) >= 0:
                        self.leaks.append(f"{secret.what} of {secret.owner} was told to {name}")
                self.count["found when shown"] += data.find(secret.value, until) >= 0
        self.count["secrets"] += len(self.secrets)
        self.check()

    def check(self) -> None:
        """Raise Leak if a leak was found before. The program could catch an error that is raised where the
        leak was found, so it is raised here."""
        if self.leaks:
            raise Leak(self.leaks[0])
