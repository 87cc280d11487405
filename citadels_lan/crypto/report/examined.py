"""A file under examination: what of it forms a chain, and what is known of that."""

from collections.abc import Sequence
from typing import overload

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.chain import Chain, entry_fields
from citadels_lan.crypto.commitments import Opening, committed
from citadels_lan.crypto.delta import Delta
from citadels_lan.crypto.frames import frame
from citadels_lan.crypto.handover import Hosts
from citadels_lan.crypto.log import AnyEntry, Header, decode_entry
from citadels_lan.crypto.transcript import Transcript

from .model import Evidence, FileReport, Finding


class Entries(Sequence[AnyEntry]):
    """The entry n at index n - 1, of the `public` bytes of a log. Malformed for one that says nothing."""

    def __init__(self, public: Sequence[bytes]) -> None:
        self._public = public
        self._last: tuple[int, AnyEntry] | None = None

    def __len__(self) -> int:
        return len(self._public)

    @overload
    def __getitem__(self, at: int) -> AnyEntry: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[AnyEntry]: ...

    def __getitem__(self, at: int | slice) -> AnyEntry | Sequence[AnyEntry]:
        if isinstance(at, slice):
            return Entries(self._public[at])
        if self._last is None or self._last[0] != at:  # whoever goes through them asks for one several times
            self._last = at, decode_entry(self._public[at])
        return self._last[1]


class Examined(Struct):
    """A file under examination. `deltas` are those that form a chain, each signed by the host; `chain` is after
    the last, `heads[n]` is hash[n]; `hosts` are those that signed; `entries` what they say. `broken` is the entry
    at which the chain ends before the file does."""

    transcript: Transcript
    report: FileReport
    chain: Chain
    audit: Auditor
    heads: list[bytes]
    hosts: Hosts
    deltas: list[Delta] = []
    broken: int | None = None

    @property
    def entries(self) -> Entries:
        return Entries([delta.public for delta in self.deltas])

    @property
    def header(self) -> Header | None:
        return self.report.header

    def evidence(self, n: int) -> Evidence:
        """The host's signature of entry `n`."""
        head, delta = self.transcript.head, self.deltas[n - 1]
        found = entry_evidence(head.game_id, self.hosts.at(n).key, n, self.heads[n], delta.signature)
        return replace(found, public=delta.public)

    def say(self, finding: Finding) -> None:
        """Add a finding."""
        self.report.findings.append(named(finding, self.hosts))


def named(finding: Finding, hosts: Hosts) -> Finding:
    """A finding that names the accused host, if that is not the first one."""
    host = hosts.by_key(finding.accused_key or b"")
    return finding if host is None or host.seat is None else replace(finding, host=(host.seat, host.first))


def entry_evidence(game: bytes, host: bytes, n: int, head: bytes, signature: bytes) -> Evidence:
    """A host's signature of entry `n`, whose hash is `head`."""
    return Evidence(n, host, frame("entry", *entry_fields(game, n, head)), signature)


def own_openings(transcript: Transcript) -> dict[bytes, Opening]:
    """What the owner of a file opened itself, by commitment."""
    game = transcript.head.game_id
    return {committed(game, opening): opening for opening in transcript.own}
