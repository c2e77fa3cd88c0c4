//! Bundles the player's modules into one script, because a page without a network cannot load
//! modules.
//!
//! The modules are plain ES modules that only import names from each other, and no two modules
//! declare the same top-level name. So bundling only needs to remove the imports and exports.

use std::sync::OnceLock;

/// The modules, sorted so that each module comes after the modules that it imports.
static MODULES: [&str; 24] = [
    include_str!("../player/math.js"),
    include_str!("../player/unpack.js"),
    include_str!("../player/motion.js"),
    include_str!("../player/clock.js"),
    include_str!("../player/format.js"),
    include_str!("../player/camera.js"),
    include_str!("../player/shapes.js"),
    include_str!("../player/palm.js"),
    include_str!("../player/body.js"),
    include_str!("../player/shadow.js"),
    include_str!("../player/shaders.js"),
    include_str!("../player/gl.js"),
    include_str!("../player/stage.js"),
    include_str!("../player/styles.js"),
    include_str!("../player/dom.js"),
    include_str!("../player/timeline.js"),
    include_str!("../player/surroundings.js"),
    include_str!("../player/labels.js"),
    include_str!("../player/view.js"),
    include_str!("../player/keys.js"),
    include_str!("../player/transport.js"),
    include_str!("../player/panel.js"),
    include_str!("../player/element.js"),
    include_str!("../player/page.js"),
];

/// Returns the player as one script: a module without imports.
pub fn player_script() -> &'static str {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    SCRIPT.get_or_init(|| MODULES.iter().map(|module| strip_module(module)).collect())
}

/// Returns one script that defines the element `<mutoscope-player>`, without imports and exports.
/// The script is to be put before code that uses the element.
///
/// The script defines `MutoscopePlayer` and the tag `<mutoscope-player>`, but does not create a
/// player.
pub fn element_script() -> &'static str {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    let (_page, modules) = MODULES.split_last().expect("there are modules");
    SCRIPT.get_or_init(|| modules.iter().map(|module| strip_module(module)).collect())
}

/// Returns the number of bytes that the player takes in a page.
pub fn player_size() -> usize {
    player_script().len()
}

fn strip_module(module: &str) -> String {
    let mut stripped = String::with_capacity(module.len());
    let (mut is_import, mut is_comment) = (false, false);
    for line in module.lines() {
        let trimmed = line.trim_start();
        is_comment |= trimmed.starts_with("/**");
        is_import |= line.starts_with("import ");
        if !is_import && !is_comment && !trimmed.starts_with("//") && !trimmed.is_empty() {
            stripped += line.strip_prefix("export ").unwrap_or(line);
            stripped.push('\n');
        }
        is_import &= !line.trim_end().ends_with(';');
        is_comment &= !line.trim_end().ends_with("*/");
    }
    stripped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_is_embeddable_and_has_no_imports() {
        let script = player_script();
        for line in script.lines() {
            assert!(!line.starts_with("import ") && !line.starts_with("export "), "{line}");
        }
        assert!(!script.contains("</script") && !script.contains("<!--"));
        assert!(!script.contains("eval(") && !script.contains("new Function"));
        // The only download is the `src` attribute of the element.
        assert_eq!(script.matches("fetch(").count(), 1);
        assert!(!script.contains("XMLHttpRequest") && !script.contains("WebSocket"));
    }

    #[test]
    fn modules_declare_distinct_names() {
        let mut names: Vec<&str> = player_script()
            .lines()
            // Skip constants in shader source.
            .filter(|line| !line.starts_with("const vec3 "))
            .filter_map(|line| {
                let keywords = ["const ", "let ", "function ", "async function ", "class "];
                let rest = keywords.iter().find_map(|keyword| line.strip_prefix(keyword))?;
                rest.split(|char: char| !char.is_alphanumeric() && char != '_').next()
            })
            .collect();
        assert!(names.len() > 100, "{names:?}");
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn element_script_excludes_the_page_module() {
        assert!(player_script().starts_with(element_script()));
        assert!(element_script().contains("customElements.define('mutoscope-player'"));
        assert!(!element_script().contains("Pack.fromPage(document)"));
    }

    #[test]
    fn player_is_below_250_kilobytes() {
        assert!(player_size() < 250_000, "{}", player_size());
    }

    #[test]
    fn multi_line_imports_are_removed() {
        let module = "import {\n  a,\n} from './a.js';\n// a comment\nexport const b = a;\n/** Doc of c. */\nexport function c() {\n}\n";
        assert_eq!(strip_module(module), "const b = a;\nfunction c() {\n}\n");
    }
}
