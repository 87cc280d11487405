"""A seat's part in the chance of a game: of the first seed, and of each round with the signature of the head."""

from citadels_lan.crypto.beacons import cosign, seats_in
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.log import Beacons, Commits, Parts
from citadels_lan.crypto.seed import part_commitment
from citadels_lan.crypto.words import head_words
from citadels_lan.net.wire.messages import Beacon, SeedCommit, SeedPart

from .records import Records
from .updates import Cosigned


def owed(records: Records) -> SeedCommit | SeedPart | Beacon | None:
    """What the seed or the next round needs of this seat now."""
    client_log, seat = records.client_log, records.seat
    if client_log is None or seat is None:
        return None
    if client_log.audit.expects(Commits):
        return SeedCommit(part_commitment(records.game.id, seat, records.part), records.owner(seat).anchor)
    if client_log.audit.expects(Parts):
        signature = records.identity.sign("seed", records.game.id, client_log.chain.head)
        return SeedPart(records.part, signature)
    return _share(records, client_log, seat) if client_log.audit.expects(Beacons) else None


def _share(records: Records, client_log: ClientLog, seat: int) -> Beacon:
    """Sign the head and reveal the next link; after the game, open what is still sealed."""
    chain, audit = client_log.chain, client_log.audit
    openings = tuple(records.sealed()) if audit.over else ()
    link = records.owner(seat).link(audit.round + 1)
    return Beacon(chain.n, cosign(records.identity, records.game.id, chain.n, chain.head), link, openings)


def cosigned(records: Records, client_log: ClientLog, n: int, entry: Beacons, *, sent: bool) -> Cosigned:
    """Who has signed the head before entry `n`, and its words; `sent`: this seat's share was on its way."""
    audit = client_log.audit
    seats = tuple(seats_in(entry.present))
    words = head_words(records.game.id, n - 1, audit.rounds[n].head, entry.links)
    absent = tuple(seat for seat in range(len(audit.table.players)) if seat not in seats)
    return Cosigned(entry.round, words, seats, absent, own=sent and records.seat in absent)
