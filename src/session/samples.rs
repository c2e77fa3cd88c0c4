//! The samples that are embedded in the binary.

use mutoscope_core::{clip::FormatId, io::bytes::NoSidecars, skeleton_file::LoadedSkeleton};

/// A recording that is embedded in the binary, for users without a recording of their own.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The name.
    pub name: &'static str,
    /// The format.
    pub format: FormatId,
    /// A description in one line.
    pub summary: &'static str,
    pub(in crate::session) bytes: &'static [u8],
    /// The skeleton of the sample. `None` plays the recording without a skeleton file.
    skeleton: Option<Skeleton>,
    /// A PNG image of the recording, 480 by 270 pixels.
    pub picture: &'static [u8],
}

#[derive(Clone, Copy, Debug)]
struct Skeleton {
    name: &'static str,
    bytes: &'static [u8],
}

/// All samples, in the order of the gallery. All of them were made for this project.
///
/// The files are in `assets`, in one folder for each format. A skeleton has the name of its
/// recording, so that `scripts/run` finds it. The images were made with `mutoscope render --size
/// 480x270`.
pub static SAMPLES: &[Sample] = &[
    Sample {
        name: "Two hands, head and gaze",
        format: FormatId::MRTK,
        summary: "HoloLens hands that pinch; one loses tracking",
        bytes: include_bytes!("../../assets/mrtk/two-hands.bin"),
        skeleton: None,
        picture: include_bytes!("../../assets/pictures/two-hands.png"),
    },
    Sample {
        name: "Two hands, damaged by MRTK 2.6",
        format: FormatId::MRTK,
        summary: "Damaged rotations, rebuilt on loading",
        bytes: include_bytes!("../../assets/mrtk/two-hands-damaged.bin"),
        skeleton: None,
        picture: include_bytes!("../../assets/pictures/two-hands-damaged.png"),
    },
    Sample {
        name: "Walk with a hat",
        format: FormatId::MAYA,
        summary: "Body joints, with most types of tangents",
        bytes: include_bytes!("../../assets/maya/walk-with-hat.anim"),
        skeleton: None,
        picture: include_bytes!("../../assets/pictures/maya-walk.png"),
    },
    Sample {
        name: "Lantern show",
        format: FormatId::ANIMJ,
        summary: "Lanterns, a lift, a colour, switches and subtitles",
        bytes: include_bytes!("../../assets/animj/lantern-show.animj"),
        skeleton: Some(Skeleton {
            name: "lantern-show.glb",
            bytes: include_bytes!("../../assets/animj/lantern-show.glb"),
        }),
        picture: include_bytes!("../../assets/pictures/lantern-show.png"),
    },
    Sample {
        name: "Swinging arm",
        format: FormatId::ANIMJ,
        summary: "A Resonite animation on its model",
        bytes: include_bytes!("../../assets/animj/arm-swing.animj"),
        skeleton: Some(Skeleton {
            name: "arm-swing.glb",
            bytes: include_bytes!("../../assets/animj/arm-swing.glb"),
        }),
        picture: include_bytes!("../../assets/pictures/arm-swing.png"),
    },
    Sample {
        name: "A day in Minecraft",
        format: mutoscope_minecraft::FORMAT_ID,
        summary: "Fells a tree, builds, swims and meets a zombie",
        bytes: include_bytes!("../../assets/mcmocap/a-day.mcmocap_rec"),
        skeleton: None,
        picture: include_bytes!("../../assets/pictures/a-day.png"),
    },
    Sample {
        name: "Walk cycle",
        format: FormatId::PRIME,
        summary: "A biped with locators, packed as in the games",
        bytes: include_bytes!("../../assets/prime/walk.ANIM"),
        skeleton: Some(Skeleton {
            name: "walk.CINF",
            bytes: include_bytes!("../../assets/prime/walk.CINF"),
        }),
        picture: include_bytes!("../../assets/pictures/prime-walk.png"),
    },
    Sample {
        name: "Skinned walker",
        format: FormatId::GLTF,
        summary: "A textured figure with two animations in one GLB",
        bytes: include_bytes!("../../assets/gltf/walker.glb"),
        skeleton: None,
        picture: include_bytes!("../../assets/pictures/walker.png"),
    },
    Sample {
        name: "Motion-capture walk",
        format: FormatId::BVH,
        summary: "A BVH hierarchy with end sites, in centimetres",
        bytes: include_bytes!("../../assets/bvh/walk.bvh"),
        skeleton: None,
        picture: include_bytes!("../../assets/pictures/bvh-walk.png"),
    },
];

impl Sample {
    pub(in crate::session) fn load_skeleton(&self) -> Option<LoadedSkeleton> {
        let skeleton = self.skeleton?;
        // Ignore the error, because the test `every_sample_opens_and_has_a_picture` reads every
        // skeleton.
        crate::registry().decode_skeleton(skeleton.bytes, skeleton.name, &NoSidecars).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, decode};

    #[test]
    fn every_sample_opens_and_has_a_picture() {
        for sample in SAMPLES {
            let recognised = decode(sample.bytes, &ReadOptions::from(crate::registry())).unwrap();
            assert_eq!(recognised.format, sample.format, "{}", sample.name);
            let rig = sample.load_skeleton();
            assert_eq!(rig.is_some(), sample.skeleton.is_some(), "{}", sample.name);
            let clip = match &rig {
                Some(rig) => decode(
                    sample.bytes,
                    &ReadOptions::from(crate::registry()).with_skeleton(rig.clone()),
                )
                .unwrap(),
                None => recognised,
            };
            assert!(clip.span.duration > 1.0, "{}", sample.name);
            let picture = image::load_from_memory(sample.picture).unwrap();
            assert_eq!((picture.width(), picture.height()), (480, 270), "{}", sample.name);
        }
    }
}
