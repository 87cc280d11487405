"""A game whose host is gone, in memory: seats agree, one of them takes over, and the game goes on."""

from collections.abc import Collection
from copy import deepcopy
from dataclasses import replace

from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.delta import Delta, decode_delta
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import NewHost
from citadels_lan.crypto.migration.agreement import Proposal, agree, new_host
from citadels_lan.crypto.migration.shares import own_share, secret_from
from citadels_lan.net.host.new_host.inheriting import inherited

from .table import GAME, Game, box, follower, identity, player

NEW_FP = bytes([8]) * 32


def new_key(seat: int) -> Identity:
    """The key of a seat's machine as a host."""
    return identity(f"host {seat}")


def proposal(game: Game, seat: int) -> Proposal:
    """That the machine of a seat goes on after the last entry."""
    chain = game.host_log.chain
    return Proposal(chain.n, chain.head, seat, new_key(seat).public, NEW_FP)


def agreement(game: Game, seat: int, agreeing: Collection[int]) -> NewHost:
    """The entry by which a seat becomes the host."""
    proposed = proposal(game, seat)
    return new_host(proposed, {one: agree(player(one), GAME, proposed) for one in agreeing})


def told(game: Game, seat: int) -> tuple[ClientLog, list[Delta], list[bytes]]:
    """What a seat has of a game: its log, the entries, and all heads."""
    log = follower(seat)
    heads = [log.chain.head, *(log.receive(bodies[seat]).head for bodies in game.bodies)]
    return log, [decode_delta(bodies[seat]) for bodies in game.bodies], heads


def opened(game: Game, log: ClientLog, seats: Collection[int]) -> bytes | None:
    """The host's secret from the shares of some seats."""
    header, entry = log.audit.table, log.audit.shared
    assert entry is not None
    shares = {seat: own_share(header, entry, seat, box(seat)) for seat in seats}
    return secret_from(header, {seat: share for seat, share in shares.items() if share is not None})


def taken_over(game: Game, seat: int, agreeing: Collection[int]) -> Game:
    """The game at its new host, told to everybody; the old one stays as it was. It has nothing of the old host but
    what its seat was sent, and the shares."""
    log, deltas, heads = told(game, seat)
    secret = opened(game, log, agreeing)
    assert secret is not None
    written = inherited(log.audit.table, deltas, heads, secret)
    host_log = HostLog.restore(secret, new_key(seat), written)
    host_log.take_over(agreement(game, seat, agreeing))
    followers = {viewer: follower(viewer) for viewer in game.followers}
    for viewer, one in followers.items():
        for bodies in game.bodies:
            one.receive(bodies[viewer])
    after = replace(
        game, host_log=host_log, table=deepcopy(game.table), followers=followers, bodies=list(game.bodies)
    )
    after.tell()
    return after
