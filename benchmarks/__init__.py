"""What things cost. `python -m benchmarks` measures everything and prints a table; `python -m benchmarks engine`
only one part. Where a clock is noisy a figure is a ratio of two things measured in the same run."""
