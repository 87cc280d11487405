"""The host's engine goes through a sealed draft by what seats say alone. A table that knows the characters comes
to the same entries, for all kinds of drafts."""

from collections.abc import Sequence
from typing import Final, TypeVar

import pytest
from msgspec.structs import replace

from citadels_lan import engine
from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.codec import Malformed, digest, pack, u16
from citadels_lan.crypto.draft.playing import drafted, play_of
from citadels_lan.crypto.draft.record import (
    OVER,
    AnyDraftMessage,
    DraftRecord,
    HandedOver,
    decode_message,
    encode_message,
)
from citadels_lan.crypto.draft.secrets import SEALED, plan_for
from citadels_lan.crypto.log import SaidItem
from citadels_lan.engine.actions import Pick, Theater
from tests.effort import one_case
from tests.facts import first_game, known_table

from .simulated import KINDS, Simulated, plan_of

SEED = bytes([5]) * 32
T = TypeVar("T")


def table_for(kind: tuple[int, int, bool]) -> engine.TableConfig:
    """A table with such a draft."""
    players, characters, chosen = kind
    if chosen or (players, characters) == (3, 8):
        options = (("first_face_down", "chosen"),) if chosen else ()
        return engine.from_scenario("first_game", players, edition_key="classic", options=options)
    config = first_game(players)
    ninth = ("artist",) if characters == 9 and len(config.cast) == 8 else ()
    return engine.TableConfig(players, (*config.cast, *ninth), config.districts, config.edition)


class KnownChance:
    """The chance of a table that knows the characters: the layout and losses follow from the seats' secrets."""

    def __init__(self, game: Simulated) -> None:
        self._rest = SeededChance(SEED)
        record, secrets = game.record, game.secrets
        dealer = secrets[record.table.plan.dealer]
        self._layout = SeededChance(digest("deal", u16(record.table.number), *record.links, dealer.y))
        self._losing = [SeededChance(secrets[seat].y) for seat in range(game.players)]

    def of(self, label: str) -> SeededChance:
        purpose, _, seat, _ = label.split("/")
        if purpose == "third":
            return self._losing[int(seat)]
        return self._layout if purpose in ("chars", "back") else self._rest

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        return self.of(label).shuffle(label, items)

    def pick(self, label: str, items: Sequence[T]) -> T:
        return self.of(label).pick(label, items)


class Logged:
    """A state, and what everyone was sent of it."""

    def __init__(self, state: engine.State) -> None:
        self.state = state
        self.told: list[engine.Event] = []

    def happen(self, events: list[engine.Event]) -> None:
        self.told += [engine.redact(event, None) for event in events]
        self.state = engine.evolve(self.state, *events)


class AtTheHost(Simulated):
    """A draft whose messages a host plays."""

    host: Logged

    def say(self, seat: int, message: AnyDraftMessage) -> None:
        super().say(seat, message)
        item = SaidItem(seat, encode_message(message), bytes(64))
        self.host.happen(drafted(self.host.state, SeededChance(SEED), [item]))


@one_case(("held", "given"), [(1, None), (2, engine.HIDDEN), (3, engine.HIDDEN)])
def test_exchange_hides_the_given_character(held: int, given: str | None) -> None:
    state = engine.new_table(replace(first_game(2), draft="sealed"), sealed=True)
    state.players = [player.but(concealed=[engine.HIDDEN] * held) for player in state.players]
    item = SaidItem(0, encode_message(HandedOver(1, bytes(32), bytes(SEALED))), bytes(64))
    assert play_of([item], state) == Theater(1, given)


@one_case("kind", KINDS)
def test_host_without_characters_and_table_with_them_write_the_same(kind: tuple[int, int, bool]) -> None:
    config = replace(table_for(kind), draft="sealed")
    host = Logged(engine.new_table(config, sealed=True))
    host.happen(engine.advance(host.state, SeededChance(SEED)))
    plan, crown = plan_for(host.state), host.state.crown
    assert replace(plan, cast=()) == replace(plan_of(*kind, crown=crown), cast=())
    game = AtTheHost(*kind, crown=crown)
    game.host, game.record = host, DraftRecord(replace(game.record.table, plan=plan))
    while game.record.due != OVER:
        game.step()
    asked = host.state.inquiry
    assert asked is not None
    place = plan.cast.index(asked.character or "")
    replies = {seat: game.hands[seat].reply(place) for seat in asked.seats}
    items = [SaidItem(seat, encode_message(reply), bytes(64)) for seat, reply in replies.items()]
    host.happen(drafted(host.state, SeededChance(SEED), items))

    chance = KnownChance(game)
    again = Logged(known_table(config))
    again.happen(engine.advance(again.state, chance))
    again.happen(engine.advance(again.state, chance))
    for step in game.record.steps:
        seat = step.step.seat
        assert engine.acting(again.state) == (seat,)
        kept = plan.names(game.secrets[seat].one_in(step.pick) or 0)[0]
        aside = plan.names(game.secrets[seat].one_in(step.aside) or 0)[0] if step.aside is not None else None
        again.happen(engine.decide(again.state, seat, Pick(kept, aside), chance))
    again.happen(engine.advance(again.state, chance))
    assert again.told == host.told
    for seat, player in enumerate(again.state.players):
        held = game.hands[seat].held()
        assert plan.cards(*player.concealed) == held & ~plan.cards(*player.revealed)


# Messages


ZERO: Final = bytes(32)


@one_case(
    "message",
    [
        [0, ZERO],
        [0, ZERO, ZERO[:-1]],
        [1, bytes(9), None, ZERO],
        [1, b"", None, ZERO, None],
        [2, ZERO, None, ZERO, bytes(SEALED + 1)],
        [3, bytes(SEALED - 1)],
        [4, -1, ZERO],
        [4, 2**32, ZERO],
        [4, 1],
        [5, 9, ZERO, bytes(SEALED)],
        [6, ZERO[:-1]],
        [6, 0, ZERO],
        [7, 0],
    ],
)
def test_other_arrays_are_malformed_messages(message: list[object]) -> None:
    with pytest.raises(Malformed):
        decode_message(pack(message))
