"""Which characters another player may hold."""

from citadels_lan.engine import State
from citadels_lan.engine.state import Player
from citadels_lan.front.identities import possible

CAST = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")


def drafted(seat: int, packet: tuple[str, ...], faceup: list[str]) -> State:
    """Five players have drafted; `seat` was handed `packet` and took its first character."""
    players = [Player(concealed=["?"]) for _ in range(5)]
    players[seat] = Player(concealed=[packet[0]], seen=[packet])
    return State(
        edition="2016",
        cast=CAST,
        districts=(),
        players=players,
        deck=[],
        crown=2,
        round=1,
        phase="turns",
        faceup=faceup,
    )


def test_possible_characters_follow_from_the_draft() -> None:
    view = drafted(3, ("king", "thief", "bishop", "merchant", "architect"), ["warlord"])
    found = possible(view, 3)
    assert found[2] == ["assassin", "magician"], "the first drafter had what did not reach me"
    assert found[4] == found[0] == found[1] == ["thief", "bishop", "merchant", "architect"]


def test_characters_of_called_ranks_are_no_longer_possible() -> None:
    view = drafted(3, ("king", "thief", "bishop", "merchant", "architect"), ["warlord"])
    view.rank = 6
    assert possible(view, 3)[0] == ["architect"]


def test_with_two_players_the_order_proves_nothing() -> None:
    players = [Player(concealed=["king"]), Player(concealed=["?"])]
    view = State(edition="2016", cast=CAST, districts=(), players=players, deck=[], round=1, phase="draft")
    assert "king" not in possible(view, 0)[1]
    assert len(possible(view, None)[1]) == 8
