"""Rounds: a draft, then the ranks are called one after the other (rulebook p. 3 to 6)."""

from citadels_lan.engine.choices import Answer, Holder
from citadels_lan.engine.config import TableConfig
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import (
    Asked,
    Called,
    CastDrawn,
    CharactersSwapped,
    Crowned,
    DraftEnded,
    GameEnded,
    Inquired,
    InquiryAnswered,
    Revealed,
    RoundEnded,
)
from citadels_lan.engine.events.base import Impossible
from citadels_lan.engine.pieces import Flow
from citadels_lan.engine.state import Inquiry, State, user_of
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.piles import gain_cards, shuffle_deck

from .calling import answers_call, begin_turn
from .draft import Draft


class Rounds(Flow):
    """Rounds, each with its draft. A round's chance is asked for only when it begins, so that it can be waited
    for.

    | phase | until | then |
    |---|---|---|
    | setup | the table is dealt | draft |
    | draft | everybody has picked | turns |
    | turns | every rank is called, and the round's last steps are done | between, or over |
    | between | the table goes on | draft |

    Where the draft is sealed, the table waits for what seats must say: before each draft, at the calls, and at the
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
        if table.state.phase in ("setup", "between"):
            self.draft.begin(table)

    def answered(self, table: Table, told: Answer | None) -> None:
        state, inquiry = table.state, table.state.inquiry
        assert inquiry is not None
        if inquiry.what == "deal":
            self.draft.deal(table, told)
            return
        seat, character = _shown_by(state, inquiry, told), inquiry.character
        table.emit(InquiryAnswered(seat))
        if seat is not None and inquiry.by is not None:
            swap_characters(table, inquiry.by, seat, *inquiry.given)
        elif seat is not None and character is not None:
            table.emit(Revealed(seat, character))
            if inquiry.what == "call":
                begin_turn(table, seat, character)
            else:
                edition_of(state).abilities[character].round_ending(table, seat)
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
            elif state.rank < len(state.cast):
                call(table, state.rank + 1)
            else:
                _end_round(table)


def deal(table: Table) -> None:
    """What chance decides of the table, the deck, the first hands and the crown."""
    state = table.state
    played = edition_of(state)
    if not state.cast or not state.districts:
        given = TableConfig(len(state.players), state.cast, state.districts, state.edition, state.options)
        drawn = played.casting.draw(played, given, table.chance)
        table.emit(CastDrawn(drawn.cast, drawn.districts))
    shuffle_deck(table, "districts")
    for seat in range(len(state.players)):
        gain_cards(table, seat, played.hand[len(state.players)], "deal")
    if state.crown < 0:
        table.emit(Crowned(table.chance.pick(table.label("crown", None), range(len(state.players)))))


def _end_draft(table: Table) -> None:
    """Let the Theater's owner act before the first call (R312)."""
    table.emit(DraftEnded())
    theaters = edition_of(table.state).theaters
    if theaters:
        for seat, player in enumerate(table.state.players):
            for district in player.city:
                if district.key in theaters:
                    table.emit(Asked("theater", seat))


def holder(state: State, character: str) -> int | None:
    """The seat that holds a character not yet revealed."""
    for seat, player in enumerate(state.players):
        if character in player.concealed:
            return seat
    return None


def _asked(state: State, character: str) -> tuple[int, ...]:
    """The seats that might show a character now, by all that is public."""
    if character in state.faceup:
        return ()
    return tuple(
        seat
        for seat, player in enumerate(state.players)
        if player.concealed and answers_call(state, seat, character)
    )


def _shown_by(state: State, inquiry: Inquiry, told: Answer | None) -> int | None:
    """Who of those asked has what is asked for, as it is told or as it is known. Raises Impossible."""
    known = inquiry.seats[0] if inquiry.character is None else holder(state, inquiry.character)
    if told is None:
        return known if known in inquiry.seats else None
    if not isinstance(told, Holder):
        raise Impossible("holder")
    seat = told.seat
    if seat is None:
        fits = inquiry.character is not None
    else:
        fits = seat in inquiry.seats and (state.draft == "blind" or seat == known)
    if not fits:
        raise Impossible("holder")
    return seat


def swap_characters(table: Table, seat: int, other: int, given: str) -> None:
    """`seat` gives a character to `other` and receives one; of two any one, by chance (R314)."""
    theirs = table.state.players[other].concealed
    alike = len(theirs) == 1 or table.state.draft == "blind"
    received = theirs[0] if alike else table.chance.pick(table.label("theater", seat), theirs)
    table.emit(CharactersSwapped(seat, other, given, received))


def call(table: Table, rank: int) -> None:
    """Call a rank; whoever holds it and may answer begins a turn (rulebook p. 4)."""
    state = table.state
    table.emit(Called(rank))
    character = state.cast[rank - 1]
    if state.draft != "open":
        asked = _asked(state, character)
        if asked:
            table.emit(Inquired("call", asked, character))
        return
    seat = holder(state, character)
    if seat is not None and answers_call(state, seat, character):
        table.emit(Revealed(seat, character))
        begin_turn(table, seat, character)


def _end_round(table: Table) -> None:
    """The round's last steps, in the order of R335. What the killed character asks in the end closes the round
    when it is answered."""
    state = table.state
    killed = state.mark("killed")
    if killed is not None:
        asked = _asked_late(state, killed.character) if state.draft != "open" else ()
        if asked:
            table.emit(Inquired("late", asked, killed.character))
            return
        for seat, player in enumerate(state.players):
            if killed.character in player.concealed + player.revealed:
                edition_of(state).abilities[killed.character].round_ending(table, seat)
    if not state.steps:
        close_round(table)


def _asked_late(state: State, character: str) -> tuple[int, ...]:
    """The seats that might show a killed character when the round ends, by all that is public."""
    if not edition_of(state).abilities[character].shown_late or character in state.faceup:
        return ()
    if any(character in player.revealed for player in state.players):
        return ()
    return tuple(seat for seat, player in enumerate(state.players) if player.concealed)


def close_round(table: Table) -> None:
    """What comes after the crown's last move of the round, then scoring if a city was completed."""
    state = table.state
    played = edition_of(state)
    for seat, player in enumerate(state.players):
        for character in player.revealed:
            played.abilities[character].closing(table, user_of(state, seat, character))
    if state.last_round:
        results = played.scores(state)
        table.emit(GameEnded(results, played.winners(state, results)))
    else:
        table.emit(RoundEnded())
