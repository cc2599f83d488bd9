use super::*;

static NEVER: AtomicBool = AtomicBool::new(false);

fn shell(script: &str) -> Process {
    let words = ["sh", "-c", script].map(String::from);
    Process::start(&words, None, &[("WORD".into(), "hello".into())], 1000).unwrap()
}

fn soon(milliseconds: u64) -> Option<Instant> {
    Some(Instant::now() + Duration::from_millis(milliseconds))
}

/// True as long as a process with this number runs.
fn runs(number: &str) -> bool {
    let id = rustix::process::Pid::from_raw(number.parse().unwrap()).unwrap();
    // Whoever has ended stays in the list until its parent looks.
    let state = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    rustix::process::test_kill_process(id).is_ok() && !state.contains(") Z ")
}

/// Waits for the system to end a process that was killed.
fn ends(number: &str) -> bool {
    let until = Instant::now() + Duration::from_secs(5);
    while runs(number) && Instant::now() < until {
        thread::sleep(Duration::from_millis(2));
    }
    !runs(number)
}

fn text(line: Result<Vec<u8>, Missed>) -> String {
    String::from_utf8(line.unwrap()).unwrap()
}

#[test]
fn lines_go_there_and_back() {
    let mut process = shell("while read -r line; do echo \"$WORD $line\"; done; echo end >&2; exit 7");
    for word in ["a", "b", "c"] {
        process.send(word.as_bytes()).unwrap();
    }
    for word in ["a", "b", "c"] {
        assert_eq!(text(process.receive(soon(5000), &NEVER)), format!("hello {word}"));
    }
    assert_eq!(process.receive(soon(30), &NEVER), Err(Missed::TimedOut));
    process.close_input();
    assert_eq!(process.receive(soon(5000), &NEVER), Err(Missed::Ended));
    assert_eq!(process.send(b"d"), Err(Missed::Ended));
    assert_eq!(process.end().to_string(), "it ended with exit status: 7");
    assert_eq!(process.stderr_tail(), "end");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let error = Process::start(&["no-such-program".into()], None, &[], 10).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains("cannot start `no-such-program`"), "{error}");
    assert_eq!(Process::start(&[], None, &[], 10).unwrap_err().exit_code(), 2);
}

#[test]
fn a_line_without_end_and_a_flood_are_bounded() {
    let mut endless = shell("head -c 100000 /dev/zero; sleep 60");
    assert_eq!(endless.receive(soon(5000), &NEVER), Err(Missed::TooLong));
    assert_eq!(endless.end().to_string(), "it had to be ended");
    let mut flood = shell("yes");
    assert_eq!(text(flood.receive(soon(5000), &NEVER)), "y");
    let mut half = shell("printf half; kill -9 $$");
    assert_eq!(half.receive(soon(5000), &NEVER), Err(Missed::Ended));
    assert!(half.end().to_string().contains("signal: 9"));
}

#[test]
fn nobody_waits_for_a_program_that_reads_and_says_nothing() {
    let mut deaf = shell("sleep 60");
    let start = Instant::now();
    for _ in 0..100 {
        deaf.send(&[b'x'; 10_000]).unwrap();
    }
    let flag = AtomicBool::new(true);
    assert_eq!(deaf.receive(None, &flag), Err(Missed::Cancelled));
    drop(deaf);
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[test]
fn what_a_program_started_goes_with_it() {
    let mut parent = shell("sleep 60 & echo $!; exec sleep 60");
    let child = text(parent.receive(soon(5000), &NEVER));
    assert!(runs(&child));
    drop(parent);
    assert!(ends(&child));

    // One that leaves a program behind, which holds the pipe open, has ended all the same.
    let mut gone = shell("sleep 60 & echo $!");
    let child = text(gone.receive(soon(5000), &NEVER));
    assert_eq!(gone.receive(soon(5000), &NEVER), Err(Missed::Ended));
    assert!(runs(&child));
    drop(gone);
    assert!(ends(&child));
}
