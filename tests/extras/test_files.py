"""Files that are damaged, cut, forged or hostile: the second verifier accuses no one and ends."""

import ast
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.effort import one_case
from tests.extras.outsider import GAME, Key, Table, pack, record, secret, short_game, u
from tests.extras.second import FOLDER, check, check_paths, load, save
from tests.extras.vectors import HASHES, PROTOCOL, SIGNATURES, A, fields, lines, opened
from tools.structure import code_lines

WHOLE: Final = short_game()
FIRST_LINE: Final = b"citadels-lan transcript 4\n"


def test_second_verifier_runs_as_a_script(tmp_path: Path) -> None:
    path = save(tmp_path, "a.ctr", WHOLE.file(0))
    done = subprocess.run(
        [sys.executable, "-I", "check_transcript.py", path],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    plain = subprocess.run(
        [sys.executable, FOLDER / "check_transcript.py", path], capture_output=True, text=True, check=False
    )
    assert (plain.returncode, plain.stderr) == (0, "")
    assert "VERIFIED" in plain.stdout


@one_case("arguments", [[], ["--help"], ["a.ctr", "-x"]])
def test_wrong_usage_has_its_own_exit_code(arguments: list[str]) -> None:
    assert load().main(arguments) == 2


@one_case("cut", [1, 100, 5_000])
def test_truncated_file_is_incomplete(cut: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, WHOLE.file(0)[:-cut]) == 4
    assert "torn" in capsys.readouterr().out


def test_file_without_a_footer_is_incomplete(tmp_path: Path) -> None:
    assert check(tmp_path, WHOLE.file(0, footer=False)) == 4


def test_incomplete_file_does_not_change_the_verdict_of_a_complete_one(tmp_path: Path) -> None:
    assert check(tmp_path, WHOLE.file(0), WHOLE.file(1, entries=5)) == 0


@one_case("version", [2, 3, 5])
def test_file_of_another_format_is_rejected_in_one_sentence(
    version: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = WHOLE.file(0).replace(b"transcript 4", f"transcript {version}".encode(), 1)
    assert check(tmp_path, data) == 3
    assert "DAMAGED: no transcript, or one of another format\n" in capsys.readouterr().out


def test_file_with_changed_bytes_accuses_no_one(tmp_path: Path) -> None:
    chance, data = random.Random(1), WHOLE.file(0)
    for _ in range(60):
        at = chance.randrange(len(FIRST_LINE), len(data))
        changed = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        assert check(tmp_path, changed) in (3, 4), at


@one_case("kind", [b"S", b"O", b"A", b"X", b"H", b"\xff"])
def test_records_with_invalid_contents_accuse_no_one(kind: bytes, tmp_path: Path) -> None:
    assert check(tmp_path, WHOLE.file(0, extra=record(kind, b"\x93\x01\x02"))) in (0, 3, 4)


def test_control_characters_in_names_are_not_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    escape = "\x1b]0;pwned\x07\u202e"
    table = Table()
    table.names = [escape, f"{escape}b"]
    table.start()
    table.entry(3, 1, 0, escape, [], [], bytes(64))
    assert check_paths([save(tmp_path, f"{escape}.ctr", table.file(0))]) == 1
    said = capsys.readouterr().out
    assert said.isascii()
    assert said.replace("\n", "").isprintable()


@one_case("name", ["/dev/null", "/dev/zero", "pipe", "folder", "missing"])
def test_paths_that_are_no_regular_files_are_rejected(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    assert check_paths([tmp_path / name]) == 3


def test_random_values_in_entries_do_not_crash_the_second_verifier(tmp_path: Path) -> None:
    """Signed nonsense is proof against the host."""
    chance = random.Random(3)
    values: list[object] = [
        None, -1, 2**63, "", "x" * 300, b"", bytes(64), [], [[]] * 9, {"a": 1}, True, [[32, 200]], [[]],
    ]  # fmt: skip
    for kind in range(10):
        for size in range(8):
            table = Table()
            table.start()
            table.table([[72, 1]])
            table.entry(kind, *(chance.choice(values) for _ in range(size)))
            assert check(tmp_path, table.file(0)) in (1, 4), kind


def test_deeply_nested_or_padded_values_accuse_the_host(tmp_path: Path) -> None:
    for public in (pack([2, [[[[[[[[[]]]]]]]]]]), pack([2, []]) + b"\x00", b"\xdc\x00\x02\x02\x90", b"", b"\xc1"):
        table = Table()
        table.start()
        table.deltas.append(forged_delta(table, public))
        assert check(tmp_path, table.file(None, entries=3, footer=False)) == 1


def forged_delta(table: Table, public: bytes) -> tuple[int, bytes, bytes, bytes, dict[int, bytes]]:
    """Return the fields of the next delta with these public bytes, signed by the host."""
    from .outsider import hashed, u

    head = hashed("entry", table.head, u(table.n, 8), public, b"")
    return table.n, table.key.sign("entry", GAME, u(table.n, 8), head), public, b"", {}


def test_two_games_in_one_call_are_judged_separately(tmp_path: Path) -> None:
    other = short_game(3)
    assert check(tmp_path, WHOLE.file(0), other.file(0)) == 1
    assert check(tmp_path, WHOLE.file(0), b"nothing") == 3


@pytest.mark.parametrize("size", [256, 1024])
def test_body_whose_length_is_not_a_padding_size_is_damaged(size: int, tmp_path: Path) -> None:
    n, signature, public, leaves, _ = WHOLE.deltas[0]
    body = pack([n, signature, public, leaves, None, None])
    body += bytes(-len(body) % 1024 + size)
    data = WHOLE.file(0, entries=0, footer=False) + record(b"E", body)
    assert check(tmp_path, data) == (4 if size == 1024 else 3)


def test_file_of_another_table_with_the_same_game_id_is_damaged(tmp_path: Path) -> None:
    other = Table()
    other.host = other.key = Key(secret("another host"))
    other.start()
    assert check(tmp_path, other.file(0)) == 4
    assert check(tmp_path, WHOLE.file(0), other.file(0)) == 3


def test_internal_error_of_the_verifier_accuses_no_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load()
    monkeypatch.setattr(module, "compare", lambda _: 1 // 0)
    assert module.run([str(save(tmp_path, "a.ctr", WHOLE.file(0)))]) == 3


FILES: Final = sorted(FOLDER.glob("*.py"))
BUDGET: Final = 690
"""Most lines of code that the second verifier may have."""


def test_second_verifier_imports_only_the_standard_library_and_two_packages() -> None:
    allowed = {*sys.stdlib_module_names, "cryptography", "msgpack", *(path.stem for path in FILES)}
    for node in (node for path in FILES for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert (node.module or "").split(".")[0] in allowed
        elif isinstance(node, ast.Name):
            assert node.id not in {"__import__", "import_module", "exec", "eval"}


def test_second_verifier_has_at_most_its_allowed_code_lines() -> None:
    assert sum(map(code_lines, FILES)) <= BUDGET


@one_case("y", [0, 1, 2, 2**255 - 20, 2**255 - 19, 2**255, 2**255 + 1, 2**256 - 1])
def test_keys_of_small_order_or_another_form_are_rejected(y: int) -> None:
    sound = load("check_bytes").sound
    assert not sound(y.to_bytes(32, "little"))
    assert sound(Key(bytes(32)).public)


def test_key_of_order_8_is_rejected() -> None:
    key = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
    assert not load("check_bytes").sound(key)


TEXT: Final = PROTOCOL.read_text(encoding="utf-8")
UNHASHED: Final = {"chance", "box", "pake-joining", "pake-host", "confirm-joining", "confirm-host"}
"""Tags of byte strings that are framed but not hashed with `H`."""


def test_protocol_page_has_every_vector() -> None:
    section = TEXT.partition("## 18. Test vectors")[2]
    assert [line for line in section.splitlines() if line in lines()] == lines()


def test_encrypted_packet_of_the_vectors_opens() -> None:
    assert opened() == u(10, 2) + A


def test_every_hash_tag_of_the_protocol_has_a_vector() -> None:
    tags = set(re.findall(r'(?:H|frame)\("([a-z-]+)"', TEXT))
    assert tags - UNHASHED == {fields(call)[0] for call in HASHES}


def test_every_signature_tag_of_the_protocol_has_a_vector() -> None:
    table = TEXT.partition("## 5. Tags")[2].partition("## 6.")[0]
    tags = {
        tag
        for row in re.findall(r"^\| (`[^|]+`) \|", table, re.MULTILINE)
        for tag in re.findall(r"`([a-z-]+)`", row)
    }
    assert tags == {fields(call)[0] for call in SIGNATURES}
