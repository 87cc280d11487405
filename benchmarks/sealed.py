"""The cost of a round of eight players with a sealed draft, compared with an open draft: the work of all
seats and of one reader, on one core."""

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time

from msgspec.structs import replace

from citadels_lan.crypto.codec import pack, u8, u64
from citadels_lan.crypto.draft.drafts import AnyDraftMessage, CallReply, decode_message
from citadels_lan.crypto.identity import verify
from citadels_lan.engine import from_scenario
from tests.crypto.draft.simulated import GAME, Simulated
from tests.crypto.table import player
from tests.net.playing import play, seated

from .figure import Figure

TITLE = "The sealed draft (eight players, nine characters; all seats and one reader, one core)"
PLAYERS = 8
CHARACTERS = 9
ROUNDS = 30
PLAYED = 7
"""Number of rounds that are played over loopback."""
PAIRS = 5
"""Number of measurements of each kind; open and sealed drafts alternate."""
MOST = 100
"""A round with a sealed draft may take this many milliseconds more than with an open draft."""


class Signing(Simulated):
    """A draft in which every message is encoded, signed, checked and decoded, as over the network. `sent`
    counts the bytes of messages and signatures."""

    sent = 0

    def over(self, seat: int, message: AnyDraftMessage) -> AnyDraftMessage:
        what, n = pack(message), len(self.said)
        head = bytes([self.salt, n]) * 16
        fields = (GAME, u64(n), head, u8(seat), what)
        signature = player(seat).sign("said", *fields)
        assert verify(player(seat).public, signature, "said", *fields)
        self.sent += len(what) + len(signature)
        return decode_message(what)

    def say(self, seat: int, message: AnyDraftMessage) -> None:
        super().say(seat, self.over(seat, message))

    def complain(self) -> None:
        """Let the seat that has to pick check the messages that it received."""
        what, seats = self.record.due
        if what == "pick":
            assert self.hands[seats[0]].readable


def figures() -> Iterator[Figure]:
    games = [Signing(PLAYERS, CHARACTERS, salt=salt) for salt in range(ROUNDS)]
    for game in games:
        assert len(game.hands) == len(game.secrets) == PLAYERS
    draft = took(games, Signing.draft)
    calls = took(games, called)
    yield Figure("the draft: deal, eight picks, signatures, median", draft, "ms")
    yield Figure("nine calls, eight signed replies to each, median", calls, "ms")
    yield Figure("both", draft + calls, "ms", most=MOST)
    yield Figure("judged in the end, all links known, median", took(games, judged), "ms")
    yield Figure("messages and signatures of a round", games[0].sent / 1024, "KiB")
    pairs = [[asyncio.run(round_over_loopback(draft)) for draft in ("open", "sealed")] for _ in range(PAIRS)]
    beyond = median(hidden - shown for shown, hidden in pairs)
    yield Figure("a round over loopback beyond an open one, host and eight sessions", beyond, "ms", most=MOST)


async def round_over_loopback(draft: str) -> float:
    """Return the milliseconds of processor time of a round at a real table, with random moves of all eight
    players."""
    config = replace(from_scenario("first_game", PLAYERS), draft=draft)
    with tempfile.TemporaryDirectory() as folder:
        async with seated(Path(folder), PLAYERS, config=config) as (_, sessions):
            await sessions[0].start()
            begun = process_time()
            async with asyncio.TaskGroup() as tasks:
                playing = [tasks.create_task(play(session, seat)) for seat, session in enumerate(sessions)]
                while (sessions[0].table.state.round if sessions[0].table.state else 0) <= PLAYED:  # noqa: ASYNC110 - it is seen from outside
                    await asyncio.sleep(0.01)
                spent = process_time() - begun
                for one in playing:
                    one.cancel()
            return 1000 * spent / PLAYED


def called(game: Signing) -> None:
    """Call all nine characters, each with the replies of all seats."""
    for place in range(CHARACTERS):
        said = {seat: game.over(seat, hand.reply(place)) for seat, hand in enumerate(game.hands)}
        replies = {seat: reply for seat, reply in said.items() if isinstance(reply, CallReply)}
        game.record.call(place, place, replies)


def judged(game: Signing) -> None:
    assert game.found() is None


def took(games: list[Signing], what: Callable[[Signing], object]) -> float:
    """Run `what` with each game, and return the median time in milliseconds."""
    times = []
    for game in games:
        begun = process_time()
        what(game)
        times.append(process_time() - begun)
    return 1000 * median(times)
