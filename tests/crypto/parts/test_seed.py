"""The joint seed, and commitments to its parts."""

from citadels_lan.crypto.chance import host_commitment, joint_seed, part_commitment
from citadels_lan.crypto.packing import digest, u8

GAME, SECRET, HEAD = bytes(16), b"s" * 32, b"h" * 32
PARTS = (b"a" * 32, b"b" * 32)


def test_every_input_changes_the_seed() -> None:
    seed = joint_seed(HEAD, SECRET, PARTS)
    assert seed == digest("seed", HEAD, SECRET, *PARTS)
    others = {
        joint_seed(b"i" * 32, SECRET, PARTS),
        joint_seed(HEAD, b"t" * 32, PARTS),
        joint_seed(HEAD, SECRET, PARTS[::-1]),
        joint_seed(HEAD, SECRET, PARTS[:1]),
        joint_seed(HEAD, SECRET, (b"c" * 32, PARTS[1])),
    }
    assert len(others) == 5
    assert seed not in others


def test_a_part_is_committed_to_for_one_seat_and_one_header() -> None:
    commit = part_commitment(HEAD, 0, PARTS[0])
    assert commit == digest("part", HEAD, u8(0), PARTS[0])
    assert commit != part_commitment(HEAD, 1, PARTS[0])
    assert commit != part_commitment(b"i" * 32, 0, PARTS[0])
    assert host_commitment(GAME, SECRET) == digest("seed-host", GAME, SECRET)
