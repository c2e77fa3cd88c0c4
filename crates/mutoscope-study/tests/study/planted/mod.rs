//! Plants faults of known places and sizes into clean recordings, and counts how many the checks
//! find, and how many problems they report elsewhere.

mod plants;
mod take;

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path, thread};

use mutoscope_core::measure::checks::ClipDiagnostic;
use mutoscope_study::verdict::{
    CheckedClip, Limit, Measured, Profile, check_motion, motion_checks,
};

use plants::{Base, FAULTS, Fault};
use take::{PERIOD, RATE_HZ, Take};

const PLANTS_PER_SIZE: usize = 40;

const PLANTS_PER_TAKE: usize = 5;

/// A problem within this time of a plant is the plant, in seconds.
const TOLERANCE_S: f64 = 0.3;

struct Tally {
    found: [usize; 5],
    false_alarms: usize,
}

fn clean_take(base: Base, frames: usize, random: &mut fastrand::Rng) -> Take {
    match base {
        Base::Hands => Take::sample("mrtk/two-hands.bin", frames, random),
        Base::Eyes => Take::sample("mrtk/two-hands.bin", frames, random).with_eyes(),
        Base::Body => Take::sample("bvh/walk.bvh", frames, random),
        Base::Markers => Take::sample("bvh/walk.bvh", frames, random).into_markers(),
    }
}

fn problems(take: &Take, code: &str) -> Vec<ClipDiagnostic> {
    let CheckedClip { mut diagnostics, not_applicable, .. } =
        check_motion(&take.to_clip(), &Profile::default());
    assert!(not_applicable.iter().all(|known| known.as_str() != code), "{code} does not apply");
    diagnostics.retain(|diagnostic| diagnostic.code.as_str() == code);
    diagnostics
}

fn tally(fault: &Fault) -> Tally {
    let mut random = fastrand::Rng::with_seed(7);
    let mut tally = Tally { found: [0; 5], false_alarms: 0 };
    let per_take = if fault.is_whole { 1 } else { PLANTS_PER_TAKE };
    let clean = clean_take(fault.base, PERIOD * (per_take + 1), &mut random);
    for (index, size) in fault.sizes.into_iter().enumerate() {
        for _ in 0..PLANTS_PER_SIZE / per_take {
            let mut take = clean.clone();
            // From the last period to the first, because a plant may remove frames.
            let spans: Vec<(f64, f64)> = (0..per_take)
                .rev()
                .map(|period| {
                    let frame = PERIOD * period + 20 + random.usize(0..20);
                    let frames = (fault.plant)(&mut take, frame, size, &mut random);
                    let from = take.times[frames.start];
                    let to = take.times[frames.end.min(take.times.len() - 1)];
                    (from - TOLERANCE_S, to + TOLERANCE_S)
                })
                .collect();
            let problems = problems(&take, fault.code);
            let is_in = |problem: &ClipDiagnostic, (from, to): &(f64, f64)| {
                let time = problem.time.unwrap();
                time <= *to && problem.end.unwrap_or(time) >= *from
            };
            let found =
                spans.iter().filter(|span| problems.iter().any(|problem| is_in(problem, span)));
            tally.found[index] += found.count();
            let is_false =
                |problem: &&ClipDiagnostic| !spans.iter().any(|span| is_in(problem, span));
            tally.false_alarms += problems.iter().filter(is_false).count();
        }
    }
    tally
}

/// Set `MUTOSCOPE_UPDATE_DOCS` to write the table.
#[test]
fn planted_faults_are_found() {
    let mut table = String::from(
        "| code | size | found of 40 at each size | recall | precision | always found from |\n|---|---|---|---|---|---|\n",
    );
    let tallies: Vec<Tally> = thread::scope(|scope| {
        let threads: Vec<_> = FAULTS.iter().map(|fault| scope.spawn(|| tally(fault))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (fault, Tally { found, false_alarms }) in FAULTS.iter().zip(tallies) {
        let all: usize = found.iter().sum();
        let precision = all as f64 / (all + false_alarms).max(1) as f64;
        let always = (0..5).rev().take_while(|index| found[*index] == PLANTS_PER_SIZE).last();
        let always = always.unwrap_or_else(|| panic!("{}: {found:?}", fault.code));
        let counts: Vec<String> =
            fault.sizes.iter().zip(found).map(|(size, found)| format!("{size}: {found}")).collect();
        let _ = writeln!(
            table,
            "| `{}` | {} | {} | {:.2} | {precision:.2} | {} |",
            fault.code,
            fault.unit,
            counts.join(", "),
            all as f64 / (5 * PLANTS_PER_SIZE) as f64,
            fault.sizes[always],
        );
        assert!(always <= 3 && precision >= 0.95, "{table}");
    }
    let covered: Vec<&str> = FAULTS.iter().map(|fault| fault.code).collect();
    assert!(motion_checks().all(|check| covered.contains(&check.code.as_str())));
    compare_page("../../docs/dev/checks.md", "<!-- planted faults -->\n", &table);
}

#[test]
fn clean_recordings_have_no_false_alarms() {
    let mut alarms: BTreeMap<&str, usize> = BTreeMap::new();
    for base in [Base::Hands, Base::Eyes, Base::Body, Base::Markers] {
        // Ten minutes.
        let take = clean_take(base, 600 * RATE_HZ as usize, &mut fastrand::Rng::with_seed(1));
        for diagnostic in check_motion(&take.to_clip(), &Profile::default()).diagnostics {
            *alarms.entry(diagnostic.code.as_str()).or_default() += 1;
        }
    }
    assert!(alarms.values().all(|count| *count <= 1), "{alarms:?}");
}

#[test]
fn documentation_lists_every_check() {
    let mut table = String::from(
        "| code | needs | measure | threshold | severity | definition | source of the threshold |\n|---|---|---|---|---|---|---|\n",
    );
    for check in motion_checks() {
        let (measure, threshold) = match check.measured {
            Some(Measured { name, unit, threshold, limit, .. }) => {
                let sign = if limit == Limit::Below { '<' } else { '>' };
                let unit = if unit == "1" { String::new() } else { format!(" {unit}") };
                (name, format!("{sign} {}{unit}", (threshold * 1e4).round() / 1e4))
            }
            None => ("–", "–".to_owned()),
        };
        let shortest = match check.min_duration_s {
            0.0 => String::new(),
            seconds => format!(" For at least {seconds} s."),
        };
        let (code, need, severity) = (check.code, check.need.as_str(), check.severity);
        let (definition, source) = (check.definition, check.source);
        let _ = writeln!(
            table,
            "| `{code}` | {need} | {measure} | {threshold} | {severity} | {definition}{}{shortest} | {source} |",
            if definition.ends_with('.') || shortest.is_empty() { "" } else { "." },
        );
    }
    compare_page("../../docs/checks.md", "<!-- checks of motion -->\n", &table);
}

/// Compares the text after a mark in a page with `expected`, or writes it if
/// `MUTOSCOPE_UPDATE_DOCS` is set.
fn compare_page(path: &str, mark: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (before, rest) = page.split_once(mark).unwrap();
    let after = rest.find("\n<!-- end -->").map_or("", |end| &rest[end..]);
    let expected = format!("{before}{mark}\n{expected}{after}");
    if std::env::var_os("MUTOSCOPE_UPDATE_DOCS").is_some() {
        fs::write(path, expected).unwrap();
    } else {
        assert_eq!(page, expected, "{mark}");
    }
}
