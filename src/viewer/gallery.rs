//! The samples that are embedded in the binary.

use crate::{
    asset::ClipAsset,
    formats::{self, Failure},
};

/// A recording that is embedded in the binary, for people who have none at hand.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Its name.
    pub name: &'static str,
    /// One line on what there is to see.
    pub line: &'static str,
    /// The recording.
    pub(super) bytes: &'static [u8],
    /// The extension it would have as a file.
    pub(super) extension: &'static str,
    /// A PNG of what it shows.
    pub picture: &'static [u8],
}

/// All samples, in the order of the gallery. Every one was made for the project.
pub static SAMPLES: [Sample; 2] = [
    Sample {
        name: "Two hands, head and gaze",
        line: "HoloLens hands that pinch; one gets lost",
        bytes: include_bytes!("../../assets/mrtk/two-hands.bin"),
        extension: "bin",
        picture: include_bytes!("../../assets/pictures/two-hands.png"),
    },
    Sample {
        name: "The same, as MRTK 2.6 saved it",
        line: "Damaged rotations, rebuilt on loading",
        bytes: include_bytes!("../../assets/mrtk/two-hands-damaged.bin"),
        extension: "bin",
        picture: include_bytes!("../../assets/pictures/two-hands-damaged.png"),
    },
];

impl Sample {
    /// Decodes it.
    ///
    /// # Errors
    /// None, unless the binary was built with a broken sample; a test sees to that.
    pub fn load(&self) -> Result<ClipAsset, Failure> {
        formats::decode(self.bytes, Some(self.extension), None).map(ClipAsset::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_opens_and_has_a_picture() {
        for sample in &SAMPLES {
            let clip = sample.load().unwrap().clip;
            assert!(clip.span.duration > 1.0, "{}", sample.name);
            let picture = image::load_from_memory(sample.picture).unwrap();
            assert_eq!((picture.width(), picture.height()), (480, 270), "{}", sample.name);
        }
    }
}
