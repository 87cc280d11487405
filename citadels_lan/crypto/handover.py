"""The hosts that sign a log: first the one in the header, and after each *handover* the player who took over."""

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from .codec import Malformed, u64
from .commitments import Hash
from .identity import Identity, verify
from .log import Handover, Signature, decode_entry, entry_hash, entry_signed

MOST: Final = 12
"""Handovers of one game at most: the proofs of all of them fit into one frame of the handshake."""


class Host(Struct, frozen=True):
    """One host of a game: `key` signs the entries from `first` on, `fp` is the fingerprint of its certificate, and
    `seat` is the player who took the game over, None for the host that the header names."""

    key: bytes
    fp: bytes
    first: int = 1
    seat: int | None = None


class Passed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A *handover* as proof for a client that does not have it: entry `n` after hash[n-1] `before`, with the old
    host's signature."""

    n: Annotated[int, Meta(ge=1, le=2**32)]
    before: Hash
    public: Annotated[bytes, Meta(max_length=256)]
    signature: Signature


class Hosts:
    """The hosts of one game, in order."""

    def __init__(self, game: bytes, key: bytes, fp: bytes) -> None:
        self._game = game
        self.all: list[Host] = [Host(key, fp)]

    @property
    def now(self) -> Host:
        """The host after the last known handover."""
        return self.all[-1]

    def at(self, n: int) -> Host:
        """The host that signs entry `n`."""
        return next(host for host in reversed(self.all) if host.first <= max(n, 1))

    def by_key(self, key: bytes) -> Host | None:
        """The host with this key; None if there is none."""
        return next((host for host in self.all if host.key == key), None)

    def place(self, key: bytes) -> int:
        """How many handovers led to the host with this key."""
        return next((at for at, host in enumerate(self.all) if host.key == key), 0)

    def add(self, n: int, entry: Handover) -> None:
        """Entry `n` hands the game over."""
        # A client may learn of a handover twice: from a proof, and from the log.
        if n + 1 > self.now.first:
            self.all.append(Host(entry.key, entry.fp, n + 1, entry.seat))

    def follow(self, proofs: Sequence[Passed]) -> None:
        """Add the handovers that are not known. Raises Malformed unless the host before has signed each."""
        for proof in proofs:
            entry = decode_entry(proof.public)
            head = entry_hash(proof.before, proof.n, proof.public, b"")
            signed = entry_signed(self.at(proof.n).key, proof.signature, self._game, proof.n, head)
            if not isinstance(entry, Handover) or not signed:
                raise Malformed("no handover that the host before has signed")
            self.add(proof.n, entry)


def sign_accept(identity: Identity, game: bytes, n: int, head: bytes, key: bytes, fp: bytes) -> bytes:
    """The player's signature that it takes the game over as entry `n` after `head`, with this key and
    certificate."""
    return identity.sign("accept", game, u64(n), head, key, fp)


def accepted(player: bytes, entry: Handover, game: bytes, n: int, head: bytes) -> bool:
    """Whether the key `player` has signed that it takes the game over as entry `n` after `head`."""
    return verify(player, entry.accept, "accept", game, u64(n), head, entry.key, entry.fp)
