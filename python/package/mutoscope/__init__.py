"""Motion recordings as NumPy arrays.

    >>> import mutoscope as mu
    >>> clip = mu.open("take.bin")
    >>> poses = clip.sample([0.0, 0.5, 1.0])
    >>> poses.positions[:, clip.index("right/IndexTip")]  # (3, 3), metres

`open` reads every format that Mutoscope plays. A `Clip` keeps the numbers of the file as they are:
`Clip.tracks`. Poses are in the viewer's space whatever the file counts in: right-handed, Y up,
−Z forward, metres, quaternions as x, y, z, w, times in seconds.
"""

from ._error import Error
from ._native import (
    Alignment,
    Animation,
    Area,
    Clip,
    Comparison,
    Conversion,
    Convention,
    Episode,
    Event,
    Fixation,
    Issue,
    JointDeviation,
    JointMotion,
    Key,
    Keys,
    Node,
    Remark,
    Sample,
    Signal,
    Track,
    __version__,
    animations,
    compare,
    convert,
    dwells,
    episodes,
    fixations,
    joint_motion,
    open,
)
from ._show import show, to_html

__all__ = [
    "Alignment",
    "Animation",
    "Area",
    "Clip",
    "Comparison",
    "Conversion",
    "Convention",
    "Episode",
    "Error",
    "Event",
    "Fixation",
    "Issue",
    "JointDeviation",
    "JointMotion",
    "Key",
    "Keys",
    "Node",
    "Remark",
    "Sample",
    "Signal",
    "Track",
    "__version__",
    "animations",
    "compare",
    "convert",
    "dwells",
    "episodes",
    "fixations",
    "joint_motion",
    "open",
    "show",
    "to_html",
]
