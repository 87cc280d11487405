"""The sealed drafts of one log: the lies that they prove, and its events with the characters that are known by the
links in *close*, or by a seat's own key."""

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec.structs import replace

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.draft.knowledge import Knowledge, judge
from citadels_lan.crypto.draft.plan import NOBODY
from citadels_lan.crypto.draft.playing import KnownEvents
from citadels_lan.crypto.frames import frame, u8, u64
from citadels_lan.crypto.log import Said
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.replay import Played
from citadels_lan.engine import HIDDEN, Impossible, State, evolve
from citadels_lan.engine.events import Picked

from .examined import Examined
from .model import Evidence, Finding


def draft_findings(one: Examined) -> Iterator[Finding]:
    """Return the first lie of each seat in each round, with what it has signed."""
    drafts = one.audit.drafts
    for record in drafts.rounds if drafts is not None else ():
        found = judge(record, drafts.secrets(record)) if drafts is not None else []
        number, first = record.table.number, {lie.seat: lie for lie in reversed(found)}
        for seat, lie in sorted(first.items()):
            if seat == NOBODY:
                yield Finding("draft_unclear", "incomplete", {"round": number})
            else:
                details: dict[str, int | str] = {"n": lie.n, "round": number}
                evidence = _evidence(one, lie.n, seat)
                yield Finding("player_cheated", "proof", details, f"draft_{lie.code}", seat, evidence)


def _evidence(one: Examined, n: int, seat: int) -> tuple[Evidence, ...]:
    """Return what a seat has signed in an entry."""
    entry, header = one.entries[n - 1], one.audit.table
    items = [item for item in entry.items if item.seat == seat] if isinstance(entry, Said) else []
    fields = (header.game_id, u64(n), one.heads[n - 1], u8(seat))
    key = header.players[seat].key
    return tuple(Evidence(n, key, frame("said", *fields, item.message), item.sig) for item in items)


def opened_drafts(audit: Auditor, owner: Owner | None = None) -> KnownEvents:
    """Return what completes the events of a log that was read as far as it goes. `owner` has the key of a seat."""

    @cache
    def known(round_: int) -> Knowledge | None:
        drafts, hand = audit.drafts, owner.hand(audit, round_) if owner is not None else None
        if drafts is None or not 0 < round_ <= len(drafts.rounds):
            return None
        record = drafts.rounds[round_ - 1]
        own = {} if hand is None else {hand.seat: hand.secret}
        return Knowledge(record, {**drafts.secrets(record), **own})

    return KnownEvents(known)


def with_characters(steps: Iterable[Played], table: State, drafts: KnownEvents) -> Iterator[Played]:
    """Return the steps of a game that was played again without the picks of its sealed drafts, with those that are
    known; `table` is that before the deal. After a lie in a draft the characters of that entry stay hidden."""
    state = table
    for played in steps:
        events = drafts.opened(played.events)
        try:
            state = evolve(state, *events)
        except Impossible:
            state, events = played.state, list(played.events)
        yield replace(played, events=tuple(events), state=state)


def unknown_picks(steps: Iterable[Played]) -> list[int]:
    """Return the seats of which not every pick is known in these steps."""
    events = (event for played in steps for event in played.events)
    return sorted({event.seat for event in events if isinstance(event, Picked) and event.character == HIDDEN})
