"""The log: one sentence per event of the engine, as one viewer reads it.

A new event gets its sentence here and nowhere else: a function marked with `@tells(TheEvent)`. An event that says
nothing of its own, because the next one tells it, stands in `SILENT`. `tests/texts` fails for one without either.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from citadels_lan.engine import events
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.events import Event

from .language import Texts
from .marks import Message, msg, msgs
from .reasons import DESTROYED, reason

E = TypeVar("E", bound=Event)

SILENT: Final[frozenset[type[Event]]] = frozenset({events.Used})
"""Events that say nothing: what an ability does follows in events of its own."""
HEADINGS: Final[frozenset[type[Event]]] = frozenset({events.RoundBegan, events.TurnBegan})
"""Events whose sentence begins a section of the log: a round, a turn."""


class Teller:
    """Who reads (`viewer`, None for a spectator), what everybody is called, and in which language."""

    def __init__(self, texts: Texts, names: Sequence[str], viewer: int | None) -> None:
        self.texts = texts
        self.names = names
        self.viewer = viewer

    def tell(self, seat: int, you: Message, other: Message, *, count: int | None = None, **values: object) -> str:
        """A sentence about `seat`: one form for the reader's own seat, one with `{name}` for another."""
        if seat == self.viewer:
            return self.texts.say(you, **values)
        return self.texts.say(other, name=self.names[seat], **values)

    def between(
        self,
        seats: tuple[int, int],
        first: Message,
        second: Message,
        other: Message,
        **values: object,
    ) -> str:
        """A sentence about two seats, `{name}` and `{other}`, as the first reads it, the second, anybody else."""
        message = first if seats[0] == self.viewer else second if seats[1] == self.viewer else other
        name, partner = self.names[seats[0]], self.names[seats[1]]
        return self.texts.say(message, name=name, other=partner, **values)

    def with_secret(self, sentence: str, cards: Sequence[str]) -> str:
        """A sentence, and after it the cards that only the reader sees, if there are any."""
        if not cards or HIDDEN in cards:
            return sentence
        secret = self.texts.say(msg("Only you see: {cards}."), cards=self.texts.districts(cards))
        return f"{sentence} {secret}"

    def because(self, why: str) -> str:
        """Why something happened, in brackets with a space before, or nothing."""
        label = reason(self.texts, why)
        return f" ({label})" if label else ""


TELLERS: Final[dict[type[Event], Callable[[Teller, Any], str]]] = {}


def tells(kind: type[E]) -> Callable[[Callable[[Teller, E], str]], Callable[[Teller, E], str]]:
    """Make a function the one that tells events of a kind."""

    def register(function: Callable[[Teller, E], str]) -> Callable[[Teller, E], str]:
        TELLERS[kind] = function
        return function

    return register


def sentence(texts: Texts, event: Event, names: Sequence[str], viewer: int | None) -> str | None:
    """What the log says of an event, as `viewer` was told it; None where it says nothing.

    `names` are the players' names by seat. The result is plain text: whoever shows it must not read markup in it.
    """
    if type(event) in SILENT:
        return None
    return TELLERS[type(event)](Teller(texts, names, viewer), event)


# Set-up and draft


@tells(events.Shuffled)
def _shuffled(teller: Teller, event: events.Shuffled) -> str:
    return teller.texts.say(msg("The district deck is shuffled."))


@tells(events.RoundBegan)
def _round_began(teller: Teller, event: events.RoundBegan) -> str:
    if not event.faceup:
        return teller.texts.say(msg("Round {round}"), round=event.round)
    return teller.texts.say(
        msg("Round {round} · out of play, face up: {characters}"),
        round=event.round,
        characters=teller.texts.characters(event.faceup),
    )


@tells(events.Offered)
def _offered(teller: Teller, event: events.Offered) -> str:
    said = teller.tell(
        event.seat,
        msgs("You are handed the last character.", "You are handed {count} characters to choose from."),
        msgs("{name} is handed the last character.", "{name} is handed {count} characters to choose from."),
        count=len(event.packet),
    )
    if HIDDEN in event.packet:
        return said
    known = teller.texts.say(msg("Only you see: {cards}."), cards=teller.texts.characters(event.packet))
    return f"{said} {known}"


@tells(events.Picked)
def _picked(teller: Teller, event: events.Picked) -> str:
    if event.character == HIDDEN:
        return teller.texts.say(msg("{name} has chosen a character."), name=teller.names[event.seat])
    values = {"kept": teller.texts.character(event.character)}
    if not event.laid:
        return teller.texts.say(msg("You keep: {kept}. Nobody else knows."), **values)
    laid = teller.texts.characters(event.laid)
    return teller.texts.say(
        msg("You keep: {kept}, and lay aside: {laid}. Nobody else knows."), laid=laid, **values
    )


@tells(events.SetAside)
def _set_aside(teller: Teller, event: events.SetAside) -> str:
    return teller.texts.plural(
        "One character that nobody took goes face down.",
        "{count} characters that nobody took go face down.",
        len(event.characters),
    )


@tells(events.TakenBack)
def _taken_back(teller: Teller, event: events.TakenBack) -> str:
    return teller.texts.say(msg("The last to choose may also have the character laid face down first."))


# Turns


@tells(events.Called)
def _called(teller: Teller, event: events.Called) -> str:
    return teller.texts.say(msg("Rank {rank} is called."), rank=event.rank)


@tells(events.Revealed)
def _revealed(teller: Teller, event: events.Revealed) -> str:
    character = teller.texts.character(event.character)
    return teller.tell(event.seat, msg("You reveal: {it}."), msg("{name} reveals: {it}."), it=character)


@tells(events.TurnBegan)
def _turn_began(teller: Teller, event: events.TurnBegan) -> str:
    character = teller.texts.character(event.character)
    if event.bound:
        return teller.tell(
            event.seat,
            msg("Your turn · {character}, for now only to gather"),
            msg("{name}'s turn · {character}, for now only to gather"),
            character=character,
        )
    return teller.tell(
        event.seat, msg("Your turn · {character}"), msg("{name}'s turn · {character}"), character=character
    )


@tells(events.TurnEnded)
def _turn_ended(teller: Teller, event: events.TurnEnded) -> str:
    return teller.tell(event.seat, msg("Your turn is over."), msg("{name}'s turn is over."))


@tells(events.RoundEnded)
def _round_ended(teller: Teller, event: events.RoundEnded) -> str:
    return teller.texts.say(msg("The round is over."))


@tells(events.GameEnded)
def _game_ended(teller: Teller, event: events.GameEnded) -> str:
    return teller.tell(
        event.winner,
        msgs("The game is over: you win with {count} point!", "The game is over: you win with {count} points!"),
        msgs(
            "The game is over: {name} wins with {count} point.",
            "The game is over: {name} wins with {count} points.",
        ),
        count=event.scores[event.winner].total,
    )


# Gold and cards


@tells(events.Gathered)
def _gathered(teller: Teller, event: events.Gathered) -> str:
    if not event.gold:
        return teller.tell(event.seat, msg("You gather cards."), msg("{name} gathers cards."))
    return teller.tell(
        event.seat,
        msgs("You gather {count} gold.", "You gather {count} gold."),
        msgs("{name} gathers {count} gold.", "{name} gathers {count} gold."),
        count=event.gold,
    )


@tells(events.Drawn)
def _drawn(teller: Teller, event: events.Drawn) -> str:
    said = teller.tell(
        event.seat,
        msgs("You draw {count} card{why}.", "You draw {count} cards{why}."),
        msgs("{name} draws {count} card{why}.", "{name} draws {count} cards{why}."),
        count=len(event.cards),
        why=teller.because(event.why),
    )
    return teller.with_secret(said, event.cards)


@tells(events.Kept)
def _kept(teller: Teller, event: events.Kept) -> str:
    said = teller.tell(
        event.seat,
        msgs("You keep {count} card.", "You keep {count} cards."),
        msgs("{name} keeps {count} card.", "{name} keeps {count} cards."),
        count=len(event.kept),
    )
    return teller.with_secret(said, event.kept)


@tells(events.CardsGained)
def _cards_gained(teller: Teller, event: events.CardsGained) -> str:
    said = teller.tell(
        event.seat,
        msgs("You gain {count} card{why}.", "You gain {count} cards{why}."),
        msgs("{name} gains {count} card{why}.", "{name} gains {count} cards{why}."),
        count=len(event.cards),
        why=teller.because(event.why),
    )
    return teller.with_secret(said, event.cards)


@tells(events.CardsReturned)
def _cards_returned(teller: Teller, event: events.CardsReturned) -> str:
    said = teller.tell(
        event.seat,
        msgs("You put {count} card under the deck{why}.", "You put {count} cards under the deck{why}."),
        msgs("{name} puts {count} card under the deck{why}.", "{name} puts {count} cards under the deck{why}."),
        count=len(event.cards),
        why=teller.because(event.why),
    )
    return teller.with_secret(said, event.cards)


@tells(events.HandsSwapped)
def _hands_swapped(teller: Teller, event: events.HandsSwapped) -> str:
    said = teller.between(
        (event.seat, event.other),
        msg("You swap hands with {other}, {given} for {got}."),
        msg("{name} swaps hands with you, {given} for {got}."),
        msg("{name} swaps hands with {other}, {given} for {got}."),
        given=_cards(teller.texts, len(event.to_other)),
        got=_cards(teller.texts, len(event.to_seat)),
    )
    mine = event.to_seat if teller.viewer == event.seat else event.to_other
    return teller.with_secret(said, mine if teller.viewer in (event.seat, event.other) else ())


def _cards(texts: Texts, count: int) -> str:
    return texts.plural("{count} card", "{count} cards", count) if count else texts.say(msg("no cards"))


@tells(events.GoldGained)
def _gold_gained(teller: Teller, event: events.GoldGained) -> str:
    return teller.tell(
        event.seat,
        msgs("You gain {count} gold{why}.", "You gain {count} gold{why}."),
        msgs("{name} gains {count} gold{why}.", "{name} gains {count} gold{why}."),
        count=event.gold,
        why=teller.because(event.why),
    )


@tells(events.GoldPaid)
def _gold_paid(teller: Teller, event: events.GoldPaid) -> str:
    return teller.tell(
        event.seat,
        msgs("You pay {count} gold{why}.", "You pay {count} gold{why}."),
        msgs("{name} pays {count} gold{why}.", "{name} pays {count} gold{why}."),
        count=event.gold,
        why=teller.because(event.why),
    )


@tells(events.GoldMoved)
def _gold_moved(teller: Teller, event: events.GoldMoved) -> str:
    if event.why == "robbed":
        return teller.between(
            (event.giver, event.taker),
            msgs("{other} robs you of {count} gold!", "{other} robs you of {count} gold!"),
            msgs("You rob {name} of {count} gold.", "You rob {name} of {count} gold."),
            msgs("{other} robs {name} of {count} gold.", "{other} robs {name} of {count} gold."),
            count=event.gold,
        )
    return teller.between(
        (event.giver, event.taker),
        msgs("You hand {count} gold to {other}{why}.", "You hand {count} gold to {other}{why}."),
        msgs("You get {count} gold from {name}{why}.", "You get {count} gold from {name}{why}."),
        msgs("{name} hands {count} gold to {other}{why}.", "{name} hands {count} gold to {other}{why}."),
        count=event.gold,
        why=teller.because(event.why),
    )


# Cities, crown and markers


@tells(events.Built)
def _built(teller: Teller, event: events.Built) -> str:
    card = teller.texts.district(event.card)
    if not event.gold:
        return teller.tell(
            event.seat,
            msg("You build: {card}, without paying gold."),
            msg("{name} builds: {card}, without paying gold."),
            card=card,
        )
    return teller.tell(
        event.seat,
        msgs("You build: {card}, for {count} gold.", "You build: {card}, for {count} gold."),
        msgs("{name} builds: {card}, for {count} gold.", "{name} builds: {card}, for {count} gold."),
        count=event.gold,
        card=card,
    )


@tells(events.Destroyed)
def _destroyed(teller: Teller, event: events.Destroyed) -> str:
    yours, others = DESTROYED[event.why]
    said = teller.tell(event.owner, yours, others, card=teller.texts.district(event.card))
    if not event.under:
        return said
    lost = teller.texts.plural(
        "The card under it is lost too.", "The {count} cards under it are lost too.", len(event.under)
    )
    return f"{said} {lost}"


@tells(events.Completed)
def _completed(teller: Teller, event: events.Completed) -> str:
    return teller.tell(
        event.seat,
        msg("Your city is complete! The game ends with this round."),
        msg("{name}'s city is complete! The game ends with this round."),
    )


@tells(events.Crowned)
def _crowned(teller: Teller, event: events.Crowned) -> str:
    return teller.tell(event.seat, msg("The crown is yours."), msg("{name} has the crown now."))


MARKS: Final[dict[str, tuple[Message, Message]]] = {
    "killed": (msg("You kill {the}."), msg("{name} kills {the}.")),
    "robbed": (msg("You will rob {the}."), msg("{name} will rob {the}.")),
    "bewitched": (msg("You bewitch {the}."), msg("{name} bewitches {the}.")),
}
"""What a marker on a character is told as: to whoever placed it, and to others."""


@tells(events.Marked)
def _marked(teller: Teller, event: events.Marked) -> str:
    yours, others = MARKS[event.kind]
    return teller.tell(event.by, yours, others, the=teller.texts.the(event.character))
