"""The test vectors of docs/protocol.md are those of the generator, and every tag of the text has one."""

import re
from typing import Final

from .outsider import u
from .vectors import HASHES, PROTOCOL, SIGNATURES, A, fields, lines, opened

TEXT: Final = PROTOCOL.read_text(encoding="utf-8")
UNHASHED: Final = {"chance", "box", "pake-joining", "pake-host", "confirm-joining", "confirm-host"}
"""Tags of frames that are no hash."""


def test_document_has_every_vector() -> None:
    section = TEXT.partition("## 18. Test vectors")[2]
    assert [line for line in section.splitlines() if line in lines()] == lines()


def test_box_opens() -> None:
    assert opened() == u(10, 2) + A


def test_every_tag_of_a_hash_has_a_vector() -> None:
    tags = set(re.findall(r'(?:H|frame)\("([a-z-]+)"', TEXT))
    assert tags - UNHASHED == {fields(call)[0] for call in HASHES}


def test_every_tag_of_a_signature_has_a_vector() -> None:
    table = TEXT.partition("## 5. Tags")[2].partition("## 6.")[0]
    tags = {
        tag
        for row in re.findall(r"^\| (`[^|]+`) \|", table, re.MULTILINE)
        for tag in re.findall(r"`([a-z-]+)`", row)
    }
    assert tags == {fields(call)[0] for call in SIGNATURES}
