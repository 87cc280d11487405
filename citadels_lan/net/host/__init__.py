"""The host's side of a table: `opening.open_table` is its outside."""
