"""The order of the entries stands as a table in `crypto.audit.auditor`; the machine does what the
table says, and no more."""

from collections import defaultdict

from citadels_lan.crypto.audit import Auditor, auditor
from citadels_lan.crypto.client_log import decode_events
from citadels_lan.crypto.log import (
    CheckWords,
    Close,
    Commits,
    CoSigned,
    Move,
    Open,
    SeatChange,
    TableMove,
    events_of,
)
from citadels_lan.engine import from_scenario
from tests.crypto.table import FP, GAME, HOST, Game, begin

KINDS = {
    "open": Open,
    "commits": Commits,
    "table": TableMove,
    "move": Move,
    "signed": CoSigned,
    "words": CheckWords,
    "close": Close,
    "seat": SeatChange,
}
Arrows = dict[str, set[str]]


def told() -> Arrows:
    """What the docstring says: the kinds of entries after each kind."""
    rows = (auditor.__doc__ or "").partition("may come\n")[2].partition("\n\n")[0].splitlines()
    arrows: Arrows = defaultdict(set)
    for row in rows:
        after, words = row[4:14].strip(), row[14:32].split()
        if after:
            arrows[after] |= set(words)
    return dict(arrows)


def seen(games: list[Game]) -> Arrows:
    """What the machine expects after each entry of these games."""
    arrows: Arrows = defaultdict(set)
    for game in games:
        log = game.host_log
        machine, last = Auditor(GAME, log.header.rules, FP, HOST.public), "nothing"
        for n, entry in enumerate(log.entries(), 1):
            arrows[last] |= {name for name, kind in KINDS.items() if machine.expects(kind)}
            machine.read(n, log.head_at(n - 1), entry, decode_events(events_of(entry)))
            last = next(name for name, kind in KINDS.items() if isinstance(entry, kind))
        arrows[last] |= {name for name, kind in KINDS.items() if machine.expects(kind)}
    return dict(arrows)


def test_the_table_of_the_order_is_what_the_machine_does(duel: Game, four: Game) -> None:
    laps = begin(setup=from_scenario("first_game", 2, edition_key="citta_comune"), followed=False).play()
    away = begin(followed=False)
    away.gone = lambda game: [] if game.host_log.audit.absences.all else [1]
    away.play(until=lambda game: sum(game.host_log.audit.moves.values()) > 1)
    assert told() == seen([duel, four, laps, away])
