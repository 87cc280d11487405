"""The order of entries is one table in `crypto.protocol` and in docs/protocol.md; the machine follows it."""

import re
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.client_log import ClientLog, decode_events
from citadels_lan.crypto.log import Mismatch, Move, events_of
from citadels_lan.crypto.protocol import KINDS, PHASES
from citadels_lan.crypto.replay import opened_line, play
from citadels_lan.engine import from_scenario
from tests.crypto.sealed.files import sealed_first
from tests.crypto.table import FP, GAME, HOST, Game, begin
from tests.facts import RULES

PROTOCOL: Final = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")


def stated() -> dict[str, set[str]]:
    """Return the entries that may come in each phase, from the text."""
    rows = PROTOCOL.partition("**Order.**")[2].partition("\n\n")[2].partition("\n\n")[0].splitlines()[1:]
    column = PROTOCOL.partition("    phase  ")[2].index("next") + len("    phase  ")
    return {row.split()[0]: set(row[column:].replace(",", " ").split()) for row in rows}


def seen(*games: Game) -> dict[str, set[str]]:
    """Return the entries that came in each phase of these games."""
    came: dict[str, set[str]] = {}
    names = {kind: name for name, kind in KINDS.items()}
    for game in games:
        log = game.host_log
        machine = Auditor(GAME, log.header.rules, FP, HOST.public)
        for n, entry in enumerate(log.entries(), 1):
            came.setdefault(machine.phase, set()).add(names[type(entry)])
            machine.read(n, log.head_at(n - 1), entry, decode_events(events_of(entry)))
        came.setdefault(machine.phase, set())
    return came


def test_protocol_page_states_the_phases_of_the_program() -> None:
    assert stated() == {phase: set(names.split()) for phase, names in PHASES.items()}


def test_protocol_page_states_the_kinds_of_entries() -> None:
    rows = re.findall(r"^\| (\d) (\w+) \| `\[(\d)", PROTOCOL, re.MULTILINE)
    numbers = {name: kind.__struct_config__.tag for name, kind in KINDS.items()}
    assert {name: int(number) for number, name, _ in rows} == numbers
    assert all(number == first for number, _, first in rows)


def test_games_go_through_all_phases(duel: Game, four: Game) -> None:
    laps = begin(setup=from_scenario("first_game", 2, edition_key="citta_comune"), followed=False).play()
    away = begin(followed=False)
    away.gone = lambda game: [] if game.host_log.audit.absences.all else [1]
    away.play(until=lambda game: sum(game.host_log.audit.moves.values()) > 1)
    sealed = begin(setup=sealed_first(4), followed=False).play()
    came = seen(duel, four, laps, away, sealed)
    assert came.keys() == PHASES.keys()
    assert all(names <= set(PHASES[phase].split()) for phase, names in came.items())


def test_replay_of_a_closed_log_gives_the_same_game(four: Game) -> None:
    """From what a spectator received, once it is closed."""
    client_log = ClientLog(GAME, RULES, FP, HOST.public)
    entries = [client_log.receive(bodies[None]).entry for bodies in four.bodies]
    line = partial(opened_line, client_log.audit)
    played = list(play(four.host_log.header, entries, line, SeededChance(four.host_log.seed() or b"")))
    assert played[-1].state == four.state
    assert [one.line for one in played if one.seat is not None] == [
        four.host_log.line(one.n) for one in played if one.seat is not None
    ]


def test_hidden_lines_are_missing_before_the_end(four: Game) -> None:
    client_log = ClientLog(GAME, RULES, FP, HOST.public)
    entries = [client_log.receive(bodies[None]).entry for bodies in four.bodies[:6]]
    move = entries[-1]
    assert isinstance(move, Move)
    with pytest.raises(Mismatch, match="unopened"):
        opened_line(client_log.audit, 6, move)


def test_another_seed_gives_another_game(four: Game) -> None:
    entries = four.host_log.entries()
    with pytest.raises(Mismatch):
        list(play(four.host_log.header, entries, four.host_log.line, SeededChance(bytes(32))))
