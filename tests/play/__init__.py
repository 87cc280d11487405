"""Games in memory, for all tests.

    dice.py     chance from a seed, and a random choice
    table.py    `Play`: the engine, one step after the other
    through.py  whole games as text, for people to read: golden/*.txt

`Play` is the engine alone. `tests.crypto.table.Game` puts a log around it, and `tests.net.room.Room` is the
product's own table with its clients."""
