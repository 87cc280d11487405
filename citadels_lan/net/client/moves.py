"""A move as its owner signs and sends it: openly, hidden from the others, or sealed from the host as well."""

from msgspec import Struct

from citadels_lan.crypto.audit import sign_move
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Play

from .records import Records


class Sent(Struct, eq=False):
    """A move on its way. `taken` once it is in the log, `refusal` if it did not get there."""

    play: Play
    line: str
    taken: bool = False
    refusal: Rejected | None = None

    @property
    def settled(self) -> bool:
        """Whether the host has answered."""
        return self.taken or self.refusal is not None


def signed(records: Records, client_log: ClientLog, seat: int, line: str) -> Sent:
    """A line of notation as the next entry, with what commits to it or breaks a seal."""
    what, openings = records.owner(seat).prepare(client_log.audit, line)
    signature = sign_move(records.identity, records.game.id, client_log.chain, seat, what)
    return Sent(Play(client_log.chain.n + 1, what, signature, openings), line)
