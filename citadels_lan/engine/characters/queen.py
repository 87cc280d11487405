"""Rank 9, the Queen: three gold if she sits next to the player who revealed rank 4 (R229 to R236). In Città
Comune she gets them for being near the King (R418)."""

from citadels_lan.engine.actions import Bonus
from citadels_lan.engine.characters.income import BonusRule
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import QueenWaits
from citadels_lan.engine.pieces import Character, IllegalMove, State, Table
from citadels_lan.engine.state import is_killed


def beside_rank_four(state: State, seat: int, *, killed: bool) -> bool:
    """Return whether a neighbour of `seat` has revealed the character of rank 4 in this round. If `killed`,
    only a killed character counts; otherwise only one that was not killed."""
    rank = edition_of(state).ranks
    count = len(state.players)
    # With two players both neighbours are the same player.
    neighbours = (state.players[(seat - 1) % count], state.players[(seat + 1) % count])
    return any(
        rank[character] == 4 and is_killed(state, character) == killed
        for player in neighbours
        for character in player.revealed
    )


class QueenBonus(BonusRule):
    """Take the gold if a neighbour has revealed rank 4 and that character was not killed."""

    def refusal(self, state: State, seat: int, action: Bonus) -> IllegalMove | None:
        refused = super().refusal(state, seat, action)
        if refused is None and not beside_rank_four(state, seat, killed=False):
            return IllegalMove("not_beside_rank_four")
        return refused


class Queen(Character):
    """The Queen. `gold` is her bonus. If the neighbour's rank 4 character was killed, she gets it at the end
    of the round."""

    key = "queen"

    def __init__(self, gold: int) -> None:
        self.gold = gold
        self.rules = (QueenBonus(gold=gold),)

    def closing(self, table: Table, seat: int) -> None:
        if beside_rank_four(table.state, seat, killed=True):
            table.gain_gold(seat, self.gold, "bonus")


KING = "king"


def near_the_king(state: State, seat: int) -> bool:
    """Return whether the Queen of `seat` is near the King: the King was called just before her, or `seat`
    sits next to the seat with the crown. With two players always True (R418)."""
    count = len(state.players)
    # `recent` ends with the Queen herself, so the call before her is the other entry.
    return count == 2 or state.recent[:-1] == (KING,) or (state.crown - seat) % count in (1, count - 1)


class NearBonus(BonusRule):
    """Take the gold if `near_the_king`."""

    def refusal(self, state: State, seat: int, action: Bonus) -> IllegalMove | None:
        refused = super().refusal(state, seat, action)
        if refused is None and not near_the_king(state, seat):
            return IllegalMove("not_near_the_king")
        return refused


class QueenOfTheCycle(Character):
    """The Queen of Città Comune. If she did not get her `gold` in her turn, she gets it when the next
    character called is the King. A Witch who plays a bewitched Queen does not get it at that call (R419)."""

    key = "queen"

    def __init__(self, gold: int) -> None:
        self.gold = gold
        self.rules = (NearBonus(gold=gold),)

    def ending(self, table: Table, seat: int) -> None:
        turn = table.state.current_turn
        # A Queen who has been paid does not wait for the King again.
        if "bonus" not in turn.used and not turn.resumed:
            table.emit(QueenWaits(seat))

    def followed(self, table: Table, seat: int, character: str) -> None:
        if character == KING:
            table.gain_gold(seat, self.gold, "bonus")
