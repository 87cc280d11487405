"""Sealed drafts in memory: the plans that there are, clients that play them, and clients that lie."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from citadels_lan.crypto.beacons import Round, bitmap
from citadels_lan.crypto.draft.boxes import own_box
from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.judging import DraftFinding, judge
from citadels_lan.crypto.draft.messages import AnyDraftMessage, CallReply
from citadels_lan.crypto.draft.plan import DraftPlan, DraftStep
from citadels_lan.crypto.draft.record import OVER, DraftRecord
from citadels_lan.crypto.draft.secrets import DraftTable, draft_anchor, secret_of
from citadels_lan.crypto.faults import Unacceptable

GAME: Final = bytes(range(16))
CAST: Final = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord", "queen")
FACE_UP: Final = {(4, 8): 2, (5, 8): 1, (4, 9): 3, (5, 9): 2, (6, 9): 1}
BACK: Final = {(7, 8), (8, 9)}
KINDS: Final = (
    *[(players, 8, False) for players in range(2, 8)],
    *[(players, 9, False) for players in range(3, 9)],
    (2, 8, True),
    (3, 8, True),
)
"""Players, characters, and whether the first player chooses the face-down one: the drafts of all editions."""
Lie = Callable[[DraftHand, AnyDraftMessage], AnyDraftMessage]


def plan_of(players: int, characters: int, chosen: bool = False, crown: int = 0) -> DraftPlan:
    """How so many players draft."""
    order = {2: (0, 1, 0, 1), 3: (0, 1, 2, 0, 1, 2)}.get(players, range(players))
    steps = tuple(
        DraftStep(
            (crown + place) % players,
            aside=int((players == 2 and at > 0) or (chosen and at == 0)),
            loses=(players, characters, at) == (3, 9, 2),
        )
        for at, place in enumerate(order)
    )
    up = FACE_UP.get((players, characters), 0)
    return DraftPlan(CAST[:characters], steps, up, 3, not chosen, (players, characters) in BACK)


def key_of(seat: int, salt: int = 0) -> bytes:
    """The key of a client for the game."""
    return bytes([seat, salt]) * 16


def table_of(plan: DraftPlan, players: int, salt: int = 0, round_: int = 1, attempt: int = 1) -> DraftTable:
    """A draft of players whose keys follow from `salt`."""
    seats = range(players)
    links = tuple(bytes([seat, salt, round_, 7]) * 8 for seat in seats)
    return DraftTable(
        GAME,
        Round(round_, bytes([round_]) * 32, bitmap(seats), links),
        attempt,
        plan,
        tuple(draft_anchor(key_of(seat, salt), GAME, seat) for seat in seats),
        tuple(own_box(key_of(seat, salt), GAME).public for seat in seats),
        bitmap(seats),
    )


@dataclass
class Simulated:
    """A draft of `players`, of whom some may lie: `lies` are by seat, and make another message of what the
    honest client says. `denies` are seats that say no to every call, `absent` is one that may not deal. `said`
    is all that went over the table."""

    players: int
    characters: int = 8
    chosen: bool = False
    crown: int = 0
    salt: int = 0
    round_: int = 1
    lies: dict[int, Lie] = field(default_factory=dict)
    denies: frozenset[int] = frozenset()
    absent: int | None = None
    said: list[tuple[int, AnyDraftMessage]] = field(default_factory=list)
    shown: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.players} {self.characters} {self.salt} {self.crown}")
        plan = plan_of(self.players, self.characters, self.chosen, self.crown)
        table = table_of(plan, self.players, self.salt, self.round_)
        there = table.dealers & ~(0 if self.absent is None else 1 << self.absent)
        self.record = DraftRecord(replace(table, dealers=there))

    @property
    def plan(self) -> DraftPlan:
        return self.record.table.plan

    @cached_property
    def hands(self) -> list[DraftHand]:
        return [self.hand(seat) for seat in range(self.players)]

    @cached_property
    def links(self) -> dict[int, bytes]:
        return {seat: self.hands[seat].secret.link for seat in range(self.players)}

    def hand(self, seat: int) -> DraftHand:
        """A client that knows nothing but its key and the record."""
        key = key_of(seat, self.salt)
        return DraftHand(self.record, secret_of(self.record.table, seat, key), own_box(key, GAME))

    def say(self, seat: int, message: AnyDraftMessage) -> None:
        """A message of a seat, as it says it."""
        if seat in self.lies:
            message = self.lies[seat](self.hands[seat], message)
        self.record.take(seat, message)
        self.said.append((seat, message))

    def complain(self) -> None:
        """Whoever was told nonsense says so."""
        for hand in self.hands:
            complaint = hand.complaint() if hand.seat not in self.lies else None
            if complaint is not None:
                self.say(hand.seat, complaint)

    def step(self) -> None:
        """Whoever is to say something says it."""
        what, seat = self.record.due
        hand = self.hands[seat]
        if what != "pick":
            message = hand.due()
            assert message is not None
            self.say(seat, message)
        else:
            step = self.plan.steps[self.record.next]
            chosen = self.chance.sample(self.plan.names(hand.offered()), 1 + step.aside)
            self.say(seat, hand.pick(*chosen))
        self.complain()

    def draft(self) -> "Simulated":
        while self.record.due != OVER:
            self.step()
        return self

    def exchange(self, by: int, to: int) -> "Simulated":
        """Seat `by` swaps a character of its own with one of `to`, unless the draft has ended in a complaint."""
        if self.record.complaint is None:
            held = self.plan.names(self.hands[by].held())
            self.say(by, self.hands[by].give(to, self.chance.choice(held or self.plan.cast)))
            self.complain()
            while self.record.due != OVER:
                self.step()
        return self

    def replies(self, place: int) -> dict[int, CallReply]:
        return {hand.seat: hand.reply(place) for hand in self.hands if hand.seat not in self.denies} | {
            seat: CallReply(0, bytes(32)) for seat in self.denies
        }

    def calls(self) -> "Simulated":
        """All characters are called that do not lie face up."""
        for place in range(len(self.plan.cast)):
            if self.record.complaint is None and not self.record.face_up >> place & 1:
                replies = self.replies(place)
                try:
                    self.shown[place] = self.record.call(place, replies)
                except Unacceptable:
                    honest = {seat: reply for seat, reply in replies.items() if seat not in self.lies}
                    self.shown[place] = self.record.call(place, honest)
        return self

    def found(self) -> list[DraftFinding]:
        """What all links together tell."""
        return judge(self.record, self.links, {})

    def found_by(self, seat: int) -> list[DraftFinding]:
        """What one seat can tell while the game goes on."""
        return judge(self.record, {seat: self.links[seat]}, self.hands[seat].contents())
