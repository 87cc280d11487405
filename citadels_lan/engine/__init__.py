"""The rules of Citadels. The engine uses no clock and no network, and gets its randomness from outside.

    state = new_table(from_scenario("first_game", players=4))
    for event in advance(state, chance):          # deals, and begins the first round
        state = evolve(state, event)
    acting(state)                                 # the seats that must decide now
    decisions(state)                              # {seat: choices}
    events = decide(state, seat, parse("pick king", seat), chance)

`evolve` works for the full state, and for a seat's `view` with `redact`ed events. Call `advance` when no seat must
decide and the game is not over: before the deal and between rounds. The edition has the costs and effects of the
cards: `edition_of(state).costs["keep"]`. `check_event` and `check_state` check events and views that come from
another program. docs/engine.md plays a game with these functions.
"""

from citadels_lan.engine.action import Action, parse
from citadels_lan.engine.actions import other_seats
from citadels_lan.engine.edition import EDITIONS, Edition, edition_named, edition_of
from citadels_lan.engine.events import Impossible
from citadels_lan.engine.notation import SEATS, BadNotation, seat_name

from . import editions
from .cards import HIDDEN, TYPES, DistrictType
from .choices import Choice, Deal, expand
from .config import DEFAULT, RANDOM, Options, TableConfig, Unplayable
from .encoding import EVENTS, decode_event, decode_state, encode_event, encode_state
from .events import Event
from .play import advance, decide, decisions, evolve, go_on, play_listed, play_move, redact, refusal
from .possible import check_event, check_state
from .rules import IllegalMove
from .score import Score
from .setup import check, from_scenario, new_table, scenario_of
from .state import District, Player, State, acting, view
from .table import Chance, Table

__all__ = [
    "DEFAULT", "EDITIONS", "EVENTS", "HIDDEN", "RANDOM", "SEATS", "TYPES", "Action", "BadNotation",
    "Chance", "Choice", "Deal", "District", "DistrictType", "Edition", "Event", "IllegalMove",
    "Impossible", "Options", "Player", "Score", "State", "Table", "TableConfig", "Unplayable", "acting",
    "advance", "check", "check_event", "check_state", "decide", "decisions", "decode_event",
    "decode_state", "edition_named", "edition_of", "editions", "encode_event", "encode_state", "evolve",
    "expand", "from_scenario", "go_on", "new_table", "other_seats", "parse", "play_listed", "play_move",
    "redact", "refusal", "scenario_of", "seat_name", "view",
]  # fmt: skip
