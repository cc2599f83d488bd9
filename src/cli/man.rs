//! `crowdtune man`: the manual, one page after the other.

use super::output;
use clap::{Args as ClapArgs, Command};
use crowdtune_core::Error;

/// Print the manual
#[derive(Debug, ClapArgs)]
pub struct Args {}

/// Runs the command: the page of the program, then one for each command.
///
/// # Errors
/// If stdout cannot be written.
pub fn run(_: &Args, program: &Command) -> Result<(), Error> {
    output::bytes(&pages(program))
}

fn pages(program: &Command) -> Vec<u8> {
    let mut program = program.clone();
    program.build();
    let mut text = Vec::new();
    let commands = program.get_subcommands().filter(|c| c.get_name() != "help").cloned().collect::<Vec<_>>();
    for command in std::iter::once(program).chain(commands) {
        clap_mangen::Man::new(command).render(&mut text).expect("memory can be written");
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_is_a_page_for_each_command() {
        let text = String::from_utf8(super::pages(&crate::cli::program(&crate::cli::subcommands()))).unwrap();
        for title in ["crowdtune", "crowdtune-bench", "crowdtune-list", "crowdtune-export"] {
            assert!(text.contains(&format!(".TH {title} 1")), "{title}");
        }
    }
}
