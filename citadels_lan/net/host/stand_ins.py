"""Bots of the host that move for players who are gone, in full view (docs/protocol.md, section 16).

Here is when they come and what they do; no sockets and no clock. A stand-in is shown what its seat may know and
nothing else, and makes at most one move in each `tick`, so that people can follow.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.audit.signed import sign_move
from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.messages import AnyDraftMessage, encode_message, sign_draft
from citadels_lan.crypto.draft.own_picks import own_view
from citadels_lan.crypto.log import StandIn
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.sealed_moves import with_markers
from citadels_lan.crypto.stand_ins import Stint
from citadels_lan.engine import Action, Event, State, acting, decisions, evolve, redact, view
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.choices import Choice
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Play, SayInDraft

from .game import HostedGame


class Chooser(Protocol):
    """Whatever plays: it is shown what the seat may know. Unless it is `deaf`, it is told what happens from its
    first move on: each event, and the view before it."""

    @property
    def deaf(self) -> bool: ...

    def told(self, view: State, event: Event) -> None: ...

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action | None:
        """None while it is thinking: it is asked again, with the same, in the next `tick`."""


LONGEST_REST: Final = 60.0
"""Seconds at most that a seat is gone before the next stand-in."""


class Takeover(Struct, frozen=True):
    """When a bot moves for a player who is gone: `after` so many seconds, None for only where the host's person
    says so. `level` is which; `make` makes one of a level, KeyError where there is none."""

    make: Callable[[str], Chooser]
    after: float | None = None
    level: str = "sensible"


class StandIns:
    """The stand-ins of one game, by seat. Without a `takeover` none moves; those that the host had when it was
    killed say in the sealed draft of that round what nobody has to choose, for nobody else can."""

    def __init__(self, game: HostedGame, takeover: Takeover | None) -> None:
        self._game = game
        self._takeover = takeover
        self._choosers: dict[int, tuple[int, Chooser]] = {}
        self._wished: set[int] = set()
        game.listener = self._tell

    def wish(self, seat: int) -> None:
        """The player of a seat goes, and wishes for a stand-in at once."""
        self._wished.add(seat)

    def here(self, seat: int) -> None:
        """The player of a seat is here, and has no such wish."""
        self._wished.discard(seat)

    def begin(self, seat: int, level: str) -> None:
        """Let a stand-in of this level, or of the usual one for none, move for a seat. Raises Refusal."""
        takeover = self._takeover
        if takeover is None:
            raise Refusal("no_bots")
        level = level or takeover.level
        try:
            takeover.make(level)
        except KeyError:
            raise Refusal("no_level") from None
        self._game.stand_in(seat, level)

    def tick(self, gone: Mapping[int, float]) -> bool:
        """Let somebody move for a seat that the game waits for, where its player is `gone` for long enough, or
        wished for it; where the draft is sealed also for one that it does not wait for, which drafts in the next
        round then. Says whether anything has happened. `gone` are seconds by seat. Raises Unwritten from the
        journal."""
        game, takeover = self._game, self._takeover
        if game.full:
            return False
        if (drafting := next(self._drafting(), None)) is not None:
            self._say(*drafting)
            return True
        what, seat = game.draft.due
        if what == "pick" and (hand := game.draft.hand(seat)) is not None:
            return self._pick(seat, hand)
        if takeover is None or not game.host_log.audit.expects(StandIn):
            return False
        deciding = acting(game.state)
        for seat in (*deciding, *(gone if game.draft.drafts is not None else ())):
            if seat in deciding and seat in gone and game.stint(seat) is not None:
                return self._move(seat)
            if seat in gone and game.stint(seat) is None and self._due(seat, gone[seat], takeover):
                game.stand_in(seat, takeover.level)
                return True
        return False

    def _due(self, seat: int, gone: float, takeover: Takeover) -> bool:
        """Whether a stand-in is to come for a seat whose player has been gone for so many seconds."""
        late = takeover.after is not None and gone >= takeover.after
        return gone >= self._rest(seat) and (late or seat in self._wished)

    def _rest(self, seat: int) -> float:
        """Seconds that a seat must be gone before the next stand-in: one for each that it has had, so that nobody
        fills the log by going and coming back."""
        had = sum(stint.seat == seat for stint in self._game.host_log.audit.movers.stints)
        return min(float(had), LONGEST_REST)

    def _pick(self, seat: int, hand: DraftHand) -> bool:
        """The pick of a stand-in that drafts for a seat in this round, also where the owner is back by now."""
        game, stint = self._game, self._drafter(seat)
        assert stint is not None
        if self._takeover is None:
            game.draft_without(seat)
            return True
        known = own_view(seen(game.state, game.host_log.stand_in_owner(stint)), hand)
        action = self._chooser(stint).choose(known, seat, decisions(known)[seat])
        if action is None:
            return False
        assert isinstance(action, Pick)
        self._say(seat, hand.pick(action.character, action.discarding))
        return True

    def _move(self, seat: int) -> bool:
        """The next move of a stand-in."""
        game = self._game
        stint, log = game.stint(seat), game.host_log
        assert stint is not None
        owner, hand = log.stand_in_owner(stint), game.draft.hand(seat)
        known = seen(game.state, owner)
        if hand is not None:
            known = own_view(known, hand)
        elif game.draft.due == ("pick", seat):
            game.draft_without(seat)
            return True
        choices = [choice for choice in decisions(known)[seat] if opens(log.audit, owner, str(choice))]
        if hand is None and game.draft.drafts is not None:
            choices = [choice for choice in choices if not isinstance(choice, Theater) or choice.seat is None]
        action = self._chooser(stint).choose(known, seat, choices)
        if action is None:
            return False
        if hand is not None and isinstance(action, Theater) and action.seat is not None:
            self._say(seat, hand.give(action.seat, action.giving or known.players[seat].concealed[0]))
            return True
        what, openings = owner.prepare(log.audit, str(action))
        signature = sign_move(log.signing_key(stint), log.header.game_id, log.chain, seat, what)
        game.play(seat, Play(game.n + 1, what, signature, openings))
        game.go_on()
        return True

    def _drafting(self) -> Iterator[tuple[int, AnyDraftMessage]]:
        """What stand-ins are to say in the draft without being asked, and their replies to a call: also for those
        whose owners have come back in the middle of the round, for they have not drafted in it."""
        draft = self._game.draft
        for seat in draft.stood_in:
            hand = draft.hand(seat)
            if hand is None:
                continue
            if draft.calls and seat in draft.awaited():
                yield seat, hand.reply(draft.place)
            elif not draft.proven and draft.expects_word and (said := hand.due()) is not None:
                yield seat, said

    def _say(self, seat: int, said: AnyDraftMessage) -> None:
        """Say something in the draft for a seat."""
        game, what = self._game, encode_message(said)
        log = game.host_log
        key = log.drafts.signing_key(seat)
        assert key is not None
        n = game.n + 1
        signature = sign_draft(key, log.header.game_id, n, log.chain.head, seat, what)
        game.say(seat, SayInDraft(n, what, signature))
        game.go_on()

    def _tell(self, state: State, events: Sequence[Event]) -> None:
        """Let those who move for a seat just now, and listen, know what happens."""
        for seat, (n, chooser) in self._choosers.items():
            stint = self._drafter(seat)
            if chooser.deaf or stint is None or stint.n != n:
                continue
            known = seen(state, self._game.host_log.stand_in_owner(stint))
            for event in events:
                told = redact(event, seat)
                chooser.told(known, told)
                known = evolve(known, told)

    def _drafter(self, seat: int) -> Stint | None:
        """That of the stand-in which moves for a seat now, or has drafted for it in this round."""
        drafts = self._game.draft.drafts
        return self._game.stint(seat) or (drafts.now.stints.get(seat) if drafts is not None else None)

    def _chooser(self, stint: Stint) -> Chooser:
        known = self._choosers.get(stint.seat)
        if known is None or known[0] != stint.n:
            assert self._takeover is not None
            known = self._choosers[stint.seat] = stint.n, self._takeover.make(stint.level)
        return known[1]


def seen(state: State, owner: Owner) -> State:
    """What a stand-in knows of the table: the view of its seat, and the markers that were sealed for it."""
    return with_markers(view(state, owner.seat), owner.seat, owner.entrusted)


def opens(audit: Auditor, owner: Owner, line: str) -> bool:
    """Whether a move breaks no seal, or one that its mover can open."""
    return audit.concealed.breaks(owner.seat, line) is None or bool(owner.prepare(audit, line)[1])
