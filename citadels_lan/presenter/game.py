"""A game as one player sees it, for screens and line mode: the session, the log, the language, the status and
the choices."""

import asyncio
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from citadels_lan.engine import Action, BadNotation, Choice, Edition, Event, IllegalMove, State, acting
from citadels_lan.engine.edition import edition_named, edition_of
from citadels_lan.engine.events import GameEnded
from citadels_lan.net.client import updates
from citadels_lan.net.client.client import PASS
from citadels_lan.net.client.updates import TableView
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.timing import Countdown
from citadels_lan.presenter.prompt.keys import CardLetters
from citadels_lan.presenter.prompt.menu import Menu, give_letters, menu
from citadels_lan.presenter.prompt.preselect import preselect
from citadels_lan.presenter.tutorial import TutorialSession
from citadels_lan.texts import Texts, msg, msgs
from citadels_lan.texts.commands import in_english, word
from citadels_lan.texts.moves import describe
from citadels_lan.texts.record import NO_WINNER, UNREACHABLE, UNREACHABLE_SHORT
from citadels_lan.texts.refusals import CONNECTION
from citadels_lan.texts.topics import TIES, title

from . import status
from .attacks import AttacksOnMe, clears
from .bot_hint import TAKEN, TOOK, Adviser
from .error_messages import CLOSING, because, closed, parted, why
from .facts import before, shared
from .invitation import Invitation
from .known_players import NOBODY, Evening, KnownPlayers
from .log import BotDid, Log, Notice, chat_line, notice, notice_text
from .text_width import clean

if TYPE_CHECKING:
    from citadels_lan.bots.pauses import Pauses
    from citadels_lan.net.client.session import Session

    from .proof import Proof

NO_KEYS: Final[Mapping[str, str]] = MappingProxyType({})
PAST = 300
"""How many log entries are shown after rejoining. From older entries only the revealed characters are
kept."""


@dataclass(frozen=True)
class Waits:
    """A delayed answer, as it is displayed: the sentence about it (`told`), the seconds `left` until it is
    sent, whether the player can still choose (`free`), and the player's choice (`chosen`), None if the player
    has not chosen."""

    told: str
    left: float
    free: bool
    chosen: Action | None


def free(choices: Sequence[Choice]) -> bool:
    """Return whether the player can choose among several answers. If the player's warrant or threat is not
    signed, there is only one answer."""
    return any(str(choice) not in {str(action) for action in PASS.values()} for choice in choices)


class Game:
    """A session, and everything that screens and line mode display about its game. `story` is the log."""

    def __init__(
        self,
        session: "Session",
        texts: Texts,
        invitation: Invitation | None = None,
        known: KnownPlayers | None = None,
        evening: Evening | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        in_lines: bool = False,
        pauses: "Pauses | None" = None,
    ) -> None:
        """`in_lines`: the player uses line mode. `pauses`: the pauses between moves of bots, if this program
        runs the bots."""
        self.in_lines = in_lines
        self._now = clock
        self._pauses = pauses
        self.time: status.DecisionTime | None = None
        self.evening = evening or Evening()
        self._counted = False
        self._result: GameEnded | None = None
        self.session = session
        self.texts = texts
        self.invitation: Invitation | None = None
        self.known = known or NOBODY
        self.tutorial = session if isinstance(session, TutorialSession) else None
        self.hidden = False
        self.proof: Proof | None = None
        self.checked = False
        self.course: Sequence[Sequence[int]] = ()
        self.story = Log(session.table.seat, ())
        self.adviser = Adviser()
        self.attacks_on_me = AttacksOnMe(self.evening.seen)
        self._done_for: list[Event] | None = None
        self._disconnected: updates.Disconnected | None = None
        self._noted_absent: set[tuple[int, str]] = set()
        self._joined = False
        self.behind: Sequence[int] = ()
        self.host(invitation)
        if self.known.trouble is not None:
            self.story.add(self.known.trouble)
        self._take_up()

    @property
    def table(self) -> TableView:
        """The table as the session shows it now."""
        return self.session.table

    @property
    def edition(self) -> Edition:
        """The edition of this game."""
        if self.table.state is not None:
            return edition_of(self.table.state)
        config = self.table.settings.config
        return edition_named(config.edition, config.options)

    @property
    def names(self) -> Sequence[str]:
        return [clean(name, 40) or "?" for name in self.table.names]

    def host(self, invitation: Invitation | None) -> None:
        """Store the invitation of the table that this program hosts; None if it hosts no longer."""
        if self.invitation is not None:
            # The seats are kept because the invitation is gone after the handover.
            self.behind = status.on_this_computer(self.table, self.invitation)
        self.invitation = invitation

    @property
    def may_hand_to(self) -> Sequence[int]:
        """The seats to which this player may hand over the hosting of the game; empty if this program is not
        the host."""
        table = self.table
        if self.invitation is None or table.state is None or self.finished:
            return ()
        people = [seat for seat, one in enumerate(table.lobby) if not one.bot and not one.guest]
        return [seat for seat in people if seat != table.seat and seat not in table.away]

    async def hand_to(self, seat: int) -> None:
        """Hand over the hosting of the game to a seat. Raises Refusal."""
        assert self.invitation is not None
        assert self.invitation.hand_to is not None
        await self.invitation.hand_to(self.names[seat])

    def say_no_successor(self) -> str:
        """Return a sentence about why this player cannot hand over the hosting."""
        nobody = self.texts.say(notice_text("handing", "no_one"))
        return nobody if self.invitation is not None else because(self.texts, "owner_only", {})

    def warn_of_handing(self) -> str:
        """Return a sentence about what a handover means for the other seats that play on the host's computer;
        "" if there are none."""
        seats, key = self.behind, "behind"
        if self.invitation is not None:
            seats, key = status.on_this_computer(self.table, self.invitation), "stays"
        names = self.texts.listing([self.names[seat] for seat in seats])
        return self.texts.say(notice_text("handing", key), names=names) if seats else ""

    # Updates

    def _take_up(self) -> None:
        """Start the log when the game has begun."""
        view = self.table.state
        if view is None:
            return
        self._joined = True
        # Notices of the lobby stay in the log of the game.
        entries = self.story.entries
        self.story = Log(self.table.seat, self.names, self.edition, view.cast)
        self.story.entries.extend(entries)
        if self.session.past:
            for update in self.session.past:
                self._note(update)
            self.story.keep_last(PAST)
            return
        # This is another game, with other entries and cards.
        self.attacks_on_me.seen.clear()
        self.evening.letters = CardLetters()
        if view.round:
            self.story.begin(view)

    def take(self, update: updates.Update) -> None:
        """Update the log and this object with an update of the session."""
        if not self._joined:
            self._take_up()
        self._note(update)
        view = self.table.state
        if view is not None and view.draft != "open":
            self._note_absent(view)
        if isinstance(update, updates.Connected | updates.Disconnected):
            self._disconnected = update if isinstance(update, updates.Disconnected) else None
        # The status line has no room for all of these sentences.
        if update == updates.Halted("draft_lie"):
            self.story.add(Notice(CONNECTION["draft_lie"]))
        if isinstance(update, updates.Disconnected) and update.reason == "called_off" and not self.in_lines:
            self.story.add(Notice(CONNECTION["called_off"]))
        if self.time is not None or isinstance(update, updates.ClockSet):
            self._count_time(update)
        # The player decides now, so a skip of the pauses has ended.
        if self.mine and self._pauses is not None:
            self._pauses.resume()

    def _note_absent(self, view: State) -> None:
        """If the sealed draft waits for absent players (to answer, to choose, or to pass on the face-down
        character), add a notice about it, once."""
        what, seats = "pick", acting(view) if view.phase == "draft" else ()
        if view.inquiry is not None:
            what, seats = view.inquiry.what, view.inquiry.seats
        elif handing := status.handing_on(view, self.table.waiting):
            what, seats = "back", handing
        absent = [seat for seat in seats if seat in self.table.away]
        new = {(seat, what) for seat in absent}
        if new - self._noted_absent:
            names = tuple(self.names[seat] for seat in absent)
            self.story.add(notice("absence", "waits_in_draft", names=names, word=self._conclude))
        # When the table no longer waits for seats, a later absence is worth a new notice.
        self._noted_absent = self._noted_absent | new if seats else set()

    @property
    def _conclude(self) -> str:
        """What to type to end a game without a result: the command word, on a screen after a colon."""
        colon = "" if self.in_lines else ":"
        return self.texts.say(status.TYPED, word=colon + word(self.texts, "conclude"))

    def _count_time(self, update: updates.Update) -> None:
        """Restart the decision timer at each decision, and stop it during a pause."""
        now, moment = self._now(), -1 if self.table.state is None else self.table.state.tick
        if isinstance(update, updates.ClockSet):
            # A client that joins during a pause must not count it.
            stopped = now if self.table.paused else None
            self.time = status.DecisionTime(Countdown(update.seconds, now - update.gone, moment, stopped))
        if self.time is not None:
            self.time.countdown.at(moment, now)
            if isinstance(update, updates.PauseChanged):
                self.time.countdown.pause(update.paused, now)

    @property
    def _timed(self) -> status.DecisionTime | None:
        """The timer of the present decision; None if no player has to decide, or there is no time limit."""
        table = self.table
        deciding = table.state is not None and bool(acting(table.state)) and not table.paused
        return self.time if deciding and table.reason is None and not self.offline else None

    def time_passes(self, *, halves: bool = False) -> bool:
        """Add a notice when the time for the decision is up; with `halves`, also when half of it is over.
        Return whether the time of this player has just run out."""
        timed, view = self._timed, self.table.state
        stage = timed.news(self._now()) if timed is not None else 0
        if view is None or stage < (1 if halves else 2):
            return False
        names = tuple(self.names[seat] for seat in acting(view))
        up = "up_you" if self.mine else "up_host" if self.invitation is not None else "up"
        self.story.add(notice("time", "half" if stage == 1 else up, names=names))
        return self.mine and stage > 1

    def _note(self, update: updates.Update) -> None:
        match update:
            case updates.Happened():
                self._note_events(update)
            case updates.Cosigned():
                self.story.cosigned(update)
            case _ if isinstance(update, status.Noticed):
                said = status.update_notice(update, self.table.seat, self.names, self._conclude)
                if said is not None:
                    self.story.add(said)
                self._note_change(update)
            case updates.Ended():
                self._note_end()
            case updates.Chatted(seat, name, text):
                # The name of a seat comes from the table, so that chat cannot impersonate a player.
                known = self.names[seat] if seat is not None and seat < len(self.names) else name
                hint = Notice(TOOK, (("name", known),))
                # Spectators cannot ask for hints, so the same text from one of them is chat.
                asks = text == TAKEN and seat is not None
                self.story.add(hint if asks else chat_line(known, text, watching=seat is None))

    def _note_events(self, update: updates.Happened) -> None:
        if self.table.settings.hints:
            self.adviser.note(update.events)
        state, seat = self.table.state, self.table.seat
        self.story.healed = state is not None and seat is not None and clears(state, seat)
        if update.seat == seat:
            self.attacks_on_me.moved()
        for event in update.events:
            if (situation := self.story.situation()) is not None:
                self.attacks_on_me.add(event, situation, update.n)
            # A host that never closes the record must not decide the winner.
            if isinstance(event, GameEnded) and not self.table.record_closed:
                self._result = event  # It is added with the winner when the record is closed.
                self.story.add(event.unwon(), update.openings)
            else:
                self.story.add(event, update.openings)
        self.story.settle(update.events)
        if self._done_for is not None and update.seat == seat:
            self._done_for += update.events

    def _note_change(self, update: updates.Update) -> None:
        """If this player takes the seat back from a bot, add the bot's moves to the log. If another player
        hosts now, drop the invitation."""
        match update:
            case updates.SubstituteBegan(seat) if seat == self.table.seat:
                self._done_for = []
            case updates.BackAgain(seat, _, here) if seat == self.table.seat:
                done, self._done_for = self._done_for or [], None
                for event in done:
                    self.story.add(BotDid(event, here=here))
            case updates.HostChanged(_, seat) if seat != self.table.seat:
                self.host(None)

    def _note_end(self) -> None:
        """Add the result to the log, and count the game in the results of the evening. This happens once,
        although the end of the game arrives again after a reconnection."""
        if self._result is not None:
            self.story.add(self._result)
            self._result = None
        elif self._abandoned and not self.table.halted:
            self.story.add(notice("end", "ended"))
        view = self.table.state
        # Spectators have no seat in the results of the evening.
        if view is not None and view.scores and self.table.seat is not None and not self._counted:
            self._counted = True
            self.evening.add(self.table.lobby, view)

    # State for the screens

    @property
    def with_people(self) -> bool:
        """Whether another person plays at the table."""
        return any(not one.bot for seat, one in enumerate(self.table.lobby) if seat != self.table.seat)

    def words(self) -> str:
        """Return a text with the latest check words and their round; "" if all other players are bots."""
        words, state, say = " ".join(self.table.words), self.table.state, self.texts.say
        if not words or state is None or not self.with_people:
            return ""
        when = say("end") if self.over else say("Round {round}", round=state.round).lower()
        return f"{when} · {words}"

    @property
    def preselected(self) -> Action | None:
        """The preselected move: in the tutorial that of the lesson. None if this player has nothing to
        decide, or has covered the cards, because the move could reveal them."""
        table = self.table
        if table.state is None or table.seat is None or self.hidden:
            return None
        if self.tutorial is not None:
            return self.tutorial.taught
        return preselect(table.state, table.seat, self.choices())

    def lesson(self, keys: Mapping[str, str] = NO_KEYS) -> str:
        """Return the lesson of the tutorial; "" outside the tutorial. `keys` has the displayed key or word of
        each command, by its name."""
        return "" if self.tutorial is None else self.tutorial.lesson(self.texts, keys, in_lines=self.in_lines)

    @property
    def mine(self) -> bool:
        """Whether this player must decide now."""
        table = self.table
        if table.state is None or self._disconnected is not None or table.record_closed:
            return False
        return table.seat in acting(table.state) and not status.handing_on(table.state, table.waiting)

    def choices(self) -> Sequence[Choice]:
        """Return the legal choices of this player; empty if the player has nothing to decide."""
        return self.table.choices if self.mine else ()

    @property
    def offline(self) -> bool:
        """Whether the connection to the host is lost although the record of the game is not closed yet."""
        return self._disconnected is not None and not self.table.record_closed

    @property
    def _abandoned(self) -> bool:
        """Whether the record was closed before the last move, so the game has no result."""
        return self.table.record_closed and self.table.state is not None and not self.over

    @property
    def over(self) -> bool:
        """Whether the last move was made."""
        state = self.table.state
        return state is not None and state.phase == "over"

    @property
    def winners(self) -> Sequence[int]:
        """The seats that have won; empty until the record of the game is closed."""
        table = self.table
        return table.state.winners if table.state is not None and table.record_closed else ()

    @property
    def closed(self) -> bool:
        """Whether the host has closed the table before the record of the game was closed."""
        return self._disconnected is not None and self.offline and self._disconnected.reason == CLOSING

    @property
    def finished(self) -> bool:
        """Whether the player can leave without losing anything: the record is closed, the host has closed the
        table, or the session has ended."""
        return self.table.reason is not None or self.table.record_closed or self.closed

    def stalled(self) -> str:
        """Return why this player cannot choose at the moment: the host cannot be reached, or the game is
        paused. Otherwise ""."""
        if self.offline:
            return self.parted()[0]
        return status.paused_sentence(self.texts, NO_KEYS) if self.table.paused else ""

    def why(self, reason: Refusal | IllegalMove | BadNotation) -> str:
        """Return the sentence for an exception of `REFUSED`."""
        lost = isinstance(reason, Refusal) and reason.code == "lost"
        if self.tutorial is not None and isinstance(reason, Refusal) and reason.code == "not_taught":
            return self.tutorial.wrong(self.texts)
        return self.stalled() if lost and self.offline else why(self.texts, reason)

    def parted(self, keys: Mapping[str, str] = NO_KEYS) -> Sequence[str]:
        """Return sentences in several lengths, the longest first, about why the connection is lost and what
        happens now; empty while there is a connection. `keys` as in `lesson`."""
        update, say = self._disconnected, self.texts.say
        if update is None:
            return ()
        # The session still tries to reconnect for the close of the record.
        if self.over and self.table.reason is None:
            return (say(UNREACHABLE), say(UNREACHABLE_SHORT))
        if update.reason == CLOSING and not self.over:
            leave, begun = status.how_to_leave(self.texts, keys), self.table.state is not None
            return closed(self.texts, update.details, self.names, begun=begun, leave=leave)
        lost = parted(self.texts, update.reason, update.details)
        return (f"{lost} {say(NO_WINNER)}" if self.over else lost,)

    def mood(self) -> status.Mood:
        """Return the situation of this player, which the turn bar shows."""
        table = self.table
        if self.offline:
            return "closed" if self.closed else "offline"
        if table.state is None:
            return "waiting"
        if self._abandoned and not table.halted:
            return "over"
        stopped = table.paused or bool(table.halted) or table.reason is not None
        if status.handing_on(table.state, table.waiting) and not stopped:
            return "waiting"
        return status.mood(table.state, table.seat, stopped=stopped)

    def open_attacks(self) -> Sequence[str]:
        """Return a sentence for each attack that this player has not acknowledged, the newest first."""
        return [attack.said(self.texts, self.names) for attack in self.attacks_on_me.open]

    @property
    def card_letters(self) -> CardLetters:
        """The letters of the hand, in order of cost, and of the cards to choose from outside the hand."""
        if self.table.state is not None and self.table.seat is not None:
            give_letters(self.evening.letters, self.table.state, self.table.seat, self.choices())
        return self.evening.letters

    def outlook(self) -> str:
        """In an edition in which players call characters from a deck, return a sentence with the players
        whose turns come before this player's next one. Otherwise ""."""
        view, seat = self.table.state, self.table.seat
        if view is None or seat is None or not shared(view) or view.phase != "turns":
            return ""
        others = [self.names[other] for other in before(view, seat)]
        turns = msgs("{count} turn before yours: {names}", "{count} turns before yours: {names}")
        return self.texts.say(turns, count=len(others), names=", ".join(others)) if others else ""

    def status(self) -> str:
        """Return the status line: which player must decide, and what this player may do."""
        return self.statuses()[0]

    def statuses(self, keys: Mapping[str, str] = NO_KEYS) -> Sequence[str]:
        """Return the status line in several lengths, the longest first. `keys` as in `lesson`."""
        if self.offline:
            return self.parted(keys)
        left = self._timed.left(self.texts, self._now()) if self._timed is not None else ""
        hosting = self.invitation is not None
        return status.statuses(self.texts, self.table, self.names, left, hosting=hosting, keys=keys)

    # What this player may do

    @property
    def may_skip(self) -> bool:
        """Whether this player may skip the pauses of the bots until their own next move. Not possible while
        other people play or watch."""
        table = self.table
        if self._pauses is None or table.state is None or self.mine or self.over or table.paused:
            return False
        return all(one.bot for seat, one in enumerate(table.lobby) if seat != table.seat)

    def skip(self) -> None:
        """Let the bots move without pauses until it is this player's move."""
        if self._pauses is not None and self.may_skip:
            self._pauses.skip()

    @property
    def may_replace(self) -> bool:
        """Whether the table waits for absent players and this player, as the host, may replace them by bots
        or continue without them."""
        absent = status.lacking(self.table) or status.replaceable(self.table)
        return bool(absent) and self.invitation is not None

    @property
    def may_end(self) -> bool:
        """Whether this player may propose or accept an end without a result: the table waits for an absent
        player, or another player has proposed it."""
        table = self.table
        playing = table.seat is not None and table.state is not None and not self.over and not self.offline
        return playing and bool(table.ending or (table.away and status.awaited(table)))

    def of_pause(self, line: str) -> bool:
        """Return whether a typed line is a command to pause or continue the game."""
        return in_english(self.texts, " ".join(line.lower().split())) in status.PAUSING

    async def heed(self, line: str) -> bool:
        """Run a typed command about absent players, a pause or an end without a result. Return False if the
        line is no such command. Raises Refusal."""
        typed = in_english(self.texts, line.strip())
        return await status.heed(self.session, typed, hosting=self.invitation is not None)

    def level(self) -> str:
        """If other players have as many points as the winner, return a sentence that names them and the page
        of the rules about ties; otherwise ""."""
        view, winners = self.table.state, self.winners
        scores = view.scores if view is not None and winners else ()
        level = [seat for seat, score in enumerate(scores) if score.total == scores[winners[0]].total]
        names = [self.names[seat] for seat in level if seat not in winners]
        if not names:
            return ""
        tie = msg("Tie: {names}. See “{title}” in the rules.")
        return self.texts.say(tie, names=self.texts.listing(names), title=title(self.texts, TIES))

    @property
    def may_hand_over(self) -> bool:
        """Whether this player may leave and let a substitute bot play the seat. A host cannot."""
        playing = self.table.state is not None and not self.finished and not self.over and not self.offline
        bots = self.table.state is not None and self.table.state.draft == "open"
        return self.invitation is None and self.table.seat is not None and playing and bots

    def leaving(self) -> str:
        """Return the question that is asked before this player leaves, with the consequences for the game."""
        closes = msg("Leave the game? You are the host, so it closes for all players.")
        asked = self.texts.say(closes if self.invitation is not None else msg("Leave the game?"))
        if self.over and not self.table.record_closed:
            asked = f"{asked} {self.texts.say(NO_WINNER)}"
        if self.invitation is None and self.behind:
            return f"{asked} {self.warn_of_handing()}"
        if self.table.state is None or not self.table.owner:
            return asked
        return f"{asked} {self.texts.say('The game is saved. You can resume it later.')}"

    def moment(self) -> tuple[int, int]:
        """Return a value that changes with each new question, so that equal values mean the same question."""
        state = self.table.state
        return (-1 if state is None else state.tick, len(self.choices()))

    def menu(self) -> Menu:
        """Return the tree of choices; empty if this player has nothing to decide, or types a bid."""
        state, seat, choices = self.table.state, self.table.seat, self.choices()
        if state is None or seat is None or not choices or state.auction is not None:
            return Menu()
        pointed = None if self.tutorial is None else self.tutorial.pointed
        return menu(self.texts, state, seat, self.names, choices, self.card_letters, pointed)

    # The question about a sealed marker. Its answer is sent after a fixed time. A player with an unsigned warrant
    # has no choice, so the fixed time keeps others from seeing that.

    def waits(self) -> Waits | None:
        """Return the delayed answer, as it is displayed; None if there is none."""
        held, state = self.table.answer, self.table.state
        if held is None or state is None or not state.steps:
            return None
        anything, left = free(self.table.choices), max(held.until - asyncio.get_running_loop().time(), 0.0)
        text = notice_text("waits", "unsigned" if not anything else "chosen" if held.chosen else "unchosen")
        told = self.texts.say(text, count=math.ceil(left), answer=self.label(held.action))
        return Waits(told, left, anything, held.action if held.chosen else None)

    def check(self, action: Action) -> None:
        """Raise IllegalMove or Rejected if the host would reject this delayed answer. This must be checked
        here, because a rejected answer would reveal a secret to the host."""
        # The host must not learn from a rejected answer that the warrant is unsigned.
        choices, state = {str(choice) for choice in self.table.choices}, self.table.state
        if str(action) in choices or state is None or state.turn is None:
            return
        if str(action) == "confiscate yes" and "confiscate no" in choices:
            raise IllegalMove("not_signed", character=state.turn.character)
        raise Rejected("not_your_turn")

    def label(self, action: Action) -> str:
        """Return the label of an action in the list of choices."""
        assert self.table.state is not None
        assert self.table.seat is not None
        return describe(self.texts, action, self.table.state, self.table.seat, self.names)


def called_off(game: Game) -> str:
    """Return a sentence for the lobby with the number of called-off starts; "" if there was none."""
    count, say = game.table.called_off, game.texts.say
    return say("Cancelled starts of this game: {count}", count=count) if count else ""
