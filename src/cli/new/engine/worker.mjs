// A worker for crowdtune: a toy in which people leave a hall by a door.
//
// Put your simulator in place of `simulate`. It gets one run at a time and stays in memory between them. All randomness
// comes from the seed. Only answers go to stdout; use console.error for what you want to see.

import { createInterface } from "node:readline";

// Math.random has no seed: this is mulberry32, 32 bits.
function generator(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// One run: the numbers that targets of the experiment ask for.
function simulate(settings, seed, parameters) {
  const chance = generator(seed);
  let time = 0;
  let waiting = 0;
  for (let person = 0; person < settings.people; person++) {
    time += parameters.time_at_door_s * (0.5 + chance());
    if (chance() < parameters.hurry) time += 1; // Two who hurry block each other.
    waiting += time;
  }
  return { time_s: time, waiting_s: waiting / settings.people };
}

const scenarios = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  let answer;
  if (message.hello) {
    for (const scenario of message.hello.scenarios) scenarios.set(scenario.name, scenario);
    answer = { protocol: 1, engine: "toy_hall", version: "1.0", parameters: ["time_at_door_s", "hurry"] };
  } else {
    answer = { id: message.id };
    try {
      const { settings } = scenarios.get(message.scenario);
      answer.values = simulate(settings, message.seed, message.parameters);
    } catch (error) {
      answer.failed = String(error);
    }
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
