//! Pages and widgets that play recordings. `_show.py` defines the public functions.

use mutoscope_core::export::{ExportError, ExportOptions, Progress};
use mutoscope_player::{Bounds, Page, PageRecording, PageView, SelectedNode};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};

use crate::{
    clip::Clip,
    convert::{clip_title, interruptible, open_clip},
    error,
    reading::ReadArguments,
};

/// A recording of a page: a clip, path, bytes or file object; the offset and the rate on the clock;
/// a colour.
type Recording<'py> = (Bound<'py, PyAny>, f64, f64, Option<[u8; 3]>);

/// The first view of a page, and its accuracy.
#[derive(FromPyObject)]
pub(crate) struct View {
    #[pyo3(item)]
    title: Option<String>,
    #[pyo3(item)]
    at: Option<f64>,
    #[pyo3(item)]
    range: Option<[f64; 2]>,
    /// A node of any of the recordings.
    #[pyo3(item)]
    select: Option<String>,
    #[pyo3(item)]
    autoplay: bool,
    #[pyo3(item("loop"))]
    loops: bool,
    #[pyo3(item)]
    exact: bool,
}

/// Returns a page that plays recordings on one clock.
#[pyfunction]
pub(crate) fn _page(
    py: Python<'_>,
    recordings: Vec<Recording<'_>>,
    view: View,
) -> PyResult<String> {
    with_page(py, recordings, &view, |page, progress| {
        let mut html = Vec::new();
        page.write(&mut html, progress).map(|_| html)
    })
    .map(|html| String::from_utf8_lossy(&html).into_owned())
}

/// Returns the packed recordings of a page, which `<mutoscope-player>` reads.
#[pyfunction]
pub(crate) fn _pack<'py>(
    py: Python<'py>,
    recordings: Vec<Recording<'py>>,
    view: View,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = with_page(py, recordings, &view, |page, progress| {
        page.pack(progress).and_then(|(pack, _)| pack.to_bytes())
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// Returns the script that defines `<mutoscope-player>`.
#[pyfunction]
pub(crate) fn _element_script() -> &'static str {
    mutoscope_player::element_script()
}

fn with_page<T: Send>(
    py: Python<'_>,
    recordings: Vec<Recording<'_>>,
    view: &View,
    work: impl FnOnce(&Page<'_>, &mut Progress<'_>) -> Result<T, ExportError> + Send,
) -> PyResult<T> {
    let opened = recordings
        .into_iter()
        .map(|(given, offset, rate, tint)| {
            let clip = open_clip(&given, &ReadArguments::default())?;
            Ok((clip.unbind(), offset, rate, tint))
        })
        .collect::<PyResult<Vec<(Py<Clip>, f64, f64, Option<[u8; 3]>)>>>()?;
    let clips: Vec<&Clip> = opened.iter().map(|one| one.0.get()).collect();
    let options: Vec<_> = clips
        .iter()
        .map(|clip| ExportOptions { title: clip_title(clip), ..ExportOptions::default() })
        .collect();
    let shown = clips.iter().zip(&options).zip(&opened).map(|((clip, options), one)| {
        let (_, offset, rate, tint) = *one;
        PageRecording { offset, rate, tint, ..PageRecording::new(clip.clip(), options) }
    });
    let recordings: Vec<_> = shown.collect();
    let own = recordings.first().map(|one| match one.clip.name.as_str() {
        "" => one.options.title.clone(),
        name => name.to_owned(),
    });
    let title = view.title.clone().or(own).unwrap_or_default();
    let page = Page {
        view: page_view(view, &clips)?,
        bounds: (!view.exact).then_some(Bounds::DEFAULT),
        ..Page::new(&title, recordings)
    };
    let done = interruptible(py, |progress| work(&page, progress))?;
    done.map_err(|why| error::for_file(py, &title, why.to_string()))
}

fn page_view(view: &View, clips: &[&Clip]) -> PyResult<PageView> {
    let selected = match &view.select {
        None => None,
        Some(name) => Some(selected(name, clips)?),
    };
    let View { at, range, autoplay, loops, .. } = *view;
    Ok(PageView { at, range, selected, autoplay, loops, ..PageView::default() })
}

fn selected(name: &str, clips: &[&Clip]) -> PyResult<SelectedNode> {
    let found = clips.iter().enumerate().find_map(|(recording, clip)| {
        let node = clip.clip().nodes.iter().position(|node| node.name == *name)?;
        Some(SelectedNode { recording, node })
    });
    found.ok_or_else(|| PyValueError::new_err(format!("select: there is no node {name:?}")))
}
