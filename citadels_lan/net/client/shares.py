"""A seat's part in the chance of a game: of the first seed, and of each round with the signature of the head."""

from citadels_lan.crypto.audit.signed import agree_fields
from citadels_lan.crypto.beacons import seats_in, sign_here
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.log import Beacons, Commits, Parts, Present, Restart
from citadels_lan.crypto.seed import part_commitment
from citadels_lan.crypto.words import head_words
from citadels_lan.net.wire.messages import Beacon, Here, SeedCommit, SeedPart

from .records import Records
from .updates import Cosigned, Restarted


def owed(records: Records, *, disputes: bool) -> SeedCommit | SeedPart | Here | Beacon | None:
    """What the seed or the next round needs of this seat now; `disputes`: it was left out although it was
    there."""
    client_log, seat = records.client_log, records.seat
    if client_log is None or seat is None:
        return None
    audit = client_log.audit
    if audit.expects(Commits):
        return _commitment(records, client_log, seat)
    if audit.expects(Parts):
        signature = records.identity.sign("seed", records.game.id, client_log.chain.head)
        return SeedPart(records.part, signature)
    if audit.expects(Present) and audit.between.may_take_part(seat):
        return _here(records, client_log, disputes=disputes)
    if audit.expects(Beacons) and audit.between.present >> seat & 1:
        return _share(records, client_log, seat)
    return None


def _commitment(records: Records, client_log: ClientLog, seat: int) -> SeedCommit:
    header, owner = client_log.audit.table, records.owner(seat)
    given = (part_commitment(records.game.id, seat, records.part), owner.anchor)
    more = () if header.draft is None else (owner.box.public, owner.draft_anchor)
    fields = agree_fields(records.game.id, client_log.chain.head, seat, *given, *more)
    return SeedCommit(*given, records.identity.sign("agree", *fields), *more)


def _here(records: Records, client_log: ClientLog, *, disputes: bool) -> Here:
    chain, round_ = client_log.chain, client_log.audit.round + 1
    signature = sign_here(records.identity, records.game.id, chain.n, chain.head, round_, disputes)
    return Here(chain.n, signature, disputes)


def _share(records: Records, client_log: ClientLog, seat: int) -> Beacon:
    """Reveal the next link; after the game, open what is still sealed."""
    audit = client_log.audit
    openings = tuple(records.sealed()) if audit.over else ()
    owner = records.owner(seat)
    draft = owner.draft_link(audit) if audit.over else None
    return Beacon(client_log.chain.n, owner.link(audit.between.attempt), openings, draft)


def left_out(entry: Present | Restart, seat: int | None) -> bool:
    """Whether an entry leaves out a seat, or says that its link is missing."""
    if seat is None:
        return False
    named = entry.present if isinstance(entry, Present) else ~entry.missing
    return not named >> seat & 1


def cosigned(records: Records, client_log: ClientLog, n: int, *, own: bool) -> Cosigned:
    """Who has given a share in the beacons of entry `n`, and its words; `own`: this seat was left out although it
    had sent its part."""
    one = client_log.audit.between.rounds[n]
    seats = tuple(seats_in(one.present))
    words = head_words(records.game.id, n - 1, one.head, one.links)
    absent = tuple(seat for seat in range(len(client_log.audit.table.players)) if seat not in seats)
    disputing = tuple(seat for seat, rounds in client_log.audit.between.disputed.items() if one.number in rounds)
    return Cosigned(one.number, words, seats, absent, own=own, disputing=tuple(sorted(disputing)))


def restarted(client_log: ClientLog, entry: Restart) -> Restarted:
    """Whose links are missing, before which round."""
    return Restarted(client_log.audit.round + 1, tuple(seats_in(entry.missing)))
