"""Before the first round: who is who at a table, and what its seats agree and commit to.

Each player's key signs its name, and a person's key answers for the host's.
A key of the host is made for one table; without an endorsement nobody could be shown to have held it.
"""

from collections.abc import Collection, Sequence

from .faults import Mismatch, Unacceptable
from .frames import Field, u8
from .identity import BadKey, Identity, check_public_key, verify
from .log import CALLED_OFF, Agreement, Commits, Endorsement, Header


def claim(identity: Identity, game: bytes, fp: bytes, host: bytes, name: str, kind: int) -> bytes:
    """A player's signature of its name and kind, for the table with this game, certificate and host key."""
    return identity.sign("seat", *_seat_fields(game, fp, host, name, kind))


def claim_holds(key: bytes, signature: bytes, game: bytes, fp: bytes, host: bytes, name: str, kind: int) -> bool:
    """Whether a claim is that of `key`."""
    return verify(key, signature, "seat", *_seat_fields(game, fp, host, name, kind))


def claimed(header: Header, seat: int) -> bool:
    """Whether the player at a seat has signed what the header says of it."""
    player = header.players[seat]
    table = (header.game_id, header.fp, header.hostkey)
    return claim_holds(player.key, player.claim, *table, player.name, player.kind)


def endorse(identity: Identity, game: bytes, fp: bytes, host: bytes) -> Endorsement:
    """The word of the person who runs a host that the key `host` is its own."""
    return Endorsement(identity.public, identity.sign("host-key", game, fp, host))


def endorsed(header: Header) -> bool:
    """Whether the endorsement of a header holds; where there is none nothing is wrong."""
    given = header.endorsement
    fields = (header.game_id, header.fp, header.hostkey)
    return given is None or verify(given.key, given.signature, "host-key", *fields)


def _seat_fields(game: bytes, fp: bytes, host: bytes, name: str, kind: int) -> tuple[Field, ...]:
    return game, fp, host, name, u8(kind)


def check_table(n: int, header: Header, identity: tuple[bytes, bytes, bytes], host: bytes) -> int:
    """The header against the game, rules and certificate that are known of the table, and the key of its host;
    how many signatures there are in it. Raises Mismatch."""
    if header.hostkey != host:
        raise Mismatch("host", n)
    if (header.game_id, header.rules, header.fp) != identity:
        raise Mismatch("header", n)
    for player in header.players:
        try:
            check_public_key(player.key)
        except BadKey:
            raise Mismatch("key", n) from None
    heads = [one.head for one in header.called_off]
    if len(set(heads)) != len(heads) or len(heads) > CALLED_OFF:
        raise Mismatch("header", n)
    if any(list(one.missing) != sorted(set(one.missing)) for one in header.called_off):
        raise Mismatch("header", n)
    if len({header.hostkey, *(player.key for player in header.players)}) != len(header.players) + 1:
        raise Mismatch("key", n)
    for seat in range(len(header.players)):
        if not claimed(header, seat):
            raise Mismatch("claim", n, seat=seat)
    if not endorsed(header):
        raise Mismatch("endorsement", n)
    return len(header.players) + (header.endorsement is not None)


def agree_fields(header: bytes, seat: int, commit: bytes, anchors: Sequence[bytes]) -> tuple[bytes, ...]:
    """What a seat signs, under the tag `agree`, when it commits to its part; `header` is hash[1]."""
    return header, u8(seat), commit, *anchors


def check_agreements(n: int, before: bytes, header: Header, entry: Commits) -> None:
    """Check what each seat has signed for its part of the seed; `before` is hash[1]. Raises Mismatch."""
    if len(entry.seats) != len(header.players):
        raise Mismatch("seats", n)
    given = [value for one in entry.seats for value in (one.commit, *one.anchors)]
    if len(set(given)) != len(given):
        raise Mismatch("value_again", n)
    for seat, one in enumerate(entry.seats):
        if not _anchored(header, one):
            raise Mismatch("anchors", n, seat=seat)
        if not agreed(header, before, seat, one):
            raise Mismatch("agreement", n, seat=seat)


def check_agreement(
    header: Header, head: bytes, seat: int, one: Agreement, others: Collection[bytes] = ()
) -> None:
    """Check what one seat commits to when it arrives. `others` are the values that the other seats have given: no
    value may stand twice in a game. Raises Unacceptable."""
    if not _anchored(header, one):
        raise Unacceptable("part")
    given = (one.commit, *one.anchors)
    if len(set(given) - set(others)) != len(given):
        raise Unacceptable("value_used")
    if not agreed(header, head, seat, one):
        raise Unacceptable("signature")


def agreed(header: Header, head: bytes, seat: int, one: Agreement) -> bool:
    """Whether the seat's key has signed this; `head` is hash[1]."""
    fields = agree_fields(head, seat, one.commit, one.anchors)
    return verify(header.players[seat].key, one.signature, "agree", *fields)


def _anchored(header: Header, one: Agreement) -> bool:
    """Whether the anchors are those that the draft needs: the ends of two chains for a sealed one."""
    return len(one.anchors) == (2 if header.draft else 0)
