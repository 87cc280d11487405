"""The result of verifying a transcript, for the screen after a game."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from citadels_lan.crypto.report.facts import missing
from citadels_lan.crypto.report.model import Report, sentence
from citadels_lan.crypto.report.verify import verify
from citadels_lan.texts import Texts, msg

CHEATED: Final = 1
MISSING: Final = 4
"""Exit code of a verification that found no contradiction, but missing parts."""


@dataclass(frozen=True)
class Proof:
    """The result of verifying a transcript. `failed` are the seats of the players whom a finding accuses."""

    report: Report

    @property
    def sound(self) -> bool:
        """Whether the verification has proved that the whole game was played by the rules."""
        return self.report.code == 0

    @property
    def gaps(self) -> bool:
        """Whether the verification found no contradiction, but a part is missing: the opening of a move, or
        the end of the game."""
        return self.report.code == MISSING

    @property
    def failed(self) -> frozenset[int]:
        return frozenset(finding.seat for finding in self.report.findings if finding.seat is not None)

    def verdict(self, texts: Texts) -> str:
        """Return the verdict in one line."""
        if self.sound:
            return texts.say("Verified: every move, choice and shuffle of this game.")
        if self.report.code == CHEATED:
            return texts.say("PROOF OF CHEATING:")
        return texts.say("INCOMPLETE:") if self.gaps else texts.say("NOT VERIFIED:")

    def sentences(self, texts: Texts) -> list[str]:
        """Return the findings, if there are any, and what the player can do about them."""
        findings = [(finding, file.header) for file in self.report.files for finding in file.findings]
        found = [sentence(finding, header, texts.say) for finding, header in findings]
        if self.gaps and any(finding.seat is not None for finding, _ in findings):
            said = msg(
                "No contradiction was found. Verify the files of all players together: they have the missing part."
            )
            found.append(texts.say(said))
        return found

    def history(self, texts: Texts) -> list[str]:
        """Return one or two lines with the players who signed the game, and the check words."""
        found = next(iter(self.report.games), None)
        if found is None or found.best.header is None or not found.best.audit.over:
            return []
        audit, header = found.best.audit, found.best.header
        # Without co-signatures of the end there is no common history to compare.
        if not audit.cosigned or not audit.cosigned[-1].over:
            return []
        absent = missing(header, audit, texts.say)
        signed = msg("All players signed every round.")
        signed = msg("All players signed every round, except: {names}.") if absent else signed
        same = msg("No check words: the word of a player is missing.")
        if words := " ".join(audit.cosigned[-1].words):
            same = msg("Check words: {words}. Players with the same words saw the same game.")
        return [texts.say(signed, names=texts.listing(absent)), texts.say(same, words=words)]


def check(path: Path | None) -> Proof | None:
    """Verify the transcript at `path`, and return the result; None if there is no transcript. This takes a
    moment, so run it in a thread."""
    return None if path is None or not path.exists() else Proof(verify([path]))
