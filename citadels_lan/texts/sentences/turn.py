"""Sentences about the draft, turns, rounds and the end."""

from citadels_lan.engine import HIDDEN, events
from citadels_lan.texts.choices import VERBS
from citadels_lan.texts.inquiries import inquired
from citadels_lan.texts.marks import msg, msgs
from citadels_lan.texts.sentences.teller import Teller, tells

# Set-up and draft


@tells(events.Shuffled)
def _shuffled(teller: Teller, event: events.Shuffled) -> str:
    return teller.texts.say(msg("The district deck is shuffled."))


@tells(events.CastDrawn)
def _cast_drawn(teller: Teller, event: events.CastDrawn) -> str:
    return teller.texts.say(
        msg("In this game: {characters}. Unique districts: {districts}."),
        characters=teller.texts.characters(event.cast),
        districts=teller.texts.districts(event.districts),
    )


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
    the = teller.texts.the(event.character)
    if not event.laid:
        return teller.texts.say(msg("You keep {the}. Nobody else knows."), the=the)
    laid = teller.texts.listing([teller.texts.the(key) for key in event.laid])
    return teller.texts.say(msg("You keep {the} and lay {other} aside. Nobody else knows."), the=the, other=laid)


@tells(events.Inquired)
def _inquired(teller: Teller, event: events.Inquired) -> str | None:
    if event.what == "call":  # the call itself is told
        return None
    return inquired(teller.texts, event, teller.viewer, teller.names)


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


@tells(events.DraftEnded)
def _draft_ended(teller: Teller, event: events.DraftEnded) -> str:
    return teller.texts.say(msg("Everybody has chosen: the ranks are called."))


@tells(events.CharactersSwapped)
def _characters_swapped(teller: Teller, event: events.CharactersSwapped) -> str:
    said = teller.between(
        (event.seat, event.other),
        msg("With the Theater you swap characters with {other}."),
        msg("With the Theater {name} swaps characters with you."),
        msg("With the Theater {name} swaps characters with {other}."),
    )
    mine = event.received if teller.viewer == event.seat else event.given
    if mine == HIDDEN:
        return said
    now = teller.texts.say(msg("Now you hold {the}. Nobody else sees it."), the=teller.texts.the(mine))
    return f"{said} {now}"


@tells(events.Asked)
def _asked(teller: Teller, event: events.Asked) -> str | None:
    verb = VERBS[event.verb]
    if verb.asked is None:
        return None
    yours, others = verb.asked
    if event.other is not None and event.other == teller.viewer:
        others = verb.asked_about or others
    said = teller.tell(
        event.seat,
        yours,
        others,
        other="" if event.other is None else teller.names[event.other],
        card="" if event.card is None else teller.texts.district(event.card),
    )
    return said if verb.many else teller.with_secret(said, event.cards)


@tells(events.Answered)
def _answered(teller: Teller, event: events.Answered) -> str | None:
    said = VERBS[event.verb].answers.get(event.answer)
    return None if said is None else teller.tell(event.seat, *said)


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
    if not event.winners:  # a game has none before its record is closed
        return teller.texts.say(msg("The last move is made."))
    if len(event.winners) > 1:
        winners = teller.texts.listing([teller.names[seat] for seat in event.winners])
        return teller.texts.say(msg("The game is over: {names} share the victory."), names=winners)
    (winner,) = event.winners
    return teller.tell(
        winner,
        msgs("The game is over: you win with {count} point!", "The game is over: you win with {count} points!"),
        msgs(
            "The game is over: {name} wins with {count} point.",
            "The game is over: {name} wins with {count} points.",
        ),
        count=event.scores[winner].total,
    )


@tells(events.TurnPaused)
def _turn_paused(teller: Teller, event: events.TurnPaused) -> str:
    return teller.tell(
        event.seat,
        msg("Your turn pauses until your victim is called."),
        msg("{name}'s turn pauses until the victim is called."),
    )


@tells(events.TurnResumed)
def _turn_resumed(teller: Teller, event: events.TurnResumed) -> str:
    return teller.tell(
        event.seat,
        msg("Your turn as the Witch goes on · {character}"),
        msg("{name}'s turn as the Witch goes on · {character}"),
        character=teller.texts.character(event.character),
    )
