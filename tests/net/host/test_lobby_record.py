"""How long the words of a code may be in a journal."""

import pytest

from citadels_lan.crypto.packing import Malformed, pack, typed, unpack
from citadels_lan.net.host.journal import LobbyRecord
from tests.facts import first_table


def test_words_have_a_hundred_letters_at_most() -> None:
    longest = LobbyRecord(first_table(2), words=("w" * 100,) * 64)
    assert typed(unpack(pack(longest)), LobbyRecord) == longest
    for words in (("w" * 101,), ("w",) * 65):
        with pytest.raises(Malformed):
            typed(unpack(pack(LobbyRecord(first_table(2), words=words))), LobbyRecord)
