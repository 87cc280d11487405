"""Entries of a cheating host: any entries, chained and signed as if they were honest.

The players sign all of their entries, too, except moves that are `forged`."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.codec import Malformed, pack, u8, u64
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.seed import part_commitment
from citadels_lan.crypto.signatures import Absence, cosign, sign_back, word_commitment
from citadels_lan.crypto.transcript import Alarmed
from citadels_lan.engine.rules_digests import RULES as DIGESTS
from tests.facts import RULES

from .table import FP, GAME, HOST, SECRET, Game, agreed, follower, part, player, word, written

MOST: Final = 1000
"""A number larger than the number of entries in any of these games."""


@dataclass
class Draft:
    """An entry before it is chained. If `public` or `leaves` are given, they replace the computed bytes."""

    entry: log.AnyEntry
    private: dict[int, bytes]
    public: bytes | None = None
    leaves: bytes | None = None


def drafts(game: Game) -> list[Draft]:
    """Return copies of the entries of a game, which a test may change."""
    own.update(game.host_log.audit.commits)
    return [Draft(log.decode_entry(one.public), dict(one.private)) for one in game.host_log.written]


def find(entries: list[Draft], kind: type, *, after: int = 0, hidden: bool | None = None) -> int:
    """Return the index of the first entry of a kind, at or after the index `after`. `hidden`: only a move
    that is hidden (True) or not (False)."""
    for index, draft in enumerate(entries):
        what = draft.entry.what if isinstance(draft.entry, log.Move) else None
        if index >= after and isinstance(draft.entry, kind) and hidden in (None, isinstance(what, bytes)):
            return index
    raise LookupError(kind.__name__)


class Forge:
    """Chains and signs entries. `resign` False: it does not have the keys of host and players. `players`
    False: signatures of players stay as they were."""

    def __init__(
        self,
        *,
        forged: Collection[int] = (),
        resign: bool = True,
        players: bool = True,
        secret: bytes = SECRET,
        rules: bytes | None = None,
    ) -> None:
        self.rules = rules
        self.chain = log.Chain(GAME, rules or RULES, FP)
        self.forged = forged
        self.resign = resign
        self.players = players
        self.secret = secret
        self.host = HOST
        self.hosts: dict[bytes, Identity] = {}
        """Later hosts by key: each signs from the *handover* to it on."""
        self.away: dict[int, Absence] = {}
        self.heads: dict[int, bytes] = {}
        self.signatures: dict[int, bytes] = {}
        """The host's real signatures by entry, for a forger who does not have its key."""

    def file(
        self, entries: list[Draft], viewer: int = 0, *, finish: bool = True, alarm: Alarmed | None = None
    ) -> bytes:
        """Return the transcript of a viewer who received all entries. `alarm`: the viewer left with this
        alarm after them."""
        bodies = [self.body(draft, viewer) for draft in entries]
        rules = self.rules or rules_of(entries)
        return written(viewer, bodies, self.chain if finish else None, alarm=alarm, rules=rules)

    def body(self, draft: Draft, viewer: int) -> bytes:
        """Return the next entry as a viewer receives it."""
        n = self.chain.n + 1
        if n == 1:
            self.chain = log.Chain(GAME, self.rules or rules_of([draft]), FP)
        entry = self._signed(n, draft.entry)
        public = draft.public or pack(entry)
        salts = {seat: log.salt(self.secret, n, seat) for seat in draft.private}
        leaves = draft.leaves or log.join_leaves(
            {seat: log.leaf_hash(GAME, n, seat, salts[seat], data) for seat, data in draft.private.items()}
        )
        head = self.heads[n] = self.chain.grow(log.entry_hash(self.chain.head, n, public, leaves))
        signature = log.sign_entry(self.host, GAME, n, head) if self.resign else self.signatures.get(n, bytes(64))
        if isinstance(entry, log.Handover) and entry.key in self.hosts:
            self.host = self.hosts[entry.key]
        return log.encode_delta(
            log.Delta(n, signature, public, leaves, salts.get(viewer), draft.private.get(viewer))
        )

    def _signed(self, n: int, entry: log.AnyEntry) -> log.AnyEntry:
        return self._signed_by_players(n, entry) if self.resign and self.players else entry

    def _signed_by_players(self, n: int, entry: log.AnyEntry) -> log.AnyEntry:
        if isinstance(entry, log.Commits):
            return log.Commits(tuple(self._agreed(seat, one) for seat, one in enumerate(entry.seats)))
        if isinstance(entry, log.CoSigned):
            return log.CoSigned(tuple(self._cosigned(n, one) for one in entry.seats))
        if isinstance(entry, log.CheckWords):
            return log.CheckWords(tuple(self._word(n, one) for one in entry.words))
        if isinstance(entry, log.Move):
            if entry.by == log.SUBSTITUTE:
                return entry
            return replace(entry, sig=self._mover(n, entry))
        if isinstance(entry, log.Said):
            return replace(entry, items=tuple(self._said(n, one) for one in entry.items))
        if isinstance(entry, log.SeatChange) and entry.what == log.AWAY:
            self.away[entry.seat] = Absence(n, entry.seat)
        if (
            isinstance(entry, log.SeatChange)
            and entry.what == log.BACK
            and (absence := self.away.pop(entry.seat, None))
        ):
            return sign_back(player(entry.seat), GAME, absence, self.heads[absence.n])
        return entry

    def _agreed(self, seat: int, one: log.Agreement) -> log.Agreement:
        """Return the agreement of a seat with a new signature. A true commitment is replaced by the one that
        fits this header."""
        head = self.chain.head
        commit = part_commitment(head, seat, part(seat)) if one.commit in own else one.commit
        return agreed(seat, head, commit, one.anchors)

    def _cosigned(self, n: int, one: log.CoSignature) -> log.CoSignature:
        """Return a co-signature for entry `n` with a new signature. A true commitment is replaced by the one
        that fits this entry."""
        commit = one.commit
        if commit in honest(one.seat).values():
            commit = word_commitment(GAME, n - 1, one.seat, word(one.seat, n - 1))
        signed = (player(one.seat), GAME, n - 1, self.chain.head, one.seat, commit)
        return cosign(*signed, protest=bool(one.protest))

    def _word(self, n: int, one: log.GivenWord) -> log.GivenWord:
        return replace(one, word=word(one.seat, max(n - 2, 0))) if one.word in honest(one.seat) else one

    def _said(self, n: int, one: log.SaidItem) -> log.SaidItem:
        key = HOST if n in self.forged else player(one.seat)
        return replace(one, sig=key.sign("said", GAME, u64(n), self.chain.head, u8(one.seat), one.message))

    def _mover(self, n: int, entry: log.Move) -> bytes:
        key = HOST if n in self.forged else player(entry.seat)
        return key.sign(*log.move_said(GAME, n, self.chain.head, entry.seat, entry.what))


own: Final[set[bytes]] = set()
"""The commitments of seats to their own parts of the seed, in all changed games."""


@cache
def honest(seat: int) -> dict[bytes, bytes]:
    """Return the true commitments of a seat to its random words after any entry, by word."""
    words = {n: word(seat, n) for n in range(MOST)}
    return {one: word_commitment(GAME, n, seat, one) for n, one in words.items()}


def rules_of(entries: Sequence[Draft]) -> bytes:
    """Return the rules digest of the edition that the first entry names; for an unknown edition that of
    2016."""
    first = entries[0].entry if entries else None
    return DIGESTS.get(first.header.edition, RULES) if isinstance(first, log.Open) else RULES


def refused(entries: list[Draft], viewer: int = 0, forge: Forge | None = None) -> log.Mismatch | None:
    """Return the contradiction at which an honest client stops when it receives these entries; None if it
    accepts all."""
    forge = forge or Forge()
    client_log = follower(viewer, forge.rules or rules_of(entries))
    for draft in entries:
        try:
            client_log.receive(forge.body(draft, viewer))
        except log.Mismatch as fault:
            return fault
        except Malformed:
            return log.Mismatch("malformed", forge.chain.n)
    return None


def saved(path: Path, data: bytes) -> Path:
    """Write a file. Return its path."""
    path.write_bytes(data)
    return path
