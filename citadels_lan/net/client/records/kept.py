"""Transcripts of a game that are there already, and what their first entry says of the table."""

from pathlib import Path

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.beacons import LINKS
from citadels_lan.crypto.draft.boxes import BoxContent
from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.secrets import secret_of
from citadels_lan.crypto.log import Open, decode_entry
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.wire.errors import Refusal


class GameIdentity(Struct, frozen=True):
    """Which game: its id, the version of the rules, the certificate's fingerprint, the host's key."""

    id: bytes
    rules: str
    fp: bytes
    host: bytes


def candidates(folder: Path, game: bytes) -> list[Path]:
    """The files that may be transcripts of a game."""
    # A pattern of each game would stay in Python's caches of patterns, and a host plays many games.
    return sorted(path for path in folder.glob("*.ctr") if path.name.startswith(f"{game.hex()[:16]}-"))


def seat_in(public: bytes, key: bytes) -> int | None:
    """The seat of a key in the first entry; None where that is no table at all. Raises Refusal: `not_agreed` where
    it has no seat for this key."""
    try:
        entry = decode_entry(public)
    except Malformed:
        return None
    if not isinstance(entry, Open):
        return None
    keys = [player.key for player in entry.header.players]
    if key not in keys:
        raise Refusal("not_agreed", what="players")
    return keys.index(key)


def alarmed(path: Path, n: int, code: str) -> Refusal:
    """This transcript has an alarm in it: nothing more is given to that table."""
    reason = Refusal("entry", n=n, reason=code)
    reason.transcript = path
    return reason


def boxes_told(owner: Owner, audit: Auditor) -> dict[bytes, BoxContent]:
    """What a seat was told in boxes of the sealed drafts of a game, by commitment."""
    told: dict[bytes, BoxContent] = {}
    for draft in audit.drafts.rounds.values() if audit.drafts is not None else ():
        table = draft.record.table
        if owner.seat not in draft.stints and table.attempt <= LINKS:
            hand = DraftHand(draft.record, secret_of(table, owner.seat, owner.key), owner.box)
            told |= hand.contents()
    return told
