from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.audit.concealed import Committed
from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.commitments import Opening, conceal
from citadels_lan.crypto.host_log import HostLog, ReadMove, batches, decode_record, encode_record
from citadels_lan.crypto.log import (
    FINISHED,
    OPENING_BYTES,
    OPENINGS,
    OWNER,
    Close,
    EndSignature,
    Mismatch,
    Move,
    Unacceptable,
    decode_entry,
    encode_entry,
    sign_move,
)
from citadels_lan.crypto.packing import Malformed, pack
from citadels_lan.crypto.replay import play
from citadels_lan.engine import decisions, parse
from tests.crypto.table import GAME, HOST, SECRET, Game, begin, part, player, recorded
from tests.effort import quick


def drafting() -> tuple[Game, int, str]:
    """A table at its first pick, the seat that picks and a legal line."""
    game = begin(2, followed=False)
    game.begin_round()
    (seat,) = decisions(game.state)
    return game, seat, str(game.random_action(seat))


def refusal(game: Game, seat: int, what: str | bytes, openings: Any, **changes: Any) -> str:
    signature = changes.get("signature") or sign_move(player(seat), GAME, game.host_log.chain, seat, what)
    with pytest.raises(Unacceptable) as caught:
        game.host_log.check_move(seat, changes.get("n", game.host_log.chain.n + 1), what, signature, openings)
    return caught.value.code


def test_a_good_move_is_read() -> None:
    game, seat, line = drafting()
    what, signature, openings = game.signed(seat, line)
    read = game.host_log.check_move(seat, game.host_log.chain.n + 1, what, signature, openings)
    assert read == ReadMove(seat, what, signature, openings, parse(line, seat))


def test_why_a_move_is_refused() -> None:
    game, seat, line = drafting()
    what, signature, openings = game.signed(seat, line)
    assert refusal(game, seat, what, openings, n=3) == "stale"
    assert refusal(game, seat, what, openings, signature=bytes(64)) == "signature"
    assert refusal(game, 1 - seat, what, openings, signature=signature) == "signature"
    assert refusal(game, seat, what, ()) == "opening"
    assert refusal(game, seat, what, (replace(openings[0], nonce=bytes(32)),)) == "opening"
    assert refusal(game, seat, line, ()) == "hidden"
    assert refusal(game, seat, line, openings) == "opening"
    assert refusal(game, seat, "gather  gold", ()) == "notation"
    assert refusal(game, seat, "beautify " + "a" * 2000, ()) == "notation"
    assert refusal(game, seat, b"", ()) == "opening"
    assert refusal(game, seat, b"x" * 40, openings) == "opening"
    for changes in ({"slot": 1}, {"round_": 2}, {"seat": 1 - seat}):
        place = {"round_": 1, "seat": seat, "slot": 0} | changes
        other, opened = conceal(bytes(32), GAME, bytes(32), place["round_"], place["seat"], place["slot"], line)
        assert refusal(game, seat, other, opened) == "opening"
    other, opened = conceal(bytes(32), GAME, bytes(32), 1, seat, 0, "gather gold")
    assert refusal(game, seat, other, opened) == "hidden"


def test_a_commitment_is_not_taken_twice() -> None:
    game, seat, line = drafting()
    what, _, openings = game.signed(seat, line)
    assert isinstance(what, bytes)
    game.host_log.audit.concealed.pending[what] = Committed(4, bytes(32), 0, OWNER, 1, seat, 0)
    assert refusal(game, seat, what, openings) == "used"


def test_parts_are_checked_when_they_come() -> None:
    game = begin(2, followed=False)
    with pytest.raises(Unacceptable):
        game.host_log.check_part(0, bytes(32))


def test_entries_in_the_wrong_order_are_not_written() -> None:
    game = begin(2, followed=False)
    for write in (game.host_log.open, game.host_log.close):
        with pytest.raises(Mismatch, match="order"):
            write()
    assert game.host_log.chain.n == 2


def test_openings_fit_into_entries_however_long_their_lines_are() -> None:
    long = [Opening(1, 0, slot, "redraw", f"redraw {'market ' * 130}".strip(), bytes(32)) for slot in range(9)]
    short = [Opening(2, 0, slot, "pick", "pick king", bytes(32)) for slot in range(60)]
    made = batches([*long, *short])
    assert [one for batch in made for one in batch] == [*long, *short]
    for batch in made:
        early = Close(FINISHED, batch, b"", (), ())
        assert decode_entry(encode_entry(early)) == early
        last = Close(FINISHED, batch, bytes(32), (bytes(32),) * 9, (EndSignature(8, bytes(64)),) * 9)
        assert len(encode_entry(last)) < 4096
    assert batches([]) == [()]


def test_entries_of_the_largest_table_are_within_the_limits() -> None:
    game = recorded(8)
    for written in game.host_log.written:
        assert len(written.public) < 4096
        assert decode_entry(written.public)


def test_openings_of_a_long_game_come_in_several_entries(duel: Game) -> None:
    *early, last = [entry for entry in duel.host_log.entries() if isinstance(entry, Close)]
    assert early
    assert all(0 < len(entry.openings) <= OPENINGS for entry in early)
    assert not any(entry.secret or entry.parts for entry in early)
    assert last.secret == SECRET


def test_all_viewers_get_one_length(four: Game) -> None:
    assert all(len({len(body) for body in bodies.values()}) == 1 for bodies in four.bodies)


def test_nothing_private_is_in_the_bodies_of_others(four: Game) -> None:
    for n, bodies in enumerate(four.bodies, 1):
        for seat, private in four.host_log.written[n - 1].private:
            salt = four.host_log.delta(n, seat).salt
            assert salt is not None
            for viewer, body in bodies.items():
                assert (private in body and salt in body) == (viewer == seat)


@pytest.mark.parametrize("crash", quick([1, 2, 3, 4, 7, 25, 60, 100], 1, 7, 60))
def test_a_crashed_host_goes_on_where_it_was(crash: int) -> None:
    """From the journal alone: the same head, the same state, and the same game after it."""
    game = begin(2, followed=False).play(until=lambda game: game.host_log.chain.n >= crash)
    count = game.host_log.chain.n
    records = [decode_record(encode_record(written)) for written in game.host_log.written]
    host_log = HostLog.restore(SECRET, HOST, records)
    assert host_log.chain.head == game.host_log.chain.head
    assert [host_log.bodies(n) for n in range(1, count + 1)] == game.bodies
    seed = host_log.seed() or game.host_log.seed()
    assert seed is not None
    chance = SeededChance(seed)
    if host_log.seed() is None:  # the seats give their parts again
        host_log.give_parts([part(seat) for seat in (0, 1)])
    states = [played.state for played in play(host_log.header, host_log.entries(), host_log.line, chance)]
    if states:
        assert states[-1] == game.state
    rest = begin(2, followed=False)
    rest.host_log, rest.bodies = host_log, list(game.bodies)
    rest.table.chance = chance
    rest.table.state = states[-1] if states else rest.state
    rest.choose.setstate(game.choose.getstate())
    assert rest.play().host_log.chain.head == game.play().host_log.chain.head


def test_a_journal_that_does_not_begin_is_malformed(duel: Game) -> None:
    for records in ([], duel.host_log.written[1:]):
        with pytest.raises(Malformed):
            HostLog.restore(SECRET, HOST, records)
    with pytest.raises(Mismatch):
        HostLog.restore(SECRET, HOST, [duel.host_log.written[0], duel.host_log.written[2]])


def test_every_public_line_is_known_to_all(four: Game) -> None:
    for n, entry in enumerate(four.host_log.entries(), 1):
        if isinstance(entry, Move) and isinstance(entry.what, str):
            assert four.host_log.line(n) == entry.what
        assert decode_entry(four.host_log.written[n - 1].public) == entry


def test_openings_fill_an_entry_to_its_last_byte() -> None:
    """A byte more, and the last of them is for the next entry."""

    def openings(more: int) -> list[Opening]:
        usual = Opening(1, 0, 0, "warrant", "", bytes(32))
        lines = ["x" * 600] * 4
        used = len(pack(tuple(replace(usual, line=line) for line in (*lines, "x" * 300))))
        return [replace(usual, line=line) for line in (*lines, "x" * (300 + OPENING_BYTES - used + more))]

    assert [len(batch) for batch in batches(openings(0))] == [5]
    assert [len(batch) for batch in batches(openings(1))] == [4, 1]
