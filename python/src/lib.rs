//! Mutoscope for Python: motion recordings as NumPy arrays.
//!
//! This crate is a thin layer around the library. It converts Python arguments to requests, and
//! results to arrays and small objects. It computes no numbers itself.
//!
//! | file | what it does |
//! |---|---|
//! | `source` | converts paths, bytes and file objects to sources of the library |
//! | `reading` | converts the keyword arguments of `open` |
//! | `clip` | the `Clip` class, and `open` |
//! | `maps` | the column mapping of tables and the bone map of characters, for editing |
//! | `facts` | nodes, signals, events, diagnostics and conventions |
//! | `sample` | samples poses at many times |
//! | `track`, `column` | authored curves; arrays of values of one type |
//! | `compare` | compares two recordings on one clock |
//! | `convert` | converts recordings to files of other tools |
//! | `page` | pages and widgets that play recordings |
//! | `analysis` | fixations, dwells, episodes, speed of joints |
//! | `report` | reports as tables, as JSON and as a page |
//! | `measures` | movements, saccades, pinches, smoothness |
//! | `labels` | named ranges, and their files |
//! | `verdict` | whether a recording is usable |
//! | `error` | the exception `mutoscope.Error` |

mod analysis;
mod clip;
mod column;
mod compare;
mod convert;
mod error;
mod facts;
mod labels;
mod maps;
mod measures;
mod page;
mod reading;
mod report;
mod sample;
mod source;
mod track;
mod verdict;

use std::ffi::OsString;

use clap::Parser as _;
use mutoscope_cli::Cli;
use pyo3::prelude::*;

/// Runs the command line and returns the exit status.
///
/// Parameters
/// ----------
/// arguments : sequence of str
///     The name of the program, and its arguments.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let command = Cli::parse_from(arguments);
    py.detach(|| command.run()) as u8
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<clip::Clip>()?;
    module.add_class::<sample::Sample>()?;
    module.add_class::<track::Track>()?;
    module.add_class::<track::Keys>()?;
    module.add_class::<track::Key>()?;
    module.add_class::<facts::Node>()?;
    module.add_class::<facts::Signal>()?;
    module.add_class::<facts::Event>()?;
    module.add_class::<facts::Animation>()?;
    module.add_class::<facts::Issue>()?;
    module.add_class::<facts::Convention>()?;
    module.add_class::<compare::Comparison>()?;
    module.add_class::<compare::Alignment>()?;
    module.add_class::<compare::JointDeviation>()?;
    module.add_class::<convert::Conversion>()?;
    module.add_class::<convert::Remark>()?;
    module.add_class::<analysis::Area>()?;
    module.add_class::<analysis::Fixation>()?;
    module.add_class::<analysis::Episode>()?;
    module.add_class::<analysis::JointMotion>()?;
    module.add_class::<report::Report>()?;
    module.add_class::<measures::Movement>()?;
    module.add_class::<measures::Pinch>()?;
    module.add_class::<measures::Saccade>()?;
    module.add_class::<measures::Smoothness>()?;
    module.add_class::<labels::Label>()?;
    module.add_class::<verdict::Verdict>()?;
    module.add_class::<verdict::Problem>()?;
    module.add_function(wrap_pyfunction!(report::report, module)?)?;
    module.add_function(wrap_pyfunction!(measures::movements, module)?)?;
    module.add_function(wrap_pyfunction!(measures::saccades, module)?)?;
    module.add_function(wrap_pyfunction!(measures::pinches, module)?)?;
    module.add_function(wrap_pyfunction!(measures::smoothness, module)?)?;
    module.add_function(wrap_pyfunction!(labels::read_labels, module)?)?;
    module.add_function(wrap_pyfunction!(labels::save_labels, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::fixations, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::dwells, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::episodes, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::joint_motion, module)?)?;
    module.add_function(wrap_pyfunction!(clip::animations, module)?)?;
    module.add_function(wrap_pyfunction!(clip::open, module)?)?;
    module.add_function(wrap_pyfunction!(maps::bones, module)?)?;
    module.add_function(wrap_pyfunction!(maps::columns, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(convert::convert, module)?)?;
    module.add_function(wrap_pyfunction!(verdict::check, module)?)?;
    module.add_function(wrap_pyfunction!(page::_page, module)?)?;
    module.add_function(wrap_pyfunction!(page::_pack, module)?)?;
    module.add_function(wrap_pyfunction!(page::_element_script, module)?)?;
    module.add_function(wrap_pyfunction!(clip::_seconds_of_rust, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    // The package around this module defines which names are public.
    module.delattr("__all__")
}
