"""A game with several hosts: who may sign which entry, and who is accused of a lie."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.codec import Malformed, pack
from citadels_lan.crypto.log import Handover, Move, entry_hash, sign_entry
from citadels_lan.crypto.report.model import Report, english
from citadels_lan.crypto.report.report_text import figures, lines
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.signatures import Hosts, Passed, sign_accept
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import FP, GAME, HOST, Game, identity, player
from tests.effort import one_case

SECOND = identity("second host")
OTHER_FP = bytes([8]) * 32
Change = Callable[[list[Draft]], object]


class Handing(Forge):
    """A forge for games with handovers. The player who takes over signs each handover; if `accepts` is a
    seat, that seat signs instead."""

    def __init__(self, *, accepts: int | None = None) -> None:
        super().__init__()
        self.hosts = {SECOND.public: SECOND}
        self._accepts = accepts

    def body(self, draft: Draft, viewer: int) -> bytes:
        entry = draft.entry
        if isinstance(entry, Handover):
            who = player(entry.seat if self._accepts is None else self._accepts)
            accept = sign_accept(who, GAME, self.chain.n + 1, self.chain.head, entry.key, entry.fp)
            draft = replaced(draft, replace(entry, accept=accept))
        return super().body(draft, viewer)


def replaced(draft: Draft, entry: Handover) -> Draft:
    return Draft(entry, draft.private, draft.public, draft.leaves)


def handover(seat: int = 0, key: bytes = SECOND.public) -> Draft:
    return Draft(Handover(seat, key, OTHER_FP, bytes(64)), {})


def handed(game: Game, *, at: int | None = None, entry: Draft | None = None) -> tuple[list[Draft], int]:
    """Return the entries of a game with a handover before the tenth move (or before index `at`), and the
    number of the *handover*."""
    entries = drafts(game)
    index = find(entries, Move, after=find(entries, Move) + 10) if at is None else at
    entries.insert(index, entry or handover())
    return entries, index + 1


def judged(folder: Path, entries: list[Draft], forge: Forge | None = None, name: str = "a") -> Report:
    return verify([saved(folder / f"{name}.ctr", (forge or Handing()).file(entries))])


def accused(report: Report) -> set[bytes]:
    return {finding.accused_key or b"" for file in report.files for finding in file.findings if finding.accused}


def told(report: Report) -> str:
    """Return the report in one line."""
    return " ".join(" ".join(lines(report, english)).split())


def test_game_with_two_hosts_verifies_and_the_report_names_both(four: Game, tmp_path: Path) -> None:
    entries, n = handed(four)
    report = judged(tmp_path, entries)
    assert report.code == 0
    assert f"to Player 0 at entry {n}, signed by both hosts" in told(report)
    (game,) = figures(report)["games"]
    assert game["handovers"] == [{"entry": n, "seat": 0, "key": SECOND.public.hex()}]
    ((one,), (other,)) = report.files, judged(tmp_path, drafts(four), name="b").files
    assert one.signatures == other.signatures + 2, "those of the old host and of the next one"


@one_case(
    ("entry", "accepts"),
    [
        (handover(), 1),
        (handover(seat=1), None),
        (handover(seat=7), 0),
        (handover(key=HOST.public), None),
        (handover(key=player(0).public), None),
    ],
    ids=["accepted by another player", "to a bot", "to no seat", "to the same key", "to a player's key"],
)
def test_wrong_handover_accuses_the_host_that_signed_it(
    four: Game, tmp_path: Path, entry: Draft, accepts: int | None
) -> None:
    entries, n = handed(four, entry=entry)
    report = judged(tmp_path, entries, Handing(accepts=accepts))
    assert (report.code, accused(report)) == (1, {HOST.public})
    assert ("handover", n) in {(one.contradiction, one.details["n"]) for one in report.files[0].findings}


def test_two_histories_of_the_second_host_accuse_the_second_host(four: Game, tmp_path: Path) -> None:
    paths = []
    for viewer, change in enumerate((False, True)):
        entries, n = handed(four)
        if change:
            del entries[find(entries, Move, after=n + 10) :]
            entries.append(handover())
        paths.append(saved(tmp_path / f"{viewer}.ctr", Handing().file(entries, viewer)))
    assert SECOND.public in accused(verify(paths))
    assert HOST.public not in accused(verify(paths))


# What an absent client checks


def proof(n: int, key: bytes = SECOND.public, host: bytes = HOST.public) -> Passed:
    signer = {HOST.public: HOST, SECOND.public: SECOND}[host]
    public, before = pack(Handover(0, key, OTHER_FP, bytes(64))), bytes([n]) * 32
    return Passed(n, before, public, sign_entry(signer, GAME, n, entry_hash(before, n, public, b"")))


def test_returning_client_accepts_new_host_keys_signed_by_the_old_ones() -> None:
    hosts, third = Hosts(GAME, HOST.public, FP), identity("third host").public
    hosts.follow([proof(20), proof(30, third, SECOND.public)])
    assert [hosts.at(n).key for n in (1, 20, 21, 30, 31)] == [
        HOST.public, HOST.public, SECOND.public, SECOND.public, third
    ]  # fmt: skip


@one_case(
    "false",
    [
        [proof(20, host=SECOND.public)],
        [replace(proof(20), before=bytes(32))],
        [replace(proof(20), n=21)],
        [replace(proof(20), signature=bytes(64))],
        [replace(proof(20), public=pack(Handover(0, HOST.public, FP, bytes(64))))],
        [proof(20), proof(30, identity("third host").public)],
        [replace(proof(20), public=b"\x90")],
    ],
    ids=["by the new key", "other history", "other entry", "unsigned", "other key", "old key again", "no entry"],
)
def test_returning_client_rejects_a_handover_that_the_old_key_has_not_signed(false: list[Passed]) -> None:
    with pytest.raises(Malformed):
        Hosts(GAME, HOST.public, FP).follow(false)
