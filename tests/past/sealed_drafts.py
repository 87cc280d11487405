"""Games with sealed drafts as a table that knows the picks plays them again: the engine itself, by what the links
of all seats open."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.draft.playing import play_of
from citadels_lan.crypto.draft.record import DraftRecord
from citadels_lan.crypto.draft.secrets import DraftSecret
from citadels_lan.crypto.log import Move, Said, TableMove
from citadels_lan.crypto.packing import digest, u16
from citadels_lan.crypto.replay import MoveLines, chance_of, unsealed_by
from citadels_lan.engine import Action, Event, State, advance, decide, evolve, parse
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.events import Offered, SetAside
from tests.crypto.table import Game
from tests.facts import known_table

T = TypeVar("T")


class KnownChance:
    """The chance of a game, with that of its sealed drafts, which the secrets of the seats give."""

    def __init__(self, rest: SeededChance, table: "KnownTable") -> None:
        self._rest = rest
        self._table = table
        self._layouts: dict[int, SeededChance] = {}

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        return self._of(label).shuffle(label, items)

    def pick(self, label: str, items: Sequence[T]) -> T:
        purpose, _, seat, _ = label.split("/")
        if purpose == "third":
            return SeededChance(self._table.secrets[int(seat)].y).pick(label, items)
        if purpose == "theater":
            return next(item for item in items if item == self._table.gift())
        return self._of(label).pick(label, items)

    def _of(self, label: str) -> SeededChance:
        purpose, number, *_ = label.split("/")
        if purpose not in ("chars", "back"):
            return self._rest
        record = self._table.begin(int(number))
        dealer = self._table.secrets[record.table.plan.dealer]
        seed = digest("deal", u16(int(number)), *record.links, dealer.y)
        return self._layouts.setdefault(int(number), SeededChance(seed))


class KnownTable:
    """A table that knows the picks, and goes through the log of a game that is over."""

    def __init__(self, game: Game) -> None:
        self._audit, self._entries = game.host_log.audit, game.host_log.entries()
        self._lines = MoveLines(self._audit, self._entries)
        self._chance = KnownChance(chance_of(self._audit), self)
        self.state = known_table(self._audit.table.config)
        self.secrets: dict[int, DraftSecret] = {}
        self._picks = self._given = self._number = 0

    def steps(self) -> Iterator[tuple[int, list[Event], State]]:
        """Each entry of which something comes: its number, what that is, and the state then."""
        for n, entry in enumerate(self._entries, 1):
            match entry:
                case Move():
                    line = parse(self._lines.line(n), entry.seat)
                    events = decide(self.state, entry.seat, line, self._chance, unsealed_by(entry))
                case TableMove():
                    events = advance(self.state, self._chance)
                case Said():
                    events = self._said(entry)
                case _:
                    continue
            self.state = evolve(self.state, *events)
            if events:
                yield n, events, self.state

    def begin(self, number: int) -> DraftRecord:
        """The draft of a round, which begins if it has not."""
        drafts = self._audit.drafts
        assert drafts is not None
        self._record = drafts.rounds[number - 1]
        if number != self._number:
            self._picks, self._given, self._number = 0, 0, number
            self.secrets = dict(drafts.secrets(self._record))
        return self._record

    def gift(self) -> str:
        """The character of the next exchanged box."""
        box, self._given = self._record.given[self._given], self._given + 1
        return self._record.table.plan.names(self.secrets[box.fixed.by].one_in(box.fixed) or 0)[0]

    def _said(self, entry: Said) -> list[Event]:
        play, seat = play_of(entry.items, self.state), entry.items[0].seat
        if isinstance(play, Pick):
            step, self._picks = self._record.steps[self._picks], self._picks + 1
            secret = self.secrets[step.step.seat]
            kept, *aside = (
                self._record.table.plan.names(secret.one_in(one) or 0)[0]
                for one in (step.pick, step.aside)
                if one is not None
            )
            return decide(self.state, step.step.seat, Pick(kept, aside[0] if aside else None), self._chance)
        if isinstance(play, Theater):
            given = self.gift()
            return decide(self.state, seat, Theater(play.seat, play.giving and given), self._chance)
        assert not isinstance(play, Action)
        return [] if play is None else advance(self.state, self._chance, play)


def in_order(event: Event) -> Event:
    """An event without the order of characters in which nobody is interested: the packet is a set."""
    match event:
        case Offered():
            return event.but(packet=tuple(sorted(event.packet)))
        case SetAside():
            return event.but(characters=tuple(sorted(event.characters)))
    return event


def as_sets(state: State) -> State:
    """A state without that order."""
    seen = state.copy()
    seen.facedown = sorted(seen.facedown)
    seen.steps = [step.but(cards=tuple(sorted(step.cards))) for step in seen.steps]
    for player in seen.players:
        player.seen = [tuple(sorted(packet)) for packet in player.seen]
    return seen
