// A worker for crowdtune: a flock of yuka's vehicles with separation, alignment and cohesion.
import fs from "node:fs";
import readline from "node:readline";
import { AlignmentBehavior, CohesionBehavior, EntityManager, SeparationBehavior, Vehicle } from "yuka";

const { yuka: version } = JSON.parse(fs.readFileSync(new URL("package.json", import.meta.url))).dependencies;
const CANNOT = ["walls", "goals", "heading", "inflow", "later_starts", "periodic"];
const STEP_S = 0.05;
const BEHAVIORS = {
  separation_weight: SeparationBehavior, alignment_weight: AlignmentBehavior, cohesion_weight: CohesionBehavior,
};
const PARAMETERS = [...Object.keys(BEHAVIORS), "neighborhood_radius_m", "max_force_n"];

// Random numbers from a seed (mulberry32): the same request has the same answer.
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// People stand at their places and face any way; the field lies in yuka's x and z.
function flock(request) {
  const { parameters } = request;
  const chance = random(request.seed);
  const manager = new EntityManager();
  for (const person of request.people) {
    const vehicle = new Vehicle();
    const angle = 2 * Math.PI * chance();
    vehicle.position.set(person.x, 0, person.y);
    vehicle.velocity.set(Math.cos(angle), 0, Math.sin(angle)).multiplyScalar(person.desired_speed_m_per_s);
    vehicle.lookAt(vehicle.position.clone().add(vehicle.velocity));
    vehicle.maxTurnRate = Math.PI;
    vehicle.maxSpeed = person.desired_speed_m_per_s;
    vehicle.maxForce = parameters.max_force_n;
    vehicle.updateNeighborhood = true;
    vehicle.neighborhoodRadius = parameters.neighborhood_radius_m;
    for (const [name, Behavior] of Object.entries(BEHAVIORS)) {
      const behavior = new Behavior();
      behavior.weight = parameters[name];
      vehicle.steering.add(behavior);
    }
    manager.add(vehicle);
  }
  return manager;
}

function simulate(scenario, request, file) {
  const manager = flock(request);
  const rows = ["# framerate: 10 fps", "# id frame x/m y/m"];
  const steps = Math.round(scenario.limit_s / STEP_S);
  for (let step = 0; step <= steps; step++) {
    if (step % 2 === 0) {
      manager.entities.forEach(({ position }, i) =>
        rows.push(`${request.people[i].id} ${step / 2} ${position.x.toFixed(4)} ${position.z.toFixed(4)}`));
    }
    manager.update(STEP_S);
  }
  fs.writeFileSync(file, rows.join("\n") + "\n");
  const speeds = manager.entities.map((vehicle) => vehicle.getSpeed());
  return { values: { mean_speed_m_per_s: speeds.reduce((a, b) => a + b, 0) / speeds.length } };
}

console.log = console.error; // only answers go to stdout
let scenarios, folder;
for await (const line of readline.createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  let answer;
  if (message.hello) {
    folder = message.hello.folder;
    scenarios = Object.fromEntries(message.hello.scenarios.map((scenario) => [scenario.name, scenario]));
    answer = { protocol: 1, engine: "yuka", version, parameters: PARAMETERS, people: true, cannot: CANNOT };
  } else {
    const trajectory = `run-${message.id}.txt`;
    try {
      const run = simulate(scenarios[message.scenario], message, `${folder}/${trajectory}`);
      answer = { id: message.id, trajectory, end_s: scenarios[message.scenario].limit_s, ...run };
    } catch (error) {
      answer = { id: message.id, failed: String(error.message ?? error) };
    }
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
