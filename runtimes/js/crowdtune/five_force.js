// Wang, Simulating Crowd Motion with Evolutionary Computation, NCCU 2005: five weighted forces, then one person after the other steps
// where nobody and nothing is.
"use strict";

(() => {
  const { vec, ZERO, add, sub, mul, dot, cross, length, length2, isZero, same, unit, limited } = globalThis.crowdtune;
  const { topSpeed, parting } = globalThis.crowdtune;

  const HALF = Math.SQRT1_2;
  const AHEAD = [vec(HALF, HALF), vec(HALF, -HALF)];
  const SIDE = [vec(0, 1), vec(0, -1)];
  const BACK = [vec(-HALF, HALF), vec(-HALF, -HALF)];
  /** The sets of directions, left before right. */
  const TURNS = {
    four_forward: [...AHEAD, ...SIDE],
    four_diagonal: [...AHEAD, ...BACK],
    seven: [...AHEAD, ...SIDE, ...BACK, vec(-1, 0)],
  };

  /** Nearer people are at the same place, m. */
  const SAME_PLACE = 1e-4;
  /** Nearer to a wall touches it, m. */
  const TOUCH = 1e-3;
  /** Sine of the angle to a wall below which a way slides along it. */
  const GRAZES = 1e-3;
  /** Most moves on the way to a wall, and how far each looks, m. */
  const MOVES = 24;
  const LOOK = 2;
  /** Overlap that is rounding, m. */
  const SLACK = 1e-10;
  /** Share of the speed below which the neighbors' velocity is no step. */
  const LEAST_SHARE = 0.1;
  /** Most points of a trace. */
  const POINTS = 200;

  const radians = (degrees) => degrees * (Math.PI / 180);

  class FiveForce {
    /** Constants by group. */
    constructor(groups) {
      this.groups = groups;
      // Where the first member of each group has walked.
      this.traces = groups.map(() => ({ points: [], leader: null }));
    }

    /** How far people see, m; at least as far as bodies can meet in a step. */
    reach(people) {
      const widest = people.reduce((r, person) => Math.max(r, person.radius), 0);
      return 2 * widest * this.groups.reduce((most, c) => Math.max(most, c.range_diameters), 1);
    }

    /** Velocities of the next step. */
    steer(place, people, cells, dt) {
      for (const person of people) {
        if (isZero(person.heading) && person.walks && topSpeed(person, 1) > 0) person.heading = firstHeading(person);
      }
      const driven = people.map((_, i) => this.drive(place, people, cells, dt, i));
      if (this.groups[0].collision_strategies) return this.walk(place, people, dt, driven);
      driven.forEach(({ facing }, i) => (people[i].heading = facing));
      return driven.map(({ wanted }) => wanted);
    }

    /** The five forces on one person, the highest speed and the turn limit. */
    drive(place, people, cells, dt, i) {
      const me = people[i];
      const c = this.groups[me.group];
      const cap = topSpeed(me, 1);
      if (!me.walks || cap <= 0) return { facing: me.heading, wanted: ZERO, mean: me.vel };
      const range = c.range_diameters * 2 * me.radius;
      const view = c.field_of_view_deg < 360 ? Math.cos(radians(0.5 * c.field_of_view_deg)) : -2;
      let [count, apart, vel, to] = [0, ZERO, ZERO, ZERO];
      cells.around(me.pos, (j) => {
        const other = people[j];
        if (j === i || !(this.groups[0].perceives === "all" || other.group === me.group)) return;
        const way = place.apart(me.pos, other.pos);
        const d = length(way);
        if (d > range) return;
        if (d <= SAME_PLACE) {
          count += 1;
          apart = add(apart, parting(me.id, other.id));
          vel = add(vel, other.vel);
        } else if (dot(me.heading, way) >= view * d) {
          count += 1;
          // 1/d, relative to its value in contact.
          apart = sub(apart, mul(way, (2 * me.radius) / Math.max(d * d, 2 * me.radius * d)));
          vel = add(vel, other.vel);
          to = add(to, way);
        }
      });
      const sum =
        c.attraction_weight + c.separation_weight + c.alignment_weight + c.cohesion_weight + c.repulsion_weight;
      const share = sum > 0 ? c.gain_m_per_s2 / sum : 0;
      let [acceleration, mean] = [ZERO, me.vel];
      const push = (force, weight) => (acceleration = add(acceleration, mul(force, share * weight)));
      if (!isZero(me.way) || me.distance > 0) {
        const wanted = mul(me.way, Math.min(me.speed, cap) * Math.min(me.distance / range, 1));
        push(limited(mul(sub(wanted, me.vel), 0.5 / cap), 1), c.attraction_weight);
      }
      if (count > 0) {
        mean = mul(vel, 1 / count);
        push(mul(apart, 1 / count), c.separation_weight);
        push(limited(mul(sub(mean, me.vel), 0.5 / cap), 1), c.alignment_weight);
        push(limited(mul(to, 1 / (count * range)), 1), c.cohesion_weight);
      }
      const way = unit(me.vel);
      if (c.repulsion_weight > 0 && !isZero(way)) {
        const speed = length(me.vel);
        const free = freeWay(place, me.pos, way, me.radius, speed * c.look_ahead_s);
        if (free !== null) {
          // A brake: it can stop people but not push them back.
          const brake = mul(way, (-me.radius / Math.max(free, me.radius)) * share * c.repulsion_weight);
          acceleration = add(acceleration, limited(brake, speed / dt));
        }
      }
      const wanted = limited(add(me.vel, mul(acceleration, dt)), cap);
      return { ...turned(me.heading, wanted, this.most(me, dt)), mean };
    }

    /** The largest turn of a step, radians. */
    most(person, dt) {
      const c = this.groups[person.group];
      return (radians(c.turn_limit_deg) / c.unit_time_s) * dt;
    }

    /** Moves everybody one after the other: each sees the new places of those before. */
    walk(place, people, dt, driven) {
      this.record(place, people);
      let [fastest, widest] = [0, 0];
      people.forEach((person, i) => {
        fastest = Math.max(fastest, length(driven[i].wanted));
        widest = Math.max(widest, person.radius);
      });
      const at = people.map((person) => person.pos);
      return people.map((me, i) => {
        const { wanted, facing, mean } = driven[i];
        if (isZero(wanted)) {
          me.heading = facing;
          return wanted;
        }
        this.findClose(place, people, at, me.radius + widest + (length(wanted) + fastest) * dt, i);
        let vel = wanted;
        const hit = this.hit(place, me, wanted, dt);
        if (hit === "person") {
          const turns = TURNS[this.groups[0].pedestrian_directions];
          vel = this.aligned(place, me, wanted, mean, dt) || this.best(place, me, wanted, dt, turns) || ZERO;
        } else if (hit === "wall") {
          const turns = TURNS[this.groups[0].wall_directions];
          vel = this.traced(place, me, wanted, dt) || this.best(place, me, wanted, dt, turns) || ZERO;
        }
        at[i] = place.wrap(add(me.pos, mul(vel, dt)));
        // A sidestep turns the body no faster than the forces would; who is stopped keeps turning.
        const asWanted = same(vel, wanted) || isZero(vel);
        me.heading = asWanted ? facing : turned(me.heading, vel, this.most(me, dt)).facing;
        return vel;
      });
    }

    /** Adds a point to the trace of each group for every body width that its first member has walked. */
    record(place, people) {
      for (const person of people) {
        const trace = this.traces[person.group];
        if (!person.walks) continue;
        if (trace.leader === null) trace.leader = person.id;
        if (trace.leader !== person.id) continue;
        const last = trace.points[trace.points.length - 1];
        if (!last || length(place.apart(last, person.pos)) >= 2 * person.radius) {
          if (trace.points.length === POINTS) trace.points.shift();
          trace.points.push(person.pos);
        }
      }
    }

    /** Lists who can be in the way of a step. */
    findClose(place, people, at, bodies, i) {
      const me = people[i];
      const clearance = this.groups[me.group].clearance_m;
      const reach = bodies + clearance;
      this.close = [];
      people.forEach((other, j) => {
        if (j === i || length2(place.apart(me.pos, other.pos)) > reach * reach) return;
        const way = place.apart(me.pos, at[j]);
        // The gap is kept to people ahead; of two people one is.
        const along = dot(way, add(me.way, other.way));
        const gap = along > 0 || (along === 0 && j < i) ? clearance : 0;
        const least = Math.min(me.radius + other.radius + gap - SLACK, length(way));
        this.close.push({ at: add(me.pos, way), least });
      });
    }

    /** What a step leads into, walls first. */
    hit(place, me, vel, dt) {
      const [p, r, way] = [me.pos, me.radius, mul(vel, dt)];
      const to = add(p, way);
      if (place.crosses(p, to) || wallGap(place, to, r) < Math.min(wallGap(place, p, r), r - SLACK)) return "wall";
      const jumps = length(way) > r;
      for (const close of this.close) {
        if (length(sub(close.at, to)) < close.least) return "person";
        if (jumps) {
          const apart = sub(close.at, p);
          const along = Math.min(Math.max(dot(apart, way) / length2(way), 0), 1);
          if (length(sub(apart, mul(way, along))) < close.least) return "person";
        }
      }
      return null;
    }

    /** True if a step is free and turns no farther than it may. */
    isFree(place, me, vel, dt) {
      const slow =
        !this.groups[0].strategies_respect_turn_limit ||
        (!isZero(unit(vel)) && dot(me.heading, unit(vel)) >= Math.cos(this.most(me, dt)));
      return slow && this.hit(place, me, vel, dt) === null;
    }

    /** The neighbors' mean velocity, no faster than wanted, if it leads on. */
    aligned(place, me, wanted, mean, dt) {
      const speed = length(wanted);
      const vel = limited(mean, speed);
      return dot(vel, wanted) >= LEAST_SHARE * speed * speed && this.isFree(place, me, vel, dt) ? vel : null;
    }

    /** The free one of some turns that leads farthest along the way; the first of equal ones. */
    best(place, me, wanted, dt, turns) {
      let [best, most] = [null, 0];
      for (const turn of turns) {
        const vel = rotated(wanted, turn);
        const gain = dot(vel, me.way);
        if ((best === null || gain > most) && this.isFree(place, me, vel, dt)) [best, most] = [vel, gain];
      }
      return best;
    }

    /** Towards the newest point of the group's trace that is in sight and ahead. */
    traced(place, me, wanted, dt) {
      const trace = this.traces[me.group];
      if (trace.leader === me.id) return null;
      const ahead = isZero(me.way) ? me.heading : me.way;
      const range = this.groups[me.group].range_diameters * 2 * me.radius;
      for (let k = trace.points.length - 1; k >= 0; k--) {
        const way = place.apart(me.pos, trace.points[k]);
        const d = length(way);
        if (d <= range && d >= 2 * me.radius && dot(way, ahead) > 0 && !place.crosses(me.pos, add(me.pos, way))) {
          const vel = mul(way, length(wanted) / d);
          return this.isFree(place, me, vel, dt) ? vel : null;
        }
      }
      return null;
    }
  }

  /** Along the velocity, else to the goal, else one direction for each id. */
  function firstHeading(person) {
    if (!isZero(unit(person.vel))) return unit(person.vel);
    return isZero(person.way) ? parting(person.id, person.id + 1) : person.way;
  }

  /**
   * Heading and velocity of who faces `heading` and wants a velocity, but turns no farther than `most` radians. The part of the
   * velocity beyond is lost; a turn right round goes left.
   */
  function turned(heading, wanted, most) {
    const to = unit(wanted);
    if (isZero(to)) return { facing: heading, wanted: ZERO };
    const [cos, sin] = [Math.cos(most), Math.sin(most)];
    if (most >= Math.PI || dot(heading, to) >= cos) return { facing: to, wanted };
    const side = cross(heading, to) < 0 ? -1 : 1;
    const facing = unit(rotated(heading, vec(cos, side * sin)));
    return { facing, wanted: mul(facing, Math.max(dot(wanted, facing), 0)) };
  }

  /** `v` turned left by the angle of a unit vector. */
  const rotated = (v, by) => vec(v.x * by.x - v.y * by.y, v.x * by.y + v.y * by.x);

  /** How far a body can move in a direction before it meets a wall, m; null if it can go the whole length. */
  function freeWay(place, p, way, radius, far) {
    let gone = 0;
    for (let move = 0; move < MOVES; move++) {
      const look = Math.max(Math.min(far - gone, LOOK - radius), TOUCH);
      // A move brings no wall nearer than its own length.
      let gap = look;
      place.contacts(add(p, mul(way, gone)), radius + look, (distance, normal) => {
        if (dot(way, normal) < -GRAZES) gap = Math.min(gap, distance - radius);
      });
      if (gap <= TOUCH && gap < look) return gone;
      gone += gap;
      if (gone >= far) return null;
    }
    return gone;
  }

  /** Distance to the nearest wall, or the radius where that is less. */
  function wallGap(place, p, radius) {
    let gap = radius;
    place.contacts(p, radius, (distance) => (gap = Math.min(gap, distance)));
    return gap;
  }

  Object.assign(globalThis.crowdtune, { FiveForce });
})();
