"""Sealed drafts in memory: all possible plans, clients that play them, and clients that lie."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from citadels_lan.crypto.codec import digest, u64
from citadels_lan.crypto.draft import drafts
from citadels_lan.crypto.draft.knowledge import DraftHand, judge
from citadels_lan.crypto.draft.secrets import DraftPlan, DraftSecret, DraftTable, own_link
from citadels_lan.crypto.log import Unacceptable
from citadels_lan.engine.flow.sealed_draft import DraftStep

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
"""The drafts of all editions: number of players, number of characters, and whether the first player chooses
the face-down character."""
Lie = Callable[[DraftHand, drafts.AnyDraftMessage, bytes], drafts.AnyDraftMessage]
"""Returns a lie in place of an honest client's message. It receives the seat's hand, the message, and the
hash before the entry."""


def plan_of(players: int, characters: int, chosen: bool = False, crown: int = 0) -> DraftPlan:
    """Return the plan of a draft with these numbers of players and characters."""
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
    """Return a client's 32-byte secret for the game."""
    return bytes([seat, salt]) * 16


def head_of(n: int) -> bytes:
    """Return a value that stands for the hash before entry `n`."""
    return digest("head", u64(n))


@dataclass
class Simulated:
    """A sealed draft of clients in this process. `lies` are those of seats that lie; the seats in `denies`
    show no character when it is called."""

    players: int
    characters: int = 8
    chosen: bool = False
    crown: int = 0
    salt: int = 0
    round_: int = 1
    lies: dict[int, Lie] = field(default_factory=dict)
    denies: frozenset[int] = frozenset()
    said: list[tuple[int, drafts.AnyDraftMessage]] = field(default_factory=list)
    shown: dict[int, tuple[int, ...]] = field(default_factory=dict)
    n: int = 10

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.players} {self.characters} {self.salt} {self.crown}")
        anchors = (own_link(key_of(seat, self.salt), GAME, seat, "y", 0) for seat in range(self.players))
        plan = plan_of(self.players, self.characters, self.chosen, self.crown)
        self.record = drafts.DraftRecord(DraftTable(GAME, self.round_, plan, tuple(anchors)))

    @property
    def plan(self) -> DraftPlan:
        return self.record.table.plan

    @property
    def head(self) -> bytes:
        """The hash before the next entry."""
        return head_of(self.n)

    @cached_property
    def hands(self) -> list[DraftHand]:
        return [self.hand(seat) for seat in range(self.players)]

    @cached_property
    def secrets(self) -> dict[int, DraftSecret]:
        return {hand.seat: hand.secret for hand in self.hands}

    def hand(self, seat: int) -> DraftHand:
        """Return the hand of a seat, made only from its secret and the record."""
        key = key_of(seat, self.salt)
        y = own_link(key, GAME, seat, "y", self.round_)
        x = own_link(key, GAME, seat, "x", self.round_)
        return DraftHand(self.record, DraftSecret(self.record.table, seat, y), x, {})

    def begin(self) -> None:
        """Let all seats begin the round."""
        begun: dict[int, drafts.Begun] = {}
        for hand in self.hands:
            message = hand.due(self.head)
            assert message is not None
            if hand.seat in self.lies:
                message = self.lies[hand.seat](hand, message, self.head)
            assert isinstance(message, drafts.Begun)
            begun[hand.seat] = message
        self.record.begin(self.n, begun)
        self.n += 1

    def say(self, seat: int, message: drafts.AnyDraftMessage) -> None:
        """Record a message of a seat."""
        if seat in self.lies:
            message = self.lies[seat](self.hands[seat], message, self.head)
        self.record.take(self.n, self.head, seat, message)
        self.said.append((seat, message))
        self.n += 1

    def complain(self) -> None:
        """Let each honest seat complain about what its client finds wrong."""
        for hand in self.hands:
            if hand.seat not in self.lies and not hand.readable and not self.record.proven:
                message = hand.due(self.head)
                assert message is not None
                self.say(hand.seat, message)

    def step(self) -> None:
        """Let the seats send the message that is due."""
        what, seats = self.record.due
        if what == "begin":
            self.begin()
            return
        hand = self.hands[seats[0]]
        if what != "pick":
            message = hand.due(self.head)
            assert message is not None
            self.say(hand.seat, message)
        else:
            step = self.plan.steps[len(self.record.steps)]
            kept, *aside = self.chance.sample(self.plan.names(hand.offered()), 1 + step.aside)
            self.say(hand.seat, hand.pick(kept, aside[0] if aside else None, self.head))
        self.complain()

    def draft(self) -> "Simulated":
        while self.record.due != drafts.OVER:
            self.step()
        return self

    def exchange(self, by: int, to: int) -> "Simulated":
        """Let seat `by` exchange a character with seat `to`, unless the draft has ended."""
        if not self.record.proven:
            held = self.plan.names(self.hands[by].held())
            self.say(by, self.hands[by].give(to, self.chance.choice(held or self.plan.cast), self.head))
            self.complain()
            while self.record.due != drafts.OVER:
                self.step()
        return self

    def replies(self, place: int) -> dict[int, drafts.CallReply]:
        return {
            hand.seat: drafts.NOT_HELD if hand.seat in self.denies else hand.reply(place)
            for hand in self.hands
            if hand.seat in self.record.holdings
        }

    def call(self, place: int, replies: dict[int, drafts.CallReply]) -> tuple[int, ...]:
        """Call the character at `place` with these replies. Return the seats that show it."""
        self.record.call(self.n, place, replies)
        self.n += 1
        return self.record.calls[-1].shown

    def calls(self) -> "Simulated":
        """Call all characters that are not face up."""
        for place in range(len(self.plan.cast)):
            if not self.record.proven and not self.record.face_up >> place & 1:
                replies = self.replies(place)
                try:
                    self.shown[place] = self.call(place, replies)
                except Unacceptable:
                    honest = {seat: reply for seat, reply in replies.items() if seat not in self.lies}
                    self.shown[place] = self.call(place, honest)
        return self

    def found(self) -> drafts.DraftFinding | None:
        """Return the first lie that the secrets of all seats prove; None if there is none."""
        return next(iter(judge(self.record, self.secrets)), None)

    def found_by(self, *seats: int) -> drafts.DraftFinding | None:
        """Return the first lie that the secrets of these seats prove; None if there is none."""
        return next(iter(judge(self.record, {seat: self.secrets[seat] for seat in seats})), None)
