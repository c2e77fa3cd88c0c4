//! Builds valid and broken MRTK files. Nothing is validated, so that tests can write broken files.

use mutoscope_core::formats::mrtk::{
    Curve, Document, Hand, KeyLayout, Marker, PoseCurves, RayCurves, Version,
};

/// The parts of an MRTK file, in file order.
#[derive(Clone, Debug)]
pub struct Recording {
    pub version: Version,
    pub layout: KeyLayout,
    pub camera: Option<[Keys; 7]>,
    pub hands: Option<[HandKeys; 2]>,
    pub gaze: Option<[Keys; 6]>,
    pub markers: Option<Vec<(f32, Vec<u8>)>>,
}

/// The curves of a hand. The first of the 27 poses is that of MRTK's joint `None`.
#[derive(Clone, Debug)]
pub struct HandKeys {
    pub tracked: Keys,
    pub pinch: Keys,
    pub poses: Vec<[Keys; 7]>,
}

/// A curve: its wrap modes, and its keys as bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Keys {
    pub wrap: [i32; 2],
    pub bytes: Vec<u8>,
}

/// A key of 28 bytes: time, value, in-tangent, out-tangent, in-weight, out-weight; and the weighted
/// mode.
pub type FullKey = ([f32; 6], i32);

impl Keys {
    /// Creates keys of 8 bytes from times and values.
    pub fn simple(keys: &[(f32, f32)]) -> Self {
        let bytes = keys.iter().flat_map(|key| [key.0.to_le_bytes(), key.1.to_le_bytes()]);
        Self { wrap: [8, 8], bytes: bytes.flatten().collect() }
    }

    /// Creates keys of 28 bytes.
    pub fn full(keys: &[FullKey]) -> Self {
        let mut bytes = Vec::with_capacity(28 * keys.len());
        for (numbers, mode) in keys {
            numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            bytes.extend(mode.to_le_bytes());
        }
        Self { wrap: [8, 8], bytes }
    }

    /// Creates keys of 28 bytes with flat tangents and constant weights, as MRTK writes them.
    pub fn linear(keys: impl IntoIterator<Item = (f32, f32)>) -> Self {
        let full: Vec<FullKey> =
            keys.into_iter().map(|(time, value)| ([time, value, 0.0, 0.0, 0.0, 0.0], 3)).collect();
        Self::full(&full)
    }

    fn curve(&self, layout: KeyLayout) -> Curve<'_> {
        let [pre_wrap, post_wrap] = self.wrap;
        Curve { offset: 0, pre_wrap, post_wrap, layout, keys: (&*self.bytes).into() }
    }
}

impl Default for Keys {
    fn default() -> Self {
        Self { wrap: [8, 8], bytes: Vec::new() }
    }
}

impl Default for HandKeys {
    fn default() -> Self {
        let poses = vec![Default::default(); 27];
        Self { tracked: Keys::default(), pinch: Keys::default(), poses }
    }
}

impl Recording {
    /// Creates a recording of version 1.0 without keys.
    pub fn v1_0() -> Self {
        Self {
            version: Version::V1_0,
            layout: KeyLayout::Full,
            camera: Some(Default::default()),
            hands: Some(Default::default()),
            gaze: None,
            markers: Some(Vec::new()),
        }
    }

    /// Creates a recording of version 1.1 without parts.
    pub fn v1_1() -> Self {
        Self {
            version: Version::V1_1 { parts: [0; 3] },
            layout: KeyLayout::Simple,
            camera: None,
            hands: None,
            gaze: None,
            markers: Some(Vec::new()),
        }
    }

    /// Creates a recording of version 1.1 that contains only this camera.
    pub fn with_camera(camera: [Keys; 7]) -> Self {
        let version = Version::V1_1 { parts: [1, 0, 0] };
        Self { version, camera: Some(camera), ..Self::v1_1() }
    }

    /// Creates a recording of version 1.1 that contains only this gaze.
    pub fn with_gaze(gaze: [Keys; 6]) -> Self {
        let version = Version::V1_1 { parts: [0, 0, 1] };
        Self { version, gaze: Some(gaze), ..Self::v1_1() }
    }

    /// Encodes the file.
    pub fn encode(&self) -> Vec<u8> {
        let document = Document {
            version: self.version,
            layout: self.layout,
            camera: self.camera.as_ref().map(|keys| pose(keys, self.layout)),
            hands: self.hands.as_ref().map(|hands| hands.each_ref().map(|one| self.hand(one))),
            gaze: self.gaze.as_ref().map(|keys| {
                let [ox, oy, oz, dx, dy, dz] = keys.each_ref().map(|k| k.curve(self.layout));
                RayCurves { origin: [ox, oy, oz], direction: [dx, dy, dz] }
            }),
            markers: self
                .markers
                .as_ref()
                .map(|markers| markers.iter().map(|(time, name)| marker(*time, name)).collect()),
        };
        document.encode().expect("it is in memory")
    }

    fn hand<'a>(&self, hand: &'a HandKeys) -> Hand<'a> {
        let poses: Vec<_> = hand.poses.iter().map(|keys| pose(keys, self.layout)).collect();
        Hand {
            tracked: hand.tracked.curve(KeyLayout::Simple),
            pinch: hand.pinch.curve(KeyLayout::Simple),
            poses: Box::new(poses.try_into().expect("27 poses")),
        }
    }
}

fn marker(time: f32, name: &[u8]) -> Marker<'_> {
    Marker { offset: 0, time, name: name.into() }
}

fn pose(keys: &[Keys; 7], layout: KeyLayout) -> PoseCurves<'_> {
    let [px, py, pz, rx, ry, rz, rw] = keys.each_ref().map(|keys| keys.curve(layout));
    PoseCurves { position: [px, py, pz], rotation: [rx, ry, rz, rw] }
}
