"""Who has to agree on a new host, and what they sign.

Shares are for people on other machines than the host's. So many of them as give the secret have to agree, and more
than half: any two agreements have a seat in common, which has signed both if there are two.
"""

from collections.abc import Mapping

from msgspec import Struct

from citadels_lan.crypto.frames import Field, u8, u64
from citadels_lan.crypto.identity import BadKey, Identity, check_public_key, verify
from citadels_lan.crypto.log import Agreed, Header, NewHost


class Proposal(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A new host: the player at `seat`, with its key for that, `host`, and the SHA-256 of its certificate, from
    entry `n` on, whose hash is `head`."""

    n: int
    head: bytes
    seat: int
    host: bytes
    fp: bytes

    def fields(self, game: bytes) -> tuple[Field, ...]:
        """What is signed of it, under the tag `new-host`."""
        return game, u64(self.n), self.head, u8(self.seat), self.host, self.fp


def trustees(header: Header) -> list[int]:
    """The seats with a share: people, but not the one who runs the host, nor who plays through its computer."""
    own = header.endorsement.key if header.endorsement is not None else None
    people = [seat for seat, player in enumerate(header.players) if not player.bot and player.key != own]
    return [seat for seat in people if seat not in (header.guests or ())]


def needed(header: Header) -> int:
    """So many seats with a share have to agree."""
    return max(header.migrate or 0, len(trustees(header)) // 2 + 1)


def agree(identity: Identity, game: bytes, proposal: Proposal) -> bytes:
    """A seat's signature that this is the host from now on."""
    return identity.sign("new-host", *proposal.fields(game))


def agreed(header: Header, proposal: Proposal, seat: int, signature: bytes) -> bool:
    """Whether a seat with a share has signed that."""
    fields = proposal.fields(header.game_id)
    return seat in trustees(header) and verify(header.players[seat].key, signature, "new-host", *fields)


def new_host(proposal: Proposal, signatures: Mapping[int, bytes]) -> NewHost:
    """The entry by which the new host begins; the signatures are by seat."""
    given = tuple(Agreed(seat, signatures[seat]) for seat in sorted(signatures))
    return NewHost(proposal.seat, proposal.host, proposal.fp, given)


def proposal_in(entry: NewHost, n: int, head: bytes) -> Proposal:
    """What was agreed on in an entry that follows entry `n`."""
    return Proposal(n, head, entry.seat, entry.hostkey, entry.fp)


def holds(header: Header, entry: NewHost, n: int, head: bytes) -> bool:
    """Whether enough seats have agreed on the host of an entry that follows entry `n`, itself among them."""
    seats = [one.seat for one in entry.agreed]
    if header.migrate is None or seats != sorted(set(seats)) or entry.seat not in seats:
        return False
    try:
        check_public_key(entry.hostkey)
    except BadKey:
        return False
    proposal = proposal_in(entry, n, head)
    signed = all(agreed(header, proposal, one.seat, one.signature) for one in entry.agreed)
    return signed and len(seats) >= needed(header)
