"""The state of the game for one player: mood, parts of the turn, status line, and the outlook between moves."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final, Literal

from citadels_lan.engine import HIDDEN, State, acting, edition_of
from citadels_lan.net.client.view import TableView
from citadels_lan.texts import Texts, msg, msg_in, msgs
from citadels_lan.texts.cards import summary
from citadels_lan.texts.questions import question
from citadels_lan.texts.record import CLOSING

from . import pending
from .attacks import POWERLESS, clears, public_effects
from .city_view import before, shared
from .failures import because
from .identities import possible
from .log import Line, Log, effect_notice, notice_text

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
    """How the game stands for `seat`, None for a spectator."""
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
    """Whether all characters that `seat` still holds were murdered, and no district heals."""
    killed = murdered(view, seat)
    return seat is not None and bool(killed) and killed >= set(view.players[seat].concealed)


def murdered(view: State, seat: int | None) -> Set[str]:
    """The characters of `seat` that get no turn for a murder; none where a district of its city heals."""
    if seat is None or clears(view, seat):
        return frozenset()
    return {mark.character for mark in public_effects(view, seat) if mark.kind == "killed"}


PARTS: Final[Mapping[str, Name]] = {
    **dict.fromkeys(("gather", "keep", "income", "bonus", "taxes"), "gather"), "build": "build", "end": "end",
}  # fmt: skip
"""The part of a turn to which a move belongs, by its verb; abilities belong to none."""


def turn_parts(view: State, preselected: str = "") -> Sequence[TurnPart]:
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


def statuses(
    texts: Texts, table: TableView, names: Sequence[str], left: str = "", *, hosting: bool, keys: Mapping[str, str]
) -> Sequence[str]:
    """The status line in several lengths, the longest first; the shortest has only what no other part of a screen
    shows. `left` is the remaining time for a decision; `hosting`: this player may let bots move; `keys` has the
    key or word of a command by its name."""
    view = table.state
    if view is None:
        return [texts.say(msg("Waiting for the game to begin."))]
    if table.halted:
        gone = pending.asked_about_absent(texts, table, names, hosting=hosting)
        return [_all(because(texts, table.halted, {}), gone)]
    if view.phase == "over" and not table.record_closed:
        return [texts.say(CLOSING)]
    if view.phase != "over" and table.record_closed:
        ended = texts.say(notice_text("end", "ended"))
        return [_all(ended, pending.how_to_leave(texts, keys)), ended]
    seats = pending.handing_on(view, table.waiting) if view.draft != "open" else ()
    handing = texts.listing([names[seat] for seat in seats]) if seats else ""
    asks = texts.say(pending.HANDS_ON, names=handing) if handing else question(texts, view, table.seat, names)
    acts = _all(asks, left)
    if table.paused:
        paused = pending.paused_sentence(texts, keys)
        return [_all(paused, acts), paused]
    if table.seat in table.substituted:
        said = pending.taken_over_sentence(texts, keys) if table.taken_over else texts.say(pending.KEPT)
        return [_all(acts, said), said]
    if not table.away:
        return [acts]
    missing = _missing(texts, table, names, hosting=hosting)
    offer = pending.offered(texts, table, keys, hosting=hosting)
    if not (missing or offer):
        return [acts]
    waits = view.inquiry is not None or bool(handing)
    return [_all(missing, acts) if waits else _all(acts, missing, offer), _all(missing, offer)]


def _all(*said: str) -> str:
    return " ".join(filter(None, said))


def _missing(texts: Texts, table: TableView, names: Sequence[str], *, hosting: bool) -> str:
    """Who is waited for and away."""
    away = texts.listing([names[seat] for seat in pending.awaited(table)])
    said = msg("Away: {names}.") if hosting else msg("Away, says the host: {names}.")
    return texts.say(said, names=away) if away else ""


def _line(said: str) -> Line:
    return Line("event", said)


@dataclass(frozen=True)
class Outlook:
    """One player's; `story` is the log so far, and `recap` what others did since this player's last turn."""

    texts: Texts
    view: State
    seat: int
    names: Sequence[str]
    story: Log
    recap: Sequence[Line] = ()

    def lines(self) -> list[Line]:
        """All lines, the most important first."""
        if shared(self.view):
            known = [*self._in_line(), *self._in_deck()]
        else:
            known = [*self._befallen(), *self._to_come()]
        since = [line for line in self.recap if line not in known]
        return [*known, *([_line(self.texts.say(msg("Since your last turn:")))] if since else []), *since]

    def _befallen(self) -> list[Line]:
        """The markers on the own characters, and the abilities of the others."""
        texts, marks = self.texts, public_effects(self.view, self.seat)
        healed = clears(self.view, self.seat)
        told = [self.story.line(texts, effect_notice(mark, healed=healed)) for mark in marks]
        powerless = {mark.character for mark in marks if mark.kind in POWERLESS}
        own = self.view.players[self.seat].concealed
        able = [key for key in own if key != HIDDEN and key not in powerless]
        does = [f"{texts.character(key)}: {summary(texts, edition_of(self.view), key)}" for key in able]
        return [*filter(None, told), *map(_line, does)]

    def _to_come(self) -> list[Line]:
        """The characters that are still to be called, each with those who could be it."""
        texts, ranks = self.texts, edition_of(self.view).ranks
        named = [*self.names]
        named[self.seat] = texts.say(msg("you"))
        lines = [
            f"{ranks[key]} {texts.character(key)}: "
            + (texts.alternatives([named[seat] for seat in seats]) or texts.say(msg_in("character", "nobody")))
            for key, seats in coming(self.view, self.seat)
        ]
        return list(map(_line, [texts.say(msg("Still to be called:")), *lines] if lines else ()))

    def _in_line(self) -> list[Line]:
        """The turns before the own one, if the players call characters in turn."""
        names = [self.names[other] for other in before(self.view, self.seat)]
        if self.view.phase != "turns" or not names:
            return []
        said = msgs("{count} turn before yours: {names}", "{count} turns before yours: {names}")
        return [_line(self.texts.say(said, count=len(names), names=", ".join(names)))]

    def _in_deck(self) -> list[Line]:
        """The characters that were not called yet, if they are called off a deck."""
        left = [self.texts.character(key) for key in self.view.cast if key not in self.view.called]
        said = self.texts.say(msg("Still in the deck ({count}):"), count=len(left))
        return [_line(f"{said} {', '.join(left)}")] if left else []


def coming(view: State, seat: int) -> Sequence[tuple[str, Sequence[int]]]:
    """The characters after the one that is called now, by rank, each with the seats that could hold it."""
    if view.phase != "turns":
        return ()
    ranks, others, own = edition_of(view).ranks, possible(view, seat), view.players[seat].concealed
    later = sorted((key for key in view.cast if ranks[key] > view.rank), key=ranks.__getitem__)
    return [
        (key, [seat] if key in own else [one for one, keys in others.items() if key in keys])
        for key in later
        if key not in view.faceup
    ]
