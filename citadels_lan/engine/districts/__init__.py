"""The unique districts, by the moment they matter; the facts of all district cards stand in `cards.toml`."""

from citadels_lan.engine.registry import register_uniques

from .building import Factory, Quarry, ThievesDen
from .gathering import Library
from .laboratory import Laboratory
from .scoring import DragonGate, HauntedQuarter, ImperialTreasury, MapRoom, Statue, WishingWell
from .smithy import Smithy
from .standing import Keep, SchoolOfMagic

register_uniques(
    DragonGate(), Factory(), HauntedQuarter(), ImperialTreasury(), Keep(), Laboratory(), Library(), MapRoom(),
    Quarry(), SchoolOfMagic(), Smithy(), Statue(), ThievesDen(), WishingWell(),
)  # fmt: skip
