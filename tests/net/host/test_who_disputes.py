"""Who said what between two rounds, as a host reads it back."""

from citadels_lan.crypto.log import Present
from citadels_lan.net.host.recovery.recovering import _participants


def test_each_seat_has_its_own_word_and_no_others() -> None:
    signatures = tuple(bytes([seat]) * 64 for seat in (0, 1, 3))
    found = _participants(Present(2, 0b1011, 0b1010, signatures))
    assert {seat: one.signature for seat, one in found.items()} == dict(zip((0, 1, 3), signatures, strict=True))
    assert [seat for seat, one in found.items() if one.disputes] == [1, 3]
