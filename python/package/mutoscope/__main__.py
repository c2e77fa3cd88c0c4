"""The command line: ``mutoscope``, or ``python -m mutoscope``."""

import sys

from . import _native


def main() -> int:
    """Runs the command line with the arguments of the process, and returns its exit status."""
    return _native.main(["mutoscope", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
