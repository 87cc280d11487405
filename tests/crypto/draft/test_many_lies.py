"""Several seats that lie, each in its own way, with seats that are gone and exchanges: who is named has lied,
whoever knows what."""

import random

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.judging import judge
from citadels_lan.crypto.draft.messages import NOT_HELD
from citadels_lan.crypto.draft.plan import NOBODY
from citadels_lan.crypto.draft.record import OVER
from citadels_lan.crypto.faults import Unacceptable

from .lies import DEALS, STEPS, at_step, chooses_what_it_gives, gives_what_it_has_not, shows_no_key
from .simulated import KINDS, Lie, Simulated

LIES: dict[str, Lie] = {
    **{name: at_step(forger) for name, forger in STEPS.items()},
    **DEALS,
    "gives_what_it_has_not": gives_what_it_has_not,
    "chooses_what_it_gives": chooses_what_it_gives,
    "shows_no_key": shows_no_key,
}
ANOTHER_LINK = "plays_by_another_link"
DENIES = "denies"


class Wild(Simulated):
    """A draft in which anything may happen. A liar whose lie does not even fit, or who has lost track of its own
    lies, is left out."""

    def play(self, choose: random.Random, chosen: dict[int, str]) -> "Wild":
        self.lies = {seat: LIES.get(lie, lambda hand, said: said) for seat, lie in chosen.items()}
        self.denies = frozenset(seat for seat, lie in chosen.items() if lie == DENIES)
        assert len(self.links) == self.players
        for seat, lie in chosen.items():
            if lie == ANOTHER_LINK:
                other = self.hands[seat].secret.__class__(self.record.table, seat, bytes([seat]) * 32)
                self.hands[seat] = DraftHand(self.record, other, self.hands[seat].box)
        while self.record.due != OVER:
            self.one(choose)
        return self

    def one(self, choose: random.Random) -> None:
        seat = self.record.due[1]
        if choose.random() < 0.1 and self.record.due[0] != "deal":
            self.record.leave_out(seat)
            return
        try:
            self.step()
        except (Unacceptable, ValueError):
            assert seat in self.lies
            if self.record.due[0] == "deal":
                self.record.table = replace(self.record.table, dealers=self.record.table.dealers & ~(1 << seat))
            self.record.leave_out(seat)

    def swap(self, choose: random.Random) -> None:
        by, to = choose.sample(range(self.players), 2)
        if self.record.complaint is None and all(self.record.holdings.get(seat) for seat in (by, to)):
            try:
                self.exchange(by, to)
            except (Unacceptable, ValueError):
                assert {by, to} & set(self.lies)
                while self.record.due != OVER:
                    self.record.leave_out(self.record.due[1])

    def call_all(self) -> None:
        for place in range(len(self.plan.cast)):
            replies = {}
            for hand in self.hands:
                reply = NOT_HELD if hand.seat in self.denies else hand.reply(place)
                replies[hand.seat] = reply
            while self.record.due == OVER:
                try:
                    self.record.call(place, replies)
                    break
                except Unacceptable:
                    liar = next(seat for seat in replies if seat in self.lies and replies[seat] != NOT_HELD)
                    replies[liar] = NOT_HELD


@settings(deadline=None)
@given(
    st.sampled_from(KINDS),
    st.integers(0, 120),
    st.integers(0, 2**32),
    st.dictionaries(
        st.integers(0, 7), st.sampled_from([*sorted(LIES), ANOTHER_LINK, DENIES]), min_size=1, max_size=3
    ),
)
def test_only_liars_are_named(kind: tuple[int, int, bool], salt: int, seed: int, wanted: dict[int, str]) -> None:
    choose = random.Random(seed)
    chosen = {seat: lie for seat, lie in wanted.items() if seat < kind[0]}
    assume(chosen)
    game = Wild(*kind, salt=salt).play(choose, chosen)
    for _ in range(choose.randrange(3)):
        game.swap(choose)
    game.call_all()
    for _ in range(6):
        links = {seat: link for seat, link in game.links.items() if choose.random() < 0.6}
        told = {
            commit: content
            for seat in range(kind[0])
            if choose.random() < 0.6 and (seat not in chosen or choose.random() < 0.5)
            for commit, content in game.hands[seat].contents().items()
        }
        named = {finding.seat for finding in judge(game.record, links, told)} - {NOBODY}
        assert named <= set(chosen)
