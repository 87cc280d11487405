"""The casts and unique districts of the 2016/2021 edition (rulebook p. 2, 8 and 9)."""

from collections.abc import Sequence

from msgspec.structs import replace

from citadels_lan.engine.chance import Chance, label_of
from citadels_lan.engine.config import TableConfig, Unplayable
from citadels_lan.engine.edition import Casting, Edition


class OnePerRank(Casting):
    """One character for each rank, and 14 unique districts."""

    chosen: int | None = 14
    ninth = "queen"
    ninth_needed: Sequence[int] = (3, 8)

    def check(self, edition: Edition, config: TableConfig) -> None:
        """R001 to R009."""
        if config.cast:
            self._check_cast(edition, config.players, config.cast)
        if config.districts:
            self._check_districts(edition, config.districts)

    def _check_cast(self, edition: Edition, players: int, cast: Sequence[str]) -> None:
        for character in cast:
            if character not in edition.characters:
                raise Unplayable("unknown_character", character=character)
            least, _ = edition.characters[character].players
            if players < least and not (edition.ranks[character] == 9 and players == 2):
                raise Unplayable("too_few_players_for", character=character, players=players, least=least)
        if [edition.ranks[character] for character in cast] not in ([*range(1, 9)], [*range(1, 10)]):
            raise Unplayable("one_character_per_rank")
        if players == 2 and len(cast) == 9:
            raise Unplayable("no_rank_nine", players=players)
        if players in self.ninth_needed and len(cast) == 8:
            raise Unplayable("rank_nine_needed", players=players)

    def _check_districts(self, edition: Edition, districts: Sequence[str]) -> None:
        for key in districts:
            if key not in edition.uniques:
                raise Unplayable("unknown_unique", card=key)
        twice = len(set(districts)) != len(districts)
        if self.chosen is None:
            if twice:
                raise Unplayable("unique_twice")
        elif twice or len(districts) != self.chosen:
            raise Unplayable("uniques_needed", count=self.chosen)

    def draw(self, edition: Edition, config: TableConfig, chance: Chance) -> TableConfig:
        """A cast that this many players may use, rank 9 by lot where it is optional, and unique districts."""
        cast = config.cast or self._draw_cast(edition, config.players, chance)
        if config.districts:
            return replace(config, cast=cast)
        districts = tuple(sorted(chance.shuffle(label_of("uniques", 0), edition.uniques)[: self.chosen]))
        return replace(config, cast=cast, districts=districts)

    def _draw_cast(self, edition: Edition, players: int, chance: Chance) -> tuple[str, ...]:
        nine = players in self.ninth_needed or (players > 2 and chance.pick(label_of("nine", 0), (1, 0)))
        return tuple(
            chance.pick(label_of("cast", 0, use=rank - 1), allowed(edition, rank, players))
            for rank in range(1, 10 if nine else 9)
        )

    def substituted(self, cast: Sequence[str], players: int, ninth: str = "") -> tuple[str, ...]:
        """R008 to R011."""
        if players in self.ninth_needed and len(cast) == 8:
            cast = (*cast, ninth or self.ninth)
        if players == 2:
            cast = ["king" if character == "emperor" else character for character in cast[:8]]
        return tuple("artist" if character == "queen" and players < 5 else character for character in cast)


def allowed(edition: Edition, rank: int, players: int) -> tuple[str, ...]:
    """The characters of a rank that may be used by this many players."""
    return tuple(
        key
        for key, card in edition.characters.items()
        if card.rank == rank and card.players[0] <= players <= card.players[1]
    )
