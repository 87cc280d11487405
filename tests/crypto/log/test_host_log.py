from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.auditor import Committed
from citadels_lan.crypto.codec import Malformed, pack
from citadels_lan.crypto.commitments import Opening, conceal
from citadels_lan.crypto.host_log import CoSigning, HostLog, batches, decode_record
from citadels_lan.crypto.log import CoSigned, Move, TableMove, Unacceptable, events_of, sign_move
from citadels_lan.crypto.replay import play
from citadels_lan.crypto.seed import SeededChance, part_commitment
from citadels_lan.engine import decisions
from tests.crypto.conftest import MARKED
from tests.crypto.table import GAME, HOST, SECRET, Game, agreed, agreement, begin, header, part, player, word
from tests.effort import one_case, quick
from tests.facts import first_game


def drafting() -> tuple[Game, int, str]:
    """Return a game before its first pick, the seat that has to pick, and a legal line for it."""
    game = begin(2, followed=False)
    game.begin_round()
    (seat,) = decisions(game.state)
    return game, seat, str(game.random_action(seat))


def refusal(game: Game, seat: int, what: str | bytes, openings: Any, **changes: Any) -> str:
    signature = changes.get("signature") or log.sign_move(player(seat), GAME, game.host_log.chain, seat, what)
    with pytest.raises(log.Unacceptable) as caught:
        game.host_log.check_move(seat, changes.get("n", game.host_log.chain.n + 1), what, signature, openings)
    return caught.value.code


def test_invalid_move_is_rejected_with_its_code() -> None:
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


def test_repeated_commitment_is_rejected() -> None:
    game, seat, line = drafting()
    what, _, openings = game.signed(seat, line)
    assert isinstance(what, bytes)
    game.host_log.audit.concealed.pending[what] = Committed(4, bytes(32), 0, log.OWNER, 1, seat, 0)
    assert refusal(game, seat, what, openings) == "used"


def test_long_openings_are_split_into_entries() -> None:
    long = [Opening(1, 0, slot, "redraw", f"redraw {'market ' * 130}".strip(), bytes(32)) for slot in range(9)]
    short = [Opening(2, 0, slot, "pick", "pick king", bytes(32)) for slot in range(60)]
    made = batches([*long, *short])
    assert [one for batch in made for one in batch] == [*long, *short]
    for batch in made:
        early = log.Close(log.FINISHED, batch, b"", (), ())
        assert log.decode_entry(pack(early)) == early
        last = log.Close(log.FINISHED, batch, bytes(32), (bytes(32),) * 9, (log.EndSignature(8, bytes(64)),) * 9)
        assert len(pack(last)) < 4096
    assert batches([]) == [()]


@pytest.mark.parametrize("crash", quick([1, 2, 3, 4, 7, 25, 60, 100], 1, 7, 60))
def test_crashed_host_continues_from_its_journal(crash: int) -> None:
    """The journal alone is enough for the same head, the same state, and the same game after it."""
    game = begin(2, followed=False).play(until=lambda game: game.host_log.chain.n >= crash)
    count = game.host_log.chain.n
    records = [decode_record(pack(written)) for written in game.host_log.written]
    host_log = HostLog.restore(SECRET, HOST, records)
    assert host_log.chain.head == game.host_log.chain.head
    assert [host_log.bodies(n) for n in range(1, count + 1)] == game.bodies
    seed = host_log.seed() or game.host_log.seed()
    assert seed is not None
    chance = SeededChance(seed)
    if host_log.seed() is None:  # the seats send their parts again
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


def test_journal_without_its_first_entries_is_malformed(duel: Game) -> None:
    for records in ([], duel.host_log.written[1:]):
        with pytest.raises(Malformed):
            HostLog.restore(SECRET, HOST, records)
    with pytest.raises(log.Mismatch):
        HostLog.restore(SECRET, HOST, [duel.host_log.written[0], duel.host_log.written[2]])


# Agreements and parts of the seed


def refused(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(Unacceptable) as reason:
        call(*arguments)
    return reason.value.code


@pytest.fixture
def opened() -> HostLog:
    """Return the log of a game of two seats after *open*; the seats have not committed to their parts so
    far."""
    host_log = HostLog(header(first_game(2)), SECRET, HOST)
    host_log.write(log.Open(host_log.header))
    return host_log


def test_signature_of_a_seat_covers_its_commitment(opened: HostLog) -> None:
    head = opened.chain.head
    good = agreement(0, head, opened.header)
    opened.check_commit(0, good)
    assert refused(opened.check_commit, 1, good) == "signature"
    other = agreed(0, head, bytes(32))
    opened.check_commit(0, other)
    for wrong in (
        type(good)(bytes(32), good.anchors, good.signature),
        agreed(0, bytes(32), good.commit),
        agreed(1, head, good.commit),
    ):
        assert refused(opened.check_commit, 0, wrong) == "signature"
    assert refused(opened.check_commit, 0, agreed(0, head, good.commit, (bytes(32), head))) == "part"


def test_commitment_of_another_seat_is_rejected_when_it_arrives(opened: HostLog) -> None:
    good = agreement(0, opened.chain.head, opened.header)
    copied = agreed(1, opened.chain.head, good.commit)
    opened.check_commit(1, copied)
    assert refused(opened.check_commit, 1, copied, {good.commit}) == "value_used"


def test_seat_must_reveal_the_seed_part_that_it_committed_to(opened: HostLog) -> None:
    opened.write(log.Commits(tuple(agreement(seat, opened.chain.head, opened.header) for seat in (0, 1))))
    opened.check_part(0, part(0))
    assert refused(opened.check_part, 0, part(1)) == "part"
    assert refused(opened.check_part, 1, part(0)) == "part"
    assert part_commitment(opened.heads[1], 0, part(0)) == opened.audit.commits[0]


# Co-signatures


def to_the_end_of_round(number: int = 1, *, players: int = 3) -> Game:
    """Return a game that waits for the co-signatures after round `number`."""
    game = begin(players)
    return game.play(
        until=lambda game: game.host_log.audit.expects(CoSigned) and game.host_log.audit.round == number
    )


def test_co_signature_is_accepted_only_for_the_current_head_and_its_seat() -> None:
    game = to_the_end_of_round()
    log, n = game.host_log, game.host_log.chain.n
    check, good = log.check_cosigning, game.cosigning(0)
    check(0, n, good)
    assert refused(check, 0, n - 1, good) == "stale"
    assert refused(check, 1, n, good) == "stale", "it is that of another seat"
    assert refused(check, 1, n, CoSigning(replace(good.signed, seat=1))) == "signature"
    for changes in ({"commit": bytes(32)}, {"protest": 1}, {"signature": bytes(64)}):
        assert refused(check, 0, n, CoSigning(replace(good.signed, **changes))) == "signature"
    game.cosign()
    assert refused(check, 0, log.chain.n, good) == "stale"


def test_host_accepts_only_the_random_word_that_a_seat_committed_to() -> None:
    game = to_the_end_of_round()
    log, before = game.host_log, game.host_log.chain.n
    assert refused(log.check_word, 0, before, word(0, before)) == "stale"
    log.cosign({seat: game.cosigning(seat) for seat in (0, 1)})
    log.check_word(0, before + 1, word(0, before))
    assert refused(log.check_word, 0, before + 1, word(1, before)) == "part"
    assert refused(log.check_word, 2, before + 1, word(2, before)) == "stale", "it has not signed"
    assert refused(log.check_word, 0, before, word(0, before)) == "stale"


def test_opening_of_a_sealed_move_is_rejected_before_the_end_of_the_game() -> None:
    """Otherwise the host would know during the game what only the owner may know."""
    game = begin(setup=MARKED, seed=12, followed=False)
    game.play(until=lambda game: game.host_log.audit.expects(CoSigned) and any(map(game.own_openings, range(4))))
    log = game.host_log
    assert not log.audit.over
    seat = next(seat for seat in range(4) if game.own_openings(seat))
    given = game.cosigning(seat)
    assert given.openings == ()
    early = replace(given, openings=tuple(game.own_openings(seat)))
    assert refused(log.check_cosigning, seat, log.chain.n, early) == "opening"


def test_after_the_game_each_seat_opens_its_own_sealed_moves_once() -> None:
    game = begin(setup=MARKED, seed=12, followed=False)
    game.play(until=lambda game: game.host_log.audit.over and game.host_log.audit.expects(CoSigned))
    log, n = game.host_log, game.host_log.chain.n
    opening = {seat: game.own_openings(seat) for seat in range(4)}
    seat = max(opening, key=lambda seat: len(opening[seat]))
    first, *_ = opening[seat]
    own, other = game.cosigning(seat), game.cosigning((seat + 1) % 4)
    log.check_cosigning(seat, n, own)
    log.check_cosigning(seat, n, replace(own, openings=(first,)))
    for wrong in ((first, first), (replace(first, nonce=bytes(32)),)):
        assert refused(log.check_cosigning, seat, n, replace(own, openings=wrong)) == "opening"
    assert refused(log.check_cosigning, (seat + 1) % 4, n, replace(other, openings=(first,))) == "opening"


def test_signature_of_a_line_is_invalid_for_a_commitment_of_the_same_bytes() -> None:
    """Otherwise a host that has a seat's signature of 32 letters could present it as a commitment, and vice
    versa."""
    line = "build " + "a" * 26
    game = begin(2, followed=False).play(until=lambda game: game.host_log.audit.expects(Move))
    log = game.host_log
    for signed, shown in ((line, line.encode()), (line.encode(), line)):
        signature = sign_move(player(0), GAME, log.chain, 0, signed)
        assert refused(log.check_move, 0, log.chain.n + 1, shown, signature, ()) == "signature"
        assert refused(log.check_move, 0, log.chain.n + 1, signed, signature, ()) != "signature"


# The seed: once all parts are committed to, nothing that a host can vary changes it.


PLAYERS = 4


def fresh() -> Game:
    """Return a new game, with the same chance at every call."""
    return begin(PLAYERS, seed=3, followed=False)


@cache
def usual_game() -> Game:
    """Return such a game, played to its end without any variation."""
    return fresh().play()


def deals(game: Game) -> list[list[object]]:
    """Return, for each entry in which the table acts, the events and the private parts."""
    log = game.host_log
    tables = [(n, one) for n, one in enumerate(log.entries(), 1) if isinstance(one, TableMove)]
    return [[events_of(one), log.written[n - 1].private] for n, one in tables]


def nobody(game: Game) -> None:
    game.present = lambda game: []


def the_host_alone(game: Game) -> None:
    game.present = lambda game: [0]


def all_but_one(game: Game) -> None:
    game.present = lambda game: [0, 1, 3]


def other_protests(game: Game) -> None:
    game.protesting = lambda game: range(PLAYERS)


def no_words(game: Game) -> None:
    game.silent = lambda game: [1]


@one_case("vary", [nobody, the_host_alone, all_but_one, other_protests, no_words])
def test_deal_does_not_depend_on_co_signatures(vary: Callable[[Game], None]) -> None:
    """Otherwise a host could leave seats out, or sign for its bots, until the next deal suits it."""
    usual, other = usual_game(), fresh()
    vary(other)
    other.play()
    assert [one.head for one in other.host_log.audit.cosigned] != [
        one.head for one in usual.host_log.audit.cosigned
    ]
    assert other.host_log.seed() == usual.host_log.seed()
    assert deals(other) == deals(usual)
