//! An experiment: read, asked about, taken elsewhere.

use crate::error::{raise, wrong};
use crate::own::Registry;
use crowdtune::evolve::evaluate::Replier;
use crowdtune::evolve::exchange;
use crowdtune::{Experiment as Checked, files, no_files};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// `--set` pairs.
pub type Sets = Vec<(String, String)>;

/// What another process needs to have the same experiment: its name, its resolved text, the files that it names, and where it was
/// read from if it has an engine.
type Bundle = (String, String, Vec<(String, Vec<u8>)>, Option<(PathBuf, Sets)>);

/// A checked experiment.
#[pyclass(frozen, module = "crowdtune._native")]
pub struct Experiment {
    pub inner: Arc<Checked>,
    /// What it can name.
    registry: crowdtune::Registry,
    /// The file that it was read from, and the pairs.
    path: Option<(PathBuf, Sets)>,
    /// True if something in Python is part of it.
    own: bool,
    replier: OnceLock<Replier<'static>>,
}

impl Experiment {
    fn new(
        inner: Checked,
        registry: crowdtune::Registry,
        path: Option<(PathBuf, Sets)>,
        own: Option<&Registry>,
    ) -> Self {
        let own = own.is_some_and(|own| own.is_used(&inner));
        Self { inner: Arc::new(inner), registry, path, own, replier: OnceLock::new() }
    }
}

#[cfg(feature = "folder")]
impl Experiment {
    /// That of a run folder.
    pub fn of_run(inner: Checked, registry: crowdtune::Registry, own: Option<&Registry>) -> Self {
        Self::new(inner, registry, None, own)
    }
}

/// What an experiment can name.
fn known(registry: Option<&Registry>) -> crowdtune::Registry {
    registry.map_or_else(crowdtune::Registry::builtin, Registry::snapshot)
}

/// Reads a file, and the files beside it.
#[cfg(feature = "folder")]
fn from_file(
    registry: &crowdtune::Registry,
    path: &Path,
    sets: &[(String, String)],
) -> Result<Checked, crowdtune::Error> {
    crowdtune::folder::experiment(registry, path, sets)
}

#[cfg(not(feature = "folder"))]
fn from_file(
    registry: &crowdtune::Registry,
    path: &Path,
    sets: &[(String, String)],
) -> Result<Checked, crowdtune::Error> {
    let file = path.display().to_string();
    let no_text = |_| crowdtune::Error::input("not a text file (UTF-8)").file(file.clone());
    let text = String::from_utf8(files::read_document(path)?).map_err(no_text)?;
    from_text(registry, (&text, &file), sets, path.parent(), &[])
}

/// Reads a text; files that it names come from the list, or from the folder.
fn from_text(
    registry: &crowdtune::Registry,
    (text, file): (&str, &str),
    sets: &[(String, String)],
    folder: Option<&Path>,
    kept: &[(String, Vec<u8>)],
) -> Result<Checked, crowdtune::Error> {
    Checked::load(registry, text, file, sets, &mut |name| {
        if let Some((_, bytes)) = kept.iter().find(|(known, _)| known == name) {
            return Ok(bytes.clone());
        }
        let Some(folder) = folder else { return no_files(name) };
        files::read(&folder.join(name))
    })
}

#[pymethods]
impl Experiment {
    /// Reads an experiment file, or the one of a run folder, with the files beside it; starts its engine, if it has one.
    #[staticmethod]
    #[pyo3(signature = (path, sets, registry=None))]
    fn load(py: Python<'_>, path: PathBuf, sets: Sets, registry: Option<&Registry>) -> PyResult<Self> {
        let known = known(registry);
        let inner = py.detach(|| from_file(&known, &path, &sets)).map_err(raise)?;
        Ok(Self::new(inner, known, Some((path, sets)), registry))
    }

    /// Reads a text.
    #[staticmethod]
    #[pyo3(signature = (text, file, sets, folder=None, files=Vec::new(), registry=None))]
    fn from_text(
        text: &str,
        file: &str,
        sets: Sets,
        folder: Option<PathBuf>,
        files: Vec<(String, Vec<u8>)>,
        registry: Option<&Registry>,
    ) -> PyResult<Self> {
        let known = known(registry);
        let inner = from_text(&known, (text, file), &sets, folder.as_deref(), &files).map_err(raise)?;
        if inner.engine.is_some() {
            return Err(wrong(
                "an experiment with an [engine] has to be read from its file, because the engine is started beside it",
            ));
        }
        Ok(Self::new(inner, known, None, registry))
    }

    /// All that another process needs.
    fn bundle(&self) -> PyResult<Bundle> {
        if self.own {
            return Err(wrong(
                "this experiment uses a model or a metric written in Python, which stays in this process",
            ));
        }
        let Checked { name, resolved, inputs, engine, .. } = &*self.inner;
        let path = match (engine, &self.path) {
            (Some(_), Some((path, sets))) => {
                let path = path.canonicalize().map_err(|e| wrong(format!("{}: {e}", path.display())))?;
                Some((path, sets.clone()))
            }
            _ => None,
        };
        Ok((name.clone(), resolved.clone(), inputs.clone(), path))
    }

    /// The same with other pairs.
    fn with_sets(&self, sets: Sets, registry: Option<&Registry>) -> PyResult<Self> {
        let Checked { name, resolved, inputs, engine, .. } = &*self.inner;
        if engine.is_some() {
            return Err(wrong("an experiment with an [engine] takes overrides where it is loaded"));
        }
        let inner =
            from_text(&self.registry, (resolved, &format!("{name}.toml")), &sets, None, inputs).map_err(raise)?;
        Ok(Self::new(inner, self.registry.clone(), None, registry))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    #[getter]
    fn title(&self) -> &str {
        &self.inner.title
    }

    #[getter]
    fn digest(&self) -> &str {
        &self.inner.digest
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.inner.search.seed
    }

    #[getter]
    fn evaluations(&self) -> u64 {
        self.inner.search.evaluations
    }

    #[getter]
    fn parallel(&self) -> usize {
        self.inner.search.parallel
    }

    #[getter]
    fn optimizer(&self) -> &'static str {
        self.inner.search.optimizer.name
    }

    #[getter]
    fn dimension(&self) -> usize {
        self.inner.space.genes.len()
    }

    #[getter]
    fn resolved(&self) -> &str {
        &self.inner.resolved
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.inner.warnings.clone()
    }

    #[getter]
    fn adaptive(&self) -> bool {
        self.inner.search.adaptive()
    }

    /// Space, columns, scenarios and objectives as JSON.
    fn describe(&self) -> String {
        exchange::describe(&self.inner).to_string()
    }

    /// The published defaults as a genome.
    fn defaults<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.inner.space.encode(&self.inner.defaults))
    }

    /// The start values as a genome.
    fn start<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.inner.space.encode(&self.inner.start))
    }

    /// Reads candidates as JSON: an object of values by name, or a list of values; the genomes.
    fn genomes<'py>(&self, py: Python<'py>, candidates: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let given: Vec<serde_json::Value> = serde_json::from_str(candidates)
            .map_err(|e| wrong(format!("these are no candidates: {e}; give numbers, words or True and False")))?;
        let read = |one| exchange::genome(one, &self.inner, false).map_err(raise);
        let genomes: Vec<Vec<f64>> = given.into_iter().map(read).collect::<PyResult<_>>()?;
        let (rows, width) = (genomes.len(), self.inner.space.genes.len());
        PyArray1::from_vec(py, genomes.concat()).reshape([rows, width])
    }

    /// Coordinates to values in the units of the space; a choice is the index or the number that is stored.
    fn decode<'py>(&self, py: Python<'py>, genomes: PyReadonlyArray2<'py, f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.mapped(py, &genomes, |row| self.inner.space.decode(row))
    }

    /// Values to coordinates; moved inside where they lie outside.
    fn encode<'py>(&self, py: Python<'py>, values: PyReadonlyArray2<'py, f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.mapped(py, &values, |row| self.inner.space.encode(row))
    }

    /// Decoded values by name, as JSON: words for choices, whole numbers where they are.
    fn named(&self, genomes: PyReadonlyArray2<'_, f64>) -> PyResult<String> {
        let named = |row: &[f64]| {
            let decoded = self.inner.space.decode(row);
            let pairs = self.inner.space.genes.iter().zip(decoded);
            let named = pairs.map(|(gene, x)| (gene.key.clone(), exchange::value(&self.inner, gene, x)));
            serde_json::Value::Object(named.collect())
        };
        let rows = rows(&genomes, self.inner.space.genes.len())?;
        Ok(serde_json::Value::Array(rows.map(named).collect()).to_string())
    }

    /// Answers a line of a search elsewhere, in the calling thread.
    ///
    /// # Errors
    /// If the line is no question about this experiment.
    fn answer<'py>(&self, py: Python<'py>, line: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let value = serde_json::from_slice(line).map_err(|e| wrong(format!("this line is not JSON: {e}")))?;
        let said = py.detach(|| self.replier.get_or_init(|| self.replier()).answer(value));
        said.map(|said| PyBytes::new(py, said.as_bytes())).map_err(raise)
    }
}

impl Experiment {
    fn replier(&self) -> Replier<'static> {
        let Checked { name, resolved, inputs, .. } = &*self.inner;
        let (file, text, files, known) =
            (format!("{name}.toml"), resolved.clone(), inputs.clone(), self.registry.clone());
        let path = self.path.clone().filter(|_| self.inner.engine.is_some());
        Replier::new((*self.inner).clone(), move |seed| {
            let seed = ("search.seed".to_string(), seed.to_string());
            match &path {
                Some((path, sets)) => {
                    let sets: Sets = sets.iter().cloned().chain([seed]).collect();
                    from_file(&known, path, &sets)
                }
                None => from_text(&known, (&text, &file), &[seed], None, &files),
            }
        })
    }

    fn mapped<'py>(
        &self,
        py: Python<'py>,
        array: &PyReadonlyArray2<'py, f64>,
        map: impl Fn(&[f64]) -> Vec<f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let shape = [array.shape()[0], array.shape()[1]];
        let mapped: Vec<f64> = rows(array, self.inner.space.genes.len())?.flat_map(map).collect();
        PyArray1::from_vec(py, mapped).reshape(shape)
    }
}

/// The rows of an array of this width.
pub fn rows<'a>(array: &'a PyReadonlyArray2<'_, f64>, width: usize) -> PyResult<impl Iterator<Item = &'a [f64]>> {
    if array.shape()[1] != width {
        return Err(wrong(format!("an array of width {} for {width} genes", array.shape()[1])));
    }
    if !array.is_c_contiguous() {
        return Err(wrong("an array that is not contiguous; numpy.ascontiguousarray makes one"));
    }
    let flat = array.as_slice().map_err(|_| wrong("an array that is not aligned; a copy is"))?;
    // Rows without columns are rows too.
    Ok((0..array.shape()[0]).map(move |row| &flat[row * width..(row + 1) * width]))
}
