"""The editions that can be played: their cards, their scenarios, and the pieces they consist of."""

from citadels_lan.engine.edition import add_edition
from citadels_lan.engine.editions.citta_comune import CITTA_COMUNE

from .classic import CLASSIC
from .dark_city import DARK_CITY
from .e2016 import E2016

for _edition in (E2016, CLASSIC, DARK_CITY, CITTA_COMUNE):
    add_edition(_edition)
