"""The password-authenticated key exchange of a join code: SPAKE2 bound to one handshake. See docs/protocol.md,
section 14.

    joining = KeyExchange("joining", …)             host = KeyExchange("host", …)
    share = joining.share()                  ->   other = host.share(); host.finish(share)
    mac = joining.finish(other)              ->   host.fits(mac)
    joining.fits(mac)                        <-   mac = host.confirmation()

`share` and `finish` are slow (2 to 5 ms, the library is pure Python): they belong in a thread. All joins of a
table have the same password, so its multiples of the points M and N are computed once.
"""

import hashlib
import hmac
from functools import cache, lru_cache
from typing import Any, Final, Literal, TypeAlias

from citadels_lan.crypto.codec import Malformed, digest, frame
from citadels_lan.crypto.identity import BadKey, check_public_key

SHARE: Final = 33
"""Bytes of a share: the side, and a point."""
Side: TypeAlias = Literal["joining", "host"]


def binding(fp: bytes, game: bytes, hello: bytes, table: bytes) -> bytes:
    """Return a digest of what both sides must have seen alike: the certificate, the game, and both hellos with
    their keys."""
    return digest("pake", fp, game, hello, table)


def identities(bound: bytes) -> tuple[bytes, bytes]:
    """Return the names of both sides, the joining one first."""
    return frame("pake-joining", bound), frame("pake-host", bound)


def confirmation(side: str, key: bytes, bound: bytes, joining: bytes, host: bytes) -> bytes:
    """Return the 32 bytes that only a side with the key can send. `side` is `joining` or `host`."""
    return hmac.digest(key, frame(f"confirm-{side}", bound, joining, host), hashlib.sha256)


class KeyExchange:
    """One side of the exchange. The host sends no value for testing a guess before `fits` was true."""

    def __init__(self, side: Side, password: bytes, bound: bytes) -> None:
        self._side: Side = side
        self._password = password
        self._bound = bound
        self._spake: Any = None
        self._share = self._other = self._key = b""

    def share(self) -> bytes:
        """Return the share to send. Slow."""
        from spake2 import SPAKE2_A, SPAKE2_B

        kind = SPAKE2_A if self._side == "joining" else SPAKE2_B
        self._spake = kind(self._password, *identities(self._bound), params=_parameters())
        self._share = self._spake.start()
        return self._share

    def finish(self, other: bytes) -> bytes:
        """Compute the key with the share of the other side, and return the own confirmation. Slow. Raises
        Malformed."""
        from spake2 import SPAKEError
        from spake2.ed25519_basic import NotOnCurve

        check_share(b"B" if self._side == "joining" else b"A", other)
        try:
            self._key = self._spake.finish(other)
        except (SPAKEError, NotOnCurve, ValueError, TypeError, AssertionError):
            # A point outside the group, or the own share. All that the library rejects is the same error here.
            raise Malformed("not a share") from None
        self._other = other
        return self.confirmation()

    def confirmation(self) -> bytes:
        """Return the own confirmation."""
        return self._mac(self._side)

    def fits(self, mac: bytes) -> bool:
        """Return whether the other side knows the password, and sees the same handshake."""
        return bool(self._key) and hmac.compare_digest(
            mac, self._mac("host" if self._side == "joining" else "joining")
        )

    def _mac(self, side: Side) -> bytes:
        shares = (self._share, self._other) if self._side == "joining" else (self._other, self._share)
        return confirmation(side, self._key, self._bound, *shares)


@cache
def _parameters() -> Any:
    """The parameters of the library, with points M and N that keep their last multiples."""
    from spake2.ed25519_basic import Element
    from spake2.parameters.ed25519 import ParamsEd25519
    from spake2.params import _Params

    class KeptPoint(Element):  # type: ignore[misc]  # the library has no types
        """A point that keeps its last multiples."""

        @lru_cache(4)  # noqa: B019 -- there are two such points, as long as the program
        def scalarmult(self, factor: int) -> Any:
            return super().scalarmult(factor)

        __hash__ = object.__hash__

    parameters = _Params(ParamsEd25519.group)
    # The library would compute these multiples again for each exchange.
    parameters.M, parameters.N = KeptPoint(parameters.M.XYTZ), KeptPoint(parameters.N.XYTZ)
    return parameters


def check_share(side: bytes, share: bytes) -> None:
    """Check the side of a share, and that it is a canonical point that is not of small order. Raises Malformed."""
    if len(share) != SHARE or share[:1] != side:
        raise Malformed("not a share of the other side")
    try:
        check_public_key(share[1:])
    except BadKey:
        raise Malformed("not a share") from None
