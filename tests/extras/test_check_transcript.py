"""The second verifier: it says what the first says, and knows nothing of it."""

import ast
import hashlib
import random
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Final

import msgpack  # type: ignore[import-untyped]
import pytest
from msgspec.structs import replace

from citadels_lan.crypto.chain import entry_hash, genesis, leaf_hash, sign_entry
from citadels_lan.crypto.commitments import commitment
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.frames import Field
from citadels_lan.crypto.log import (
    Beacons,
    Close,
    Commits,
    Endorsement,
    Move,
    Open,
    Opened,
    Parts,
    Present,
    Restart,
    Seal,
    TableMove,
    encode_entry,
    events_of,
)
from citadels_lan.crypto.packing import pack, unpack
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import DEFAULT, EDITIONS, Options, TableConfig, edition_named, from_scenario
from tests.crypto.conftest import FIRST, MARKED, has_everything
from tests.crypto.contradictions import ROWS, Games
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import GAME, HOST, Game, link, player, recorded, with_bodies
from tests.crypto.tables import stood_in_sealing
from tests.crypto.verify.test_cheating import changed_leaf, leaves
from tests.once import signatures

from .second import FOLDER, load


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The verifier; a signature that it has checked in another test, or that was made in this process, is not
    checked again."""
    module = load()
    checked = cache(module.valid)

    def valid(key: bytes, signature: bytes, *said: Field) -> bool:
        return signatures.get((key, *said)) == signature or checked(key, signature, *said)

    module.valid = valid  # type: ignore[attr-defined]
    return module


@pytest.fixture(scope="module")
def of_bytes() -> ModuleType:
    """Its sections 1 and 2."""
    return load("check_bytes")


@pytest.fixture(scope="module")
def check(script: ModuleType) -> Callable[..., int]:
    """Its exit code for some files."""
    return lambda *paths: script.main([str(path) for path in paths])


@pytest.fixture(scope="module")
def duel() -> Game:
    """A whole game of two."""
    return recorded(2)


def test_it_imports_nothing_of_the_program() -> None:
    paths = list(FOLDER.glob("*.py"))
    allowed = {*sys.stdlib_module_names, "cryptography", "msgpack", *(path.stem for path in paths)}
    for node in (node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert (node.module or "").split(".")[0] in allowed
        elif isinstance(node, ast.Name):
            assert node.id not in {"__import__", "import_module", "exec", "eval"}


def test_it_can_be_read_in_one_sitting() -> None:
    """Lines that are neither blank nor a comment: as many as the README says."""
    lines = [
        line.strip() for path in FOLDER.glob("*.py") for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert sum(bool(line) and not line.startswith("#") for line in lines) < 700


CHOSEN: Final = ("classic", (("deck", 68), ("first_face_down", "chosen")))


@pytest.mark.parametrize(
    ("scenario", "players", "edition"),
    [
        ("first_game", 2, (DEFAULT, ())),
        ("vicious_nobles", 4, (DEFAULT, ())),
        pytest.param("cunning_agents", 8, (DEFAULT, ()), marks=pytest.mark.slow),
        ("first_game", 3, CHOSEN),
        ("random", 4, ("dark_city", ())),
        ("first_game", 2, ("citta_comune", ())),
    ],
)
def test_it_agrees_on_honest_games(
    scenario: str,
    players: int,
    edition: tuple[str, Options],
    check: Callable[..., int],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    key, options = edition
    game = recorded(setup=from_scenario(scenario, players, edition_key=key, options=options), seed=3)
    viewers = (0, players - 1, None)
    paths = [saved(tmp_path / f"{seat}.ctr", game.transcript(seat)) for seat in viewers]
    assert check(*paths) == verify(paths[:1]).code == 0
    assert capsys.readouterr().out.count("VERIFIED") == 3


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


@pytest.mark.parametrize("key", EDITIONS)
def test_it_knows_what_every_edition_plays_with(key: str) -> None:
    """Written twice, from the same text: decks, first hands, fixed casts, and the values of options."""
    chance, played = load("check_chance"), EDITIONS[key]
    known = chance.EDITIONS[key]
    others = {name: tuple(values)[1:] for name, values in played.options.items()}
    assert known.options == others
    assert {players: known.hand[players] for players in played.players} == dict(played.hand)
    for number in (None, *others.get("deck", ())):
        options: Options = () if number is None else (("deck", number),)
        variant, mine = edition_named(key, options), chance.edition_of(key, dict(options))
        uniques = sorted(variant.uniques)[: known.chosen.start or None]
        assert chance.deck_of(mine, uniques) == variant.deck(uniques)
        filled = variant.casting.filled(variant, TableConfig(min(variant.players), edition=key, options=options))
        assert known.cast == filled.cast
        assert filled.districts in ((), tuple(sorted(variant.uniques)))
    assert chance.edition_of(key, {"deck": 99}) is None
    assert chance.edition_of("pirates", {}) is None


def test_a_deck_of_another_edition_is_refused() -> None:
    chance = load("check_chance")
    for key, uniques in (
        ("2016", ["keep"]),
        ("classic", [*chance.OF_65, "great_wall"]),
        ("dark_city", ["keep", "keep"]),
        ("dark_city", ["basilica"]),
        ("citta_comune", [*chance.OF_80][1:]),
    ):
        with pytest.raises(load("check_bytes").Bad):
            chance.deck_of(chance.EDITIONS[key], uniques)


def test_a_lighthouse_may_take_the_last_card() -> None:
    """The deck is shuffled then though nothing is left of it, which is no first deal."""
    chance = load("check_chance")
    edition = chance.Edition({"keep": 1}, {}, range(1), {2: 0}, {})
    told = [(event, event) for event in (["Shuffled", ["keep"]], ["TakenFromDeck", 0, "keep"], ["Shuffled", []])]
    chance.follow(edition, 2, [], [], bytes(32), told)
    with pytest.raises(load("check_bytes").Bad):
        chance.follow(edition, 2, [], [], bytes(32), [*told, told[0]])


def test_of_an_unknown_edition_it_says_so_whatever_stands_there(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = drafts(duel)
    opening = entries[0].entry
    assert isinstance(opening, Open)
    entries[0].entry = Open(replace(opening.header, edition="pirates"))
    change(entries[find(entries, Move)], events=[[99, "walks the plank"]])
    path = saved(tmp_path / "a.ctr", Forge().file(entries))
    assert check(path) == verify([path]).code == 3
    assert "the edition pirates is not of this version" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("edition", "tries"),
    [
        ("classic", 3),
        pytest.param("classic", 30, marks=pytest.mark.slow),
        pytest.param("citta_comune", 12, marks=pytest.mark.slow),
    ],
)
def test_whatever_a_host_tells_it_answers(
    edition: str, tries: int, check: Callable[..., int], tmp_path: Path
) -> None:
    """Events with another number, name or length in them, signed by everybody: found, or left to the rules."""
    game = recorded(setup=from_scenario("first_game", 2, edition_key=edition), seed=2)
    dice, path = random.Random(5), tmp_path / "a.ctr"
    for _ in range(tries):
        entries = drafts(game)
        entry = dice.choice([one for one in entries if isinstance(one.entry, Move | TableMove)])
        events = [list(event) for event in events_of(entry.entry)]
        event = dice.choice(events)
        at = dice.randrange(1, max(2, len(event)))
        event[at:] = [tampered(one, dice) for one in event[at:]]
        change(entry, events=events)
        assert check(saved(path, Forge().file(entries))) in {0, 1}


def tampered(value: object, dice: random.Random) -> object:
    """Something else of the same shape."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return dice.choice((value, value + 1, 200))
    if isinstance(value, str):
        return dice.choice((value, "?", "keep", "king"))
    return dice.choice((value, value[1:], [*value, *value])) if isinstance(value, list) else value


def test_it_agrees_on_unfinished_games(duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    for n in (0, 1, 3, 9, 40):
        for finish in (True, False):
            path = saved(tmp_path / "a.ctr", Forge().file(drafts(duel)[:n], finish=finish))
            assert check(path) == verify([path]).code == 4
    path = saved(tmp_path / "a.ctr", duel.transcript(0, finish=False)[:-1])
    assert check(path) == verify([path]).code == 4
    assert check(tmp_path / "missing.ctr") == 3
    assert check() == check("--help") == 2


@pytest.mark.parametrize("step", [67, pytest.param(19, marks=pytest.mark.slow)])
def test_flipped_bits_are_seen(duel: Game, check: Callable[..., int], tmp_path: Path, step: int) -> None:
    chance = random.Random(6)
    for finish in (True, False):
        whole = duel.transcript(0, finish=finish)
        for at in (
            *range(0, 130, step),
            *(chance.randrange(len(whole)) for _ in range(228 // step)),
            len(whole) - 1,
        ):
            data = bytearray(whole)
            data[at] ^= 1 << chance.randrange(8)
            path = saved(tmp_path / "a.ctr", bytes(data))
            assert check(path) == verify([path]).code != 0, at


def change(draft: Draft, **fields: object) -> None:
    draft.entry = replace(draft.entry, **fields)


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


def another_host(entries: list[Draft]) -> Forge:
    entry = entries[0].entry
    assert isinstance(entry, Open)
    entries[0].entry = Open(replace(entry.header, hostkey=player(5).public))
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
    another_host,
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
    return Games(recorded(2), recorded(4), marked, stood_in_sealing(), recorded(3, migrate=2))


ROOM: Final = 12
"""Contradictions in one test: each row would be quick, and all of them one long test."""


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, ROOM))])
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


RULED: Final = frozenset({"ruling", "ruling_count", "offer", "uncalled", "copies", "impossible_event", "no_move"})
REPLAYED: Final = frozenset({"illegal", "notation", "no_table", "event", "event_count", "private", "setup"})
STRICT: Final = RULED | REPLAYED | {"private_event", "malformed"}
"""Codes of contradictions that take the rules, or a decoder as strict as the program's."""


def agreed(path: Path, second: int) -> bool:
    """Whether the first verifier says the same, or finds what only it can."""
    report = verify([path])
    return report.code == second or any(finding.contradiction in STRICT for finding in report.findings)


def test_it_knows_who_moves_for_a_seat(check: Callable[..., int], tmp_path: Path) -> None:
    game = stood_in_sealing()
    for viewer in (0, 1, None):
        path = saved(tmp_path / f"{viewer}.ctr", game.transcript(viewer))
        assert check(path) == verify([path]).code == 0


def test_what_another_host_needs_is_found_wanting(script: ModuleType) -> None:
    """Each by itself: in a forged game all later chance would be another, too."""
    log = script.File("", recorded(3, migrate=2).transcript(0)).log
    settle, bad = load("check_migration").settle, load("check_bytes").Bad
    settle(log)
    move, signature = log.moves[3]
    value, (place, opening) = next(iter(log.opened.items()))
    for name, wrong in (
        ("shared", [*log.shared[:2], log.shared[2][::-1]]),
        ("moves", [(move._replace(escrow=move.escrow[:-1] + b"?"), signature)]),
        ("moves", [(move, bytes(64))]),
        ("stood", {5: (0, bytes(32))}),
        ("opened", {**log.opened, value: (place._replace(stand_in=5), opening)}),
    ):
        right = getattr(log, name)
        setattr(log, name, wrong)
        with pytest.raises(bad):
            settle(log)
        setattr(log, name, right)


@pytest.mark.parametrize("tries", [15, pytest.param(200, marks=pytest.mark.slow)])
def test_it_agrees_on_any_changed_value(tries: int, duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    chance, path = random.Random(7), tmp_path / "a.ctr"
    for _ in range(tries):
        entries = drafts(duel)
        at = chance.randrange(len(entries))
        plain = unpack(encode_entry(entries[at].entry))
        entries[at].public = pack(changed_leaf(plain, chance.choice(leaves(plain)), chance))
        data = Forge(players=chance.random() < 0.7).file(entries, chance.randrange(2))
        assert agreed(path, check(saved(path, data))), at


def test_twice_the_file_is_twice_the_work(script: ModuleType, duel: Game) -> None:
    """Calls are counted, not seconds."""
    opening = [1, 0, 0, "warrant", "warrant king*", bytes(32)]
    for body in (msgpack.packb([opening] * 40), b"\x90"):
        record = len(body).to_bytes(4, "big") + b"O" + body
        one, two, four = (
            calls(partial(script.File, "", duel.transcript(0, finish=False) + record * times))
            for times in (20, 40, 80)
        )
        assert four - two <= 2.1 * (two - one)
    parts = (Forge().file(drafts(duel)[:n], finish=False) for n in (60, 120, 180))
    one, two, four = (calls(partial(script.File, "", data)) for data in parts)
    assert four < 5 * one, (one, two, four)


def calls(work: Callable[[], object]) -> int:
    """How many calls, of Python and C functions, some work takes."""
    counted = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted


@pytest.mark.parametrize("finish", [True, False])
def test_what_the_host_has_not_signed_accuses_nobody(
    finish: bool, duel: Game, check: Callable[..., int], tmp_path: Path
) -> None:
    entries = drafts(duel)[: find(drafts(duel), Seal)]
    change(entries[2], signatures=(bytes(64), bytes(64)))
    path = saved(tmp_path / "a.ctr", Forge(resign=False).file(entries, finish=finish))
    assert check(path) == verify([path]).code == 3


def test_a_dropped_entry_is_damage(duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    dropped = with_bodies(duel, duel.bodies[:6] + duel.bodies[7:])
    path = saved(tmp_path / "a.ctr", dropped.transcript(0))
    assert check(path) == verify([path]).code == 3


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


def with_record(entries: list[Draft], kind: bytes, body: bytes, seat: int = 0, *, finish: bool = True) -> bytes:
    """The file of a seat that holds a record more."""
    forge = Forge()
    data = forge.file(entries, seat, finish=False) + len(body).to_bytes(4, "big") + kind + body
    sha, n = hashlib.sha256(data).digest(), forge.chain.n.to_bytes(8, "big")
    footer = msgpack.packb([sha, player(seat).sign("transcript", GAME, n, forge.chain.head, sha)])
    return data + len(footer).to_bytes(4, "big") + b"F" + footer if finish else data


@pytest.fixture(scope="module")
def marked() -> tuple[list[Draft], list[object]]:
    """A game after which a sealed move is open only because its owner opened it, and that opening, left out."""
    for seed in range(1, 40):
        game = recorded(setup=from_scenario("cunning_agents", 4), seed=seed)
        entries = drafts(game)
        for draft in entries[-4:]:
            if isinstance(draft.entry, (Opened, Close)):
                for one in draft.entry.openings:
                    if one.kind in {"warrant", "threaten"}:
                        change(draft, openings=tuple(other for other in draft.entry.openings if other != one))
                        return entries, [one.round, one.seat, one.slot, one.kind, one.line, one.nonce]
    raise LookupError("no seed has a sealed move that is not opened in the game")


def test_who_did_not_open_is_named(
    marked: tuple[list[Draft], list[object]],
    check: Callable[..., int],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    entries, opening = marked
    owner = opening[1]
    assert isinstance(owner, int)
    other = saved(tmp_path / "b.ctr", Forge().file(entries, (owner + 1) % 4))
    assert check(other) == 4
    assert f"Player {owner} (seat {'abcd'[owner]}) did not open '{opening[3]} " in capsys.readouterr().out
    own = saved(tmp_path / "a.ctr", with_record(entries, b"O", msgpack.packb([opening]), owner))
    assert check(own) == check(own, other) == check(other, own) == 0


def test_a_wrong_opening_opens_nothing(
    marked: tuple[list[Draft], list[object]], check: Callable[..., int], tmp_path: Path
) -> None:
    entries, opening = marked
    assert isinstance(opening[1], int)
    wrong = [[*opening[:5], bytes(32)], [*opening[:4], "threaten king*", opening[5]], [99, *opening[1:]]]
    path = tmp_path / "a.ctr"
    assert check(saved(path, with_record(entries, b"O", msgpack.packb(wrong), opening[1]))) == 4
    assert check(saved(path, with_record(entries, b"O", msgpack.packb([*wrong, opening]), opening[1]))) == 0
    assert check(saved(path, with_record(entries, b"O", msgpack.packb([opening[:5]]), opening[1]))) == 3


def test_a_datagram_of_another_head_names_the_host(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = drafts(duel)
    n = find(entries, Seal)

    def datagram(head: bytes, signature: bytes | None = None) -> bytes:
        signature = signature or sign_entry(HOST, GAME, n, head)
        return bytes(msgpack.packb(["citadels-lan", 2, GAME, n, head, signature, None, b""]))

    path, other = tmp_path / "a.ctr", tmp_path / "b.ctr"
    assert check(saved(path, with_record(entries, b"G", datagram(bytes(32))))) == 1
    assert "THE HOST told two stories" in capsys.readouterr().out
    assert check(saved(path, with_record(entries, b"G", datagram(bytes(32)), finish=False))) == 1
    assert "THE HOST" in capsys.readouterr().out
    assert check(saved(path, with_record(entries, b"G", datagram(bytes(32), bytes(64))))) == 0
    assert check(saved(path, with_record(entries[: n - 1], b"G", datagram(bytes(32))))) == 4
    for paths in ((path, saved(other, duel.transcript(1))), (other, path)):
        assert check(*paths) == verify(paths).code == 1
    assert check(saved(path, with_record(entries, b"G", b"\xc0"))) == verify([path]).code == 0


@pytest.mark.parametrize("finish", [True, False])
def test_an_alarm_is_borne_out_or_false(
    finish: bool, duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = drafts(duel)[:9]
    path = saved(tmp_path / "a.ctr", with_record(entries, b"A", msgpack.packb([9, "event"]), finish=finish))
    assert check(path) == verify([path]).code == 4
    assert "false alarm" in capsys.readouterr().out
    change(entries[find(entries, Present)], round=9)
    path = saved(tmp_path / "a.ctr", with_record(entries, b"A", msgpack.packb([4, "present"]), finish=finish))
    assert check(path) == verify([path]).code == 1


def test_a_host_that_holds_back_the_end(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path / "a.ctr", Forge().file(drafts(duel)[: find(drafts(duel), Close)]))
    assert check(path) == verify([path]).code == 4
    assert "held back by the host" in capsys.readouterr().out


def test_a_part_beside_the_whole_is_no_fault(duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    paths = [
        saved(tmp_path / "a.ctr", duel.transcript(0)),
        saved(tmp_path / "b.ctr", Forge().file(drafts(duel)[:40], 1)),
    ]
    assert check(*paths) == check(*paths[::-1]) == verify(paths).code == 0
    assert check(paths[1]) == 4


@pytest.mark.parametrize(("kind", "most"), [(b"G", 64), (b"O", 40)])
def test_more_records_than_anybody_writes(
    kind: bytes, most: int, duel: Game, check: Callable[..., int], tmp_path: Path
) -> None:
    """Of 250 openings in each `O` record there may be 10 000."""
    opening = [1, 0, 0, "warrant", "warrant king*", bytes(32)]
    body = msgpack.packb([opening] * 250)
    record = len(body).to_bytes(4, "big") + kind + body
    path, whole = tmp_path / "a.ctr", duel.transcript(0, finish=False)
    for number, code in ((most, 4), (most + 1, 3)):
        assert check(saved(path, whole + record * number)) == verify([path]).code == code


@pytest.mark.parametrize("kinds", ["OG", "GO", "SA", "GSA", "AG", "SG", "AS", "AA", "SS", "X"])
def test_records_have_an_order(kinds: str, duel: Game, check: Callable[..., int], tmp_path: Path) -> None:
    opening = [1, 0, 0, "warrant", "warrant king*", bytes(32)]
    bodies = {"O": msgpack.packb([opening]), "A": msgpack.packb([9, "event"])}
    records = [(kind.encode(), bodies.get(kind, b"")) for kind in kinds]
    data = b"".join(len(body).to_bytes(4, "big") + kind + body for kind, body in records)
    path = saved(tmp_path / "a.ctr", duel.transcript(0, finish=False) + data)
    assert check(path) == verify([path]).code == (4 if kinds in {"OG", "GO", "SA", "GSA"} else 3)


@pytest.mark.parametrize("tries", [8, pytest.param(60, marks=pytest.mark.slow)])
def test_it_never_raises_and_never_accuses(
    duel: Game, check: Callable[..., int], tmp_path: Path, tries: int
) -> None:
    chance, path = random.Random(8), tmp_path / "a.ctr"
    whole = duel.transcript(0)
    line = whole[: whole.index(b"\n") + 1]
    for _ in range(tries):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 20)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        for junk in (bytes(data), line + chance.randbytes(chance.randrange(400)), chance.randbytes(60)):
            assert check(saved(path, junk)) in {3, 4}
        assert check(saved(path, whole[: chance.randrange(len(line), len(whole) - 1)])) in {3, 4}


# Cut off, or none at all; UTF-8; depth; what this protocol does not use: extensions, floats.
REFUSED = (
    "c1 a2c328 a10a91 919191919191919100 91 c4 a2 cd00 ca0000 d9 dd "
    "81c0 c70101 8101c0 81a16191919191919100 c70001 d6ff00000000 cb"
)
# Longer than it has to be.
LONGER = {
    "cc7f": 127,
    "d100ff": 255,
    "d90161": "a",
    "c5000161": b"a",
    "dc000100": [0],
    "dd00000000": [],
}


@pytest.mark.parametrize("data", REFUSED.split())
def test_what_is_not_messagepack_is_refused(of_bytes: ModuleType, data: str) -> None:
    for shape in (int, str, bytes, list):
        with pytest.raises(of_bytes.Bad):
            of_bytes.read(bytes.fromhex(data), shape)


@pytest.mark.parametrize("data", LONGER)
def test_any_form_will_do(of_bytes: ModuleType, data: str) -> None:
    true = LONGER[data]
    assert of_bytes.read(bytes.fromhex(data), type(true)) == true


@pytest.mark.parametrize("depth", [8, 9, 900, 5000])
def test_depth_has_an_end(of_bytes: ModuleType, depth: int) -> None:
    data = b"\x91" * (depth - 1) + b"\0"
    if depth == 8:
        assert of_bytes.read(data, list) == [[[[[[[0]]]]]]]
        return
    with pytest.raises(of_bytes.Bad):
        of_bytes.read(data, list)


def test_the_vectors(script: ModuleType) -> None:
    """The two programs hash the same; the shuffles are those of section 8."""
    nonce, place = bytes(range(32)), (b"\0\3", b"\2", b"\0")
    for line in ("pick king", "warrant king bishop merchant*", "threaten king* merchant"):
        kind = line.split(" ")[0]
        true = commitment(GAME, kind, 3, 2, 0, line, nonce)
        assert script.digest("commit", GAME, kind, *place, line, nonce) == true
    first, one = script.digest("genesis", GAME, "rules", "fp"), (1).to_bytes(8, "big")
    leaf = script.digest("priv", GAME, one, b"\2", nonce, "hand")
    assert first == genesis(GAME, "rules", b"fp")
    assert leaf == leaf_hash(GAME, 1, 2, nonce, b"hand")
    assert script.digest("entry", first, one, "pub", b"\2" + leaf) == entry_hash(first, 1, b"pub", b"\2" + leaf)
    assert script.frame("x", b"y").hex() == "11" + b"citadels-lan/v2/x".hex() + "0000000179"
    shuffled = load("check_chance").shuffled
    digits = SeededChance(bytes(32)).shuffle("chars/3", list("012345678"))
    assert shuffled(bytes(32), "chars/3", list("012345678")) == digits


def test_keys_that_prove_nothing_are_refused(of_bytes: ModuleType) -> None:
    order_8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
    small = [u.to_bytes(32, "little") for u in (0, 1, 2**255 - 20, 2**255, 2**255 + 1)]
    for key in (order_8, *small, (2**255 - 19).to_bytes(32, "little"), b"\xff" * 32, (2).to_bytes(32, "little")):
        assert not of_bytes.sound(key)
    assert of_bytes.sound(player(0).public)
