//! Lists the limits of devices and formats, with sources.

use super::RecordingReport;

pub(super) fn list_limits(recordings: &[RecordingReport], device: Option<&str>) -> Vec<String> {
    let has_gaze = recordings.iter().any(|recording| recording.has_measure("gaze_"));
    let has_hands = recordings.iter().any(RecordingReport::has_hands);
    let is_mrtk = recordings.iter().any(|recording| recording.format.as_deref() == Some("mrtk"));
    let name = device.map(str::to_lowercase);
    let may_be_device = |names: &[&str]| {
        name.as_ref().is_none_or(|own| names.iter().any(|known| own.contains(known)))
    };
    let (is_hololens, is_quest) = (may_be_device(&["hololens"]), may_be_device(&["quest"]));
    let mut limits = vec![match device {
        Some(device) => format!("Device, as named by the user: {device}. The files do not say."),
        None => {
            "Device: the files do not say. Limits of devices that may have been used are listed."
                .to_owned()
        }
    }];
    if has_gaze && is_hololens {
        limits.push(
            "HoloLens 2, gaze: accuracy 0.83°, precision 0.27° at rest, n = 21 (Kapp et al. 2021, ARETT, Sensors 21:2234). \
             The maker says within about 1.5° and advises targets of 2 to 3°; 30 Hz, or 60 and 90 with the extended API. \
             It was found largely uncalibrated in 30 adults (Aziz & Komogortsev 2022)."
                .to_owned(),
        );
    }
    if has_hands && is_quest {
        limits.push(
            "Quest 2, hands: fingertips 1.1 cm, joint angles 9.6°, delay 45 ms (38 ms in the preprint) (Abdlkarim et al. \
             2023, 10.3758/s13428-022-02051-8); tracked at 30 Hz, or 50 to 60 in the fast mode."
                .to_owned(),
        );
    }
    if has_hands && is_hololens {
        limits.push("HoloLens 2, hands: no agreed figure of accuracy was found.".to_owned());
    }
    if device.is_some() && !is_hololens && !is_quest && (has_gaze || has_hands) {
        limits.push("No figures of accuracy are known to this program for that device.".to_owned());
    }
    if has_hands {
        limits.push(
            "Hands: apertures below 2 cm are within the error of tracking. Trackers smooth: tremor is damped, and nobody \
             publishes by how much."
                .to_owned(),
        );
    }
    if is_mrtk {
        limits.push(
            "MRTK: version 1.1 thins curves within 1 mm (joints), 2 mm (gaze, camera) and 0.2°, and up to 0.53 s at the end \
             are lost. Path and tremor below 1 mm are those of the thinned curve. Jerk suffers most: minimum-jerk reaches \
             with two keys in three gone fall from an LDLJ of −4.2 to −4.7 … −6.7, while SPARC stays within −1.40 … −1.65."
                .to_owned(),
        );
        limits.push(
            "MRTK has no signal that the gaze is tracked: a loss is inferred, and thinning blurs it.".to_owned(),
        );
    }
    limits.push(
        "Out of reach: pupil size, cognitive load, blinks, vergence and gaze depth, pursuits, microsaccades, fitted \
         submovements, joint limits without an anatomical model, tests of significance."
            .to_owned(),
    );
    limits
}
