//! Numbers and names as people read them.

use std::cmp::Ordering;

/// Shown where there is no value.
pub const NONE: &str = "\u{2013}";

/// Text for a comment: one line, plain characters.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Three significant digits: `0.0500`, `1.30`, `128`, `12345`; from 1e7 on and below 1e-3 with an exponent.
/// Zero is `0`; infinite and undefined numbers are words.
pub fn number(x: f64) -> String {
    significant(x, 3)
}

/// A number with this many significant digits; whole digits are never cut: `significant(12345.6, 3)` is `12346`.
pub fn significant(x: f64, digits: usize) -> String {
    match decimals(x, digits) {
        Some(d) => fixed(x, d),
        None if x == 0.0 => "0".into(),
        None if x.is_nan() => "undefined".into(),
        None if x.is_infinite() => if x > 0.0 { "infinite" } else { "-infinite" }.into(),
        None => format!("{x:.*e}", digits.saturating_sub(1)),
    }
}

/// A setting: up to four significant digits without trailing zeros (`0.08`, `2000`, `1.344`).
pub fn setting(x: f64) -> String {
    short(&significant(x, 4))
}

/// A whole number is printed as it is, everything else as [`number`]: for axis values such as 0.8 or 40.
pub fn plain(x: f64) -> String {
    if x.abs() < 1e15 && x.fract() == 0.0 { format!("{x:.0}") } else { short(&significant(x, 6)) }
}

/// Drops zeros after the decimal point.
fn short(text: &str) -> String {
    if !text.contains('.') {
        return text.to_string();
    }
    match text.split_once('e') {
        Some((digits, power)) => format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.')),
        None => text.trim_end_matches('0').trim_end_matches('.').to_string(),
    }
}

/// Decimals needed to show this many significant digits; `None` where an exponent or a word is needed.
fn decimals(x: f64, digits: usize) -> Option<usize> {
    if !x.is_finite() || x == 0.0 {
        return None;
    }
    // The exponent is taken after rounding, so that 9.996 is 10.0 and not 10.00.
    let text = format!("{x:.*e}", digits.saturating_sub(1));
    let power: i32 = text.split_once('e').and_then(|(_, p)| p.parse().ok())?;
    (-3..7).contains(&power).then(|| usize::try_from(digits as i32 - 1 - power).unwrap_or(0))
}

/// A number with this many decimals, without a negative zero.
pub fn fixed(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| c == '0' || c == '.') => rest.to_string(),
        _ => text,
    }
}

/// A value, or a dash.
pub fn option(x: Option<f64>) -> String {
    x.map_or_else(|| NONE.into(), number)
}

/// `132 [128, 137]`: a value and its interval, all with the decimals that the largest of the three needs; the value alone
/// without an interval, a dash without a value.
pub fn interval(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
    let Some(value) = value else { return NONE.into() };
    let (Some(low), Some(high)) = (low, high) else { return number(value) };
    let largest = [value, low, high].into_iter().fold(0.0, |a: f64, b| if b.abs() > a { b.abs() } else { a });
    match decimals(largest, 3) {
        Some(d) => format!("{} [{}, {}]", fixed(value, d), fixed(low, d), fixed(high, d)),
        None => format!("{} [{}, {}]", number(value), number(low), number(high)),
    }
}

/// Names whose words would be read as something else, and what they mean.
const MISREAD: [(&str, &str); 1] = [("people_left", "people still inside")];

/// A name in words, without a suffix that repeats the unit: `evacuation_time_95_s` in s is `evacuation time 95`. Other
/// suffixes stay.
pub fn name_in_words(name: &str, unit: &str) -> String {
    if let Some((_, words)) = MISREAD.iter().find(|(misread, _)| *misread == name) {
        return (*words).to_string();
    }
    let suffix = unit_suffix(unit);
    let stem = if suffix.is_empty() { name } else { name.strip_suffix(&format!("_{suffix}")).unwrap_or(name) };
    stem.replace('_', " ")
}

/// `evacuation time 95 (s)`, for axes and table heads.
pub fn name_with_unit(name: &str, unit: &str) -> String {
    let words = name_in_words(name, unit);
    if unit.is_empty() { words } else { format!("{words} ({})", self::unit(unit)) }
}

/// A unit with raised exponents: `1/m2` is `1/m²`.
pub fn unit(unit: &str) -> String {
    let mut out = String::new();
    for c in unit.chars() {
        let raised = match c {
            '2' => '\u{b2}',
            '3' => '\u{b3}',
            '6' => '\u{2076}',
            _ => c,
        };
        out.push(if out.ends_with(|l: char| l.is_ascii_alphabetic()) { raised } else { c });
    }
    out
}

/// A dotted key or a column in words, its unit suffix in brackets: `people.desired_speed_m_per_s` is `desired speed
/// (m/s)`, `density_per_m2` is `density (1/m²)`; without a suffix the words alone.
pub fn words(key: &str) -> String {
    // A longer suffix stands before those that it ends with.
    const UNITS: [&str; 19] = [
        "kg/(m s)", "kg/s2", "m2/s6", "m2/s2", "J/(kg m)", "deg/s", "deg/m", "N/m", "1/(m s)", "m/s2", "m/s", "1/m2",
        "1/s2", "1/s", "deg", "kg", "N", "m", "s",
    ];
    let last = key.rsplit('.').next().unwrap_or(key);
    let stem = |unit: &str| last.strip_suffix(&unit_suffix(unit))?.strip_suffix('_').filter(|stem| !stem.is_empty());
    match UNITS.iter().find_map(|unit| Some((stem(unit)?, unit))) {
        Some((stem, unit)) => format!("{} ({})", stem.replace('_', " "), self::unit(unit)),
        None => last.replace('_', " "),
    }
}

/// The suffix that names a unit in keys: `m/s` is `m_per_s`, `1/(m s)` is `per_m_s`.
fn unit_suffix(unit: &str) -> String {
    let mut out = String::new();
    for c in unit.chars() {
        match c {
            '/' => out.push_str(if out.is_empty() { "per_" } else { "_per_" }),
            '1' if out.is_empty() => {}
            ' ' | '*' | '\u{b7}' => out.push('_'),
            '²' => out.push('2'),
            '(' | ')' | '^' => {}
            c => out.extend(c.to_lowercase()),
        }
    }
    out
}

/// A dotted key without the table that most parameters are in.
pub fn key(key: &str) -> &str {
    key.strip_prefix("parameters.").unwrap_or(key)
}

/// A parameter in words, without the table that most parameters are in.
pub fn parameter(key: &str) -> String {
    words(self::key(key))
}

/// `1 trial`, `2 trials`; also `2 searches` and `2 trajectories`.
pub fn count(n: u64, thing: &str) -> String {
    match (n, thing.strip_suffix('y')) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{n} {stem}ies"),
        (_, None) if thing.ends_with("ch") => format!("{n} {thing}es"),
        (_, None) => format!("{n} {thing}s"),
    }
}

/// `1 trial is`, `2 trials are`.
pub fn are(n: u64, thing: &str) -> String {
    format!("{} {}", count(n, thing), if n == 1 { "is" } else { "are" })
}

/// The order in which people would put names: numbers in them by their size, `width=0.8` before `width=1` before `width=10`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (pieces(a).into_iter(), pieces(b).into_iter());
    loop {
        let order = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some((x, a)), Some((y, b))) => x.zip(y).map_or(Ordering::Equal, |(x, y)| x.total_cmp(&y)).then(a.cmp(b)),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Runs of digits with their values, and what stands between them.
fn pieces(text: &str) -> Vec<(Option<f64>, &str)> {
    let digit = |c: char| c.is_ascii_digit() || c == '.';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| digit(c) != digit(first)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        pieces.push((piece.parse().ok().filter(|_| digit(first)), piece));
        rest = after;
    }
    pieces
}

/// A name as part of a file name: letters, digits and `_` stay, everything else becomes `-`, but not at the end (a name
/// of nothing else keeps it).
pub fn file_stem(name: &str) -> String {
    let stem: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    match stem.trim_end_matches('-') {
        "" => stem,
        trimmed => trimmed.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_put_by_their_size() {
        let mut names =
            ["neck[w=1.2]", "neck[w=0.8]", "hall", "neck[w=10]", "neck[w=1]", "neck", "neck[w=1]b", "neck[w=1.0]"];
        names.sort_by(|a, b| natural(a, b));
        let sorted =
            ["hall", "neck", "neck[w=0.8]", "neck[w=1]", "neck[w=1]b", "neck[w=1.0]", "neck[w=1.2]", "neck[w=10]"];
        assert_eq!(names, sorted);
    }

    #[test]
    fn three_digits_show_and_whole_numbers_stay_whole() {
        let cases = [
            (0.05, "0.0500"),
            (1.3, "1.30"),
            (1.300_000_01, "1.30"),
            (9.996, "10.0"),
            (128.4, "128"),
            (12345.6, "12346"),
            (-0.25, "-0.250"),
            (0.000_123_4, "1.23e-4"),
            (2.5e7, "2.50e7"),
            (0.0, "0"),
            (f64::INFINITY, "infinite"),
            (f64::NAN, "undefined"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x), text, "{x}");
        }
    }

    #[test]
    fn settings_and_axis_values_drop_zeros() {
        assert_eq!(setting(2000.0), "2000");
        assert_eq!(setting(0.08), "0.08");
        assert_eq!(setting(1.0e-5), "1e-5");
        assert_eq!(plain(0.8), "0.8");
        assert_eq!(plain(0.1 + 0.2), "0.3");
        assert_eq!(plain(40.0), "40");
    }

    #[test]
    fn file_names_do_not_end_in_a_dash() {
        assert_eq!(["neck[width_m=0.8]", "a b", "[]"].map(file_stem), ["neck-width_m-0-8", "a-b", "--"]);
    }

    #[test]
    fn things_are_counted_in_their_plural() {
        let counts = [count(1, "trial"), count(2, "trial"), count(3, "search"), count(2, "trajectory")];
        assert_eq!(counts, ["1 trial", "2 trials", "3 searches", "2 trajectories"]);
    }

    #[test]
    fn an_interval_has_the_digits_of_its_value() {
        let f = |value, low, high| interval(Some(value), Some(low), Some(high));
        assert_eq!(f(132.4, 128.0, 136.6), "132 [128, 137]");
        assert_eq!(f(0.05, 0.0, 0.1534), "0.050 [0.000, 0.153]");
        assert_eq!(f(-0.0001, -3.2, 3.1), "0.00 [-3.20, 3.10]");
        assert_eq!(f(0.0, 0.0, 0.0), "0 [0, 0]");
        assert_eq!(interval(Some(2.0), None, None), "2.00");
        assert_eq!(interval(None, None, None), NONE);
    }

    #[test]
    fn keys_and_columns_become_words_with_units() {
        let cases = [
            ("people.desired_speed_m_per_s", "desired speed (m/s)"),
            ("scenario.neck.width_m", "width (m)"),
            ("panic", "panic"),
            ("density_per_m2", "density (1/m\u{b2})"),
            ("variance_m2_per_s2", "variance (m\u{b2}/s\u{b2})"),
            ("specific_flow_per_m_s", "specific flow (1/(m s))"),
            ("turning_deg_per_m", "turning (deg/m)"),
            ("jerk_m2_per_s6", "jerk (m\u{b2}/s\u{2076})"),
            ("body_pressure_p95_n_per_m", "body pressure p95 (N/m)"),
        ];
        for (key, text) in cases {
            assert_eq!(words(key), text);
        }
    }

    #[test]
    fn names_lose_the_unit_they_repeat() {
        assert_eq!(name_with_unit("evacuation_time_95_s", "s"), "evacuation time 95 (s)");
        assert_eq!(name_with_unit("speed_mean_m_per_s", "m/s"), "speed mean (m/s)");
        assert_eq!(name_with_unit("flow_per_s", "1/s"), "flow (1/s)");
        assert_eq!(name_with_unit("effort_j_per_kg_m", "J/(kg m)"), "effort (J/(kg m))");
        assert_eq!(name_with_unit("people_left", ""), "people still inside");
        assert_eq!(name_with_unit("density_per_m2", "1/m2"), "density (1/m\u{b2})");
        assert_eq!(["m2/s6", "N/m", "1/(m s)"].map(unit), ["m\u{b2}/s\u{2076}", "N/m", "1/(m s)"]);
    }
}
