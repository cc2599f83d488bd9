// Walks the crowd of a place and writes its tracks as PedPy reads them: `node walk.js [PLACE.json [SECONDS]]`.
"use strict";

const fs = require("fs");
const crowdtune = require("./crowdtune");

const [place = "place.json", seconds = "60"] = process.argv.slice(2);
const read = (name) => JSON.parse(fs.readFileSync(name, "utf8"));
const crowd = crowdtune.load(read("preset.json"), read(place));
const all = crowd.people.length;
const tracks = [`# framerate: ${1 / crowd.dt} fps`, "# x/y/z in m", "# id frame x y z"];
while (crowd.time < Number(seconds) && crowd.people.length) {
  for (const { id, pos } of crowd.people) tracks.push(`${id} ${crowd.steps} ${pos.x.toFixed(4)} ${pos.y.toFixed(4)} 0.0`);
  crowd.step();
}
fs.writeFileSync("tracks.txt", `${tracks.join("\n")}\n`);
console.log(`${all - crowd.people.length} of ${all} people left within ${crowd.time.toFixed(1)} s; tracks.txt has everybody's way`);
