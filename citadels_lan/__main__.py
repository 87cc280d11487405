"""`python -m citadels_lan` is the program."""

import sys

from citadels_lan.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
