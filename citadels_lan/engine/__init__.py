"""The rules of Citadels: pure, without clock, chance or I/O of their own.

    state = new_table(from_scenario("first_game", players=4))
    for event in advance(state, chance):          # deals and begins the first round
        state = evolve(state, event)
    acting(state)                                 # the seats that must decide now
    decisions(state)                              # {seat: choices}
    events = decide(state, seat, parse("pick king", seat), chance)

`evolve` is the same for the full state and for a seat's `view`, fed with `redact`ed events. `advance` is called
whenever nobody has to decide and the game is not over: before the deal and between rounds. What a card costs or
does is asked of the edition: `edition_of(state).costs["keep"]`. `check_event` and `check_state` are for events and
views that somebody else has sent.
"""

from citadels_lan.engine.events.base import Impossible

from . import editions
from .action import Action
from .actions import other_seats
from .cards import HIDDEN, TYPES, DistrictType
from .chance import Chance
from .choices import Choice, Deal, expand
from .config import DEFAULT, RANDOM, Options, TableConfig, Unplayable
from .edition import EDITIONS, Edition, edition_named, edition_of
from .events import Event
from .notation import parse
from .plain import EVENTS, decode_event, decode_state, encode_event, encode_state
from .play import advance, decide, decisions, evolve, go_on, play_listed, play_move, redact, refusal
from .possible import check_event, check_state
from .reading import BadNotation
from .rules import IllegalMove
from .score import Score
from .setup import check, from_scenario, new_table, scenario_of
from .spots import SEATS, seat_name
from .state import District, Player, State, acting, view
from .table import Table

__all__ = [
    "DEFAULT",
    "EDITIONS",
    "EVENTS",
    "HIDDEN",
    "RANDOM",
    "SEATS",
    "TYPES",
    "Action",
    "BadNotation",
    "Chance",
    "Choice",
    "Deal",
    "District",
    "DistrictType",
    "Edition",
    "Event",
    "IllegalMove",
    "Impossible",
    "Options",
    "Player",
    "Score",
    "State",
    "Table",
    "TableConfig",
    "Unplayable",
    "acting",
    "advance",
    "check",
    "check_event",
    "check_state",
    "decide",
    "decisions",
    "decode_event",
    "decode_state",
    "edition_named",
    "edition_of",
    "editions",
    "encode_event",
    "encode_state",
    "evolve",
    "expand",
    "from_scenario",
    "go_on",
    "new_table",
    "other_seats",
    "parse",
    "play_listed",
    "play_move",
    "redact",
    "refusal",
    "scenario_of",
    "seat_name",
    "view",
]
