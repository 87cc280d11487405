"""How many key presses a round takes at the table, in whole games of four sensible players. Each move is made
by the fewest possible key presses. The program's real prompt handles them, so a person could press the same
keys."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import mean, median
from typing import Final

from citadels_lan.bots.simulation import play_one
from citadels_lan.engine import EDITIONS, Action, Choice, Deal, State, decisions, from_scenario, parse, view
from citadels_lan.engine.actions import Bid, Offer, PassBid
from citadels_lan.engine.choices import Parts
from citadels_lan.presenter.prompt.keys import CardLetters
from citadels_lan.presenter.prompt.menu import Item, loose, menu
from citadels_lan.presenter.prompt.prompt import Prompt
from citadels_lan.texts import load

from .figure import Figure

TITLE = "Table keys (four sensible players, the fewest keys for each move)"
GAMES: Final = 12
PLAYERS: Final = 4
NAMES: Final = ("Ada", "Bruno", "Chiara", "Dario")
ORDINARY: Final = frozenset({"pick", "gather", "keep", "build", "end"})
"""The moves of an ordinary round, which has no income and no ability."""
MOST: Final = 6
"""The largest number of key presses in an ordinary round."""


@dataclass
class Round:
    """What one player did in one round, and the number of key presses for it."""

    verbs: set[str] = field(default_factory=set)
    keys: int = 0

    @property
    def ordinary(self) -> bool:
        """Whether the round had an ordinary turn with a build and no special ability."""
        return "build" in self.verbs and self.verbs <= ORDINARY


def figures() -> Iterator[Figure]:
    for key in EDITIONS:
        rounds = [one for number in range(GAMES) for one in _rounds(key, number)]
        ordinary = [one.keys for one in rounds if one.ordinary]
        every = sorted(one.keys for one in rounds)
        yield Figure(f"{key}: keys of an ordinary round, median", median(ordinary), "keys", most=MOST)
        yield Figure(f"{key}: of any round, income and abilities and all, median", median(every), "keys")
        yield Figure(f"{key}: mean", mean(every), "keys")
        yield Figure(f"{key}: nine rounds of ten take at most", every[len(every) * 9 // 10], "keys")


def _rounds(edition: str, number: int) -> Sequence[Round]:
    """Return what each player did in each round of a game."""
    found: dict[tuple[int, int], Round] = defaultdict(Round)
    letters: dict[int, CardLetters] = defaultdict(CardLetters)

    def watch(state: State, seat: int, line: str) -> None:
        known = view(state, seat)
        choices = decisions(known)[seat]
        letters[seat].update(known.players[seat].hand, loose(choices))
        action, one = parse(line, seat), found[known.round, seat]
        one.verbs.add(action.verb)
        one.keys += len(keys_for(known, seat, choices, action, letters[seat]))

    config = from_scenario("first_game", PLAYERS, edition_key=edition)
    played = play_one(config, ("sensible",) * PLAYERS, "keys", number, watch)
    assert not played.error, played.error
    return list(found.values())


def keys_for(
    known: State, seat: int, choices: Sequence[Choice], action: Action, letters: CardLetters
) -> list[str]:
    """Return the fewest key presses that make `action`, one of the `choices` of `seat`, in order. `known` is
    the player's view, `letters` are the key letters of cards."""
    if isinstance(action, Bid):
        return [*str(action.gold), "enter"]
    if isinstance(action, PassBid):
        return ["p"]
    asking = Prompt(menu(load("en"), known, seat, NAMES, choices, letters))
    if action.verb == "end":
        return ["E"] if asking.end() == action else ["E", "E"]
    pressed: list[str] = []
    for item in _way(asking.items, action):
        sent = _choose(asking, item, pressed)
        if isinstance(item.choice, Deal):
            sent = _tick(asking, item, item.choice, action, pressed)
    assert sent == action, (str(sent), str(action))
    return pressed


def _way(items: Sequence[Item], action: Action) -> list[Item]:
    """Return the menu items that lead to an action: one of `items`, then one of its sub-items, and so on to
    the item that makes the action. Empty if no item makes it."""
    for item in items:
        if item.choice == action or (isinstance(item.choice, Deal) and action in item.choice.actions()):
            return [item]
        if below := _way(item.items, action):
            return [item, *below]
    return []


def _choose(asking: Prompt, item: Item, pressed: list[str]) -> Action | None:
    """Choose an item of the prompt: with Enter if the cursor is on the item, otherwise with its key, followed
    by Enter if the key only moves the cursor. Append the keys to `pressed`. Return the action if it is
    complete."""
    if asking.current != item:
        pressed.append(item.keys[:1] or "down")
        level = len(asking.at.levels)
        sent = asking.press(item.keys[:1]) if item.keys else None
        if sent is not None or asking.at.selection is not None or len(asking.at.levels) > level:
            return sent
        asking.point(asking.items.index(item))
    pressed.append("enter")
    return asking.confirm()


def _tick(asking: Prompt, item: Item, deal: Deal, action: Action, pressed: list[str]) -> Action | None:
    """Select the cards of each part of a deal that make `action`, and confirm each part. Append the keys to
    `pressed`. Return the action when it is complete."""
    parts = next(parts for parts in _distributed(deal, action))
    sent: Action | None = None
    for part in parts:
        for card in part:
            assert asking.at.selection is not None
            free = asking.at.selection.free()
            line = next(n for n, place in enumerate(free)
                        if deal.pool[place] == card and place not in asking.at.selection.here)  # fmt: skip
            pressed.append(item.ticks[free[line]] or "space")
            asking.point(line)
            asking.tick()
        pressed.append("enter")
        sent = asking.confirm()
    if isinstance(sent, Offer) and isinstance(action, Offer):
        pressed.extend("+" * (action.floor - 1))
        return action
    return sent


def _distributed(deal: Deal, action: Action) -> Iterator[Parts]:
    """Yield the ways to divide the pool of cards into parts that result in this action."""
    for parts in _ways_to_deal(tuple(deal.pool), deal.sizes):
        made = deal.make(parts)
        if made == action or (isinstance(made, Offer) and isinstance(action, Offer) and made.card == action.card):
            yield parts


def _ways_to_deal(pool: tuple[str, ...], sizes: Sequence[tuple[int, int]]) -> Iterator[Parts]:
    if not sizes:
        yield ()
        return
    least, most = sizes[0]
    for size in range(least, min(most, len(pool)) + 1):
        for chosen in combinations(range(len(pool)), size):
            rest = tuple(card for place, card in enumerate(pool) if place not in chosen)
            for others in _ways_to_deal(rest, sizes[1:]):
                yield (tuple(pool[place] for place in chosen), *others)
