"""Who signs which entries: the host of the header, until enough seats have agreed on another one."""

from citadels_lan.crypto.log import Header, NewHost, Open, decode_entry
from citadels_lan.crypto.packing import Malformed, pack

from .agreement import holds

_KINDS = frozenset(pack(kind.__struct_config__.tag) for kind in (Open, NewHost))


class HostKeys:
    """The keys of the hosts of one game. It is told every entry, in order."""

    def __init__(self, host: bytes) -> None:
        """`host` signs the first entry."""
        self.changes = [(1, host)]
        self._header: Header | None = None

    @property
    def current(self) -> bytes:
        """The key of the host now."""
        return self.changes[-1][1]

    def at(self, n: int) -> bytes:
        """The key that signs entry `n`."""
        return next(key for first, key in reversed(self.changes) if first <= max(n, 1))

    def signer(self, n: int, before: bytes, public: bytes) -> bytes:
        """The key that must have signed entry `n`, the next one; `before` is hash[n-1]. With an entry that enough
        seats have agreed to it is that of the new host."""
        entry = _changing(public)
        if isinstance(entry, NewHost) and self._header is not None and holds(self._header, entry, n - 1, before):
            return entry.hostkey
        return self.current

    def take(self, n: int, before: bytes, public: bytes) -> None:
        """Entry `n` is there; whoever signs it has been asked for before."""
        entry = _changing(public)
        if isinstance(entry, Open):
            self._header = entry.header
        elif (host := self.signer(n, before, public)) != self.current:
            self.changes.append((n, host))


def _changing(public: bytes) -> Open | NewHost | None:
    """An entry from which follows who signs; the kind stands in its second byte, and others cost nothing."""
    if public[1:2] not in _KINDS:
        return None
    try:
        entry = decode_entry(public)
    except Malformed:
        return None
    return entry if isinstance(entry, (Open, NewHost)) else None
