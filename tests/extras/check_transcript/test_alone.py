"""The second verifier knows nothing of the program, and yet the same of hashes, keys and editions."""

import ast
import sys
from types import ModuleType

import pytest

from citadels_lan.crypto.chain import entry_hash, genesis, leaf_hash
from citadels_lan.crypto.commitments import commitment
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.engine import EDITIONS, Options, TableConfig, edition_named
from tests.crypto.table import GAME, player
from tests.extras.second import FOLDER, load


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
    """Lines that are neither blank nor a comment: as many as docs/verify.md says."""
    lines = [
        line.strip() for path in FOLDER.glob("*.py") for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert sum(bool(line) and not line.startswith("#") for line in lines) < 1200


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
