"""The sealed draft of a round at its host, which does not know what anybody holds.

It waits for what `DraftRecord.due` names, and at a call for a reply of everybody who is asked: the call becomes one
entry, so nobody is told what one seat has said before all others have. Whoever is gone is left out of a call, a pick
or an exchange.
"""

from collections.abc import Collection, Sequence

from citadels_lan.crypto.draft.messages import (
    AnyDraftMessage,
    CallReply,
    Dealt,
    HandedOver,
    PassedOn,
)
from citadels_lan.crypto.draft.plan import NOBODY
from citadels_lan.crypto.draft.record import OVER, DraftRecord
from citadels_lan.crypto.log import Call, Draft
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.engine import HIDDEN, Chance, Event, State, advance, decide
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.choices import Holder, LaidOut, LeftOut


class HostedDraft:
    ...
