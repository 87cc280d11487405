"""The second verifier judges sealed games as the first does: the same exit, the same liars, for the same lies."""

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.messages import AnyDraftMessage, CallReply
from citadels_lan.crypto.log import DraftCalled, DraftSaid, encode_entry
from citadels_lan.crypto.packing import pack, unpack
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import TableConfig
from tests.crypto.draft.lies import DEALS, gives_what_it_has_not
from tests.crypto.forging import Forge, drafts, saved
from tests.crypto.sealed.files import sealed_first, sealed_theater
from tests.crypto.sealed.test_games import at_random
from tests.crypto.sealed.test_hosts import LIES as HOSTS
from tests.crypto.sealed.test_hosts import at, no_events
from tests.crypto.sealed.test_lies import LIES, PLAYERS, complains
from tests.crypto.table import Game, begin, seats
from tests.crypto.verify.cheating.changed_values import changed_leaf, leaves
from tests.effort import quick

from .forged import agreed

Check = Callable[..., int]
LIE = re.compile(r"\(seat (.)\),? lied in the draft of round (\d+): (.*)")
CHANGED = range(24)
"""Values of a sealed log that are changed, in so many tests."""


def files(game: Game, folder: Path) -> list[Path]:
    """Those of all seats and of a spectator."""
    players = len(game.state.players)
    return [saved(folder / f"{seat}.ctr", game.transcript(seat)) for seat in seats(players)]


def alike(paths: Sequence[Path], check: Check, output: pytest.CaptureFixture[str]) -> int:
    """The exit code that both give; each lie, its round and its seat are the same, too."""
    report = verify(paths)
    output.readouterr()
    assert check(*paths) == report.code
    told = LIE.findall(output.readouterr().out)
    second = {("abcdefghi".index(seat), int(round_), code) for seat, round_, code in told}
    first = {
        (one.seat, one.details["round"], str(one.contradiction).removeprefix("draft_"))
        for one in report.findings
        if str(one.contradiction).startswith("draft_") and "round" in one.details
    }
    assert second == first
    return report.code


EMPTY = {"a message": (DraftSaid, no_events), "a call": (DraftCalled, no_events)}
"""Nothing comes of these."""
HONEST = [*map(sealed_first, (2, 3, 4, 5, 6, 7, 8)), sealed_theater(2), sealed_theater(5)]


@pytest.mark.slow
@pytest.mark.parametrize("setup", quick(HONEST, HONEST[0]))
def test_an_honest_sealed_game(
    setup: TableConfig, check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = begin(setup=setup, followed=False).play()
    paths = files(game, tmp_path)
    assert alike(paths, check, capsys) == 0
    for path in (paths[0], paths[-1]):
        assert alike([path], check, capsys) == 0
    torn = saved(tmp_path / "torn.ctr", paths[0].read_bytes()[:-9000])
    assert alike([torn], check, capsys) == 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("stand_ins", [False, True])
def test_where_seats_are_gone(
    seed: int, stand_ins: bool, check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = begin(setup=sealed_theater(5), seed=seed, followed=False)
    if stand_ins:
        game.gone = at_random(seed, 0.2)
    else:
        game.away = at_random(seed, 0.2)
    assert alike(files(game.play(), tmp_path), check, capsys) == 0


@pytest.mark.slow
def test_a_link_that_never_comes(check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.present = lambda game: [0, 1, 3] if game.host_log.audit.over else range(4)
    assert alike(files(game.play(), tmp_path), check, capsys) == 4


def complains_of_a_box(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
    return said if isinstance(said, CallReply) else complains(hand, said)


TOLD = {**LIES, "complains": complains_of_a_box, "gives_what_it_has_not": gives_what_it_has_not}
SETUPS = {"gives_what_it_has_not": sealed_theater(), "loses_another": sealed_first(3)}
BEHIND = {"gives_what_it_has_not": 2, "loses_another": 2}
"""How far behind the crown the liar sits, where that is not the next seat, or who deals."""
SEEDS = {"gives_what_it_has_not": 59}
"""Games in which the liar comes to lie, where that is not the first one."""

TOLD_TO_ONE = {"denies", "keeps_it_in_the_list", "passes_on_another", "picks_face_up", "picks_nothing"}
"""Lies that only the file of a neighbour proves where the liar gives no link."""
CLOSED = {
    "deals_another_packet",
    "gives_what_it_has_not",
    "lays_aside_nothing",
    "lays_its_pick_aside",
    "loses_another",
}
"""Lies that nothing proves then."""


def lying(name: str, *, opened: bool) -> tuple[Game, int]:
    """A game in which one seat lies so, and how often; it gives its link in the end, or not."""
    game = begin(
        setup=SETUPS.get(name, sealed_first(PLAYERS.get(name, 4))), seed=SEEDS.get(name, 1), followed=False
    )
    game.play(until=lambda game: game.state.inquiry is not None)
    players, count = len(game.state.players), 0
    liar = (game.state.crown + BEHIND.get(name, int(name not in DEALS))) % players

    def counted(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
        nonlocal count
        told = TOLD[name](hand, said)
        count += told != said
        return told

    game.lies = {liar: counted}
    if not opened:
        game.present = lambda game: [
            seat for seat in range(players) if seat != liar or not game.host_log.audit.over
        ]
    return game.play(), count


@pytest.mark.parametrize("name", quick(sorted(TOLD), "keeps_it_in_the_list", "complains"))
@pytest.mark.parametrize("opened", [True, False])
def test_a_lying_player(
    name: str, opened: bool, check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, count = lying(name, opened=opened)
    assert count
    paths = files(game, tmp_path)
    spectator = paths[-1:]
    assert alike(paths, check, capsys) == (4 if not opened and name in CLOSED else 1)
    assert alike(spectator, check, capsys) == (4 if not opened and name in CLOSED | TOLD_TO_ONE else 1)


@pytest.fixture(scope="module")
def honest() -> Game:
    return begin(setup=sealed_first(4), followed=False).play()


@pytest.mark.parametrize("name", quick([*HOSTS, *EMPTY], *[*HOSTS][::3], *[*EMPTY][:1]))
def test_a_lying_host(name: str, honest: Game, check: Check, tmp_path: Path) -> None:
    kind, change = EMPTY[name] if name in EMPTY else HOSTS[name][:2]
    entries = drafts(honest)
    at(entries, kind, change)
    path = saved(tmp_path / "0.ctr", Forge(players=False).file(entries))
    assert verify([path]).code == 1
    assert agreed(path, check(path))


@pytest.mark.slow
@pytest.mark.parametrize("part", CHANGED)
def test_any_changed_value(part: int, honest: Game, check: Check, tmp_path: Path) -> None:
    """Of the entries up to the end of the first rounds, and of the last ones."""
    chance, path = random.Random(part), tmp_path / "a.ctr"
    count = len(drafts(honest))
    for at_entry in chance.sample([*range(60), *range(count - 8, count)], 12):
        entries = drafts(honest)
        plain = unpack(encode_entry(entries[at_entry].entry))
        entries[at_entry].public = pack(changed_leaf(plain, chance.choice(leaves(plain)), chance))
        data = Forge(players=False).file(entries, chance.randrange(4))
        assert agreed(path, check(saved(path, data))), (at_entry, entries[at_entry])
