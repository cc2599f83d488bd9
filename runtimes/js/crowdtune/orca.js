// van den Berg, Guy, Lin, Manocha, Reciprocal n-Body Collision Avoidance (2011): the velocity nearest to the preferred one that stays
// free of collisions for some time, provided that all share the avoidance.
"use strict";

(() => {
  const { vec, ZERO, add, sub, mul, neg, dot, cross, length, length2, left, isZero, unit, limited } = globalThis.crowdtune;
  const { topSpeed, preferredSpeed, parting } = globalThis.crowdtune;

  /** Sine below which two lines are parallel. */
  const PARALLEL = 1e-5;
  /** Beyond any speed, m/s: the offset of a line that forbids nothing. */
  const FAR = 1e6;
  /** Nearer people are at the same place, m. */
  const SAME_PLACE = 1e-4;
  /** How much faster than allowed a step may approach a wall, m/s: rounding. */
  const SLACK = 1e-9;

  /** Velocities to the left of a line are allowed: its offset to the left of velocity 0, m/s, and its direction. */
  const through = (point, along) => ({ offset: cross(along, point), along });

  /** How far a velocity is on the wrong side of a line, m/s. */
  const beyond = (line, v) => line.offset - cross(line.along, v);

  class Orca {
    /** Constants by group. */
    constructor(groups) {
      this.groups = groups;
    }

    /** How far people see each other, m. */
    reach() {
      return this.groups.reduce((most, c) => Math.max(most, c.neighbor_distance_m), 0);
    }

    /** Velocities of the next step. */
    steer(place, people, cells, dt) {
      return people.map((me, i) => {
        const c = this.groups[me.group];
        const most = topSpeed(me, c.max_speed_factor);
        if (most <= 0) return ZERO;
        const lines = wallLines(place, me, c, most, dt);
        const hard = lines.length;
        this.addPeople(lines, place, people, cells, dt, i);
        return keepOff(place, me, solve(lines, hard, most, mul(me.way, preferredSpeed(me))), dt);
      });
    }

    /** Adds a line for each of the nearest people. */
    addPeople(lines, place, people, cells, dt, i) {
      const me = people[i];
      const c = this.groups[me.group];
      const near = [];
      cells.around(me.pos, (j) => {
        const d2 = length2(place.apart(me.pos, people[j].pos));
        if (j === i || d2 >= c.neighbor_distance_m * c.neighbor_distance_m || c.max_neighbors === 0) return;
        // Kept in order; of equally near people the first stays in front.
        if (near.length < c.max_neighbors) near.push([d2, j]);
        else if (d2 < near[near.length - 1][0]) near[near.length - 1] = [d2, j];
        else return;
        for (let at = near.length - 1; at > 0 && near[at][0] < near[at - 1][0]; at--) {
          [near[at], near[at - 1]] = [near[at - 1], near[at]];
        }
      });
      for (const [, j] of near) {
        const other = people[j];
        const sum = c.responsibility + this.groups[other.group].responsibility;
        const share = this.groups.length > 1 && sum > 0 ? c.responsibility / sum : 0.5;
        if (share > 0) {
          const way = place.apart(me.pos, other.pos);
          lines.push(personLine(me, other, way, me.radius + c.margin_m, Math.max(c.time_horizon_s, dt), share, dt));
        }
      }
    }
  }

  /** A line for each wall that would be hit within the horizon, nearest first. */
  function wallLines(place, me, c, most, dt) {
    const lines = [];
    const radius = me.radius + c.margin_m;
    const ahead = Math.max(c.obstacle_time_horizon_s, dt);
    const [per, reach] = [1 / ahead, radius + most * ahead];
    const near = [];
    for (let wall = 0; wall < place.edges.length / 2; wall++) {
      const edge = place.edges[2 * wall];
      const way = sub(me.pos, edge.from);
      const side = cross(edge.along, way);
      const t = dot(way, edge.along);
      const beside = t - Math.min(Math.max(t, 0), dot(sub(edge.to, edge.from), edge.along));
      const d2 = side * side + beside * beside;
      if (d2 <= reach * reach) near.push([d2, 2 * wall + (side > 0 ? 1 : 0)]);
    }
    near.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    for (const [, number] of near) {
      const edge = place.edges[number];
      // Covered if both ends, grown by the body, are on the wrong side of one line.
      const [from, to] = [mul(sub(edge.from, me.pos), per), mul(sub(edge.to, me.pos), per)];
      const least = radius * per - 1e-5;
      if (lines.some((line) => beyond(line, from) >= least && beyond(line, to) >= least)) continue;
      const line = wallLine(place, number, me.pos, me.vel, radius, per);
      if (line) lines.push(line);
    }
    return lines;
  }

  /** The velocity nearest to the wish that all lines allow, no faster than `most`; or the one that violates the lines of people least. */
  function solve(lines, hard, most, wish) {
    let [v, stopped] = plane(lines, most, wish, limited(wish, most), false);
    if (stopped === lines.length) return v;
    let wrong = 0;
    for (let at = stopped; at < lines.length; at++) {
      const line = lines[at];
      if (beyond(line, v) <= wrong) continue;
      const spare = lines.slice(0, Math.min(hard, at));
      for (const other of lines.slice(Math.min(hard, at), at)) {
        // The line on which both are violated equally; of parallel ones that face the same way none is before the other.
        const way = sub(other.along, line.along);
        const long2 = length2(way);
        if (long2 <= PARALLEL * PARALLEL) {
          spare.push({ offset: -FAR, along: vec(1, 0) });
        } else {
          const per = 1 / Math.sqrt(long2);
          spare.push({ offset: (other.offset - line.offset) * per, along: mul(way, per) });
        }
      }
      const way = left(line.along);
      const [best, end] = plane(spare, most, way, mul(way, most), true);
      // Stopped early only by rounding: then the velocity so far stays.
      if (end === spare.length) v = best;
      wrong = beyond(line, v);
    }
    return v;
  }

  /**
   * The best velocity for all lines and their number, or for those before the first that leaves nothing, and its number. Best is
   * nearest to `want`, or with `toward` farthest in its direction.
   */
  function plane(lines, most, want, start, toward) {
    let v = start;
    for (let at = 0; at < lines.length; at++) {
      if (beyond(lines[at], v) > 0) {
        const best = bestOnLine(lines, at, most, want, toward);
        if (!best) return [v, at];
        v = best;
      }
    }
    return [v, lines.length];
  }

  /** The best point of a line given those before it. */
  function bestOnLine(lines, at, most, want, toward) {
    const { offset, along } = lines[at];
    const space = most * most - offset * offset;
    if (space < 0) return null;
    let [first, last] = [-Math.sqrt(space), Math.sqrt(space)];
    for (let k = 0; k < at; k++) {
      const other = lines[k];
      const sine = cross(along, other.along);
      const gap = offset * dot(along, other.along) - other.offset;
      if (Math.abs(sine) <= PARALLEL) {
        if (gap < 0) return null;
      } else if (sine > 0) {
        last = Math.min(last, gap / sine);
      } else {
        first = Math.max(first, gap / sine);
      }
    }
    if (first > last) return null;
    let t = dot(along, want);
    if (toward) t = t > 0 ? last : first;
    else t = Math.min(Math.max(t, first), last);
    return add(mul(along, t), mul(left(along), offset));
  }

  /** The line due to somebody else: half of the smallest change (or another share of it) that keeps two bodies apart for the horizon. */
  function personLine(me, other, way, radius, horizon, share, dt) {
    const v = sub(me.vel, other.vel);
    const touch = radius + other.radius;
    const [d2, touch2] = [length2(way), touch * touch];
    const per = d2 > touch2 ? 1 / horizon : 1 / dt;
    const w = sub(v, mul(way, per));
    const [w2, onWay] = [length2(w), dot(w, way)];
    if (w2 <= 1e-14) {
      // In the very middle: straight apart.
      const d = Math.sqrt(d2);
      const out = d > SAME_PLACE ? mul(way, -1 / d) : parting(me.id, other.id);
      return through(add(me.vel, mul(out, touch * per * share)), neg(left(out)));
    }
    if (d2 <= touch2 || (onWay < 0 && onWay * onWay > touch2 * w2)) {
      const long = Math.sqrt(w2);
      const out = mul(w, 1 / long);
      return through(add(me.vel, mul(out, (touch * per - long) * share)), neg(left(out)));
    }
    const size = Math.sqrt(d2 - touch2);
    const leg = cross(way, w) > 0 ? size : -size;
    const along = mul(add(mul(way, leg), mul(left(way), touch)), 1 / d2);
    return through(add(me.vel, mul(sub(mul(along, dot(v, along)), v), share)), along);
  }

  /** The line due to one side of a wall; null if a neighboring side sets it. */
  function wallLine(place, number, pos, vel, r, per) {
    const seen = place.edges[number];
    let [one, other] = [seen, place.edges[seen.after]];
    const [toLeft, toRight] = [sub(one.from, pos), sub(seen.to, pos)];
    const [left2, right2, r2] = [length2(toLeft), length2(toRight), r * r];
    let t = -dot(toLeft, seen.along) / length(sub(seen.to, seen.from));
    const aside = cross(seen.along, toLeft);
    const inLine = aside * aside <= r2;
    // In contact: no nearer.
    if (t < 0 && left2 <= r2) return one.convex ? through(ZERO, offEnd(toLeft, seen)) : null;
    if (t > 1 && right2 <= r2) {
      return other.convex && cross(toRight, other.along) >= 0 ? through(ZERO, offEnd(toRight, seen)) : null;
    }
    if (t >= 0 && t <= 1 && inLine) return through(ZERO, neg(seen.along));
    // Directions that pass on the left and on the right; at a concave corner the wall itself.
    let [leftLeg, rightLeg, leftAt, rightAt] = [null, null, toLeft, toRight];
    if (inLine && t < 0) {
      // Seen end-on: the near end hides the rest.
      if (!one.convex) return null;
      other = one;
      rightAt = leftAt;
      [leftLeg, rightLeg] = legs(toLeft, left2, r);
    } else if (inLine) {
      if (!other.convex) return null;
      one = other;
      leftAt = rightAt;
      [leftLeg, rightLeg] = legs(toRight, right2, r);
    } else {
      leftLeg = one.convex ? legs(toLeft, left2, r)[0] : neg(seen.along);
      rightLeg = other.convex ? legs(toRight, right2, r)[1] : seen.along;
    }
    // A leg into the neighboring side is left to that side.
    const back = neg(place.edges[one.before].along);
    const leftForeign = one.convex && cross(leftLeg, back) >= 0;
    if (leftForeign) leftLeg = back;
    const rightForeign = other.convex && cross(rightLeg, other.along) <= 0;
    if (rightForeign) rightLeg = other.along;
    // The nearest point of the velocity obstacle: on the cut between the ends, at a round end, or on a leg.
    const [leftEnd, rightEnd] = [mul(leftAt, per), mul(rightAt, per)];
    const [fromLeft, fromRight, between] = [sub(vel, leftEnd), sub(vel, rightEnd), sub(rightEnd, leftEnd)];
    t = inLine ? 0.5 : dot(fromLeft, between) / length2(between);
    const [onLeft, onRight] = [dot(fromLeft, leftLeg), dot(fromRight, rightLeg)];
    if ((t < 0 && onLeft < 0) || (inLine && onLeft < 0 && onRight < 0)) return roundEnd(fromLeft, leftEnd, r * per, toLeft);
    if (t > 1 && onRight < 0) return roundEnd(fromRight, rightEnd, r * per, toRight);
    const cut2 = !(t >= 0 && t <= 1) || inLine ? Infinity : length2(sub(fromLeft, mul(between, t)));
    const offLeft2 = onLeft < 0 ? Infinity : length2(sub(fromLeft, mul(leftLeg, onLeft)));
    const offRight2 = onRight < 0 ? Infinity : length2(sub(fromRight, mul(rightLeg, onRight)));
    const shifted = (end, along) => through(add(end, mul(left(along), r * per)), along);
    if (cut2 <= offLeft2 && cut2 <= offRight2) return shifted(leftEnd, neg(one.along));
    if (offLeft2 <= offRight2) return leftForeign ? null : shifted(leftEnd, leftLeg);
    return rightForeign ? null : shifted(rightEnd, neg(rightLeg));
  }

  /** Direction of the line for a body that touches an end. */
  function offEnd(toEnd, edge) {
    const along = unit(left(toEnd));
    return isZero(along) ? neg(edge.along) : along;
  }

  /** The line at the round end of a velocity obstacle. */
  function roundEnd(fromEnd, end, swollen, toEnd) {
    let out = unit(fromEnd);
    if (isZero(out)) out = unit(neg(toEnd));
    return through(add(end, mul(out, swollen)), neg(left(out)));
  }

  /** Directions that pass an end of a grown wall on its left and on its right. */
  function legs(to, distance2, radius) {
    const along = mul(to, Math.sqrt(Math.max(distance2 - radius * radius, 0)));
    const aside = mul(left(to), radius);
    return [mul(add(along, aside), 1 / distance2), mul(sub(along, aside), 1 / distance2)];
  }

  /** The velocity without what leads nearer to a wall than the body is wide; zero if nothing is left. */
  function keepOff(place, me, wanted, dt) {
    let vel = wanted;
    const reach = me.radius + length(wanted) * dt;
    for (let round = 0; round < 4; round++) {
      let turned = false;
      place.contacts(me.pos, reach, (distance, normal) => {
        const into = -dot(vel, normal) - Math.max(distance - me.radius, 0) / dt;
        if (into > SLACK) {
          vel = add(vel, mul(normal, into));
          turned = true;
        }
      });
      if (!turned) return place.crosses(me.pos, add(me.pos, mul(vel, dt))) ? ZERO : vel;
    }
    return ZERO;
  }

  Object.assign(globalThis.crowdtune, { Orca });
})();
