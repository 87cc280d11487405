"""A viewer's side of a table: `session.Session` is its outside."""
