"""What verification says of a finished game, for the screen after it."""

from dataclasses import dataclass
from pathlib import Path

from citadels_lan.crypto.report import Report, sentence
from citadels_lan.crypto.verify import verify
from citadels_lan.texts import Texts


@dataclass(frozen=True)
class Proof:
    """The verdict on a transcript. `failed` are the seats that a finding is about."""

    report: Report

    @property
    def sound(self) -> bool:
        """Whether everything in it is proven."""
        return self.report.code == 0

    @property
    def failed(self) -> frozenset[int]:
        return frozenset(finding.seat for finding in self.report.findings if finding.seat is not None)

    def sentences(self, texts: Texts) -> list[str]:
        """What was found, if anything."""
        return [
            sentence(finding, file.header, texts.say) for file in self.report.files for finding in file.findings
        ]


def check(path: Path | None) -> Proof | None:
    """Verify a transcript, if there is one. Takes a moment: call it where nothing waits."""
    return None if path is None or not path.exists() else Proof(verify([path]))
