"""The log: one sentence for each event of the engine, as one viewer reads it; and the sentence that says what
a seat has to decide.

The sentences are in `log.toml`, by the name of the event. If you add an event, write its sentence in that
file. `SILENT` lists the events without a sentence: other events explain them. `tests/texts` fails for an
event that is in neither of the two.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from citadels_lan.engine import HIDDEN, Event, State, decisions, edition_of, events, seat_name
from citadels_lan.engine.flow.draft import lays_aside
from citadels_lan.engine.score import Score
from citadels_lan.engine.state import Inquiry, Step, Turn
from citadels_lan.texts import terms
from citadels_lan.texts.language import Message, Texts, msg, msgs
from citadels_lan.texts.moves import VERBS, verb
from citadels_lan.texts.tables import Forms, placeholders, table

SILENT: Final[frozenset[type[Event]]] = frozenset(
    {
        events.Used,  # The following events show the effects of an ability.
        events.Built,  # BuildPaid
        events.PutUnder,  # an event before it shows which cards left a hand or a city
        events.Unbound,  # an event before it shows why the turn is free again
        events.InquiryAnswered,  # the events that follow show the answer
        events.Unsealed,  # the events that follow show what was sealed
    }
)
UNSAID: Final[Mapping[type[Event], Callable[[Any], bool]]] = {
    events.Gathered: lambda event: not event.gold,  # the cards follow
    events.CardsReturned: lambda event: event.why == "sell",  # the card and its gold follow
    events.CardsMoved: lambda event: event.why == "auction",  # every player has seen the card
    events.Inquired: lambda event: event.what == "call",  # the call has a sentence
}
"""For some kinds of events: the condition under which the log needs no sentence, because another event says
the same."""
VARIANTS: Final[Mapping[type[Event], Callable[[Any], str]]] = {
    events.DistrictMoved: lambda event: event.why,
    events.Destroyed: lambda event: event.why,
    events.Marked: lambda event: event.kind,
    events.Placed: lambda event: event.kind,
    events.GoldMoved: lambda event: event.why if event.why in ("robbed", "auction") else "",
    events.BuildPaid: lambda event: "" if event.gold else "free",
    events.ThreatShown: lambda event: "flower" if event.flower else "",
    events.CharacterCalled: lambda event: "silent" if event.silent else "",
    events.TurnBegan: lambda event: "bound" if event.bound else "",
    events.AuctionBegan: lambda event: "from" if event.floor > 1 else "",
    events.CycleScored: lambda event: "" if any(event.points) else "none",
    events.RoundBegan: lambda event: "faceup" if event.faceup else "",
    events.Picked: lambda event: "" if event.character == HIDDEN else "laid" if event.laid else "known",
    events.GameEnded: lambda event: ("", "won", "shared")[min(len(event.winners), 2)],
}
"""For events that have several sentences: returns the ending of the key of the sentence to use."""
SECRETS: Final[Mapping[type[Event], str]] = {
    events.Drawn: "cards",
    events.Kept: "kept",
    events.CardsGained: "cards",
    events.CardsReturned: "cards",
    events.CardsMoved: "cards",
    events.Spied: "hand",
    events.TakenFromDeck: "card",
    events.Slid: "card",
}
"""By event: the name of the field with the district cards that only some viewers know."""
SEATS: Final = ("by", "giver", "owner", "seller", "seat", "taker", "other")
"""The names of the fields that contain seats. The first two that an event has are the seats in its
sentence."""
COUNTS: Final = ("gold", "matches", "floor", "under", "cards", "kept", "packet", "characters")
"""The names of the fields that give the `count` of a sentence: a number, or a list to count. The first one
counts."""
CARDS: Final[Mapping[str, str]] = {
    **{word: verb.reason for word, verb in VERBS.items() if verb.reason},
    "flower": "blackmailer",
    "loan": "cardinal",
    "refund": "alchemist",
    "robbed": "thief",
}
"""By the `why` of an event about gold or cards: the key of the card that is the reason. A missing `why` is
itself the key."""
REASONS: Final = table("log.toml", "reasons", str)
SCORES: Final = table("log.toml", "scores", str)
LINES: Final = table("log.toml", "lines", Forms)


def sentence(texts: Texts, event: Event, names: Sequence[str], viewer: int | None) -> str | None:
    """Return the sentence of the log for an event as `viewer` received it; None for an event that has none.

    `names` are the players' names by seat, and `viewer` is None for a spectator. The result is plain text: show it
    without reading markup in it.
    """
    kind = type(event)
    if kind in SILENT or (kind in UNSAID and UNSAID[kind](event)):
        return None
    if isinstance(event, events.Inquired):
        return inquired(texts, event, names, viewer)
    teller = Teller(texts, names, viewer, event)
    if isinstance(event, events.Asked | events.Answered):
        return _decision(teller, event)
    variant = VARIANTS[kind](event) if kind in VARIANTS else ""
    key = f"{kind.__name__}-{variant}" if variant else kind.__name__
    if kind in SPECIAL:
        return SPECIAL[kind](teller, key, event)
    text = teller.line(key)
    return teller.with_secret(text, getattr(event, SECRETS[kind])) if kind in SECRETS else text


def inquired(texts: Texts, inquiry: Inquiry | events.Inquired, names: Sequence[str], viewer: int | None) -> str:
    """Return what a table with a sealed draft waits for. The players' programs answer these questions without
    the players."""
    several = inquiry.what in ("call", "late") and len(inquiry.seats) > 1
    return Teller(texts, names, viewer, inquiry).line(f"Inquired-{inquiry.what}{'-several' * several}")


def reason(texts: Texts, why: str) -> str:
    """Return a few words for the `why` of an event; empty if its sentence contains the reason."""
    card = CARDS.get(why, why)
    return texts.cards[card].name if card in texts.cards else texts.say(REASONS.get(why, ""))


def score_lines(
    texts: Texts, names: Sequence[str], scores: Sequence[Score], winners: Sequence[int]
) -> Iterator[str]:
    """Yield the final score of each seat with its parts, the winners first, then by points."""
    for seat in sorted(range(len(scores)), key=lambda seat: (seat not in winners, -scores[seat].total)):
        score = scores[seat]
        parts = ", ".join(f"{score_reason(texts, reason)} {points:+}" for reason, points in score.parts)
        result = msgs("{seat}: {name}, {count} point", "{seat}: {name}, {count} points")
        line = texts.say(result, seat=seat_name(seat), name=names[seat], count=score.total)
        yield f"{line} ({parts})" if parts else line


def score_reason(texts: Texts, key: str) -> str:
    """Return the name of one part of a score by its `key`: the name of a unique district, or a text. If the
    key is unknown, because another version wrote it, return the key."""
    try:
        return texts.say(SCORES[key]) if key in SCORES else texts.district(key)
    except KeyError:
        return key


class Teller:
    """Makes the sentence about an event, or about an inquiry of a sealed draft, for one reader. `viewer` is
    the reader's seat; None for a spectator."""

    def __init__(self, texts: Texts, names: Sequence[str], viewer: int | None, event: Event | Inquiry) -> None:
        self.texts = texts
        self.names = names
        self.viewer = viewer
        self.event: Any = event
        if isinstance(event, events.Inquired | Inquiry):
            self.seats = (event.seats[0], event.by)
        else:
            self.seats = (*(getattr(event, field) for field in SEATS if hasattr(event, field)), None, None)[:2]

    def line(self, key: str, **values: object) -> str:
        """Return the sentence with this `key` in `log.toml`, filled with values."""
        return self.phrase(LINES[key], **values)

    def phrase(self, forms: Forms, **values: object) -> str:
        """Return the one of these `forms` that fits the reader. Placeholders without a given value get their
        value from the event."""
        first, second = self.seats
        if forms.all:
            message: Message = forms.all
        elif first == self.viewer:
            message = forms.you
        else:
            message = forms.to_you if forms.to_you and second == self.viewer else forms.others
        own = {name: self._value(name) for name in placeholders(message) if name not in values}
        return self.texts.say(message, **own, **values)

    def _value(self, name: str) -> object:
        """Return the words for a placeholder of a sentence."""
        texts, event = self.texts, self.event
        match name:
            case "name" | "other":
                seat = self.seats[name == "other"]
                return "" if seat is None else self.names[seat]
            case "card":
                return "" if event.card is None else texts.district(event.card)
            case "the":
                return "" if event.character is None else texts.the(event.character)
            case "character" | "it":
                return texts.character(event.character)
            case "characters":
                return texts.characters(event.characters)
            case "cards":
                return texts.districts(event.cards)
            case "type":
                return texts.type(event.type)
            case "why":
                label = reason(texts, event.why)
                return f" ({label})" if label else ""
            case "count":
                amount = next(getattr(event, field) for field in COUNTS if hasattr(event, field))
                return amount if isinstance(amount, int) else len(amount)
        return getattr(event, name)

    def with_secret(self, text: str, cards: str | Sequence[str]) -> str:
        """Return `text`, followed by `cards` (districts that only the reader sees) if there are any."""
        known = (cards,) if isinstance(cards, str) else cards
        if not known or HIDDEN in known:
            return text
        return f"{text} {self.line('only_you', cards=self.texts.districts(known))}"


def _decision(teller: Teller, event: events.Asked | events.Answered) -> str | None:
    """Return the sentence for a decision that the table waits for, or for its answer. Return None if another
    event shows the answer."""
    verb = VERBS[event.verb]
    forms = verb.answers.get(event.answer) if isinstance(event, events.Answered) else verb.asked
    if forms is None:
        return None
    text = teller.phrase(forms)
    return text if verb.many or isinstance(event, events.Answered) else teller.with_secret(text, event.cards)


def _hands_swapped(teller: Teller, key: str, event: events.HandsSwapped) -> str:
    given, taken = (
        terms.cards(teller.texts, len(cards)) if cards else teller.line("no_cards")
        for cards in (event.to_other, event.to_seat)
    )
    text = teller.line(key, given=given, got=taken)
    mine = {event.seat: event.to_seat, event.other: event.to_other}
    return text if teller.viewer is None else teller.with_secret(text, mine.get(teller.viewer, ()))


def _characters_swapped(teller: Teller, key: str, event: events.CharactersSwapped) -> str:
    text = teller.line(key)
    mine = event.received if teller.viewer == event.seat else event.given
    return text if mine == HIDDEN else f"{text} {teller.line(f'{key}-secret', the=teller.texts.the(mine))}"


def _placed(teller: Teller, key: str, event: events.Placed) -> str:
    text = teller.line(key)
    if event.chosen == HIDDEN:
        return text
    return f"{text} {teller.line(f'{key}-secret', character=teller.texts.character(event.chosen))}"


def _offered(teller: Teller, key: str, event: events.Offered) -> str:
    text = teller.line(key)
    if HIDDEN in event.packet:
        return text
    return f"{text} {teller.line('only_you', cards=teller.texts.characters(event.packet))}"


def _picked(teller: Teller, key: str, event: events.Picked) -> str:
    return teller.line(key, other=teller.texts.listing([teller.texts.the(card) for card in event.laid]))


def _confiscated(teller: Teller, key: str, event: events.Confiscated) -> str:
    return f"{teller.line(key)} {teller.line(f'{key}-back')}" if event.gold else teller.line(key)


def _destroyed(teller: Teller, key: str, event: events.Destroyed) -> str:
    return f"{teller.line(key)} {teller.line('Destroyed-under')}" if event.under else teller.line(key)


def _cast_drawn(teller: Teller, key: str, event: events.CastDrawn) -> str:
    texts = teller.texts
    return teller.line(key, characters=texts.characters(event.cast), districts=texts.districts(event.districts))


def _cycle_scored(teller: Teller, key: str, event: events.CycleScored) -> str:
    points = [f"{name} {count}" for name, count in zip(teller.names, event.points, strict=False) if count]
    return teller.line(key, points=teller.texts.listing(points))


def _game_ended(teller: Teller, key: str, event: events.GameEnded) -> str:
    if len(event.winners) != 1:
        return teller.line(key, names=teller.texts.listing([teller.names[seat] for seat in event.winners]))
    teller.seats = (event.winners[0], None)
    return teller.line(key, count=event.scores[event.winners[0]].total)


SPECIAL: Final[Mapping[type[Event], Callable[[Teller, str, Any], str]]] = {
    events.CastDrawn: _cast_drawn,
    events.CharactersSwapped: _characters_swapped,
    events.Confiscated: _confiscated,
    events.CycleScored: _cycle_scored,
    events.Destroyed: _destroyed,
    events.GameEnded: _game_ended,
    events.HandsSwapped: _hands_swapped,
    events.Offered: _offered,
    events.Picked: _picked,
    events.Placed: _placed,
    events.RoundBegan: lambda teller, key, event: teller.line(
        key, characters=teller.texts.characters(event.faceup)
    ),
}
"""By kind of event: the function that makes its sentence, if the fields of the event are not enough for
that."""


# The status line

DUE: Final = frozenset({"crown", "bewitch"})
"""The sentences about an action that the player must take before the turn can end."""


def question(texts: Texts, view: State, seat: int | None, names: Sequence[str]) -> str:
    """Return the status line for `seat` (None for a spectator), from its view of the table.

    `names` are the players' names by seat. The result is plain text: show it without reading markup in it.
    """
    if view.inquiry is not None:
        return inquired(texts, view.inquiry, names, seat)
    if view.steps:
        return _pending(texts, view, view.steps[-1], seat, names)
    if view.turn is not None:
        return _turn(texts, view, view.turn, seat, names)
    if view.phase == "over" and view.winners:
        return _over(texts, view.winners, seat, names)
    if view.phase == "setup":
        return texts.say("The cards are about to be dealt.")
    return texts.say("The next round is about to begin.")


def _over(texts: Texts, winners: Sequence[int], seat: int | None, names: Sequence[str]) -> str:
    if len(winners) > 1:
        said = texts.listing([names[winner] for winner in winners])
        return texts.say("The game is over: {names} share the victory.", names=said)
    if seat in winners:
        return texts.say("The game is over: you have won.")
    return texts.say("The game is over: {name} has won.", name=names[winners[0]])


def _pending(texts: Texts, view: State, step: Step, seat: int | None, names: Sequence[str]) -> str:
    verb = VERBS[step.verb]
    assert verb.question is not None
    values: dict[str, object] = {
        "name": names[step.seat],
        "other": "" if step.other is None else names[step.other],
        "card": "" if step.card is None else texts.district(step.card),
    }
    auction = view.auction
    if auction is not None:
        values |= {"floor": auction.floor, "bid": auction.bid}
        values["bidder"] = "" if auction.bidder is None else names[auction.bidder]
    if step.seat != seat:
        return texts.say(verb.question.others, **values)
    return texts.say(verb.questions.get(_special(view, step), verb.question.you), **values)


def _special(view: State, step: Step) -> str:
    """Return the key in `moves.toml` of a special question for the verb of `step`; "" if the general question
    fits."""
    special: dict[str, Callable[[], str]] = {
        "pick": lambda: "laying" if lays_aside(view) else "",
        "take": lambda: "ungathered" if view.turn is not None and not view.turn.gathered else "",
        "confiscate": lambda: "" if _signed(view) else "blank",
        "tribute": lambda: "" if view.players[step.seat].gold else "poor",
        "bid": lambda: "first" if view.auction is None or view.auction.bidder is None else "higher",
    }
    return special[step.verb]() if step.verb in special else ""


def _signed(view: State) -> bool:
    """Return whether the warrant on the character whose turn it is may be the signed one, as far as the view
    shows."""
    signed = view.mark("signed")
    return signed is not None and signed.character in (view.current_turn.character, HIDDEN)


def _turn(texts: Texts, view: State, turn: Turn, seat: int | None, names: Sequence[str]) -> str:
    character = texts.character(turn.character)
    if turn.seat == seat:
        return _own_turn(texts, view, turn, character)
    values = {"name": names[turn.seat], "character": character}
    if not turn.gathered:
        return texts.say("{name}'s turn ({character}): gathering first.", **values)
    return texts.say("{name}'s turn ({character}).", **values)


def _own_turn(texts: Texts, view: State, turn: Turn, character: str) -> str:
    choices = decisions(view).get(turn.seat, ())
    verbs = list(dict.fromkeys(choice.verb for choice in choices))
    due = (
        []
        if "end" in verbs or "gather" in verbs
        else [verb(texts, word, choices) for word in verbs if word in DUE]
    )
    apart = {"gather", "end", "build"} | (DUE if due else set())
    free = [verb(texts, word, choices) for word in verbs if word not in apart]
    if "build" in verbs:
        free.insert(0, _builds(texts, view, turn))
    may = texts.alternatives(free)
    if "gather" in verbs:
        if turn.bound and not free:
            return texts.say("Your turn ({character}): now you may only gather.", character=character)
        if turn.bound:
            only = msg("Your turn ({character}): now you may only gather, and {may}.")
            return texts.say(only, character=character, may=may)
        if not free:
            return texts.say("Your turn ({character}): gather gold or cards.", character=character)
        return texts.say("Your turn ({character}): gather; you may also {may}.", character=character, may=may)
    if due:
        must = texts.alternatives(due)
        if not free:
            return texts.say("Your turn ({character}): you must still {must}.", character=character, must=must)
        said = msg("Your turn ({character}): you must still {must}; you may also {may}.")
        return texts.say(said, character=character, must=must, may=may)
    if not free:
        return texts.say("Your turn ({character}): you can only end the turn.", character=character)
    return texts.say("Your turn ({character}): you may {may}, or end the turn.", character=character, may=may)


def _builds(texts: Texts, view: State, turn: Turn) -> str:
    left = edition_of(view).abilities[turn.character].limit - turn.builds
    if left < 2:
        return verb(texts, "build")
    return texts.plural("build {count} district", "build up to {count} districts", left)
