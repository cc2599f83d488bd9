// Helbing, Farkas, Vicsek, Nature 407, 487 (2000): drive, repulsion, body contact and sliding friction.
"use strict";

(() => {
  const { ZERO, vec, add, sub, mul, dot, length, parting } = globalThis.crowdtune;

  /** A symmetric matrix of two rows: `along` n n^T + `across` t t^T, t the normal of n. */
  function block(n, along, across) {
    const [nxx, nxy, nyy] = [n.x * n.x, n.x * n.y, n.y * n.y];
    return { xx: along * nxx + across * nyy, xy: (along - across) * nxy, yy: along * nyy + across * nxx };
  }

  function addTo(sum, o) {
    sum.xx += o.xx;
    sum.xy += o.xy;
    sum.yy += o.yy;
  }

  const times = (m, v) => vec(m.xx * v.x + m.xy * v.y, m.xy * v.x + m.yy * v.y);

  function inverse(m) {
    const per = 1 / (m.xx * m.yy - m.xy * m.xy);
    return { xx: m.yy * per, xy: -m.xy * per, yy: m.xx * per };
  }

  /** Gap between bodies beyond which a repulsion is negligible, m. */
  const felt = (strength, range, mass, negligible) =>
    strength <= 0 ? 0 : Math.max(range * Math.log(strength / mass / negligible), 0);

  class SocialForce {
    /** Constants by group, for people of at least this mass (kg), which says which repulsion is negligible. */
    constructor(groups, minMass) {
      this.groups = groups;
      this.minMass = minMass;
    }

    felt(c) {
      return felt(c.repulsion_strength_n, c.repulsion_range_m, this.minMass, c.negligible_m_per_s2);
    }

    /** How far people feel each other, m. */
    reach(people) {
      const widest = people.reduce((r, person) => Math.max(r, person.radius), 0);
      return 2 * widest + this.groups.reduce((most, c) => Math.max(most, this.felt(c)), 0);
    }

    /** Velocities of the next step: drive, friction, body force and walls are implicit. */
    steer(place, people, cells, dt) {
      this.links = [];
      const rows = people.map((_, i) => this.row(place, people, cells, dt, i));
      for (const link of this.links) addTo(rows[link.row].block, link.block);
      return this.solve(rows, people.map((person) => person.vel));
    }

    /** The equation of one person: matrix and right side. */
    row(place, people, cells, dt, i) {
      const me = people[i];
      const c = this.groups[me.group];
      const stiffness = this.groups[0].body_stiffness_kg_per_s2;
      const friction = this.groups[0].sliding_friction_kg_per_m_s;
      const feels = this.felt(c);
      let [force, carried] = [ZERO, ZERO];
      const all = { xx: 0, xy: 0, yy: 0 };
      cells.around(me.pos, (j) => {
        const other = people[j];
        const apart = place.apart(other.pos, me.pos);
        const touch = me.radius + other.radius;
        const d = length(apart);
        if (j === i || d > touch + feels) return;
        const n = d > 1e-9 ? mul(apart, 1 / d) : parting(me.id, other.id);
        const seen = c.anisotropy + (1 - c.anisotropy) * 0.5 * (1 - dot(n, me.way));
        const push = c.repulsion_strength_n * Math.exp((touch - d) / c.repulsion_range_m) * seen;
        if (d >= touch) {
          force = add(force, mul(n, push));
          return;
        }
        const overlap = touch - d;
        const soft = block(n, (dt * dt * push) / c.repulsion_range_m, 0);
        addTo(all, soft);
        carried = add(carried, times(soft, other.vel));
        force = add(force, mul(n, push + stiffness * overlap));
        this.links.push({ row: i, other: j, block: block(n, dt * dt * stiffness, dt * friction * overlap) });
      });
      const strength = c.wall_repulsion ? c.wall_repulsion_strength_n : 0;
      const range = c.wall_repulsion_range_m;
      const reach = me.radius + felt(strength, range, this.minMass, c.negligible_m_per_s2);
      place.contacts(me.pos, reach, (distance, normal) => {
        const overlap = me.radius - distance;
        const push = strength * Math.exp(overlap / range);
        let along = (dt * dt * push) / range;
        let across = 0;
        force = add(force, mul(normal, push));
        if (overlap > 0) {
          force = add(force, mul(normal, stiffness * overlap));
          along += dt * dt * stiffness;
          across = dt * friction * overlap;
        }
        addTo(all, block(normal, along, across));
      });
      const speed = me.walks ? me.speed : 0;
      const moved = add(me.vel, mul(me.way, (speed / c.relaxation_time_s) * dt));
      const inertia = me.mass * (1 + dt / c.relaxation_time_s);
      addTo(all, { xx: inertia, xy: 0, yy: inertia });
      return { block: all, right: add(add(mul(moved, me.mass), mul(force, dt)), carried) };
    }

    /** Solves for the velocities by conjugate gradients, from the old ones. */
    solve(rows, start) {
      const v = start.slice();
      const inverses = rows.map((row) => inverse(row.block));
      let product = this.multiply(rows, v);
      const residual = rows.map((row, i) => sub(row.right, product[i]));
      let search = residual.map((r, i) => times(inverses[i], r));
      let rho = 0;
      residual.forEach((r, i) => (rho += dot(r, search[i])));
      const stop = rho * 1e-26;
      for (let round = 0; round < 200 && rho > stop && rho > 1e-300; round++) {
        product = this.multiply(rows, search);
        let curvature = 0;
        search.forEach((s, i) => (curvature += dot(s, product[i])));
        const alpha = rho / curvature;
        let next = 0;
        for (let i = 0; i < v.length; i++) {
          v[i] = add(v[i], mul(search[i], alpha));
          residual[i] = sub(residual[i], mul(product[i], alpha));
          product[i] = times(inverses[i], residual[i]);
          next += dot(residual[i], product[i]);
        }
        const beta = next / rho;
        rho = next;
        search = search.map((s, i) => add(product[i], mul(s, beta)));
      }
      return v;
    }

    multiply(rows, v) {
      const product = rows.map((row, i) => times(row.block, v[i]));
      for (const link of this.links) product[link.row] = sub(product[link.row], times(link.block, v[link.other]));
      return product;
    }
  }

  Object.assign(globalThis.crowdtune, { SocialForce });
})();
