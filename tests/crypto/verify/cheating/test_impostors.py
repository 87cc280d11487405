"""Files of games that another host's name stands in."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import (
    Move,
    Open,
    decode_delta,
    encode_delta,
    sign_entry,
)
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seats import claim, endorse
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import FP, GAME, HOST, Game, identity, player
from tests.extras.second import load

from .judging import assert_host_named, judge


class Impostor(Forge):
    """Signs entries as if it were the host of a table."""

    def body(self, draft: Draft, viewer: int) -> bytes:
        delta = decode_delta(super().body(draft, viewer))
        signature = sign_entry(MALLORY, GAME, delta.n, self.chain.head)
        return encode_delta(replace(delta, signature=signature))


MALLORY = identity("mallory")


def impostures(data: bytes) -> bytes:
    """A file that says that Mallory was the host."""
    return data.replace(HOST.public, MALLORY.public, 1)


@pytest.mark.parametrize("lie", [False, True])
def test_entries_that_the_host_of_their_header_has_not_signed_accuse_nobody(
    duel: Game, tmp_path: Path, lie: bool
) -> None:
    """A guest has the true header, with everybody's claim and the endorsement; only the host's key it has not."""
    entries = drafts(duel)
    if lie:
        del entries[find(entries, Move)]
    path = saved(tmp_path / "a.ctr", impostures(Impostor().file(entries, finish=False)))
    report = verify([path])
    assert (report.code, [(one.code, one.kind) for one in report.findings]) == (3, [("forged", "damaged")])
    assert load().main([str(path)]) == 3
    assert (report.games, len(report.loose)) == ((), 1)
    text = " ".join(report_text.text(report).split())
    assert "its entries are not signed by the host that the first one names. Nobody is accused." in text
    assert f"key {HOST.public.hex()[:16]}" not in text
    (said,) = figures(report)["files"][0]["findings"]
    assert (said["accused"], said["accused_key"]) == (None, None)
    both = verify([saved(tmp_path / "b.ctr", duel.transcript(1)), path])
    assert both.files[0].code == 0
    other = verify([path, tmp_path / "b.ctr"])
    assert all(finding.kind != "proof" for finding in other.files[1].findings)


def test_entries_of_a_host_in_a_file_that_names_another_are_not_its_word(duel: Game, tmp_path: Path) -> None:
    data = duel.transcript(0, finish=False)
    report = verify([saved(tmp_path / "a.ctr", impostures(data))])
    assert (report.code, [finding.code for finding in report.findings]) == (3, ["link"])


def test_a_first_entry_that_says_nothing_is_told_with_the_key(duel: Game, tmp_path: Path) -> None:
    """There is no header then that could name anybody."""
    entries = drafts(duel)[:1]
    entries[0].public = b"\xc0"
    report = judge(tmp_path, entries)
    assert_host_named(report, "malformed")
    assert report_text.text(report).startswith(f"PROOF OF CHEATING by the host (key {HOST.public.hex()[:16]})")


def test_a_game_with_keys_made_up_says_nothing_of_this_host(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    opening = entries[0].entry
    assert isinstance(opening, Open)
    players = tuple(
        replace(one, claim=claim(player(seat), GAME, FP, MALLORY.public, one.name, one.kind))
        for seat, one in enumerate(opening.header.players)
    )
    endorsement = endorse(MALLORY, GAME, FP, MALLORY.public)
    entries[0].entry = Open(
        replace(opening.header, hostkey=MALLORY.public, players=players, endorsement=endorsement)
    )
    path = saved(tmp_path / "b.ctr", impostures(Impostor().file(entries, finish=False)))
    assert [finding.code for finding in verify([path]).findings] == ["host_cheated"], "another seed"
    report = verify([saved(tmp_path / "a.ctr", duel.transcript()), path])
    assert report.files[0].code == 0
    assert "other_table" in {finding.code for finding in report.files[1].findings}
