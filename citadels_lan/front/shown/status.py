"""The line that says who acts, who is away and what may be done, in more and in fewer words."""

from collections.abc import Mapping, Sequence
from typing import Final

from citadels_lan.front.refused import because
from citadels_lan.front.table_session import TableSession
from citadels_lan.front.waiting import absence, calling
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.questions import question
from citadels_lan.texts.record import CLOSING

AWAY: Final = msg("Away: {names}.")
AWAY_SAID: Final = msg("Away, says the host: {names}.")


def statuses(
    texts: Texts,
    session: TableSession,
    names: Sequence[str],
    left: str = "",
    *,
    hosting: bool,
    keys: Mapping[str, str],
) -> Sequence[str]:
    """The ways in which it can be said, the longest first; the shortest has what nothing else on a screen says.
    `left` is what is left of the time for a decision; `hosting`: this person may let bots move; `keys` tells how a
    command is called, by its name."""
    view = session.state
    if view is None:
        return [texts.say(msg("Waiting for the game to begin."))]
    if session.halted:
        gone = absence.asked(texts, session, names, hosting=hosting)
        return [_all(because(texts, session.halted, {}), gone)]
    if view.phase == "over" and not session.record_closed:
        return [texts.say(CLOSING)]
    if view.phase != "over" and session.record_closed:
        return [_all(texts.say(absence.ENDED), absence.leave(texts, keys)), texts.say(absence.ENDED)]
    handing = texts.listing([names[seat] for seat in calling.handing_on(view, session.waiting)])
    asks = texts.say(calling.HANDS_ON, names=handing) if handing else question(texts, view, session.seat, names)
    acts = _all(asks, left)
    if session.paused:
        paused = absence.paused(texts, keys)
        return [_all(paused, acts), paused]
    if session.seat in session.substituted:
        said = absence.taken_over(texts, keys) if session.taken_over else texts.say(absence.KEPT)
        return [_all(acts, said), said]
    missing = _missing(texts, session, names, hosting=hosting)
    offer = absence.offered(texts, session, keys, hosting=hosting)
    if not (missing or offer):
        return [acts]
    waits = view.inquiry is not None or bool(handing)
    return [_all(missing, acts) if waits else _all(acts, missing, offer), _all(missing, offer)]


def _all(*said: str) -> str:
    return " ".join(filter(None, said))


def _missing(texts: Texts, session: TableSession, names: Sequence[str], *, hosting: bool) -> str:
    """Who is waited for and away."""
    away = [names[seat] for seat in absence.awaited(session)]
    if not away:
        return ""
    return texts.say(AWAY if hosting else AWAY_SAID, names=texts.listing(away))
