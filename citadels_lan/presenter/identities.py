"""Which characters may be chosen, who may hold which, and what all players know of each in this round."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from citadels_lan.engine import HIDDEN, State, acting, edition_of
from citadels_lan.engine.characters.income import BonusRule
from citadels_lan.engine.flow.draft import picks
from citadels_lan.engine.turn.cities import paying_districts
from citadels_lan.texts import Texts, msg

from .city_view import shared
from .symbols import mark_word


def asked_for(view: State) -> str:
    """The character that was called, while no player has shown it yet; empty where there is none."""
    inquiry = view.inquiry
    return inquiry.character or "" if inquiry is not None and inquiry.what == "call" else ""


@dataclass(frozen=True)
class Drafter:
    """A seat in the order of choosing."""

    seat: int
    progress: Literal["done", "now", "ahead"]


def order(view: State) -> Sequence[Drafter]:
    """The seats in the order in which they choose; with few players each chooses twice."""
    count, now = len(view.players), view.picks if acting(view) else -1
    return [
        Drafter((view.crown + step) % count, "now" if at == now else "done" if at < view.picks else "ahead")
        for at, step in enumerate(picks(count))
    ]


def packet(view: State, seat: int | None) -> Sequence[str]:
    """The characters to choose from, by rank; before and after the own choice those that were seen last."""
    if seat is None:
        return ()
    step, seen = view.steps[-1] if view.steps else None, view.players[seat].seen
    picking = step is not None and step.verb == "pick" and step.seat == seat
    cards = step.cards if step is not None and picking else seen[-1] if seen else ()
    return sorted((card for card in cards if card != HIDDEN), key=edition_of(view).ranks.__getitem__)


def unknown(view: State, seat: int | None) -> Sequence[str]:
    """The characters that may be in play and that this person has not seen in this draft."""
    seen = set(view.faceup)
    if seat is not None:
        player = view.players[seat]
        seen.update(*player.seen, player.concealed, player.laid)
    return [card for card in view.cast if card not in seen]


def income(view: State, seat: int, character: str) -> int | None:
    """How much a character would be paid for the city as it stands; None where it has no income."""
    # Income is paid for each district of one type.
    kind = edition_of(view).characters[character].income
    return None if kind is None else paying_districts(view, seat, kind)


def gold_now(view: State, seat: int, character: str) -> int:
    """The gold that a character would bring for the present city, without gathering."""
    edition = edition_of(view)
    always = sum(rule.gold for rule in edition.abilities[character].rules if isinstance(rule, BonusRule))
    return always + ((income(view, seat, character) or 0) if edition.characters[character].pays != "cards" else 0)


def unseen(view: State, seat: int | None) -> list[str]:
    """Characters that another seat may hold without having shown it."""
    known = {*view.faceup, *(key for player in view.players for key in player.revealed)}
    if seat is not None:
        known |= {*view.players[seat].concealed, *view.players[seat].laid}
    killed, ranks = view.mark("killed"), edition_of(view).ranks
    quiet = (killed.character if killed else "", asked_for(view))
    return [key for key in view.cast if key not in known and (ranks[key] > view.rank or key in quiet)]


def possible(view: State, seat: int | None) -> dict[int, list[str]]:
    """By seat: the characters it may still hold. Seats that hold nothing concealed are left out."""
    candidates = unseen(view, seat)
    return {
        other: [key for key in candidates if _can_have(view, seat, other, key)]
        for other, player in enumerate(view.players)
        if other != seat and player.concealed
    }


def _can_have(view: State, seat: int | None, other: int, key: str) -> bool:
    """Whether a seat can hold a character: those that this player saw and did not take went to the seats after it,
    all others stayed before it."""
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
    """Yield what all players know of a character, in a few words; nothing if any player may have it."""
    if character in view.faceup:
        yield texts.say(msg("out of play, face up"))
    yield from dict.fromkeys(
        texts.say(mark_word(view, mark)) for mark in view.marks if mark.character == character
    )
    holder = next((number for number, player in enumerate(view.players) if character in player.revealed), None)
    late = not shared(view) and view.phase == "turns" and edition_of(view).ranks[character] <= view.rank
    if seat is not None and character in view.players[seat].concealed:
        yield texts.say(msg("yours in this round"))
    elif holder is not None:
        yield texts.say(msg("yours, shown")) if holder == seat else names[holder]
    elif late and character != asked_for(view) and character not in view.faceup:
        yield texts.say(msg("called, no answer"))
