"""A table in memory: a log, the engine, and seats that make random legal moves and keep transcripts' bytes."""

import io
import random
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from functools import cache

from msgspec.structs import replace

from citadels_lan.crypto.audit.signed import agree_fields, sign_move
from citadels_lan.crypto.beacons import LINKS, SPENT, beacon_secret, link_of, seats_in, sign_here
from citadels_lan.crypto.claims import claim, endorse
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.draft.boxes import BoxContent, BoxKey, own_box
from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.messages import AnyDraftMessage, encode_message, sign_draft
from citadels_lan.crypto.draft.own_picks import own_view
from citadels_lan.crypto.draft.playing import drafted
from citadels_lan.crypto.draft.secrets import draft_anchor
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.host_log import HostLog, Participant, Share
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import RULES, Beacons, Header, Present, Seated, TableMove
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.sealed_moves import recover, starred
from citadels_lan.crypto.seed import host_commitment, part_commitment
from citadels_lan.crypto.stand_ins import sign_back
from citadels_lan.crypto.transcript import FileHead, Writer
from citadels_lan.engine import (
    Action,
    Chance,
    Event,
    State,
    TableConfig,
    acting,
    decisions,
    new_table,
    redact,
    view,
)
from citadels_lan.engine.actions import Theater
from tests.facts import first_game
from tests.play.dice import eager, patient, some
from tests.play.table import Play

DraftLie = Callable[[DraftHand, AnyDraftMessage], AnyDraftMessage]
GAME = bytes(range(16))
FP = bytes([7]) * 32
SECRET = bytes([9]) * 32


@cache
def identity(name: str) -> Identity:
    """The same key every time."""
    return Identity(name.encode().ljust(32, b"\0"))


HOST = identity("host")
OWNER = identity("owner")
"""Who runs the host."""


def player(seat: int) -> Identity:
    """The key of a seat."""
    return identity(f"seat {seat}")


def part(seat: int) -> bytes:
    """The part of the seed of a seat."""
    return bytes([100 + seat]) * 32


def nonce_key(seat: int) -> bytes:
    """The secret of a seat in this game."""
    return bytes([50 + seat]) * 32


def secret(seat: int) -> bytes:
    """Where the chain of a seat's beacons begins."""
    return beacon_secret(nonce_key(seat), GAME)


@cache
def links(game: bytes, seat: int, start: bytes) -> list[bytes]:
    """All links of a seat, from the anchor to the secret."""
    return [link_of(game, seat, start, round_) for round_ in range(LINKS + 1)]


def link(seat: int, attempt: int) -> bytes:
    """What a seat reveals at an attempt; its anchor for attempt 0."""
    return links(GAME, seat, secret(seat))[attempt] if attempt <= LINKS else SPENT


def seated(seat: int) -> Seated:
    """Who sits at a seat: the first one is a person."""
    name, bot = f"Player {seat}", seat > 0
    key = player(seat)
    return Seated(name, key.public, bot, claim(key, GAME, FP, HOST.public, name, bot))


def agreement(seat: int, head: bytes, commit: bytes, anchor: bytes, *box: bytes) -> bytes:
    """A seat's signature of its commitment and of the header, whose hash is `head`."""
    return player(seat).sign("agree", *agree_fields(GAME, head, seat, commit, anchor, *box))


def box(seat: int) -> BoxKey:
    """The key that characters of a sealed draft are sealed to for a seat."""
    return own_box(nonce_key(seat), GAME)


def header(setup: TableConfig, *, secret: bytes = SECRET) -> Header:
    """A table with this set-up."""
    return Header(
        GAME,
        "citadels-lan test",
        RULES,
        setup.edition,
        setup.options,
        setup.cast,
        setup.districts,
        FP,
        HOST.public,
        host_commitment(GAME, secret),
        endorse(OWNER, GAME, FP, HOST.public),
        tuple(map(seated, range(setup.players))),
        draft=1 if setup.draft == "sealed" else None,
    )


@dataclass
class Game:
    """A game at its host. `bodies[n-1]` are the bodies of entry n by viewer; `present` says who is there between
    rounds, `silent` whose links do not come then, `disputing` who says that it was left out, or was there when a
    stand-in came; for seats that are `gone` stand-ins move; who is `eager` builds whenever it can, so that the
    game is over sooner. In a sealed draft who is `away` says nothing, and `lies` make another message of what an
    honest client says, by seat; `told` is what each seat was told in boxes."""

    host_log: HostLog
    table: Play
    choose: random.Random
    chances: Callable[[bytes], Chance] = SeededChance
    followers: dict[int | None, ClientLog] = field(default_factory=dict)
    bodies: list[dict[int | None, bytes]] = field(default_factory=list)
    eager: bool = True
    present: Callable[["Game"], Collection[int]] = lambda game: range(len(game.state.players))
    silent: Callable[["Game"], Collection[int]] = lambda game: ()
    disputing: Callable[["Game"], Collection[int]] = lambda game: ()
    gone: Callable[["Game"], Collection[int]] = lambda game: ()
    away: Callable[["Game"], Collection[int]] = lambda game: ()
    lies: dict[int, DraftLie] = field(default_factory=dict)
    told: dict[int, dict[bytes, BoxContent]] = field(default_factory=dict)

    @property
    def state(self) -> State:
        return self.table.state

    def tell(self) -> None:
        """Give every new entry to all viewers."""
        while len(self.bodies) < len(self.host_log.written):
            bodies = self.host_log.bodies(len(self.bodies) + 1)
            self.bodies.append(bodies)
            for viewer, client_log in self.followers.items():
                client_log.receive(bodies[viewer])

    def begin_round(self) -> None:
        self.host_log.table(self.table.begin_round())
        self.tell()

    def random_action(self, seat: int) -> Action:
        choices = decisions(self.own_view(seat))[seat]
        if self.host_log.audit.drafts is not None and self.state.steps and self.state.steps[-1].verb == "theater":
            choices = [Theater()]
        entries = self.host_log.chain.n  # about as many as moves
        while True:
            choice = eager(self.choose, choices) if self.eager else patient(self.choose, choices, entries)
            action = some(self.choose, choice)
            if self.may(seat, str(action)):
                return action

    def may(self, seat: int, line: str) -> bool:
        """Whether a move breaks no seal that whoever moves for the seat cannot open."""
        audit = self.host_log.audit
        return audit.concealed.breaks(seat, line) is None or bool(self.owner(seat).prepare(audit, line)[1])

    def owner(self, seat: int) -> Owner:
        """The secret of whoever moves for a seat."""
        stint = self.host_log.audit.movers.stint(seat)
        if stint is None:
            return Owner(nonce_key(seat), GAME, seat, tuple(self.host_log.entrusted(seat)))
        return self.host_log.stand_in_owner(stint)

    def mover(self, seat: int) -> Identity:
        """The key of whoever moves for a seat."""
        stint = self.host_log.audit.movers.stint(seat)
        return player(seat) if stint is None else self.host_log.signing_key(stint)

    def hand_over(self) -> bool:
        """Give the next seat that is gone to a stand-in, or one that is not back to its owner; False where all are
        as they should be."""
        gone, movers = set(self.gone(self)), self.host_log.audit.movers
        for seat in range(len(self.state.players)):
            stint = movers.stint(seat)
            if stint is None and seat in gone:
                self.host_log.stand_in(seat, "random")
            elif stint is not None and seat not in gone:
                back = sign_back(player(seat), GAME, stint, disputes=seat in self.disputing(self))
                self.host_log.check_back(back)
                self.host_log.back(back)
            else:
                continue
            self.tell()
            return True
        return False

    def participant(self, seat: int) -> Participant:
        """A seat's word that it takes part in the next round."""
        chain, disputes = self.host_log.chain, seat in self.disputing(self)
        signature = sign_here(player(seat), GAME, chain.n, chain.head, self.host_log.audit.round + 1, disputes)
        return Participant(signature, disputes)

    def share(self, seat: int) -> Share:
        """What a seat gives to a round's chance."""
        audit = self.host_log.audit
        own = self.own_openings(seat) if audit.over else []
        last = Owner(nonce_key(seat), GAME, seat).draft_link(audit) if audit.over else None
        return Share(link(seat, audit.between.attempt), tuple(own), last)

    def recover(self, seat: int, commit: bytes) -> Opening:
        """A seat's own opening of a sealed move."""
        place = self.host_log.audit.concealed.pending[commit]
        assert place.sealed is not None
        found = recover(nonce_key(seat), GAME, place.round, seat, place.slot, place.sealed)
        assert found is not None
        return found

    def own_openings(self, seat: int) -> list[Opening]:
        """What a seat has sealed and the log has not opened."""
        return [self.recover(seat, commit) for commit, _ in self.host_log.audit.concealed.sealed_by(seat)]

    def gather(self) -> None:
        """Every seat that is there signs the head."""
        may = self.host_log.audit.between.may_take_part
        there = set(self.present(self)) - set(self.gone(self))
        here = {seat: self.participant(seat) for seat in sorted(there) if may(seat)}
        for seat, participant in here.items():
            self.host_log.check_here(seat, self.host_log.chain.n, participant)
        self.host_log.present(here)
        self.tell()

    def shares(self) -> None:
        """Every seat that takes part reveals its link."""
        shares = {seat: self.share(seat) for seat in seats_in(self.host_log.audit.between.present)}
        for seat, share in shares.items():
            self.host_log.check_share(seat, self.host_log.chain.n, share)
        self.host_log.beacons(shares)
        if not self.host_log.audit.over:
            self.table.chance = self.chances(self.host_log.seed())
        self.tell()

    def restart(self, missing: Collection[int]) -> None:
        """Some links do not come."""
        self.host_log.restart(sorted(missing))
        self.tell()

    def signed(self, seat: int, line: str) -> tuple[str | bytes, bytes, tuple[Opening, ...]]:
        """What a seat sends for a line."""
        what, openings = self.owner(seat).prepare(self.host_log.audit, line)
        return what, sign_move(self.mover(seat), GAME, self.host_log.chain, seat, what), openings

    def own_view(self, seat: int) -> State:
        """What a seat knows: its view, and which of its sealed markers counts."""
        known, audit, owner = view(self.state, seat), self.host_log.audit, self.owner(seat)
        for opening in (*owner.sealed(audit), *owner.entrusted):
            kind = {"warrant": "signed", "threaten": "flower"}[opening.kind]
            if opening.round == self.state.round:
                known.marks = [
                    replace(mark, character=starred(opening)) if (mark.kind, mark.by) == (kind, seat) else mark
                    for mark in known.marks
                ]
        hand = self.hand(seat) if audit.drafts is not None and seat not in self.lies else None
        return known if hand is None else own_view(known, hand)

    def move(self) -> None:
        """One random legal move."""
        (seat,) = acting(self.state)
        self.make(seat, str(self.random_action(seat)))

    def make(self, seat: int, line: str) -> list[Event]:
        """A move, and what comes of it. Raises IllegalMove."""
        what, signature, openings = self.signed(seat, line)
        read = self.host_log.check_move(seat, self.host_log.chain.n + 1, what, signature, openings)
        events = self.table.move(seat, read.action, read.unsealed)
        self.host_log.move(read, events)
        self.tell()
        return events

    def say(self, seat: int, line: str) -> list[Event]:
        """A move of a script, the table's own steps before it; what the seat is told of it."""
        while self.host_log.must_seal or not acting(self.state):
            self.step()
        return [redact(event, seat) for event in self.make(seat, line)]

    def hand(self, seat: int) -> DraftHand | None:
        """The hand of whoever drafts for a seat, if it can be reached now."""
        own = Owner(nonce_key(seat), GAME, seat).hand(self.host_log.audit)
        if own is not None and (seat in self.gone(self) or seat in self.away(self)):
            return None
        return own or self.host_log.drafts.hand(seat)

    def say_draft(self, seat: int, message: AnyDraftMessage) -> list[Event]:
        """What a seat says in a sealed draft, and what comes of it."""
        hand = self.hand(seat)
        assert hand is not None
        if seat in self.lies:
            message = self.lies[seat](hand, message)
        log, n = self.host_log, self.host_log.chain.n + 1
        what = encode_message(message)
        key = log.drafts.signing_key(seat) or player(seat)
        read = log.drafts.check_said(seat, n, what, sign_draft(key, GAME, n, log.chain.head, seat, what))
        events = drafted(self.state, self.table.chance, seat, read.plays(self.state))
        self.table.follow(events)
        log.drafts.say(read, events)
        self.tell()
        for one in range(len(self.state.players)):
            own = Owner(nonce_key(one), GAME, one).hand(log.audit)
            self.told.setdefault(one, {}).update({} if own is None else own.contents())
        return events

    def draft(self) -> bool:
        """Whatever comes next of a sealed draft; False where somebody moves."""
        drafts = self.host_log.audit.drafts
        if drafts is None or not drafts.rounds:
            return False
        for seat in range(len(self.state.players)):
            hand = self.hand(seat)
            if hand is not None and seat not in self.lies and hand.complaint() is not None:
                self.say_draft(seat, hand.complaint())  # type: ignore[arg-type]
                return True
        what, seat = drafts.record.due
        if what != "over":
            self._due(what, seat)
        elif self.state.inquiry is not None:
            self._call(self.state.inquiry.seats)
        else:
            return self._exchange()
        return True

    def _due(self, what: str, seat: int) -> None:
        hand = self.hand(seat)
        if hand is None and what == "deal":
            self.restart([seat])
        elif hand is None:
            self._without(seat)
        elif what == "again" and self.hand(hand.record.table.plan.steps[hand.record.next].seat) is None:
            self._without(hand.record.table.plan.steps[hand.record.next].seat)
        elif what == "pick":
            step = hand.record.table.plan.steps[hand.record.next]
            chosen = self.choose.sample(hand.record.table.plan.names(hand.offered()), 1 + step.aside)
            self.say_draft(seat, hand.pick(*chosen))
        else:
            message = hand.due()
            assert message is not None
            self.say_draft(seat, message)

    def _without(self, seat: int) -> None:
        log = self.host_log
        events = drafted(self.state, self.table.chance, seat, log.drafts.plays_without(seat, self.state))
        self.table.follow(events)
        log.drafts.without(seat, events)
        self.tell()

    def _call(self, seats: Collection[int]) -> None:
        log, n = self.host_log, self.host_log.chain.n + 1
        assert self.state.inquiry is not None
        place = self.state.cast.index(self.state.inquiry.character or "")
        replies = {}
        for seat in seats:
            hand = self.hand(seat)
            if hand is not None:
                message = hand.reply(place)
                if seat in self.lies:
                    message = self.lies[seat](hand, message)  # type: ignore[assignment]
                what = encode_message(message)
                key = log.drafts.signing_key(seat) or player(seat)
                signature = sign_draft(key, GAME, n, log.chain.head, seat, what)
                replies[seat] = log.drafts.check_reply(seat, n, what, signature)
        events = drafted(self.state, self.table.chance, 0, log.drafts.plays_call(replies, self.state))
        self.table.follow(events)
        log.drafts.call(replies, events)
        self.tell()

    def _exchange(self) -> bool:
        """Whoever may exchange characters does it half of the times."""
        step = self.state.steps[-1] if self.state.steps else None
        if step is None or step.verb != "theater" or self.choose.random() < 0.5:
            return False
        hand = self.hand(step.seat)
        others = [
            one for one in decisions(self.state)[step.seat] if isinstance(one, Theater) and one.seat is not None
        ]
        mover = self.host_log.audit.movers.stint(step.seat)
        if hand is None or not others or (mover is None) != (self.host_log.drafts.hand(step.seat) is None):
            return False
        to = self.choose.choice(others).seat
        assert to is not None
        own = hand.record.table.plan.names(hand.held())
        self.say_draft(step.seat, hand.give(to, self.choose.choice(own)))
        return True

    def step(self) -> bool:
        """Whatever comes next; False when the game is closed."""
        if self.host_log.must_seal:
            self.host_log.seal()
            self.tell()
        elif self.host_log.audit.expects(Present):
            self.gather()
        elif self.host_log.audit.expects(Beacons):
            if missing := set(self.silent(self)) & set(seats_in(self.host_log.audit.between.present)):
                self.restart(missing)
            else:
                self.shares()
        elif self.host_log.may_close:
            self.host_log.close()
            self.tell()
            return False
        elif self.host_log.audit.drafts is not None and not self.host_log.audit.expects(TableMove):
            if not self.hand_over() and not self.draft():
                self.move()
        elif acting(self.state):
            if not self.hand_over():
                self.move()
        else:
            self.begin_round()
        return True

    def transcript(self, viewer: int | None = 0, *, finish: bool = True) -> bytes:
        """The file of a viewer, made from what it was sent."""
        key = player(99 if viewer is None else viewer)
        stream = io.BytesIO()
        stream.close = lambda: None  # type: ignore[method-assign]
        writer = Writer(stream, FileHead(GAME, RULES, FP, HOST.public, viewer, key.public))
        writer.begin()
        for bodies in self.bodies:
            writer.append(bodies[viewer])
        if finish and viewer is not None and (own := self.own_openings(viewer)):
            writer.append_own(own)
        if finish and viewer is not None and (told := self.told.get(viewer)):
            writer.append_boxes(told)
        if finish:
            writer.finish(key, self.host_log.chain)
        return stream.getvalue()

    def play(self, *, until: Callable[["Game"], bool] = lambda _: False) -> "Game":
        """Go on to the end, or until something holds."""
        while not until(self) and self.step():
            pass
        return self


def seats(players: int) -> Iterator[int | None]:
    yield from range(players)
    yield None


def follower(seat: int | None) -> ClientLog:
    """The log of a viewer before the first entry."""
    if seat is None:
        return ClientLog(GAME, RULES, FP, HOST.public)
    own = {"key": player(seat).public, "part": part(seat), "anchor": link(seat, 0)}
    own["draft"] = draft_anchor(nonce_key(seat), GAME, seat)
    return ClientLog(GAME, RULES, FP, HOST.public, seat, **own, box=box(seat))


def begin(
    players: int = 4,
    *,
    setup: TableConfig | None = None,
    seed: int = 1,
    followed: bool = True,
    kind: type[HostLog] = HostLog,
    chance: Callable[[bytes], Chance] = SeededChance,
) -> Game:
    """A table whose seed is joint, before the deal."""
    setup = setup or first_game(players)
    players = setup.players
    host_log = kind(header(setup), SECRET, HOST)
    followers = {seat: follower(seat) for seat in (seats(players) if followed else ())}
    table = Play(new_table(setup, sealed=True), SeededChance(b""))
    game = Game(host_log, table, random.Random(seed), chance, followers)
    host_log.open()
    anchors = [link(seat, 0) for seat in range(players)]
    commits = [part_commitment(GAME, seat, part(seat)) for seat in range(players)]
    sealed = setup.draft == "sealed"
    boxes = [box(seat).public for seat in range(players)] if sealed else []
    drafts = [draft_anchor(nonce_key(seat), GAME, seat) for seat in range(players)] if sealed else []
    more = [(*boxes[seat : seat + 1], *drafts[seat : seat + 1]) for seat in range(players)]
    agreed = [
        agreement(seat, host_log.chain.head, commits[seat], anchors[seat], *more[seat]) for seat in range(players)
    ]
    for seat in range(players):
        host_log.check_commit(seat, commits[seat], anchors[seat], agreed[seat], *more[seat])
    host_log.commit(commits, anchors, agreed, boxes, drafts)
    signatures = [player(seat).sign("seed", GAME, host_log.chain.head) for seat in range(players)]
    for seat in range(players):
        host_log.check_part(seat, part(seat), signatures[seat])
    host_log.reveal([part(seat) for seat in range(players)], signatures)
    game.tell()
    return game


@cache
def recorded(players: int = 4, *, seed: int = 1, setup: TableConfig | None = None) -> Game:
    """A whole game, played once in a run for all tests that read it. Nobody changes it: `drafts` are free to
    change, and `with_bodies` has other bodies."""
    return begin(players, seed=seed, setup=setup, followed=False).play()


def with_bodies(game: Game, bodies: list[dict[int | None, bytes]]) -> Game:
    """The game, for transcripts of viewers who were sent these bodies instead."""
    return replaced(game, bodies=bodies)
