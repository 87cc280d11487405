"""One value of an entry, changed."""

import random
from typing import Any


def leaves(value: Any, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    if isinstance(value, list):
        return [found for index, one in enumerate(value) for found in leaves(one, (*path, index))]
    return [path]


def changed_leaf(value: Any, path: tuple[int, ...], chance: random.Random) -> Any:
    if path:
        rest = changed_leaf(value[path[0]], path[1:], chance)
        return [*value[: path[0]], rest, *value[path[0] + 1 :]]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value ^ 1
    if isinstance(value, bytes):
        at = chance.randrange(len(value))
        return value[:at] + bytes([value[at] ^ 1 << chance.randrange(8)]) + value[at + 1 :]
    return f"{value}x"
