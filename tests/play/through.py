"""Whole games as text, for people to read: each move in notation, its events in sentences, the table after
each round, the scores.

    python -m tests.play.through            rewrites each game that the rules no longer play as written
    python -m tests.play.through two        rewrites this game, played by bots

A file contains all that is needed to check it: its first lines are the configuration of the table, its moves
are made again, and everything else in it must follow from these. After an intended change of the rules, run
`make goldens` and read the changes in the files.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from citadels_lan.bots import make_policy
from citadels_lan.engine import (
    Choice,
    Event,
    State,
    TableConfig,
    from_scenario,
    new_table,
    parse,
    redact,
    seat_name,
    view,
)
from citadels_lan.engine.events import Shuffled
from citadels_lan.texts import load
from citadels_lan.texts.log import sentence

from .dice import LabelChance
from .table import Play

FOLDER: Final = Path(__file__).with_name("golden")
NAMES: Final = ("Ada", "Bruno", "Chiara", "Dario", "Elena", "Fabio", "Gaia", "Ivo")
EN: Final = load("en")
STRANGE: Final = (
    "witch", "blackmailer", "wizard", "emperor", "abbot", "trader", "navigator", "diplomat", "artist",
)  # fmt: skip
UNIQUES: Final = (
    "armory", "basilica", "framework", "great_wall", "haunted_quarter", "laboratory", "museum", "necropolis",
    "poor_house", "secret_vault", "smithy", "stables", "theater", "thieves_den",
)  # fmt: skip
RICHER: Final = (("starting_gold", 2),)
DARK: Final = (
    "witch", "tax_collector", "wizard", "emperor", "abbot", "alchemist", "navigator", "diplomat", "queen",
)  # fmt: skip
GAMES: Final[Mapping[str, tuple[TableConfig, int]]] = {
    "two": (from_scenario("first_game", 2), 0),
    "four": (from_scenario("first_game", 4), 0),
    "seven": (TableConfig(7, STRANGE, UNIQUES), 4),
    "classic": (from_scenario("first_game", 4, edition_key="classic"), 0),
    "dark_city": (TableConfig(5, DARK, edition="dark_city", options=(("killed_king", "stays"),)), 6),
    "citta_comune": (from_scenario("first_game", 4, edition_key="citta_comune", options=RICHER), 10),
}
"""For each file: the configuration of the table, and how many rounds the text has; 0 for the whole game."""


def header(setup: TableConfig, rounds: int) -> list[str]:
    """Return the first lines of a text: the configuration of the table and the number of rounds."""
    return [
        f"edition: {setup.edition}",
        *([f"options: {' '.join(f'{name}={value}' for name, value in setup.options)}"] if setup.options else []),
        f"rounds: {rounds or 'all'}",
        f"players: {setup.players}",
        f"cast: {' '.join(setup.cast)}",
        f"districts: {' '.join(setup.districts)}",
        "",
    ]


def facts(text: str) -> dict[str, str]:
    """Return the first lines of a text as {name: value}."""
    return dict(line.split(": ", 1) for line in text.split("\n\n", 1)[0].splitlines())


def setup_of(text: str) -> TableConfig:
    """Return the configuration of the table from the first lines of a text."""
    said = facts(text)
    pairs = (one.partition("=") for one in said.get("options", "").split())
    options = tuple((name, int(value) if value.isdecimal() else value) for name, _, value in pairs)
    cast, districts = tuple(said["cast"].split()), tuple(said["districts"].split())
    return TableConfig(int(said["players"]), cast, districts, said["edition"], options)


def moves_of(text: str) -> list[tuple[int, str]]:
    """Return the moves in a text: the lines that begin with a seat."""
    lines = text.split("\n\n", 1)[1].splitlines()
    return [("abcdefgh".index(line[0]), line[3:]) for line in lines if line[1:3] == ": "]


def told(events: Sequence[Event], names: Sequence[str]) -> Iterator[str]:
    """Yield a line for each event: the sentence that a spectator reads, and the cards that are hidden from a
    spectator in brackets."""
    for event in events:
        said = sentence(EN, redact(event, None), names, None)
        secret = " ".join(hidden(event))
        if said is not None:
            yield f"    {said} [{secret}]" if secret else f"    {said}"


def hidden(event: Event) -> Iterator[str]:
    """Yield the cards in an event that a spectator does not see. Nothing for a shuffle of the deck."""
    shown = redact(event, None).fields()
    for name, value in event.fields().items():
        if value != shown[name] and not isinstance(event, Shuffled):
            yield from (value,) if isinstance(value, str) else map(str, value)


def standing(state: State, names: Sequence[str]) -> Iterator[str]:
    """Yield lines that show the table between two rounds or laps."""
    yield ""
    for seat, player in enumerate(state.players):
        city = " ".join(district.key for district in player.city) or "-"
        hand = " ".join(player.hand) or "-"
        points = f" · {player.points} points" if player.points else ""
        yield f"    {seat_name(seat)} {names[seat]}: {player.gold} gold · hand {hand} · city {city}{points}"
    if state.discards:
        yield f"    pile: {' '.join(state.discards)}"
    yield ""


def result(state: State, names: Sequence[str]) -> Iterator[str]:
    """Yield a line for each seat with its score and the parts of it."""
    for seat, score in enumerate(state.scores):
        parts = ", ".join(f"{why} {points}" for why, points in score.parts)
        yield f"    {names[seat]}: {score.total} ({parts})"


Mover = Callable[[State, int, Sequence[Choice]], str]
"""Returns the line of notation of a seat's move, given the state, the seat and its choices."""


def narrated(setup: TableConfig, mover: Mover, rounds: int) -> Iterator[str]:
    """Play a game with the moves that `mover` returns, up to round `rounds` (0: to the end). Yield the lines
    of its text."""
    play, names = Play(new_table(setup), LabelChance(1)), NAMES[: setup.players]
    yield from header(setup, rounds)
    while not play.over:
        asked = play.asked()
        if asked is None:
            if play.state.round:
                yield from standing(play.state, names)
                if play.state.round == rounds:
                    return
            yield from told(play.begin_round(), names)
            continue
        seat, choices = asked
        line = mover(play.state, seat, choices)
        yield f"{seat_name(seat)}: {line}"
        yield from told(play.move(seat, parse(line, seat)), names)
    yield from standing(play.state, names)
    yield from result(play.state, names)


def again(text: str) -> str:
    """Play the table of a text with its moves again. Return the text of that game."""
    moves, said = iter(moves_of(text)), facts(text)["rounds"]

    def next_one(state: State, seat: int, choices: Sequence[Choice]) -> str:
        mover, line = next(moves, (-1, "nothing"))
        assert mover == seat, f"{seat_name(seat)} is asked, but the text has {seat_name(mover)}: {line}"
        return line

    return joined(narrated(setup_of(text), next_one, 0 if said == "all" else int(said)))


def played(name: str) -> str:
    """Play one of GAMES with bots. Return its text."""
    setup, rounds = GAMES[name]
    bots = [make_policy("sensible", f"golden {seat}") for seat in range(setup.players)]

    def choose(state: State, seat: int, choices: Sequence[Choice]) -> str:
        return str(bots[seat].choose(view(state, seat), seat, choices))

    return joined(narrated(setup, choose, rounds))


def joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def path(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def stale(name: str) -> bool:
    """Return whether the text of a game is missing, or the rules no longer replay it as written."""
    try:
        text = path(name).read_text(encoding="utf-8")
        return again(text) != text
    except Exception:  # a changed rule can stop the replay in any way
        return True


if __name__ == "__main__":
    for chosen in sys.argv[1:] or filter(stale, GAMES):
        path(chosen).write_text(played(chosen), encoding="utf-8")
