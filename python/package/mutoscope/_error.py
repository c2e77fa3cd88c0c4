"""The exception of this package."""

from __future__ import annotations


class Error(Exception):
    """An error of a file that cannot be read or written, or of recordings that cannot be compared.

    Its text is one line, as the command line prints it: ``PATH: FORMAT at PLACE: MESSAGE``. If the system
    refused access to a file, ``__cause__`` is the `OSError`. Invalid arguments raise a `ValueError`, a
    `TypeError` or, for names that a recording does not have, a `KeyError`.

    Attributes
    ----------
    path : str or None
        The path as passed by the caller, or ``<bytes>`` for bytes without a name.
    format : str or None
        The id of the format, such as ``"mrtk"``. None if the format was not recognised.
    place : str or None
        The location in the file: ``"byte 0x1a4"``, ``"line 12, column 5"``, ``"the whole file"``.
    message : str
        One sentence that states what was expected and what was found.
    """

    path: str | None = None
    format: str | None = None
    place: str | None = None
    message: str = ""
