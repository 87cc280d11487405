"""The casts and the purple districts of Dark City (R455 to R460)."""

from collections.abc import Sequence

from msgspec.structs import replace

from citadels_lan.engine.config import TableConfig
from citadels_lan.engine.edition import Edition
from citadels_lan.engine.editions.e2016.casting import OnePerRank


class AnyPurples(OnePerRank):
    """One character for each rank, the ninth only with eight players needed; all purple districts, or those that
    are named (R456)."""

    chosen: int | None = None
    ninth = "artist"
    ninth_needed: Sequence[int] = (8,)

    def filled(self, edition: Edition, config: TableConfig) -> TableConfig:
        return replace(config, districts=config.districts or edition.uniques)
