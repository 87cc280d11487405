"""Games for reports: somebody is left out between rounds, or does not open what it sealed."""

import io
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.host_log import Share
from citadels_lan.crypto.log import RULES, Present
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
