"""Rounds: a draft, then the ranks are called in order (rulebook p. 3 to 6)."""

from citadels_lan.engine import events as ev
from citadels_lan.engine.choices import Answer, Holder
from citadels_lan.engine.config import TableConfig
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import Impossible
from citadels_lan.engine.pieces import Flow, State, Table
from citadels_lan.engine.state import Inquiry, user_of
from citadels_lan.engine.turn.cities import all_uniques
from citadels_lan.engine.turn.piles import gain_cards, shuffle_deck

from .calling import answers_call, begin_turn
from .draft import Draft


class Rounds(Flow):
    """The flow of editions with a draft. Between two rounds the table waits until the chance of the next
    round is known.

    | phase | until | then |
    |---|---|---|
    | setup | the table is dealt | draft |
    | draft | all players have picked | turns |
    | turns | every rank is called, and the last steps of the round are done | between, or over |
    | between | the table continues | draft |

    In a sealed draft the table also waits for answers of seats: before each draft, at the calls, and at the
    end of some rounds.
    """

    drafts = True

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.steps = draft.steps

    def advance(self, table: Table) -> None:
        """Deal before the first round, and begin each round."""
        if table.state.phase == "setup":
            deal(table)
        # The deal leaves the phase at `setup`; the draft begins in the same step.
        if table.state.phase in ("setup", "between"):
            self.draft.begin(table)

    def answered(self, table: Table, answer: Answer | None) -> None:
        state, inquiry = table.state, table.state.inquiry
        assert inquiry is not None
        if inquiry.what == "deal":
            self.draft.deal(table, answer)
            return
        seat, character = _shown_by(state, inquiry, answer), inquiry.character
        table.emit(ev.InquiryAnswered(seat))
        if seat is not None and inquiry.by is not None:
            swap_characters(table, inquiry.by, seat, *inquiry.given)
        elif seat is not None and character is not None:
            table.emit(ev.Revealed(seat, character))
            if inquiry.what == "call":
                begin_turn(table, seat, character)
            else:
                edition_of(state).abilities[character].round_ending(table, seat)
        # A question of the killed character ends the round when it is answered.
        if inquiry.what == "late" and not state.steps:
            close_round(table)
        self.proceed(table)

    def proceed(self, table: Table) -> None:
        state = table.state
        while (
            not state.steps and state.turn is None and state.phase in ("draft", "turns") and state.inquiry is None
        ):
            if state.phase == "draft":
                _end_draft(table)
            # A rank without a player needs no decision, so the loop calls the next one.
            elif state.rank < len(state.cast):
                call(table, state.rank + 1)
            else:
                _end_round(table)


def deal(table: Table) -> None:
    """Let chance decide the cast and the districts, if the configuration left them open, then the deck, the
    first hands, and the crown."""
    state = table.state
    played = edition_of(state)
    # Chance draws before the deck is shuffled, because the deck depends on the unique districts.
    if not state.cast or not state.districts:
        given = TableConfig(len(state.players), state.cast, state.districts, state.edition, state.options)
        drawn = played.casting.draw(played, given, table.chance)
        table.emit(ev.CastDrawn(drawn.cast, drawn.districts))
    shuffle_deck(table, "districts")
    for seat in range(len(state.players)):
        gain_cards(table, seat, played.hand[len(state.players)], "deal")
    # A scripted table or a rematch may have chosen the first player already.
    if state.crown < 0:
        table.emit(ev.Crowned(table.chance.pick(table.label("crown", None), range(len(state.players)))))


def _end_draft(table: Table) -> None:
    """End the draft. If a city has the Theater, ask its owner for an exchange before the first call (R312)."""
    table.emit(ev.DraftEnded())
    # Only one city can have the Theater, so at most one seat is asked.
    for seat, unique in all_uniques(table.state):
        if unique.swaps_characters:
            table.emit(ev.Asked("theater", seat))


def holder(state: State, character: str) -> int | None:
    """Return the seat that holds `character` unrevealed, or None if no seat does."""
    # A loop, because this is asked at every call.
    for seat, player in enumerate(state.players):
        if character in player.concealed:
            return seat
    return None


def _asked(state: State, character: str) -> tuple[int, ...]:
    """Return the seats that must reply when `character` is called in a sealed draft: all that may hold it,
    judged by public information, and would answer its call."""
    # No seat can hold a character that lies face up, so none has to reply.
    if character in state.faceup:
        return ()
    return tuple(
        seat
        for seat, player in enumerate(state.players)
        if player.concealed and answers_call(state, seat, character)
    )


def _shown_by(state: State, inquiry: Inquiry, answer: Answer | None) -> int | None:
    """Return which of the asked seats has shown the character, or None if no seat has. The result comes from
    `answer`, or from the state if `answer` is None. Raises Impossible if `answer` cannot be true."""
    actual = inquiry.seats[0] if inquiry.character is None else holder(state, inquiry.character)
    if answer is None:
        return actual if actual in inquiry.seats else None
    if not isinstance(answer, Holder):
        raise Impossible("holder")
    seat = answer.seat
    if seat is None:
        # An exchange always has a seat that gives; only at a call no seat may have the character.
        fits = inquiry.character is not None
    else:
        # A blind table cannot compare the answer with the picks; `crypto` has checked its proof.
        fits = seat in inquiry.seats and (state.draft == "blind" or seat == actual)
    if not fits:
        raise Impossible("holder")
    return seat


def swap_characters(table: Table, seat: int, other: int, given: str) -> None:
    """Exchange characters: `seat` gives `given` to `other` and receives one. If `other` holds two, chance
    chooses which (R314)."""
    theirs = table.state.players[other].concealed
    # Two hidden characters look the same, so a blind table needs no draw.
    alike = len(theirs) == 1 or table.state.draft == "blind"
    received = theirs[0] if alike else table.chance.pick(table.label("theater", seat), theirs)
    table.emit(ev.CharactersSwapped(seat, other, given, received))


def call(table: Table, rank: int) -> None:
    """Call a rank (rulebook p. 4). If a player holds its character and answers the call, reveal it and begin
    its turn. In a sealed draft, ask the seats that may hold it."""
    state = table.state
    table.emit(ev.Called(rank))
    character = state.cast[rank - 1]
    # In a sealed draft every seat that could hold the character has to reply.
    if state.draft != "open":
        asked = _asked(state, character)
        if asked:
            table.emit(ev.Inquired("call", asked, character))
        return
    seat = holder(state, character)
    if seat is not None and answers_call(state, seat, character):
        table.emit(ev.Revealed(seat, character))
        begin_turn(table, seat, character)


def _end_round(table: Table) -> None:
    """Apply the last steps of the round in the order of R335. If a killed character asks its player a
    question, the round ends only with the answer."""
    state = table.state
    killed = state.mark("killed")
    if killed is not None:
        asked = _asked_late(state, killed.character) if state.draft != "open" else ()
        if asked:
            table.emit(ev.Inquired("late", asked, killed.character))
            return
        ability = edition_of(state).abilities[killed.character]
        for seat, player in enumerate(state.players):
            if ability.shown_late and killed.character in player.concealed + player.revealed:
                # With a Hospital the character was revealed at its call (R376).
                if killed.character in player.concealed:
                    table.emit(ev.Revealed(seat, killed.character))
                ability.round_ending(table, seat)
    if not state.steps:
        close_round(table)


def _asked_late(state: State, character: str) -> tuple[int, ...]:
    """Return the seats that may hold the killed `character` at the end of the round, judged by public
    information. Empty if it is not to be shown then."""
    if not edition_of(state).abilities[character].shown_late or character in state.faceup:
        return ()
    # With a Hospital the character was revealed at its call; no seat has to show it again.
    if any(character in player.revealed for player in state.players):
        return ()
    return tuple(seat for seat, player in enumerate(state.players) if player.concealed)


def close_round(table: Table) -> None:
    """Apply the effects that come after all moves of the crown in this round. Then end the round. If a city
    was completed, score and end the game instead."""
    state = table.state
    played = edition_of(state)
    for seat, player in enumerate(state.players):
        for character in player.revealed:
            played.abilities[character].closing(table, user_of(state, seat, character))
    if state.last_round:
        results = played.scores(state)
        table.emit(ev.GameEnded(results, played.winners(state, results)))
    else:
        table.emit(ev.RoundEnded())
