"""The program: `python -m citadels_lan`, or the command `citadels-lan`."""

import signal
import sys


def run() -> int:
    """Run the program and return its exit code. Ctrl-C while the program loads ends it without a message."""
    if getattr(sys, "frozen", False):
        _run_frozen()
    default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if default:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from citadels_lan.cli.main import main

    if default:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return main()


def _run_frozen() -> None:
    """In a single-file program: run what this process was started for. That is a worker of multiprocessing
    (the call then never returns) or a module that `platform.process.command_of` names; otherwise do
    nothing."""
    import multiprocessing

    multiprocessing.freeze_support()
    module = sys.argv.pop(1) if sys.argv[1:2] and sys.argv[1].startswith("citadels_lan") else ""
    if module == "citadels_lan.web":
        from citadels_lan.web.__main__ import main as serve

        serve()
        sys.exit()


if __name__ == "__main__":
    sys.exit(run())
