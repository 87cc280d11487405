"""The Hospital: its owner, killed, answers the call and gathers (R375)."""

from citadels_lan.engine.pieces import Unique


class Hospital(Unique):
    key = "hospital"
    heals = True
