"""The parts of a log."""
