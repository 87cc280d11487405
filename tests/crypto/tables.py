"""Games for reports: somebody is left out between rounds, or does not open what it sealed."""

import io
from collections.abc import Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.host_log import Share
from citadels_lan.crypto.log import RULES, Close, Opened, Present
from citadels_lan.crypto.sealed_moves import SEALED
from citadels_lan.crypto.transcript import FileHead, Writer
from citadels_lan.engine import TableConfig, from_scenario

from .table import FP, GAME, HOST, Game, begin, player


def leaving(away: Mapping[int, int], *, players: int = 4, seed: int = 1) -> Game:
    """A whole game in which seats are away before rounds: `away` says which seat before which round, 0 before the
    last beacons."""
    game = begin(players, seed=seed, followed=False)

    def present(game: Game) -> list[int]:
        number = 0 if game.host_log.audit.over else game.host_log.audit.round + 1
        return [seat for seat in range(players) if away.get(number) != seat]

    game.present = present
    return game.play()


def restarted(silent: Sequence[int] = (1, 2), *, players: int = 4, number: int = 2, seed: int = 1) -> Game:
    """A game just before the entry that follows restarts: one after the other the links of these seats do not come
    in the beacons before round `number`."""
    game = begin(players, seed=seed)
    game.play(until=lambda game: game.host_log.audit.round == number - 1 and game.host_log.audit.expects(Present))
    for seat in silent:
        game.gather()
        game.restart([seat])
    return game


def sealing(*, silent: bool, seed: int = 1) -> Game:
    """A whole game with warrants and threats. Where the seats are `silent`, they open only what the game opens."""
    usual = from_scenario("first_game", 4)
    cast = ("magistrate", "blackmailer", *usual.cast[2:])
    game = begin(setup=TableConfig(4, cast, usual.districts), seed=seed, followed=False)
    if silent:
        share = game.share

        def nothing(seat: int) -> Share:
            return replace(share(seat), openings=())

        game.share = nothing  # type: ignore[method-assign]
    return game.play()


def stood_in(*, players: int = 4, seed: int = 1, marked: bool = False) -> Game:
    """A whole game in which stand-ins move for two seats: for seat 1 in round 2 and at the beginning of round 3,
    when its owner is back and says that it was there all the time; for seat 2 in round 2, until its owner takes
    part in round 3. `marked`: with warrants and threats."""
    usual = from_scenario("first_game", players)
    cast = ("magistrate", "blackmailer", *usual.cast[2:]) if marked else usual.cast
    game = begin(setup=TableConfig(players, cast, usual.districts), seed=seed, followed=False)

    def gone(game: Game) -> list[int]:
        audit = game.host_log.audit
        first = audit.round == 2 or (audit.round == 3 and len(audit.unsealed) < 6)
        return [1] * first + [2] * (audit.round == 2 and not audit.expects(Present))

    game.gone, game.disputing = gone, lambda game: [1] * (game.host_log.audit.movers.stint(1) is not None)
    return game.play()


@cache
def stood_in_sealing() -> Game:
    """One of those games in which a stand-in seals what only the end of the game opens."""
    games = (stood_in(marked=True, seed=seed) for seed in range(6, 200))
    return next(game for game in games if sealed_to_the_end(game))


def sealed_to_the_end(game: Game) -> list[Opening]:
    """The openings after the game of what stand-ins have sealed."""
    audit, entries = game.host_log.audit, game.host_log.entries()
    last = [opening for one in entries if isinstance(one, Opened | Close) for opening in one.openings]
    sealed = [opening for (n, _), opening in audit.concealed.opened.items() if audit.movers.at(opening.seat, n)]
    return [opening for opening in sealed if opening.kind in SEALED and opening in last]


def with_own(game: Game, seat: int, own: tuple[Opening, ...]) -> bytes:
    """A seat's file with its own openings."""
    stream = io.BytesIO()
    stream.close = lambda: None  # type: ignore[method-assign]
    writer = Writer(stream, FileHead(GAME, RULES, FP, HOST.public, seat, player(seat).public))
    writer.begin()
    for bodies in game.bodies:
        writer.append(bodies[seat])
    writer.append_own(own)
    writer.finish(player(seat), game.host_log.chain)
    return stream.getvalue()
