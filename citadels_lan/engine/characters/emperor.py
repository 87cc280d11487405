"""Rank 4, the Emperor: gold for noble districts; gives the crown to another player.

In the 2016 edition he takes a gold or a random card for it (R164 to R168). In Dark City he gives the crown when
he is called, and the crowned player chooses what to give him (R387, R468).
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from citadels_lan.engine.actions import TAKINGS, Crown, Tribute, other_seats
from citadels_lan.engine.characters.crown import give_crown
from citadels_lan.engine.characters.income import INCOME
from citadels_lan.engine.events import Answered, Asked, CardsMoved, GoldMoved
from citadels_lan.engine.flow.rounds import close_round
from citadels_lan.engine.pieces import Character, Choice, IllegalMove, Rule, State, Steps, Table


def heirs(state: State, seat: int) -> Iterator[int]:
    """Yield the seats to which `seat` may give the crown: all but `seat` and the seat that has the crown
    (R079, R164)."""
    return (other for other in other_seats(len(state.players), seat) if other != state.crown)


def no_heir(state: State, seat: int, action: Crown) -> IllegalMove | None:
    """Return why `seat` cannot give the crown to the seat that `action` names, or None if it can."""
    if action.seat is None:
        return IllegalMove("crown_somebody")
    if action.seat >= len(state.players):
        return IllegalMove("no_such_seat")
    if action.seat == seat:
        return IllegalMove("crown_not_yourself")
    return IllegalMove("crowned_already") if action.seat == state.crown else None


class GiveCrownRule(Rule[Crown]):
    """Give the crown to another player, and take a gold or a random card of that player, if they have one
    (R166)."""

    action = Crown
    once = "crown"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        crowns = [Crown(heir, taking) for heir in heirs(state, seat) for taking in (*TAKINGS, None)]
        return [crown for crown in crowns if self.refusal(state, seat, crown) is None]

    def refusal(self, state: State, seat: int, action: Crown) -> IllegalMove | None:
        refused = no_heir(state, seat, action)
        if refused is not None or action.seat is None:
            return refused
        heir = state.players[action.seat]
        if action.taking == "gold":
            return None if heir.gold else IllegalMove("stash_empty")
        if action.taking == "card":
            return None if heir.hand else IllegalMove("hand_empty")
        # The crown can go to a player who has nothing to give (R166).
        return IllegalMove("take_something") if heir.gold or heir.hand else None

    def perform(self, table: Table, seat: int, action: Crown) -> None:
        heir = action.seat
        assert heir is not None
        give_crown(table, heir)
        if action.taking == "gold":
            table.emit(GoldMoved(heir, seat, 1, "crown"))
        elif action.taking == "card":
            card = table.chance.pick(table.label("tribute", seat), table.state.players[heir].hand)
            table.emit(CardsMoved(heir, seat, (card,), "crown"))


class AppointRule(Rule[Crown]):
    """Give the crown to another player. In the Emperor's turn that player then gives a tribute. A killed
    Emperor gives the crown at the end of the round and gets no tribute (R469)."""

    action = Crown

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [Crown(heir) for heir in heirs(state, seat)]

    def refusal(self, state: State, seat: int, action: Crown) -> IllegalMove | None:
        if action.taking is not None:
            return IllegalMove("heir_chooses")
        return no_heir(state, seat, action)

    def perform(self, table: Table, seat: int, action: Crown) -> None:
        heir = action.seat
        assert heir is not None
        table.emit(Answered("crown", seat))
        give_crown(table, heir)
        # No turn is in progress: this is the killed Emperor at the end of the round.
        if table.state.turn is None:
            close_round(table)
        else:
            _ask_for_tribute(table, heir, seat)


def _ask_for_tribute(table: Table, heir: int, emperor: int) -> None:
    """Ask the crowned player `heir` to give the Emperor a gold or a card. With only one possible tribute,
    move it without asking. Without gold and cards, do nothing."""
    player = table.state.players[heir]
    # Equal cards are one choice, so only different ones count.
    kinds = set(player.hand)
    if bool(player.gold) + len(kinds) > 1:
        table.emit(Asked("tribute", heir, other=emperor))
    elif player.gold:
        _give(table, heir, emperor, None)
    elif kinds:
        _give(table, heir, emperor, player.hand[0])


def _give(table: Table, heir: int, emperor: int, card: str | None) -> None:
    if card is None:
        table.emit(GoldMoved(heir, emperor, 1, "tribute"))
    else:
        table.emit(CardsMoved(heir, emperor, (card,), "tribute"))


class LateCrownRule(AppointRule):
    """At the end of the round the player of a killed Emperor gives the crown and takes nothing (R167)."""

    def refusal(self, state: State, seat: int, action: Crown) -> IllegalMove | None:
        taking = action.taking is not None
        return IllegalMove("take_nothing") if taking else super().refusal(state, seat, action)


class TributeRule(Rule[Tribute]):
    """The crowned player gives the Emperor a gold or any hand card."""

    action = Tribute

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        player = state.players[seat]
        gold = [Tribute()] if player.gold else []
        return [*gold, *(Tribute(card) for card in sorted(set(player.hand)))]

    def refusal(self, state: State, seat: int, action: Tribute) -> IllegalMove | None:
        player = state.players[seat]
        if action.card is None:
            return None if player.gold else IllegalMove("stash_empty")
        return None if action.card in player.hand else IllegalMove("not_in_hand", card=action.card)

    def perform(self, table: Table, seat: int, action: Tribute) -> None:
        emperor = table.state.steps[-1].other
        assert emperor is not None
        # The step must be gone before the round closes, or the round would wait for it.
        table.emit(Answered("tribute", seat))
        _give(table, seat, emperor, action.card)


class Emperor(Character):
    """The Emperor of 2016, who gives the crown during his turn."""

    key = "emperor"
    shown_late = True
    steps: ClassVar[Steps] = {"crown": (LateCrownRule(),)}

    def __init__(self) -> None:
        self.rules = (INCOME, GiveCrownRule())

    def unfinished(self, state: State, seat: int) -> str | None:
        # Unlike the King, the Emperor must choose a player, so the turn cannot end without it.
        return None if "crown" in state.current_turn.used else "crown_first"

    def round_ending(self, table: Table, seat: int) -> None:
        table.emit(Asked("crown", seat))


class EmperorAtTheCall(Character):
    """The Emperor of Dark City, who gives the crown when he is called, if there is a seat to give it to
    (R499). If `late`, a killed Emperor gives it at the end of the round (R469)."""

    key = "emperor"
    steps: ClassVar[Steps] = {"crown": (AppointRule(),), "tribute": (TributeRule(),)}

    def __init__(self, *, late: bool) -> None:
        self.rules = (INCOME,)
        self.shown_late = late

    def opening(self, table: Table, seat: int) -> None:
        if any(True for _ in heirs(table.state, seat)):
            table.emit(Asked("crown", seat))

    def round_ending(self, table: Table, seat: int) -> None:
        table.emit(Asked("crown", seat))
