"""Sections 5 and 15 of docs/protocol.md: what chance has laid out, dealt and drawn.

The deck is followed from above. What goes under it, and how it is shuffled again, is for the rules to say: a card
that comes from there is `?`, which may be any. What differs between editions stands in EDITIONS, and nowhere else.
"""

import hmac
from itertools import count
from typing import Any, NamedTuple

from check_bytes import alike, frame, need, u64

Options = dict[str, tuple[str | int, ...]]


class Edition(NamedTuple):
    """`deck` are the districts that are always in it, `uniques` those that may follow, each as often as it is
    there, and `chosen` how many of them (nothing: all). `hand` is how many cards each is dealt, by the number of
    players; `options` their values beside the default; `cast` the characters where nobody chooses."""

    deck: dict[str, int]
    uniques: dict[str, int]
    chosen: range
    hand: dict[int, int]
    options: Options
    cast: tuple[str, ...] = ()

    def cards(self, uniques: list[str]) -> list[str]:
        """The deck with these unique districts, before it is shuffled."""
        right = len({*uniques}) == len(uniques) and len(uniques) in (self.chosen or [len(self.uniques)])
        need(right and {*uniques} <= ({*self.uniques} or {*uniques}), "the deck is of another edition")
        times = [*self.deck.items(), *((card, self.uniques.get(card, 1)) for card in uniques)]
        return [card for card, number in times for _ in range(number)]


def many(words: str) -> dict[str, int]:
    """How often each of some words is there."""
    return {name: int(number or 1) for name, _, number in (word.partition("*") for word in words.split())}


# fmt: off
BASIC = ("manor*5 castle*4 palace*3 temple*3 church*3 monastery*3 cathedral*2 tavern*5 market*4 trading_post*3 "
         "docks*3 harbor*3 town_hall*2 watchtower*3 prison*3 {}*3 fortress*2")
OLD, NEW = many(BASIC.format("battlefield")), many(BASIC.format("barracks"))
OF_65 = many("haunted_city keep*2 laboratory smithy observatory graveyard dragon_gate university library "
             "school_of_magic")
WALL, OTHERS = many("great_wall"), many("imperial_treasury map_room")
OF_DECK = {65: OF_65, 66: OF_65 | WALL, 67: OF_65 | OTHERS, 68: OF_65 | WALL | OTHERS}
OF_80 = OF_DECK[68] | many("lighthouse armory museum wishing_well quarry poor_house bell_tower ballroom factory "
                           "park hospital throne_room")
FOUR, FEWER = dict.fromkeys(range(2, 10), 4), {2: 8, 3: 8, 4: 8, 5: 6, 6: 6, 7: 6, 8: 4, 9: 4}
ENDS: Options = {"killed_king": ("stays",), "districts_to_end": (7,), "tie_break": ("districts_then_gold", "rank")}
DECK: Options = {"deck": (66, 67, 68), "first_face_down": ("chosen",)}
EIGHT = tuple(many("assassin thief magician king bishop merchant architect warlord"))
EIGHTEEN = tuple(many("assassin witch thief tax_collector magician wizard king emperor bishop abbot merchant "
                      "alchemist architect navigator warlord diplomat artist queen"))
ALL = range(0)
EDITIONS = {
    "2016": Edition(NEW, {}, range(14, 15), FOUR, {}),
    "classic": Edition(OLD, OF_65, ALL, FOUR, ENDS | DECK, EIGHT),
    "dark_city": Edition(OLD, OF_80, range(26), FOUR, ENDS),
    "citta_comune": Edition(OLD, OF_80, ALL, FEWER, {"starting_gold": (2,)}, EIGHTEEN),
}
# fmt: on


def edition_of(key: str, options: Any) -> Edition | None:
    """An edition as these options make it; None where they, or it, are not known here."""
    known, options = EDITIONS.get(key), dict(options)
    if known is None or any(value not in known.options.get(name, ()) for name, value in options.items()):
        return None
    return known._replace(uniques=OF_DECK[options["deck"]]) if "deck" in options else known


def uniform(seed: bytes, label: str, *sizes: int) -> list[int]:
    blocks = (hmac.digest(seed, frame("drbg", label, u64(j)), "sha256") for j in count())
    words = (int.from_bytes(block[i : i + 4]) for block in blocks for i in range(0, 32, 4))
    return [next(word for word in words if word < 2**32 - 2**32 % k) % k for k in sizes]


def shuffled(seed: bytes, label: str, things: list[str]) -> list[str]:
    things, top = [*things], len(things)
    for i, j in zip(range(top - 1, 0, -1), uniform(seed, label, *range(top, 1, -1)), strict=True):
        things[i], things[j] = things[j], things[i]
    return things


class Chance:
    """A table as far as chance goes. `deck` has its top at the end; `cards` counts those told to the file's owner
    that could be no others. `seed` and `round` are those of the last beacons."""

    def __init__(self, edition: Edition, players: int, cast: list[str], uniques: list[str]) -> None:
        self.edition, self.players, self.cast = edition, players, cast or [*edition.cast]
        self.uniques = uniques or sorted(edition.uniques)
        self.seed, self.round, self.cards, self.crown, self.caller, self.calls = b"", 0, 0, -1, -1, 0
        self.deck, self.rest, self.called, self.dealt = list[str](), list[str](), list[str](), False
        need(edition.cast in {(), tuple(self.cast)}, "the cast is of another edition")

    def happen(self, event: list[Any], own: list[Any]) -> None:
        """The next event, as everybody is told it and as the file's owner is. Raises Bad where chance has drawn
        something else."""
        true = self.fields(event)
        right = true is None or (alike(event[1:], true) and alike(own[1:], true))
        need(right, f"{event[0]} in round {self.round} is not what chance has drawn")
        if event[0] in {"Drawn", "CardsGained"} and true:
            self.cards += sum("?" not in pair for pair in zip(own[2], true[1], strict=True))

    def fields(self, event: list[Any]) -> list[Any] | None:
        """What the fields of an event must be; None where that is no matter of chance."""
        match event:
            case ["CastDrawn", cast, uniques]:
                self.cast, self.uniques = self.cast or cast, self.uniques or uniques
            case ["Crowned", seat]:
                begins, self.crown = self.crown < 0, seat
                return uniform(self.seed, "crown", self.players) if begins else None
            case ["RoundBegan", _, up, down]:
                return [self.round, *self.laid_out(len(up), len(down))]
            case ["Offered", _, _] if self.rest:
                rest, self.rest = self.rest, []
                return [self.crown, rest]
            case ["LapBegan", _]:
                self.calls = 0
            case ["CharacterCalled", _, _, silent]:
                left = [character for character in self.cast if character not in self.called]
                need(left, "somebody is called when all have been")
                self.called += [left[uniform(self.seed, f"call/{self.round}/{self.calls}", len(left))[0]]]
                self.caller = self.crown if self.caller < 0 else (self.caller + 1) % self.players
                self.calls += 1
                return [self.caller, self.called[-1], silent]
            case ["CycleEnded"]:
                self.called = []
            case ["Shuffled", _]:
                cards = ["?"] * len(self.deck) if self.dealt else self.edition.cards(self.uniques)
                self.deck, self.dealt = cards if self.dealt else shuffled(self.seed, "districts", cards), True
                return [[*self.deck]]
            case ["Drawn" | "CardsGained", seat, cards, why]:
                right = why != "deal" or len(cards) == self.edition.hand.get(self.players)
                need(right and len(cards) <= len(self.deck), "another number of cards than there is to draw")
                return [seat, [self.deck.pop() for _ in cards], why]
            case ["PutUnder" | "Restocked", cards]:
                self.deck = ["?"] * len(cards) + self.deck
            case ["TakenFromDeck", _, _]:
                self.deck = ["?"] * (len(self.deck) - 1)
        return None

    def laid_out(self, up: int, down: int) -> list[list[str]]:
        """The characters of a round, face up and face down; the rest will be offered. The one of rank 4 is not
        laid out face up, but goes back."""
        need(len(self.cast) > max(up + down, 3) and down < 2, "more characters are laid out than there are")
        rest, faces, returns = shuffled(self.seed, f"chars/{self.round}", self.cast), list[str](), count()
        for _ in range(up):
            back = rest[:1] == self.cast[3:4]
            faces.append(rest.pop(1 if back else 0))
            if back:
                label = f"back/{self.round}/{next(returns)}"
                rest.insert(uniform(self.seed, label, len(rest))[0], rest.pop(0))
        self.rest = rest[down:]
        return [faces, rest[:down]]
