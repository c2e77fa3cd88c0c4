//! Reports of recordings: JSON, tables, and one page.
//!
//! | file | what it does |
//! |---|---|
//! | `model` | a report and its recordings; JSON |
//! | `method` | every threshold and filter that was used, in sentences |
//! | `limits` | what devices and formats cannot tell, with sources |
//! | `tables` | the tables of a report, column by column |
//! | `csv` | tables as text |
//! | `link` | links to a moment of a recording |
//! | `page` | one self-contained page |

mod csv;
mod limits;
mod link;
mod method;
mod model;
mod page;
mod tables;

pub use csv::write_csv;
pub use link::LinkTarget;
pub use model::{Issue, RecordingReport, Report};
pub use page::{
    MOST_PLOTTED, MeasureWords, PageOptions, Short, measure_words, unknown_reason, write_page,
};
pub use tables::{Cells, ReportTable, TableColumn, tables};
