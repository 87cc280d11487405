"""Random games without sockets, verified from disk: `python -m tools.long_verify --games 10000 --jobs 2`.

The games cover all editions with their options, every character and district, seats that do not co-sign some
rounds or the end, seats that co-sign a round but leave out its check words, and seats that protest. The
transcripts of all seats and of a spectator are verified together, with the exit code 0. In some games the
file of one seat alone is verified, with the exit code 0, or 4 with exactly the seats that alone can open
their sealed moves; and a truncated file, with 4. The second verifier must agree about that one file. Any
other result is a false alarm, and is printed with its seed. Signatures that were checked when they were made
are not checked again.

With `--draft sealed` every draft is sealed. Some seats do not answer now and then. A seat that has drafted
and is away at the end gives no chain link, so its drafts stay closed, and the report must name exactly those
seats.
"""

import argparse
import contextlib
import io
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from citadels_lan.crypto.log import Move, Said
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.verify import verify
from tests.crypto.table import Game, begin, seats
from tests.engine.tables import ALL, Tables
from tests.extras import second
from tests.once import once


class Outcome(NamedTuple):
    """The result of one game: the numbers of entries, of signatures, of missing co-signatures, of sealed
    moves, of co-signatures without check words and of protests; and the error, if there is one."""

    entries: int
    signatures: int
    missed: int
    sealed: int
    wordless: int
    protests: int
    wrong: str


class Absences:
    """Chooses for each round the seats that are away and do not co-sign; some of them stay away until the
    end."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.often = rng.choice((0.0, 0.0, 0.1, 0.4))
        self.until: dict[int, int] = {}

    def __call__(self, game: Game) -> list[int]:
        round_ = game.host_log.audit.round
        for seat in range(len(game.state.players)):
            if round_ >= self.until.get(seat, 0) and self.rng.random() < self.often:
                self.until[seat] = round_ + self.rng.choice((1, 1, 2, 5, 100))
        return [seat for seat in range(len(game.state.players)) if round_ >= self.until.get(seat, 0)]


class Silence:
    """Chooses rounds in which some seats co-sign without check words."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.often = rng.choice((0.0, 0.05, 0.2))

    def __call__(self, game: Game) -> list[int]:
        return [seat for seat in range(len(game.state.players)) if self.rng.random() < self.often]


def play(seed: int, tables: Tables = ALL) -> Game:
    """Play a whole game without viewers."""
    rng = random.Random(seed)
    game = begin(setup=tables.draw(rng), seed=seed, followed=False)
    game.eager = rng.random() < 0.8
    game.present = Absences(rng)
    game.silent = Silence(rng)
    cross = rng.choice((0.0, 0.1))
    game.protesting = lambda game: [seat for seat in range(len(game.state.players)) if rng.random() < cross]
    return game.play()


def closed(game: Game) -> set[int]:
    """Return the seats that have not given the last link of their hash chain, so that their sealed drafts
    stay closed."""
    drafts = game.host_log.audit.drafts
    if drafts is None:
        return set()
    return set(range(len(game.state.players))) - drafts.links.keys()


def check(seed: int, folder: Path, tables: Tables = ALL) -> Outcome:
    """Play a game and verify its transcripts from disk."""
    game = play(seed, tables)
    rng = random.Random(seed)
    left = {place.seat for place in game.host_log.audit.concealed.pending.values()}
    paths: dict[int | None, Path] = {}
    for seat in seats(len(game.state.players)):
        paths[seat] = folder / f"{seed}-{seat}.ctr"
        paths[seat].write_bytes(game.transcript(seat))
    wrong = []
    shut = closed(game)
    together = verify(list(paths.values()))
    told = [(one.code, one.seat) for one in together.findings]
    if together.code != (4 if shut else 0) or set(told) != {("draft_unopened", seat) for seat in shut}:
        wrong.append(f"together {together.code}: {report_text.text(together)}")
    alone = rng.choice(list(paths))
    code, lacking = said_by_the_second(paths[alone]), bool(left - {alone} or shut)
    if code != 4 * lacking:
        wrong.append(f"the second verifier of {alone}: {code}")
    if left or seed % 4 == 0:
        report = verify([paths[alone]])
        unopened = {finding.seat for finding in report.findings if finding.code == "unopened"}
        expected = left - {alone}
        others = {(one.code, one.seat) for one in report.findings if one.code != "unopened"}
        others -= {("draft_unopened", seat) for seat in shut}
        if others or unopened != expected or report.code != 4 * lacking:
            wrong.append(f"alone {alone} {report.code}: {report_text.text(report)}")
    if seed % 10 == 0:
        data = game.transcript(alone, finish=False)
        paths[alone].write_bytes(data[: rng.randrange(300, len(data))])
        report = verify([paths[alone]])
        if report.code != 4:
            wrong.append(f"cut off {report.code}: {report_text.text(report)}")
    for path in paths.values():
        path.unlink()
    cosigned = game.host_log.audit.cosigned
    missed = sum(len(one.seats) < len(game.state.players) for one in cosigned)
    sealed = sum(isinstance(what, str) and " sealed " in what for what in moves(game))
    if together.files[0].audit.cosigned != cosigned:
        wrong.append("co-signatures are told otherwise")
    times = (sum(not one.words for one in cosigned), sum(len(one.protests) for one in cosigned))
    return Outcome(len(game.bodies), together.files[0].signatures, missed, sealed, *times, "\n".join(wrong))


def said_by_the_second(path: Path) -> int:
    """Return the exit code of the second verifier, extras/check_transcript.py, for a file."""
    with contextlib.redirect_stdout(io.StringIO()):
        code: int = second.remembering().main([str(path)])
    return code


def moves(game: Game) -> list[str | bytes]:
    """Return for each move of a game what was published of it: its notation, or the commitment of a hidden
    move."""
    entries = game.host_log.entries()
    said = [item.message for entry in entries if isinstance(entry, Said) for item in entry.items]
    return [*(entry.what for entry in entries if isinstance(entry, Move)), *said]


def checked(seed: int, folder: Path, tables: Tables = ALL) -> Outcome:
    """Run `check`; if it raises an error, return an outcome with the traceback."""
    try:
        with once():
            return check(seed, folder, tables)
    except Exception:
        return Outcome(0, 0, 0, 0, 0, 0, traceback.format_exc())


def in_time(seed: int, *, folder: Path, tables: Tables, until: float) -> Outcome | None:
    """Run `checked`; after the time `until`, do nothing and return None."""
    return None if time.time() > until else checked(seed, folder, tables)


def run(
    games: int, seed: int, jobs: int, seconds: float = float("inf"), tables: Tables = ALL
) -> tuple[Counter[str], list[str]]:
    """Return the sums of all games and the texts of the errors. No game begins after `seconds`."""
    sums: Counter[str] = Counter()
    wrong: list[str] = []
    numbers = range(seed * 1_000_003, seed * 1_000_003 + games)
    with tempfile.TemporaryDirectory() as name, ProcessPoolExecutor(jobs) as pool:
        work = partial(in_time, folder=Path(name), tables=tables, until=time.time() + seconds)
        for number, one in zip(numbers, pool.map(work, numbers), strict=True):
            if one is None:
                continue
            sums["games"] += 1
            sums["entries"] += one.entries
            sums["signatures"] += one.signatures
            sums["missed"] += one.missed
            sums["sealed"] += one.sealed
            sums["wordless"] += one.wordless
            sums["protests"] += one.protests
            if one.wrong:
                wrong.append(f"seed {number}: {one.wrong}")
    return sums, wrong


def main() -> int:
    """Play the games and print one line with the results. Return 1 if any result was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no more games after so long")
    Tables.add_arguments(parser)
    Tables.add_draft(parser)
    options = parser.parse_args()
    begun = time.perf_counter()
    sums, wrong = run(options.games, options.seed, options.jobs, options.seconds, Tables.of(options))
    seconds = time.perf_counter() - begun
    for one in wrong:
        print(one, file=sys.stderr)
    print(
        f"{sums['games']} games from seed {options.seed}: {sums['entries']} entries, {sums['signatures']} "
        f"signatures, {sums['missed']} rounds not signed by somebody, {sums['wordless']} without words, "
        f"{sums['protests']} protests, {sums['sealed']} sealed moves;",
        f"{seconds:.0f} s, {sums['games'] / seconds:.2f} games/s: {len(wrong)} false alarms",
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
