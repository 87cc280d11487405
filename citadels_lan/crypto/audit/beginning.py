"""Before the first round: the table, whom its seats have agreed to be, the parts of the seed."""

from collections.abc import Collection, Sequence

from citadels_lan.crypto.claims import claimed, endorsed
from citadels_lan.crypto.draft.boxes import usable
from citadels_lan.crypto.draft.secrets import chains_differ
from citadels_lan.crypto.faults import Mismatch, Unacceptable
from citadels_lan.crypto.identity import BadKey, check_public_key, verify
from citadels_lan.crypto.log import (
    Commits,
    Header,
    Parts,
)
from citadels_lan.crypto.seed import part_commitment

from .signed import agree_fields


def check_table(n: int, header: Header, identity: tuple[bytes, str, bytes], host: bytes) -> int:
    """The header against the game, rules and certificate that are known of the table, and the key of its host;
    how many signatures there are in it. Raises Mismatch."""
    if header.hostkey != host:
        raise Mismatch("host", n)
    guests = header.guests or ()
    known = (header.game_id, header.rules, header.fp) == identity
    if not known or list(guests) != sorted({*guests} & {*range(len(header.players))}):
        raise Mismatch("header", n)
    for player in header.players:
        try:
            check_public_key(player.key)
        except BadKey:
            raise Mismatch("key", n) from None
    if len({player.key for player in header.players}) != len(header.players):
        raise Mismatch("key", n)
    for seat in range(len(header.players)):
        if not claimed(header, seat):
            raise Mismatch("claim", n, seat=seat)
    if not endorsed(header):
        raise Mismatch("endorsement", n)
    return len(header.players) + (header.endorsement is not None)


def check_agreements(n: int, before: bytes, header: Header, entry: Commits) -> tuple[bytes, ...]:
    """What each seat has signed for its part of the seed; the boxes of the seats. Raises Mismatch."""
    if not len(entry.commits) == len(entry.anchors) == len(entry.signatures) == len(header.players):
        raise Mismatch("seats", n)
    boxes = _boxes(n, header, entry)
    for seat, signature in enumerate(entry.signatures):
        more = (*boxes[seat : seat + 1], *(entry.drafts or ())[seat : seat + 1])
        given = (entry.commits[seat], entry.anchors[seat], *more)
        fields = agree_fields(header.game_id, before, seat, *given)
        if not verify(header.players[seat].key, signature, "agree", *fields):
            raise Mismatch("agreement", n, seat=seat)
    return boxes


def check_agreement(
    header: Header,
    head: bytes,
    seat: int,
    given: tuple[bytes, ...],
    signature: bytes,
    others: Collection[bytes] = (),
) -> None:
    """Check what one seat commits to, `given` in the order of its signature. `others` are the values that the
    other seats have given: no value may stand twice in a game. Raises Unacceptable."""
    commit, anchor, *more = given
    if len(more) != (0 if header.draft is None else 2) or (more and not usable(more[0])):
        raise Unacceptable("part")
    if len(set(given) - set(others)) != len(given):
        raise Unacceptable("value_used")
    fields = agree_fields(header.game_id, head, seat, commit, anchor, *more)
    if not verify(header.players[seat].key, signature, "agree", *fields):
        raise Unacceptable("signature")


def _boxes(n: int, header: Header, entry: Commits) -> tuple[bytes, ...]:
    """The boxes of the seats, which are there where the draft is sealed."""
    boxes, drafts = entry.boxes or (), entry.drafts or ()
    wanted = 0 if header.draft is None else len(header.players)
    if len(boxes) != wanted or (entry.boxes is None) != (wanted == 0) or not all(map(usable, boxes)):
        raise Mismatch("box", n)
    if len(drafts) != wanted or (entry.drafts is None) != (wanted == 0):
        raise Mismatch("draft_anchor", n)
    if wanted and not chains_differ(entry.anchors, drafts):
        raise Mismatch("draft_anchor", n)
    return boxes


def check_parts(n: int, before: bytes, header: Header, commits: Sequence[bytes], entry: Parts) -> None:
    """The parts of the seed are those committed to, and signed with all before them. Raises Mismatch."""
    game = header.game_id
    if not len(entry.parts) == len(entry.signatures) == len(header.players):
        raise Mismatch("seats", n)
    for seat, player in enumerate(header.players):
        if part_commitment(game, seat, entry.parts[seat]) != commits[seat]:
            raise Mismatch("part", n, seat=seat)
        if not verify(player.key, entry.signatures[seat], "seed", game, before):
            raise Mismatch("part_signature", n, seat=seat)
