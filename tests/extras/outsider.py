"""A table written from docs/protocol.md alone: it shares no code with the program or with the second verifier
(extras/check_transcript.py).

`Table` writes the entries of a game, with real signatures, and each viewer's transcript. It knows no rules of
the card game: a test chooses the events. `changed` replaces the public array of an entry before it is hashed
and signed, as a lying host would."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

EIGHT: Final = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
GAME: Final = bytes(range(16))
FINGERPRINT: Final = bytes(32)
RULES: Final = bytes([7]) * 32
HPKE: Final = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
Public = list[Any]


def u(number: int, size: int) -> bytes:
    return number.to_bytes(size, "big")


def frame(tag: str, *fields: bytes | str) -> bytes:
    name = b"citadels-lan/v2/" + tag.encode()
    raw = [field.encode() if isinstance(field, str) else field for field in fields]
    return u(len(name), 1) + name + b"".join(u(len(one), 4) + one for one in raw)


def hashed(tag: str, *fields: bytes | str) -> bytes:
    return hashlib.sha256(frame(tag, *fields)).digest()


def secret(name: str) -> bytes:
    """Return 32 bytes that follow from `name`; a real program would draw them at random."""
    return hashlib.sha256(name.encode()).digest()


class Key:
    """An Ed25519 key pair."""

    def __init__(self, seed: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._private.public_key().public_bytes_raw()

    def sign(self, tag: str, *fields: bytes | str) -> bytes:
        return self._private.sign(frame(tag, *fields))


def shuffled(seed: bytes, label: str, items: Sequence[object]) -> list[str]:
    """Shuffle items as section 7 of docs/protocol.md says."""
    seen: Counter[str] = Counter()
    keyed = []
    for item in map(str, items):
        keyed.append((hmac.digest(seed, frame("chance", label, item, u(seen[item], 1)), "sha256"), item))
        seen[item] += 1
    return [item for _, item in sorted(keyed)]


def laid_out(seed: bytes, round_: int, cast: Sequence[str], up: int) -> tuple[list[str], str, list[str]]:
    """Return the characters of a round as section 7 of docs/protocol.md deals them: face up, face down,
    offered."""
    pile, face_up, returns = shuffled(seed, f"chars/{round_}/table/0", cast), list[str](), 0
    while len(face_up) < up:
        if pile[0] == cast[3]:
            back = pile.pop(0)
            face_up.append(pile.pop(0))
            place = shuffled(seed, f"back/{round_}/table/{returns}", range(len(pile) + 1))[0]
            pile.insert(int(place), back)
            returns += 1
        else:
            face_up.append(pile.pop(0))
    return face_up, pile[0], pile[1:]


def commitment(round_: int, seat: int, slot: int, kind: str, line: str, nonce: bytes) -> bytes:
    return hashed("commit", GAME, kind, u(round_, 2), u(seat, 1), u(slot, 1), line, nonce)


def link_after(seat: int, value: bytes, times: int) -> bytes:
    for _ in range(times):
        value = hashed("link", GAME, u(seat, 1), value)
    return value


def pack(value: object) -> bytes:
    packed: bytes = msgpack.packb(value)
    return packed


class Table:
    """A game, to which a test adds entries. `key` is the host's key, which signs the next entry."""

    def __init__(self, players: int = 2, *, kinds: Sequence[int] = ()) -> None:
        self.host = self.key = Key(secret("host"))
        self.keys = [Key(secret(f"key{seat}")) for seat in range(players)]
        self.kinds = kinds or [1] + [2] * (players - 1)
        self.names = [f"Player {seat}" for seat in range(players)]
        self.s, self.parts = secret("s"), [secret(f"r{seat}") for seat in range(players)]
        self.edition, self.round = "classic", 0
        self.heads = [hashed("genesis", GAME, RULES, FINGERPRINT)]
        self.deltas: list[tuple[int, bytes, bytes, bytes, dict[int, bytes]]] = []
        self.changed: dict[int, Callable[[Public], Public]] = {}
        self.away: dict[int, int] = {}
        self.slots: Counter[int] = Counter()
        self.hidden: list[Any] = []
        self.own: dict[int, list[Any]] = {seat: [] for seat in range(players)}
        self.owed: list[Any] = []

    @property
    def n(self) -> int:
        """The number of the next entry."""
        return len(self.heads)

    @property
    def head(self) -> bytes:
        return self.heads[-1]

    def entry(self, *public: Any, private: dict[int, list[Any]] | None = None) -> int:
        """Add an entry with these public fields and private events by seat. Return its number."""
        n, value = self.n, list(public)
        packed = pack(self.changed[n](value) if n in self.changed else value)
        told = {seat: pack(events) for seat, events in sorted((private or {}).items())}
        leaves = b"".join(
            u(seat, 1) + hashed("priv", GAME, u(n, 8), u(seat, 1), self.salt(n, seat), one)
            for seat, one in told.items()
        )
        self.heads.append(hashed("entry", self.head, u(n, 8), packed, leaves))
        signature = self.key.sign("entry", GAME, u(n, 8), self.head)
        self.deltas.append((n, signature, packed, leaves, told))
        return n

    def salt(self, n: int, seat: int) -> bytes:
        return hashed("salt", self.s, u(n, 8), u(seat, 1))[:16]

    # The start

    def header(self) -> list[Any]:
        table = (GAME, FINGERPRINT, self.host.public)
        seats = []
        for key, name, kind in zip(self.keys, self.names, self.kinds, strict=True):
            seats.append([name, key.public, kind, key.sign("seat", *table, name, u(kind, 1))])
        commit = hashed("seed-host", GAME, self.s)
        endorsement = [self.keys[0].public, self.keys[0].sign("host-key", *table)]
        return [
            GAME, "outsider 1", RULES, self.edition, [], list(EIGHT), [], FINGERPRINT, self.host.public, commit,
            endorsement, 0, None, [], seats,
        ]  # fmt: skip

    def start(self) -> bytes:
        """Add *open* and *commits*. Return the seed."""
        self.entry(0, self.header())
        rows = []
        for seat, key in enumerate(self.keys):
            commit = hashed("part", self.heads[1], u(seat, 1), self.parts[seat])
            rows.append([commit, [], key.sign("agree", self.heads[1], u(seat, 1), commit)])
        self.entry(1, rows)
        self.seed = hashed("seed", self.heads[2], self.s, *self.parts)
        return self.seed

    # Play

    def table(self, events: list[Any], private: dict[int, list[Any]] | None = None) -> int:
        self.begin(events)
        return self.entry(2, events, private=private)

    def begin(self, events: list[Any]) -> None:
        for event in events:
            if event[0] in (2, 72):
                self.round, self.slots = event[1], Counter()

    def move(self, seat: int, what: str | bytes, events: Any = (), openings: Any = (), by: int = 0) -> int:
        tag = "hidden" if isinstance(what, bytes) else "move"
        signature = b"" if by else self.keys[seat].sign(tag, GAME, u(self.n, 8), self.head, u(seat, 1), what)
        return self.entry(3, seat, by, what, [*events], [*openings], signature)

    def conceal(self, seat: int, line: str, *, by: int = 0) -> tuple[bytes, list[Any]]:
        """Return the commitment of a seat's next hidden or sealed move, and its opening."""
        kind, slot = line.split(" ", maxsplit=1)[0], self.slots[seat]
        key = hashed("bot", self.s, u(seat, 1)) if by else secret(f"k{seat}")
        nonce = hashed("nonce", key, GAME, self.head, kind, u(slot, 1))
        self.slots[seat] += 1
        return commitment(self.round, seat, slot, kind, line, nonce), [self.round, seat, slot, kind, line, nonce]

    def hide(self, seat: int, line: str, events: Any = (), by: int = 0) -> list[Any]:
        """Add a hidden move. Return its opening, which *close* will contain."""
        commit, opening = self.conceal(seat, line, by=by)
        self.move(seat, commit, events, by=by)
        self.owed.append(opening)
        return opening

    def seal(self, seat: int, line: str) -> list[Any]:
        """Add a sealed move. Return its opening, which only its owner has."""
        commit, opening = self.conceal(seat, line)
        verb, *names = line.replace("*", "").split(" ")
        placed = [51, {"warrant": "warrant", "threaten": "threat"}[verb], seat, names, "?"]
        self.move(seat, f"{line.replace('*', '')} sealed {commit.hex()}", [placed])
        self.own[seat].append(opening)
        return opening

    def opened(self, opening: list[Any]) -> list[Any]:
        """Remove an opening from those that are still secret. Return it."""
        for kept in (self.owed, *self.own.values()):
            if opening in kept:
                kept.remove(opening)
        return opening

    # Between rounds

    def cosign(self, seats: Sequence[int], *, protests: Sequence[int] = (), words: bool = True) -> None:
        n, rows, given = self.n - 1, [], []
        for seat in seats:
            w = secret(f"w{seat}/{n}")[:16]
            commit = hashed("word", GAME, u(n, 8), u(seat, 1), w)
            place = GAME, u(n, 8), self.head, u(seat, 1), commit, u(seat in protests, 1)
            rows.append([seat, commit, int(seat in protests), self.keys[seat].sign("signed", *place)])
            given.append([seat, w])
        self.entry(4, rows)
        if words and rows:
            self.entry(5, given)

    def leave(self, seat: int, level: str = "") -> None:
        """Add *away* for a seat, and *bot* if a level is given."""
        self.away[seat] = self.entry(6, seat, 0, "", b"")
        if level:
            self.entry(6, seat, 1, level, b"")

    def come_back(self, seat: int) -> None:
        m = self.away.pop(seat)
        self.entry(6, seat, 2, "", self.keys[seat].sign("back", GAME, u(m, 8), self.heads[m], u(seat, 1)))

    def hand_over(self, seat: int, name: str = "second host") -> None:
        key, fp = Key(secret(name)), secret(name + " fp")
        accept = self.keys[seat].sign("accept", GAME, u(self.n, 8), self.head, key.public, fp)
        self.entry(7, seat, key.public, fp, accept)
        self.key = key

    def close(self, why: int = 0, openings: Any = None, agreed: Sequence[int] = ()) -> None:
        n, head = self.n, self.head
        sigs = [[seat, self.keys[seat].sign("end", GAME, u(n - 1, 8), head)] for seat in agreed]
        given = [
            *(
                openings
                if openings is not None
                else [*self.owed, *(one for own in self.own.values() for one in own)]
            )
        ]
        while len(given) > 10:
            self.entry(9, why, given[:10], b"", [], [])
            given = given[10:]
        self.entry(9, why, given, self.s, self.parts, sigs)

    # Files

    def file(
        self, viewer: int | None, *, entries: int | None = None, extra: bytes = b"", footer: bool = True
    ) -> bytes:
        """Return the transcript of a viewer with the first `entries` (None: all). `extra` are records before
        the footer."""
        key = self.keys[viewer] if viewer is not None else Key(secret("spectator"))
        head = [GAME, RULES, FINGERPRINT, self.host.public, viewer, key.public]
        data = b"citadels-lan transcript 4\n" + record(b"H", pack(head))
        for n, signature, public, leaves, told in self.deltas[:entries]:
            own = viewer is not None and viewer in told
            private = [self.salt(n, viewer or 0), told[viewer or 0]] if own else [None, None]
            body = pack([n, signature, public, leaves, *private])
            step = next((size for size in (256, 512) if len(body) <= size), 1024)
            data += record(b"E", body + bytes(-len(body) % step))
        data += extra
        if footer:
            last, digest = self.n - 1 if entries is None else entries, hashlib.sha256(data).digest()
            signature = key.sign("transcript", GAME, u(last, 8), self.heads[last], digest)
            data += record(b"F", pack([digest, signature]))
        return data


def record(kind: bytes, body: bytes) -> bytes:
    return u(len(body), 4) + kind + body


def short_game(players: int = 2, rounds: int = 2, make: type[Table] = Table) -> Table:
    """Return an honest game: each seat picks a character and is called; one warrant is sealed and may be
    revealed."""
    table = make(players)
    seed = table.start()
    crown = int(shuffled(seed, "crown/0/table/0", range(players))[0])
    for round_ in range(1, rounds + 1):
        offered = laid_out(seed, round_, EIGHT, 0)[2]
        began: list[Any] = [2, round_, [], ["?"]]
        first = [[32, crown]] if round_ == 1 else []
        events = [*first, began, [3, crown, ["?"] * len(offered)]]
        place = len(first) + 1
        table.table(events, {crown: [[place, [3, crown, offered]]]})
        picks = {seat: table.hide(seat, f"pick {offered[seat]}") for seat in range(players)}
        table.hide(crown, "keep tavern")
        sealed = table.seal(crown, "warrant king* bishop merchant")
        last = round_ == rounds
        for seat, pick in picks.items():
            character = offered[seat]
            opening = table.opened(pick)
            ends: list[Any] = [[15]] if seat == players - 1 and not last else []
            ends = [[16, [9] * players, [0]]] if seat == players - 1 and last else ends
            events = [[11, seat, character], *ends]
            if seat == players - 1 and last and crown == seat:
                table.move(seat, "confiscate yes", [[35, crown, 0, "manor", 1, "king", 1]], [table.opened(sealed)])
            table.move(seat, "gather gold", events, [opening])
        table.cosign(range(players))
    table.close()
    return table
