//! `trials.jsonl`: what a row looks like, floats that come back bit for bit, and bytes that are no log.

use crowdtune::evolve::log::{self, Chain, Header, MemoryLog, parse, parse_started};
use crowdtune_search::{Outcome, Purpose, Question, Trial};
use crowdtune_testing::fake::{bytes, experiment, registered};
use crowdtune_testing::sealed::sealed;
use proptest::prelude::*;

fn header() -> Header {
    Header::new(&experiment(registered("random"), 8), log::NATIVE)
}

fn trial(id: u64, x: f64) -> Trial {
    let question = Question { genome: vec![0.25, 1.0], replicas: 0..2, purpose: Purpose::Search };
    let values = vec![vec![vec![Some(x), None]; 2], vec![], vec![vec![Some(-0.0), Some(1e-300)]]];
    Trial { id, question, outcome: Outcome::Done, objectives: vec![x], violation: 0.5, measures: Vec::new(), values }
}

/// The line of one value without its checksum.
fn row<T: serde::Serialize>(value: &T) -> Vec<u8> {
    let line = Chain::default().line(value);
    let end = line.iter().rposition(|&b| b == b',').unwrap();
    [&line[..end], b"}\n"].concat()
}

/// A log of these rows, with checksums.
fn with(rows: &[Vec<u8>]) -> Vec<u8> {
    sealed([vec![row(&header())], rows.to_vec()].concat().concat())
}

#[test]
fn a_row_reads_well() {
    let text = String::from_utf8(row(&trial(3, 1.5))).unwrap();
    assert_eq!(
        text,
        "{\"id\":3,\"purpose\":\"search\",\"genome\":[0.25,1.0],\"replicas\":[0,2],\"outcome\":\"done\",\
         \"objectives\":[1.5],\"violation\":0.5,\
         \"values\":[[[1.5,null],[1.5,null]],[],[[-0.0,1e-300]]]}\n"
    );
    let failed = Trial { outcome: Outcome::Failed("too fast".into()), objectives: vec![], ..trial(0, 1.0) };
    assert!(String::from_utf8(row(&failed)).unwrap().contains("\"outcome\":{\"failed\":\"too fast\"}"));
}

#[test]
fn the_header_says_what_the_rows_mean() {
    let text = String::from_utf8(row(&header())).unwrap();
    assert_eq!(
        text,
        format!(
            "{{\"format\":2,\"crowdtune\":\"{}\",\"results\":{},\"digest\":\"d1\",\"engine\":\"native\",\"seed\":7,\
             \"genes\":[\"parameters.repulsion_strength_n\",\"parameters.repulsion_range_m\"],\
             \"objectives\":[\"loss\"],\
             \"scenarios\":[\"neck[width_m=0.8]\",\"neck[width_m=0.9]\",\"room\"],\
             \"columns\":[\"time\",\"watched\"]}}\n",
            env!("CARGO_PKG_VERSION"),
            log::RESULTS
        )
    );
}

#[test]
fn a_torn_line_is_dropped_and_a_damaged_one_is_named() {
    let good = with(&[row(&trial(0, 1.0)), row(&trial(1, 2.0))]);
    let whole = parse(&good, "t").unwrap();
    assert_eq!((whole.trials.len(), whole.torn, whole.valid_len), (2, false, good.len() as u64));
    // Even a row that only lacks its line end is torn: nobody knows whether it is all.
    for lost in 1..20 {
        let torn = parse(&good[..good.len() - lost], "t").unwrap();
        let first = good.split_inclusive(|b| *b == b'\n').take(2).flatten().count();
        assert_eq!((torn.trials.len(), torn.torn, torn.valid_len), (1, true, first as u64));
    }
    assert_eq!(parse_started(b"{\"format\":2,\"crow", "t").unwrap(), None);
    assert!(parse(b"", "t").unwrap_err().to_string().contains("--resume"));

    let line = |rows: &[Vec<u8>]| parse(&with(rows), "runs/trials.jsonl").unwrap_err().to_string();
    let text = line(&[row(&trial(0, 1.0)), b"{\"id\":1,\n".to_vec()]);
    assert!(text.contains("runs/trials.jsonl:3") && text.contains("not a row"), "{text}");
    let text = line(&[row(&trial(1, 1.0))]);
    assert!(text.contains("id 1, but 0 is next"), "{text}");
    let short = Trial { question: Question { genome: vec![0.5], ..trial(0, 1.0).question }, ..trial(0, 1.0) };
    let text = line(&[row(&short)]);
    assert!(text.contains("1 coordinates of the genome; the header says 2"), "{text}");
    let later = String::from_utf8(row(&header())).unwrap().replace("\"format\":2", "\"format\":3");
    let text = parse(later.as_bytes(), "t").unwrap_err().to_string();
    assert!(text.contains("format 3") && text.contains("allowed: 2"), "{text}");
}

#[test]
fn every_line_has_its_checksum_and_that_of_the_line_before_in_it() {
    let good = with(&[row(&trial(0, 1.0)), row(&trial(1, 2.0)), row(&trial(2, 2.0))]);
    let lines: Vec<&str> = std::str::from_utf8(&good).unwrap().split_inclusive('\n').collect();
    let refused = |lines: &[&str], at: usize, says: &str| {
        let error = parse(lines.concat().as_bytes(), "t").unwrap_err();
        let text = error.to_string();
        assert!(error.exit_code() == 2 && text.contains(says) && text.contains(&format!("t:{at}")), "{text}");
    };
    let check = "does not fit its checksum";
    refused(&[lines[0], lines[2], lines[1], lines[3]], 2, check);
    refused(&[lines[0], lines[2], lines[3]], 2, check);
    refused(&[lines[0], lines[1], lines[1], lines[2], lines[3]], 3, check);
    refused(&[lines[0], lines[1], &lines[2].replacen(',', ", ", 1), lines[3]], 3, check);
    refused(&[lines[0], std::str::from_utf8(&row(&trial(0, 1.0))).unwrap()], 2, "no checksum");
    // What is left of a log after its last lines were cut off is one.
    assert_eq!(parse(lines[..3].concat().as_bytes(), "t").unwrap().trials.len(), 2);
}

#[test]
fn no_digit_of_a_log_can_be_changed() {
    let log = bytes(&experiment(registered("random"), 6));
    parse(&log, "t").unwrap();
    for at in (0..log.len()).filter(|&at| log[at].is_ascii_digit()) {
        let mut edited = log.clone();
        edited[at] = if log[at] == b'9' { b'0' } else { log[at] + 1 };
        let error = parse(&edited, "t").unwrap_err().to_string();
        let line = 1 + log[..at].iter().filter(|b| **b == b'\n').count();
        assert!(error.contains(&format!("t:{line}")), "{error}");
    }
}

proptest! {
    #[test]
    fn floats_come_back_bit_for_bit(bits in any::<u64>()) {
        let x = f64::from_bits(bits);
        prop_assume!(x.is_finite());
        let bytes = with(&[row(&trial(0, x))]);
        let back = parse(&bytes, "t").unwrap().trials.remove(0);
        prop_assert_eq!(back.objectives[0].to_bits(), bits);
        prop_assert_eq!(row(&back), row(&trial(0, x)));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse(&bytes, "t");
        let _ = Chain::default().check(&bytes);
        let _ = parse(&[with(&[]), bytes, b"\n".to_vec()].concat(), "t");
    }

    #[test]
    fn no_edit_of_a_log_makes_the_loop_panic(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let run = experiment(registered("random"), 6);
        let mut log = bytes(&run);
        let at = at.index(log.len());
        log[at] = byte;
        let _ = crowdtune_testing::fake::go(&run, &mut MemoryLog(log.clone()));
        // And with checksums that fit again.
        let log = sealed(String::from_utf8_lossy(&log).as_bytes());
        let _ = crowdtune_testing::fake::go(&run, &mut MemoryLog(log));
    }
}
