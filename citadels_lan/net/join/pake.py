"""The password-authenticated key exchange of a join code: SPAKE2 bound to one handshake. See docs/protocol.md,
section 14.

    joining = Joining(password, binding)          hosting = Hosting(password, binding)
    share = joining.share()                  ->   other = hosting.answer(share)
    mac = joining.confirm(other)             ->   hosting.fits(mac)
    joining.fits(mac)                        <-   mac = hosting.confirm()

`share`, `confirm` and `answer` are slow (2 to 5 ms, the library is pure Python): they belong in a thread. All
joins of a table have the same password, so its multiples of the points M and N are computed once.
"""

import hashlib
import hmac
from functools import cache, lru_cache
from typing import Any, Final

from citadels_lan.crypto.identity import BadKey, check_public_key
from citadels_lan.crypto.packing import Malformed, digest, frame

SHARE: Final = 33
"""Bytes of a share: the side, and a point."""


def binding(fp: bytes, game: bytes, hello: bytes, table: bytes) -> bytes:
    """Return a digest of what both sides must have seen alike: the certificate, the game, and both hellos with
    their keys."""
    return digest("pake", fp, game, hello, table)


def identities(bound: bytes) -> tuple[bytes, bytes]:
    """The names of both sides, the joining one first."""
    return frame("pake-joining", bound), frame("pake-host", bound)


def confirmation(side: str, key: bytes, bound: bytes, joining: bytes, host: bytes) -> bytes:
    """The 32 bytes that only a side with the key can send; `side` is `joining` or `host`, then both shares."""
    return hmac.digest(key, frame(f"confirm-{side}", bound, joining, host), hashlib.sha256)


class Joining:
    """The client's side."""

    def __init__(self, password: bytes, bound: bytes) -> None:
        self._password = password
        self._bound = bound
        self._spake: Any = None
        self._share = self._other = self._key = b""

    def share(self) -> bytes:
        """The bytes to send first. Slow."""
        from spake2 import SPAKE2_A

        self._spake = SPAKE2_A(self._password, *identities(self._bound), params=_parameters())
        self._share = self._spake.start()
        return self._share

    def confirm(self, other: bytes) -> bytes:
        """The confirmation to send for the host's share. Slow. Raises Malformed."""
        self._key, self._other = _finish(self._spake, b"B", other), other
        return self._mac("joining")

    def fits(self, mac: bytes) -> bool:
        """Whether the host knows the password too, and sees the same handshake."""
        return bool(self._key) and hmac.compare_digest(mac, self._mac("host"))

    def _mac(self, side: str) -> bytes:
        return confirmation(side, self._key, self._bound, self._share, self._other)


class Hosting:
    """The host's side. It sends no value for testing a guess before `fits` was true."""

    def __init__(self, password: bytes, bound: bytes) -> None:
        self._password = password
        self._bound = bound
        self._share = self._other = self._key = b""

    def answer(self, other: bytes) -> bytes:
        """The own share, for that of the client. Slow. Raises Malformed."""
        check_share(b"A", other)
        from spake2 import SPAKE2_B

        spake = SPAKE2_B(self._password, *identities(self._bound), params=_parameters())
        self._share = spake.start()
        self._key, self._other = _finish(spake, b"A", other), other
        return self._share

    def fits(self, mac: bytes) -> bool:
        """Whether the client knows the password, and sees the same handshake."""
        return bool(self._key) and hmac.compare_digest(mac, self._mac("joining"))

    def confirm(self) -> bytes:
        """The confirmation to send once the client's fits."""
        return self._mac("host")

    def _mac(self, side: str) -> bytes:
        return confirmation(side, self._key, self._bound, self._other, self._share)


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
    parameters.M, parameters.N = KeptPoint(parameters.M.XYTZ), KeptPoint(parameters.N.XYTZ)
    return parameters


def check_share(side: bytes, share: bytes) -> None:
    """What can be seen at once: the side, and a canonical point that is not of small order. Raises Malformed."""
    if len(share) != SHARE or share[:1] != side:
        raise Malformed("not a share of the other side")
    try:
        check_public_key(share[1:])
    except BadKey:
        raise Malformed("not a share") from None


def _finish(spake: Any, side: bytes, other: bytes) -> bytes:
    check_share(side, other)
    from spake2 import SPAKEError
    from spake2.ed25519_basic import NotOnCurve

    try:
        key: bytes = spake.finish(other)
    except (SPAKEError, NotOnCurve, ValueError, TypeError, AssertionError):
        # A point outside the group, our own share sent back; whatever the library finds wrong is one thing here.
        raise Malformed("not a share") from None
    return key
