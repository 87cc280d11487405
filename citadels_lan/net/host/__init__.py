"""The host's side of a table. Other packages use `opening.open_table`."""
