"""Fake tables in this process: the player in seat 0 plays on the real engine; the other seats make random
legal moves."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.replay import Played
from citadels_lan.engine import (
    Action,
    Choice,
    Event,
    State,
    TableConfig,
    acting,
    decisions,
    evolve,
    expand,
    from_scenario,
    new_table,
    redact,
    view,
)  # fmt: skip
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import (
    Chatted,
    Ended,
    Happened,
    HeldAnswer,
    LobbyChanged,
    PlayAgain,
    TableView,
    Update,
)
from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import Seat, Settings
from citadels_lan.presenter.invitation import Invitation
from citadels_lan.presenter.launcher import CannotOpen, CodeWanted, FoundTable, Place, Preferences, TableOptions
from citadels_lan.presenter.recording import Recording
from tests.play.dice import Dice
from tests.play.table import Play

NAMES = ("Ada", "Massimiliano", "Bruno", "Chiara", "Dario", "Elena", "Fabio", "Greta", "Ivo")

DOOR = JoinCode(("zebra", "opera", "radio"), "abcdefghijklmnopqrstuvwx27")
INVITATION = Invitation(
    ("192.168.1.7:47110", "10.0.0.7:47110"),
    DOOR,
    lambda: "citadels://192.168.1.7:47110/#abcdefghijklmnopqrstuvwx27",
)
WORDS = ("detective", "incognito", "manifesto", "nostalgia")
"""The longest check words."""


class FakeSession(Session):
    """The session of seat 0. The other seats move as soon as they must."""

    past: Sequence[Update] = ()

    def __init__(
        self,
        players: int = 4,
        seed: int = 1,
        names: Sequence[str] = NAMES,
        *,
        scenario: str = "first_game",
        config: TableConfig | None = None,
    ) -> None:
        self.dice = Dice(seed)
        drawn = scenario == "random"
        setup = config or (TableConfig(players, (), ()) if drawn else from_scenario(scenario, players))
        players = setup.players
        self.play = Play(new_table(setup), self.dice)
        self.seat: int | None = 0
        self.names = list(names[:players])
        self.state: State | None = view(self.play.state, 0)
        self.beginning = self.state
        self.lobby = [
            Seat(name, SeatKind.BOT if seat else SeatKind.HOST, ready=True, owner=seat == 0)
            for seat, name in enumerate(self.names)
        ]
        self.settings = Settings(setup, players - 1)
        self.owner = True
        self.away: Sequence[int] = ()
        self.substituted: Sequence[int] = ()
        self.taken_over = False
        self.halted = ""
        self.paused = False
        self.ending: Sequence[int] = ()
        self.asked: list[tuple[str, object]] = []
        self.transcript: Path | None = None
        self.words: Sequence[str] = ()
        self.called_off = 0
        self.answer: HeldAnswer | None = None
        self.closes = True
        self.again: PlayAgain | None = None
        self.reason: Refusal | None = None
        self.acted: list[str] = []
        self.queue: asyncio.Queue[Update] = asyncio.Queue()
        self.n = 0
        self._choices: tuple[State | None, Sequence[Choice]] = (None, ())
        self._run()

    # State of the session

    @property
    def record_closed(self) -> bool:
        """Whether the game is over and its record closed. If `closes` is true, the record is closed right
        after the last move."""
        return self.closes and self.state is not None and self.state.phase == "over"

    @property
    def table(self) -> TableView:  # type: ignore[override]
        return TableView(
            status="playing" if self.state is not None else "lobby",
            reason=self.reason,
            seat=self.seat,
            lobby=tuple(self.lobby),
            names=tuple(self.names),
            owner=self.owner,
            settings=self.settings,
            called_off=self.called_off,
            away=tuple(self.away),
            substituted=tuple(self.substituted),
            taken_over=self.taken_over,
            state=self.state,
            beginning=self.beginning,
            waiting=tuple(self.waiting),
            choices=self.choices(),
            answer=self.answer,
            paused=self.paused,
            ending=tuple(self.ending),
            halted=self.halted,
            words=tuple(self.words),
            record_closed=self.record_closed,
            transcript=self.transcript,
            again=self.again,
        )

    @property
    def seen(self) -> State:
        """The view of seat 0, after the game has begun."""
        assert self.state is not None
        return self.state

    @property
    def full_state(self) -> State:
        """The full state of the table, including all hidden information."""
        return self.play.state

    @property
    def waiting(self) -> Sequence[int]:
        return acting(self.full_state)

    def choices(self) -> Sequence[Choice]:
        """The choices of the player, computed once for each state."""
        state, choices = self._choices
        if state is not self.state:
            choices = () if self.state is None else decisions(self.state).get(0, ())
            self._choices = (self.state, choices)
        return choices

    async def updates(self) -> AsyncIterator[Update]:
        while True:
            yield await self.queue.get()

    async def act(self, action: Action) -> None:
        self._move(0, action)
        self.acted.append(str(action))
        self._run()

    async def chat(self, text: str) -> None:
        self.queue.put_nowait(Chatted(0, self.names[0], text))

    async def ready(self, flag: bool = True) -> None: ...

    async def configure(self, settings: Settings) -> None: ...

    async def start(self) -> None: ...

    async def substitute(self, seat: int, level: str = "") -> None:
        self.asked.append((level, seat))

    async def hand_over(self) -> None:
        self.asked.append(("hand over", self.seat))

    async def take_back(self) -> None:
        self.asked.append(("take back", True))
        self.taken_over = False

    def end_game(self, agrees: bool = True) -> None:
        self.ending = (0,) if agrees else ()

    async def pause(self, paused: bool) -> None:
        self.asked.append(("pause", paused))

    async def remove(self, seat: int) -> None:
        self.asked.append(("remove", seat))

    async def leave(self) -> None: ...

    # The table

    def _run(self) -> None:
        """Let the other seats move until it is the player's move or the game is over."""
        while not self.play.over:
            if self.held_up() or ((asked := self.play.asked()) is not None and asked[0] == 0):
                return
            self._happen(*self.play.step(lambda _, choices: self.dice.random.choice(self._sample(choices))))
        self.transcript = Path("game.ctr")
        if self.closes:
            self.queue.put_nowait(Ended(self.transcript))

    def close_record(self) -> None:
        """Close the record, as a host does some seconds after the last move."""
        self.closes = True
        assert self.transcript is not None
        self.queue.put_nowait(Ended(self.transcript))

    def held_up(self) -> bool:
        """Whether the table waits for something other than a move, so that no seat can move."""
        return False

    def sampled(self) -> Action:
        """Return a random legal action of seat 0."""
        return self._sample(self.choices())[0]

    def _sample(self, choices: Sequence[Choice]) -> list[Action]:
        return [next(expand([self.dice.random.choice(choices)]))]

    def _move(self, seat: int, action: Action) -> None:
        self._happen(seat, str(action), self.play.move(seat, action))

    def _happen(self, seat: int | None, line: str | None, events: Sequence[Event]) -> None:
        told = []
        for event in events:
            told.append(redact(event, 0))
            assert self.state is not None
            self.state = evolve(self.state, told[-1])
        self.n += 1
        self.queue.put_nowait(Happened(self.n, seat, line, tuple(told)))


class Recorder(FakeSession):
    """A table that records its steps, as a transcript does."""

    steps: Sequence[Played] = ()

    def _happen(self, seat: int | None, line: str | None, events: Sequence[Event]) -> None:
        super()._happen(seat, line, events)
        self.steps = [*self.steps, Played(self.n, seat, line or "", tuple(events), self.full_state)]

    @property
    def recording(self) -> Recording:
        """The recording so far."""
        return Recording(Path("game.ctr"), self.names, self.steps)


class FakeLobby(FakeSession):
    """A `FakeSession` before the game, which begins with `start`."""

    def __init__(self, players: int = 4, seed: int = 1, *, seated: int = 2) -> None:
        self.starting: Sequence[int] = ()
        super().__init__(players, seed)
        self.waiting_game = (self.full_state, self.state, self.queue)
        self.begun = False
        self.lobby = self.lobby[:seated]
        self.lobby[0] = Seat(self.names[0], SeatKind.HOST, owner=True)
        self.queue = asyncio.Queue()
        self.state = None

    @property
    def waiting(self) -> Sequence[int]:
        """The seats in `starting`, before the game."""
        return self.starting if self.state is None else super().waiting

    async def ready(self, flag: bool = True) -> None:
        self.lobby[0] = Seat(self.names[0], SeatKind.HOST, owner=True, ready=flag)
        self.queue.put_nowait(LobbyChanged())
        await asyncio.sleep(0.05)  # the delay of a network

    async def configure(self, settings: Settings) -> None:
        self.settings = settings
        self.queue.put_nowait(LobbyChanged())

    async def start(self) -> None:
        if len(self.lobby) < self.settings.players:
            raise Rejected("seats_free", free=self.settings.players - len(self.lobby))
        _, self.state, told = self.waiting_game
        while not told.empty():
            self.queue.put_nowait(told.get_nowait())


class FakeLauncher:
    """A launcher that opens fake tables."""

    def __init__(self, tables: Sequence[FoundTable] | None = (), preferences: Preferences | None = None) -> None:
        self.preferences = preferences or Preferences(name="Ada")
        self.tables = tables
        self.isolated = False
        self.opened: list[object] = []
        self.closed = 0
        self.code = ""
        self.may_again = False
        self._last: TableOptions | None = None

    def remember(self, preferences: Preferences) -> None:
        self.preferences = preferences

    async def browse(self) -> AsyncIterator[Sequence[FoundTable] | None]:
        yield self.tables

    async def host(self, options: TableOptions) -> Place:
        self.opened.append(options)
        invitation = INVITATION
        return Place(FakeLobby(options.settings.players), invitation)

    async def alone(self, options: TableOptions) -> Place:
        self.opened.append(options)
        self._last, self.may_again = options, True
        return Place(FakeSession(config=options.settings.config))

    async def again(self, *, drawn: bool = False) -> Place:
        assert self._last is not None
        return await self.alone(self._last)

    async def join(self, address: str, code: str) -> Place:
        self.opened.append((address, code))
        if address.startswith("busy"):
            raise CannotOpen("Too many wrong codes from here: try again in 42 seconds.")
        if self.code and code != self.code:
            raise CodeWanted("That is not the code of this table." if code else "This table asks for a code.")
        return Place(FakeLobby(seated=4))

    async def close(self, *, failed: bool = False) -> None:
        self.closed += 1
