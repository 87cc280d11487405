"""Facts about a table that screens and line mode display: points, prices, texts for cards, the common city,
which character each player may hold, and what is public about each character in this round."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from citadels_lan.engine import HIDDEN, Edition, State, acting, edition_of, refusal
from citadels_lan.engine import view as seen
from citadels_lan.engine.actions import Build
from citadels_lan.engine.cards import TYPES, DistrictType
from citadels_lan.engine.flow.draft import picks
from citadels_lan.engine.state import user_of
from citadels_lan.engine.turn.cities import paying_districts, standing, uniques
from citadels_lan.engine.turn.shared_city import SOONER, names
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.moves import marked_out

from .symbols import mark_word


@dataclass(frozen=True)
class Plot:
    """One district of the edition in the common city. `owners` are the seats that have built it; if a seat
    has built two copies, it is listed twice."""

    key: str
    cost: int
    type: DistrictType
    owners: tuple[int, ...]


def shared(view: State) -> bool:
    """Return whether all players build one common city. In these editions no city is ever complete."""
    return edition_of(view).goal(view) is None


def plots(view: State) -> Mapping[DistrictType, Sequence[Plot]]:
    """Return all districts of the common city, built or not, with their owners. They are grouped by type, the
    cheapest first."""
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
    """Return the called characters whose effect continues after their turn, and the seat that has the
    effect."""
    abilities = edition_of(view).abilities
    called = ((seat, key) for seat, player in enumerate(view.players) for key in player.revealed)
    return {
        key: user_of(view, seat, key) for seat, key in called if abilities[key].protects or abilities[key].watches
    }


def before(view: State, seat: int) -> Sequence[int]:
    """Return the seats that will call a character before `seat` does, the next one first."""
    count = len(view.players)
    # Before the first call of a game the crowned player calls first.
    first = view.crown if view.caller is None else view.caller
    return [(first + step) % count for step in range((seat - first) % count)]


def callers(view: State) -> Mapping[str, int]:
    """Return which seat has called each character of this cycle. Because seats call clockwise, this is also
    known for characters that no player revealed."""
    known = {key: seat for seat, player in enumerate(view.players) for key in player.revealed}
    last, calls, count = view.caller or 0, len(view.called), len(view.players)
    return {key: known.get(key, (last - calls + at) % count) for at, key in enumerate(view.called, 1)}


def names_standing(view: State) -> int:
    """Return how many different districts are built in the common city."""
    return len(names(view))


def names_wanted(view: State) -> int:
    """Return how many different districts must be built to end the game, as far as public information shows.
    Cards under a Museum may reduce this number (R410)."""
    turned = any(district.turned for player in view.players for district in player.city)
    return SOONER if turned else len(edition_of(view).districts)


def open_points(view: State) -> Sequence[int]:
    """Return the public points of each seat if the game ended now; cards in hands are not counted."""
    return [score.total for score in edition_of(view).scores(seen(view, None))]


LATER = frozenset({"gather_first", "not_your_turn", "answer_first", "only_gathering"})
"""Codes for reasons that currently prevent all building. `verdict` ignores them, to report what this card
lacks apart from them."""


def price(view: State, seat: int, card: str) -> int:
    """Return what `seat` must pay in gold to build a card."""
    facts = edition_of(view).districts[card]
    return facts.cost + sum(unique.price(facts) for unique in uniques(view, seat))


@dataclass(frozen=True)
class Verdict:
    """Whether a card can be built. `ready`: it can be built now. `barred`: a rule, or missing gold, prevents
    it. `said` is the reason, if it applies to this card only; otherwise ""."""

    ready: bool
    said: str
    barred: bool = False


def verdict(texts: Texts, view: State, seat: int, card: str) -> Verdict:
    """Return whether `seat` can build this card of its hand."""
    turns = view.turn is not None and view.turn.seat == seat and not view.steps
    reason = refusal(view, seat, Build(card)) if turns else None
    code = reason.code if reason is not None else ""
    usual = LATER | {"", "gold_short"}
    if turns and not code:
        return Verdict(True, texts.say("build"))
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
    """Return a card in a few cells: its letter of the type and cost, or its rank, and the name, for example
    `N4 Castle` or `4 King`. Characters in `out`, which are face up and out of play, get a mark."""
    if key == HIDDEN:
        return "?"
    if key in edition.characters:
        return marked_out(texts, out, key, f"{edition.ranks[key]} {texts.character(key)}")
    return f"{texts.letter(edition.types[key])}{edition.costs[key]} {texts.district(key)}"


def in_words(texts: Texts, edition: Edition, key: str, out: Container[str] = ()) -> str:
    """Return a card as line mode writes it: `Castle (noble 4)`, `King (4)`. Characters in `out` get a
    mark."""
    if key in edition.characters:
        return marked_out(texts, out, key, f"{texts.character(key)} ({edition.ranks[key]})")
    return f"{texts.district(key)} ({texts.type(edition.types[key])} {edition.costs[key]})"


# Characters


def asked_for(view: State) -> str:
    """Return the character that was called and that no player has revealed yet; "" if there is none."""
    inquiry = view.inquiry
    return inquiry.character or "" if inquiry is not None and inquiry.what == "call" else ""


@dataclass(frozen=True)
class Drafter:
    """A seat in the order in which players choose characters, and whether it has chosen (`progress`)."""

    seat: int
    progress: Literal["done", "now", "ahead"]


def order(view: State) -> Sequence[Drafter]:
    """Return the order in which seats choose characters. With two or three players each seat appears
    twice."""
    count, now = len(view.players), view.picks if acting(view) else -1
    return [
        Drafter((view.crown + step) % count, "now" if at == now else "done" if at < view.picks else "ahead")
        for at, step in enumerate(picks(count))
    ]


def packet(view: State, seat: int | None) -> Sequence[str]:
    """Return the characters from which `seat` can choose now, by rank; if it is not choosing, those that it
    saw last."""
    if seat is None:
        return ()
    step, seen = view.steps[-1] if view.steps else None, view.players[seat].seen
    picking = step is not None and step.verb == "pick" and step.seat == seat
    cards = step.cards if step is not None and picking else seen[-1] if seen else ()
    return sorted((card for card in cards if card != HIDDEN), key=edition_of(view).ranks.__getitem__)


def unknown(view: State, seat: int | None) -> Sequence[str]:
    """Return the characters of the game that `seat` has not seen in this draft."""
    seen = set(view.faceup)
    if seat is not None:
        player = view.players[seat]
        seen.update(*player.seen, player.concealed, player.laid)
    return [card for card in view.cast if card not in seen]


def income(view: State, seat: int, character: str) -> int | None:
    """Return the gold or cards that a character gets from the present city of `seat`; None if the character
    has no income."""
    # Income is paid for each district of one type.
    kind = edition_of(view).characters[character].income
    return None if kind is None else paying_districts(view, seat, kind)


def unseen(view: State, seat: int | None) -> list[str]:
    """Return the characters that other seats may hold unrevealed, as far as `seat` knows."""
    known = {*view.faceup, *(key for player in view.players for key in player.revealed)}
    if seat is not None:
        known |= {*view.players[seat].concealed, *view.players[seat].laid}
    killed, ranks = view.mark("killed"), edition_of(view).ranks
    quiet = (killed.character if killed else "", asked_for(view))
    return [key for key in view.cast if key not in known and (ranks[key] > view.rank or key in quiet)]


def possible(view: State, seat: int | None) -> dict[int, list[str]]:
    """Return the characters that each other seat may hold unrevealed. Seats without an unrevealed character
    are left out."""
    candidates = unseen(view, seat)
    return {
        other: [key for key in candidates if _can_have(view, seat, other, key)]
        for other, player in enumerate(view.players)
        if other != seat and player.concealed
    }


def _can_have(view: State, seat: int | None, other: int, key: str) -> bool:
    """Return whether the seat `other` can hold the character `key`. A character that this player (`seat`) saw
    in the draft and did not take can only be with a later seat; any other one only with an earlier seat."""
    count = len(view.players)
    if seat is None or count < 4 or not view.players[seat].seen:
        return True
    packet = view.players[seat].seen[0]
    before_me = len(view.cast) - len(view.faceup) - 1 - len(packet)
    if len(packet) == 2 and before_me == count - 2:  # The last player of a full table also sees two.
        return True
    backwards = [view.players[(seat - step) % count] for step in range(1, count)]
    picked = [
        player for player in backwards if player.concealed or player.revealed
    ]  # Skips seats without a character.
    return (key in packet) == all(player is not view.players[other] for player in picked[:before_me])


def known_this_round(
    texts: Texts, view: State, seat: int | None, names: Sequence[str], character: str
) -> Iterator[str]:
    """Yield short texts with what is publicly known about a character in this round; nothing if it is unknown
    who holds it."""
    if character in view.faceup:
        yield texts.say("discarded face up")
    yield from dict.fromkeys(
        texts.say(mark_word(view, mark)) for mark in view.marks if mark.character == character
    )
    holder = next((number for number, player in enumerate(view.players) if character in player.revealed), None)
    late = not shared(view) and view.phase == "turns" and edition_of(view).ranks[character] <= view.rank
    if seat is not None and character in view.players[seat].concealed:
        yield texts.say("yours this round")
    elif holder is not None:
        yield texts.say("yours, revealed") if holder == seat else names[holder]
    elif late and character != asked_for(view) and character not in view.faceup:
        yield texts.say("called, no answer")
