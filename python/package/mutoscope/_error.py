"""The one exception."""

from __future__ import annotations


class Error(Exception):
    """A file could not be read or written, or two recordings could not be compared.

    Its text is one line, as the command line prints it: ``PATH: FORMAT at PLACE: MESSAGE``. A file that the
    system does not give has its `OSError` as ``__cause__``. Wrong arguments are a `ValueError`, a
    `TypeError` or, for names that a recording does not have, a `KeyError`.

    Attributes
    ----------
    path : str or None
        The file, as it was given; ``<bytes>`` for bytes without a name.
    format : str or None
        The word for its format, such as ``"mrtk"``, if one was recognised.
    place : str or None
        Where in the file: ``"byte 0x1a4"``, ``"line 12, column 5"``, ``"the whole file"``.
    message : str
        One sentence that says what was expected and what was found.
    """

    path: str | None = None
    format: str | None = None
    place: str | None = None
    message: str = ""
