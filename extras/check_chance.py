"""Section 5 of docs/protocol.md: what chance has decided, and where every district card of the deck comes from.

What differs between editions stands in EDITIONS, and nowhere else. The deck is followed from its first shuffle on:
a card in it is `?` where only the rules of the game know which one went there.
"""

import hmac
from itertools import count
from typing import Any, NamedTuple

from check_bytes import frame, need

Options = dict[str, tuple[str | int, ...]]
ALL, ANY = 0, -1


class Edition(NamedTuple):
    """`deck` are the districts that are always in it, in the order in which they are shuffled; `uniques` those
    that may follow (none: whatever is named), each as often as it is there, `chosen` of them (ALL, or ANY). `hand`
    is how many cards each is dealt, by the number of players. `options` are the values that are not the default.
    `cast` are the characters, where nobody chooses them; they are drafted in rounds, or called lap after lap."""

    deck: dict[str, int]
    uniques: dict[str, int]
    chosen: int
    hand: dict[int, int]
    options: Options
    cast: tuple[str, ...] = ()
    drafts: bool = True

    def cards(self, uniques: list[str]) -> list[str]:
        """The deck with these unique districts, before it is shuffled."""
        right = {ALL: {*uniques} == {*self.uniques}, ANY: True}.get(self.chosen, len(uniques) == self.chosen)
        right = right and len(uniques) == len({*uniques}) and {*uniques} <= ({*self.uniques} or {*uniques})
        need(right, "the deck is of another edition")
        times = [*self.deck.items(), *((card, self.uniques.get(card, 1)) for card in uniques)]
        return [card for card, number in times for _ in range(number)]


def basics(red: str) -> dict[str, int]:
    """Those of all editions, but that the red one of cost 3 has two names."""
    return {
        "manor": 5, "castle": 4, "palace": 3, "temple": 3, "church": 3, "monastery": 3, "cathedral": 2,
        "tavern": 5, "market": 4, "trading_post": 3, "docks": 3, "harbor": 3, "town_hall": 2, "watchtower": 3,
        "prison": 3, red: 3, "fortress": 2,
    }  # fmt: skip


def one_each(names: str) -> dict[str, int]:
    return dict.fromkeys(names.split(), 1)


OF_65 = one_each(
    "haunted_city keep laboratory smithy observatory graveyard dragon_gate university library school_of_magic"
) | {"keep": 2}
WALL, OTHERS = {"great_wall": 1}, {"imperial_treasury": 1, "map_room": 1}
OF_DECK = {65: OF_65, 66: OF_65 | WALL, 67: OF_65 | OTHERS, 68: OF_65 | WALL | OTHERS}
OF_80 = OF_DECK[66] | one_each(
    "lighthouse armory museum imperial_treasury map_room wishing_well quarry poor_house bell_tower ballroom "
    "factory park hospital throne_room"
)
FOUR = dict.fromkeys(range(2, 10), 4)
FEWER = {2: 8, 3: 8, 4: 8, 5: 6, 6: 6, 7: 6, 8: 4, 9: 4}
ENDS: Options = {"killed_king": ("stays",), "districts_to_end": (7,), "tie_break": ("districts_then_gold", "rank")}
DECK: Options = {"deck": (66, 67, 68), "first_face_down": ("chosen",)}
EIGHT = tuple(one_each("assassin thief magician king bishop merchant architect warlord"))
EIGHTEEN = tuple(
    one_each(
        "assassin witch thief tax_collector magician wizard king emperor bishop abbot merchant alchemist "
        "architect navigator warlord diplomat artist queen"
    )
)
RED = basics("battlefield")
EDITIONS = {
    "2016": Edition(basics("barracks"), {}, 14, FOUR, {}),
    "classic": Edition(RED, OF_65, ALL, FOUR, ENDS | DECK, EIGHT),
    "dark_city": Edition(RED, OF_80, ANY, FOUR, ENDS),
    "citta_comune": Edition(RED, OF_80, ALL, FEWER, {"starting_gold": (2,)}, EIGHTEEN, drafts=False),
}


def edition_of(key: str, options: dict[str, str | int]) -> Edition | None:
    """An edition as these options make it; None where they, or it, are not known here."""
    known = EDITIONS.get(key)
    if known is None or any(value not in known.options.get(name, ()) for name, value in options.items()):
        return None
    number = options.get("deck")
    return known._replace(uniques=OF_DECK[number]) if isinstance(number, int) else known


def uniform(seed: bytes, label: str, *sizes: int) -> list[int]:
    blocks = (hmac.digest(seed, frame("drbg", label, j.to_bytes(8)), "sha256") for j in count())
    words = (int.from_bytes(block[i : i + 4]) for block in blocks for i in range(0, 32, 4))
    return [next(word for word in words if word < 2**32 - 2**32 % k) % k for k in sizes]


def shuffled(seed: bytes, label: str, things: list[str]) -> list[str]:
    things, top = [*things], len(things)
    for i, j in zip(range(top - 1, 0, -1), uniform(seed, label, *range(top, 1, -1)), strict=True):
        things[i], things[j] = things[j], things[i]
    return things


def laid_out(seed: bytes, round_: int, cast: list[str], up: int, down: int) -> list[list[str]]:
    """The characters of a round: face up, face down, and the rest. The one of rank 4 is not laid out face up, but
    goes back."""
    need(len(cast) > max(up + down, 3) and down < 2, "more characters are laid out than there are")
    rest, faces, returns = shuffled(seed, f"chars/{round_}", cast), list[str](), count()
    for _ in range(up):
        back = rest[:1] == cast[3:4]
        faces.append(rest.pop(1 if back else 0))
        if back:
            rest.insert(uniform(seed, f"back/{round_}/{next(returns)}", len(rest))[0], rest.pop(0))
    return [faces, rest[:down], rest[down:]]


def alike(told: Any, true: Any) -> bool:
    """Whether something that was told can be the truth; `?` is what was not told, or is not known here."""
    if isinstance(told, list):
        return isinstance(true, list) and len(told) == len(true) and all(map(alike, told, true))
    return told == true or "?" in (told, true)


class Chance:
    """A table as far as chance goes. `deck` has its top at the end, `pile` lies face up; `leaving` are cards that
    have just left a hand or a city, with the word by which their shuffle is called. `cards` counts those told to
    the file's owner that could be no others."""

    def __init__(self, edition: Edition, players: int, cast: list[str], uniques: list[str]) -> None:
        self.edition, self.players, self.cast = edition, players, cast or [*edition.cast]
        self.uniques = uniques if uniques or edition.chosen > 0 else sorted(edition.uniques)
        self.seed, self.round, self.events, self.cards, self.crown = b"", 0, 0, 0, -1
        self.deck, self.pile, self.drawn, self.rest, self.called = (list[str]() for _ in range(5))
        self.caller, self.calls, self.dealt = -1, 0, False
        self.why, self.leaving = "", (list[str](), "")
        need(edition.cast in {(), tuple(self.cast)}, "the cast is of another edition")

    def happen(self, event: list[Any], own: list[Any], line: str) -> None:
        """The next event, as everybody is told it and as the file's owner is; `line` is the move that it came of,
        "" where that is not known. Raises Bad where it is not what chance has drawn."""
        leaving, self.leaving = self.leaving, ([], "")
        true = self.character(event) or self.districts(event, line.split(" ")) or self.put(event, *leaving)
        right = true is None or (alike(event[1:], true) and alike(own[1:], true))
        need(right, f"{event[0]} in round {self.round} is not what chance has drawn")
        if event[0] in {"Drawn", "CardsGained"} and true is not None:
            self.cards += sum("?" not in pair for pair in zip(own[2], true[1], strict=True))
        self.events += 1

    def mixed(self, word: str, cards: list[str]) -> list[str]:
        """Cards in the order that chance gives them; the label has the number of events before."""
        label = f"{word}/{self.round}/{self.events}"
        return shuffled(self.seed, label, cards) if len(cards) > 1 else cards

    # Each of these says what the fields of an event must be, and None where that is no matter of chance.

    def character(self, event: list[Any]) -> list[Any] | None:
        """Who has the crown at first, the characters of a round, and who is called in a lap."""
        match event:
            case ["CastDrawn", cast, uniques]:
                self.cast, self.uniques = self.cast or cast, self.uniques or uniques
            case ["Crowned", seat]:
                first, self.crown = self.crown < 0, seat
                return uniform(self.seed, "crown", self.players) if first else None
            case ["RoundBegan", _, up, down]:
                faces, below, self.rest = laid_out(self.seed, self.round, self.cast, len(up), len(down))
                return [self.round, faces, below]
            case ["Offered", _, _] if self.rest:
                rest, self.rest = self.rest, []
                return [self.crown, rest]
            case ["LapBegan", _]:
                self.calls = 0
            case ["CharacterCalled", _, _, silent]:
                left = [character for character in self.cast if character not in self.called]
                need(left, "somebody is called when all have been")
                called = left[uniform(self.seed, f"call/{self.round}/{self.calls}", len(left))[0]]
                self.caller = self.crown if self.caller < 0 else (self.caller + 1) % self.players
                self.called, self.calls = [*self.called, called], self.calls + 1
                return [self.caller, called, silent]
            case ["CycleEnded"]:
                self.called = []
        return None

    def districts(self, event: list[Any], line: list[str]) -> list[Any] | None:
        """The deck: how it is shuffled, and what is drawn from it."""
        match event:
            case ["Shuffled", _] if not self.dealt:
                self.deck = shuffled(self.seed, "districts", self.edition.cards(self.uniques))
                self.dealt = True
                return [self.deck]
            case ["Shuffled", _]:
                self.deck = self.mixed("lighthouse" if line[0] == "lighthouse" else self.why, self.deck)
                return [self.deck]
            case ["Asked", "lighthouse", seat, *_]:
                return ["lighthouse", seat, in_order(self.deck), None, [], None]
            case ["TakenFromDeck", seat, _]:
                card = line[1] if line[0] == "lighthouse" and len(line) == 2 else "?"
                self.deck = without(self.deck, [card])
                return [seat, card]
            case ["Restocked", _]:
                cards, self.pile = self.mixed("pile", self.pile), []
                self.deck = cards + self.deck
                return [cards]
            case ["Drawn", seat, cards, why]:
                self.drawn, self.why = self.draw(len(cards)), why
                return [seat, self.drawn, why]
            case ["CardsGained", seat, cards, why]:
                right = why != "deal" or len(cards) == self.edition.hand.get(self.players)
                return [seat, self.draw(len(cards) if right else 0), why]
            case ["Kept", seat, kept, _]:
                chosen = line[1:] if line[0] == "keep" and len(line) == len(kept) + 1 else kept
                self.leaving = (without(self.drawn, chosen), "" if self.why == "study" else "kept")
                return [seat, chosen, in_order(self.leaving[0])]
            case ["CardsReturned", seat, cards, "build" as why]:
                self.leaving = (named(line, len(cards)), "den")
                return [seat, self.leaving[0], why]
            case ["CardsReturned", seat, cards, why]:
                self.leaving = (line[1:] if line[0] == why else ["?"] * len(cards), why)
                return [seat, self.leaving[0], why]
            case ["Destroyed", _, _, card, _, why]:
                self.leaving = ([card], why)
        return None

    def draw(self, number: int) -> list[str]:
        """The top cards, which go away."""
        need(number <= len(self.deck), "more cards are drawn than there are")
        at = len(self.deck) - number
        self.deck, cards = self.deck[:at], self.deck[at:]
        return cards[::-1]

    def put(self, event: list[Any], leaving: list[str], word: str) -> list[Any] | None:
        """Where cards go that have left a hand or a city: under the deck, or face up on the pile."""
        match event:
            case ["PutUnder", cards]:
                known = leaving if len(leaving) == len(cards) else ["?"] * len(cards)
                known = self.mixed(word, known) if word else known
                self.deck = known[::-1] + self.deck
                return [known]
            case ["Discarded", cards]:
                self.pile = self.pile + cards
                return [leaving] if leaving else None
        return None


def in_order(cards: list[str]) -> list[str]:
    """As they are told; where one of them is unknown, so is the place of each."""
    return ["?"] * len(cards) if "?" in cards else sorted(cards)


def named(line: list[str], number: int) -> list[str]:
    """The cards that pay for a build: they stand after *with*."""
    after = line[line.index("with") + 1 :] if "with" in line else []
    return after[:number] if len(after) >= number else ["?"] * number


def without(cards: list[str], gone: list[str]) -> list[str]:
    """The cards left, where the first one of each name is gone; unknown ones where that may be another."""
    left = [*cards]
    for card in gone:
        need(card in left or "?" in (*left, card), f"{card} is taken from where it is not")
        if card not in left or "?" in left[: left.index(card)]:
            return ["?"] * (len(cards) - len(gone))
        left.remove(card)
    return left
