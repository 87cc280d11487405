"""The sealed drafts of one log, as far as they are open: by the links of all seats once the game is over, and at
any time for whoever has a seat's key."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.audit.drafts import DraftRound
from citadels_lan.crypto.beacons import LINKS
from citadels_lan.crypto.draft.boxes import BoxContent
from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.opened import OpenedDraft
from citadels_lan.crypto.draft.secrets import secret_of
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.replay import Played
from citadels_lan.engine import HIDDEN, Event, Impossible, State, evolve
from citadels_lan.engine.events import Picked
from citadels_lan.engine.flow.sealed import asks_own


class OpenedDrafts:
    """All drafts of a log that was read as far as it goes. Its entries come in their order."""

    def __init__(self, audit: Auditor, contents: Mapping[bytes, BoxContent], owner: Owner | None = None) -> None:
        """`contents` are those of boxes, by commitment; `owner` has the key of a seat."""
        self._audit = audit
        self._contents = contents
        self._owner = owner
        self._rounds = dict(audit.drafts.rounds) if audit.drafts is not None else {}
        self._now: OpenedDraft | None = None

    def known(self, n: int, events: Sequence[Event]) -> list[Event]:
        """The events of entry `n` with the characters in them that are known."""
        for begun in [begun for begun in self._rounds if begun < n]:
            self._now = self._opened(begun, self._rounds.pop(begun))
        return [event if self._now is None else self._now.known(event) for event in events]

    def leave(self) -> None:
        """Nothing more is known of the draft of this round: somebody has lied in it."""
        self._now = None

    def _opened(self, n: int, draft: DraftRound) -> OpenedDraft | None:
        if draft.record.dealt is None:
            return None
        links, contents = self._links(n), self._contents
        hand = _hand(draft, self._owner)
        if hand is not None:
            links[hand.seat], contents = hand.secret.link, {**contents, **hand.contents()}
        return OpenedDraft(draft.record, links, contents)

    def _links(self, n: int) -> dict[int, bytes]:
        return self._audit.drafts.links_in(n, self._audit.secret) if self._audit.drafts is not None else {}


def _hand(draft: DraftRound, owner: Owner | None) -> DraftHand | None:
    """The side of a draft that an owner can read."""
    table = draft.record.table
    if owner is None or owner.seat in draft.stints or table.attempt > LINKS:
        return None
    return DraftHand(draft.record, secret_of(table, owner.seat, owner.key), owner.box)


def own_part(events: Sequence[Event], known: Sequence[Event], seat: int | None) -> list[Event]:
    """Events as `seat` was told them, with what it knows by itself; `known` are the same with all that is open."""
    if seat is None:
        return list(events)
    return [more if asks_own(told, seat) else told for told, more in zip(events, known, strict=True)]


def with_characters(steps: Iterable[Played], table: State, drafts: OpenedDrafts) -> Iterator[Played]:
    """The steps of a game that was played again without the picks of its sealed drafts, with those that are known;
    `table` is that before the deal. Where somebody has lied a draft is known up to what cannot be."""
    state = table
    for played in steps:
        events = drafts.known(played.n, played.events)
        try:
            state = evolve(state, *events)
        except Impossible:
            drafts.leave()
            state, events = played.state, list(played.events)
        yield replace(played, events=tuple(events), state=state)


def unknown_picks(steps: Iterable[Played]) -> list[int]:
    """The seats of which not every pick is known in these steps."""
    events = (event for played in steps for event in played.events)
    return sorted({event.seat for event in events if isinstance(event, Picked) and event.character == HIDDEN})
