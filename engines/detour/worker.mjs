// A worker for crowdtune: people as agents of Detour's crowd, on a navigation mesh that Recast builds from the walls.
import fs from "node:fs";
import readline from "node:readline";
import { init, Crowd } from "recast-navigation";
import { generateSoloNavMesh } from "recast-navigation/generators";

const needs = JSON.parse(fs.readFileSync(new URL("package.json", import.meta.url))).dependencies;
const version = needs["recast-navigation"];
const CANNOT = ["inflow", "rounds", "no_goal", "later_starts", "periodic"];
const STEP_S = 0.05;
const CELL_M = 0.05; // side of a voxel; doors are as exact as this
const MARGIN_M = 2.0; // floor beyond the outermost walls, for those who leave by a door
const ALL_STEERING = 31; // turns, avoidance, separation, both ways to shorten a path

// What an agent gets, and what the obstacle avoidance of Detour gets: name here -> name there.
const OF_AGENT = {
  separation_weight: "separationWeight", max_acceleration_m_per_s2: "maxAcceleration",
  collision_query_range_m: "collisionQueryRange", path_optimization_range_m: "pathOptimizationRange",
};
const OF_AVOIDANCE = {
  vel_bias: "velBias", weight_des_vel: "weightDesVel", weight_cur_vel: "weightCurVel", weight_side: "weightSide",
  weight_toi: "weightToi", horizon_s: "horizTime",
};

const numbers = (wkt) => [...wkt.matchAll(/(-?[\d.]+(?:e[-+]?\d+)?)\s+(-?[\d.]+(?:e[-+]?\d+)?)/gi)].map((m) => [+m[1], +m[2]]);
const lines = (wkt) => [...wkt.matchAll(/\(([^()]+)\)/g)].map((m) => numbers(m[1]));

// The floor is one large quad; each wall is an upright quad 2 m high that cuts it.
function navigationMesh(scenario, cells) {
  const walls = lines(scenario.walls);
  const points = [...walls.flat(), ...scenario.goals.flatMap((goal) => numbers(goal.wkt))];
  const [x, y] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [x0, x1] = [Math.min(...x) - MARGIN_M, Math.max(...x) + MARGIN_M];
  const [y0, y1] = [Math.min(...y) - MARGIN_M, Math.max(...y) + MARGIN_M];
  const positions = [x0, 0, y0, x0, 0, y1, x1, 0, y1, x1, 0, y0];
  const indices = [0, 1, 2, 0, 2, 3];
  for (const wall of walls) {
    for (let i = 1; i < wall.length; i++) {
      const [a, b, n] = [wall[i - 1], wall[i], positions.length / 3];
      positions.push(a[0], 0, a[1], b[0], 0, b[1], b[0], 2, b[1], a[0], 2, a[1]);
      indices.push(n, n + 1, n + 2, n, n + 2, n + 3);
    }
  }
  const made = generateSoloNavMesh(positions, indices, {
    cs: CELL_M, ch: 0.1, walkableRadius: cells, walkableHeight: 10, walkableClimb: 1,
    maxSimplificationError: 0.5, minRegionArea: 0, maxEdgeLen: 0,
  });
  if (!made.success) throw new Error(made.error);
  return made.navMesh;
}

// Where a person heads for: the nearest point of the door, a bit beyond it; the middle of any other goal.
function aim(goal, x, y, radius) {
  const points = numbers(goal.wkt);
  if (goal.kind !== "door") return [0, 1].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
  const [a, b] = points;
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy);
  const edge = Math.min(0.5, (radius + 0.1) / length); // stay off the posts
  const share = Math.min(1 - edge, Math.max(edge, ((x - a[0]) * dx + (y - a[1]) * dy) / length ** 2));
  return [a[0] + share * dx + goal.outward[0] * (radius + 0.4), a[1] + share * dy + goal.outward[1] * (radius + 0.4)];
}

function reached(goal, x, y, radius, last) {
  const [a] = numbers(goal.wkt);
  if (goal.kind === "door") return (x - a[0]) * goal.outward[0] + (y - a[1]) * goal.outward[1] > (last ? radius : 0);
  const to = aim(goal, x, y, radius);
  return Math.hypot(x - to[0], y - to[1]) < (goal.radius_m ?? Math.hypot(a[0] - to[0], a[1] - to[1]) / 2);
}

function simulate(scenario, request, file) {
  const largest = Math.max(...request.people.map((person) => person.radius_m));
  scenario.meshes ??= {};
  const cells = Math.floor(largest / CELL_M);
  const crowd = new Crowd((scenario.meshes[cells] ??= navigationMesh(scenario, cells)), {
    maxAgents: request.people.length, maxAgentRadius: largest,
  });
  const avoidance = crowd.raw.getObstacleAvoidanceParams(0);
  const params = { height: 1.8, updateFlags: ALL_STEERING, obstacleAvoidanceType: 0, queryFilterType: 0 };
  for (const [name, value] of Object.entries(request.parameters)) {
    if (name in OF_AGENT) params[OF_AGENT[name]] = value;
    else avoidance[OF_AVOIDANCE[name]] = value;
  }
  crowd.raw.setObstacleAvoidanceParams(0, avoidance);
  const goals = Object.fromEntries(scenario.goals.map((goal) => [goal.name, goal]));
  let people = request.people.map((person) => {
    const agent = crowd.addAgent({ x: person.x, y: 0, z: person.y }, { ...params, radius: person.radius_m, maxSpeed: person.desired_speed_m_per_s });
    if (!agent) throw new Error(`Detour found no place for person ${person.id}`);
    return { ...person, agent, stage: 0, stages: scenario.groups.find((group) => group.name === person.group).stages };
  });
  const send = (person, x, y) => {
    const to = aim(goals[person.stages[person.stage][0]], x, y, person.radius_m);
    person.agent.requestMoveTarget({ x: to[0], y: 0, z: to[1] });
  };
  for (const person of people) send(person, person.x, person.y);
  const rows = ["# framerate: 10 fps", "# id frame x/m y/m"];
  const times = [];
  let step = 0;
  for (; people.length > 0 && step * STEP_S < scenario.limit_s; step++) {
    if (step % 2 === 0) for (const p of people) rows.push(`${p.id} ${step / 2} ${p.x.toFixed(4)} ${p.y.toFixed(4)}`);
    crowd.update(STEP_S);
    people = people.filter((person) => {
      const at = person.agent.position();
      [person.x, person.y] = [at.x, at.z];
      const last = person.stage === person.stages.length - 1;
      if (!reached(goals[person.stages[person.stage][0]], at.x, at.z, person.radius_m, last)) return true;
      if (last) {
        times.push((step + 1) * STEP_S);
        crowd.removeAgent(person.agent);
        return false;
      }
      person.stage += 1;
      send(person, at.x, at.z);
      return true;
    });
  }
  crowd.destroy();
  fs.writeFileSync(file, rows.join("\n") + "\n");
  const mean = times.length ? times.reduce((a, b) => a + b) / times.length : null;
  return { values: { mean_travel_time_s: mean, people_out: times.length }, end_s: (Math.ceil(step / 2) * 2) * STEP_S };
}

console.log = console.error; // only answers go to stdout
await init();
let scenarios, folder;
for await (const line of readline.createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  let answer;
  if (message.hello) {
    folder = message.hello.folder;
    scenarios = Object.fromEntries(message.hello.scenarios.map((scenario) => [scenario.name, scenario]));
    const parameters = [...Object.keys(OF_AGENT), ...Object.keys(OF_AVOIDANCE)];
    answer = { protocol: 1, engine: "detour (recast-navigation)", version, parameters, people: true, cannot: CANNOT };
  } else {
    const trajectory = `run-${message.id}.txt`;
    try {
      answer = { id: message.id, trajectory, ...simulate(scenarios[message.scenario], message, `${folder}/${trajectory}`) };
    } catch (error) {
      answer = { id: message.id, failed: String(error.message ?? error) };
    }
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
