"""The second verifier reads MessagePack as packers write it, and nothing else."""

from types import ModuleType

import msgpack  # type: ignore[import-untyped]
import pytest

# Cut off, or none at all; UTF-8; depth.
REFUSED = "c1 a2c328 a10a91 919191919191919100 91 c4 a2 cd00 ca0000 d9 dd 81c0 c70101"


# Longer than it has to be, or what this protocol does not use.
LONGER = {
    "cc7f": 127,
    "d100ff": 255,
    "d90161": "a",
    "c5000161": b"a",
    "dc000100": [0],
    "dd00000000": [],
    "a10a": "\n",
}


@pytest.mark.parametrize("data", REFUSED.split())
def test_what_is_not_messagepack_is_refused(of_bytes: ModuleType, data: str) -> None:
    with pytest.raises(of_bytes.Bad):
        of_bytes.Reader().read(bytes.fromhex(data), {list, int, str, bytes})


@pytest.mark.parametrize("data", LONGER)
def test_any_form_will_do(of_bytes: ModuleType, data: str) -> None:
    assert of_bytes.Reader().value(bytes.fromhex(data)) == (LONGER[data], len(data) // 2)


@pytest.mark.parametrize(
    "value",
    [0, 127, 128, 2**16, 2**64 - 1, -1, -32, -33, -129, -(2**31) - 1, -(2**63), None, True, [[]], "é", b"x"],
)
def test_it_reads_what_packers_write(of_bytes: ModuleType, value: object) -> None:
    for one in (value, [value] * 20, ["é" * 40, b"x" * 300, value]):
        data = msgpack.packb(one)
        assert of_bytes.Reader().value(data) == (one, len(data))
