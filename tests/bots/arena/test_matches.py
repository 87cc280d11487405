"""Matches are fair: in every deal each bot plays once in each seat, with the same cards."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from statistics import fmean
from xml.etree import ElementTree

import pytest

from citadels_lan.bots import RandomPolicy
from citadels_lan.bots.arena import Contender, Contest, Outcome, Pairing, Question, WinningShare, Workers, play
from citadels_lan.bots.arena.match import against, play_game, rotations
from citadels_lan.bots.arena.results import interval, picture
from citadels_lan.bots.policy import Forgetful, Policy
from citadels_lan.engine import EDITIONS, Action, Choice, State, TableConfig, from_scenario
from tests.effort import one_case, quick
from tests.facts import first_game

SVG = "{http://www.w3.org/2000/svg}"


def contest(*contenders: Contender, players: int = 3, config: TableConfig | None = None) -> Contest:
    return Contest(config or first_game(players), contenders, "seed")


def outcome(of: Contest, pairing: Pairing, deals: int) -> Outcome:
    with Workers.here() as workers:
        return Outcome(of, (pairing,), tuple(play(of, [pairing], deals, workers)))


@one_case("players", [2, 3, 5, 9])
def test_every_bot_takes_every_seat_equally_often(players: int) -> None:
    pairing = tuple(range(players))
    seats = Counter((bot, seat) for seating in rotations(pairing) for seat, bot in enumerate(seating))
    assert seats == Counter({(bot, seat): 1 for bot in range(players) for seat in range(players)})
    assert [seating.index(0) for seating in rotations(pairing)] == list(range(players))


class Looking(Forgetful):
    """A bot that plays at random, differently in each game, and records its first view."""

    ignores_view = False

    def __init__(self, seed: str, seen: dict[int, State]) -> None:
        self._policy = RandomPolicy(seed)
        self._seen = seen

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        self._seen.setdefault(seat, view)
        return self._policy.choose(view, seat, choices)


@one_case("key", quick(EDITIONS, "2016"))
def test_games_of_a_deal_start_with_the_same_cards(key: str) -> None:
    config = from_scenario("random", 4, edition_key=key)
    games: list[dict[int, State]] = []
    for game in range(3):
        seen: dict[int, State] = {}
        policies: list[Policy] = [Looking(f"{game}/{seat}", seen) for seat in range(4)]
        play_game(config, policies, "deal")
        games.append(seen)
    first, *others = games
    start = next(view for view in first.values() if view.round == 1)
    for seen in others:
        assert all(view.cast == start.cast and view.districts == start.districts for view in seen.values())
    opener = [seat for seat, view in first.items() if view.tick == min(v.tick for v in first.values())]
    for seen in others:
        assert [seen[seat] for seat in opener] == [first[seat] for seat in opener]


@pytest.mark.parametrize("level", ["random", "sensible"])
def test_bot_against_itself_wins_its_equal_share(level: str) -> None:
    found = outcome(contest(Contender(level), players=4), (0, 0, 0, 0), 3)
    hero, others = found.strengths()
    assert (hero.share, hero.low, hero.high) == (0.25, 0.25, 0.25)
    assert others.share == pytest.approx(0.25)
    assert found.matches()[0].games == 12


def test_winning_shares_add_up_to_one_and_the_stronger_bot_has_more() -> None:
    found = outcome(contest(Contender("sensible"), Contender("random")), (0, 1, 1), 6)
    hero, others = found.strengths()
    assert hero.share + 2 * others.share == pytest.approx(1)
    assert hero.share > 0.8
    assert hero.low < hero.share <= hero.high <= 1
    (match,) = found.matches()
    assert match.games == 18
    assert match.rows[0].points > match.rows[1].points
    assert 0 < match.rows[0].thought <= match.rows[0].long_thought


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [2, 3])
def test_games_do_not_depend_on_the_number_of_workers(jobs: int) -> None:
    of = contest(Contender("sensible"), Contender("random"), config=TableConfig(3))
    pairings = against(2, 3)
    found = []
    for number in (1, jobs):
        with Workers.here(number) as workers:
            found.append(Outcome(of, tuple(pairings), tuple(play(of, pairings, 3, workers))))
    assert found[0].digest() == found[1].digest()
    assert found[0].won == found[1].won
    other = Contest(of.config, of.contenders, "other")
    with Workers.here() as workers:
        dealt = Outcome(other, tuple(pairings), tuple(play(other, pairings, 3, workers)))
    assert dealt.digest() != found[0].digest()


# Intervals and the sequential test, measured on coin games with known chances


GAMES = 4


def coins(chance: float, deals: int, random: Random, alike: float = 0.0) -> list[float]:
    """Return the winning shares of deals with four games each. A game is won with probability `chance`; with
    probability `alike` it ends like the first game of its deal instead."""
    found = []
    for _ in range(deals):
        first = random.random() < chance
        rest = [first if random.random() < alike else random.random() < chance for _ in range(GAMES - 1)]
        found.append(fmean((first, *rest)))
    return found


@one_case("chance", [0.03, 0.25, 0.5, 0.9], parts=2)
@pytest.mark.parametrize(("deals", "alike"), quick([(15, 0.0), (100, 0.0), (60, 0.7)], (15, 0.0)))
def test_interval_contains_the_true_share_19_times_out_of_20(chance: float, deals: int, alike: float) -> None:
    random = Random(f"{chance} {deals} {alike}")
    held = 0
    for _ in range(1000):
        low, high = interval(coins(chance, deals, random, alike))
        assert 0 <= low <= high <= 1
        held += low <= chance <= high
    assert 900 <= held <= 995


@pytest.mark.parametrize(("deals", "quantile"), [(2, 12.706), (3, 4.303), (4, 3.182), (5, 2.776)])
def test_interval_of_few_deals_uses_students_quantile(deals: int, quantile: float) -> None:
    shares = [0.5 + (number - (deals - 1) / 2) / 10 for number in range(deals)]
    variance = fmean((share - 0.5) ** 2 for share in shares) / (deals - 1)
    part = quantile**2 * variance / 0.25
    half = (part / (1 + part)) ** 0.5 / 2
    assert interval(shares) == pytest.approx((0.5 - half, 0.5 + half), abs=0.005)


def ended(question: Question, chance: float, random: Random) -> tuple[str, int]:
    """Return the answer of a sequential test of deals that are won with probability `chance`, and how many
    deals it needed."""
    shares: list[float] = []
    while True:
        shares += coins(chance, 1, random)
        answer = question.settled(shares)
        if answer is not None:
            return answer, len(shares)


@pytest.mark.parametrize(("share", "margin"), quick([(0.4, 0.1), (0.25, 0.08), (0.8, 0.1)], (0.8, 0.1)))
def test_sequential_test_is_wrong_at_most_once_in_20(share: float, margin: float) -> None:
    random = Random(f"{share}")
    question = Question(share, margin)
    enough = [ended(question, share, random) for _ in range(300)]
    too_little = [ended(question, share - margin, random) for _ in range(300)]
    assert sum(answer == "less" for answer, _ in enough) <= 21
    assert sum(answer == "at_least" for answer, _ in too_little) <= 21


def test_match_picture_has_bars_intervals_and_the_equal_share() -> None:
    drawn = picture(
        "A <title> & more", [WinningShare("one", 0.5, 0.4, 0.6), WinningShare("b&w", 0.1, 0.0, 0.25)], 0.25, "par"
    )
    root = ElementTree.fromstring(drawn)
    said = [text.text for text in root.iter(f"{SVG}text")]
    assert {"A <title> & more", "one", "b&w", "par", "50.0 %", "10.0 %", "60 %"} <= set(said)
    assert "70 %" not in said
    _, one, two = root.iter(f"{SVG}rect")
    assert abs(float(one.attrib["width"]) - 5 * float(two.attrib["width"])) < 0.5
    (par,) = (line for line in root.iter(f"{SVG}line") if "stroke-dasharray" in line.attrib)
    left, full = float(one.attrib["x"]), float(one.attrib["width"]) * 2
    assert abs(float(par.attrib["x1"]) - (left + 0.25 * full)) < 0.2
    assert all(float(line.attrib["x2"]) <= 720 for line in root.iter(f"{SVG}line"))
