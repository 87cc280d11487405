"""What comes to the host from a seat, checked and read, once: a move, and what is said in a sealed draft.

Whether a move is legal is for the engine to say.
"""

from collections.abc import Sequence

from msgspec import Struct

from citadels_lan.crypto.chain import Signed, mover_signed
from citadels_lan.engine import Action, BadNotation, parse
from citadels_lan.engine.actions import Theater

from .audit import Auditor
from .chain import Chain
from .commitments import MAX_LINE, WIDTH, Opening, check, join, split
from .draft.messages import AnyDraftMessage
from .faults import Unacceptable
from .log import Move, Said, SaidItem
from .packing import Malformed
from .sealed_moves import manner, read_sealed, starred


class ReadMove(Struct, frozen=True):
    """A move that may go into the log: what its seat has signed and sent, and the action that it means. A move of
    a substitute has no signature. `unsealed` is the character with the marker that counts, where the move breaks
    a seal."""

    seat: int
    what: str | bytes
    signature: bytes
    openings: tuple[Opening, ...]
    action: Action
    unsealed: str | None = None


def read_move(
    chain: Chain,
    audit: Auditor,
    seat: int,
    n: int,
    what: str | bytes,
    signature: bytes,
    openings: Sequence[Opening],
) -> ReadMove:
    """The move that a seat has sent as entry `n`. Unacceptable unless it is the next entry, signed, its
    commitments open, and its line is written and sent in the one way there is."""
    if n != chain.n + 1 or not audit.expects(Move):
        raise Unacceptable("stale")
    if audit.absences.substitute(seat) is not None:
        raise Unacceptable("substitute")
    signed = Signed(n, chain.head, seat, what)
    if not mover_signed(audit.table.game_id, audit.table.players[seat].key, signed, signature):
        raise Unacceptable("signature")
    unsealed = None
    if isinstance(what, bytes):
        line, sent = _hidden_line(audit, seat, what, openings), "hidden"
    elif (sealed := read_sealed(what)) is not None:
        line, sent = sealed.line, "sealed"
        if openings or sealed.commit in audit.concealed.pending:
            raise Unacceptable("opening" if openings else "used")
    else:
        line, sent = what, "open"
        unsealed = _unsealed(audit, seat, what, openings)
    if manner(line) != sent:
        raise Unacceptable("hidden")
    action = _action(line, seat)
    if audit.drafts is not None and isinstance(action, Theater) and action.seat is not None:
        raise Unacceptable("draft_turn")  # what is given in an exchange comes with it
    return ReadMove(seat, what, signature, tuple(openings), action, unsealed)


def _hidden_line(audit: Auditor, seat: int, what: bytes, openings: Sequence[Opening]) -> str:
    """The line that the openings say, which are for the host alone."""
    game = audit.table.game_id
    commits = [what[at : at + WIDTH] for at in range(0, len(what), WIDTH)]
    if not commits or len(commits) != len(openings):
        raise Unacceptable("opening")
    if not all(check(game, commit, opening) for commit, opening in zip(commits, openings, strict=True)):
        raise Unacceptable("opening")
    if any(commit in audit.concealed.pending for commit in commits):
        raise Unacceptable("used")
    place = (audit.round, seat, audit.concealed.slot(seat))
    if any((opening.round, opening.seat, opening.slot) != place for opening in openings):
        raise Unacceptable("opening")
    lines = tuple(opening.line for opening in openings)
    if split(join(lines)) != lines:
        raise Unacceptable("opening")
    return join(lines)


def _unsealed(audit: Auditor, seat: int, what: str, openings: Sequence[Opening]) -> str | None:
    """What the opening of the seal says that an open move breaks; None where it breaks none."""
    breaking = audit.concealed.breaks(seat, what)
    if len(openings) != (breaking is not None):
        raise Unacceptable("opening")
    if breaking is None:
        return None
    commit, place = breaking
    if not place.opened_by(audit.table.game_id, commit, openings[0]):
        raise Unacceptable("opening")
    return starred(openings[0])


def _action(line: str, seat: int) -> Action:
    """What a line means; it must be the one way to write it, and not too long."""
    try:
        action = parse(line, seat) if len(line) <= MAX_LINE else None
    except BadNotation:
        action = None
    if action is None or str(action) != line:
        raise Unacceptable("notation")
    return action


def read_said(chain: Chain, audit: Auditor, n: int, item: SaidItem) -> AnyDraftMessage:
    """What a seat says in a sealed draft as entry `n`. Unacceptable unless it is the next entry, and the message
    is signed, due, and fits."""
    if n != chain.n + 1 or audit.drafts is None or not audit.expects(Said):
        raise Unacceptable("stale")
    try:
        return audit.drafts.check(n, chain.head, item)
    except Malformed:
        raise Unacceptable("draft_form") from None
