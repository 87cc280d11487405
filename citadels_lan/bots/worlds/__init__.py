"""What a seat knows of a table, and full states that it allows: `memory` and `sampling`."""
