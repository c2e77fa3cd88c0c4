"""Screenshots as arrays of pixels."""

import io

import numpy as np
from PIL import Image


class Picture:
    """The pixels of a PNG."""

    def __init__(self, png: bytes) -> None:
        self.pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(np.int16)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and np.array_equal(self.pixels, other.pixels)

    def viewport(self) -> np.ndarray:
        """Returns the pixels of the viewport, without the panels around it."""
        height, width, _ = self.pixels.shape
        return self.pixels[height // 6 : height // 2, width // 3 : width * 2 // 3]

    def count_colors(self) -> int:
        """Returns the number of colours in the viewport."""
        return len(np.unique(self.viewport().reshape(-1, 3), axis=0))

    def count_different(self, other: "Picture") -> int:
        """Returns the number of channel values in the viewport that differ by more than 12."""
        return int(np.count_nonzero(np.abs(self.viewport() - other.viewport()) > 12))
