//! Tracks as a USD stage: one point instancer with a body for each person, and the walls. Meters, z up.
//!
//! Everybody is there in every frame, because tools want arrays of one length: who has not come yet or has left is listed as invisible.

use super::body::HEIGHT_M;
use crate::preset::Walked;
use crowdtune_core::math::Vec2;
use crowdtune_sim::world::scenario::Scenario;
use std::fmt::Write as _;

/// Width of the lines that show walls, m. Chosen here: to be seen from above.
const WALL_M: f64 = 0.05;

/// The stage as text.
pub fn stage(walked: &Walked, scenario: &Scenario, about: &[String]) -> String {
    let track = &walked.track;
    let fps = 1.0 / track.every_s;
    let last = track.frames.len().saturating_sub(1);
    // A string of several lines, which ends at three quotes.
    let about = about.join("\n").replace(['"', '\\'], "'");
    let mut out = format!(
        "#usda 1.0\n(\n    defaultPrim = \"crowd\"\n    doc = \"\"\"{about}\"\"\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n    \
         startTimeCode = 0\n    endTimeCode = {last}\n    timeCodesPerSecond = {fps}\n    framesPerSecond = {fps}\n)\n\n\
         def Xform \"crowd\"\n{{\n    def PointInstancer \"people\"\n    {{\n        \
         rel prototypes = </crowd/people/prototypes/person>\n"
    );
    let count = track.radius.len();
    let list = |of: &dyn Fn(usize) -> String| (0..count).map(of).collect::<Vec<_>>().join(", ");
    let _ = writeln!(out, "        int[] protoIndices = [{}]", list(&|_| "0".into()));
    let _ = writeln!(out, "        int64[] ids = [{}]", list(&|id| id.to_string()));
    let scale = |id: usize| format!("({0:.4}, {0:.4}, 1)", track.radius[id]);
    let _ = writeln!(out, "        float3[] scales = [{}]", list(&scale));
    out += "        point3f[] positions.timeSamples = {\n";
    // Before the first frame of somebody the place of that frame.
    let mut at = vec![Vec2::ZERO; count];
    for frame in track.frames.iter().rev() {
        frame.id.iter().zip(&frame.pos).for_each(|(&id, &p)| at[id as usize] = p);
    }
    for (number, frame) in track.frames.iter().enumerate() {
        frame.id.iter().zip(&frame.pos).for_each(|(&id, &p)| at[id as usize] = p);
        let _ =
            writeln!(out, "            {number}: [{}],", list(&|id| format!("({:.4}, {:.4}, 0)", at[id].x, at[id].y)));
    }
    out += "        }\n        int64[] invisibleIds.timeSamples = {\n";
    let mut shown: Option<Vec<u32>> = None;
    for (number, frame) in track.frames.iter().enumerate() {
        let away: Vec<u32> = (0..count as u32).filter(|id| frame.id.binary_search(id).is_err()).collect();
        // Held until it changes.
        if shown.as_ref() != Some(&away) {
            let ids: Vec<String> = away.iter().map(u32::to_string).collect();
            let _ = writeln!(out, "            {number}: [{}],", ids.join(", "));
            shown = Some(away);
        }
    }
    let _ = write!(
        out,
        "        }}\n\n        def Scope \"prototypes\"\n        {{\n            def Xform \"person\"\n            {{\n                \
         def Cylinder \"body\"\n                {{\n                    uniform token axis = \"Z\"\n                    \
         double height = {HEIGHT_M}\n                    double radius = 1\n                    \
         double3 xformOp:translate = (0, 0, {})\n                    \
         uniform token[] xformOpOrder = [\"xformOp:translate\"]\n                }}\n            }}\n        }}\n    }}\n",
        HEIGHT_M / 2.0
    );
    walls(&mut out, scenario);
    out + "}\n"
}

fn walls(out: &mut String, scenario: &Scenario) {
    let walls = &scenario.world.plan.walls;
    if walls.is_empty() {
        return;
    }
    let ends = |p: Vec2| format!("({}, {}, 0)", p.x, p.y);
    let points: Vec<String> = walls.iter().flat_map(|wall| [ends(wall.a), ends(wall.b)]).collect();
    let counts = vec!["2"; walls.len()].join(", ");
    let _ = write!(
        out,
        "\n    def BasisCurves \"walls\"\n    {{\n        uniform token type = \"linear\"\n        int[] curveVertexCounts = [{counts}]\n        \
         point3f[] points = [{}]\n        float[] widths = [{WALL_M}] (\n            interpolation = \"constant\"\n        )\n    }}\n",
        points.join(", ")
    );
}
