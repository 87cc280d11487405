"""The events of a game: changes at a table. Only `Event.apply` changes a state.

Each event has one definition for the full state and for every seat's view. A card that the viewer may not know
is HIDDEN in the event and in the view, so applying the redacted events to a view gives the view of the next
state.
"""

from .base import *
from .cards import *
from .turns import *
