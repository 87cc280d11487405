"""The second verifier stands alone: it imports nothing of the program, and can be read in one sitting."""

import ast
import sys
from typing import Final

from tests.effort import one_case
from tools.structure import code_lines

from .outsider import Key
from .second import FOLDER, load

FILES: Final = sorted(FOLDER.glob("*.py"))
BUDGET: Final = 690
"""Lines of code."""


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


def test_second_verifier_is_within_its_budget() -> None:
    assert sum(map(code_lines, FILES)) <= BUDGET


@one_case("y", [0, 1, 2, 2**255 - 20, 2**255 - 19, 2**255, 2**255 + 1, 2**256 - 1])
def test_keys_of_small_order_or_another_form_are_rejected(y: int) -> None:
    sound = load("check_bytes").sound
    assert not sound(y.to_bytes(32, "little"))
    assert sound(Key(bytes(32)).public)


def test_key_of_order_8_is_rejected() -> None:
    key = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
    assert not load("check_bytes").sound(key)
