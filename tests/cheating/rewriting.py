"""Files of cheaters who do not have the host's key. Guests who collude rewrite a finished and closed game, or
a guest signs entries as if it were the host. The guests have their own keys and, since *close*, the host's
secret. They do not have the keys of the host and of the honest player."""

import random
from functools import cache
from typing import Final

from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.codec import pack
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.signatures import claim, endorse
from tests.crypto.forging import Draft, Forge
from tests.crypto.table import FP, GAME, HOST, Game, begin, identity, player, written
from tests.facts import RULES

FROM: Final = 60
"""The last entry that the true and the rewritten history have in common."""
GUESTS: Final = (1, 2)
THEIRS: Final = identity("made up")


@cache
def honest() -> Game:
    """Return the game as it was really played."""
    return begin(3, seed=4).play()


@cache
def otherwise() -> Game:
    """Return a game by the same rules and chance that ends differently after entry FROM. The guests sign for
    all seats with the keys that they have."""
    game = begin(3, seed=4).play(until=lambda game: game.host_log.chain.n == FROM)
    game.choose = random.Random(99)
    return game.play()


def deltas(game: Game, viewer: int) -> list[log.Delta]:
    """Return the entries as this viewer received them."""
    return [log.decode_delta(bodies[viewer]) for bodies in game.bodies]


def file(viewer: int, told: list[log.Delta], *, signer: Identity, after: int, host: bytes = HOST.public) -> bytes:
    """Return a guest's transcript of these entries. Those after entry `after` are signed by `signer`. The
    head of the file names the host key `host`."""
    bodies, chain = [], log.Chain(GAME, RULES, FP)
    for n, delta in enumerate(told, 1):
        head = chain.grow(log.entry_hash(chain.head, n, delta.public, delta.leaves))
        signature = log.sign_entry(signer, GAME, n, head) if n > after else delta.signature
        bodies.append(log.encode_delta(replace(delta, n=n, signature=signature)))
    return written(viewer, bodies, chain, host=host)


def continued(viewer: int) -> bytes:
    """Return a transcript of the closed game with one more move after its end."""
    told = deltas(honest(), viewer)
    more = next(delta for delta in told if isinstance(log.decode_entry(delta.public), log.Move))
    return file(viewer, [*told, more], signer=THEIRS, after=len(told))


def rewritten(viewer: int) -> bytes:
    """Return a transcript of the other ending, signed by a key of the guests from entry FROM on."""
    return file(viewer, deltas(otherwise(), viewer), signer=THEIRS, after=FROM)


def agreed_on(viewer: int) -> bytes:
    """Return the rewritten transcript with an entry of the old format version 2 in which both guests make one
    of their computers the host."""
    told = deltas(otherwise(), viewer)
    signed = [[seat, player(seat).sign("new-host", GAME, told[FROM].public)] for seat in GUESTS]
    entry = log.Delta(FROM + 1, b"", pack([12, 1, THEIRS.public, bytes(32), signed]), b"", None, None)
    return file(viewer, [*told[:FROM], entry, *told[FROM:]], signer=THEIRS, after=FROM)


def renamed(viewer: int) -> bytes:
    """Return the rewritten transcript with a head that names the guests' key as the host's."""
    return file(viewer, deltas(otherwise(), viewer), signer=THEIRS, after=FROM, host=THEIRS.public)


def signed_anew(viewer: int) -> bytes:
    """Return a transcript in which the guests' key signs all entries. The header, which all players have
    signed, still names the real host."""
    return file(viewer, deltas(otherwise(), viewer), signer=THEIRS, after=0, host=THEIRS.public)


def false(viewer: int) -> bytes:
    """Return a transcript in which an entry of the guests' history contradicts the log."""
    told = deltas(otherwise(), viewer)
    del told[FROM + 1]
    return file(viewer, told, signer=THEIRS, after=0, host=THEIRS.public)


FORGERIES: Final = [continued, rewritten, agreed_on, renamed, signed_anew, false]


def of_theirs(header: log.Header) -> log.Header:
    """Return the header with a new host key of the guests, endorsed by one of them."""
    players = tuple(
        replace(one, claim=claim(player(seat), GAME, FP, THEIRS.public, one.name, one.kind))
        if seat in GUESTS
        else one
        for seat, one in enumerate(header.players)
    )
    endorsement = endorse(player(1), GAME, FP, THEIRS.public)
    return replace(header, hostkey=THEIRS.public, players=players, endorsement=endorsement)


class Impostor(Forge):
    """Signs entries with its own key as if it were the host of a table."""

    def body(self, draft: Draft, viewer: int) -> bytes:
        delta = log.decode_delta(super().body(draft, viewer))
        signature = log.sign_entry(MALLORY, GAME, delta.n, self.chain.head)
        return log.encode_delta(replace(delta, signature=signature))


MALLORY = identity("mallory")


def impostures(data: bytes) -> bytes:
    """Return a transcript that names Mallory as the host."""
    return data.replace(HOST.public, MALLORY.public, 1)
