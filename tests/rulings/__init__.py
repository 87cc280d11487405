"""The rules as data: rulings in YAML files, and the runner that plays them (`python -m tests.rulings
FILE_OR_FOLDER...`).

A ruling is a test case for numbered rules: a table, the moves made at it, and what must hold after them.
`schema` reads it, `cast` finds the characters with which it is played, `given` sets up the table, `play`
makes the moves, `expect` compares the result.
"""
