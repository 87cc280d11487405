"""Announcing and finding tables. The helpers are for several of these modules."""

import asyncio

from citadels_lan.net.discovery.adverts import Advert, AdvertisedTable
from citadels_lan.net.discovery.table_list import TableList

GAME = bytes([7]) * 16
ADVERT = Advert(GAME, "Anna", 2, 4, "lobby", "2016", bytes([1]) * 32)


async def seen(listed: TableList, **fields: object) -> AdvertisedTable:
    """Wait until the list contains a table whose announcement has these values. Return the table."""
    async with asyncio.timeout(60):
        async for _ in listed.news():
            for table in listed.tables.values():
                if all(getattr(table.advert, name) == value for name, value in fields.items()):
                    return table
    raise AssertionError
