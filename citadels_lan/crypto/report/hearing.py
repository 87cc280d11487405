"""A transcript as its owner heard it: entry by entry, as far as the file goes."""

from typing import NamedTuple

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.client_log import ClientLog, LogStep
from citadels_lan.crypto.faults import Gap, Mismatch, Unsaid
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.transcript import Transcript


class HeardFile(NamedTuple):
    """What was heard, and learned, up to the entry `broken`, which cannot be; None where all can."""

    transcript: Transcript
    steps: list[LogStep]
    audit: Auditor
    broken: int | None


def hear(transcript: Transcript) -> HeardFile:
    """Every entry of a file as a client takes it. The most of the work is in signatures: do it once."""
    head = transcript.head
    log = ClientLog(head.game_id, head.rules, head.fp, head.host, head.seat)
    steps: list[LogStep] = []
    for body in transcript.bodies:
        try:
            steps.append(log.receive(body))
        except (Malformed, Gap, Unsaid, Mismatch):
            return HeardFile(transcript, steps, log.audit, log.chain.n + 1)
    return HeardFile(transcript, steps, log.audit, None)
