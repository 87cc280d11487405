"""The crown on its way from one player to another."""

from citadels_lan.engine.events import Crowned
from citadels_lan.engine.table import Table

from .cities import all_uniques


def give_crown(table: Table, seat: int) -> None:
    """`seat` gets the crown if it is elsewhere, and districts in all cities answer to that (R377)."""
    if table.state.crown == seat:
        return
    table.emit(Crowned(seat))
    for owner, unique in all_uniques(table.state):
        unique.crowned(table, owner)
