"""N guests who collude continue or rewrite a game that is finished and closed. They have their own keys, and since
*close* the host's secret; the keys of the host and of the honest player they have not."""

import io
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import (
    Chain,
    Delta,
    Header,
    Move,
    Open,
    decode_delta,
    decode_entry,
    encode_delta,
    encode_entry,
    sign_entry,
)
from citadels_lan.crypto.packing import pack
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seats import claim, endorse
from citadels_lan.crypto.transcript import FileHead, Writer
from tests.crypto.forging import saved
from tests.crypto.table import FP, GAME, HOST, Game, begin, identity, player
from tests.effort import one_case, quick
from tests.extras.second import load
from tests.facts import RULES

FROM: Final = 60
"""The last entry that both histories have."""
GUESTS: Final = (1, 2)
THEIRS: Final = identity("made up")


@cache
def honest() -> Game:
    """The game as it was played."""
    return begin(3, seed=4).play()


@cache
def otherwise() -> Game:
    """By the rules, from the same chance, with another end; the guests sign for everybody as well as they can."""
    game = begin(3, seed=4).play(until=lambda game: game.host_log.chain.n == FROM)
    game.choose = random.Random(99)
    return game.play()


def deltas(game: Game, viewer: int) -> list[Delta]:
    """The entries as this viewer was sent them."""
    return [decode_delta(bodies[viewer]) for bodies in game.bodies]


def file(viewer: int, told: list[Delta], *, signer: Identity, after: int, host: bytes = HOST.public) -> bytes:
    """A guest's transcript of these entries; those behind `after` are signed by `signer`, and the first lines of
    the file name `host`."""
    stream = io.BytesIO()
    stream.close = lambda: None  # type: ignore[method-assign]
    writer = Writer(stream, FileHead(GAME, RULES, FP, host, viewer, player(viewer).public))
    writer.begin()
    chain = Chain(GAME, RULES, FP)
    for n, delta in enumerate(told, 1):
        head = chain.grow(chain.next_head(delta.public, delta.leaves))
        signature = sign_entry(signer, GAME, n, head) if n > after else delta.signature
        writer.append(encode_delta(replace(delta, n=n, signature=signature)))
    writer.finish(player(viewer), chain)
    return stream.getvalue()


def continued(viewer: int) -> bytes:
    """The closed game, and a move behind its end."""
    told = deltas(honest(), viewer)
    more = next(delta for delta in told if isinstance(decode_entry(delta.public), Move))
    return file(viewer, [*told, more], signer=THEIRS, after=len(told))


def rewritten(viewer: int) -> bytes:
    """Another end, signed by a key of the guests from entry FROM on."""
    return file(viewer, deltas(otherwise(), viewer), signer=THEIRS, after=FROM)


def agreed_on(viewer: int) -> bytes:
    """The same behind an entry of version 2 by which both guests make a machine of theirs the host."""
    told = deltas(otherwise(), viewer)
    signed = [[seat, player(seat).sign("new-host", GAME, told[FROM].public)] for seat in GUESTS]
    entry = Delta(FROM + 1, b"", pack([12, 1, THEIRS.public, bytes(32), signed]), b"", None, None)
    return file(viewer, [*told[:FROM], entry, *told[FROM:]], signer=THEIRS, after=FROM)


def renamed(viewer: int) -> bytes:
    """The file says that the key of the guests was the host's all the time."""
    return file(viewer, deltas(otherwise(), viewer), signer=THEIRS, after=FROM, host=THEIRS.public)


def signed_anew(viewer: int) -> bytes:
    """All entries are signed by that key; the header, which everybody has claimed, names the host."""
    return file(viewer, deltas(otherwise(), viewer), signer=THEIRS, after=0, host=THEIRS.public)


def false(viewer: int) -> bytes:
    """The same, and what is signed contradicts itself."""
    told = deltas(otherwise(), viewer)
    del told[FROM + 1]
    return file(viewer, told, signer=THEIRS, after=0, host=THEIRS.public)


FORGERIES = [continued, rewritten, agreed_on, renamed, signed_anew, false]


@one_case("forged", quick(FORGERIES, rewritten, false), parts=2)
def test_a_closed_game_that_guests_rewrite_is_not_verified_and_accuses_nobody(
    forged: Callable[[int], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = [saved(tmp_path / f"{seat}.ctr", forged(seat)) for seat in GUESTS]
    true = [saved(tmp_path / f"honest-{seat}.ctr", honest().transcript(seat)) for seat in range(3)]
    for files in (theirs, theirs[:1], [*true, *theirs], [*theirs, *true]):
        report = verify(files)
        assert report.code == 3
        assert accused(report) == set()
        assert {file.code for file in report.files if file.path in theirs} == {3}
        assert {file.code for file in report.files if file.path in true} <= {0}
        assert load().main(list(map(str, files))) == 3
        said = capsys.readouterr().out
        assert "PROOF" not in said + report_text.text(report)
        assert said.count("VERIFIED") == len([path for path in files if path in true])


def accused(report: Report) -> set[bytes | None]:
    """The keys that are proven to have lied."""
    return {one.accused_key for one in report.findings if one.accused}


def test_a_host_that_guests_make_up_is_accused_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They claim their names at its table; the honest player has claimed no name there."""
    told = deltas(otherwise(), 1)
    opening = decode_entry(told[0].public)
    assert isinstance(opening, Open)
    entry = Open(of_theirs(opening.header))
    told[0] = replace(told[0], public=encode_entry(entry))
    forged = file(1, told, signer=THEIRS, after=0, host=THEIRS.public)
    paths = [saved(tmp_path / "1.ctr", forged), saved(tmp_path / "0.ctr", honest().transcript(0))]
    report = verify(paths)
    assert [one.code for one in report.files] == [1, 3 if report.files[1].findings else 0]
    assert accused(report) == {THEIRS.public}
    text = report_text.text(report)
    assert HOST.public.hex()[:16] not in text.partition("\n\n")[0]
    assert load().main(list(map(str, paths))) == 1
    said = capsys.readouterr().out
    assert f"key {THEIRS.public.hex()}" in said
    assert f"key {HOST.public.hex()}" not in said


def of_theirs(header: Header) -> Header:
    """The header for a host of the guests, endorsed by one of them."""
    players = tuple(
        replace(one, claim=claim(player(seat), GAME, FP, THEIRS.public, one.name, one.kind))
        if seat in GUESTS
        else one
        for seat, one in enumerate(header.players)
    )
    endorsement = endorse(player(1), GAME, FP, THEIRS.public)
    return replace(header, hostkey=THEIRS.public, players=players, endorsement=endorsement)
