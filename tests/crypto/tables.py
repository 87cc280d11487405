"""Games for reports: with seats that do not co-sign every round, or do not open their sealed moves."""

from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace

from citadels_lan.crypto.commitments import SEALED, Opening
from citadels_lan.crypto.host_log import CoSigning
from citadels_lan.crypto.log import CoSigned
from citadels_lan.crypto.report.model import unopened
from citadels_lan.engine import TableConfig, from_scenario

from .table import Game, begin


def leaving(away: Mapping[int, int], *, players: int = 4, seed: int = 1) -> Game:
    """Return a whole game in which some seats do not co-sign. `away` has the missing seat by round; round 0
    is the end of the game."""
    game = begin(players, seed=seed, followed=False)

    def present(game: Game) -> list[int]:
        number = 0 if game.host_log.audit.over else game.host_log.audit.round
        return [seat for seat in range(players) if away.get(number) != seat]

    game.present = present
    return game.play()


def sealing(*, silent: bool, seed: int = 1) -> Game:
    """Return a whole game with warrants and threats. `silent`: after the game the seats open no sealed moves,
    and at least one of seat 2 or 3 stays unopened."""
    usual = from_scenario("first_game", 4)
    cast = ("magistrate", "blackmailer", *usual.cast[2:])
    game = begin(setup=TableConfig(4, cast, usual.districts), seed=seed, followed=False)
    if silent:
        cosigning = game.cosigning

        def nothing(seat: int) -> CoSigning:
            return replace(cosigning(seat), openings=())

        game.cosigning = nothing  # type: ignore[method-assign]
    game.play()
    closed = bool({2, 3} & unopened(game.host_log.audit).keys())
    return game if closed == silent else sealing(silent=silent, seed=seed + 1)


def substituted(*, players: int = 4, seed: int = 1, marked: bool = False) -> Game:
    """Return a whole game in which substitute bots play two seats: seat 1 in round 2 and at the beginning of
    round 3, and seat 2 in round 2. `marked`: with warrants and threats."""
    usual = from_scenario("first_game", players)
    cast = ("magistrate", "blackmailer", *usual.cast[2:]) if marked else usual.cast
    game = begin(setup=TableConfig(players, cast, usual.districts), seed=seed, followed=False)

    def gone(game: Game) -> list[int]:
        audit = game.host_log.audit
        since = max((one.n for one in audit.cosigned), default=0)
        first = audit.round == 2 or (audit.round == 3 and game.host_log.chain.n < since + 8)
        return [1] * first + [2] * (audit.round == 2 and not audit.expects(CoSigned))

    game.gone = gone
    return game.play()


@cache
def substitute_markers() -> Game:
    """Return such a game, in which a substitute bot places markers that are opened only after the game."""
    games = (substituted(marked=True, seed=seed) for seed in range(6, 200))
    return next(game for game in games if markers_of_substitutes(game))


def markers_of_substitutes(game: Game) -> list[Opening]:
    """Return the openings of the markers that substitute bots have placed."""
    return [opening for _, opening in game.host_log.audit.concealed.substitutes if opening.kind in SEALED]
