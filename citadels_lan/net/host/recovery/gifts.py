"""What came with a move besides its entry, where it follows from the host's secret and nobody has to hand it back.

Of a stand-in everything does: it has signed and hidden with keys of that secret, and the move is one of those that
there were.
"""

from collections.abc import Iterator

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.audit.signed import sign_move
from citadels_lan.crypto.commitments import WIDTH, Opening, split
from citadels_lan.crypto.log import Move
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.sealed_moves import manner, read_sealed
from citadels_lan.engine import decisions
from citadels_lan.engine.choices import expand
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.host.stand_ins import seen


class Gift(Struct, frozen=True):
    """The mover's signature, and openings that the host alone had; the link of a second chain that came with the
    last beacons."""

    signature: bytes = b""
    openings: tuple[Opening, ...] = ()
    draft: bytes | None = None


def needed(audit: Auditor, move: Move) -> list[bytes]:
    """The commitments that the host needs openings of: those of a hidden move, or the one that a move breaks."""
    if isinstance(move.what, bytes):
        return [move.what[at : at + WIDTH] for at in range(0, len(move.what), WIDTH)]
    breaking = None if read_sealed(move.what) is not None else audit.concealed.breaks(move.seat, move.what)
    return [] if breaking is None else [breaking[0]]


def of_stand_in(game: HostedGame, move: Move) -> Gift | None:
    """What came with the next move, of a stand-in; None where it is none of those that this one could make."""
    log = game.host_log
    stint = log.audit.movers.stint(move.seat)
    assert stint is not None
    owner = log.stand_in_owner(stint)
    openings = _openings(game, owner, move)
    if openings is None:
        return None
    signature = sign_move(log.signing_key(stint), log.header.game_id, log.chain, move.seat, move.what)
    return Gift(signature, openings)


def _openings(game: HostedGame, owner: Owner, move: Move) -> tuple[Opening, ...] | None:
    audit = game.host_log.audit
    if isinstance(move.what, str):
        return () if read_sealed(move.what) is not None else owner.prepare(audit, move.what)[1]
    lines = _hidden_lines(game, owner, len(needed(audit, move)))
    prepared = (owner.prepare(audit, line) for line in lines)
    return next((openings for what, openings in prepared if what == move.what), None)


def _hidden_lines(game: HostedGame, owner: Owner, parts: int) -> Iterator[str]:
    """The lines of all hidden moves of so many commitments that there are now."""
    for action in expand(decisions(seen(game.state, owner)).get(owner.seat, ())):
        line = str(action)
        if manner(line) == "hidden" and len(split(line)) == parts:
            yield line
