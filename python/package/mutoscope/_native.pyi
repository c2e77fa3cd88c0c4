import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._error import Error

if TYPE_CHECKING:
    import pandas
    import polars

class _BinaryFile(Protocol):
    def read(self) -> bytes: ...

_Source: TypeAlias = str | os.PathLike[str] | bytes | bytearray | memoryview | _BinaryFile
_Joint: TypeAlias = str | int
_Hand: TypeAlias = Literal["right", "left"]
_Kind: TypeAlias = Literal["movements", "pinches", "saccades", "fixations", "dwells"]
_Columns: TypeAlias = str | os.PathLike[str] | dict[str, Any]
# "auto", "off", the path of a bone map, or a bone map as a dict.
_Retarget: TypeAlias = str | os.PathLike[str] | dict[str, Any]
_Axis: TypeAlias = Literal["x", "y", "z", "-x", "-y", "-z"]
_Handle: TypeAlias = tuple[float, float] | None
_Floats: TypeAlias = NDArray[np.float64]

__version__: str

def open(
    source: _Source,
    *,
    as_: str | None = None,
    columns: _Columns | None = None,
    rate: float | None = None,
    rig: _Source | None = None,
    retarget: _Retarget | None = None,
    allow_unmatched_rig: bool = False,
    rotation: Literal["short", "engine"] | None = None,
    handedness: Literal["left", "right"] | None = None,
    up: Literal["Y", "Z"] | None = None,
    metres_per_unit: float | None = None,
    seconds_per_unit: float | None = None,
    animation: str | None = None,
    character: str | None = None,
    clip: str | None = None,
    name: str | None = None,
    sidecars: Mapping[str, bytes] | None = None,
) -> Clip: ...
def _page(recordings: list[tuple[Any, float, float, tuple[int, int, int] | None]], view: dict[str, Any]) -> str: ...
def _pack(recordings: list[tuple[Any, float, float, tuple[int, int, int] | None]], view: dict[str, Any]) -> bytes: ...
def _element_script() -> str: ...
def animations(
    source: _Source,
    *,
    as_: str | None = None,
    name: str | None = None,
    sidecars: Mapping[str, bytes] | None = None,
) -> list[Animation]: ...
def bones(
    source: Clip | _Source,
    *,
    rig: _Source | None = None,
    retarget: _Retarget | None = None,
    as_: str | None = None,
    animation: str | None = None,
    name: str | None = None,
    sidecars: Mapping[str, bytes] | None = None,
) -> dict[str, Any]: ...
@overload
def columns(
    source: Clip | _Source,
    *,
    text: Literal[False] = False,
    as_: str | None = None,
    columns: _Columns | None = None,
    name: str | None = None,
    sidecars: Mapping[str, bytes] | None = None,
) -> dict[str, Any]: ...
@overload
def columns(
    source: Clip | _Source,
    *,
    text: Literal[True],
    as_: str | None = None,
    columns: _Columns | None = None,
    name: str | None = None,
    sidecars: Mapping[str, bytes] | None = None,
) -> str: ...
def compare(
    a: Clip | _Source,
    b: Clip | _Source,
    *,
    align: bool = False,
    offset: float | None = None,
    rate: float = 1.0,
    joints: Sequence[_Joint | tuple[_Joint, _Joint]] | None = None,
) -> Comparison: ...
def convert(
    source: Clip | _Source,
    output: str | os.PathLike[str],
    *,
    to: Literal[
        "glb",
        "fbx",
        "vrma",
        "html",
        "html-exact",
        "csv",
        "animj",
        "animx",
        "anim",
        "bvh",
        "mrtk",
        "prime",
        "parquet",
        "arrow",
        "mcap",
    ]
    | None = None,
    range: tuple[float, float] | None = None,
    fps: float | None = None,
    in_place: Literal["keep", "remove", "root"] | None = None,
    output_up: _Axis | None = None,
    output_forward: _Axis | None = None,
    rest: Literal["file", "t-pose"] | float | None = None,
    scale: float | None = None,
    as_: str | None = None,
    columns: _Columns | None = None,
    rig: _Source | None = None,
    retarget: _Retarget | None = None,
    allow_unmatched_rig: bool = False,
    rotation: Literal["short", "engine"] | None = None,
    handedness: Literal["left", "right"] | None = None,
    up: Literal["Y", "Z"] | None = None,
    metres_per_unit: float | None = None,
    seconds_per_unit: float | None = None,
    animation: str | None = None,
    character: str | None = None,
    clip: str | None = None,
    ascii: bool = False,
    mrtk_version: Literal["1.0", "1.1"] | None = None,
    compression: Literal["none", "lz4", "lzma"] | None = None,
    prime_format: Literal["0", "2"] | None = None,
) -> Conversion: ...
def fixations(
    gaze: Clip | tuple[ArrayLike, ArrayLike],
    *,
    method: Literal["idt", "ivt"] = "idt",
    node: _Joint | None = None,
    times: ArrayLike | None = None,
    dispersion: float = 1.0,
    velocity: float = 30.0,
    duration: float | None = None,
    merged_within: float = 0.075,
    merged_angle: float = 0.5,
) -> list[Fixation]: ...
def dwells(
    clip: Clip,
    areas: Sequence[Area],
    *,
    node: _Joint | None = None,
    times: ArrayLike | None = None,
) -> list[Episode]: ...
def episodes(clip: Clip, signal: str) -> list[Episode]: ...
def joint_motion(clip: Clip, joint: _Joint, *, rate: float = 120.0) -> JointMotion: ...
def report(
    sources: Clip | str | os.PathLike[str] | Iterable[Clip | str | os.PathLike[str]],
    *,
    labels: str | os.PathLike[str] | Sequence[Label] | Literal[False] | None = None,
    areas: Sequence[Area | str] = (),
    rate: float | None = None,
    cutoff: float = 10.0,
    movement_speed: float = 0.05,
    saccade_velocity: float = 30.0,
    gaze_on_target: float = 5.0,
    ground: float = 0.0,
    feet: Sequence[str] = (),
    device: str | None = None,
    as_: str | None = None,
    columns: _Columns | None = None,
    rig: _Source | None = None,
    retarget: _Retarget | None = None,
    allow_unmatched_rig: bool = False,
    rotation: Literal["short", "engine"] | None = None,
    handedness: Literal["left", "right"] | None = None,
    up: Literal["Y", "Z"] | None = None,
    metres_per_unit: float | None = None,
    seconds_per_unit: float | None = None,
    animation: str | None = None,
    character: str | None = None,
    clip: str | None = None,
) -> Report: ...
def movements(
    motion: Clip | ArrayLike,
    hand: _Hand | None = None,
    *,
    rate: float | None = None,
    cutoff: float = 10.0,
    movement_speed: float = 0.05,
) -> list[Movement]: ...
def saccades(
    gaze: Clip | ArrayLike, *, rate: float | None = None, saccade_velocity: float = 30.0
) -> list[Saccade]: ...
def pinches(
    clip: Clip,
    hand: _Hand | None = None,
    *,
    rate: float | None = None,
    cutoff: float = 10.0,
    movement_speed: float = 0.05,
    gaze_on_target: float = 5.0,
) -> list[Pinch]: ...
def smoothness(speed: ArrayLike, rate: float) -> Smoothness: ...
def labels(path: str | os.PathLike[str]) -> list[Label]: ...
def save_labels(labels: Sequence[Label], path: str | os.PathLike[str]) -> list[str]: ...
def main(arguments: Sequence[str]) -> int: ...
def _seconds_of_rust(clip: Clip, times: ArrayLike) -> float: ...
@final
class Clip:
    @property
    def path(self) -> Path | None: ...
    @property
    def name(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def character(self) -> str | None: ...
    @property
    def start(self) -> float: ...
    @property
    def duration(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def rate_hz(self) -> float | None: ...
    @property
    def is_looping(self) -> bool | None: ...
    @property
    def key_count(self) -> int: ...
    @property
    def convention(self) -> Convention: ...
    @property
    def variants(self) -> dict[str, tuple[str | None, list[str]]]: ...
    @property
    def facts(self) -> dict[str, str]: ...
    @property
    def nodes(self) -> list[Node]: ...
    @property
    def node_names(self) -> list[str]: ...
    def index(self, name: str) -> int: ...
    @property
    def tracks(self) -> MappingProxyType[str, Track]: ...
    @property
    def signals(self) -> list[Signal]: ...
    @property
    def events(self) -> list[Event]: ...
    def issues(self) -> list[Issue]: ...
    @property
    def rig_issues(self) -> list[tuple[str, str, str, str]]: ...
    def key_times(self) -> _Floats: ...
    def sample(
        self, times: ArrayLike, *, nodes: Sequence[_Joint] | None = None, local: bool = False
    ) -> Sample: ...
    @overload
    def to_frame(
        self,
        times: ArrayLike | None = None,
        *,
        layout: Literal["long", "wide"] = "long",
        library: Literal["polars"],
        nodes: Sequence[_Joint] | None = None,
        local: bool = False,
    ) -> polars.DataFrame: ...
    @overload
    def to_frame(
        self,
        times: ArrayLike | None = None,
        *,
        layout: Literal["long", "wide"] = "long",
        library: Literal["pandas"],
        nodes: Sequence[_Joint] | None = None,
        local: bool = False,
    ) -> pandas.DataFrame: ...
    @overload
    def to_frame(
        self,
        times: ArrayLike | None = None,
        *,
        layout: Literal["long", "wide"] = "long",
        library: None = None,
        nodes: Sequence[_Joint] | None = None,
        local: bool = False,
    ) -> Any: ...
    def to_html(
        self,
        *,
        against: Clip | _Source | Sequence[Clip | _Source] = (),
        offsets: float | Sequence[float] | None = None,
        rates: float | Sequence[float] | None = None,
        at: float | None = None,
        range: tuple[float, float] | None = None,
        select: str | None = None,
        title: str | None = None,
        autoplay: bool = True,
        loop: bool = True,
        exact: bool = False,
    ) -> str: ...
    def show(
        self,
        *,
        against: Clip | _Source | Sequence[Clip | _Source] = (),
        offsets: float | Sequence[float] | None = None,
        rates: float | Sequence[float] | None = None,
        at: float | None = None,
        range: tuple[float, float] | None = None,
        select: str | None = None,
        autoplay: bool = False,
        loop: bool = True,
        height: int = 420,
    ) -> Any: ...

@final
class Sample:
    @property
    def times(self) -> _Floats: ...
    @property
    def positions(self) -> _Floats: ...
    @property
    def rotations(self) -> _Floats: ...
    @property
    def scales(self) -> _Floats: ...
    @property
    def visible(self) -> NDArray[np.bool_]: ...
    @property
    def signals(self) -> dict[str, NDArray[Any]]: ...
    @property
    def nodes(self) -> list[str]: ...
    @property
    def local(self) -> bool: ...
    def column(self, name: str) -> int: ...
    def __len__(self) -> int: ...

@final
class Track:
    @property
    def name(self) -> str: ...
    @property
    def index(self) -> int: ...
    @property
    def node(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def unit(self) -> str | None: ...
    @property
    def place(self) -> str: ...
    @property
    def times(self) -> _Floats: ...
    @property
    def values(self) -> NDArray[Any]: ...
    @property
    def keys(self) -> Keys: ...
    def sample(self, times: ArrayLike) -> NDArray[Any]: ...
    def __len__(self) -> int: ...
    # Declare `property` last, because it hides the decorator from here on.
    @property
    def property(self) -> str: ...

@final
class Keys:
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Key: ...

@final
class Key:
    @property
    def index(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def value(self) -> Any: ...
    @property
    def place(self) -> str: ...
    @property
    def interpolation(
        self,
    ) -> Literal["step", "step-next", "nearest", "linear", "smooth"] | None: ...
    @property
    def handles(self) -> list[tuple[_Handle, _Handle]]: ...
    @property
    def integers(self) -> list[int] | None: ...

@final
class Node:
    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def parent(self) -> int | None: ...
    @property
    def group(self) -> str | None: ...
    @property
    def kind(
        self,
    ) -> Literal["head", "ray", "joint", "tip", "locator", "shape", "effector", "helper"]: ...
    @property
    def side(self) -> Literal["left", "right"] | None: ...

@final
class Signal:
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> Literal["tracked", "pinch", "attribute"]: ...
    @property
    def track(self) -> str: ...

@final
class Event:
    @property
    def time(self) -> float: ...
    @property
    def node(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def kind(self) -> str | None: ...
    @property
    def fires(self) -> bool: ...
    @property
    def place(self) -> str: ...

@final
class Issue:
    @property
    def severity(self) -> Literal["error", "warning", "info"]: ...
    @property
    def topic(self) -> str | None: ...
    @property
    def message(self) -> str: ...
    @property
    def place(self) -> str: ...
    @property
    def time(self) -> float | None: ...
    @property
    def end(self) -> float | None: ...
    @property
    def node(self) -> str | None: ...
    @property
    def track(self) -> str | None: ...
    @property
    def key(self) -> int | None: ...

@final
class Convention:
    @property
    def handedness(self) -> Literal["left", "right"]: ...
    @property
    def up(self) -> Literal["Y", "Z"]: ...
    @property
    def metres_per_unit(self) -> float: ...
    @property
    def seconds_per_unit(self) -> float | None: ...
    @property
    def rotation(self) -> Literal["short", "engine"]: ...
    @property
    def origins(self) -> dict[str, Literal["declared", "assumed", "chosen"]]: ...

@final
class Comparison:
    @property
    def offset(self) -> float: ...
    @property
    def rate(self) -> float: ...
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def times(self) -> _Floats: ...
    @property
    def distances(self) -> _Floats: ...
    @property
    def rms(self) -> float | None: ...
    @property
    def mean(self) -> tuple[float, float, float] | None: ...
    @property
    def alignment(self) -> Alignment | None: ...
    @property
    def joints(self) -> list[JointDeviation]: ...

@final
class Alignment:
    @property
    def offset(self) -> float: ...
    @property
    def correlation(self) -> float: ...
    @property
    def certain(self) -> bool: ...
    @property
    def interval(self) -> float: ...
    @property
    def runner_up(self) -> tuple[float, float] | None: ...

@final
class JointDeviation:
    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...
    @property
    def distances(self) -> _Floats: ...
    @property
    def seen(self) -> int: ...
    @property
    def max(self) -> float | None: ...
    @property
    def max_at(self) -> float | None: ...
    @property
    def rms(self) -> float | None: ...
    @property
    def rms_in_place(self) -> float | None: ...
    @property
    def mean(self) -> tuple[float, float, float] | None: ...
    @property
    def max_angle(self) -> float | None: ...
    @property
    def rms_angle(self) -> float | None: ...

@final
class Conversion:
    @property
    def path(self) -> Path: ...
    @property
    def target(self) -> str: ...
    @property
    def bytes(self) -> int: ...
    @property
    def report(self) -> list[Remark]: ...

@final
class Remark:
    @property
    def severity(self) -> Literal["info", "warning", "error"]: ...
    @property
    def message(self) -> str: ...

@final
class Animation:
    @property
    def name(self) -> str: ...
    @property
    def duration(self) -> float | None: ...

@final
class Area:
    @property
    def name(self) -> str: ...
    @property
    def joint(self) -> str | None: ...
    @staticmethod
    def sphere(
        name: str, centre: Sequence[float], radius: float, *, joint: str | None = None
    ) -> Area: ...
    @staticmethod
    def box(
        name: str,
        centre: Sequence[float],
        size: Sequence[float],
        *,
        rotation: Sequence[float] | None = None,
        joint: str | None = None,
    ) -> Area: ...
    @staticmethod
    def plane(
        name: str,
        centre: Sequence[float],
        size: Sequence[float],
        *,
        rotation: Sequence[float] | None = None,
        joint: str | None = None,
    ) -> Area: ...

@final
class Fixation:
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def direction(self) -> tuple[float, float, float]: ...
    @property
    def origin(self) -> tuple[float, float, float]: ...
    @property
    def first(self) -> int: ...
    @property
    def count(self) -> int: ...

@final
class Episode:
    @property
    def name(self) -> str: ...
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...

@final
class JointMotion:
    @property
    def visible(self) -> float: ...
    @property
    def path_length(self) -> float: ...
    @property
    def mean_speed(self) -> float: ...
    @property
    def max_speed(self) -> float: ...
    @property
    def max_at(self) -> float: ...

@final
class Report:
    @property
    def messages(self) -> list[str]: ...
    @property
    def errors(self) -> list[Error]: ...
    @overload
    def to_frame(self, *, library: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def to_frame(self, *, library: Literal["pandas"]) -> pandas.DataFrame: ...
    @overload
    def to_frame(self, *, library: None = None) -> Any: ...
    @overload
    def areas(self, *, library: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def areas(self, *, library: Literal["pandas"]) -> pandas.DataFrame: ...
    @overload
    def areas(self, *, library: None = None) -> Any: ...
    @overload
    def events(self, kind: _Kind, *, library: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def events(self, kind: _Kind, *, library: Literal["pandas"]) -> pandas.DataFrame: ...
    @overload
    def events(self, kind: _Kind, *, library: None = None) -> Any: ...
    def to_dict(self) -> dict[str, Any]: ...
    def save(
        self,
        path: str | os.PathLike[str],
        *,
        to: Literal["html", "csv", "parquet", "json"] | None = None,
        link: str | None = None,
    ) -> list[Path]: ...

@final
class Label:
    def __new__(cls, start: float, end: float, label: str, tier: str | None = None) -> Label: ...
    def __getnewargs__(self) -> tuple[float, float, str, str | None]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def label(self) -> str: ...
    @property
    def tier(self) -> str | None: ...

@final
class Movement:
    @property
    def hand(self) -> Literal["right", "left", ""]: ...
    @property
    def start_s(self) -> float: ...
    @property
    def end_s(self) -> float: ...
    @property
    def duration_s(self) -> float: ...
    @property
    def path_m(self) -> float: ...
    @property
    def displacement_m(self) -> float: ...
    @property
    def straightness(self) -> float: ...
    @property
    def peak_speed_mps(self) -> float: ...
    @property
    def mean_speed_mps(self) -> float: ...
    @property
    def time_to_peak_s(self) -> float: ...
    @property
    def speed_peaks(self) -> int: ...
    @property
    def ldlj(self) -> float: ...
    @property
    def sparc(self) -> float: ...
    @property
    def cut(self) -> bool: ...

@final
class Pinch:
    @property
    def hand(self) -> _Hand: ...
    @property
    def start_s(self) -> float: ...
    @property
    def end_s(self) -> float: ...
    @property
    def duration_s(self) -> float: ...
    @property
    def aperture_peak_m(self) -> float | None: ...
    @property
    def aperture_peak_s(self) -> float | None: ...
    @property
    def closing_speed_mps(self) -> float | None: ...
    @property
    def reach_start_s(self) -> float | None: ...
    @property
    def reach_s(self) -> float | None: ...
    @property
    def reach_time_to_peak_speed_s(self) -> float | None: ...
    @property
    def reach_time_to_peak_aperture_s(self) -> float | None: ...
    @property
    def gaze_lead_s(self) -> float | None: ...
    @property
    def gaze_lead_onset_s(self) -> float | None: ...

@final
class Saccade:
    @property
    def start_s(self) -> float: ...
    @property
    def end_s(self) -> float: ...
    @property
    def duration_s(self) -> float: ...
    @property
    def amplitude_deg(self) -> float: ...
    @property
    def peak_velocity_degps(self) -> float: ...
    @property
    def mean_velocity_degps(self) -> float: ...
    @property
    def head_deg(self) -> float | None: ...

@final
class Smoothness:
    @property
    def sparc(self) -> float: ...
    @property
    def ldlj(self) -> float: ...
