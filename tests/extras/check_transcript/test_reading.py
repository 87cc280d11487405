"""The second verifier reads MessagePack as packers write it, and nothing else."""

from types import ModuleType

import msgpack  # type: ignore[import-untyped]  # it has no types
import pytest

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
def test_only_the_shortest_form_will_do(of_bytes: ModuleType, data: str) -> None:
    """Else one entry could be told in several forms, and the two verifiers would not agree on it."""
    true = LONGER[data]
    with pytest.raises(of_bytes.Bad):
        of_bytes.read(bytes.fromhex(data), type(true))
    assert of_bytes.read(msgpack.packb(true), type(true)) == true


@pytest.mark.parametrize("depth", [8, 9, 900, 5000])
def test_depth_has_an_end(of_bytes: ModuleType, depth: int) -> None:
    data = b"\x91" * (depth - 1) + b"\0"
    if depth == 8:
        assert of_bytes.read(data, list) == [[[[[[[0]]]]]]]
        return
    with pytest.raises(of_bytes.Bad):
        of_bytes.read(data, list)
