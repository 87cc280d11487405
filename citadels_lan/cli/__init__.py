"""The command line: one module per command. A module is imported only when its command is run."""
