"""What is told of events beside their sentences: what hurts, what nobody answers, what matches."""
