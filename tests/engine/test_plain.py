"""Events and states as plain values, and back."""

import random

import pytest
from msgspec import ValidationError
from msgspec.msgpack import encode

from citadels_lan.engine import EDITIONS, decode_event, decode_state, encode_event, encode_state, view
from tests.effort import one_case
from tests.engine.games import Game
from tests.engine.tables import Tables


@one_case("edition", EDITIONS)
def test_what_is_encoded_is_decoded_to_the_same_and_has_one_form(edition: str) -> None:
    game = Game(5, Tables((edition,)).draw(random.Random(5), 4))
    for _, events in game.steps():
        for event in events:
            assert decode_event(encode_event(event)) == event
        for seen in (game.state, view(game.state, 1), view(game.state, None)):
            plain = encode_state(seen)
            assert decode_state(plain) == seen
            assert encode(encode_state(decode_state(plain))) == encode(plain)


@one_case("plain", [[], ["?"], [21, 0], [21, "a", [], "gather"], [21, 0, [], "gather", 1], [999]])
def test_what_is_no_event_is_refused(plain: list[object]) -> None:
    with pytest.raises(ValidationError):
        decode_event(plain)


@one_case("wrong", [{"crown": "a"}, {"players": [{"gold": None}]}, {"steps": [{"verb": "pick"}]}])
def test_what_is_no_state_is_refused(wrong: dict[str, object]) -> None:
    plain = encode_state(Game(1).state)
    with pytest.raises(ValidationError):
        decode_state(plain | wrong)
