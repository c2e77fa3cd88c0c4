//! Links to the web page, with the options of the command line as parameters:
//! `?file=take.bin&at=1.2&range=0.5..2.5&select=right/IndexTip&camera=30,20,1.5`.

use std::{fmt::Write as _, path::PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::SavedView;
use crate::session::samples::SAMPLES;
use mutoscope_core::{
    clip::RotationRule,
    formats::FormatId,
    measure::compare::{CompareOptions, Placement},
    playback::{ParseTimeError, parse_rate, parse_seconds},
};

/// The parameters of a link. A missing parameter has its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// The addresses of the files to open together. The viewer opens the first recording and
    /// attaches it to the skeleton, if the files include one. The other files are its sidecar
    /// files.
    pub files: Vec<String>,
    /// The index of the embedded sample to open.
    pub sample: Option<usize>,
    /// The format of all files. If `None`, the viewer recognises the format of each file.
    pub format: Option<FormatId>,
    /// The address of the skeleton to attach.
    pub rig: Option<String>,
    /// How rotations are interpolated between keys. `None` uses the default of each format.
    pub rotation: Option<RotationRule>,
    /// The view. The paths of compared recordings are addresses.
    pub view: SavedView,
}

/// The characters that are escaped in a query. The characters removed here are not escaped, because
/// they have no special meaning in a query and links are easier to read with them.
const QUERY_ESCAPES: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'/')
    .remove(b':')
    .remove(b',');

impl Link {
    /// Parses a query, with or without the leading `?`. Invalid parameters are skipped. Also
    /// returns one message for each of them.
    pub fn parse(query: &str) -> (Self, Vec<String>) {
        let (mut link, mut problems) = (Self::default(), Vec::new());
        let mut compared = CompareParameters::default();
        for pair in query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (percent_decode(name), percent_decode(value));
            let result = match &*name {
                "against" | "offset" | "rate" | "place" | "align" => {
                    compared.set_parameter(&name, &value)
                }
                _ => link.set_parameter(&name, value),
            };
            problems.extend(result.err().map(|why| format!("{name}: {why}")));
        }
        match compared.options() {
            Ok(against) => link.view.compared = against,
            Err(why) => problems.push(why),
        }
        (link, problems)
    }

    fn set_parameter(&mut self, name: &str, value: String) -> Result<(), String> {
        match name {
            "file" => self.files.push(value),
            "rig" => self.rig = Some(value),
            "sample" => self.sample = Some(parse_sample(&value)?),
            "as" => self.format = Some(parse_format(&value)?),
            "rotation" => self.rotation = Some(parse_rotation(&value)?),
            _ => self.view.set_option(name, value)?,
        }
        Ok(())
    }

    /// Returns the query that describes this link.
    pub fn to_query(&self) -> String {
        let mut parameters: Vec<(&str, String)> = Vec::new();
        parameters.extend(self.sample.map(|index| ("sample", sample_slug(index))));
        parameters.extend(self.files.iter().map(|file| ("file", file.clone())));
        parameters.extend(self.format.map(|format| ("as", format.as_str().to_owned())));
        parameters.extend(self.rig.clone().map(|rig| ("rig", rig)));
        parameters.extend(self.rotation.map(|rule| ("rotation", rotation_name(rule).to_owned())));
        // `options` returns `None` only if a path is not Unicode, but the paths are web addresses
        // here.
        parameters.extend(self.view.options().into_iter().flatten());
        let mut query = String::new();
        for (name, value) in parameters {
            let separator = if query.is_empty() { "" } else { "&" };
            // Writing to a string cannot fail.
            let _ =
                write!(query, "{separator}{name}={}", utf8_percent_encode(&value, QUERY_ESCAPES));
        }
        query
    }
}

#[derive(Default)]
struct CompareParameters {
    against: Vec<String>,
    offsets: Vec<f64>,
    rates: Vec<f64>,
    places: Vec<Placement>,
    align: bool,
}

impl CompareParameters {
    fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), String> {
        let time_error = |error: ParseTimeError| error.to_string();
        match name {
            "offset" => self.offsets.push(parse_seconds(value).map_err(time_error)?),
            "rate" => self.rates.push(parse_rate(value).map_err(time_error)?),
            "place" => {
                let place = Placement::from_name(value);
                self.places
                    .push(place.ok_or_else(|| format!("expected a placement, found {value:?}"))?);
            }
            "align" => self.align = true,
            _ => self.against.push(value.to_owned()),
        }
        Ok(())
    }

    fn options(self) -> Result<Vec<(PathBuf, CompareOptions)>, String> {
        let count = self.against.len();
        let mut options =
            CompareOptions::for_recordings(count, &self.offsets, &self.rates, &self.places)
                .map_err(|why| why.to_string().trim_start_matches('-').to_owned())?;
        options.iter_mut().for_each(|options| options.align = self.align);
        Ok(self.against.into_iter().map(PathBuf::from).zip(options).collect())
    }
}

fn percent_decode(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

fn sample_slug(index: usize) -> String {
    let name = SAMPLES[index].name.to_lowercase();
    let words: Vec<&str> =
        name.split(|char: char| !char.is_alphanumeric()).filter(|name| !name.is_empty()).collect();
    words.join("-")
}

fn parse_sample(name: &str) -> Result<usize, String> {
    let index = (0..SAMPLES.len()).find(|&index| sample_slug(index) == name);
    index.ok_or_else(|| format!("expected the name of an example, found {name:?}"))
}

fn parse_format(name: &str) -> Result<FormatId, String> {
    let row = crate::registry().format_named(name);
    row.map(|format| format.id).ok_or_else(|| format!("expected a format, found {name:?}"))
}

fn rotation_name(rule: RotationRule) -> &'static str {
    match rule {
        RotationRule::Continuous => "short",
        RotationRule::AsAuthored => "engine",
    }
}

fn parse_rotation(name: &str) -> Result<RotationRule, String> {
    let rules = [RotationRule::Continuous, RotationRule::AsAuthored];
    let rule = rules.into_iter().find(|&rule| rotation_name(rule) == name);
    rule.ok_or_else(|| format!("expected short or engine, found {name:?}"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use mutoscope_core::measure::compare::Timing;

    #[test]
    fn link_has_the_options_of_the_command_line() {
        let query = "?file=https://example.org/a%20b.bin&file=take.glb&as=mrtk&rig=arm.glb\
                     &rotation=engine&at=1.2&range=0.5..2.5&select=right/IndexTip\
                     &camera=30,-5.5,1.5,0.1,1.2,-3";
        let (link, problems) = Link::parse(query);
        assert_eq!(problems, [""; 0]);
        let expected = Link {
            files: vec!["https://example.org/a b.bin".to_owned(), "take.glb".to_owned()],
            format: Some(FormatId::MRTK),
            rig: Some("arm.glb".to_owned()),
            rotation: Some(RotationRule::AsAuthored),
            view: SavedView {
                at: Some(1.2),
                range: Some((0.5, 2.5)),
                select: Some("right/IndexTip".to_owned()),
                camera: Some("30,-5.5,1.5,0.1,1.2,-3".parse().unwrap()),
                ..SavedView::default()
            },
            ..Link::default()
        };
        assert_eq!(link, expected);
        assert_eq!(link.to_query(), query[1..]);
    }

    #[test]
    fn links_round_trip() {
        let options = |offset, placement| CompareOptions {
            timing: Some(Timing { offset, rate: 0.5 }),
            placement: Some(placement),
            align: false,
        };
        let link = Link {
            sample: Some(1),
            view: SavedView {
                select: Some("#3 & 50% = ü+1?".to_owned()),
                at: Some(-0.125),
                areas: vec![
                    "a cup=sphere:0,-1.5,0,0.1@left/Palm".parse().unwrap(),
                    "door=box:0,1,-2,1,2,0.1".parse().unwrap(),
                ],
                compared: vec![
                    ("b.bin".into(), options(-0.25, Placement::AsRecorded)),
                    ("c.bin".into(), options(2.0, Placement::SideBySide)),
                ],
                ..SavedView::default()
            },
            ..Link::default()
        };
        let query = link.to_query();
        assert!(query.is_ascii() && !query.contains(['#', ' ', '+', '?']), "{query}");
        assert_eq!(Link::parse(&query), (link, Vec::new()));
        assert_eq!(Link::parse(""), Link::parse("?"));
        assert_eq!(Link::parse(""), (Link::default(), Vec::new()));
        let (given_once, _) = Link::parse("against=b&against=c&offset=1.5&align");
        let offsets =
            given_once.view.compared.iter().map(|(_, options)| options.timing.unwrap().offset);
        assert_eq!(offsets.collect::<Vec<_>>(), [1.5, 1.5]);
        assert!(given_once.view.compared.iter().all(|(_, options)| options.align));
    }

    #[test]
    fn invalid_parameters_are_reported_and_skipped() {
        let (link, problems) = Link::parse("at=soon&file=a.bin&speed=2&camera=1&sample=none");
        assert_eq!(link, Link { files: vec!["a.bin".to_owned()], ..Link::default() });
        let words: Vec<_> =
            problems.iter().map(|problem| problem.split(':').next().unwrap()).collect();
        assert_eq!(words, ["at", "speed", "camera", "sample"], "{problems:?}");
        let (_, problems) = Link::parse("reference=a.mp4");
        assert_eq!(
            problems,
            ["reference: reference videos need the viewer on the desktop; skipped"]
        );
        let (_, problems) = Link::parse("against=b&offset=1&offset=2");
        assert!(problems[0].starts_with("offset: expected one value"), "{problems:?}");
    }

    #[test]
    fn sample_words_are_unique() {
        let words: HashSet<_> = (0..SAMPLES.len()).map(sample_slug).collect();
        assert_eq!(words.len(), SAMPLES.len());
        assert_eq!(sample_slug(0), "two-hands-head-and-gaze");
        for index in 0..SAMPLES.len() {
            assert_eq!(parse_sample(&sample_slug(index)), Ok(index));
        }
    }
}
