//! Tests of reports as JSON, as tables and as a page.

use mutoscope_core::{io::progress::Progress, measure::analysis::NamedArea};
use mutoscope_study::{
    Request, StudyOptions,
    labels::{self, Label, LabelFormat},
    report::{
        Cells, LabelSource, LinkTarget, MeasureOptions, Motion, MotionPacker, PageOptions,
        PagePlayer, Recording, RecordingReport, Report, build_tables, write_csv, write_page,
    },
    study,
    verdict::{Profile, check_motion},
};
use serde_json::Value;

use crate::{read_fixture, recording};

fn recording_report(name: &str, labels: &[Label], areas: &[NamedArea]) -> RecordingReport {
    let clip = recording(name);
    let request = Request { labels, areas, options: StudyOptions::default(), with_plots: true };
    let study = study(&clip, &request, &mut Progress::default()).unwrap();
    RecordingReport::from_study(name.to_owned(), None, &clip, study, Vec::new())
}

fn report() -> Report {
    let labels =
        labels::read(&read_fixture("reaches.labels.csv"), LabelFormat::Csv).unwrap().labels;
    let markup = Label {
        start: 1.0,
        end: 2.0,
        label: "</script><img src=x onerror=alert(1)>".to_owned(),
        tier: None,
    };
    let area = "<b>=sphere:-0.68,1.77,-1.87,0.12".parse().unwrap();
    let recordings = vec![
        recording_report("reaches.bin", &[labels, vec![markup.clone(), markup]].concat(), &[]),
        recording_report("looking.bin", &[], &[area]),
        recording_report("pinching.bin", &[], &[]),
        recording_report("walk.bvh", &[], &[]),
        RecordingReport::for_unreadable("<i>.bin".to_owned(), None, "broken & \"bad\"".to_owned()),
    ];
    Report::new(recordings, StudyOptions::default(), None)
}

fn json(report: &Report) -> (String, Value) {
    let mut bytes = Vec::new();
    report.write_json(&mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let value = serde_json::from_str(&text).unwrap();
    (text, value)
}

fn page(report: &Report) -> String {
    let mut page = Vec::new();
    write_page(report, &PageOptions::default(), &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// Returns the text from each `start` to the next `end`.
fn parts_between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    text.split(start).skip(1).map(|part| part.split(end).next().unwrap()).collect()
}

#[test]
fn json_has_the_members_of_the_contract() {
    let (text, value) = json(&report());
    assert!(text.starts_with("{\"version\":1,\"generator\":\"mutoscope ") && text.ends_with("}\n"));
    let first = &value["recordings"][0];
    assert_eq!(
        (&first["path"], &first["format"], &first["version"]),
        (&"reaches.bin".into(), &"mrtk".into(), &"1.1".into())
    );
    assert_eq!((&first["rate_hz"], &first["rate_from"]), (&60.0.into(), &"keys".into()));
    assert_eq!(first["ranges"][0]["label"], "");
    assert_eq!(first["ranges"][2]["label"], "reach, \"fast\"");
    assert!(first["ranges"][0]["measures"]["right_losses"].is_u64());
    assert!(
        text.contains("\"right_speed_peak_at_s\":1.433333"),
        "numbers must have the shortest form that parses to the same value"
    );
    let broken = &value["recordings"][4];
    assert_eq!(
        (&broken["error"], &broken["ranges"]),
        (&"broken & \"bad\"".into(), &Value::Array(vec![]))
    );
    for kind in ["movements", "pinches", "saccades", "fixations", "dwells"] {
        assert!(broken["events"][kind].as_array().is_some_and(Vec::is_empty));
    }
    for list in ["method", "limits"] {
        assert!(
            value[list]
                .as_array()
                .is_some_and(|it| it.len() > 3 && it.iter().all(Value::is_string)),
            "{list}"
        );
    }
}

#[test]
fn tables_have_all_columns_in_full_precision() {
    let report = report();
    let all = build_tables(&report.recordings);
    let names: Vec<&str> = all.iter().map(|table| table.name).collect();
    assert_eq!(names, ["", "areas", "movements", "pinches", "saccades", "fixations", "dwells"]);
    let columns: Vec<&str> = all[0].columns.iter().map(|column| &*column.name).collect();
    assert_eq!(
        columns[..7],
        ["path", "animation", "label", "tier", "start_s", "end_s", "right_tracked_share"]
    );
    assert!(columns.contains(&"gaze_saccades") && columns.contains(&"left_foot_slide_m"));
    for table in &all {
        let lengths: Vec<usize> = table.columns.iter().map(|column| column.cells.len()).collect();
        assert!(lengths.iter().all(|length| *length == lengths[0]), "{} {lengths:?}", table.name);
    }
    let mut csv = Vec::new();
    write_csv(&all[0], &mut csv).unwrap();
    let mut reader = csv::Reader::from_reader(&*csv);
    let head = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 7 + 3);
    let (_, value) = json(&report);
    for (row, (recording, range)) in rows.iter().zip([
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (0, 5),
        (0, 6),
        (1, 0),
        (2, 0),
        (3, 0),
    ]) {
        let range = &value["recordings"][recording]["ranges"][range];
        assert_eq!(Some(&row[2]), range["label"].as_str());
        for (name, cell) in head.iter().zip(row).skip(6) {
            match range["measures"].get(name) {
                None | Some(Value::Null) => assert_eq!(cell, "", "{name}"),
                Some(number) => assert_eq!(
                    cell.parse::<f64>().unwrap().to_bits(),
                    number.as_f64().unwrap().to_bits(),
                    "{name}"
                ),
            }
        }
    }
    let directions =
        all[5].columns.iter().filter(|column| column.name.starts_with("direction_")).count();
    assert_eq!(directions, 3);
    assert!(matches!(all[2].columns.last().unwrap().cells, Cells::Flags(_)));
}

#[test]
fn page_contains_the_json_and_each_of_its_numbers() {
    let report = report();
    let page = page(&report);
    let (text, value) = json(&report);
    let data =
        parts_between(&page, "<script type=\"application/json\" id=\"report\">", "</script>");
    assert_eq!(data.len(), 1);
    assert_eq!(data[0], text.replace('<', "\\u003c"));
    let mut found = 0;
    for cell in parts_between(&page, "<td data-recording=\"", "</td>") {
        let Some((recording, rest)) = cell.split_once("\" data-range=\"") else { continue };
        if rest.contains("data-area") {
            continue;
        }
        let (range, rest) = rest.split_once("\" data-measure=\"").unwrap();
        let (measure, rest) = rest.split_once("\" data-value=\"").unwrap();
        let number = rest.split('"').next().unwrap();
        let [recording, range] = [recording, range].map(|index| index.parse::<usize>().unwrap());
        let expected = &value["recordings"][recording]["ranges"][range]["measures"][measure];
        match expected {
            Value::Null => assert_eq!(number, "", "{measure}"),
            other => assert_eq!(number, other.to_string(), "{measure}"),
        }
        found += 1;
    }
    let measures = |range: &Value| range["measures"].as_object().unwrap().len();
    let recordings = value["recordings"].as_array().unwrap();
    let expected: usize =
        recordings.iter().flat_map(|it| it["ranges"].as_array().unwrap()).map(measures).sum();
    assert!(found >= expected, "{found} of {expected}");
    for section in ["<section id=\"method\">", "<section id=\"limits\">", "Content-Security-Policy"]
    {
        assert_eq!(page.matches(section).count(), 1, "{section}");
    }
    assert_eq!(
        page.matches("<svg class=\"timeline\"").count(),
        4,
        "expected one timeline for each readable recording"
    );
    assert!(page.len() < 3_000_000, "{}", page.len());
}

#[test]
fn names_labels_and_areas_are_never_markup() {
    let page = page(&report());
    for markup in ["<img", "<i>.bin", "<b>="] {
        assert!(!page.contains(markup), "{markup}");
    }
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;") && page.contains("&lt;i&gt;.bin"));
    // The page must open without a network, so it loads nothing, and has a single script.
    for loads in ["src=", "url(", "@import", "<link", "<iframe"] {
        let without_label = page.replace("img src=x", "");
        assert!(!without_label.contains(loads), "{loads}");
    }
    assert_eq!(page.matches("<script>").count(), 1);
}

#[test]
fn links_open_the_recording_at_the_time_of_an_event() {
    let report = report();
    let page = page(&report);
    let first = &report.recordings[0].events.movements[0];
    let link = format!(
        "<a href=\"mutoscope:open?file=reaches.bin&amp;at={0:.4}&amp;range={0:.4}..{1:.4}&amp;select=right/Wrist\" \
         data-command=\"mutoscope reaches.bin --at {0:.4} --range {0:.4}..{1:.4} --select right/Wrist\">",
        first.start_s, first.end_s
    );
    assert!(page.contains(&link), "{link}");
    let mut hosted = Vec::new();
    let options = PageOptions {
        link: LinkTarget::Page("https://example.org/m/".to_owned()),
        ..PageOptions::default()
    };
    write_page(&report, &options, &mut hosted).unwrap();
    let hosted = String::from_utf8(hosted).unwrap();
    assert!(
        !hosted.contains("mutoscope:open")
            && hosted.contains("https://example.org/m/?file=reaches.bin&amp;at=")
    );
}

/// Returns a page whose recordings have motions of these sizes, in bytes. The page holds at most
/// `max_bytes` of motions.
fn page_with_motions(sizes: &[usize], max_bytes: usize) -> String {
    let one = recording_report("walk.bvh", &[], &[]);
    let with_motion = |size: &usize| {
        let (picture, pack) = ("<svg></svg>".to_owned(), "a".repeat(size - 11));
        let mut one = one.clone();
        one.motion = Some(Motion { svg: picture, pack });
        one
    };
    let report =
        Report::new(sizes.iter().map(with_motion).collect(), StudyOptions::default(), None);
    let player = Some(PagePlayer { script: "const decodeBase64 = atob;", max_bytes });
    let mut page = Vec::new();
    write_page(&report, &PageOptions { player, ..PageOptions::default() }, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

#[test]
fn motions_are_included_while_they_fit() {
    let page = page_with_motions(&[400, 700, 500], 1000);
    for (index, is_there) in [true, false, true].into_iter().enumerate() {
        let figure = format!("<figure class=\"motion\" data-pack=\"pack-{index}\">");
        let pack = format!("<script type=\"text/plain\" id=\"pack-{index}\">aaa");
        assert_eq!((page.contains(&figure), page.contains(&pack)), (is_there, is_there), "{index}");
    }
    assert_eq!(page.matches("this page holds at most 0.001 MB of motion").count(), 1);
    assert_eq!(page.matches("<script>").count(), 1, "the player must be in the script of the page");
    assert_eq!(page.matches("const decodeBase64 = atob;").count(), 1);
    let without = page_with_motions(&[400], 0);
    assert!(!without.contains("<figure class=\"motion\"") && !without.contains("decodeBase64"));
    assert!(!without.contains("is left out"), "a limit of 0 needs no message");
}

fn measured_for_page(name: &str) -> RecordingReport {
    let options = MeasureOptions {
        labels: LabelSource::None,
        areas: &[],
        options: StudyOptions::default(),
        for_page: true,
        motion: None,
    };
    let clip = recording(name);
    let one = Recording { clip: &clip, name: name.to_owned(), file: None, animation: None };
    options.measure_recording(one, &mut Vec::new()).unwrap()
}

/// Returns the cells of the row of `code` in the tables of checks.
fn check_rows<'a>(page: &'a str, code: &str) -> Vec<Vec<&'a str>> {
    let section = page.split("<section id=\"checks\">").nth(1).unwrap();
    let section = section.split("</section>").next().unwrap();
    let rows = section.split("<tr><th>").filter(|row| row.starts_with(code));
    rows.map(|row| parts_between(row, "data-value=\"", "\"")).collect()
}

#[test]
fn pages_of_several_recordings_count_the_problems_of_each_check() {
    let names = ["reaches.bin", "trembling.bin", "pinching.bin", "looking.bin"];
    let frozen: Vec<Vec<f64>> = names
        .iter()
        .map(|name| {
            let problems = check_motion(&recording(name), &Profile::default()).diagnostics;
            let problems = problems.iter().filter(|one| one.code.as_str() == "hand/frozen");
            problems.map(|one| one.measure.unwrap().value).collect()
        })
        .collect();
    let recordings = names.map(measured_for_page);
    let page = page(&Report::new(recordings.to_vec(), StudyOptions::default(), None));
    let rows = check_rows(&page, "hand/frozen");
    let [counts, values] = &rows[..] else { panic!("{rows:?}") };
    let with_problems = frozen.iter().filter(|values| !values.is_empty()).count();
    let count: usize = frozen.iter().map(Vec::len).sum();
    assert!(with_problems >= 3 && count > with_problems, "{frozen:?}");
    assert_eq!(counts[..], [with_problems.to_string(), count.to_string()]);
    let worst = frozen.iter().flatten().copied().fold(0.0, f64::max);
    assert_eq!(values[0], "0.5", "the threshold");
    assert_eq!(values[2], with_problems.to_string(), "the recordings beyond the threshold");
    assert_eq!(values[5].parse::<f64>().unwrap(), worst);
    assert_eq!(check_rows(&page, "head/speed").len(), 2, "a row for each of both measures");
}

#[test]
fn histograms_contain_every_recording_once() {
    let recordings = vec![measured_for_page("reaches.bin"), measured_for_page("trembling.bin")];
    let page = page(&Report::new(recordings, StudyOptions::default(), None));
    let histograms = parts_between(&page, "<svg class=\"histogram\"", "</svg>");
    assert!(histograms.len() > 5, "{}", histograms.len());
    for (histogram, row) in histograms.iter().zip(page.split("<svg class=\"histogram\"")) {
        let counts = parts_between(histogram, "<title>", "</title>");
        let count = |title: &&str| title.rsplit(' ').next().unwrap().parse::<usize>().unwrap();
        let cells = parts_between(row.rsplit("<tr>").next().unwrap(), "data-value=\"", "\"");
        assert_eq!(counts.iter().map(count).sum::<usize>().to_string(), cells[1], "{histogram}");
    }
}

#[test]
fn overview_of_many_recordings_has_no_players() {
    let page = page_with_motions(&[100; 65], 1_000_000);
    assert!(!page.contains("<figure class=\"motion\"") && !page.contains("decodeBase64"));
    let mut recordings = Vec::new();
    let mut one = RecordingReport::default();
    one.motion = Some(Motion { svg: String::new(), pack: String::new() });
    (0..65).for_each(|_| Report::append_recordings(&mut recordings, vec![one.clone()]));
    assert!(recordings.iter().all(|one| one.motion.is_none()));
}

#[test]
fn motions_beyond_the_limits_of_a_page_are_not_packed() {
    let clip = recording("walk.bvh");
    let keys = clip.key_count();
    let make_motion = |_: &_, name: &str| {
        Some(Motion { svg: name.to_owned(), pack: "a".repeat(walk_key_count()) })
    };
    assert_eq!(
        MotionPacker::new(make_motion, keys - 1).pack_motion(&clip, "walk"),
        None,
        "a recording with more keys than the limit has bytes must be skipped"
    );
    assert_eq!(
        MotionPacker::new(make_motion, keys).pack_motion(&clip, "walk"),
        None,
        "the pack is larger than the limit"
    );
    let packer = MotionPacker::new(make_motion, keys + 4);
    assert!((0..64).all(|_| packer.pack_motion(&clip, "walk").is_some()));
    assert_eq!(packer.clone().pack_motion(&clip, "walk"), None, "the page is an overview");
}

fn walk_key_count() -> usize {
    recording("walk.bvh").key_count()
}
