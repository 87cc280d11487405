"""Benchmarks. `python -m benchmarks` measures everything and prints a table; `python -m benchmarks engine`
measures only one part. If times vary, a figure is a ratio of two times measured in the same run."""
