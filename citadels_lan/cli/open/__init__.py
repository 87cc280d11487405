"""What `host`, `join` and `play` share: opening a table and sitting down at it."""
