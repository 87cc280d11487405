"""Whether the file of somebody who comes is of the history that this host has signed."""

from citadels_lan.crypto.signed_head import SignedHead, host_signed
from citadels_lan.net.join.handshake import Applicant
from citadels_lan.net.wire.errors import Refusal

from .core import Core
from .game import HostedGame


def of_this_history(game: HostedGame | None, last: int, who: Applicant) -> bool:
    """Whether the file ends with an entry of this log, of which `last` is the last; before a game there is only
    the beginning."""
    return who.n <= last and (game is None or game.host_log.knows(who.n, who.head))


def signed_here(core: Core, who: Applicant) -> bool:
    """Whether the key of this host has signed what the file ends with."""
    return host_signed(SignedHead(who.n, who.head, who.said or b""), core.game, core.host.public)


def fork(game: HostedGame | None, last: int, who: Applicant) -> Refusal:
    """What is said to somebody whose file is not of this history: what this host has signed, as far as that file
    goes, too."""
    n = min(who.n, last)
    if game is None or n == 0:
        return Refusal("fork", n=n)
    log = game.host_log
    return Refusal("fork", n=n, head=log.head_at(n).hex(), said=log.signature(n).hex())
