"""Transcripts of a game that are there already, and what their first entry says of the table."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.beacons import LINKS
from citadels_lan.crypto.delta import decode_delta
from citadels_lan.crypto.draft.boxes import BoxContent
from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.secrets import secret_of
from citadels_lan.crypto.log import RULES, Open, decode_entry
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.transcript import Damaged, FileHead, read
from citadels_lan.net.wire.errors import Refusal


class GameIdentity(Struct, frozen=True):
    """Which game: its id, the version of the rules, the certificate's fingerprint, the host's key."""

    id: bytes
    rules: str
    fp: bytes
    host: bytes


def kept_table(folder: Path, key: bytes, game: bytes) -> GameIdentity | None:
    """The table of a game that is not over, as it was opened, where `key` has a seat by a transcript and another
    machine may go on."""
    for path in candidates(folder, game):
        with contextlib.suppress(Damaged, OSError):
            found = read(path)
            head, mine = found.head, (found.head.game_id, found.head.rules, found.head.key) == (game, RULES, key)
            first = next(iter(found.bodies), b"")
            if mine and head.seat is not None and found.footer is None and _may_move(first):
                return GameIdentity(game, head.rules, head.fp, head.host)
    return None


def candidates(folder: Path, game: bytes) -> list[Path]:
    """The files that may be transcripts of a game."""
    # A pattern of each game would stay in Python's caches of patterns, and a host plays many games.
    return sorted(path for path in folder.glob("*.ctr") if path.name.startswith(f"{game.hex()[:16]}-"))


def as_opened(folder: Path, game: GameIdentity, key: bytes) -> GameIdentity:
    """The table as it was opened, where `key` has a transcript of it that another host may go on with."""
    own = (game.id, game.rules, key)
    mine = [
        (head, first) for head, first in _heads(folder, game.id) if (head.game_id, head.rules, head.key) == own
    ]
    if any(_same(head, game) for head, _ in mine):
        return game
    others = (GameIdentity(game.id, game.rules, head.fp, head.host) for head, first in mine if _may_move(first))
    return next(others, game)


def _heads(folder: Path, game: bytes) -> Iterator[tuple[FileHead, bytes]]:
    """The heads of the transcripts of a game, each with the first entry as it came."""
    for path in candidates(folder, game):
        with contextlib.suppress(Damaged):
            transcript = read(path)
            yield transcript.head, next(iter(transcript.bodies), b"")


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


def _same(head: FileHead, game: GameIdentity) -> bool:
    return (head.game_id, head.rules, head.fp, head.host) == (game.id, game.rules, game.fp, game.host)


def _may_move(first: bytes) -> bool:
    """Whether the first entry of a transcript says that another machine may go on."""
    try:
        entry = decode_entry(decode_delta(first).public)
    except Malformed:
        return False
    return isinstance(entry, Open) and entry.header.migrate is not None


def opened(game: GameIdentity, public: bytes) -> GameIdentity:
    """The table as its first entry says that it was opened, where another machine may go on with it. Whether the
    host of now may is what the log has to show."""
    try:
        entry = decode_entry(public)
    except Malformed:
        return game
    if not isinstance(entry, Open) or entry.header.migrate is None or entry.header.game_id != game.id:
        return game
    return GameIdentity(game.id, game.rules, entry.header.fp, entry.header.hostkey)


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
