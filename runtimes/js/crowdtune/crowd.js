// People in a place, and one step of time: everybody picks a way, the model gives velocities, people move and leave.
"use strict";

(() => {
  const { vec, ZERO, add, sub, mul, neg, length, unit } = globalThis.crowdtune;

  /** Time to walk the last meter to a point, s, so that nobody walks past it. */
  const ARRIVE_S = 1;

  /** Highest speed, m/s: the person's own, or so many times the desired one. */
  const topSpeed = (person, factor) => (person.maxSpeed < Infinity ? person.maxSpeed : factor * person.speed);

  /** The speed with nobody in the way, m/s. */
  const preferredSpeed = (person) => Math.min(person.speed, person.distance / ARRIVE_S);

  /** Direction in which two people at the same place part; opposite for the two. */
  function parting(id, other) {
    // The golden angle spreads pairs over all directions.
    const angle = 2.399963229728653 * (id + other);
    const way = vec(Math.cos(angle), Math.sin(angle));
    return id < other ? way : neg(way);
  }

  /** Who is in which square, so that neighbors are found without asking everybody. */
  class Cells {
    /** Sorts everybody into squares at least `reach` wide. */
    fill(people, reach) {
      let [lowX, lowY, highX, highY] = [0, 0, 0, 0];
      people.forEach(({ pos }, i) => {
        lowX = i ? Math.min(lowX, pos.x) : pos.x;
        lowY = i ? Math.min(lowY, pos.y) : pos.y;
        highX = i ? Math.max(highX, pos.x) : pos.x;
        highY = i ? Math.max(highY, pos.y) : pos.y;
      });
      this.corner = vec(lowX, lowY);
      this.size = Math.max(reach, 0.1);
      for (;;) {
        this.columns = Math.floor((highX - lowX) / this.size) + 1;
        this.rows = Math.floor((highY - lowY) / this.size) + 1;
        // A few people in a large place need no million of cells.
        if (this.columns * this.rows <= 4 * people.length + 64) break;
        this.size *= 2;
      }
      this.cells = Array.from({ length: this.columns * this.rows }, () => []);
      people.forEach(({ pos }, i) => this.cells[this.row(pos) * this.columns + this.column(pos)].push(i));
    }

    column(p) {
      return Math.floor((p.x - this.corner.x) / this.size);
    }

    row(p) {
      return Math.floor((p.y - this.corner.y) / this.size);
    }

    /** Calls `f` with the number of everybody in the squares around `p`, row by row: all within the reach and some beyond. */
    around(p, f) {
      const [column, row] = [this.column(p), this.row(p)];
      for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, this.rows - 1); r++) {
        for (let c = Math.max(column - 1, 0); c <= Math.min(column + 1, this.columns - 1); c++) {
          for (const i of this.cells[r * this.columns + c]) f(i);
        }
      }
    }
  }

  /**
   * A crowd that steps. `people` has everybody who is there: `pos`, `vel` (m, m/s), `radius`, `group`, `id`, `heading`.
   */
  class Crowd {
    constructor(place, groups, people, model, dt) {
      Object.assign(this, { place, groups, people, model, dt });
      /** Simulated time, s. */
      this.time = 0;
      /** Ways of your own (a navigation mesh): `(person, place) => unit vector`, or null for straight to the goal. */
      this.findWay = null;
      this.steps = 0;
      this.cells = new Cells();
    }

    /** One step of `dt` seconds. */
    step() {
      for (const person of this.people) this.lookAhead(person);
      // Across the seam of a ring anybody may be near: one square for all.
      this.cells.fill(this.people, this.place.isOpen ? this.model.reach(this.people) : Infinity);
      const next = this.model.steer(this.place, this.people, this.cells, this.dt);
      this.steps += 1;
      this.time = this.steps * this.dt;
      this.moveAll(next);
    }

    /** Where somebody wants to go now, and how far it is. */
    lookAhead(person) {
      const group = this.groups[person.group];
      person.walks = person.walks || person.start <= this.time;
      person.way = ZERO;
      person.distance = 0;
      const goal = this.chosen(group, person);
      if (goal !== null) {
        person.way = this.place.toward(goal, person.pos, person.radius);
        const stops = person.stage + 1 === group.stages.length && this.place.goals[goal].point;
        person.distance = stops ? this.place.distance(goal, person.pos) : Infinity;
      } else if (group.heading) {
        person.way = group.heading;
        person.distance = Infinity;
      } else if (group.stay) {
        const way = this.place.apart(person.pos, group.stay.at);
        person.distance = length(way);
        if (person.distance > group.stay.radius) person.way = unit(way);
      }
      const own = this.findWay ? this.findWay(person, this.place) : null;
      if (own) person.way = own;
      if (!person.walks) person.way = ZERO;
    }

    /** Moves everybody; who has reached the last goal leaves. */
    moveAll(next) {
      this.people = this.people.filter((person, row) => {
        const from = person.pos;
        const to = add(from, mul(next[row], this.dt));
        person.pos = this.place.wrap(to);
        person.vel = next[row];
        const group = this.groups[person.group];
        if (!choice(group, person).some((goal) => this.place.isReached(goal, from, to, person.radius))) return true;
        person.stage += 1;
        if (person.stage === group.stages.length && group.rounds) person.stage = 0;
        return person.stage < group.stages.length;
      });
    }

    /** The nearest goal that somebody can choose now. */
    chosen(group, person) {
      let [best, least] = [null, Infinity];
      for (const goal of choice(group, person)) {
        const distance = this.place.distance(goal, person.pos);
        if (best === null || distance < least) [best, least] = [goal, distance];
      }
      return best;
    }
  }

  /** Goals that somebody can choose from now. */
  function choice(group, person) {
    const stage = group.stages[person.stage] || [];
    return group.ownGoals && stage.length ? [stage[person.rank % stage.length]] : stage;
  }

  Object.assign(globalThis.crowdtune, { Crowd, topSpeed, preferredSpeed, parting });
})();
