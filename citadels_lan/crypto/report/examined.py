"""A file under examination: what of it forms a chain, and what is known of that."""

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.chain import Chain, entry_fields
from citadels_lan.crypto.delta import Delta
from citadels_lan.crypto.frames import frame
from citadels_lan.crypto.log import Header
from citadels_lan.crypto.transcript import Transcript

from .entries import Entries
from .model import Evidence, FileReport, Finding


class Examined(Struct):
    """A file under examination. `deltas` are those that form a chain, each signed by the host; `chain` is after
    the last, `heads[n]` is hash[n]; `entries` what they say. `broken` is the entry at which the chain
    ends before the file does."""

    transcript: Transcript
    report: FileReport
    chain: Chain
    audit: Auditor
    heads: list[bytes]
    deltas: list[Delta] = []
    broken: int | None = None

    @property
    def entries(self) -> Entries:
        return Entries([delta.public for delta in self.deltas])

    @property
    def header(self) -> Header | None:
        return self.report.header

    def evidence(self, n: int, *, public: bool = True) -> Evidence:
        """The host's signature of entry `n`."""
        head, delta = self.transcript.head, self.deltas[n - 1]
        found = entry_evidence(head.game_id, head.host, n, self.heads[n], delta.signature)
        return replace(found, public=delta.public if public else b"")

    def say(self, finding: Finding) -> None:
        """Add a finding."""
        self.report.findings.append(finding)


def entry_evidence(game: bytes, host: bytes, n: int, head: bytes, signature: bytes) -> Evidence:
    """A host's signature of entry `n`, whose hash is `head`."""
    return Evidence(n, host, frame("entry", *entry_fields(game, n, head)), signature)
