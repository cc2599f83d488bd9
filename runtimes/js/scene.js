// Draws the crowd of data.js (PRESET and PLACES) on a canvas. Start here for a scene of your own.
"use strict";

/** Colors of groups that people with any color vision can tell apart (Okabe and Ito, 2008). */
const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/** A page that was hidden does not catch up with more than this, s. */
const MOST_BEHIND_S = 0.25;

const byId = (id) => document.getElementById(id);
const canvas = byId("ground");
const context = canvas.getContext("2d");
let place, crowd, all, box;
let [running, behind, before] = [true, 0, 0];

function restart() {
  place = PLACES[byId("place").value || 0];
  crowd = crowdtune.load(PRESET, place);
  all = crowd.people.length;
  behind = 0;
  box = bounds();
  byId("name").textContent = `${PRESET.name || "crowd"}: ${place.name}`;
}

/** What is drawn: a ring from end to end, else walls, goals and people with a meter around them. */
function bounds() {
  const people = crowd.people.map(({ pos }) => [pos.x, pos.y]);
  const points = [...place.walls.flat(), ...place.goals.flatMap((g) => g.door || g.area || [g.point]), ...people];
  const axis = (k) => {
    const ring = crowd.place.rings[k];
    const all = points.map((p) => p[k]);
    return ring || [Math.min(...all) - 1, Math.max(...all) + 1];
  };
  return { x: axis(0), y: axis(1) };
}

function draw() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name);
  const dense = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = width * dense;
  canvas.height = height * dense;
  const margin = 12;
  const [wide, high] = [box.x[1] - box.x[0], box.y[1] - box.y[0]];
  const scale = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high);
  context.setTransform(dense, 0, 0, dense, 0, 0);
  context.translate(width / 2, height / 2);
  // Meters, y up.
  context.scale(scale, -scale);
  context.translate(-(box.x[0] + box.x[1]) / 2, -(box.y[0] + box.y[1]) / 2);
  context.beginPath();
  context.rect(box.x[0] - 0.05, box.y[0] - 0.05, wide + 0.1, high + 0.1);
  context.clip();

  context.strokeStyle = color("--goal");
  context.lineWidth = 0.08;
  context.setLineDash([0.25, 0.2]);
  for (const goal of place.goals) {
    if (goal.point) circle(goal.point[0], goal.point[1], goal.radius_m);
    else path(goal.door || goal.area, Boolean(goal.area));
    context.stroke();
  }
  context.setLineDash([]);
  context.strokeStyle = color("--wall");
  context.lineWidth = 0.1;
  for (const wall of place.walls) {
    path(wall, false);
    context.stroke();
  }
  for (const person of crowd.people) {
    context.fillStyle = COLORS[person.group % COLORS.length];
    circle(person.pos.x, person.pos.y, person.radius);
    context.fill();
    const speed = Math.hypot(person.vel.x, person.vel.y);
    if (speed > 0.05) {
      context.strokeStyle = color("--ground");
      context.lineWidth = 0.06;
      const length = person.radius / speed;
      path([[person.pos.x, person.pos.y], [person.pos.x + person.vel.x * length, person.pos.y + person.vel.y * length]], false);
      context.stroke();
    }
  }
  const left = all - crowd.people.length;
  byId("state").textContent = `${crowd.time.toFixed(1)} s, ${crowd.people.length} people${left ? `, ${left} left` : ""}`;
}

function path(points, closed) {
  context.beginPath();
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  if (closed) context.closePath();
}

function circle(x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

function frame(now) {
  if (running) {
    const speed = Number(byId("speed").value);
    behind += Math.min((now - before) / 1000, MOST_BEHIND_S) * speed;
    for (; behind >= crowd.dt && crowd.people.length; behind -= crowd.dt) crowd.step();
  }
  before = now;
  draw();
  requestAnimationFrame(frame);
}

PLACES.forEach(({ name }, i) => byId("place").add(new Option(name, i)));
byId("place").hidden = PLACES.length < 2;
byId("place").onchange = restart;
byId("again").onclick = restart;
byId("pause").onclick = () => {
  running = !running;
  byId("pause").textContent = running ? "Pause" : "Go on";
};
restart();
requestAnimationFrame((now) => {
  before = now;
  frame(now);
});
