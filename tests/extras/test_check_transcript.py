"""The second verifier: it says what the first says, and knows nothing of it."""

import ast
import hashlib
import random
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

import msgpack  # type: ignore[import-untyped]
import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import Close, Move, Open, Opened, Parts, Seal, TableMove, events_of
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import DEFAULT, EDITIONS, Options, TableConfig, edition_named, from_scenario
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import GAME, HOST, Game, player, recorded, with_bodies

from .second import FOLDER, load


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The verifier; a signature that it has checked in another test is not checked again."""
    module = load()
    module.valid = cache(module.valid)  # type: ignore[attr-defined]  # a script's
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
    allowed = {*sys.stdlib_module_names, "cryptography", *(path.stem for path in paths)}
    for node in (node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert (node.module or "").split(".")[0] in allowed
        elif isinstance(node, ast.Name):
            assert node.id not in {"__import__", "import_module", "exec", "eval"}


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
    said = capsys.readouterr().out
    assert said.count("VERIFIED") == said.count("compared 2") == 3
    assert [int(number) > 4 for number in re.findall("own cards checked ([0-9]+)", said)] == [True, True, False]


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
        uniques = sorted(variant.uniques)[: None if known.chosen < 1 else known.chosen]
        assert mine.cards(uniques) == variant.deck(uniques)
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
            chance.EDITIONS[key].cards(uniques)


def test_a_lighthouse_may_take_the_last_card() -> None:
    chance = load("check_chance")
    table = chance.Chance(chance.EDITIONS["citta_comune"], 2, [], [])
    table.dealt, table.deck = True, ["keep"]
    for event in (["TakenFromDeck", 0, "keep"], ["Shuffled", []]):
        table.happen(event, event, "lighthouse keep")
    assert table.deck == []
    with pytest.raises(load("check_bytes").Bad):
        table.happen(["Shuffled", ["keep"]], ["Shuffled", ["keep"]], "lighthouse keep")


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
    assert check(tmp_path / "missing.ctr") == check() == 3


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


@pytest.mark.parametrize(
    "cheat", [changed_pick, exchanged_signature, shown_move, other_secret, other_salts, no_seal]
)
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


def test_a_player_who_falsifies_its_own_file_is_named(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = drafts(duel)[: find(drafts(duel), Seal)]
    change(entries[2], signatures=(bytes(64), bytes(64)))
    path = saved(tmp_path / "a.ctr", Forge(resign=False).file(entries))
    assert check(path) == verify([path]).code == 1
    assert "PLAYER 0 falsified" in capsys.readouterr().out


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


def test_leaves_of_the_close_do_not_accuse_the_host(
    duel: Game, check: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The host does not sign them; a client refuses them, and so never signs a file that has them."""
    path = tmp_path / "a.ctr"
    entries = drafts(duel)
    entries[-1].private = {1: msgpack.packb([])}
    assert check(saved(path, Forge().file(entries))) == verify([path]).code == 1
    assert "PLAYER 0" in capsys.readouterr().out
    assert check(saved(path, Forge().file(entries, finish=False))) == verify([path]).code == 3


@pytest.mark.parametrize("kind", [Parts, Seal])
@pytest.mark.parametrize("more", [1, 2, 30])
def test_leaves_where_none_belong_are_refused_at_once(
    kind: type, more: int, duel: Game, check: Callable[..., int], tmp_path: Path
) -> None:
    entries = drafts(duel)
    at = find(entries, kind)
    entries[at].private = {1: msgpack.packb([])}
    for resign in (True, False):
        path = saved(tmp_path / "a.ctr", Forge(resign=resign).file(entries[: at + more]))
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
    assert f"Player {owner} (seat {'abcd'[owner]}) did not open {opening[3]}" in capsys.readouterr().out
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

    def datagram(head: bytes, key: bytes | None = None) -> bytes:
        signature = key or HOST.sign("head", GAME, n.to_bytes(8, "big"), head, bytes(32))
        return bytes(msgpack.packb(["citadels-lan", 1, GAME, n, head, bytes(32), signature, None, b""]))

    path = tmp_path / "a.ctr"
    assert check(saved(path, with_record(entries, b"G", datagram(bytes(32))))) == 1
    assert "THE HOST told two stories" in capsys.readouterr().out
    assert check(saved(path, with_record(entries, b"G", datagram(bytes(32)), finish=False))) == 1
    assert "THE HOST" in capsys.readouterr().out
    assert check(saved(path, with_record(entries, b"G", datagram(bytes(32), bytes(64))))) == 0
    assert check(saved(path, with_record(entries[: n - 1], b"G", datagram(bytes(32))))) == 4
    assert check(saved(path, with_record(entries, b"G", b"\xc0"))) == 3


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
            assert check(saved(path, junk)) in {2, 3}
        assert check(saved(path, whole[: chance.randrange(len(line), len(whole) - 1)])) in {2, 3}


# Too long for its value, or not allowed at all; keys of maps; UTF-8, NFC, signs; depth; nothing, or too little.
REFUSED = (
    "cc7f cd00ff d0e0 d100ff d90161 c5000100 dc000100 ca00000000 c1 d40000 c60000000100 81c0c0 82a161c0a161c0 "
    "a2c328 a365cc81 a5e2808561 a3e280ae a10a 919191919191919100 91 c4 a2 cd00"
)


@pytest.mark.parametrize("data", [*REFUSED.split(), "", "da0401" + "61" * 1025, "c51001" + "00" * 4097])
def test_one_value_has_one_encoding(of_bytes: ModuleType, data: str) -> None:
    with pytest.raises(of_bytes.Bad):
        of_bytes.unpack(bytes.fromhex(data))


@pytest.mark.parametrize(
    "value",
    [0, 127, 128, 2**16, 2**64 - 1, -1, -32, -33, -129, -(2**31) - 1, -(2**63), None, True, [[]], {"a": [1]}],
)
def test_it_reads_what_packers_write(of_bytes: ModuleType, value: object) -> None:
    for one in (value, [value] * 20, ["é" * 40, b"x" * 300, value]):
        data = msgpack.packb(one)
        assert of_bytes.unpack(data) == (one, len(data))


def test_the_vectors(script: ModuleType) -> None:
    """Section 8 of the protocol."""
    nonce, place = bytes(range(32)), (b"\0\3", b"\2", b"\0")
    for kind, line, begins in (
        ("pick", "pick king", "ea75ce344260fb85"),
        ("warrant", "warrant king bishop merchant*", "9530bb0e1b8bd352"),
        ("threaten", "threaten king* merchant", "a055002ad8f10cd9"),
    ):
        assert script.digest("commit", GAME, kind, *place, line, nonce).hex().startswith(begins)
    genesis, one = script.digest("genesis", GAME, "rules", "fp"), (1).to_bytes(8, "big")
    leaf = script.digest("priv", GAME, one, b"\2", nonce, "hand")
    assert genesis.hex().startswith("c6b2455462461410")
    assert leaf.hex().startswith("587d69c9ceb92caf")
    assert script.digest("entry", genesis, one, "pub", b"\2" + leaf).hex().startswith("9ef811697e034c10")
    shuffled = load("check_chance").shuffled
    assert shuffled(bytes(32), "chars/3", list("012345678")) == list("706458231")
    cards = shuffled(bytes(32), "districts", [chr(i) for i in range(68)])
    assert hashlib.sha256("".join(cards).encode()).hexdigest().startswith("bbfef4ebc1b203f0")


def test_keys_that_prove_nothing_are_refused(script: ModuleType) -> None:
    order_8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
    small = [u.to_bytes(32, "little") for u in (0, 1, 2**255 - 20, 2**255, 2**255 + 1)]
    for key in (order_8, *small, (2**255 - 19).to_bytes(32, "little"), b"\xff" * 32, (2).to_bytes(32, "little")):
        assert not script.sound(key)
    assert script.sound(player(0).public)
