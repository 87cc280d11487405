"""Benchmarks. `python -m benchmarks` measures everything and prints a table; `python -m benchmarks engine`
measures only one part. Where times depend on the load of the machine, the figure is a ratio of two times from
the same run."""
