"""A game as one person sees it, for any front end: the session, the story so far, the language."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from citadels_lan.engine import (
    BadNotation,
    Choice,
    Edition,
    Event,
    IllegalMove,
    State,
    acting,
    edition_named,
    edition_of,
)
from citadels_lan.engine.events import GameEnded
from citadels_lan.net.wire.errors import REASONS, Refusal
from citadels_lan.net.wire.timing import Countdown
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.commands import in_english
from citadels_lan.texts.record import NO_WINNER, UNREACHABLE, UNREACHABLE_SHORT
from citadels_lan.texts.topics import TIES, title

from .acquaintances import NOBODY, Acquaintances
from .advice.hint import TAKEN, TOOK, Adviser
from .asking.card_letters import CardLetters
from .asking.menu import Menu, loose, menu
from .asking.preselect import preselect
from .cells import clean
from .door.doorway import Doorway
from .evening import Evening
from .fate import heals
from .guide.glance import NO_KEYS, Glance
from .guide.guide import Guide, Hint
from .log import Log, said
from .refused import CLOSING, closed, parted, why
from .shown.outlook import Outlook
from .shown.stage import Mood, mood
from .shown.status import statuses
from .table_session import (
    BackAgain,
    Chatted,
    ClockSet,
    Connected,
    Cosigned,
    Disconnected,
    Ended,
    EndProposed,
    Halted,
    Happened,
    HostChanged,
    Invitation,
    PauseChanged,
    SubstituteBegan,
    TableSession,
    Update,
)
from .told.befallen import Befallen
from .told.entries import BotDid, Line, Notice
from .waiting import absence, calling, handing
from .waiting.deciding import DecisionTime, notice

if TYPE_CHECKING:
    from .proof import Proof

PAST = 300
"""Entries of the log that are shown after coming back; older ones only tell who was who."""


class Game:
    """The session and everything a front end remembers about it."""

    def __init__(
        self,
        session: TableSession,
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
        self.time: DecisionTime | None = None
        self.evening = evening or Evening()
        self._counted = False
        self._result: GameEnded | None = None
        self.session = session
        self.texts = texts
        self.invitation = invitation
        self.known = known
        self.door = Doorway(invitation) if invitation is not None else None
        self.guide = Guide(on=guided)
        self.hidden = False
        self.proof: Proof | None = None
        self.checked = False
        self.course: Sequence[Sequence[int]] = ()
        self.story = Log(session.seat, ())
        self.adviser = Adviser()
        self.befallen = Befallen(self.evening.seen)
        self._done_for: list[Event] | None = None
        self._disconnected: Disconnected | None = None
        self._told_gone: set[tuple[int, str]] = set()
        self.joined = False
        self._letters = CardLetters()
        self.behind: Sequence[int] = ()
        if known.trouble is not None:
            self.story.add(known.trouble)
        self.take_up()

    @property
    def seat(self) -> int | None:
        return self.session.seat

    @property
    def view(self) -> State | None:
        return self.session.state

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        if self.view is not None:
            return edition_of(self.view)
        config = self.session.settings.config
        return edition_named(config.edition, config.options)

    @property
    def names(self) -> Sequence[str]:
        return [clean(name, 40) or "?" for name in self.session.names]

    def host(self, invitation: Invitation | None) -> None:
        """This program hosts the game from now on, or no longer."""
        if self.invitation is not None:
            self.behind = handing.on_this_computer(self.session, self.invitation)
        self.invitation = invitation
        self.door = Doorway(invitation) if invitation is not None else None

    @property
    def may_hand_to(self) -> Sequence[int]:
        """The seats to which this person may hand the game over; none if this program is not the host."""
        hosting = self.invitation is not None and self.view is not None and not self.finished
        return handing.successors(self.session) if hosting else ()

    async def hand_to(self, seat: int) -> None:
        """Hand the game over to a seat. Raises Refusal."""
        assert self.invitation is not None
        assert self.invitation.hand_to is not None
        await self.invitation.hand_to(self.names[seat])

    def warn_of_handing(self) -> str:
        """What happens to the other seats on this computer; empty if there are none."""
        if self.invitation is None:
            return ""
        seats = handing.on_this_computer(self.session, self.invitation)
        return handing.behind(self.texts, seats, self.names, leaving=False)

    def take_up(self) -> None:
        """Begin the story when the game has begun."""
        view = self.view
        if view is None or self.joined:
            return
        self.joined = True
        entries = self.story.entries
        self.story = Log(self.session.seat, self.names, self.edition, view.cast)
        self.story.entries.extend(entries)
        if self.session.past:
            for update in self.session.past:
                self._note(update)
            self.story.keep_last(PAST)
            return
        self.befallen.seen.clear()  # another game, with other entries
        if view.round:
            self.story.begin(view)

    def take(self, update: Update) -> None:
        """Note an update."""
        self.take_up()
        self._note(update)
        self._tell_of_gone()
        if isinstance(update, Connected | Disconnected):
            self._disconnected = update if isinstance(update, Disconnected) else None
        if update == Halted("draft_lie"):  # the line that says who acts has no room for all of it
            self.story.add(Notice(REASONS["draft_lie"]))
        if isinstance(update, Disconnected) and update.reason == "called_off" and not self.in_lines:
            self.story.add(Notice(REASONS["called_off"]))  # the connection soon returns, and the line says no more
        if isinstance(update, Happened) and (glance := self.glance()) is not None:
            self.guide.note(update.events, glance, own=update.seat == self.seat)
        self._count_time(update)

    def _tell_of_gone(self) -> None:
        """That the game waits for players who are away and must say something in a sealed draft, once."""
        view, session = self.view, self.session
        what, seats = ("", ()) if view is None else calling.awaited(view, session.waiting)
        gone = [seat for seat in seats if seat in session.away]
        new = {(seat, what) for seat in gone}
        if view is not None and new - self._told_gone:
            self.story.add(calling.gone(gone, self.names, self.texts, in_lines=self.in_lines))
        self._told_gone = self._told_gone | new if seats else set()

    def _count_time(self, update: Update) -> None:
        """The soft time for a decision begins anew with each, and stands still in a pause."""
        if self.time is None and not isinstance(update, ClockSet):
            return
        now, moment = self._now(), -1 if self.view is None else self.view.tick
        if isinstance(update, ClockSet):
            stopped = now if self.session.paused else None
            self.time = DecisionTime(Countdown(update.seconds, now - update.gone, moment, stopped))
        if self.time is not None:
            self.time.countdown.at(moment, now)
            if isinstance(update, PauseChanged):
                self.time.countdown.pause(update.paused, now)

    @property
    def timed(self) -> DecisionTime | None:
        """The time that runs for a decision now; None where nobody decides, or there is none."""
        deciding = self.view is not None and bool(acting(self.view)) and not self.session.paused
        return self.time if deciding and self.session.reason is None and not self.offline else None

    def time_passes(self, *, halves: bool = False) -> bool:
        """Note in the story when the time for a decision is up, and with `halves` when half of it is; whether it
        is this person's and just up."""
        timed, view = self.timed, self.view
        stage = timed.news(self._now()) if timed is not None else 0
        if view is None or stage < (1 if halves else 2):
            return False
        names = [self.names[seat] for seat in acting(view)]
        hosting = self.invitation is not None
        self.story.add(notice(stage, names, self.texts, mine=self.mine, hosting=hosting))
        return self.mine and stage > 1

    def _note(self, update: Update) -> None:
        match update:
            case Happened():
                self._note_events(update)
            case Cosigned():
                self.story.cosigned(update)
            case SubstituteBegan() | BackAgain() | PauseChanged():
                if (notice := absence.told(update, self.session.seat, self.names)) is not None:
                    self.story.add(notice)
                if not isinstance(update, PauseChanged) and update.seat == self.seat:
                    self._tell_of_bot(update)
            case EndProposed():
                self.story.add(absence.proposed(update, self.seat, self.names, self.texts, in_lines=self.in_lines))
            case HostChanged():
                self.story.add(handing.told(update, self.seat, self.names))
                if update.seat != self.seat:
                    self.host(None)
            case Ended():
                self._note_end()
            case Chatted(seat, name, text):
                known = self.names[seat] if seat is not None and seat < len(self.names) else name
                taken = text == TAKEN and seat is not None
                hint = Notice(TOOK, (("name", known),), aside=True)
                self.story.add(hint if taken else said(known, text, watching=seat is None))

    def _note_events(self, update: Happened) -> None:
        self.adviser.note(update.events)
        self.story.healed = self.view is not None and self.seat is not None and heals(self.view, self.seat)
        for event in update.events:
            if (situation := self.story.situation()) is not None:
                self.befallen.add(event, situation, update.n)
            self.story.add(self._without_winner(event), update.openings)
        self.story.settle(update.events)
        if self._done_for is not None and update.seat == self.seat:
            self._done_for += update.events

    def _note_end(self) -> None:
        if self._result is not None:
            self.story.add(self._result)
            self._result = None
        elif self.abandoned and not self.session.halted:
            self.story.add(Notice(absence.ENDED))
        self._count()

    def _without_winner(self, event: Event) -> Event:
        """An event for the story. The winner is left out until the record is closed, and then added."""
        if isinstance(event, GameEnded) and not self.session.record_closed:
            self._result = event
            return event.unwon()
        return event

    def _tell_of_bot(self, update: SubstituteBegan | BackAgain) -> None:
        """A bot has this person's seat from now on, or no more: then what it did is told again."""
        done, self._done_for = self._done_for, [] if isinstance(update, SubstituteBegan) else None
        if isinstance(update, BackAgain):
            for event in done or ():
                self.story.add(BotDid(event, here=update.here))

    def _count(self) -> None:
        """The game is over, which may be told again after a lost connection: once it counts for the evening."""
        view = self.view
        if view is not None and view.scores and self.seat is not None and not self._counted:
            self._counted = True
            self.evening.add(self.session.lobby, view)

    def words(self) -> tuple[str, ...]:
        """The four words of now, as they are shown: with the round where there is room, and without."""
        words = " ".join(self.session.words)
        if not words or self.view is None:
            return ()
        if self.over:
            return (f"{self.texts.say(msg('end'))} · {words}", words)
        round_ = self.texts.say(msg("Round {round}"), round=self.view.round).lower()
        return (f"{round_} · {words}", words)

    def glance(self, keys: Mapping[str, str] = NO_KEYS) -> Glance | None:
        """What the guide looks at; `keys` as there. None before the game."""
        if self.view is None:
            return None
        advised = self.session.settings.hints
        return Glance(self.view, self.seat, self.names, self.choices(), keys, self.in_lines, advised)

    @property
    def preselected(self) -> str:
        """The verb of the preselected move; empty if this player has no decision, and while the own cards are
        covered, because the move depends on them."""
        if self.view is None or self.seat is None or not self.mine or self.hidden:
            return ""
        found = preselect(self.view, self.seat, self.session.choices())
        return "" if found is None else found.action.verb

    def hints(self, keys: Mapping[str, str] = NO_KEYS) -> list[Hint]:
        """The hints of the tutorial; none while the own cards are covered, because hints name them, and none while
        the host cannot be reached."""
        glance = self.glance(keys)
        if glance is None or self.hidden or self.offline:
            return []
        return list(self.guide.hints(self.texts, glance))

    @property
    def mine(self) -> bool:
        """Whether it is this seat's move."""
        mine = self.view is not None and self.seat in acting(self.view) and not self.handing_on
        return mine and not self.offline and not self.abandoned

    def choices(self) -> Sequence[Choice]:
        """The legal choices of this seat; none if it has no decision."""
        return self.session.choices() if self.mine else ()

    @property
    def offline(self) -> bool:
        """Whether the host cannot be reached although the record of the game is not closed."""
        return self._disconnected is not None and not self.session.record_closed

    @property
    def abandoned(self) -> bool:
        """Whether the record was closed before the last move: the game has no result."""
        return self.view is not None and not self.over and self.session.record_closed

    @property
    def over(self) -> bool:
        """Whether the last move is made."""
        return self.view is not None and self.view.phase == "over"

    @property
    def winners(self) -> Sequence[int]:
        """The seats that have won; empty until the record of the game is closed."""
        return self.view.winners if self.view is not None and self.session.record_closed else ()

    @property
    def closed(self) -> bool:
        """Whether the host has closed the table before the end of the game."""
        return self._disconnected is not None and self.offline and self._disconnected.reason == CLOSING

    @property
    def handing_on(self) -> Sequence[int]:
        """Who must hand characters on before somebody can choose."""
        return () if self.view is None else calling.handing_on(self.view, self.session.waiting)

    def stalled(self) -> str:
        """Why nothing can be chosen now although it is this seat's move; empty where that is not so."""
        if self.offline:
            return self.parted()[0]
        return absence.paused(self.texts, NO_KEYS) if self.session.paused else ""

    def why(self, reason: Refusal | IllegalMove | BadNotation) -> str:
        """The sentence for an exception of `REFUSED`."""
        lost = isinstance(reason, Refusal) and reason.code == "lost"
        return self.stalled() if lost and self.offline else why(self.texts, reason)

    def parted(self, keys: Mapping[str, str] = NO_KEYS) -> Sequence[str]:
        """Why the host cannot be reached, and what happens now: sentences from long to short, none while it can be
        reached. `keys` as in `glance`."""
        update, begun = self._disconnected, self.view is not None
        if update is None:
            return ()
        if self.over and self.session.reason is None:
            return (self.texts.say(UNREACHABLE), self.texts.say(UNREACHABLE_SHORT))
        if self.over:
            said = parted(self.texts, update.reason, update.details)
            return (f"{said} {self.texts.say(NO_WINNER)}",)
        if update.reason == CLOSING:
            leave = absence.leave(self.texts, keys)
            return closed(self.texts, update.details, self.names, begun=begun, leave=leave)
        return (parted(self.texts, update.reason, update.details),)

    def mood(self) -> Mood:
        """How the game stands for this person."""
        if self.offline:
            return "closed" if self.closed else "offline"
        if self.view is None:
            return "waiting"
        if self.abandoned and not self.session.halted:
            return "over"
        stopped = self.session.paused or bool(self.session.halted) or self.session.reason is not None
        return "waiting" if self.handing_on and not stopped else mood(self.view, self.seat, stopped=stopped)

    def blows(self) -> Sequence[str]:
        """What others have done to this person and it has not acknowledged, the newest first."""
        return [blow.said(self.texts, self.names) for blow in self.befallen.open]

    @property
    def card_letters(self) -> CardLetters:
        """The own hand as it is shown, the cheap cards first, and the cards beside it among which to choose,
        with their letters."""
        hand = [] if self.view is None or self.seat is None else self.view.players[self.seat].hand
        beside = loose(self.choices())
        self._letters.update(self._by_cost(hand), self._by_cost(beside))
        return self._letters

    def _by_cost(self, cards: Iterable[str]) -> list[str]:
        costs = self.edition.costs
        return sorted(cards, key=lambda key: (costs.get(key, 0), key))

    def outlook(self) -> list[Line]:
        """What is to be known between one's own moves."""
        if self.view is None or self.seat is None:
            return []
        return Outlook(self.texts, self.view, self.seat, self.names, self.story, self.recap()).lines()

    def recap(self) -> list[Line]:
        """What others did to this person since its last turn, without what the line of blows begins with."""
        newest = self.befallen.open[0].event if self.befallen.open else None
        return [] if self.view is None else self.story.recap(self.texts, self.view, newest)

    def status(self) -> str:
        """The one line that says who acts and what may be done."""
        return self.statuses()[0]

    def statuses(self, keys: Mapping[str, str] = NO_KEYS) -> Sequence[str]:
        """The same in more and in fewer words, the longest first; `keys` as in `glance`."""
        if self.offline:
            return self.parted(keys)
        left = self.timed.left(self.texts, self._now()) if self.timed is not None else ""
        hosting = self.invitation is not None
        return statuses(self.texts, self.session, self.names, left, hosting=hosting, keys=keys)

    @property
    def may_replace(self) -> bool:
        """Whether the table waits for players who are gone, and this person may go on without them."""
        gone = absence.lacking(self.session) or absence.replaceable(self.session)
        return bool(gone) and self.invitation is not None

    @property
    def may_end(self) -> bool:
        """Whether the table waits for a player who is gone, or a player would end the game without a result."""
        begun = self.seat is not None and self.view is not None and not (self.over or self.offline)
        return begun and bool(absence.awaited(self.session) or self.session.ending)

    def of_pause(self, line: str) -> bool:
        """Whether a line pauses the game, or goes on with it."""
        return absence.of_pause(in_english(self.texts, line.strip()))

    async def heed(self, line: str) -> bool:
        """Do what a line says about players who are gone, or a pause; whether it says that. Raises Refusal."""
        said = in_english(self.texts, line.strip())
        return await absence.heed(self.session, said, hosting=self.invitation is not None)

    @property
    def finished(self) -> bool:
        """Whether leaving forfeits nothing: the record or the table is closed, or the session has ended."""
        return self.session.reason is not None or self.session.record_closed or self.closed

    def level(self) -> str:
        """Who has as many points as the winner and has not won, and where it stands what decided; else nothing."""
        view, say = self.view, self.texts.say
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
        playing = self.view is not None and not self.finished and not self.over and not self.offline
        bots = self.view is not None and self.view.draft == "open"
        return self.invitation is None and self.seat is not None and playing and bots

    def leaving(self) -> str:
        """The question before the table is left, with what comes of it for others."""
        closes = msg("Leave the table? You are the host: it closes for everybody.")
        asked = self.texts.say(closes if self.invitation is not None else msg("Leave the table?"))
        if self.over and not self.session.record_closed:
            asked = f"{asked} {self.texts.say(NO_WINNER)}"
        if self.invitation is None and self.behind:
            return f"{asked} {handing.behind(self.texts, self.behind, self.names, leaving=True)}"
        if self.view is None or not self.session.owner:
            return asked
        return f"{asked} {self.texts.say(msg('The game is kept, and can go on later.'))}"

    def moment(self) -> tuple[int, int]:
        """Changes whenever the question does: the state goes on, or what may be chosen comes and goes."""
        return (-1 if self.view is None else self.view.tick, len(self.choices()))

    def menu(self) -> Menu:
        """The choices as a tree; empty where it is not this seat's move, or a bid is to be typed."""
        choices = self.choices()
        if self.view is None or self.seat is None or not choices or self.view.auction is not None:
            return Menu()
        return menu(self.texts, self.view, self.seat, self.names, choices, self.card_letters)


def called_off(game: Game) -> str:
    """How many starts of this table were called off, for the lobby; empty if none was."""
    count = game.session.called_off
    say = game.texts.say
    return say(msg("Starts of this table that were called off: {count}"), count=count) if count else ""
