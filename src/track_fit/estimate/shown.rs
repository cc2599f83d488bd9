//! What an estimate says, and the preset that it makes.

use super::{Constant, Estimate, single};
use crate::format;
use crate::preset::{Interval, Preset};
use crowdtune_core::registry::Entry;
use crowdtune_sim::models::MakeModel;

impl Estimate {
    /// Head and rows of the table of one model's constants.
    pub(crate) fn table(&self, model: &str) -> (Vec<String>, Vec<Vec<String>>) {
        let level = 100.0 * self.level;
        let titles = [format!("estimate with {level:.0} % interval"), format!("{level:.0} % for all at once")];
        let row = |constant: &Constant| {
            let Constant { key, value, low, high, low_open, high_open, all_low, all_high } = constant;
            let end = |open: &bool| if *open { " (end of the range)" } else { "" };
            let [value, low, high, all_low, all_high] =
                [value, low, high, all_low, all_high].map(|x| format::number(*x));
            let one = format!("{value} [{low}{}, {high}{}]", end(low_open), end(high_open));
            vec![key.clone(), one, format!("[{all_low}, {all_high}]")]
        };
        let head = [model.to_string()].into_iter().chain(titles).collect();
        (head, self.constants.iter().map(row).collect())
    }

    /// How it was made, and what is left.
    pub(crate) fn said(&self) -> String {
        let speeds = self.desired_speed.map_or_else(String::new, |of| {
            format!(
                " Desired speeds of the {} people whose tracks tell them: mean {:.2} m/s, standard deviation between people {:.2} m/s, with the \
                 errors of the single ones taken off.",
                of.people, of.mean_m_per_s, of.sd_m_per_s
            )
        });
        format!(
            "{}, from {} people in {} stretches between restarts and {} runs. What is left of a coordinate is {} m in the middle stretch: \
             the error of the rows, if the model is that of the people. The intervals for all at once are made for {:.1} % \
             each (Sidak).{speeds}",
            self.method,
            self.people,
            self.stretches,
            self.runs,
            format::number(self.left_m),
            100.0 * single(self.level, self.constants.len())
        )
    }

    /// The preset of a search with these constants in place of its own.
    pub(crate) fn preset(&self, mut preset: Preset, model: &Entry<MakeModel>) -> Preset {
        preset.name += "-estimate";
        for constant in &self.constants {
            let own = constant.key.rsplit('.').next().unwrap_or_default();
            let interval = Interval {
                low: constant.low,
                high: constant.high,
                low_open: constant.low_open,
                high_open: constant.high_open,
                level: Some(self.level),
                method: self.method.to_string(),
            };
            // What has the same value goes along.
            let follows = model.params.iter().filter(|param| param.same_as == Some(own)).map(|param| param.key);
            for key in [own].into_iter().chain(follows) {
                let Some(quantity) = preset.parameters.get_mut(key) else { continue };
                quantity.value = constant.value.into();
                quantity.interval = (key == own).then(|| interval.clone());
            }
        }
        // They are of the search's constants.
        preset.targets.clear();
        preset
    }
}
