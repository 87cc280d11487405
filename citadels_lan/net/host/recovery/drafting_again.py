"""What seats have said in a sealed draft, written once more by a host that has lost it."""

from collections.abc import Sequence

from citadels_lan.crypto.draft.messages import sign_draft
from citadels_lan.crypto.draft.playing import DraftPlay, drafted
from citadels_lan.crypto.host_entries import Written
from citadels_lan.crypto.log import DraftCalled, DraftSaid, DraftWithout
from citadels_lan.engine import Event
from citadels_lan.net.host.game import HostedGame


def said_again(game: HostedGame, entry: DraftSaid, signature: bytes) -> tuple[Written, Sequence[Event]]:
    """What a seat has said; a stand-in signs it again. Raises Unacceptable."""
    log = game.host_log
    key = log.drafts.signing_key(entry.seat)
    if key is not None:
        place = (log.header.game_id, game.n + 1, log.chain.head, entry.seat)
        signature = sign_draft(key, *place, entry.what)
    read = log.drafts.check_said(entry.seat, game.n + 1, entry.what, signature)
    events = _played(game, entry.seat, read.plays(game.state))
    return log.drafts.say(read, events), events


def without_again(game: HostedGame, entry: DraftWithout) -> tuple[Written, Sequence[Event]]:
    """The table has gone on without a seat. Raises Unacceptable."""
    drafts = game.host_log.drafts
    events = _played(game, entry.seat, drafts.plays_without(entry.seat, game.state))
    return drafts.without(entry.seat, events), events


def called_again(game: HostedGame, entry: DraftCalled) -> tuple[Written, Sequence[Event]]:
    """A character was called. Raises Unacceptable."""
    drafts = game.host_log.drafts
    replies = {
        one.seat: drafts.check_reply(one.seat, game.n + 1, one.what, one.signature) for one in entry.replies
    }
    events = _played(game, 0, drafts.plays_call(replies, game.state))
    return drafts.call(replies, events), events


def _played(game: HostedGame, seat: int, plays: Sequence[DraftPlay]) -> list[Event]:
    return drafted(game.state, game.chance, seat, plays)
