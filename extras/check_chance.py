"""Sections 5 and 15 of docs/protocol.md: what chance has laid out, dealt and drawn.

The deck is followed from above. What goes under it, and how it is shuffled again, is for the rules to say: a card
that comes from there is `?`, which may be any. What differs between editions stands in EDITIONS, and nowhere else.
"""

import hmac
from collections import namedtuple
from itertools import count
from typing import Any

from check_bytes import alike, digest, frame, need, u16, u64

# `deck` are the districts that are always in it, `uniques` those that may follow, each as often as it is there;
# `chosen` is how many of these (nothing: all), `hand` how many cards each is dealt, by the number of players;
# `options` are their values beside the default, `cast` are the characters where nobody chooses.
Edition = namedtuple("Edition", "deck uniques chosen hand options cast", defaults=[()])


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
ENDS = {"killed_king": ("stays",), "districts_to_end": (7,), "tie_break": ("districts_then_gold", "rank")}
DECK = {"deck": (66, 67, 68), "first_face_down": ("chosen",)}
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


def deck_of(edition: Edition, uniques: list[str]) -> list[str]:
    """The deck with these unique districts, before it is shuffled."""
    right = len({*uniques}) == len(uniques) and len(uniques) in (edition.chosen or [len(edition.uniques)])
    need(right and {*uniques} <= ({*edition.uniques} or {*uniques}), "the deck is of another edition")
    times = [*edition.deck.items(), *((card, edition.uniques.get(card, 1)) for card in uniques)]
    return [card for card, number in times for _ in range(number)]


def laid_out(seed: bytes, round_: int, cast: list[str], up: int, down: int) -> tuple[list[str], ...]:
    """The characters of a round, face up, face down, and those that will be offered. The one of rank 4 is not laid
    out face up, but goes back."""
    need(len(cast) > max(up + down, 3) and down < 2, "more characters are laid out than there are")
    rest, faces, returns = shuffled(seed, f"chars/{round_}", cast), list[str](), count()
    for _ in range(up):
        back = rest[:1] == cast[3:4]
        faces.append(rest.pop(1 if back else 0))
        if back:
            rest.insert(uniform(seed, f"back/{round_}/{next(returns)}", len(rest))[0], rest.pop(0))
    return faces, rest[:down], rest[down:]


def follow(edition: Edition, players: int, cast: list[str], uniques: list[str], seed: bytes, told: Any) -> None:
    """Hold what chance must have drawn against what was told: events as everybody and as the file's owner is told
    them, and among them, as `Beacons`, each round with what its seed is made of."""
    cast, uniques, rest, called = (
        cast or [*edition.cast],
        uniques or sorted(edition.uniques),
        list[str](),
        list[str](),
    )
    deck, dealt, round_, crown, caller, calls = list[str](), False, 0, -1, -1, 0
    need(edition.cast in {(), tuple(cast)}, "the cast is of another edition")
    for event, own in told:
        true = event[1:]
        match event:
            case ["Beacons", round_]:
                seed, calls = digest("seed-r", seed, u16(round_), *own), 0
                continue
            case ["CastDrawn", characters, districts]:
                cast, uniques = cast or characters, uniques or districts
            case ["Crowned", seat]:
                true = true if crown >= 0 else uniform(seed, "crown", players)
                crown = seat
            case ["RoundBegan", _, up, down]:
                *laid, rest = laid_out(seed, round_, cast, len(up), len(down))
                true = [round_, *laid]
            case ["Offered", _, _] if rest:
                true, rest = [crown, rest], []
            case ["CharacterCalled", _, _, silent]:
                left = [character for character in cast if character not in called]
                need(left, "somebody is called when all have been")
                called = [*called, left[uniform(seed, f"call/{round_}/{calls}", len(left))[0]]]
                caller, calls = crown if caller < 0 else (caller + 1) % players, calls + 1
                true = [caller, called[-1], silent]
            case ["CycleEnded"]:
                called = []
            case ["Shuffled", _]:
                deck = ["?"] * len(deck) if dealt else shuffled(seed, "districts", deck_of(edition, uniques))
                true, dealt = [[*deck]], True
            case ["Drawn" | "CardsGained", seat, cards, why]:
                right = why != "deal" or len(cards) == edition.hand.get(players)
                need(right and len(cards) <= len(deck), "another number of cards than there is to draw")
                true = [seat, [deck.pop() for _ in cards], why]
            case ["PutUnder" | "Restocked", cards]:
                deck = ["?"] * len(cards) + deck
            case ["TakenFromDeck", _, _]:
                deck = ["?"] * (len(deck) - 1)
        right = alike(event[1:], true) and alike(own[1:], true)
        need(right, f"{event[0]} in round {round_} is not what chance has drawn")
