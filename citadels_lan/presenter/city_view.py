"""Cities as screens and line mode show them: points, prices, card labels, and the common city."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from citadels_lan.engine import HIDDEN, Edition, State, edition_of, refusal
from citadels_lan.engine import view as seen
from citadels_lan.engine.actions import Build
from citadels_lan.engine.cards import TYPES, DistrictType
from citadels_lan.engine.state import user_of
from citadels_lan.engine.turn.cities import standing, uniques
from citadels_lan.engine.turn.shared_city import SOONER, names
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.moves import marked_out


@dataclass(frozen=True)
class Plot:
    """One district name of the common city. `owners` are the seats that have built it; a seat with a second
    copy is there twice."""

    key: str
    cost: int
    type: DistrictType
    owners: tuple[int, ...]


def shared(view: State) -> bool:
    """Return whether all players build one common city, so that no player's city is ever complete."""
    return edition_of(view).goal(view) is None


def plots(view: State) -> Mapping[DistrictType, Sequence[Plot]]:
    """Return all names by type, the cheapest first."""
    owners: dict[str, list[int]] = {}
    for seat, player in enumerate(view.players):
        for district in player.city:
            owners.setdefault(district.key, []).append(seat)
    cards = sorted(edition_of(view).districts.values(), key=lambda card: (card.cost, card.key))
    return {
        kind: [Plot(c.key, c.cost, kind, tuple(owners.get(c.key, ()))) for c in cards if c.type == kind]
        for kind in TYPES
    }


def in_force(view: State) -> Mapping[str, int]:
    """Return the called characters whose effect continues after their turn, each with its seat."""
    abilities = edition_of(view).abilities
    called = ((seat, key) for seat, player in enumerate(view.players) for key in player.revealed)
    return {
        key: user_of(view, seat, key) for seat, key in called if abilities[key].protects or abilities[key].watches
    }


def before(view: State, seat: int) -> Sequence[int]:
    """Return the seats that call a character before `seat`, beginning with the seat on turn."""
    count = len(view.players)
    # Before the first call of a game the crowned player calls first.
    first = view.crown if view.caller is None else view.caller
    return [(first + step) % count for step in range((seat - first) % count)]


def callers(view: State) -> Mapping[str, int]:
    """Return the seat that called each character of this cycle. Seats call clockwise, so this is also known for
    characters that were not revealed."""
    known = {key: seat for seat, player in enumerate(view.players) for key in player.revealed}
    last, calls, count = view.caller or 0, len(view.called), len(view.players)
    return {key: known.get(key, (last - calls + at) % count) for at, key in enumerate(view.called, 1)}


def names_standing(view: State) -> int:
    """Return how many different names are built."""
    return len(names(view))


def names_wanted(view: State) -> int:
    """Return how many names end the game, by public information: cards under a Museum may make it fewer (R410)."""
    turned = any(district.turned for player in view.players for district in player.city)
    return SOONER if turned else len(edition_of(view).districts)


def open_points(view: State) -> Sequence[int]:
    """Return the points of each seat if the game ended now, without hands."""
    return [score.total for score in edition_of(view).scores(seen(view, None))]


LATER = frozenset({"gather_first", "not_your_turn", "answer_first", "only_gathering"})
"""Codes that apply to every card at the moment. A verdict names what else a card lacks."""


def price(view: State, seat: int, card: str) -> int:
    """Return the price of a card in gold for this seat."""
    facts = edition_of(view).districts[card]
    return facts.cost + sum(unique.price(facts) for unique in uniques(view, seat))


@dataclass(frozen=True)
class Verdict:
    """Whether a card can be built. `ready`: it can be built now. `barred`: a rule or its price forbids it.
    `said` is the reason in words, if it applies to this card alone."""

    ready: bool
    said: str
    barred: bool = False


def verdict(texts: Texts, view: State, seat: int, card: str) -> Verdict:
    """Return whether a card of the player's hand can be built."""
    turns = view.turn is not None and view.turn.seat == seat and not view.steps
    reason = refusal(view, seat, Build(card)) if turns else None
    code = reason.code if reason is not None else ""
    usual = LATER | {"", "gold_short"}
    if turns and not code:
        return Verdict(True, texts.say(msg("build")))
    if edition_of(view).goal(view) is not None and standing(view.players[seat], card) and code in usual:
        code = "in_city_already"
    if code not in usual:
        return Verdict(False, texts.say(STANDS) if code == "in_city_already" else "", barred=True)
    missing = price(view, seat, card) - view.players[seat].gold
    # Translators: so much gold is missing for a card
    said = texts.plural("{count} short", "{count} short", missing) if missing > 0 else ""
    return Verdict(False, said, barred=bool(said))


STANDS = msg("built")


def brief(texts: Texts, edition: Edition, key: str, out: Container[str] = ()) -> str:
    """Return a card in a few cells, with type and cost or rank: `N4 Castle`, `4 King`. Characters in `out`,
    which are face up and out of play, get a mark."""
    if key == HIDDEN:
        return "?"
    if key in edition.characters:
        return marked_out(texts, out, key, f"{edition.ranks[key]} {texts.character(key)}")
    return f"{texts.letter(edition.types[key])}{edition.costs[key]} {texts.district(key)}"


def in_words(texts: Texts, edition: Edition, key: str, out: Container[str] = ()) -> str:
    """Return a card in words for line mode: `Castle (noble 4)`, `King (4)`."""
    if key in edition.characters:
        return marked_out(texts, out, key, f"{texts.character(key)} ({edition.ranks[key]})")
    return f"{texts.district(key)} ({texts.type(edition.types[key])} {edition.costs[key]})"
