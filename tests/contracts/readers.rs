//! Files that are damaged or hostile: no reader panics, none takes long, and what is accepted is what the bytes say.
//!
//! `CROWDTUNE_MUTATIONS` is the number of inputs for all readers together.

use cpu_time::ThreadTime;
use crowdtune::cli::readers::{READERS, Reader};
use crowdtune_core::math::rng::Seed;
use crowdtune_testing::mutate::mutated;
use crowdtune_testing::sealed::sealed;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Of processor time; no input is larger than a few kilobytes.
const LONG: Duration = Duration::from_secs(10);

fn corpus(reader: &Reader) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(reader.name);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    files.iter().map(|f| fs::read(f).unwrap()).collect()
}

/// What is wrong with how a reader took some bytes, and whether it accepted them.
fn wrong(reader: &Reader, bytes: &[u8], original: Option<&[u8]>) -> Result<bool, String> {
    let since = ThreadTime::now();
    let read = catch_unwind(|| (reader.read)(bytes)).map_err(|_| "a panic".to_string())?;
    let spent = since.elapsed();
    if spent > LONG {
        return Err(format!("it took {spent:?}"));
    }
    let Ok(understood) = read else { return Ok(false) };
    if reader.round && (reader.read)(&understood).as_ref() != Ok(&understood) {
        return Err(format!("written again it is something else: {}", String::from_utf8_lossy(&understood)));
    }
    if original.is_some_and(|original| !original.starts_with(&understood)) {
        return Err("an edited log was accepted".to_string());
    }
    Ok(true)
}

fn attack(reader: &Reader, count: u64) {
    let seeds = corpus(reader);
    for seed in &seeds {
        let read = (reader.read)(seed);
        assert!(read.is_ok(), "{}: {}", reader.name, read.unwrap_err());
        assert_eq!(wrong(reader, seed, None), Ok(true), "{}", reader.name);
    }
    let (mut accepted, since) = (0, ThreadTime::now());
    for k in 0..count {
        let mut rng = Seed(16).child(reader.name, k).rng();
        let seed = &seeds[k as usize % seeds.len()];
        let mut bytes = mutated(seed, &seeds, &mut rng);
        // Every other log gets checksums that fit, so that what is behind them is reached.
        let is_log = reader.name == "log";
        let resealed = is_log && k % 2 == 1;
        if resealed {
            bytes = sealed(String::from_utf8_lossy(&bytes).as_bytes());
        }
        match wrong(reader, &bytes, (is_log && !resealed).then_some(seed)) {
            Ok(took) => accepted += u64::from(took),
            Err(what) => {
                let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{k}", reader.name));
                fs::write(&file, &bytes).unwrap();
                panic!("{} number {k}, kept as {}: {what}", reader.name, file.display());
            }
        }
    }
    println!("{}: {count} inputs, {accepted} accepted, {:.1} s", reader.name, since.elapsed().as_secs_f64());
}

#[test]
fn no_mutated_input_makes_a_reader_panic_or_believe_a_wrong_number() {
    let all: u64 = std::env::var("CROWDTUNE_MUTATIONS").map_or(480, |n| n.parse().unwrap());
    let only = std::env::var("CROWDTUNE_READER").ok();
    for reader in READERS.iter().filter(|r| only.as_deref().is_none_or(|name| name == r.name)) {
        attack(reader, all.div_ceil(READERS.len() as u64));
    }
}

#[test]
fn every_reader_has_a_fuzz_target() {
    for reader in &READERS {
        let target = format!("fuzz/targets/{}.rs", reader.name);
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&target).is_file(), "{target} is missing");
    }
}
