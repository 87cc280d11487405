"""The program: `python -m citadels_lan`, or the command `citadels-lan`."""

import signal
import sys


def run() -> int:
    """Run the program and return its exit code. Ctrl-C while it is loaded ends it without a message."""
    default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if default:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from citadels_lan.cli.main import main

    if default:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return main()


if __name__ == "__main__":
    sys.exit(run())
