//! Writes the page around the player and its recordings.
//!
//! Names from files are always escaped, never written as markup. The content security policy allows
//! only the script and the style in the page, by their hashes, and no downloads.

use std::{fmt::Write as _, io};

use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

use crate::{Pack, Page, player_script, still};

const STYLE: &str = include_str!("../player/page.css");

const MAX_TABLE_EVENTS: usize = 1000;

pub(crate) fn write(page: &Page<'_>, pack: &Pack, out: &mut dyn io::Write) -> io::Result<usize> {
    let script = player_script();
    let title = if page.title.is_empty() { "Recording" } else { &page.title };
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        csp_hash(script),
        csp_hash(STYLE),
    );
    let mut written = 0;
    let mut write_text = |text: &str| {
        written += text.len();
        out.write_all(text.as_bytes())
    };
    write_text(&format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"dark light\">\n\
         <meta name=\"generator\" content=\"Mutoscope {}\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        env!("CARGO_PKG_VERSION"),
        escape_html(title),
    ))?;
    write_text(&format!(
        "<mutoscope-player>\n{}</mutoscope-player>\n",
        fallback(page, pack, title)
    ))?;
    for (index, block) in pack.blocks.iter().enumerate() {
        write_text(&format!("<script type=\"text/plain\" data-mutoscope-block=\"{index}\">"))?;
        write_text(&BASE64_STANDARD.encode(block))?;
        write_text("</script>\n")?;
    }
    write_text("<script type=\"module\">")?;
    write_text(script)?;
    write_text("</script>\n</body>\n</html>\n")?;
    Ok(written)
}

fn fallback(page: &Page<'_>, pack: &Pack, title: &str) -> String {
    let mut text = format!("<h1>{}</h1>\n", escape_html(title));
    text += "<p class=\"notice\">This page plays the recording if scripts are allowed and the browser has WebGL 2. \
             Otherwise it shows an image of one moment and the table of events.</p>\n";
    text += &still::render_svg(page);
    for (recording, (name, remarks)) in page.recordings.iter().zip(&pack.remarks) {
        let clip = recording.clip;
        let facts = [clip.format.as_str(), &clip.version, &clip.subject];
        let facts: Vec<&str> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
        let length = clip.span.duration;
        let _ = write!(
            text,
            "{}<p>{} · {length:.2} s</p>\n<ul>\n",
            if name == title { String::new() } else { format!("<h2>{}</h2>\n", escape_html(name)) },
            escape_html(&facts.join(" · "))
        );
        for remark in remarks {
            let _ = writeln!(text, "<li>{}</li>", escape_html(remark));
        }
        text += "</ul>\n";
    }
    text + &events_table(pack)
}

fn events_table(pack: &Pack) -> String {
    if pack.events.is_empty() {
        return "<p>No events.</p>\n".to_owned();
    }
    let mut text = "<table>\n<caption>Events</caption>\n<thead><tr><th scope=\"col\">Time</th>\
                    <th scope=\"col\">Node</th><th scope=\"col\">Event</th></tr></thead>\n<tbody>\n"
        .to_owned();
    for (time, node, words) in pack.events.iter().take(MAX_TABLE_EVENTS) {
        let _ = writeln!(
            text,
            "<tr><td>{time:.3} s</td><td>{}</td><td>{}</td></tr>",
            escape_html(node),
            escape_html(words)
        );
    }
    text += "</tbody>\n</table>\n";
    if let Some(more) = pack.events.len().checked_sub(MAX_TABLE_EVENTS).filter(|more| *more > 0) {
        let _ = writeln!(text, "<p>{more} more events are in the player.</p>");
    }
    text
}

pub(crate) fn csp_hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

pub(crate) fn escape_html(text: &str) -> String {
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
    fn names_are_escaped() {
        assert_eq!(
            escape_html("</title><script>alert('1')</script>&\"\u{0}\u{202e}"),
            "&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;\u{fffd}\u{202e}"
        );
    }

    #[test]
    fn csp_hash_matches_the_specification() {
        // The example in section 8.3 of Content Security Policy Level 3.
        let expected = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='";
        assert_eq!(csp_hash("alert('Hello, world.');"), expected);
    }
}
