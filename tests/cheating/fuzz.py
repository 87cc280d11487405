"""Recorded games with random edits. There are three kinds, which differ in who edits:

with an editor    the owner of the file drops, doubles, moves and changes records, and signs the file again
by the host       entries are edited; the host chains and signs them again; signatures of players stay
by all            entries are edited; the host and all players sign again
"""

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
    """The result of verifying one edited transcript. `what` describes the edit, `report` is from `verify`,
    and `second` is the exit code of the second verifier. `same`: the history of the game is unchanged, so
    both verifiers may accept the file.

    The history is unchanged: if nothing changes; if the owner's own records change; if the host changes only
    the order of the last openings, which come after the last signatures of players."""

    edition: str
    manner: str
    what: str
    report: Report
    second: int
    same: bool

    @property
    def unnoticed(self) -> bool:
        """Whether `verify` accepts the file although its history has changed."""
        return self.report.code == 0 and not self.same

    @property
    def unjust(self) -> bool:
        """Whether the report accuses a player, or accuses the host although the host's key has not signed a
        changed entry."""
        accused = {finding.accused for finding in self.report.findings if finding.accused}
        return bool(accused - {"host"} if self.manner != MANNERS[0] else accused)

    @property
    def disagreed(self) -> bool:
        """Whether the verifiers have different results, other than for contradictions that need the rules."""
        ruled = self.report.code == 5 or any(one.contradiction in RULED for one in self.report.findings)
        return self.second != self.report.code and not ruled

    @property
    def failed(self) -> bool:
        """Whether `verify` itself has failed with an error."""
        return any(finding.code == "failed" for finding in self.report.findings)

    def __str__(self) -> str:
        found = " ".join(finding.contradiction or finding.code for finding in self.report.findings)
        return f"{self.edition}, {self.manner}: {self.what} -> {self.report.code} {found}"


@cache
def game_of(edition: str) -> Game:
    """Return a whole recorded game of an edition. Tests must not change it."""
    setup = MARKED if edition == "2016" else from_scenario("first_game", 3, edition_key=edition)
    game = recorded(setup=setup)
    game.tell()
    return game


def trial(seed: int, number: int, folder: Path, editions: tuple[str, ...] = EDITIONS) -> Trial:
    """Make the random edit with this seed and number, and verify the file."""
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
    """Return the head of the file and the records of entries."""
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
    """Return the index of a random record. Rare kinds of records are about as likely as entries."""
    kinds = sorted({kind for kind, _ in some})
    kind = dice.choice([*kinds, b"E", b"E"])
    return dice.choice([at for at, one in enumerate(some) if one[0] == kind])


def _kind(record: Record) -> str:
    return record[0].decode()


def _anywhere(dice: random.Random, value: Any) -> tuple[Place, str]:
    """Return a random place in a value, and the name of an edit that is possible there."""
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
    """Return what counts as the history of entries. The order of the last openings does not count. If
    `everybody` signs again: nor do signatures, protests and the order of successive moves of one seat."""
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
    """Return the index of a random entry. Each kind of entry is equally likely."""
    kind = dice.choice(sorted({type(draft.entry).__name__ for draft in some}) or [""])
    return dice.choice([at for at, draft in enumerate(some) if _name(draft) == kind] or [0])


def _name(draft: Draft) -> str:
    return type(draft.entry).__name__
