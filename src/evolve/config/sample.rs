//! The measured values that `like` compares with: a list in the experiment, or a file.

use super::context::Context;
use super::item::Item;
use crowdtune_core::Error;

/// Which column of a file holds the values.
enum Column {
    Named(String),
    /// From 0.
    Number(usize),
}

const HELP: &str = "give one number a line, or say which column holds them: \
                    like = { file = \"gaps.csv\", column = \"gap_s\" }, or its number, from 1";

/// A sample in the experiment, or in a text file: numbers between spaces, commas or line ends, or one column of a table; `#`
/// starts a comment. Ascending.
///
/// # Errors
/// If something is no number, there are fewer than two, or the file is a table or a recording and no column is chosen.
pub(super) fn read(item: &Item<'_>, context: &mut Context<'_>) -> Result<Vec<f64>, Error> {
    let (named, column) = if item.is_table() {
        let table = item.table()?;
        let named = table.need("file", "a distribution is a list of numbers or { file = \"...\" }")?;
        let column = table.take("column").map(|column| self::column(&column)).transpose()?;
        table.finish()?;
        (Some(named), column)
    } else {
        (item.text().is_ok().then(|| item.clone()), None)
    };
    let mut out = Vec::new();
    if let Some(named) = &named {
        let name = named.text()?;
        let text = context.text(named).map_err(|e| e.help(HELP))?;
        let values = match &column {
            Some(column) => of_column(&text, column),
            None => check(&text).and_then(|()| of_list(&text)),
        };
        out = values.map_err(|e| e.file(&name).key(&named.path).help(HELP))?;
    } else {
        for value in item.list().map_err(|_| item.wrong("a list of numbers, or the name of a file that holds them"))? {
            out.push(value.finite()?);
        }
    }
    if out.len() < 2 {
        let too_few = "a distribution needs at least 2 values";
        return Err(match named {
            Some(named) => Error::input(format!("{too_few}, and the file has {}", out.len())).file(named.text()?),
            None => item.error(too_few),
        }
        .help("give the measured values one by one"));
    }
    out.sort_by(f64::total_cmp);
    Ok(out)
}

fn column(item: &Item<'_>) -> Result<Column, Error> {
    match item.text() {
        Ok(name) => Ok(Column::Named(name)),
        Err(_) => item
            .whole(1, 1000)
            .map(|number| Column::Number(number as usize - 1))
            .map_err(|_| item.wrong("the name of a column, or its number, from 1")),
    }
}

/// Lines that are not empty, without comments, with their numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.trim_start_matches('\u{feff}').lines();
    (1..).zip(text).map(|(k, line)| (k, line.split('#').next().unwrap_or_default().trim())).filter(|l| !l.1.is_empty())
}

/// Everything between spaces, tabs, commas and semicolons.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '\t', ',', ';']).filter(|word| !word.trim().is_empty())
}

/// Cells of a table: between commas or semicolons, where there are some, else between blanks.
fn cells(line: &str) -> Vec<&str> {
    match line.find([',', ';']) {
        Some(at) => line.split(char::from(line.as_bytes()[at])).map(|cell| cell.trim().trim_matches('"')).collect(),
        None => line.split_whitespace().collect(),
    }
}

fn number(word: &str) -> Result<f64, Error> {
    let value = word.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    value.ok_or_else(|| Error::input(format!("`{word}` is not a number")))
}

fn of_list(text: &str) -> Result<Vec<f64>, Error> {
    let mut out = Vec::new();
    for (at, line) in lines(text) {
        for word in words(line) {
            out.push(number(word).map_err(|e| e.line(at))?);
        }
    }
    Ok(out)
}

/// Refuses what was not written as a list of numbers: recorded tracks, whose ids and frames would count as values, and tables.
fn check(text: &str) -> Result<(), Error> {
    let is_tracks = |words: &[String]| {
        let has = |name: &str| words.iter().any(|word| word == name);
        has("id") && (has("frame") || has("fr"))
    };
    let lower = |line: &str| words(line).map(str::to_lowercase).collect::<Vec<_>>();
    let comments = text.lines().filter_map(|line| line.split_once('#')).map(|(_, comment)| lower(comment));
    let says_so = |comment: Vec<String>| {
        is_tracks(&comment) || comment.join(" ").contains("framerate") || comment.join(" ").contains("frame rate")
    };
    let rows: Vec<Vec<String>> = lines(text).map(|(_, line)| lower(line)).collect();
    let width = rows.first().map_or(0, Vec::len);
    let is_table = rows.len() > 1 && width > 1 && rows.iter().all(|row| row.len() == width);
    let whole = |row: &[String]| row[..2].iter().all(|word| word.parse::<f64>().is_ok_and(|x| x.fract() == 0.0));
    if comments.into_iter().any(says_so)
        || rows.first().is_some_and(|row| is_tracks(row))
        || is_table && width > 3 && rows.iter().all(|row| whole(row))
    {
        return Err(Error::input("the file holds recorded tracks, not the values of a distribution"));
    }
    if is_table {
        return Err(Error::input(format!(
            "the file is a table of {width} columns, and only one can be the distribution"
        )));
    }
    Ok(())
}

fn of_column(text: &str, column: &Column) -> Result<Vec<f64>, Error> {
    let mut rows = lines(text).peekable();
    let has_words = |line: &str| cells(line).iter().any(|cell| cell.parse::<f64>().is_err() && !cell.is_empty());
    let head = rows.next_if(|(_, line)| has_words(line)).map(|(_, line)| cells(line)).unwrap_or_default();
    let at = match column {
        Column::Number(at) => *at,
        Column::Named(name) => head.iter().position(|cell| cell == name).ok_or_else(|| {
            let error = Error::input(format!("no column is called `{name}`"));
            if head.is_empty() { error } else { error.allowed(head.join(", ")) }
        })?,
    };
    rows.map(|(line, row)| {
        let cells = cells(row);
        let cell = cells.get(at).filter(|cell| !cell.is_empty());
        let missing = || Error::input(format!("the row has nothing in column {}", at + 1));
        cell.ok_or_else(missing).and_then(|cell| number(cell)).map_err(|e| e.line(line))
    })
    .collect()
}
