"""`python -m citadels_lan` is the program, and so is the command `citadels-lan`."""

import signal
import sys


def run() -> int:
    """The program; its exit code. Ctrl-C before it is loaded ends it without a word."""
    loud = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if loud:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from citadels_lan.cli.main import main

    if loud:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return main()


if __name__ == "__main__":
    sys.exit(run())
