"""What lies under the Museum, as a viewer completes it."""

from citadels_lan.crypto.referee.completing import _filled
from citadels_lan.engine import HIDDEN
from tests.facts import standing


def test_what_is_hidden_is_filled_and_what_is_known_stays() -> None:
    museum = standing("museum").but(under=((0, HIDDEN), (1, "tavern"), (0, HIDDEN)))
    assert _filled(museum, iter(["keep"])).under == ((0, "keep"), (1, "tavern"), (0, HIDDEN))
