//! Writes the JavaScript that loads a WebAssembly program: `bindgen PROGRAM.wasm FOLDER NAME`.

use std::env::args;

fn main() {
    let [program, folder, name] =
        args().skip(1).collect::<Vec<_>>().try_into().expect("three arguments");
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen.input_path(program).out_name(&name).typescript(false).omit_default_module_path(false);
    // `convert --full` embeds the JavaScript in a page, so it must be a script and not a module.
    bindgen.no_modules(true).expect("no other mode is set");
    bindgen.generate(folder).expect("bindings for the program");
}
