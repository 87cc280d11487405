"""The crown on its way from one player to another."""

from citadels_lan.engine.events import Crowned
from citadels_lan.engine.table import Table

from .cities import uniques


def give_crown(table: Table, seat: int) -> None:
    """`seat` gets the crown if it is elsewhere, and districts in all cities answer to that (R377)."""
    if table.state.crown == seat:
        return
    table.emit(Crowned(seat))
    for owner in range(len(table.state.players)):
        for unique in uniques(table.state, owner):
            unique.crowned(table, owner)
