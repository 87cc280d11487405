"""The rules of Citadels: pure, without clock, chance or I/O of their own.

    state = new_table(Setup(players=4))
    for event in advance(state, chance):          # deals and begins the first round
        state = evolve(state, event)
    acting(state)                                 # the seats that must decide now
    decisions(state)                              # {seat: choices}
    events = decide(state, seat, parse("pick king", seat), chance)

`evolve` is the same for the full state and for a seat's `view`, fed with `redact`ed events. `advance` is called
whenever nobody has to decide and the game is not over: before the deal and between rounds. `check_event` and
`check_state` are for events and views that somebody else has sent.
"""

from citadels_lan.engine.events.base import Impossible

from . import characters, districts
from .actions import Action, seat_name
from .chance import Chance
from .choices import Choice, Deal, expand
from .events import EVENTS, Event, decode_event, encode_event
from .notation import BadNotation, parse
from .possible import check_event, check_state
from .rules import IllegalMove
from .setup import SCENARIOS, Setup, Unplayable, from_scenario, new_table
from .state import Score, State, acting, view
from .table import Table, advance, decide, decisions, evolve, redact, refusal

__all__ = [
    "EVENTS",
    "SCENARIOS",
    "Action",
    "BadNotation",
    "Chance",
    "Choice",
    "Deal",
    "Event",
    "IllegalMove",
    "Impossible",
    "Score",
    "Setup",
    "State",
    "Table",
    "Unplayable",
    "acting",
    "advance",
    "characters",
    "check_event",
    "check_state",
    "decide",
    "decisions",
    "decode_event",
    "districts",
    "encode_event",
    "evolve",
    "expand",
    "from_scenario",
    "new_table",
    "parse",
    "redact",
    "refusal",
    "seat_name",
    "view",
]
