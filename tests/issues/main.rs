//! Bugs that were found once, one file each; its first line is the story, its number the issue it was found in.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "002_a_report_forgot_the_name.rs"]
mod forgotten_name;
#[path = "002_a_refused_resume_rewrote_the_experiment.rs"]
mod refused_resume;

mod a_new_file_runs;
mod a_preset_alone;
mod a_track_is_no_distribution;
mod backwards;
mod commands_that_pages_copy;
mod control_characters;
mod dangling_links_and_broken_disks;
mod edited_logs;
mod ghosts;
mod interrupted;
mod narrow_tables;
mod no_brakes_in_a_stream;
mod nothing_is_left_behind;
mod odd_tracks;
mod one_cut_off;
mod other_people;
mod out_of_time;
mod pressed_in_a_crush;
mod program;
mod replaced_as_a_whole;
mod replays_that_stand;
mod shown_recordings;
mod side_by_side;
mod straight_on_or_still;
mod sweep_folder;
mod too_large;
mod tracks_in_their_own_unit;
mod two_files_of_one_name;
mod typing_mistakes;
mod valleys;
mod walked_through;
mod where_nobody_likes_to_be;
mod whose_numbers;
