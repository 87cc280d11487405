"""The rules as data: YAML rulings and the runner that plays them (`python -m tests.rulings
FILE_OR_FOLDER...`).

A ruling gives a table, the moves made at it and what must hold then. `schema` reads it, `cast` finds the
characters it is played with, `given` sets the table up, `play` makes the moves, `expect` compares."""
