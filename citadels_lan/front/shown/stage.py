"""How a game stands for one person, in a word, and how far the turn that is played has come."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final, Literal

from citadels_lan.engine import State, acting, edition_of
from citadels_lan.front.fate import fates, heals

Mood = Literal["mine", "dead", "other", "stopped", "waiting", "over", "closed", "offline"]
"""`mine`: it is this person's move. `dead`: its character was murdered, and nothing else is left to it in this
round. `stopped`: nobody can move. `waiting`: the table itself goes on soon. `closed`: the host has closed the
game. `offline`: there is no connection to the host."""
Progress = Literal["done", "now", "ahead"]
Name = Literal["gather", "build", "end"]


@dataclass(frozen=True)
class TurnPart:
    """A part of a turn; of `limit` things that may be done in it `used` are done."""

    name: Name
    progress: Progress
    used: int = 0
    limit: int = 0


def mood(view: State, seat: int | None, *, stopped: bool = False) -> Mood:
    """How the game stands for `seat`, None for somebody who watches."""
    deciding = acting(view)
    if view.phase == "over":
        return "over"
    if stopped:
        return "stopped"
    if seat in deciding:
        return "mine"
    if dead(view, seat):
        return "dead"
    return "other" if deciding else "waiting"


def dead(view: State, seat: int | None) -> bool:
    """Whether everything that `seat` still holds was murdered, and nothing heals."""
    killed = murdered(view, seat)
    return seat is not None and bool(killed) and killed >= set(view.players[seat].concealed)


def murdered(view: State, seat: int | None) -> Set[str]:
    """The characters of `seat` that get no turn for a murder; none where a district of its city heals."""
    if seat is None or heals(view, seat):
        return frozenset()
    return {mark.character for mark in fates(view, seat) if mark.kind == "killed"}


PARTS: Final[Mapping[str, Name]] = {
    **dict.fromkeys(("gather", "keep", "income", "bonus", "taxes"), "gather"),
    "build": "build",
    "end": "end",
}
"""The part of a turn to which a move belongs, by its verb; abilities belong to none."""


def parts(view: State, preselected: str = "") -> Sequence[TurnPart]:
    """The parts of the current turn; a part that is impossible is left out. `preselected` is the verb of the
    preselected move in the own turn: its part is marked as the current one."""
    turn = view.turn
    if turn is None:
        return ()
    ability = edition_of(view).abilities[turn.character]
    keeping = bool(view.steps) and view.steps[-1].verb == "keep"
    gathering = not turn.gathered or keeping
    full = turn.builds >= ability.limit
    building: Progress = "ahead" if gathering else "done" if full else "now"
    found = [TurnPart("gather", "now" if gathering else "done")]
    if ability.builds and not turn.bound:
        found.append(TurnPart("build", building, turn.builds, ability.limit))
    ends = not gathering and (found[-1].name == "gather" or full)
    found.append(TurnPart("end", "now" if ends else "ahead"))
    return [_marked(part, PARTS.get(preselected)) for part in found] if preselected else found


def _marked(part: TurnPart, name: str | None) -> TurnPart:
    if part.name == name:
        return replace(part, progress="now")
    return part if part.progress == "done" else replace(part, progress="ahead")
