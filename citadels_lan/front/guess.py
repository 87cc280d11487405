"""Who could still be who: what a careful player concludes from the draft and from the ranks called."""

from citadels_lan.engine import HIDDEN, State, edition_of

from .waiting.calling import asked_for


def unseen(view: State, seat: int | None) -> list[str]:
    """Characters that another seat may hold without having shown it."""
    known = set(view.faceup)
    for player in view.players:
        known.update(player.revealed)
    if seat is not None:
        own = view.players[seat]
        known.update(key for key in (*own.concealed, *own.laid) if key != HIDDEN)
    killed = view.mark("killed")
    ranks = edition_of(view).ranks
    kept_quiet, asked = killed.character if killed else "", asked_for(view)
    return [
        key for key in view.cast if key not in known and (ranks[key] > view.rank or key in (kept_quiet, asked))
    ]  # fmt: skip


def possible(view: State, seat: int | None) -> dict[int, list[str]]:
    """By seat: the characters it may still hold. Seats that hold nothing concealed are left out."""
    candidates = unseen(view, seat)
    found = {}
    for other, player in enumerate(view.players):
        if other != seat and player.concealed:
            found[other] = [key for key in candidates if _can_have(view, seat, other, key)]
    return found


def _can_have(view: State, seat: int | None, other: int, key: str) -> bool:
    """What passed through my hands, and did not stay there, went on to those after me; the rest did not."""
    count = len(view.players)
    if seat is None or count < 4 or not view.players[seat].seen:
        return True
    packet = view.players[seat].seen[0]
    before_me = len(view.cast) - len(view.faceup) - 1 - len(packet)
    if len(packet) == 2 and before_me == count - 2:  # the last player of a full table sees two cards as well
        return True
    backwards = [view.players[(seat - step) % count] for step in range(1, count)]
    picked = [player for player in backwards if player.concealed or player.revealed]  # those not left out
    return (key in packet) == all(player is not view.players[other] for player in picked[:before_me])
