"""What the sealed drafts of a game prove against those who drafted, and what of them is still closed."""

from collections.abc import Iterator, Mapping

from citadels_lan.crypto.audit.drafts import DraftRound
from citadels_lan.crypto.audit.signed import move_fields
from citadels_lan.crypto.draft.boxes import BoxContent
from citadels_lan.crypto.draft.judging import judge
from citadels_lan.crypto.draft.plan import NOBODY
from citadels_lan.crypto.frames import frame

from .examined import Examined
from .model import Evidence, Finding


def draft_findings(one: Examined, contents: Mapping[bytes, BoxContent]) -> Iterator[Finding]:
    """Who has lied in which draft. `contents` are those of boxes, as the files of the game tell them. What a
    stand-in says is the host's word. A round counts once all that was said in it is signed."""
    drafts = one.audit.drafts
    if drafts is None:
        return
    for n, drafted in drafts.rounds.items():
        if drafted.unsigned:
            continue
        number = drafted.record.table.number
        for found in judge(drafted.record, drafts.links_in(n, one.audit.secret), contents):
            if found.seat == NOBODY:
                yield Finding("draft_unclear", "incomplete", {"round": number})
                continue
            details: dict[str, int | str] = {"n": n, "round": number}
            evidence, stint = _evidence(one, drafted, found.seat), drafted.stints.get(found.seat)
            code = f"draft_{found.code}"
            if stint is None:
                yield Finding("player_cheated", "proof", details, code, found.seat, evidence)
            else:
                yield Finding(
                    "host_cheated", "proof", details, code, found.seat, (one.evidence(stint.n), *evidence)
                )


def _evidence(one: Examined, drafted: DraftRound, seat: int) -> tuple[Evidence, ...]:
    """All that a seat has said in a draft, with its signatures."""
    game = one.transcript.head.game_id
    return tuple(
        Evidence(said.n, said.drafter or b"", frame("draft-said", *move_fields(game, said)), signature)
        for said, signature in drafted.said
        if said.seat == seat
    )


def closed_drafts(one: Examined) -> list[int]:
    """The seats whose links are not there after the game, although they have drafted in it."""
    drafts = one.audit.drafts
    if drafts is None or one.audit.secret is None:
        return []
    drafted = {
        step.seat for each in drafts.rounds.values() for step in each.record.steps if step.seat not in each.stints
    }
    return sorted(drafted - drafts.links.keys())
