"""Which characters may be chosen, who may hold which, and what all players know of each in this round."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from citadels_lan.engine import HIDDEN, State, acting, edition_of
from citadels_lan.engine.characters.bonus import BonusRule
from citadels_lan.engine.flow.draft import picks
from citadels_lan.engine.turn.cities import paying_districts
from citadels_lan.texts import Texts, msg

from .city_view import shared
from .glyphs import mark_word
from .pending import asked_for


@dataclass(frozen=True)
class Drafter:
    """A seat in the order of choosing."""

    seat: int
    progress: Literal["done", "now", "ahead"]


def order(view: State) -> Sequence[Drafter]:
    """The seats in the order in which they choose; with few players each chooses twice."""
    count = len(view.players)
    now = view.picks if acting(view) else -1
    return [
        Drafter(
            (view.crown + step) % count, "now" if number == now else "done" if number < view.picks else "ahead"
        )
        for number, step in enumerate(picks(count))
    ]


def packet(view: State, seat: int | None) -> Sequence[str]:
    """The characters to choose from, by rank; before and after the own choice those that were seen last."""
    if seat is None:
        return ()
    step = view.steps[-1] if view.steps else None
    if step is not None and step.verb == "pick" and step.seat == seat:
        cards: Sequence[str] = step.cards
    else:
        seen = view.players[seat].seen
        cards = seen[-1] if seen else ()
    ranks = edition_of(view).ranks
    return sorted((card for card in cards if card != HIDDEN), key=ranks.__getitem__)


def unknown(view: State, seat: int | None) -> Sequence[str]:
    """The characters that may be in play and that this person has not seen in this draft."""
    seen = set(view.faceup)
    if seat is not None:
        player = view.players[seat]
        seen.update(*player.seen, player.concealed, player.laid)
    return [card for card in view.cast if card not in seen]


def income(view: State, seat: int, character: str) -> int | None:
    """How much a character would be paid for the city as it stands; None where it has no income."""
    kind = edition_of(view).characters[character].income
    return None if kind is None else paying_districts(view, seat, kind)


def gold_now(view: State, seat: int, character: str) -> int:
    """The gold that a character would bring for the present city, without gathering."""
    edition = edition_of(view)
    always = sum(rule.gold for rule in edition.abilities[character].rules if isinstance(rule, BonusRule))
    return always + ((income(view, seat, character) or 0) if edition.characters[character].pays != "cards" else 0)


def unseen(view: State, seat: int | None) -> list[str]:
    """Characters that another seat may hold without having shown it."""
    known = set(view.faceup)
    for player in view.players:
        known.update(player.revealed)
    if seat is not None:
        own = view.players[seat]
        known.update(key for key in (*own.concealed, *own.laid) if key != HIDDEN)
    killed = view.mark("killed")
    ranks = edition_of(view).ranks
    kept_quiet, asked = killed.character if killed else "", asked_for(view)
    return [
        key for key in view.cast if key not in known and (ranks[key] > view.rank or key in (kept_quiet, asked))
    ]  # fmt: skip


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
    if len(packet) == 2 and before_me == count - 2:  # the last player of a full table sees two cards as well
        return True
    backwards = [view.players[(seat - step) % count] for step in range(1, count)]
    picked = [player for player in backwards if player.concealed or player.revealed]  # those not left out
    return (key in packet) == all(player is not view.players[other] for player in picked[:before_me])


def known_this_round(
    texts: Texts, view: State, seat: int | None, names: Sequence[str], character: str
) -> Iterator[str]:
    """A few words for each thing that all players know of a character; none if any player may hold it."""
    if character in view.faceup:
        yield texts.say(msg("out of play, face up"))
    yield from dict.fromkeys(
        texts.say(mark_word(view, mark)) for mark in view.marks if mark.character == character
    )
    holder = next((number for number, player in enumerate(view.players) if character in player.revealed), None)
    if seat is not None and character in view.players[seat].concealed:
        yield texts.say(msg("yours in this round"))
    elif holder is not None:
        yield texts.say(msg("yours, shown")) if holder == seat else names[holder]
    elif _called(view, character) and character not in view.faceup:
        yield texts.say(msg("called, nobody answered"))


def _called(view: State, character: str) -> bool:
    """Whether its rank was called in this round and no player revealed it."""
    late = not shared(view) and view.phase == "turns" and edition_of(view).ranks[character] <= view.rank
    return late and character != asked_for(view)
