"""What a new host has: everything that the one before it had, from a seat's log and the host's secret.

The log has the moves; what was hidden in them lies in their escrow. All else comes out again when the game is
played from the seed, and it must give the very hashes that the log has.
"""

from collections.abc import Mapping, Sequence

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.audit.signed import mover_signed
from citadels_lan.crypto.beacons import seeds
from citadels_lan.crypto.chain import join_leaves, leaf_hash, salt
from citadels_lan.crypto.client_log import decode_events
from citadels_lan.crypto.commitments import Opening, join
from citadels_lan.crypto.delta import Delta
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.host_entries import Written, told_to
from citadels_lan.crypto.log import AnyEntry, DraftSaid, Header, Move, decode_entry, encode_private, events_of
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.replay import play
from citadels_lan.crypto.sealed_moves import plain
from citadels_lan.crypto.seed import joint_seed
from citadels_lan.crypto.stand_ins import nonce_key, signing_key
from citadels_lan.engine import redact
from citadels_lan.net.host.recovery.gifts import Gift, of_escrow, said_in_escrow


class Spoiled(Exception):
    """The host before has not left in entry `n` what it was to leave: nobody can go on from there."""

    def __init__(self, n: int) -> None:
        super().__init__(f"entry {n} cannot be taken over")
        self.n = n


def inherited(header: Header, deltas: Sequence[Delta], heads: Sequence[bytes], secret: bytes) -> list[Written]:
    """The journal of the host before, up to the last of these entries; `heads[n]` is hash[n]. Raises Spoiled."""
    audit = Auditor(header.game_id, header.rules, header.fp, header.hostkey)
    entries = [decode_entry(delta.public) for delta in deltas]
    signatures: dict[int, bytes] = {}
    openings: dict[int, tuple[Opening, ...]] = {}
    for n, entry in enumerate(entries, 1):
        if isinstance(entry, Move | DraftSaid):
            gift = _in_escrow(audit, secret, n, heads[n - 1], entry)
            if gift is None:
                raise Spoiled(n)
            signatures[n], openings[n] = gift.signature, gift.openings
        audit.read(n, heads[n - 1], entry, decode_events(events_of(entry)))
    _check_signatures(audit, signatures)
    _check_stand_ins(audit, secret)
    private = _private(audit, entries, openings, secret)
    for n, delta in enumerate(deltas, 1):
        own = private.get(n, {})
        leaves = {seat: leaf_hash(header.game_id, n, seat, salt(secret, n, seat), own[seat]) for seat in own}
        if join_leaves(leaves) != delta.leaves:
            raise Spoiled(n)
    return [
        Written(
            delta.n,
            delta.public,
            tuple(private.get(delta.n, {}).items()),
            signatures.get(delta.n),
            openings.get(delta.n, ()),
            delta.signature,
        )
        for delta in deltas
    ]


def _in_escrow(audit: Auditor, secret: bytes, n: int, before: bytes, entry: Move | DraftSaid) -> Gift | None:
    if isinstance(entry, Move):
        return of_escrow(audit, secret, n, before, entry)
    return said_in_escrow(audit, secret, n, before, entry)


def _check_signatures(audit: Auditor, signatures: Mapping[int, bytes]) -> None:
    """Whether the new host can write the next seal. Raises Spoiled."""
    for signed in audit.unsealed:
        key = audit.movers.key(signed.seat, signed.n)
        if not mover_signed(audit.table.game_id, key, signed, signatures[signed.n]):
            raise Spoiled(signed.n)


def _check_stand_ins(audit: Auditor, secret: bytes) -> None:
    """Whether the new host can sign for stand-ins, open what they have sealed, and draft for them. Raises
    Spoiled."""
    game = audit.table.game_id
    for stint in audit.movers.stints:
        if signing_key(secret, game, stint).public != stint.key:
            raise Spoiled(stint.n)
        owner = Owner(nonce_key(secret, game, stint), game, stint.seat)
        sealed = [
            one for one in audit.concealed.sealed_for(stint.seat) if audit.movers.at(stint.seat, one[1].n) is stint
        ]
        for one in sealed:
            if not owner.opened([one]):
                raise Spoiled(one[1].n)
    try:
        if audit.drafts is not None:
            audit.drafts.check_stand_ins(secret)
    except Mismatch as fault:
        raise Spoiled(fault.n) from None


def _private(
    audit: Auditor, entries: Sequence[AnyEntry], openings: Mapping[int, tuple[Opening, ...]], secret: bytes
) -> dict[int, dict[int, bytes]]:
    """By entry and seat: what was told in private. Raises Spoiled where the game does not come out again."""

    def line(n: int) -> str:
        entry = entries[n - 1]
        assert isinstance(entry, Move)
        if isinstance(entry.what, str):
            return plain(entry.what)
        return join(tuple(opening.line for opening in openings[n]))

    header = audit.table
    first = joint_seed(header.game_id, secret, audit.parts, audit.committed_head)
    chances = {n: SeededChance(seed) for n, seed in seeds(first, audit.between.rounds)}
    told: dict[int, dict[int, bytes]] = {}
    try:
        for played in play(header, entries, line, chances):
            public = [redact(event, None) for event in played.events]
            own = {seat: told_to(seat, played.events, public) for seat in range(len(header.players))}
            told[played.n] = {seat: encode_private(events) for seat, events in own.items() if events}
    except Mismatch as fault:
        raise Spoiled(fault.n) from None
    return told
