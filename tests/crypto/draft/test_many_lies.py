"""Several seats that lie, each in its own way, with exchanges: no other seat is named, whatever is known."""

import random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from citadels_lan.crypto.draft.drafting import judge
from citadels_lan.crypto.draft.record import NOT_HELD, OVER
from citadels_lan.crypto.draft.secrets import NOBODY
from citadels_lan.crypto.log import Unacceptable

from .lies import (
    DEALS,
    STEPS,
    at_step,
    chooses_what_it_gives,
    complains_with_another_secret,
    gives_another_face_down,
    gives_no_face_down,
    gives_what_it_has_not,
    says_another_box_key,
)
from .simulated import KINDS, Lie, Simulated

LIES: dict[str, Lie] = {name: at_step(forger) for name, forger in STEPS.items()} | {
    lie.__name__: lie
    for lie in (
        *DEALS.values(),
        chooses_what_it_gives,
        complains_with_another_secret,
        gives_another_face_down,
        gives_no_face_down,
        gives_what_it_has_not,
        says_another_box_key,
    )
}
DENIES = "denies"


class Wild(Simulated):
    """A draft in which anything may happen. When a liar has lost track of its own lies, the table waits."""

    def play(self, dice: random.Random, chosen: dict[int, str]) -> "Wild":
        self.lies = {seat: LIES.get(lie, lambda hand, said, head: said) for seat, lie in chosen.items()}
        self.denies = frozenset(seat for seat, lie in chosen.items() if lie == DENIES)
        try:
            self.draft()
            for _ in range(dice.randrange(3)):
                self.exchange(*dice.sample(range(self.players), 2))
        except (Unacceptable, ValueError, AssertionError):
            assert self.lies
        if self.record.due == OVER:
            self.call_all()
        return self

    def call_all(self) -> None:
        for place in range(len(self.plan.cast)):
            replies = self.replies(place)
            while not self.record.proven:
                try:
                    self.call(place, replies)
                    break
                except Unacceptable:
                    liar = next(seat for seat in replies if seat in self.lies and replies[seat] != NOT_HELD)
                    replies[liar] = NOT_HELD


@settings(deadline=None)
@given(
    st.sampled_from(KINDS),
    st.integers(0, 120),
    st.integers(0, 2**32),
    st.dictionaries(st.integers(0, 7), st.sampled_from([*sorted(LIES), DENIES]), min_size=1, max_size=3),
)
def test_only_liars_are_named(kind: tuple[int, int, bool], salt: int, seed: int, wanted: dict[int, str]) -> None:
    dice = random.Random(seed)
    chosen = {seat: lie for seat, lie in wanted.items() if seat < kind[0]}
    assume(chosen)
    game = Wild(*kind, salt=salt).play(dice, chosen)
    for known in [range(kind[0]), *(dice.sample(range(kind[0]), dice.randrange(kind[0])) for _ in range(5))]:
        found = judge(game.record, {seat: game.secrets[seat] for seat in known})
        assert {finding.seat for finding in found} <= {*chosen, NOBODY}
