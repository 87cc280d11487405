"""Recorded games with random edits of three kinds.

with an editor    records are dropped, doubled, moved and changed; only the owner of the file signs again
by the host       entries are edited; the host chains and signs again, and the signatures of players stay
by all            entries are edited; the host and all players sign again"""

import random
from collections.abc import Callable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.codec import Malformed, pack, unpack
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import from_scenario
from tests.crypto.conftest import MARKED
from tests.crypto.forging import Draft, Forge, drafts, saved
from tests.crypto.table import Game, recorded
from tests.extras.second import RULED, remembering

from .records import Place, Record, edited, edits, finished, inside, joined, outside, records

MANNERS: Final = ("with an editor", "by the host", "by all")
QUICK: Final = ("2016", "classic", "dark_city")
EDITIONS: Final = (*QUICK, "citta_comune")


class Trial(Struct, frozen=True):
    """One edit of one game's transcript: `what` was done, the report, and the exit code of the `second`
    verifier. `same`: the file still has the history of the game, so both verifiers may accept it.

    The history stays the same if nothing changes; with an editor, also if only the owner's own records change;
    and by the host, if only the order of the last openings changes, which come after the last signatures of
    players."""

    edition: str
    manner: str
    what: str
    report: Report
    second: int
    same: bool

    @property
    def unnoticed(self) -> bool:
        """Whether the file passes as verified although it is not."""
        return self.report.code == 0 and not self.same

    @property
    def unjust(self) -> bool:
        """Whether the report accuses a player, or accuses the host although its key has signed nothing else."""
        accused = {finding.accused for finding in self.report.findings if finding.accused}
        return bool(accused - {"host"} if self.manner != MANNERS[0] else accused)

    @property
    def disagreed(self) -> bool:
        """Whether the verifiers disagree, except because only one of them knows the rules."""
        ruled = self.report.code == 5 or any(one.contradiction in RULED for one in self.report.findings)
        return self.second != self.report.code and not ruled

    @property
    def failed(self) -> bool:
        """Whether this program itself has failed."""
        return any(finding.code == "failed" for finding in self.report.findings)

    def __str__(self) -> str:
        found = " ".join(finding.contradiction or finding.code for finding in self.report.findings)
        return f"{self.edition}, {self.manner}: {self.what} -> {self.report.code} {found}"


@cache
def game_of(edition: str) -> Game:
    """A whole game of an edition. Tests must not change it."""
    setup = MARKED if edition == "2016" else from_scenario("first_game", 3, edition_key=edition)
    game = recorded(setup=setup)
    game.tell()
    return game


def trial(seed: int, number: int, folder: Path, editions: tuple[str, ...] = EDITIONS) -> Trial:
    """The edit of this number."""
    dice = random.Random(f"{seed} {number}")
    edition = dice.choice(editions)
    manner = MANNERS[number % len(MANNERS)]
    if manner == MANNERS[0]:
        return _with_editor(dice, edition, manner, folder)
    return _signed_again(dice, edition, manner, folder)


def _tried(edition: str, manner: str, what: str, path: Path, same: bool) -> Trial:
    return Trial(edition, manner, what, verify([path]), remembering().main([str(path)]), same)


# Edits with an editor


def _with_editor(dice: random.Random, edition: str, manner: str, folder: Path) -> Trial:
    game, viewer = game_of(edition), dice.randrange(2)
    honest = records(game, viewer, alarm=dice.random() < 0.2)
    some, what = dice.choice(RECORD_EDITS)(dice, edition, list(honest))
    same = _told(some) == _told(honest)
    how = dice.choice(("old footer", "signed", "signed", "unsigned", "cut"))
    if how == "old footer":
        some = [*some, finished(honest, game, viewer)[-1]]
    elif how == "signed":
        some = finished(some, game, viewer)
    data = joined(some)
    if how == "cut":
        data = data[: -1 - dice.randrange(200)]
    return _tried(edition, manner, f"{what}, {how}", saved(folder / "a.ctr", data), same)


def _told(some: list[Record]) -> list[Record]:
    """The records that the host has signed, and the head of the file."""
    return [record for record in some if record[0] in (b"H", b"E")]


def _drop(dice: random.Random, edition: str, some: list[Record]) -> tuple[list[Record], str]:
    at = _any(dice, some)
    return [*some[:at], *some[at + 1 :]], f"{_kind(some[at])} dropped"


def _double(dice: random.Random, edition: str, some: list[Record]) -> tuple[list[Record], str]:
    at = _any(dice, some)
    return [*some[: at + 1], *some[at:]], f"{_kind(some[at])} doubled"


def _move(dice: random.Random, edition: str, some: list[Record]) -> tuple[list[Record], str]:
    at = _any(dice, some)
    record = some.pop(at)
    to = dice.randrange(len(some))
    return [*some[:to], record, *some[to:]], f"{_kind(record)} moved" if to != at else "nothing"


def _splice(dice: random.Random, edition: str, some: list[Record]) -> tuple[list[Record], str]:
    others = records(game_of(dice.choice([other for other in QUICK if other != edition])))
    at, length = dice.randrange(1, len(some)), dice.choice((1, 1, 5, 1000))
    new = [one for one in others[at : at + length] if one[0] == b"E"]
    return [*some[:at], *new, *some[at + dice.choice((0, length)) :]], "other game spliced in" if new else "cut"


def _change(dice: random.Random, edition: str, some: list[Record]) -> tuple[list[Record], str]:
    at = _any(dice, some)
    kind, body = some[at]
    value = inside(kind, body)
    changed = outside(kind, edited(value, *_anywhere(dice, value)))
    return [*some[:at], (kind, changed), *some[at + 1 :]], f"{_kind(some[at])} changed"


def _shorten(dice: random.Random, edition: str, some: list[Record]) -> tuple[list[Record], str]:
    return some[: dice.randrange(1, len(some))], "shortened"


RECORD_EDITS: Final = (_drop, _double, _move, _splice, _change, _change, _shorten)


def _any(dice: random.Random, some: list[Record]) -> int:
    """Return a random record. Rare kinds are as frequent as entries."""
    kinds = sorted({kind for kind, _ in some})
    kind = dice.choice([*kinds, b"E", b"E"])
    return dice.choice([at for at, one in enumerate(some) if one[0] == kind])


def _kind(record: Record) -> str:
    return record[0].decode()


def _anywhere(dice: random.Random, value: Any) -> tuple[Place, str]:
    """Return a random place in a value, and an edit that is possible there."""
    return dice.choice(list(edits(value)))


# Edits by the host, and by the host and all players

Entries = list[Draft]


def _signed_again(dice: random.Random, edition: str, manner: str, folder: Path) -> Trial:
    some, what = drafts(game_of(edition)), []
    for _ in range(dice.choice((1, 1, 1, 2))):
        if not some:
            break
        some, done = dice.choice(ENTRY_EDITS)(dice, edition, some)
        what.append(done)
    everybody = manner == MANNERS[2]
    same = _history(some, everybody) == _history(drafts(game_of(edition)), everybody)
    data = Forge(players=everybody).file(some, dice.randrange(2))
    return _tried(edition, manner, ", ".join(what), saved(folder / "a.ctr", data), same)


def _history(some: Entries, everybody: bool) -> list[object]:
    """The contents of entries, with the last openings in any order. If `everybody` signs again, signatures,
    protests and the order of successive moves of one seat do not count."""
    openings = sorted(
        repr(opening) for draft in some if isinstance(draft.entry, log.Close) for opening in draft.entry.openings
    )
    told: list[object] = []
    for seat, group in groupby(some, _mover if everybody else id):
        entries = [(_plain(draft.entry, everybody), draft.private, draft.public) for draft in group]
        told += entries if seat is None else sorted(entries, key=repr)
    return [*told, openings]


def _mover(draft: Draft) -> int | None:
    return draft.entry.seat if isinstance(draft.entry, log.Move) else None


def _plain(entry: log.AnyEntry, everybody: bool) -> log.AnyEntry:
    if isinstance(entry, log.Close):
        return replace(entry, openings=())
    if everybody and isinstance(entry, log.CoSigned):
        return log.CoSigned(
            tuple(replace(one, commit=bytes(32), protest=0, signature=bytes(64)) for one in entry.seats)
        )
    if everybody and isinstance(entry, log.Commits):
        return log.Commits(tuple(replace(one, signature=bytes(64)) for one in entry.seats))
    if everybody and isinstance(entry, log.Move):
        return replace(entry, sig=bytes(64))
    if everybody and isinstance(entry, log.Said):
        return replace(entry, items=tuple(replace(one, sig=bytes(64)) for one in entry.items))
    return entry


def _drop_entries(dice: random.Random, edition: str, some: Entries) -> tuple[Entries, str]:
    at, length = _entry(dice, some), dice.choice((1, 1, 2, 10))
    if isinstance(some[at].entry, log.CheckWords):  # this record may be missing
        length = max(length, 2)
    return [*some[:at], *some[at + length :]], f"{length} from {_name(some[at])} on dropped"


def _double_entries(dice: random.Random, edition: str, some: Entries) -> tuple[Entries, str]:
    at, length = _entry(dice, some), dice.choice((1, 1, 2, 10))
    return [*some[: at + length], *some[at:]], f"{length} from {_name(some[at])} on doubled"


def _swap_entries(dice: random.Random, edition: str, some: Entries) -> tuple[Entries, str]:
    one = _entry(dice, some)
    other = min(one + 1, len(some) - 1) if dice.random() < 0.5 else _entry(dice, some)
    what = f"{_name(some[one])} and {_name(some[other])} exchanged"
    some[one], some[other] = some[other], some[one]
    return some, what


def _insert_entries(dice: random.Random, edition: str, some: Entries) -> tuple[Entries, str]:
    others = drafts(game_of(dice.choice(QUICK)))
    new, at = others[_entry(dice, others)], _entry(dice, some)
    return [*some[:at], new, *some[at:]], f"{_name(new)} put before {_name(some[at])}"


def _splice_entries(dice: random.Random, edition: str, some: Entries) -> tuple[Entries, str]:
    others = drafts(game_of(dice.choice([other for other in QUICK if other != edition])))
    at = dice.randrange(min(len(some), len(others)))
    at = max(at, 1)  # the other game alone is a complete honest one
    return [*some[:at], *others[at:]], "another game from there on"


def _change_entry(dice: random.Random, edition: str, some: Entries) -> tuple[Entries, str]:
    draft = some[_entry(dice, some)]
    value = unpack(draft.public or pack(draft.entry))
    public = pack(edited(value, *_anywhere(dice, value)))
    try:
        draft.entry, draft.public = log.decode_entry(public), None
    except Malformed:
        draft.public = public
    return some, f"{_name(draft)} changed"


def _change_private(dice: random.Random, edition: str, some: Entries) -> tuple[Entries, str]:
    draft = dice.choice([draft for draft in some if draft.private] or some)
    seat = dice.choice(sorted(draft.private) or [0])
    value = unpack(draft.private.get(seat, pack([])))
    if not value or dice.random() < 0.2:
        draft.private.pop(seat, None)
    else:
        draft.private[seat] = pack(edited(value, *_anywhere(dice, value)))
    return some, f"what a seat was told in {_name(draft)} changed"


def _reorder_openings(dice: random.Random, edition: str, some: Entries) -> tuple[Entries, str]:
    opening = [draft for draft in some if isinstance(draft.entry, log.Move | log.Close) and draft.entry.openings]
    if not opening:
        return some, "nothing"
    one, other = dice.choice(opening), dice.choice(opening)
    assert isinstance(one.entry, log.Move | log.Close)
    assert isinstance(other.entry, log.Move | log.Close)
    mine, theirs = one.entry.openings, other.entry.openings
    one.entry = replace(one.entry, openings=theirs[::-1])
    other.entry = replace(other.entry, openings=mine[::-1])
    return some, f"openings of {_name(one)} and {_name(other)} exchanged, and reordered"


def _cut_entries(dice: random.Random, edition: str, some: Entries) -> tuple[Entries, str]:
    return some[: _entry(dice, some)], "shortened"


ENTRY_EDITS: Final[tuple[Callable[[random.Random, str, Entries], tuple[Entries, str]], ...]] = (
    _drop_entries, _double_entries, _swap_entries, _insert_entries, _splice_entries, _change_entry,
    _change_entry, _change_private, _reorder_openings, _cut_entries,
)  # fmt: skip


def _entry(dice: random.Random, some: Entries) -> int:
    """Return a random entry. Rare kinds are as frequent as moves."""
    kind = dice.choice(sorted({type(draft.entry).__name__ for draft in some}) or [""])
    return dice.choice([at for at, draft in enumerate(some) if _name(draft) == kind] or [0])


def _name(draft: Draft) -> str:
    return type(draft.entry).__name__
