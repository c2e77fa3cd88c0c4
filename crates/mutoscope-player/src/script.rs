//! The player's modules joined to one script, as a page without a network needs it.
//!
//! The modules are plain ES modules that import names of each other and nothing else, and no two of them
//! have a name of the same text at their top. So joining them is leaving out their imports.

use std::sync::OnceLock;

/// The modules, each after those that it imports.
static MODULES: [&str; 22] = [
    include_str!("../player/math.js"),
    include_str!("../player/unpack.js"),
    include_str!("../player/motion.js"),
    include_str!("../player/clock.js"),
    include_str!("../player/words.js"),
    include_str!("../player/camera.js"),
    include_str!("../player/shapes.js"),
    include_str!("../player/palm.js"),
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

/// The player as one script, which is a module and imports nothing.
pub fn player_script() -> &'static str {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    SCRIPT.get_or_init(|| MODULES.iter().map(|module| joined(module)).collect())
}

/// The element alone as one script: defines `MutoscopePlayer` and the tag `<mutoscope-player>`, and plays nothing by
/// itself. It is a module that imports nothing and exports nothing, to be put before code that uses it.
pub fn element_script() -> &'static str {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    let (_page, modules) = MODULES.split_last().expect("there are modules");
    SCRIPT.get_or_init(|| modules.iter().map(|module| joined(module)).collect())
}

/// How many bytes of a page are the player.
pub fn player_size() -> usize {
    player_script().len()
}

/// A module without its imports, exports and comments of whole lines.
fn joined(module: &str) -> String {
    let mut joined = String::with_capacity(module.len());
    let (mut is_import, mut is_comment) = (false, false);
    for line in module.lines() {
        let trimmed = line.trim_start();
        is_comment |= trimmed.starts_with("/**");
        is_import |= line.starts_with("import ");
        if !is_import && !is_comment && !trimmed.starts_with("//") && !trimmed.is_empty() {
            joined += line.strip_prefix("export ").unwrap_or(line);
            joined.push('\n');
        }
        is_import &= !line.trim_end().ends_with(';');
        is_comment &= !line.trim_end().ends_with("*/");
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_has_no_imports_and_can_be_in_a_page() {
        let script = player_script();
        for line in script.lines() {
            assert!(!line.starts_with("import ") && !line.starts_with("export "), "{line}");
        }
        assert!(!script.contains("</script") && !script.contains("<!--"));
        assert!(!script.contains("eval(") && !script.contains("new Function"));
        // Nothing in it can load anything but what `src` of the element names.
        assert_eq!(script.matches("fetch(").count(), 1);
        assert!(!script.contains("XMLHttpRequest") && !script.contains("WebSocket"));
    }

    #[test]
    fn names_of_modules_are_distinct() {
        let mut names: Vec<&str> = player_script()
            .lines()
            // Constants of shaders.
            .filter(|line| !line.starts_with("const vec3 "))
            .filter_map(|line| {
                let words = ["const ", "let ", "function ", "async function ", "class "];
                let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
                rest.split(|char: char| !char.is_alphanumeric() && char != '_').next()
            })
            .collect();
        assert!(names.len() > 100, "{names:?}");
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn element_is_the_player_without_the_page() {
        assert!(player_script().starts_with(element_script()));
        assert!(element_script().contains("customElements.define('mutoscope-player'"));
        assert!(!element_script().contains("Pack.ofPage(document)"));
    }

    #[test]
    fn player_is_small() {
        assert!(player_size() < 250_000, "{}", player_size());
    }

    #[test]
    fn imports_over_several_lines_are_left_out() {
        let module = "import {\n  a,\n} from './a.js';\n// a comment\nexport const b = a;\n/** Of c. */\nexport function c() {\n}\n";
        assert_eq!(joined(module), "const b = a;\nfunction c() {\n}\n");
    }
}
