"""A viewer's side of a table. Other packages use `session.Session`."""
