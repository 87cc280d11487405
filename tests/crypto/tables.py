"""Games for reports: somebody is left out between rounds, or does not open what it sealed."""

import io
from collections.abc import Mapping

from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.host_log import Share
from citadels_lan.crypto.log import RULES
from citadels_lan.crypto.transcript import FileHead, Writer
from citadels_lan.engine import TableConfig, from_scenario

from .table import FP, GAME, Game, begin, player


def leaving(away: Mapping[int, int], *, players: int = 4, seed: int = 1) -> Game:
    """A whole game in which seats are away before rounds: `away` says which seat before which round, 0 before the
    last beacons."""
    game = begin(players, seed=seed, followed=False)

    def shares() -> None:
        number = 0 if game.host_log.audit.over else game.host_log.audit.round + 1
        there = [seat for seat in range(players) if away.get(number) != seat]
        game.host_log.beacons({seat: game.share(seat) for seat in there})
        if number:
            game.table.chance = game.chances(game.host_log.seed())
        game.tell()

    game.shares = shares  # type: ignore[method-assign]
    return game.play()


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


def with_own(game: Game, seat: int, own: tuple[Opening, ...]) -> bytes:
    """A seat's file with its own openings."""
    stream = io.BytesIO()
    stream.close = lambda: None  # type: ignore[method-assign]
    writer = Writer(stream, FileHead(GAME, RULES, FP, seat, player(seat).public))
    writer.begin()
    for bodies in game.bodies:
        writer.append(bodies[seat])
    writer.append_own(own)
    writer.finish(player(seat), game.host_log.chain)
    return stream.getvalue()
