"""The second verifier stands alone: it imports nothing of the program, and can be read in one sitting."""

import ast
import io
import sys
import tokenize
from pathlib import Path
from typing import Final

from tests.effort import one_case

from .outsider import Key
from .second import FOLDER, load

FILES: Final = sorted(FOLDER.glob("*.py"))
SKIPPED: Final = frozenset(
    {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENCODING,
        tokenize.ENDMARKER,
    }
)
BUDGET: Final = 690
"""Lines of code."""


def code_lines(path: Path) -> int:
    """Lines that are neither blank, nor comments, nor docstrings."""
    text = path.read_text(encoding="utf-8")
    documents: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        for item in getattr(node, "body", None) or [] if not isinstance(node, ast.Lambda | ast.IfExp) else []:
            if (
                isinstance(item, ast.Expr)
                and isinstance(item.value, ast.Constant)
                and isinstance(item.value.value, str)
            ):
                documents.update(range(item.lineno, (item.end_lineno or item.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SKIPPED:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - documents)


def test_it_imports_only_the_standard_library_and_two_packages() -> None:
    allowed = {*sys.stdlib_module_names, "cryptography", "msgpack", *(path.stem for path in FILES)}
    for node in (node for path in FILES for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert (node.module or "").split(".")[0] in allowed
        elif isinstance(node, ast.Name):
            assert node.id not in {"__import__", "import_module", "exec", "eval"}


def test_it_can_be_read_in_one_sitting() -> None:
    assert sum(map(code_lines, FILES)) <= BUDGET


def test_code_lines_skip_docstrings_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text('"""Text.\n\nMore."""\n\n# no\nA = 1\nB = (\n    2\n)\n"""What B is."""\n')
    assert code_lines(path) == 4


@one_case("y", [0, 1, 2, 2**255 - 20, 2**255 - 19, 2**255, 2**255 + 1, 2**256 - 1])
def test_keys_of_small_order_or_another_form_are_rejected(y: int) -> None:
    sound = load("check_bytes").sound
    assert not sound(y.to_bytes(32, "little"))
    assert sound(Key(bytes(32)).public)


def test_a_key_of_order_8_is_rejected() -> None:
    key = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
    assert not load("check_bytes").sound(key)
