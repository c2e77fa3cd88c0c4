//! Describes every threshold and filter that was used, in sentences that can be cited in a paper.

use std::collections::BTreeMap;

use super::RecordingReport;
use crate::StudyOptions;

pub(super) fn describe_method(
    recordings: &[RecordingReport],
    options: &StudyOptions,
) -> Vec<String> {
    let mut method = describe_sampling(recordings);
    if recordings.iter().any(RecordingReport::has_hands) {
        method.extend(describe_hands(options));
    }
    if recordings.iter().any(|recording| recording.has_measure("hands_")) {
        method.push(
            "Hands together: distance of the wrists; symmetry index (right − left)/(right + left) of the path lengths; \
             the largest Pearson correlation of the speeds within a lag of 0.5 s, over at least 2 s. A positive lag \
             means that the right hand follows; below r = 0.3 there is no lag."
                .to_owned(),
        );
    }
    if recordings.iter().any(|recording| recording.has_measure("gaze_")) {
        method.extend(describe_gaze(options));
    }
    if recordings.iter().any(|recording| recording.has_measure("head_")) {
        method.push(
            "Head: the path is the sum of the distances, the rotation the sum of the angles, from sample to sample, \
             unfiltered."
                .to_owned(),
        );
    }
    if recordings.iter().any(|recording| recording.has_measure("root_")) {
        method.extend(describe_body(options));
    }
    method
}

fn describe_sampling(recordings: &[RecordingReport]) -> Vec<String> {
    let mut rates: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for recording in recordings {
        if let Some((hz, from)) = recording.rate_hz.zip(recording.rate_from) {
            *rates.entry((hz.to_string(), from)).or_default() += 1;
        }
    }
    let rates = rates.iter().map(|((hz, from), count)| {
        let from = match *from {
            "option" => "as chosen",
            "file" => "stated by the file",
            "keys" => "the mean rate of the keys",
            _ => "assumed",
        };
        format!("{hz} Hz ({from}; {count} of {} recordings)", recordings.len())
    });
    let rates = rates.collect::<Vec<_>>().join(", ");
    vec![
        format!(
            "Samples: every recording was evaluated on an even grid by its format's own interpolation, in metres: {}.",
            if rates.is_empty() { "none" } else { &rates }
        ),
        "Gaps: nothing is interpolated across a loss of tracking, and no difference is taken across one. Stretches of \
         fewer than 10 samples have no kinematics. A value that cannot be known is empty, never 0."
            .to_owned(),
        "Ranges: filters and events are computed once, on the whole recording. An event belongs to the range in which \
         it starts, and its duration is not cut. Sums over steps need both ends within the range. Medians of even \
         counts are the mean of the middle two; standard deviations are of n − 1."
            .to_owned(),
    ]
}

fn describe_hands(options: &StudyOptions) -> Vec<String> {
    let StudyOptions {
        cutoff_hz,
        movement_speed_mps,
        movement_gap_s,
        movement_duration_s,
        movement_peak_mps,
        ..
    } = options;
    let filter = match *cutoff_hz > 0.0 {
        true => format!(
            "Filter: positions of wrist, thumb tip and index tip were filtered by a second-order Butterworth low-pass, \
             forward and backward, with a cut-off of {cutoff_hz} Hz for both passes together (Winter, Biomechanics and \
             Motor Control of Human Movement), except at rates of {} Hz and below. Gaze, heads and bodies are not filtered.",
            cutoff_hz / 0.4
        ),
        false => "Filter: positions were not filtered.".to_owned(),
    };
    vec![
        filter,
        "Derivatives: central differences, one-sided at the ends of a tracked stretch. Path length is the sum of the \
         filtered steps, so it is less than that of raw samples, to which jitter adds."
            .to_owned(),
        format!(
            "Movements (our definition): wrist speed of at least {movement_speed_mps} m/s, merged across pauses of up to \
             {movement_gap_s} s, of at least {movement_duration_s} s and a peak of {movement_peak_mps} m/s. Those that \
             touch a loss of tracking are listed as cut and left out of medians."
        ),
        "Speed peaks: local maxima with a prominence of at least 5 % of the peak and 0.02 m/s, an estimate of the number \
         of submovements."
            .to_owned(),
        "LDLJ: −ln(T³/s² · ∫ |jerk|² dt) of the jerk vector (Balasubramanian et al. 2015). SPARC: spectral arc length of \
         the speed, 10 Hz, threshold 0.05, padding 4 (Balasubramanian et al. 2015). Both depend on filter, rate and \
         thresholds: compare them only at equal settings."
            .to_owned(),
        "Workspace: volume of the convex hull of the filtered wrist positions; one wrong sample changes it.".to_owned(),
        "Tremor: unfiltered wrist positions, Welch's method (Hann, 4 s, half overlapping, linear detrending), the three \
         axes added; root mean square of 4 to 12 Hz, and the peak of the acceleration there. The posture must be held: \
         voluntary motion leaks in."
            .to_owned(),
        format!(
            "Pinches: episodes of the recorder's pinch signal. Aperture: the largest distance of the tips within {} s \
             before; closing speed from there to the pinch. Reach: the hand's last movement that began before and ended \
             no more than 0.3 s before the pinch.",
            options.aperture_window_s
        ),
        format!(
            "Gaze leads hand (our definition): the gaze is on the target, the point between the tips at the pinch, while \
             it is within {}° of it, across pauses of up to 75 ms. A positive lead means that the eye is first.",
            options.gaze_on_target_deg
        ),
    ]
}

fn describe_gaze(options: &StudyOptions) -> Vec<String> {
    vec![
        "Lost gaze: runs of at least 0.1 s in which the gaze is within 0.02° of the head's forward, which recorders write \
         while the eye is not tracked."
            .to_owned(),
        format!(
            "Fixations: dispersion threshold (I-DT) of {}° and at least {} s (Salvucci & Goldberg 2000), on directions in \
             the world.",
            options.fixation_dispersion_deg, options.fixation_duration_s
        ),
        format!(
            "Saccades: velocity threshold (I-VT) of {}°/s on unfiltered directions, of at least {}° (Salvucci & Goldberg \
             2000; thresholds as Olsen 2012). Main sequence: least squares of ln(peak velocity) on ln(amplitude), over at \
             least 5 saccades of which the largest is twice the smallest.",
            options.saccade_velocity_degps, options.saccade_amplitude_deg
        ),
        "Head share: the part of the saccades' amplitudes that the head turned meanwhile. Areas: the nearest that the ray \
         hits; a fixation is on the area that its mean ray hits at its middle time."
            .to_owned(),
    ]
}

fn describe_body(options: &StudyOptions) -> Vec<String> {
    vec![
        "Bodies were measured at the frames of the file. Loop: joints without the root's horizontal position, the last frame \
         against the first; the gap in steps is divided by the largest median step of a joint."
            .to_owned(),
        format!(
            "Feet: in contact during a step if both ends are at most {} m above the foot's lowest position in the range and \
             it rises or falls by at most {} m/s; the slide is the horizontal path in contact. Ground: {} m, with a \
             tolerance of {} m.",
            options.contact_height_m, options.contact_speed_mps, options.ground_m, options.ground_tolerance_m
        ),
    ]
}
