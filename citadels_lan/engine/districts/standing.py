"""Unique districts that matter as long as they stand."""

from citadels_lan.engine.pieces import Unique


class GreatWall(Unique):
    """Rank 8 pays one gold more for any other district of the city (R210, R269)."""

    key = "great_wall"
    wall = 1


class KeepEffect(Unique):
    """Rank 8 can never use its ability on it (R209)."""

    key = "keep"
    untouchable = True


class SchoolOfMagic(Unique):
    """Counts as a district of any type for income (R304)."""

    key = "school_of_magic"
    any_income = True
