"""Rank 5, the Cardinal: cards for religious districts; borrows missing gold for cards (R181 to R189). The loan
is a way of paying, see `building`."""

from citadels_lan.engine.pieces import Character

from .income import INCOME


class Cardinal(Character):
    key = "cardinal"
    borrows = True

    def __init__(self) -> None:
        self.rules = (INCOME,)
