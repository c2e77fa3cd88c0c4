//! The page around the player and its recordings.
//!
//! Names from files are written as text, never as markup. The policy of the page allows the one script and
//! the one style that are in it, by their hashes, and loads nothing.

use std::{fmt::Write as _, io};

use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

use crate::{Pack, Page, player_script, still};

/// The style of the page itself; the player has its own.
const STYLE: &str = include_str!("../player/page.css");

/// The most events in the table; the player has all.
const MOST_EVENTS: usize = 1000;

/// Writes the page, and returns how many bytes it has.
///
/// # Errors
/// If `out` cannot be written to.
pub(crate) fn write(page: &Page<'_>, pack: &Pack, out: &mut dyn io::Write) -> io::Result<usize> {
    let script = player_script();
    let title = if page.title.is_empty() { "Recording" } else { &page.title };
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(STYLE),
    );
    let mut written = 0;
    let mut put = |text: &str| {
        written += text.len();
        out.write_all(text.as_bytes())
    };
    put(&format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"dark light\">\n\
         <meta name=\"generator\" content=\"Mutoscope {}\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(title),
    ))?;
    put(&format!("<mutoscope-player>\n{}</mutoscope-player>\n", fallback(page, pack, title)))?;
    for (index, block) in pack.blocks.iter().enumerate() {
        put(&format!("<script type=\"text/plain\" data-mutoscope-block=\"{index}\">"))?;
        put(&BASE64_STANDARD.encode(block))?;
        put("</script>\n")?;
    }
    put("<script type=\"module\">")?;
    put(script)?;
    put("</script>\n</body>\n</html>\n")?;
    Ok(written)
}

/// The content where no script runs: a picture, the recordings, and their events.
fn fallback(page: &Page<'_>, pack: &Pack, title: &str) -> String {
    let mut text = format!("<h1>{}</h1>\n", escaped(title));
    text += "<p class=\"notice\">This page plays the recording where scripts run and the browser has WebGL 2. \
             Without, it shows a picture of one moment and the table of its events.</p>\n";
    text += &still::svg(page);
    for (recording, (name, remarks)) in page.recordings.iter().zip(&pack.remarks) {
        let clip = recording.clip;
        let facts = [clip.format.word(), &clip.version, &clip.subject];
        let facts: Vec<&str> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
        let length = clip.span.duration;
        let _ = write!(
            text,
            "{}<p>{} · {length:.2} s</p>\n<ul>\n",
            if name == title { String::new() } else { format!("<h2>{}</h2>\n", escaped(name)) },
            escaped(&facts.join(" · "))
        );
        for remark in remarks {
            let _ = writeln!(text, "<li>{}</li>", escaped(remark));
        }
        text += "</ul>\n";
    }
    text + &table(pack)
}

fn table(pack: &Pack) -> String {
    if pack.events.is_empty() {
        return "<p>It has no events.</p>\n".to_owned();
    }
    let mut text = "<table>\n<caption>Events</caption>\n<thead><tr><th scope=\"col\">Time</th>\
                    <th scope=\"col\">Node</th><th scope=\"col\">Event</th></tr></thead>\n<tbody>\n"
        .to_owned();
    for (time, node, words) in pack.events.iter().take(MOST_EVENTS) {
        let _ = writeln!(
            text,
            "<tr><td>{time:.3} s</td><td>{}</td><td>{}</td></tr>",
            escaped(node),
            escaped(words)
        );
    }
    text += "</tbody>\n</table>\n";
    if let Some(more) = pack.events.len().checked_sub(MOST_EVENTS).filter(|more| *more > 0) {
        let _ = writeln!(text, "<p>{more} more events are in the player.</p>");
    }
    text
}

/// The source expression of a policy that allows exactly this text.
pub(crate) fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// Text as it is written between tags and within quotes. Control characters are shown as symbols.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\n' | '\t' => escaped.push(' '),
            _ if character.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text() {
        assert_eq!(
            escaped("</title><script>alert('1')</script>&\"\u{0}\u{202e}"),
            "&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;\u{fffd}\u{202e}"
        );
    }

    #[test]
    fn hashes_are_those_of_the_specification() {
        // The example of the specification, Content Security Policy Level 3, 8.3.
        let expected = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='";
        assert_eq!(hash("alert('Hello, world.');"), expected);
    }
}
