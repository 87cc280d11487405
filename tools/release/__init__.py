"""The tools that make and try a release. docs/releasing.md lists when to run them."""
