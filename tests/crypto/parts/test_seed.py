from citadels_lan.crypto.seed import host_commitment, joint_seed, part_commitment

GAME, SECRET, HEAD = bytes(16), b"s" * 32, b"h" * 32
PARTS = (b"a" * 32, b"b" * 32)


def test_everything_goes_into_the_seed() -> None:
    seed = joint_seed(GAME, SECRET, PARTS, HEAD)
    others = {
        joint_seed(b"g" * 16, SECRET, PARTS, HEAD),
        joint_seed(GAME, b"t" * 32, PARTS, HEAD),
        joint_seed(GAME, SECRET, PARTS[::-1], HEAD),
        joint_seed(GAME, SECRET, PARTS[:1], HEAD),
        joint_seed(GAME, SECRET, PARTS, b"i" * 32),
    }
    assert len(seed) == 32
    assert len(others) == 5
    assert seed not in others


def test_a_part_is_committed_to_for_one_seat() -> None:
    assert part_commitment(GAME, 0, PARTS[0]) != part_commitment(GAME, 1, PARTS[0])
    assert host_commitment(GAME, SECRET) != part_commitment(GAME, 0, SECRET)
