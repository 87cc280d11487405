"""The second verifier names a cheating host where the first does."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgpack  # type: ignore[import-untyped]
import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import (
    Beacons,
    Close,
    Commits,
    Endorsement,
    Move,
    Open,
    Parts,
    Present,
    Restart,
    Seal,
    encode_entry,
    events_of,
)
from citadels_lan.crypto.packing import pack, unpack
from citadels_lan.crypto.report.verify import verify
from tests.crypto.conftest import FIRST, MARKED, has_everything
from tests.crypto.contradictions import ROWS, Games
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import Game, link, player, recorded
from tests.crypto.tables import stood_in_sealing
from tests.crypto.verify.cheating.changed_values import changed_leaf, leaves
from tests.effort import quick

from .forged import agreed, change


def changed_pick(entries: list[Draft]) -> Forge:
    at = next(i for i, one in enumerate(entries) if isinstance(one.entry, Move) and one.entry.openings)
    entry = entries[at].entry
    assert isinstance(entry, Move)
    change(entries[at], openings=(replace(entry.openings[0], line="pick emperor"), *entry.openings[1:]))
    return Forge()


def exchanged_signature(entries: list[Draft]) -> Forge:
    return Forge(forged={find(entries, Move) + 1})


def shown_move(entries: list[Draft]) -> Forge:
    at = find(entries, Move, hidden=False)
    change(entries[at], what="keep tavern")
    return Forge()


def other_secret(entries: list[Draft]) -> Forge:
    change(entries[find(entries, Close)], secret=bytes(32))
    return Forge()


def other_salts(_: list[Draft]) -> Forge:
    return Forge(secret=bytes(32))


def no_seal(entries: list[Draft]) -> Forge:
    del entries[find(entries, Seal)]
    return Forge()


def no_presence(entries: list[Draft]) -> Forge:
    del entries[find(entries, Present)]
    return Forge()


def another_round(entries: list[Draft]) -> Forge:
    change(entries[find(entries, Present)], round=2)
    return Forge()


def a_dispute_of_nobody(entries: list[Draft]) -> Forge:
    change(entries[find(entries, Present)], disputed=4)
    return Forge()


def a_link_left_out(entries: list[Draft]) -> Forge:
    at = find(entries, Beacons)
    entry = entries[at].entry
    assert isinstance(entry, Beacons)
    change(entries[at], links=entry.links[:1])
    return Forge()


def the_link_of_another_attempt(entries: list[Draft]) -> Forge:
    entries[find(entries, Beacons)].entry = Beacons((link(0, 2), link(1, 2)))
    return Forge()


def missing_and_present(entries: list[Draft]) -> Forge:
    """A seat whose link was missing takes part in the same round."""
    at = find(entries, Present)
    entries[at + 1 : at + 1] = [Draft(Restart(2), {}), *drafts_of(entries[at], entries[at + 1], 2)]
    del entries[at + 3 :]
    return Forge()


def nobody_missing(entries: list[Draft]) -> Forge:
    at = find(entries, Present)
    entries[at + 1 : at + 1] = [Draft(Restart(0), {})]
    return Forge()


def drafts_of(present: Draft, beacons: Draft, attempt: int) -> list[Draft]:
    """What comes between rounds, at another attempt; everybody takes part."""
    links = Beacons(tuple(link(seat, attempt) for seat in range(2)))
    return [Draft(present.entry, {}), Draft(replace(beacons.entry, links=links.links), {})]


def another_claim(entries: list[Draft]) -> Forge:
    entry = entries[0].entry
    assert isinstance(entry, Open)
    players = (replace(entry.header.players[0], name="Mallory"), entry.header.players[1])
    entries[0].entry = Open(replace(entry.header, players=players))
    return Forge()


def another_endorsement(entries: list[Draft]) -> Forge:
    entry = entries[0].entry
    assert isinstance(entry, Open)
    endorsement = Endorsement(player(0).public, bytes(64))
    entries[0].entry = Open(replace(entry.header, endorsement=endorsement))
    return Forge()


def nobody_agrees(entries: list[Draft]) -> Forge:
    change(entries[find(entries, Commits)], signatures=(bytes(64), bytes(64)))
    return Forge(players=False)


CHEATS = [
    changed_pick,
    exchanged_signature,
    shown_move,
    other_secret,
    other_salts,
    no_seal,
    no_presence,
    another_round,
    a_dispute_of_nobody,
    a_link_left_out,
    the_link_of_another_attempt,
    missing_and_present,
    nobody_missing,
    another_claim,
    another_endorsement,
    nobody_agrees,
]


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheating_host_is_named(
    cheat: Callable[[list[Draft]], Forge],
    duel: Game,
    check: Callable[..., int],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    entries = drafts(duel)
    forge = cheat(entries)
    path = saved(tmp_path / "a.ctr", forge.file(entries))
    assert check(path) == verify([path]).code == 1
    assert "THE HOST cheated" in capsys.readouterr().out


@pytest.fixture(scope="module")
def games() -> Games:
    """Those that the contradictions of `tests.crypto` are made of."""
    sealing = (recorded(setup=MARKED, seed=seed) for seed in range(FIRST, 200))
    marked = next(game for game in sealing if has_everything(game))
    return Games(recorded(2), recorded(4), marked, stood_in_sealing())


ROOM: Final = 36
"""Contradictions are in so many tests: each row would be quick, and all of them one long test."""


@pytest.mark.slow
@pytest.mark.parametrize("part", quick(range(ROOM), 0))
def test_it_agrees_on_every_contradiction(
    part: int, games: Games, check: Callable[..., int], tmp_path: Path
) -> None:
    """Of a whole file, and of one that ends with the lie. (Where entries are changed, so is all later chance: that
    is why it finds in whole files what only the rules forbid.)"""
    for (code, what), build in list(ROWS.items())[part::ROOM]:
        case = build(games)
        forge = Forge(forged=case.forged, players=case.players)
        path = saved(tmp_path / "a.ctr", forge.file(case.entries, case.viewer))
        assert agreed(path, check(path)), (code, what)
        if case.n is not None:
            forge = Forge(forged=case.forged, players=case.players)
            path = saved(tmp_path / "a.ctr", forge.file(case.entries[: case.n], case.viewer, finish=False))
            assert agreed(path, check(path)) or code == "edition", (code, what)


@pytest.mark.parametrize("tries", quick([5, 200], 5))
def test_it_agrees_on_any_changed_value(tries: int, duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    chance, path = random.Random(7), tmp_path / "a.ctr"
    for _ in range(tries):
        entries = drafts(duel)
        at = chance.randrange(len(entries))
        plain = unpack(encode_entry(entries[at].entry))
        entries[at].public = pack(changed_leaf(plain, chance.choice(leaves(plain)), chance))
        data = Forge(players=chance.random() < 0.7).file(entries, chance.randrange(2))
        assert agreed(path, check(saved(path, data))), at


def test_two_histories_name_the_host(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = recorded(2, seed=2)
    paths = [saved(tmp_path / "a.ctr", duel.transcript(0)), saved(tmp_path / "b.ctr", other.transcript(1))]
    assert [check(path) for path in paths] == [0, 0]
    assert check(*paths) == verify(paths).code == 1
    assert "THE HOST told two stories" in capsys.readouterr().out


def test_two_closes_of_one_game_name_the_host(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing but what is signed with the head differs."""
    entries = drafts(duel)
    close = entries[-1].entry
    assert isinstance(close, Close)
    change(entries[-1], openings=close.openings[::-1])
    paths = [saved(tmp_path / "a.ctr", duel.transcript(0)), saved(tmp_path / "b.ctr", Forge().file(entries, 1))]
    assert [check(path) for path in paths] == [0, 0]
    assert check(*paths) == 1
    assert "THE HOST told two stories" in capsys.readouterr().out


@pytest.mark.parametrize("kind", [Parts, Seal, Close])
@pytest.mark.parametrize("more", [1, 2, 30])
def test_leaves_where_none_belong_are_refused_at_once(
    kind: type, more: int, duel: Game, check: Callable[..., int], tmp_path: Path
) -> None:
    entries = drafts(duel)
    at = find(entries, kind)
    entries[at].private = {1: msgpack.packb([])}
    path = saved(tmp_path / "a.ctr", Forge().file(entries[: at + more]))
    assert check(path) == verify([path]).code == 1


@pytest.mark.parametrize("told", ["publicly", "to the owner"])
@pytest.mark.parametrize("name", ["Drawn", "CardsGained"])
def test_a_card_that_was_not_drawn_is_found(
    name: str, told: str, duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Signed by everybody, and by its shape what could have been drawn."""
    entries, tag = drafts(duel), {"Drawn": 21, "CardsGained": 23}[name]
    at, index = next(
        (at, index)
        for at, draft in enumerate(entries)
        for index, event in unpack(draft.private.get(0, b"\x90"))
        if event[0] == tag
    )
    if told == "publicly":
        events = [list(event) for event in events_of(entries[at].entry)]
        events[index][2] = ["basilica", *events[index][2][1:]]
        change(entries[at], events=events)
        entries[at].private = {}
    else:
        private = unpack(entries[at].private[0])
        event = next(event for place, event in private if place == index)
        event[2] = ["basilica", *event[2][1:]]
        entries[at].private[0] = pack(private)
    assert check(saved(tmp_path / "a.ctr", Forge().file(entries))) == 1
    assert f"{name} in round" in capsys.readouterr().out
