// A place: walls, and the goals that people walk to. Meters; walls are lines that may meet at their ends and cross nowhere else.
"use strict";

(() => {
  const { vec, ZERO, add, sub, mul, neg, dot, cross, length2, length, left, unit } = globalThis.crowdtune;

  /** Ends closer than this meet, m. */
  const MEET = 1e-9;

  /** Walls as pairs of points, and goals: `{ point, radius }`, `{ door: [a, b], out }` or `{ area: points }`. */
  class Place {
    constructor(lines, goals, rings = [null, null]) {
      /** Stages of groups hold the numbers of goals. */
      this.goals = goals;
      /** Intervals [low, high] of x and y that are rings: whoever leaves at one end comes back at the other. */
      this.rings = rings;
      this.walls = [];
      const at = [];
      for (const [a, b] of lines) {
        const ends = [a, b].map((p) => {
          const known = at.findIndex((q) => length(sub(p, q)) <= MEET);
          return known >= 0 ? known : at.push(p) - 1;
        });
        const long = length(sub(b, a));
        this.walls.push({ a, b, along: mul(sub(b, a), 1 / long), length: long, ends });
      }
      // The walls that end in each corner, and their directions away from there.
      this.corners = at.map(() => []);
      this.walls.forEach((wall, i) => {
        this.corners[wall.ends[0]].push({ wall: i, end: 0, at: wall.a, away: wall.along });
        this.corners[wall.ends[1]].push({ wall: i, end: 1, at: wall.b, away: neg(wall.along) });
      });
      this.link();
    }

    /** Both sides of wall i are edges 2 i and 2 i + 1; at a corner the chain goes on with the next side to the left of where it came from. */
    link() {
      this.edges = [];
      for (const wall of this.walls) {
        this.edges.push({ from: wall.a, to: wall.b, along: wall.along, before: 0, after: 0, convex: true });
        this.edges.push({ from: wall.b, to: wall.a, along: neg(wall.along), before: 0, after: 0, convex: true });
      }
      for (const arms of this.corners) {
        const leaving = arms.map((arm) => [turn(arm.away), 2 * arm.wall + arm.end]);
        leaving.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
        leaving.forEach(([, edge], k) => {
          const comes = edge ^ 1;
          const after = leaving[(k + 1) % leaving.length][1];
          this.edges[comes].after = after;
          this.edges[after].before = comes;
          this.edges[after].convex = cross(this.edges[comes].along, this.edges[after].along) >= 0;
        });
      }
    }

    /** True if no axis is a ring. */
    get isOpen() {
      return !this.rings[0] && !this.rings[1];
    }

    /** The vector from one point to another, the shorter way round in a ring. */
    apart(from, to) {
      return vec(shorter(this.rings[0], to.x - from.x), shorter(this.rings[1], to.y - from.y));
    }

    /** The point inside the rings. */
    wrap(p) {
      return vec(wrapped(this.rings[0], p.x), wrapped(this.rings[1], p.y));
    }

    /**
     * Calls `f(distance, normal)` for every point of a wall within `reach` of `p` that acts there: the nearest point of each wall, but a
     * corner only where it is the nearest point of all walls that meet in it, and then once. The normal points to `p`.
     */
    contacts(p, reach, f) {
      this.walls.forEach((wall, i) => {
        const fromA = sub(p, wall.a);
        if (Math.abs(cross(wall.along, fromA)) > reach) return;
        const t = dot(fromA, wall.along);
        let point = add(wall.a, mul(wall.along, t));
        if (t <= MEET || t >= wall.length - MEET) {
          const arms = this.corners[wall.ends[t <= MEET ? 0 : 1]];
          if (arms[0].wall !== i || arms.some((arm) => dot(sub(p, arm.at), arm.away) > MEET)) return;
          point = arms[0].at;
        }
        const away = sub(p, point);
        const distance = length(away);
        if (distance <= reach) f(distance, distance < MEET ? left(wall.along) : mul(away, 1 / distance));
      });
    }

    /** True if a straight step crosses a wall. */
    crosses(from, to) {
      return this.walls.some((wall) => {
        const s = cross(wall.along, sub(from, wall.a));
        const e = cross(wall.along, sub(to, wall.a));
        if (s >= 0 === e >= 0) return false;
        const t = dot(sub(add(from, mul(sub(to, from), s / (s - e))), wall.a), wall.along);
        return t >= -MEET && t <= wall.length + MEET;
      });
    }

    /**
     * Unit vector from `p` to a goal for a body of this radius: to a point, to the nearest point of an area, to a door as far from its
     * posts as the body is wide; straight out on a door's line and past it, zero where the goal is reached.
     */
    toward(number, p, radius) {
      const goal = this.goals[number];
      if (goal.point) return length(sub(p, goal.point)) <= goal.radius ? ZERO : unit(sub(goal.point, p));
      if (goal.area) return unit(sub(nearestOfArea(goal.area, p), p));
      if (this.isPast(goal, p, -1e-6, radius)) return goal.out;
      const [a, b] = goal.door;
      const along = unit(sub(b, a));
      const wide = length(sub(b, a));
      const t = wide > 2 * radius ? Math.min(Math.max(dot(sub(p, a), along), radius), wide - radius) : 0.5 * wide;
      return unit(sub(add(a, mul(along, t)), p));
    }

    /** Straight distance from `p` to the nearest point of a goal, m; 0 past a door and inside an area. */
    distance(number, p) {
      const goal = this.goals[number];
      if (goal.point) return length(sub(goal.point, p));
      if (goal.area) return length(sub(nearestOfArea(goal.area, p), p));
      return this.isPast(goal, p, 0, 0) ? 0 : length(sub(nearest(goal.door[0], goal.door[1], p), p));
    }

    /** True if a step takes a body of this radius to a goal. */
    isReached(number, from, to, radius) {
      const goal = this.goals[number];
      if (goal.point) return length(sub(nearest(from, to, goal.point), goal.point)) <= goal.radius;
      if (goal.area) return isInside(goal.area, to);
      const before = dot(sub(from, goal.door[0]), goal.out);
      const after = dot(sub(to, goal.door[0]), goal.out);
      if (after < radius) return false;
      // Level with the door at the end, or while the body got through the line.
      if (this.isPast(goal, to, radius, radius)) return true;
      if (before >= radius) return false;
      return this.isPast(goal, add(from, mul(sub(to, from), (radius - before) / (after - before))), 0, radius);
    }

    /** True at least `depth` past a door, level with it or up to `beside` to its side, with no wall in between. */
    isPast({ door: [a, b], out }, p, depth, beside) {
      const along = unit(sub(b, a));
      const wide = length(sub(b, a));
      const t = dot(sub(p, a), along);
      if (dot(sub(p, a), out) < depth || t < -beside || t > wide + beside) return false;
      const near = add(a, mul(along, Math.min(Math.max(t, 0), wide)));
      return !this.crosses(p, add(p, mul(sub(near, p), 1 - 1e-6)));
    }
  }

  /** Ascends with the angle of a unit vector from east, counterclockwise, from 0 to 4. */
  function turn(v) {
    if (v.y >= 0) return v.x >= 0 ? v.y : 2 - v.y;
    return v.x < 0 ? 2 - v.y : 4 + v.y;
  }

  function shorter(ring, way) {
    if (!ring) return way;
    const long = ring[1] - ring[0];
    if (way > 0.5 * long) return way - long;
    return way < -0.5 * long ? way + long : way;
  }

  function wrapped(ring, at) {
    if (!ring || (at >= ring[0] && at < ring[1])) return at;
    const [low, high] = ring;
    const inside = at - (high - low) * Math.floor((at - low) / (high - low));
    // Rounding may leave it at the upper end, which is the lower one.
    return inside < high ? Math.max(inside, low) : low;
  }

  /** The point of a line from `a` to `b` that is nearest to `p`. */
  function nearest(a, b, p) {
    const way = sub(b, a);
    const long2 = length2(way);
    if (long2 <= 0) return a;
    const t = dot(sub(p, a), way) / long2;
    if (t <= 0) return a;
    return t >= 1 ? b : add(a, mul(way, t));
  }

  function nearestOfArea(points, p) {
    if (isInside(points, p)) return p;
    let best = p;
    let best2 = Infinity;
    points.forEach((a, i) => {
      const q = nearest(a, points[(i + 1) % points.length], p);
      if (length2(sub(p, q)) < best2) [best, best2] = [q, length2(sub(p, q))];
    });
    return best;
  }

  /** True inside an outline, by the even-odd rule. */
  function isInside(points, p) {
    let inside = false;
    points.forEach((a, i) => {
      const b = points[(i + 1) % points.length];
      if (a.y <= p.y !== b.y <= p.y) {
        const side = a.y < b.y ? cross(sub(b, a), sub(p, a)) : cross(sub(a, b), sub(p, b));
        if (side > 0) inside = !inside;
      }
    });
    return inside;
  }

  Object.assign(globalThis.crowdtune, { Place });
})();
