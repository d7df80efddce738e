"""`python -m nimmt_lab`: the `nimmt-lab` command, for when the script is not on the PATH."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
