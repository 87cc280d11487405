"""Rank 2, the Blackmailer: a threatened player pays half of the gold, or risks all of it (R130 to R141)."""

from typing import ClassVar

from citadels_lan.engine.action import OfAnswer
from citadels_lan.engine.actions import Bribe, Reveal, Threaten
from citadels_lan.engine.characters.naming import PlacingRule, ShowingRule, out_of_reach
from citadels_lan.engine.events import Answered, Asked, GoldMoved, ThreatLifted, ThreatShown, Unbound
from citadels_lan.engine.pieces import AnswerRule, Character, Mark, Marker, State, Steps, Table


class ThreatenRule(PlacingRule):
    """Place the threats face down. One of them has the flower: it is the threat that counts."""

    action = Threaten
    once = "threaten"
    kind = "threat"

    def unreachable(self, state: State, character: str) -> str | None:
        return out_of_reach(state, character)


class Threatened(Marker):
    """The marker of a threatened character. Its player gathers first and then pays, or risks the flower. A
    Blackmailer who plays the threatened character ignores it (R140)."""

    kind = "threat"

    def binds(self, state: State, seat: int, mark: Mark) -> bool:
        # The Blackmailer may threaten the other own character in a game of two or three.
        return seat != mark.by

    def gathered(self, table: Table, seat: int, mark: Mark) -> None:
        if seat != mark.by:
            table.emit(Asked("bribe", seat, other=mark.by))


class BribeRule(AnswerRule):
    """The threatened player pays half of their gold, rounded down, or declines (R133 to R135)."""

    action = Bribe

    def perform(self, table: Table, seat: int, action: OfAnswer) -> None:
        turn, blackmailer = table.state.current_turn, table.state.steps[-1].other
        assert blackmailer is not None
        table.emit(Answered("bribe", seat, "yes" if action.yes else "no"))
        if not action.yes:
            table.emit(Asked("reveal", blackmailer, other=seat))
            return
        half = table.state.players[seat].gold // 2
        if half:
            table.emit(GoldMoved(seat, blackmailer, half, "bribe"))
        # The threat leaves even if the half of one gold is nothing.
        table.emit(ThreatLifted(turn.character))
        table.emit(Unbound())


class RevealRule(ShowingRule):
    """If the threatened player has not paid, the Blackmailer reveals the threat or leaves it face down. If it
    has the flower, the Blackmailer takes all gold of that player (R135)."""

    action = Reveal
    kind = "threat"

    def perform(self, table: Table, seat: int, action: OfAnswer) -> None:
        state = table.state
        turn, flower = state.current_turn, state.mark("flower")
        table.emit(Answered("reveal", seat, "yes" if action.yes else "no"))
        if action.yes:
            flowered = flower is not None and flower.character == turn.character
            table.emit(ThreatShown(turn.character, flowered))
            # The gold is counted now, because the player has gathered since the threat.
            gold = state.players[turn.seat].gold
            if flowered and gold:
                table.emit(GoldMoved(turn.seat, seat, gold, "flower"))
        else:
            table.emit(ThreatLifted(turn.character))
        table.emit(Unbound())


class Blackmailer(Character):
    """The Blackmailer. `threats` is the number of threats."""

    key = "blackmailer"
    steps: ClassVar[Steps] = {"bribe": (BribeRule(),), "reveal": (RevealRule(),)}

    def __init__(self, threats: int) -> None:
        self.markers = (Threatened(),)
        self.rules = (ThreatenRule(threats),)
