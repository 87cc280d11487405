"""What a cheating host could make of a game: any entries at all, chained and signed as if nothing had happened.

The players sign whatever the host lets them sign; only moves that are `forged` bear no signature of theirs.
"""

import io
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from citadels_lan.crypto.audit.signed import Signed, move_fields, move_tag
from citadels_lan.crypto.beacons import anchor, seats_in, sign_here
from citadels_lan.crypto.chain import Chain, join_leaves, leaf_hash, salt, sign_entry
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.delta import Delta, encode_delta
from citadels_lan.crypto.draft.messages import sign_draft
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import (
    RULES,
    AnyEntry,
    Back,
    Commits,
    DraftCalled,
    DraftSaid,
    Move,
    Parts,
    Present,
    Seal,
    SignedReply,
    StandIn,
    decode_entry,
    encode_entry,
)
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.stand_ins import Stint, sign_back, signing_key, stand_in
from citadels_lan.crypto.transcript import Alarmed, FileHead, Writer

from .table import FP, GAME, HOST, SECRET, Game, agreement, box, part, player, secret


@dataclass
class Draft:
    """An entry before it is chained; `public` and `leaves` replace its bytes."""

    entry: AnyEntry
    private: dict[int, bytes]
    public: bytes | None = None
    leaves: bytes | None = None


def drafts(game: Game) -> list[Draft]:
    """The entries of a game, free to change."""
    return [Draft(decode_entry(one.public), dict(one.private)) for one in game.host_log.written]


def find(entries: list[Draft], kind: type, *, after: int = 0, hidden: bool | None = None) -> int:
    """The index of the first entry of a kind."""
    for index, draft in enumerate(entries):
        what = draft.entry.what if isinstance(draft.entry, Move) else None
        if index >= after and isinstance(draft.entry, kind) and hidden in (None, isinstance(what, bytes)):
            return index
    raise LookupError(kind.__name__)


class Forge:
    """Chains entries. `resign` is False for somebody who has not the keys of host and players; `players` is False
    where the players' signatures stay what they were."""

    def __init__(
        self,
        *,
        forged: Collection[int] = (),
        resign: bool = True,
        players: bool = True,
        secret: bytes = SECRET,
    ) -> None:
        self.chain = Chain(GAME, RULES, FP)
        self.forged = forged
        self.resign = resign
        self.players = players
        self.secret = secret
        self.unsealed: list[tuple[Identity, Signed]] = []
        self.stints: dict[int, Stint] = {}
        self.signatures: dict[int, bytes] = {}
        """The host's true signatures by entry, for somebody who has not its key."""

    def file(
        self, entries: list[Draft], viewer: int = 0, *, finish: bool = True, alarm: Alarmed | None = None
    ) -> bytes:
        """The transcript of a viewer who took all of it, or left in alarm then."""
        stream = io.BytesIO()
        stream.close = lambda: None  # type: ignore[method-assign]
        writer = Writer(stream, FileHead(GAME, RULES, FP, HOST.public, viewer, player(viewer).public))
        writer.begin()
        for draft in entries:
            writer.append(self.body(draft, viewer))
        if alarm is not None:
            writer.append_alarm(alarm)
        if finish:
            writer.finish(player(viewer), self.chain)
        return stream.getvalue()

    def body(self, draft: Draft, viewer: int) -> bytes:
        """The next entry as a viewer gets it."""
        n = self.chain.n + 1
        entry = self._signed(n, draft.entry)
        public = draft.public or encode_entry(entry)
        salts = {seat: salt(self.secret, n, seat) for seat in draft.private}
        leaves = draft.leaves or join_leaves(
            {seat: leaf_hash(GAME, n, seat, salts[seat], data) for seat, data in draft.private.items()}
        )
        head = self.chain.append(public, leaves)
        signature = sign_entry(HOST, GAME, n, head) if self.resign else self.signatures.get(n, bytes(64))
        return encode_delta(Delta(n, signature, public, leaves, salts.get(viewer), draft.private.get(viewer)))

    def _signed(self, n: int, entry: AnyEntry) -> AnyEntry:
        if isinstance(entry, Move):
            stint = self.stints.get(entry.seat)
            key = player(entry.seat) if stint is None else signing_key(SECRET, GAME, stint)
            self.unsealed.append((key, Signed(n, self.chain.head, entry.seat, entry.what)))
        if isinstance(entry, DraftSaid):
            key = player(entry.seat)
            self.unsealed.append((key, Signed(n, self.chain.head, entry.seat, entry.what, key.public)))
        if not self.resign:
            return entry
        return self._signed_by_players(n, entry) if self.players else entry

    def _signed_by_players(self, n: int, entry: AnyEntry) -> AnyEntry:
        if isinstance(entry, Commits):
            head = self.chain.head
            boxes, second = entry.boxes or (), entry.drafts or ()
            given = [
                (*own, *boxes[seat : seat + 1], *second[seat : seat + 1])
                for seat, own in enumerate(own_parts(entry))
            ]
            return replace(entry, signatures=tuple(agreement(seat, head, *own) for seat, own in enumerate(given)))
        if isinstance(entry, Parts):
            signatures = [player(seat).sign("seed", GAME, self.chain.head) for seat in range(len(entry.parts))]
            return Parts(entry.parts, tuple(signatures))
        if isinstance(entry, Present):
            seats = seats_in(entry.present)
            self.stints = {seat: stint for seat, stint in self.stints.items() if seat not in seats}
            return replace(entry, signatures=tuple(self._here(n, entry, seat) for seat in seats))
        if isinstance(entry, Seal):
            signatures, self.unsealed = [self._mover(*signed) for signed in self.unsealed], []
            return Seal(tuple(signatures))
        if isinstance(entry, DraftCalled):
            return replace(entry, replies=tuple(self._reply(n, one) for one in entry.replies))
        if isinstance(entry, StandIn):
            entry = stand_in(SECRET, GAME, n, self.chain.head, entry.seat, entry.level)
            self.stints[entry.seat] = Stint(n, self.chain.head, entry.seat, entry.key, entry.level)
        if isinstance(entry, Back) and (stint := self.stints.pop(entry.seat, None)):
            return sign_back(player(entry.seat), GAME, stint, disputes=entry.disputes)
        return entry

    def _here(self, n: int, entry: Present, seat: int) -> bytes:
        says = (entry.round, bool(entry.disputed >> seat & 1))
        return sign_here(player(seat), GAME, n - 1, self.chain.head, *says)

    def _reply(self, n: int, one: SignedReply) -> SignedReply:
        signature = sign_draft(player(one.seat), GAME, n, self.chain.head, one.seat, one.what)
        return replace(one, signature=signature)

    def _mover(self, own: Identity, signed: Signed) -> bytes:
        key = HOST if signed.n in self.forged else own
        tag = move_tag(signed.what) if signed.drafter is None else "draft-said"
        return key.sign(tag, *move_fields(GAME, signed))


def own_parts(entry: Commits) -> list[tuple[bytes, bytes]]:
    """By seat: what it has committed to, and the anchor of its links."""
    return list(zip(entry.commits, entry.anchors, strict=False))


def refused(entries: list[Draft], viewer: int = 0, forge: Forge | None = None) -> Mismatch | None:
    """Where and why an honest client_log stops that is told these entries; None if it takes them all."""
    forge = forge or Forge()
    key = player(viewer).public
    own = {"part": part(viewer), "anchor": anchor(GAME, viewer, secret(viewer))}
    client_log = ClientLog(GAME, RULES, FP, HOST.public, viewer, key=key, **own, box=box(viewer))
    for draft in entries:
        try:
            client_log.receive(forge.body(draft, viewer))
        except Mismatch as fault:
            return fault
        except Malformed:
            return Mismatch("malformed", forge.chain.n)
    return None


def starred_otherwise(opening: Opening) -> Opening:
    """The star at another of the same characters, with the nonce as it was."""
    verb, *words = opening.line.split(" ")
    bare = [word.removesuffix("*") for word in words]
    at = next(index for index, word in enumerate(words) if not word.endswith("*"))
    return replace(opening, line=" ".join((verb, *bare[:at], f"{bare[at]}*", *bare[at + 1 :])))


def saved(path: Path, data: bytes) -> Path:
    """The path, with a file there."""
    path.write_bytes(data)
    return path
