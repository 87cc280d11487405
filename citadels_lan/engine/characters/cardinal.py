"""Rank 5, the Cardinal: cards for religious districts; borrows missing gold for cards (R181 to R189).
`turn/payment.py` has the loan."""

from citadels_lan.engine.characters.income import INCOME
from citadels_lan.engine.pieces import Character


class Cardinal(Character):
    """The Cardinal of 2016."""

    key = "cardinal"
    borrows = True

    def __init__(self) -> None:
        self.rules = (INCOME,)
