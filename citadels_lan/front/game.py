"""A game as one person sees it, for any front end: the session, the story so far, the language."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from citadels_lan.engine import BadNotation, Choice, Edition, Event, IllegalMove, State, acting
from citadels_lan.engine.edition import edition_named, edition_of
from citadels_lan.engine.events import GameEnded
from citadels_lan.front.prompt.keys import CardLetters
from citadels_lan.front.prompt.menu import Menu, loose, menu
from citadels_lan.front.prompt.preselect import preselect
from citadels_lan.front.tutorial.guide import Guide, Hint
from citadels_lan.front.tutorial.lessons import NO_KEYS, Glance
from citadels_lan.net.client import updates
from citadels_lan.net.client.view import TableView
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.timing import Countdown
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.commands import in_english
from citadels_lan.texts.connection_reasons import REASONS
from citadels_lan.texts.record import NO_WINNER, UNREACHABLE, UNREACHABLE_SHORT
from citadels_lan.texts.topics import TIES, title

from . import pending
from .acquaintances import NOBODY, Acquaintances, Evening
from .attacks import AttacksOnMe, clears
from .bot_hint import TAKEN, TOOK, Adviser
from .cells import clean
from .failures import CLOSING, because, closed, parted, why
from .invitation import Invitation
from .log import BotDid, Line, Log, Notice, chat_line, notice
from .status import Mood, Outlook, mood, statuses

if TYPE_CHECKING:
    from citadels_lan.net.client.session import Session

    from .proof import Proof

PAST = 300
"""Entries of the log that are shown after coming back; older ones only tell who was who."""


class Game:
    """The session and everything a front end remembers about it."""

    def __init__(
        self,
        session: "Session",
        texts: Texts,
        invitation: Invitation | None = None,
        known: Acquaintances = NOBODY,
        evening: Evening | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        guided: bool = False,
        in_lines: bool = False,
    ) -> None:
        """`guided`: the game is explained while it is played. `in_lines`: it is played in lines."""
        self.in_lines = in_lines
        self._now = clock
        self.time: pending.DecisionTime | None = None
        self.evening = evening or Evening()
        self._counted = False
        self._result: GameEnded | None = None
        self.session = session
        self.texts = texts
        self.invitation: Invitation | None = None
        self.known = known
        self.guide = Guide(on=guided)
        self.hidden = False
        self.proof: Proof | None = None
        self.checked = False
        self.course: Sequence[Sequence[int]] = ()
        self.story = Log(session.table.seat, ())
        self.adviser = Adviser()
        self.befallen = AttacksOnMe(self.evening.seen)
        self._done_for: list[Event] | None = None
        self._disconnected: updates.Disconnected | None = None
        self._told_gone: set[tuple[int, str]] = set()
        self.joined = False
        self._letters = CardLetters()
        self.behind: Sequence[int] = ()
        self.host(invitation)
        if known.trouble is not None:
            self.story.add(known.trouble)
        self.take_up()

    @property
    def table(self) -> TableView:
        """The table as the session shows it now."""
        return self.session.table

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        if self.table.state is not None:
            return edition_of(self.table.state)
        config = self.table.settings.config
        return edition_named(config.edition, config.options)

    @property
    def names(self) -> Sequence[str]:
        return [clean(name, 40) or "?" for name in self.table.names]

    def host(self, invitation: Invitation | None) -> None:
        """This program hosts the game from now on, or no longer."""
        if self.invitation is not None:
            self.behind = pending.on_this_computer(self.table, self.invitation)
        self.invitation = invitation

    @property
    def may_hand_to(self) -> Sequence[int]:
        """The seats to which this person may hand the game over; none if this program is not the host."""
        hosting = self.invitation is not None and self.table.state is not None and not self.finished
        return pending.successors(self.table) if hosting else ()

    async def hand_to(self, seat: int) -> None:
        """Hand the game over to a seat. Raises Refusal."""
        assert self.invitation is not None
        assert self.invitation.hand_to is not None
        await self.invitation.hand_to(self.names[seat])

    def say_no_successor(self) -> str:
        """Why this person cannot hand the game over to anyone."""
        if self.invitation is None:
            return because(self.texts, "owner_only", {})
        return self.texts.say(pending.NO_ONE)

    def warn_of_handing(self) -> str:
        """What happens to the other seats on this computer; empty if there are none."""
        seats = self.behind if self.invitation is None else pending.on_this_computer(self.table, self.invitation)
        say = pending.BEHIND if self.invitation is None else pending.STAYS
        return self.texts.say(say, names=self.texts.listing([self.names[seat] for seat in seats])) if seats else ""

    def take_up(self) -> None:
        """Begin the story when the game has begun."""
        view = self.table.state
        if view is None:
            return
        self.joined = True
        entries = self.story.entries
        self.story = Log(self.table.seat, self.names, self.edition, view.cast)
        self.story.entries.extend(entries)
        if self.session.past:
            for update in self.session.past:
                self._note(update)
            self.story.keep_last(PAST)
            return
        self.befallen.seen.clear()  # another game, with other entries
        if view.round:
            self.story.begin(view)

    def take(self, update: updates.Update) -> None:
        """Note an update."""
        if not self.joined:
            self.take_up()
        self._note(update)
        view = self.table.state
        if view is not None and view.draft != "open":
            self._tell_of_gone(view)
        if isinstance(update, updates.Connected | updates.Disconnected):
            self._disconnected = update if isinstance(update, updates.Disconnected) else None
        if update == updates.Halted("draft_lie"):  # the line that says who acts has no room for all of it
            self.story.add(Notice(REASONS["draft_lie"]))
        if isinstance(update, updates.Disconnected) and update.reason == "called_off" and not self.in_lines:
            self.story.add(Notice(REASONS["called_off"]))  # the connection soon returns, and the line says no more
        if self.guide.on and isinstance(update, updates.Happened) and (glance := self.glance()) is not None:
            self.guide.note(update.events, glance, own=update.seat == self.table.seat)
        if self.time is not None or isinstance(update, updates.ClockSet):
            self._count_time(update)

    def _tell_of_gone(self, view: State) -> None:
        """Tell once that a sealed draft waits for players who are away."""
        table = self.table
        what, seats = pending.sealed_awaited(view, table.waiting)
        gone = [seat for seat in seats if seat in table.away]
        new = {(seat, what) for seat in gone}
        if new - self._told_gone:
            self.story.add(pending.sealed_absent(gone, self.names, self.texts, in_lines=self.in_lines))
        self._told_gone = self._told_gone | new if seats else set()

    def _count_time(self, update: updates.Update) -> None:
        """Start the soft time with each decision, and stop it during a pause."""
        now, moment = self._now(), -1 if self.table.state is None else self.table.state.tick
        if isinstance(update, updates.ClockSet):
            stopped = now if self.table.paused else None
            self.time = pending.DecisionTime(Countdown(update.seconds, now - update.gone, moment, stopped))
        if self.time is not None:
            self.time.countdown.at(moment, now)
            if isinstance(update, updates.PauseChanged):
                self.time.countdown.pause(update.paused, now)

    @property
    def timed(self) -> pending.DecisionTime | None:
        """The time for the current decision; None if no one decides, or there is no limit."""
        deciding = self.table.state is not None and bool(acting(self.table.state)) and not self.table.paused
        return self.time if deciding and self.table.reason is None and not self.offline else None

    def time_passes(self, *, halves: bool = False) -> bool:
        """Note in the story when the time for a decision is up, and with `halves` when half of it is; whether it
        is this person's and just up."""
        timed, view = self.timed, self.table.state
        stage = timed.news(self._now()) if timed is not None else 0
        if view is None or stage < (1 if halves else 2):
            return False
        names = [self.names[seat] for seat in acting(view)]
        hosting = self.invitation is not None
        self.story.add(pending.time_notice(stage, names, mine=self.mine, hosting=hosting))
        return self.mine and stage > 1

    def _note(self, update: updates.Update) -> None:
        match update:
            case updates.Happened():
                self._note_events(update)
            case updates.Cosigned():
                self.story.cosigned(update)
            case updates.SubstituteBegan() | updates.BackAgain() | updates.PauseChanged():
                if (said := pending.absence_notice(update, self.table.seat, self.names)) is not None:
                    self.story.add(said)
                if not isinstance(update, updates.PauseChanged) and update.seat == self.table.seat:
                    self._tell_of_bot(update)
            case updates.EndProposed():
                self.story.add(
                    pending.proposed(update, self.table.seat, self.names, self.texts, in_lines=self.in_lines)
                )
            case updates.HostChanged():
                self.story.add(pending.host_notice(update, self.table.seat, self.names))
                if update.seat != self.table.seat:
                    self.host(None)
            case updates.Ended():
                self._note_end()
            case updates.Chatted(seat, name, text):
                known = self.names[seat] if seat is not None and seat < len(self.names) else name
                taken = text == TAKEN and seat is not None
                hint = Notice(TOOK, (("name", known),), aside=True)
                self.story.add(hint if taken else chat_line(known, text, watching=seat is None))

    def _note_events(self, update: updates.Happened) -> None:
        if self.table.settings.hints:
            self.adviser.note(update.events)
        state, seat = self.table.state, self.table.seat
        self.story.healed = state is not None and seat is not None and clears(state, seat)
        for event in update.events:
            if (situation := self.story.situation()) is not None:
                self.befallen.add(event, situation, update.n)
            if isinstance(event, GameEnded) and not self.table.record_closed:
                self._result = event  # it is added with the winner when the record is closed
                self.story.add(event.unwon(), update.openings)
            else:
                self.story.add(event, update.openings)
        self.story.settle(update.events)
        if self._done_for is not None and update.seat == seat:
            self._done_for += update.events

    def _note_end(self) -> None:
        if self._result is not None:
            self.story.add(self._result)
            self._result = None
        elif self.abandoned and not self.table.halted:
            self.story.add(notice("end", "ended"))
        self._count()

    def _tell_of_bot(self, update: updates.SubstituteBegan | updates.BackAgain) -> None:
        """A bot takes this player's seat, or gives it back: then the log lists what it did."""
        done, self._done_for = self._done_for, [] if isinstance(update, updates.SubstituteBegan) else None
        if isinstance(update, updates.BackAgain):
            for event in done or ():
                self.story.add(BotDid(event, here=update.here))

    def _count(self) -> None:
        """Count the game for tonight's results, once: after a lost connection its end arrives again."""
        view = self.table.state
        if view is not None and view.scores and self.table.seat is not None and not self._counted:
            self._counted = True
            self.evening.add(self.table.lobby, view)

    def words(self) -> tuple[str, ...]:
        """The four words of now, as they are shown: with the round where there is room, and without."""
        words = " ".join(self.table.words)
        if not words or self.table.state is None:
            return ()
        if self.over:
            return (f"{self.texts.say(msg('end'))} · {words}", words)
        round_ = self.texts.say(msg("Round {round}"), round=self.table.state.round).lower()
        return (f"{round_} · {words}", words)

    def glance(self, keys: Mapping[str, str] = NO_KEYS) -> Glance | None:
        """What the tutorial looks at; `keys` as there. None before the game."""
        if self.table.state is None:
            return None
        advised = self.table.settings.hints
        return Glance(self.table.state, self.table.seat, self.names, self.choices(), keys, self.in_lines, advised)

    @property
    def preselected(self) -> str:
        """The verb of the preselected move; empty if this player has no decision, and while the own cards are
        covered, because the move depends on them."""
        table = self.table
        if table.state is None or table.seat is None or self.hidden or not self.mine:
            return ""
        move = preselect(table.state, table.seat, table.choices)
        return "" if move is None else move.action.verb

    def hints(self, keys: Mapping[str, str] = NO_KEYS) -> list[Hint]:
        """The hints of the tutorial; none while the own cards are covered, because hints name them, and none while
        the host cannot be reached."""
        if not self.guide.on or self.hidden or self.offline:
            return []
        glance = self.glance(keys)
        return [] if glance is None else list(self.guide.hints(self.texts, glance))

    @property
    def mine(self) -> bool:
        """Whether it is this seat's move."""
        table = self.table
        if table.state is None or self._disconnected is not None or table.record_closed:
            return False
        return table.seat in acting(table.state) and not self.handing_on

    def choices(self) -> Sequence[Choice]:
        """The legal choices of this seat; none if it has no decision."""
        return self.table.choices if self.mine else ()

    @property
    def offline(self) -> bool:
        """Whether the host cannot be reached although the record of the game is not closed."""
        return self._disconnected is not None and not self.table.record_closed

    @property
    def abandoned(self) -> bool:
        """Whether the record was closed before the last move: the game has no result."""
        table = self.table
        return table.record_closed and table.state is not None and table.state.phase != "over"

    @property
    def over(self) -> bool:
        """Whether the last move is made."""
        state = self.table.state
        return state is not None and state.phase == "over"

    @property
    def winners(self) -> Sequence[int]:
        """The seats that have won; empty until the record of the game is closed."""
        table = self.table
        return table.state.winners if table.state is not None and table.record_closed else ()

    @property
    def closed(self) -> bool:
        """Whether the host has closed the table before the end of the game."""
        return self._disconnected is not None and self.offline and self._disconnected.reason == CLOSING

    @property
    def handing_on(self) -> Sequence[int]:
        """The seats that must pass on face-down characters before a player can choose."""
        table = self.table
        if table.state is None or table.state.draft == "open":
            return ()
        return pending.handing_on(table.state, table.waiting)

    def stalled(self) -> str:
        """Why nothing can be chosen now although it is this seat's move; empty where that is not so."""
        if self.offline:
            return self.parted()[0]
        return pending.paused_sentence(self.texts, NO_KEYS) if self.table.paused else ""

    def why(self, reason: Refusal | IllegalMove | BadNotation) -> str:
        """The sentence for an exception of `REFUSED`."""
        lost = isinstance(reason, Refusal) and reason.code == "lost"
        return self.stalled() if lost and self.offline else why(self.texts, reason)

    def parted(self, keys: Mapping[str, str] = NO_KEYS) -> Sequence[str]:
        """Why the host cannot be reached, and what happens now: sentences from long to short, none while it can be
        reached. `keys` as in `glance`."""
        update, begun = self._disconnected, self.table.state is not None
        if update is None:
            return ()
        if self.over and self.table.reason is None:
            return (self.texts.say(UNREACHABLE), self.texts.say(UNREACHABLE_SHORT))
        if self.over:
            said = parted(self.texts, update.reason, update.details)
            return (f"{said} {self.texts.say(NO_WINNER)}",)
        if update.reason == CLOSING:
            leave = pending.how_to_leave(self.texts, keys)
            return closed(self.texts, update.details, self.names, begun=begun, leave=leave)
        return (parted(self.texts, update.reason, update.details),)

    def mood(self) -> Mood:
        """How the game stands for this player."""
        if self.offline:
            return "closed" if self.closed else "offline"
        table = self.table
        if table.state is None:
            return "waiting"
        if self.abandoned and not table.halted:
            return "over"
        stopped = table.paused or bool(table.halted) or table.reason is not None
        if self.handing_on and not stopped:
            return "waiting"
        return mood(table.state, table.seat, stopped=stopped)

    def blows(self) -> Sequence[str]:
        """The attacks that this player has not acknowledged, in sentences, the newest first."""
        return [blow.said(self.texts, self.names) for blow in self.befallen.open]

    @property
    def card_letters(self) -> CardLetters:
        """The letters of the own hand, cheap cards first, and of the cards to choose from."""
        view, seat, costs = self.table.state, self.table.seat, self.edition.costs
        hand = [] if view is None or seat is None else view.players[seat].hand

        def by_cost(cards: Iterable[str]) -> list[str]:
            return sorted(cards, key=lambda key: (costs.get(key, 0), key))

        self._letters.update(by_cost(hand), by_cost(loose(self.choices())))
        return self._letters

    def outlook(self) -> list[Line]:
        """The lines to show between this player's own moves."""
        if self.table.state is None or self.table.seat is None:
            return []
        return Outlook(self.texts, self.table.state, self.table.seat, self.names, self.story, self.recap()).lines()

    def recap(self) -> list[Line]:
        """What others did to this player since its last turn, without the attack that the banner shows."""
        newest = self.befallen.open[0].event if self.befallen.open else None
        return [] if self.table.state is None else self.story.recap(self.texts, self.table.state, newest)

    def status(self) -> str:
        """The status line: who acts and what this player may do."""
        return self.statuses()[0]

    def statuses(self, keys: Mapping[str, str] = NO_KEYS) -> Sequence[str]:
        """The same in more and in fewer words, the longest first; `keys` as in `glance`."""
        if self.offline:
            return self.parted(keys)
        left = self.timed.left(self.texts, self._now()) if self.timed is not None else ""
        hosting = self.invitation is not None
        return statuses(self.texts, self.table, self.names, left, hosting=hosting, keys=keys)

    @property
    def may_replace(self) -> bool:
        """Whether the table waits for absent players, and this player may continue without them."""
        gone = pending.lacking(self.table) or pending.replaceable(self.table)
        return bool(gone) and self.invitation is not None

    @property
    def may_end(self) -> bool:
        """Whether the table waits for a player who is away, or a player would end the game without a result."""
        table = self.table
        if not (table.ending or (table.away and pending.awaited(table))) or self.offline:
            return False
        return table.seat is not None and table.state is not None and not self.over

    def of_pause(self, line: str) -> bool:
        """Whether a line pauses or continues the game."""
        return pending.of_pause(in_english(self.texts, line.strip()))

    async def heed(self, line: str) -> bool:
        """Do what a line says about players who are gone, or a pause; whether it says that. Raises Refusal."""
        said = in_english(self.texts, line.strip())
        return await pending.heed(self.session, said, hosting=self.invitation is not None)

    @property
    def finished(self) -> bool:
        """Whether leaving forfeits nothing: the record or the table is closed, or the session has ended."""
        return self.table.reason is not None or self.table.record_closed or self.closed

    def level(self) -> str:
        """A sentence about players with as many points as the winner, with the page of the rules about ties; else
        ""."""
        view, say = self.table.state, self.texts.say
        if view is None or not self.winners:
            return ""
        best = view.scores[self.winners[0]].total
        names = [self.names[seat] for seat, score in enumerate(view.scores)
                 if score.total == best and seat not in self.winners]  # fmt: skip
        if not names:
            return ""
        said = msg("As many points: {names}. What decides then stands in the rules, under “{title}”.")
        return say(said, names=self.texts.listing(names), title=title(self.texts, TIES))

    @property
    def may_hand_over(self) -> bool:
        """Whether this person may leave the seat to a bot of the host, and is not who opened the table."""
        playing = self.table.state is not None and not self.finished and not self.over and not self.offline
        bots = self.table.state is not None and self.table.state.draft == "open"
        return self.invitation is None and self.table.seat is not None and playing and bots

    def leaving(self) -> str:
        """The question before this player leaves the table, with the consequences for others."""
        closes = msg("Leave the table? You are the host: it closes for everybody.")
        asked = self.texts.say(closes if self.invitation is not None else msg("Leave the table?"))
        if self.over and not self.table.record_closed:
            asked = f"{asked} {self.texts.say(NO_WINNER)}"
        if self.invitation is None and self.behind:
            return f"{asked} {self.warn_of_handing()}"
        if self.table.state is None or not self.table.owner:
            return asked
        return f"{asked} {self.texts.say(msg('The game is kept, and can go on later.'))}"

    def moment(self) -> tuple[int, int]:
        """A value that changes with the question: with the state, and when choices appear or disappear."""
        state = self.table.state
        return (-1 if state is None else state.tick, len(self.choices()))

    def menu(self) -> Menu:
        """The choices as a tree; empty where it is not this seat's move, or a bid is to be typed."""
        state, seat, choices = self.table.state, self.table.seat, self.choices()
        if state is None or seat is None or not choices or state.auction is not None:
            return Menu()
        return menu(self.texts, state, seat, self.names, choices, self.card_letters)


def called_off(game: Game) -> str:
    """How many starts of this table were called off, for the lobby; empty if none was."""
    count = game.table.called_off
    say = game.texts.say
    return say(msg("Starts of this table that were called off: {count}"), count=count) if count else ""
