"""The table, its journal, sealed moves, and bad guests."""
