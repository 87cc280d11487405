"""Playing rulings and comparing the results."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tests.engine.telling import Untold

from .cast import Unsound, check_cards, the_cast, the_edition
from .chance import Scripted
from .expect import differences
from .files import Case
from .given import table_of
from .play import Differs, Play
from .schema import Ruling


class Result(Struct, frozen=True):
    """The result of a ruling. If it failed, `why` is the difference."""

    id: str
    outcome: Literal["ok", "FAILED"]
    why: str = ""

    def __str__(self) -> str:
        return f"{self.outcome} {self.id}" + (f": {self.why}" if self.why else "")


def run_all(cases: Iterable[Case], seed: str = "") -> Iterator[Result]:
    """Play each case and yield its result. `seed` decides everything that a ruling leaves open; no result may
    depend on it."""
    return (run(case, seed) for case in cases)


def run(case: Case, seed: str = "") -> Result:
    """Play a ruling at an open and at a sealed table. Return the result; it is "ok" only if both match."""
    if case.ruling is None:
        return Result(case.id, "FAILED", case.problem)
    result = run_once(case, case.ruling, seed)
    if result.outcome != "ok":
        return result
    sealed = run_once(case, case.ruling, seed, sealed=True)
    return sealed if sealed.outcome == "ok" else replace(sealed, why=f"at a sealed table: {sealed.why}")


def run_once(case: Case, ruling: Ruling, seed: str, *, sealed: bool = False) -> Result:
    """Play a ruling at one table, open or sealed, and return the result."""
    try:
        problems = list(differences(played(ruling, seed, sealed=sealed), ruling.then))
    except (Unsound, Differs, Untold) as reason:
        return Result(case.id, "FAILED", str(reason))
    except Exception as error:  # the engine's own failures are failures of the ruling, and the others still run
        return Result(case.id, "FAILED", f"{type(error).__name__}: {error}")
    return Result(case.id, "FAILED", "; ".join(problems)) if problems else Result(case.id, "ok")


def played(ruling: Ruling, seed: str = "", *, sealed: bool = False) -> Play:
    """Return the ruling's table after all moves. Raises Unsound; Differs if a move does not do what the
    ruling says; Untold if a viewer receives information that the rules do not allow."""
    edition = the_edition(ruling.given)
    for line in ruling.when:
        if len(line.moves()) != 1:
            raise Unsound("each line of `when` is the move of one seat")
    cast = the_cast(ruling, edition)
    check_cards(ruling, edition)
    chance = Scripted(f"{seed}/{ruling.id}", ruling.given.shuffle, ruling.given.chance)
    start = table_of(ruling.given, edition, cast, chance, sealed=sealed)
    play = Play(start, chance, called_before=ruling.given.turn is not None)
    for line in ruling.when:
        play.make(line)
    return play
