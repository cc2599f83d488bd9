//! The run folder: an experiment run to all the files it leaves, and those files read back.
//!
//! [`run_to_folder`] is the whole pipeline in one call, [`run_to_folder_with`] the same with a simulator of one's own;
//! [`RunFolder`] is the folder while a run writes into it; [`experiment`] and [`read_run`] read what is there; [`remake_report`] needs nothing but the folder.

mod asked;
mod atlas;
mod export;
mod load;
mod posterior;
mod record;
mod run;
mod run_folder;
mod sensitivity;

pub use crate::files::{read, read_document, writable, write, write_new};
pub use asked::{design_of, inference_of};
pub use export::{Taken, export_preset, export_run, picked};
pub use load::{experiment, home, not_started, read_preset, read_run, start_of_run};
pub use posterior::{Asked, advise_from_folder, odds_of_folders, posterior_to_folder, remake_posterior};
pub use run::{Options, RunOutput, remake_report, run_to_folder, run_to_folder_with};
pub use run_folder::{RunFolder, input};
pub use sensitivity::{remake_sensitivity, sensitivity_to_folder};
