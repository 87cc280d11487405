"""A player who knows the seed can change nothing by it: no order of moves changes what is drawn."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

import pytest

from citadels_lan.crypto.chance import SeededChance
from citadels_lan.engine import (
    DEFAULT,
    EDITIONS,
    Action,
    Chance,
    Deal,
    IllegalMove,
    State,
    acting,
    decide,
    decisions,
    evolve,
)
from citadels_lan.engine.actions import Crown, Divine
from citadels_lan.engine.events import CardsMoved
from tests.effort import one_case, quick
from tests.engine.games import Game
from tests.engine.tables import Tables

LABEL: Final = re.compile(r"[a-z]+/[0-9]+/(table|[0-9])/[0-9]+")
OF_THE_TABLE: Final = {"nine", "cast", "uniques", "districts", "crown", "chars", "back", "call", "pile"}
STATES: Final = 80
"""So many states of a turn are looked at."""


class Recorded:
    """The chance of a seed, which may be asked again; `draws` are the labels, what was drawn from, what came."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self.draws: list[tuple[str, list[Any], Any]] = []

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        drawn = SeededChance(self._seed).shuffle(label, items)
        self.draws.append((label, sorted(items), drawn))
        return drawn

    def pick(self, label: str, items: Sequence[Any]) -> Any:
        drawn = SeededChance(self._seed).pick(label, items)
        self.draws.append((label, sorted(items), drawn))
        return drawn


def game(edition: str, seed: int, chance: Chance) -> Game:
    """A random game of an edition, with this chance."""
    rng = random.Random(seed)
    played = Game(seed, Tables((edition,)).draw(rng, rng.choice(EDITIONS[edition].players)))
    played.table.chance = chance
    return played


@one_case("edition", EDITIONS)
def test_a_label_has_the_acting_seat_and_counts_the_draws(edition: str) -> None:
    for seed in range(6):
        chance = Recorded(seed.to_bytes(32))
        played = game(edition, seed, chance)
        counts: defaultdict[str, int] = defaultdict(int)
        while played.state.phase != "over":
            waiting = acting(played.state)
            before = len(chance.draws)
            played.step()
            for label, _, _ in chance.draws[before:]:
                assert LABEL.fullmatch(label), label
                purpose, round_, seat, use = label.split("/")
                assert round_ in (str(played.state.round), str(played.state.round + 1), "0")
                assert seat == "table" if purpose in OF_THE_TABLE else seat == str(*waiting)
                if purpose != "seer":
                    assert int(use) == counts[f"{purpose}/{round_}/{seat}"]
                counts[f"{purpose}/{round_}/{seat}"] += 1
        labels = [label for label, _, _ in chance.draws]
        assert len(labels) == len({*labels})


def some_actions(state: State, seat: int) -> Iterator[Action]:
    """What a seat may do, and a few of the ways to deal cards out."""
    for choice in decisions(state)[seat]:
        yield from islice(choice.actions(), 4) if isinstance(choice, Deal) else (choice,)


def orders(state: State, seat: int, seed: bytes) -> Iterator[tuple[State, list[tuple[str, list[Any], Any]]]]:
    """States that a seat can reach within its turn by moves of its own, each with the draws on the way there."""
    assert state.turn is not None
    turn, seen = state.turn.character, set[str]()
    ahead: list[tuple[State, list[tuple[str, list[Any], Any]]]] = [(state, [])]
    while ahead and len(seen) < STATES:
        now, drawn = ahead.pop(0)
        yield now, drawn
        for action in some_actions(now, seat):
            chance = Recorded(seed)
            try:
                after = evolve(now, *decide(now, seat, action, chance))
            except IllegalMove:
                continue
            one = str(after.but(tick=0))
            same = after.turn is not None and (after.turn.seat, after.turn.character) == (seat, turn)
            if same and acting(after) == (seat,) and one not in seen:
                seen.add(one)
                ahead.append((after, drawn + chance.draws))


def turns(edition: str, seed: int, *characters: str) -> Iterator[tuple[State, int, bytes]]:
    """The turns of a random game as they begin, where somebody plays one of these characters, or any."""
    key = seed.to_bytes(32)
    played = game(edition, seed, Recorded(key))
    while played.state.phase != "over":
        turn = played.state.turn
        begins = turn and not (played.state.steps or turn.used or turn.gathered or turn.builds)
        if turn and begins and (not characters or turn.character in characters):
            yield played.state.copy(), turn.seat, key
        played.step()


def stolen(state: State, seat: int, action: Action, seed: bytes) -> tuple[tuple[int, str], ...]:
    """The cards that come from other hands by a move."""
    events = decide(state, seat, action, SeededChance(seed))
    return tuple((event.giver, event.cards[0]) for event in events if isinstance(event, CardsMoved))


def test_no_order_of_moves_chooses_the_card_of_the_emperor_or_the_seer() -> None:
    choices = 0
    for seed in range(20):
        for state, seat, key in turns(DEFAULT, seed, "emperor", "seer"):
            outcomes: defaultdict[str, set[object]] = defaultdict(set)
            moments = set()
            for now, _ in orders(state, seat, key):
                for action in some_actions(now, seat):
                    if isinstance(action, Divine) or (isinstance(action, Crown) and action.taking == "card"):
                        outcomes[str(action)].add(stolen(now, seat, action, key))
                        moments.add(now.tick)
            assert all(len(drawn) == 1 for drawn in outcomes.values()), outcomes
            choices += len(moments) > 1
    assert choices > 20


@pytest.mark.parametrize("edition", quick(EDITIONS, DEFAULT))
def test_draws_over_equal_items_are_equal_in_whatever_order_a_seat_moves(edition: str) -> None:
    again = 0
    for seed in range(1 if edition == "citta_comune" else 2):  # its games are as long as three others
        for state, seat, key in turns(edition, seed):
            drawn: dict[tuple[str, str], object] = {}
            first: dict[str, str] = {}
            for _, draws in orders(state, seat, key):
                purposes = set()
                for label, items, result in draws:
                    purpose = label.partition("/")[0]
                    if purpose not in purposes and purpose != "seer":
                        assert first.setdefault(purpose, label) == label
                    purposes.add(purpose)
                    again += (label, str(items)) in drawn
                    assert drawn.setdefault((label, str(items)), result) == result
    assert again > 10


@pytest.mark.parametrize(("edition", "verb"), [("2016", "keep"), ("dark_city", "lighthouse")])
def test_the_card_that_a_seat_takes_leaves_the_order_of_the_others_in_the_deck(edition: str, verb: str) -> None:
    """The Scholar's study and the Lighthouse, before the deck is shuffled."""
    decks = 0
    for seed in range(20):
        key = seed.to_bytes(32)
        played = game(edition, seed, Recorded(key))
        while played.state.phase != "over":
            state = played.state
            if state.steps and state.steps[-1].verb == verb and state.steps[-1].why != "gather":
                first, *others = (
                    evolve(state, *decide(state, seat, action, SeededChance(key))).deck
                    for seat in acting(state)
                    for action in some_actions(state, seat)
                )
                for other in others:
                    taken = (Counter(first) - Counter(other)) + (Counter(other) - Counter(first))
                    one, two = ([card for card in deck if card not in taken] for deck in (first, other))
                    assert one == two
                    decks += 1
            played.step()
    assert decks > 30
