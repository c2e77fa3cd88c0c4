//! Tests of profiles and verdicts, and of recordings that cannot be judged.

use mutoscope_core::{
    clip::{Clip, Convention, FormatId},
    diagnostics::{Measure, Severity},
    read::Message,
};
use mutoscope_study::verdict::{Outcome, Profile, Verdict, check_motion, motion_checks};
use mutoscope_testing::recording::{HandKeys, Keys, Recording};

use crate::clip;

fn parse(text: &str) -> Result<Profile, String> {
    Profile::parse("test.toml", text, &[])
}

#[test]
fn written_profiles_are_read_again() {
    let text = "fail_on = [\"warning\", \"error\"]\n\n[codes.\"hand/jump\"]\nthreshold = 5.5\n";
    let mut profile = Profile::parse("own.toml", text, &[]).unwrap();
    profile.set_muted("hand/jump", true);
    profile.set_muted("head/speed", true);
    let read = |profile: &Profile| Profile::parse("own.toml", &profile.to_toml(), &[]).unwrap();
    assert_eq!(read(&profile), profile);
    assert_eq!(profile.muted_codes().collect::<Vec<_>>(), ["hand/jump", "head/speed"]);
    profile.set_muted("head/speed", false);
    profile.set_muted("hand/jump", false);
    assert_eq!(profile, Profile::parse("own.toml", text, &[]).unwrap(), "the threshold is kept");
}

#[test]
fn profiles_reject_what_they_do_not_know() {
    for (text, named) in [
        ("colour = 1", "colour"),
        ("[codes.\"hand/jump\"]\nlimit = 1.0", "limit"),
        ("[codes.\"hand/jmup\"]\nthreshold = 1.0", "hand/jmup"),
        ("[codes.\"hand/swapped\"]\nthreshold = 1.0", "threshold"),
        ("[codes.\"hand/jump\"]\nthreshold_mps = 1.0", "threshold_mps"),
        ("[codes.\"hand/jump\"]\nthreshold = -1.0", "-1"),
        ("[codes.\"hand/jump\"]\nthreshold = nan", "NaN"),
        ("[codes.\"hand/jump\"]\nseverity = \"loud\"", "loud"),
        ("fail_on = [\"off\"]", "fail_on"),
        ("fail_on = 3", "fail_on"),
    ] {
        let message = parse(text).unwrap_err();
        assert!(message.contains(named), "{text}: {message}");
    }
}

#[test]
fn profiles_change_thresholds_and_severities() {
    let profile = parse(
        "review_on = []\n[codes.\"head/speed\"]\nthreshold = 9.0\nthreshold_mps = 3.0\n\
         [codes.\"hand/jump\"]\nseverity = \"off\"",
    )
    .unwrap();
    let thresholds = motion_checks()
        .filter(|check| check.code.as_str() == "head/speed")
        .map(|check| profile.threshold(check));
    assert_eq!(thresholds.collect::<Vec<_>>(), [Some(9.0), Some(3.0)]);
    assert_eq!(profile.severity("hand/jump", Severity::Error), None);
    assert_eq!(profile.severity("hand/jitter", Severity::Info), Some(Severity::Info));
    assert!(profile.fails_on(Severity::Error) && !profile.reviews_on(Severity::Warning));
}

#[test]
fn verdicts_name_the_worst_reasons_first() {
    let message = |code: &'static str, severity, value: f64, time| Message {
        code: Some(code.into()),
        severity,
        time: Some(time),
        measure: Some(Measure { name: "speed", value, threshold: 10.0, unit: "m/s" }),
        ..Message::for_file("take", "")
    };
    use Severity::{Error, Info, Warning};
    let mut messages = vec![
        message("hand/jump", Warning, 12.0, 1.0),
        message("hand/jump", Warning, 50.0, 2.0),
        message("head/speed", Warning, 20.0, 3.0),
        message("body/floor", Warning, 11.0, 4.0),
        message("time/gap", Info, 900.0, 5.0),
    ];
    let verdict = Verdict::from_messages(&Profile::default(), &messages);
    let codes: Vec<_> = verdict.reasons.iter().map(|reason| &*reason.code).collect();
    assert_eq!(verdict.outcome, Outcome::Review);
    assert_eq!(codes, ["hand/jump", "head/speed", "body/floor"]);
    assert_eq!((verdict.reasons[0].count, verdict.reasons[0].time), (2, Some(2.0)));
    messages.push(message("body/flip", Error, 10.1, 6.0));
    let verdict = Verdict::from_messages(&Profile::default(), &messages);
    assert_eq!((verdict.outcome, &*verdict.reasons[0].code), (Outcome::Fail, "body/flip"));
    assert_eq!(verdict.reasons.len(), 3);
    let verdict = Verdict::from_messages(&Profile::default(), &messages[4..5]);
    assert_eq!((verdict.outcome, verdict.reasons.len()), (Outcome::Pass, 0));
}

fn assert_nothing_applies(clip: &Clip) {
    let checked = check_motion(clip, &Profile::default());
    assert_eq!(checked.diagnostics, []);
    let mut codes: Vec<_> = motion_checks().map(|check| check.code).collect();
    codes.dedup();
    assert_eq!(checked.not_applicable, codes);
}

#[test]
fn recordings_without_subjects_or_samples_are_not_judged() {
    assert_nothing_applies(&Clip::new(FormatId::new("toy"), Convention::gltf()));
    let once = || Keys::simple(&[(0.0, 1.0)]);
    let pose = || std::array::from_fn(|_| once());
    let mut hand = HandKeys { tracked: once(), pinch: once(), ..HandKeys::default() };
    hand.poses[1] = pose();
    let recording = Recording {
        version: mutoscope_core::formats::mrtk::Version::V1_1 { parts: [0, 1, 0] },
        hands: Some([HandKeys::default(), hand]),
        ..Recording::v1_1()
    };
    assert_nothing_applies(&clip(&recording.encode(), "one-sample.bin"));
}

#[test]
fn values_that_are_not_finite_are_skipped() {
    let axis = |value: f32| {
        let keys: Vec<(f32, f32)> = (0..600)
            .map(|frame| (frame as f32 / 60.0, if frame % 7 == 0 { f32::NAN } else { value }))
            .collect();
        Keys::simple(&keys)
    };
    let recording = Recording::with_gaze([0.0, 1.5, 0.0, 0.0, 0.0, 1.0].map(axis));
    let clip = clip(&recording.encode(), "nan.bin");
    for diagnostic in check_motion(&clip, &Profile::default()).diagnostics {
        assert!(
            diagnostic.measure.is_none_or(|measure| measure.value.is_finite()),
            "{diagnostic:?}"
        );
    }
}
