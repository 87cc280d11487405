"""The cast and the deck of the classic edition: nothing of them is chosen (R338, R430)."""

from msgspec.structs import replace

from citadels_lan.engine.chance import Chance
from citadels_lan.engine.config import TableConfig, Unplayable
from citadels_lan.engine.edition import Casting, Edition


class AlwaysTheSame(Casting):
    """All characters of the edition, and all its unique districts."""

    chooses_cast = False

    def check(self, edition: Edition, config: TableConfig) -> None:
        """What is named must be what is played anyway."""
        filled = self.filled(edition, config)
        if config.cast not in ((), filled.cast):
            raise Unplayable("cast_is_fixed")
        if config.districts and sorted(config.districts) != sorted(filled.districts):
            raise Unplayable("districts_are_fixed")

    def filled(self, edition: Edition, config: TableConfig) -> TableConfig:
        cast = tuple(sorted(edition.characters, key=edition.ranks.__getitem__))
        return replace(config, cast=cast, districts=edition.uniques)

    def draw(self, edition: Edition, config: TableConfig, chance: Chance) -> TableConfig:
        return self.filled(edition, config)
