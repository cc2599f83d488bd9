// Walks the cases of a folder and compares positions: `node check.js ../cases [--speed]`. Exit code 1 if one is over 1e-9 m.
"use strict";

const fs = require("fs");
const path = require("path");
const crowdtune = require("./crowdtune");

const MOST_M = 1e-9;
const [folder, ...options] = process.argv.slice(2);
const cases = fs.readdirSync(folder).filter((name) => name.endsWith(".json")).sort();
const read = (name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));

function distance(people, wanted) {
  if (people.length !== wanted.length) return Infinity;
  return Math.max(...wanted.map(([id, x, y], i) => (people[i].id === id ? Math.hypot(people[i].pos.x - x, people[i].pos.y - y) : Infinity)));
}

let wrong = 0;
for (const name of cases) {
  const one = read(name);
  const crowd = crowdtune.load(one.preset, one.place);
  let most = 0;
  for (const after of one.after) {
    while (crowd.steps < after.steps) crowd.step();
    most = Math.max(most, distance(crowd.people, after.people));
  }
  // Also false for what is no number.
  const ok = most <= MOST_M;
  wrong += ok ? 0 : 1;
  console.log(`${one.name.padEnd(22)} ${most.toExponential(1)} m  ${ok ? "ok" : "WRONG"}`);
}
if (options.includes("--speed")) {
  for (const name of ["orca_room", "social_force_jam", "five_force_room"]) {
    const one = read(`${name}.json`);
    let [walked, spent] = [0, 0];
    while (spent < 2) {
      const crowd = crowdtune.load(one.preset, one.place);
      const since = process.hrtime.bigint();
      for (let step = 0; step < 300; step++) {
        walked += crowd.people.length;
        crowd.step();
      }
      spent += Number(process.hrtime.bigint() - since) / 1e9;
    }
    console.log(`${name}: ${Math.round(walked / spent)} agent-steps/s`);
  }
}
process.exit(cases.length && !wrong ? 0 : 1);
