"""Honest drafts of all kinds: each seat gets the characters of its picks, no seat is accused, and message
lengths reveal nothing."""

import random
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from citadels_lan import engine
from citadels_lan.crypto.codec import Malformed, pack
from citadels_lan.crypto.draft.drafts import Dealt, GivenBack, HandedOver, decode_message
from citadels_lan.crypto.draft.knowledge import play_of
from citadels_lan.crypto.draft.secrets import SEALED, decrypt, public_key
from citadels_lan.crypto.log import SaidItem
from citadels_lan.engine.actions import Theater
from tests.crypto.draft.simulated import KINDS, Simulated
from tests.effort import one_case
from tests.facts import first_game

drafts = st.builds(
    lambda kind, crown, salt: Simulated(kind[0], kind[1], kind[2], crown % kind[0], salt),
    st.sampled_from(KINDS),
    st.integers(0, 7),
    st.integers(0, 120),
)


@one_case("kind", KINDS)
def test_every_kind_of_draft_gives_each_character_once(kind: tuple[int, int, bool]) -> None:
    game = Simulated(*kind, crown=1).draft()
    held = [game.hands[seat].held() for seat in range(kind[0])]
    together = sum(held)
    assert together.bit_count() == sum(cards.bit_count() for cards in held) == len(game.plan.steps)
    assert not together & game.record.face_up
    assert {hand.bit_count() for hand in held} == {2 if kind[0] < 4 else 1}
    game.calls()
    for place, shown in game.shown.items():
        assert shown == tuple(seat for seat, cards in enumerate(held) if cards >> place & 1)
    assert game.found() is None


@settings(deadline=None)
@given(drafts, st.integers(0, 2**20), st.integers(0, 3))
def test_no_honest_seat_is_accused(game: Simulated, known: int, exchanges: int) -> None:
    game.draft()
    choose = random.Random(known)
    for _ in range(exchanges):
        game.exchange(*choose.sample(range(game.players), 2))
    game.calls()
    assert game.found_by(*[seat for seat in range(game.players) if known >> seat & 1]) is None
    assert all(len(shown) <= 1 for shown in game.shown.values())


@settings(deadline=None)
@given(drafts, drafts)
def test_length_of_each_draft_message_is_the_same_for_all_picks(one: Simulated, other: Simulated) -> None:
    kind = (one.players, one.characters, one.chosen)
    other = Simulated(*kind, crown=one.crown, salt=other.salt + 121)
    lengths = [
        [(seat, type(message), len(pack(message))) for seat, message in game.draft().said] for game in (one, other)
    ]
    assert lengths[0] == lengths[1]
    replies = {
        len(pack(reply))
        for game in (one, other)
        for place in range(game.characters)
        for reply in game.replies(place).values()
    }
    assert len(replies) == 1


def test_last_seat_reads_the_face_down_character_only_when_it_is_to_pick() -> None:
    game = Simulated(8, 9)
    while game.record.due != ("back", (0,)):
        assert game.hands[7].known.face_down is None
        game.step()
    assert game.hands[7].known.face_down is None
    assert game.hands[7].known.offered(7) is None
    game.step()
    assert isinstance(game.said[-1][1], GivenBack)
    assert game.hands[7].offered() == (game.hands[7].known.packets[7] or 0) | (game.hands[0].known.face_down or 0)
    assert game.hands[7].offered().bit_count() == 2


def test_deal_is_determined_by_the_chain_links_of_all_seats() -> None:
    game = Simulated(6, 9)
    game.step()
    game.step()
    dealt = game.said[0][1]
    assert isinstance(dealt, Dealt)
    assert dealt.face_up == game.secrets[0].layout(game.record.links)[0]
    layouts = {
        repr(
            game.secrets[0].layout((*game.record.links[:seat], bytes([salt]) * 32, *game.record.links[seat + 1 :]))
        )
        for seat in range(6)
        for salt in range(20)
    }
    assert len(layouts) > 30  # of the 72 that exist


# Encrypted payloads


def test_encrypted_packet_opens_only_at_its_own_step_and_seat() -> None:
    game = Simulated(6, 9).draft()
    box = game.record.boxes[0]
    table, secret = game.record.table, game.secrets[box.to].box
    assert len(box.sealed) == SEALED
    assert table.open_box(box, secret) is not None
    info = table.info(box.fixed, box.to)
    assert decrypt(secret, info[:-1] + bytes([info[-1] ^ 1]), box.sealed) is None
    assert decrypt(game.secrets[0].box, info, box.sealed) is None
    for at in (0, 31, 40, SEALED - 1):
        changed = box.sealed[:at] + bytes([box.sealed[at] ^ 1]) + box.sealed[at + 1 :]
        assert decrypt(secret, info, changed) is None
    assert decrypt(secret, info, bytes(32) + box.sealed[32:]) is None
    assert decrypt(secret, info, b"") is None


def test_secrets_with_the_same_public_key_open_the_same_packet() -> None:
    """Clamping gives several secrets one public key: a complaint with any of them is judged alike."""
    game = Simulated(6, 9).draft()
    box = game.record.boxes[0]
    secret = game.secrets[box.to].box
    other = bytes([secret[0] ^ 7, *secret[1:31], secret[31] ^ 128])
    assert X25519PrivateKey.from_private_bytes(other).public_key().public_bytes_raw() == public_key(secret)
    assert game.record.table.open_box(box, other) == game.record.table.open_box(box, secret)


SEED = bytes([5]) * 32


@one_case(("held", "given"), [(1, None), (2, engine.HIDDEN), (3, engine.HIDDEN)])
def test_exchange_hides_the_given_character(held: int, given: str | None) -> None:
    state = engine.new_table(replace(first_game(2), draft="sealed"), sealed=True)
    state.players = [player.but(concealed=[engine.HIDDEN] * held) for player in state.players]
    item = SaidItem(0, pack(HandedOver(1, bytes(32), bytes(SEALED))), bytes(64))
    assert play_of([item], state) == Theater(1, given)


# Messages


ZERO: Final = bytes(32)


@one_case(
    "message",
    [
        [0, ZERO], [0, ZERO, ZERO[:-1]], [1, bytes(9), None, ZERO], [1, b"", None, ZERO, None],
        [2, ZERO, None, ZERO, bytes(SEALED + 1)], [3, bytes(SEALED - 1)], [4, -1, ZERO], [4, 2**32, ZERO],
        [4, 1], [5, 9, ZERO, bytes(SEALED)], [6, ZERO[:-1]], [6, 0, ZERO], [7, 0],
    ],
)  # fmt: skip
def test_malformed_draft_messages_are_rejected(message: list[object]) -> None:
    with pytest.raises(Malformed):
        decode_message(pack(message))
