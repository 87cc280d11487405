"""A table in memory: a log, the engine, and seats that make random legal moves. It keeps the bytes that each
viewer receives."""

import contextlib
import io
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from functools import cache

from msgspec.structs import replace

from citadels_lan import engine
from citadels_lan.crypto.client_log import ClientLog, FileHead, Owner
from citadels_lan.crypto.codec import digest, pack, u8, u64
from citadels_lan.crypto.commitments import Opening, recover, starred
from citadels_lan.crypto.draft.drafts import AnyDraftMessage
from citadels_lan.crypto.draft.knowledge import DraftHand, drafted, own_picks
from citadels_lan.crypto.host_log import CoSigning, HostLog
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import (
    BOT,
    Agreement,
    CalledOff,
    Chain,
    Commits,
    CoSigned,
    Header,
    Open,
    Said,
    SaidItem,
    SeatChange,
    Seated,
    SeatKind,
    TableMove,
    sign_move,
)
from citadels_lan.crypto.seed import SeededChance, host_commitment, part_commitment
from citadels_lan.crypto.signatures import agree_fields, claim, cosign, endorse, sign_back, word_commitment
from citadels_lan.crypto.transcript import Alarmed, Writer
from citadels_lan.engine.actions import Theater
from citadels_lan.engine.flow.sealed_draft import with_picks
from citadels_lan.engine.rules_digests import RULES as DIGESTS
from tests.facts import RULES, first_game
from tests.play.dice import eager, patient, some
from tests.play.table import Play

DraftLie = Callable[[DraftHand, AnyDraftMessage, bytes], AnyDraftMessage]
GAME = bytes(range(16))
FP = bytes([7]) * 32
SECRET = bytes([9]) * 32


@cache
def identity(name: str) -> Identity:
    """Return the key with this name; it is the same at every call."""
    return Identity(name.encode().ljust(32, b"\0"))


HOST = identity("host")
OWNER = identity("owner")
"""The key of the person who runs the host."""


def player(seat: int) -> Identity:
    """Return the key of the player at a seat."""
    return identity(f"seat {seat}")


def part(seat: int) -> bytes:
    """Return a seat's part of the seed."""
    return bytes([100 + seat]) * 32


def nonce_key(seat: int) -> bytes:
    """Return a seat's 32-byte secret for this game."""
    return bytes([50 + seat]) * 32


def word(seat: int, n: int) -> bytes:
    """Return a seat's random word for the co-signature after entry `n`."""
    return digest("test-word", u8(seat), u64(n))[:16]


def seated(seat: int, kinds: Sequence[SeatKind] = ()) -> Seated:
    """Return the player at a seat, as the header lists it. `kinds` are the kinds of all players; without them
    seat 0 is a person, and the others are bots."""
    name, kind = f"Player {seat}", kinds[seat] if kinds else SeatKind.BOT if seat else SeatKind.PLAYER
    key = player(seat)
    return Seated(name, key.public, kind, claim(key, GAME, FP, HOST.public, name, kind))


def agreement(seat: int, head: bytes, table: Header) -> Agreement:
    """Return the signed agreement of a seat to the header `table`; `head` is hash[1]."""
    commit = part_commitment(head, seat, part(seat))
    return agreed(seat, head, commit, Owner(nonce_key(seat), GAME, seat).anchors(table))


def agreed(seat: int, head: bytes, commit: bytes, anchors: Sequence[bytes] = ()) -> Agreement:
    """Return the signed agreement of a seat with any commitment and chain commitments."""
    signature = player(seat).sign("agree", *agree_fields(head, seat, commit, anchors))
    return Agreement(commit, tuple(anchors), signature)


def header(
    setup: engine.TableConfig,
    *,
    secret: bytes = SECRET,
    called_off: Sequence[CalledOff] = (),
    kinds: Sequence[SeatKind] = (),
) -> Header:
    """Return the header of a table with this configuration. With `kinds` the player of seat 0 runs the host."""
    return Header(
        GAME,
        "citadels-lan test",
        DIGESTS[setup.edition],
        setup.edition,
        setup.options,
        setup.cast,
        setup.districts,
        FP,
        HOST.public,
        host_commitment(GAME, secret),
        endorse(player(0) if kinds else OWNER, GAME, FP, HOST.public),
        int(setup.draft == "sealed"),
        None,
        tuple(called_off),
        tuple(seated(seat, kinds) for seat in range(setup.players)),
    )


def written(
    viewer: int | None,
    bodies: Iterable[bytes],
    chain: Chain | None = None,
    *,
    own: Sequence[Opening] = (),
    alarm: Alarmed | None = None,
    rules: bytes = RULES,
    host: bytes = HOST.public,
) -> bytes:
    """Return the transcript of a viewer who received these bodies. With `chain` (at the last entry) the owner
    signs it; None: it is unfinished."""
    key = player(99 if viewer is None else viewer)
    stream = io.BytesIO()
    stream.close = lambda: None  # type: ignore[method-assign]
    writer = Writer(stream, FileHead(GAME, rules, FP, host, viewer, key.public))
    writer.begin()
    for body in bodies:
        writer.append(body)
    if own:
        writer.append_own(own)
    if alarm is not None:
        writer.append_alarm(alarm)
    if chain is not None:
        writer.finish(key, chain)
    return stream.getvalue()


@dataclass
class Game:
    """A game at its host. `bodies[n-1]` are the bodies of entry n by viewer. Some fields are functions that
    return seats: `present` (they co-sign), `silent` (they do not send their random word), `protesting`, and
    `gone` (substitute bots play for them). `eager`: each seat builds as soon as it can. `lies` change the
    draft messages of some seats; `hands` are the sides of a sealed draft by seat and round."""

    host_log: HostLog
    table: Play
    choose: random.Random
    followers: dict[int | None, ClientLog] = field(default_factory=dict)
    bodies: list[dict[int | None, bytes]] = field(default_factory=list)
    eager: bool = True
    present: Callable[["Game"], Collection[int]] = lambda game: range(len(game.state.players))
    silent: Callable[["Game"], Collection[int]] = lambda game: ()
    protesting: Callable[["Game"], Collection[int]] = lambda game: ()
    gone: Callable[["Game"], Collection[int]] = lambda game: ()
    lies: dict[int, DraftLie] = field(default_factory=dict)
    hands: dict[tuple[int, int], DraftHand | None] = field(default_factory=dict)

    @property
    def state(self) -> engine.State:
        return self.table.state

    def tell(self) -> None:
        """Send all new entries to all viewers."""
        while len(self.bodies) < len(self.host_log.written):
            bodies = self.host_log.bodies(len(self.bodies) + 1)
            self.bodies.append(bodies)
            for viewer, client_log in self.followers.items():
                client_log.receive(bodies[viewer])

    def begin_round(self) -> None:
        self.host_log.happen(TableMove([]), self.table.begin_round())
        self.tell()

    def random_action(self, seat: int) -> engine.Action:
        choices = engine.decisions(self.own_view(seat))[seat]
        if self.host_log.audit.drafts is not None and self.state.steps and self.state.steps[-1].verb == "theater":
            choices = [Theater()]
        entries = self.host_log.chain.n  # about as often as there are moves
        while True:
            choice = eager(self.choose, choices) if self.eager else patient(self.choose, choices, entries)
            action = some(self.choose, choice)
            if self.may(seat, str(action)):
                return action

    def may(self, seat: int, line: str) -> bool:
        """Return whether a seat can make a move: only its player, not a substitute bot, can reveal a sealed
        marker."""
        audit = self.host_log.audit
        return audit.concealed.breaks(seat, line) is None or audit.absences.substitute(seat) is None

    def owner(self, seat: int) -> Owner:
        """Return the `Owner` of a seat."""
        return Owner(nonce_key(seat), GAME, seat)

    def change_seat(self) -> bool:
        """Let a substitute bot play a seat in `gone`, or let a player return who is no longer in `gone`.
        Return False if there is no such seat."""
        gone, log = set(self.gone(self)), self.host_log
        for seat in range(len(self.state.players)):
            absence = log.audit.absences.now(seat)
            if seat in gone and absence is None:
                log.away(seat)
            elif seat in gone and absence is not None and absence.bot is None and log.audit.drafts is None:
                log.write(SeatChange(seat, BOT, "random", b""))
            elif absence is not None and seat not in gone:
                back = sign_back(player(seat), GAME, absence, log.heads[absence.n])
                log.check_back(seat, back.sig)
                log.write(back)
            else:
                continue
            self.tell()
            return True
        return False

    def cosigning(self, seat: int) -> CoSigning:
        """Return a seat's co-signature; after the game with the openings of its sealed moves."""
        chain, audit = self.host_log.chain, self.host_log.audit
        commit = word_commitment(GAME, chain.n, seat, word(seat, chain.n))
        protest = seat in self.protesting(self)
        signed = cosign(player(seat), GAME, chain.n, chain.head, seat, commit, protest=protest)
        if not audit.over:
            return CoSigning(signed)
        return CoSigning(signed, tuple(Owner(nonce_key(seat), GAME, seat).opened_at_the_end(audit)))

    def recover(self, seat: int, commit: bytes) -> Opening:
        """Return a seat's own opening of the sealed move with this commitment."""
        place = self.host_log.audit.concealed.pending[commit]
        assert place.sealed is not None
        found = recover(nonce_key(seat), GAME, place.before, place.round, seat, place.slot, place.sealed)
        assert found is not None
        return found

    def own_openings(self, seat: int) -> list[Opening]:
        """Return the openings of a seat's sealed moves that the log has not opened."""
        return [self.recover(seat, commit) for commit, _ in self.host_log.audit.concealed.sealed_by(seat)]

    def cosign(self) -> None:
        """Let all present seats co-sign. Then either all of them send their random words, or none."""
        there = sorted(set(self.present(self)) - set(self.gone(self)))
        given = {seat: self.cosigning(seat) for seat in there}
        for seat, one in given.items():
            self.host_log.check_cosigning(seat, self.host_log.chain.n, one)
        self.host_log.cosign(given)
        self.tell()
        n = self.host_log.chain.n
        words = {seat: word(seat, n - 1) for seat in there}
        for seat in there:
            self.host_log.check_word(seat, n, words[seat])
        if words and not set(there) & set(self.silent(self)):
            self.host_log.words(words)
            self.tell()

    def signed(self, seat: int, line: str) -> tuple[str | bytes, bytes, tuple[Opening, ...]]:
        """Return what a seat sends for the move `line`: the published form, its signature, and the
        openings."""
        chain = self.host_log.chain
        what, openings = self.owner(seat).prepare(self.host_log.audit, chain.head, line)
        return what, sign_move(player(seat), GAME, chain, seat, what), openings

    def own_view(self, seat: int) -> engine.State:
        """Return the view of a seat with its own sealed markers and picks."""
        known, audit = engine.view(self.state, seat), self.host_log.audit
        for commit, place in audit.concealed.sealed_by(seat):
            if place.round == self.state.round:
                opening = self.recover(seat, commit)
                kind = {"warrant": "signed", "threaten": "flower"}[opening.kind]
                known.marks = [
                    replace(mark, character=starred(opening)) if (mark.kind, mark.by) == (kind, seat) else mark
                    for mark in known.marks
                ]
        hand = self.hand(seat) if seat not in self.lies else None
        drafting = hand is not None and hand.readable and known.round == hand.record.table.number
        with contextlib.suppress(engine.Impossible):  # after a lie of another seat
            return with_picks(known, seat, own_picks(hand)) if hand is not None and drafting else known
        return known

    def move(self) -> None:
        """Make one random legal move."""
        (seat,) = engine.acting(self.state)
        self.make(seat, str(self.random_action(seat)))

    def make(self, seat: int, line: str) -> list[engine.Event]:
        """Make the move `line` of a seat. Return its events. Raises IllegalMove."""
        log = self.host_log
        if log.audit.absences.substitute(seat) is not None:
            read = log.substitute_move(seat, line)
        else:
            what, signature, openings = self.signed(seat, line)
            read = log.check_move(seat, log.chain.n + 1, what, signature, openings)
        events = self.table.move(seat, read.action, read.unsealed)
        self.host_log.move(read, events)
        self.tell()
        return events

    def say(self, seat: int, line: str) -> list[engine.Event]:
        """Make the move `line` of a seat, after the table has acted. Return the events as the seat sees
        them."""
        while not engine.acting(self.state):
            self.step()
        return [engine.redact(event, seat) for event in self.make(seat, line)]

    def hand(self, seat: int) -> DraftHand | None:
        """Return a seat's side of the sealed draft in this round; None if there is none."""
        audit = self.host_log.audit
        rounds = len(audit.drafts.rounds) if audit.drafts is not None else 0
        if (seat, rounds) not in self.hands:
            self.hands[seat, rounds] = self.owner(seat).hand(audit, rounds)
        return self.hands[seat, rounds]

    def say_draft(self, messages: dict[int, AnyDraftMessage]) -> list[engine.Event]:
        """Write one entry with these messages of a sealed draft, by seat. Return its events."""
        log, n, items = self.host_log, self.host_log.chain.n + 1, []
        for seat, message in messages.items():
            hand = self.hand(seat)
            assert hand is not None
            lie = self.lies.get(seat)
            what = pack(message if lie is None else lie(hand, message, log.chain.head))
            sig = player(seat).sign("said", GAME, u64(n), log.chain.head, u8(seat), what)
            items.append(SaidItem(seat, what, sig))
            log.check_said(n, items[-1])
        events = self.table.follow(drafted(self.state, self.table.chance, items))
        log.happen(Said(tuple(items), []), events)
        self.tell()
        return events

    def complaint(self, hand: DraftHand) -> AnyDraftMessage | None:
        """Return the complaint of an honest client about a wrong box; None if there is none, or the seat
        lies."""
        return None if hand.seat in self.lies else hand.complaint

    def draft(self) -> bool:
        """Play the next message of a sealed draft. Return False if a seat must move."""
        drafts, head = self.host_log.audit.drafts, self.host_log.chain.head
        if drafts is None or not self.host_log.audit.expects(Said):
            return False
        hands = [hand for seat in range(len(self.state.players)) if (hand := self.hand(seat)) is not None]
        for hand in hands:
            if (complaint := self.complaint(hand)) is not None:
                self.say_draft({hand.seat: complaint})
                return True
        what, seats = drafts.due
        if what == "call":
            self.say_draft({seat: hands[seat].reply(drafts.place) for seat in seats})
        elif what == "pick":
            hand = hands[seats[0]]
            if hand.known.packets[-1] is None and hand.seat in self.lies:  # a dealer that has dealt another packet
                hand.known.packets[-1] = hand.secret.layout(hand.record.links)[2]
            step = hand.record.table.plan.steps[len(hand.record.steps)]
            kept, *aside = self.choose.sample(hand.record.table.plan.names(hand.offered()), 1 + step.aside)
            self.say_draft({hand.seat: hand.pick(kept, aside[0] if aside else None, head)})
        elif seats:
            said = {seat: hands[seat].due(head) for seat in seats}
            self.say_draft({seat: message for seat, message in said.items() if message is not None})
        else:
            return self._exchange()
        return True

    def _exchange(self) -> bool:
        """Let a seat that may exchange characters do that, with a chance of one half. Return whether it
        did."""
        step = self.state.steps[-1] if self.state.steps else None
        if step is None or step.verb != "theater" or self.choose.random() < 0.5:
            return False
        hand = self.hand(step.seat)
        choices = engine.decisions(self.state)[step.seat]
        others = [one.seat for one in choices if isinstance(one, Theater) and one.seat is not None]
        if hand is None or not others:
            return False
        own = self.choose.choice(hand.record.table.plan.names(hand.held()))
        self.say_draft({step.seat: hand.give(self.choose.choice(others), own, self.host_log.chain.head)})
        return True

    def step(self) -> bool:
        """Do the next step of the game. Return False when the game is closed."""
        if self.host_log.audit.expects(CoSigned):
            self.cosign()
        elif self.host_log.audit.may_close:
            self.host_log.close()
            self.tell()
            return False
        elif self.host_log.audit.drafts is not None and not self.host_log.audit.expects(TableMove):
            if not self.change_seat() and not self.draft():
                self.move()
        elif engine.acting(self.state):
            if not self.change_seat():
                self.move()
        else:
            self.begin_round()
        return True

    def transcript(self, viewer: int | None = 0, *, finish: bool = True) -> bytes:
        """Return the transcript of a viewer."""
        bodies = [body[viewer] for body in self.bodies]
        own = self.own_openings(viewer) if finish and viewer is not None else []
        rules, chain = self.host_log.header.rules, self.host_log.chain
        return written(viewer, bodies, chain if finish else None, own=own, rules=rules)

    def play(self, *, until: Callable[["Game"], bool] = lambda _: False) -> "Game":
        """Play to the end, or until `until` is True. Return this game."""
        while not until(self) and self.step():
            pass
        return self


def seats(players: int) -> Iterator[int | None]:
    yield from range(players)
    yield None


def follower(seat: int | None, rules: bytes = RULES) -> ClientLog:
    """Return the log of a viewer who has received no entry."""
    return ClientLog(FileHead(GAME, rules, FP, HOST.public, seat, player(seat or 0).public))


def begin(
    players: int = 4,
    *,
    setup: engine.TableConfig | None = None,
    seed: int = 1,
    followed: bool = True,
    kind: type[HostLog] = HostLog,
    chance: Callable[[bytes], engine.Chance] = SeededChance,
    called_off: Sequence[CalledOff] = (),
    kinds: Sequence[SeatKind] = (),
) -> Game:
    """Return a game that is ready for the deal: the seats have given their parts of the seed."""
    setup = setup or first_game(players)
    players = setup.players
    host_log = kind(header(setup, called_off=called_off, kinds=kinds), SECRET, HOST)
    rules = host_log.header.rules
    followers = {seat: follower(seat, rules) for seat in (seats(players) if followed else ())}
    host_log.write(Open(host_log.header))
    given = [agreement(seat, host_log.chain.head, host_log.header) for seat in range(players)]
    for seat in range(players):
        host_log.check_commit(seat, given[seat])
    host_log.write(Commits(tuple(given)))
    for seat in range(players):
        host_log.check_part(seat, part(seat))
    host_log.give_parts([part(seat) for seat in range(players)])
    joint = host_log.seed()
    assert joint is not None
    table = Play(engine.new_table(setup, sealed=True), chance(joint))
    game = Game(host_log, table, random.Random(seed), followers)
    game.tell()
    return game


@cache
def recorded(players: int = 4, *, seed: int = 1, setup: engine.TableConfig | None = None) -> Game:
    """Return a whole game, which is played only once for all tests. To change it, tests use `drafts` of its
    entries, or `with_bodies`."""
    return begin(players, seed=seed, setup=setup, followed=False).play()


def with_bodies(game: Game, bodies: list[dict[int | None, bytes]]) -> Game:
    """Return a copy of the game whose viewers have received these bodies instead."""
    return replaced(game, bodies=bodies)
