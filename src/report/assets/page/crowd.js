// A crowd over time: frames at one interval, recorded or still coming from the simulator. Lengths in m, times in s.
const Crowd = (() => {
  const TRAIN_M = 1; // people look along a train of this length that they pull behind them: a step aside in a jam turns nobody around
  const STEP_M = 0.05; // how far somebody has to go before it is known where to
  const DENSITY_M = 1; // people within so many meters count

  const short = (ring, d) => {
    if (!ring) return d;
    const length = ring[1] - ring[0];
    return d > length / 2 ? d - length : d < -length / 2 ? d + length : d;
  };

  const home = (ring, v) => {
    if (!ring) return v;
    const length = ring[1] - ring[0];
    return v - length * Math.floor((v - ring[0]) / length);
  };

  // Between two frames: the curve that leaves and arrives with the velocities of both.
  const between = (from, d, v0, v1, dt, u) => {
    const u2 = u * u, u3 = u2 * u;
    return from + (3 * u2 - 2 * u3) * d + dt * ((u3 - 2 * u2 + u) * v0 + (u3 - u2) * v1);
  };

  class Crowd {
    constructor(label, everyS, rings) {
      Object.assign(this, { label, everyS, rings, frames: [], end: 0, total: 0, complete: false, failed: null, measures: [], digest: null });
      this.way = new Map(); // of each person: the end of the train, and the trail
    }

    // Adds a frame: columns of equal length in the order of ids.
    add(frame) {
      const n = frame.id.length;
      frame.heading = new Float32Array(n);
      for (let i = 0; i < n; i++) {
        let w = this.way.get(frame.id[i]);
        if (!w) this.way.set(frame.id[i], (w = { tx: frame.x[i], ty: frame.y[i], a: NaN }));
        const dx = short(this.rings.x, frame.x[i] - w.tx), dy = short(this.rings.y, frame.y[i] - w.ty), far = Math.hypot(dx, dy);
        const first = isNaN(w.a);
        if (far > (first ? STEP_M : 0)) {
          w.a = Math.atan2(dy, dx);
          if (first || far > TRAIN_M) { w.tx = frame.x[i] - TRAIN_M * dx / far; w.ty = frame.y[i] - TRAIN_M * dy / far; }
        }
        frame.heading[i] = w.a;
        // The way that trails show; on a ring it goes on beyond the seam.
        if (w.last !== this.frames.length - 1) { w.first = this.frames.length; w.xs = []; w.ys = []; }
        const n = w.xs.length;
        w.xs.push(n ? w.xs[n - 1] + short(this.rings.x, frame.x[i] - home(this.rings.x, w.xs[n - 1])) : frame.x[i]);
        w.ys.push(n ? w.ys[n - 1] + short(this.rings.y, frame.y[i] - home(this.rings.y, w.ys[n - 1])) : frame.y[i]);
        w.last = this.frames.length;
      }
      this.frames.push(frame);
      this.total = Math.max(this.total, this.way.size);
      this.end = Math.max(this.end, frame.time);
    }

    // How many have left by then.
    outAt(t) {
      if (this.left) {
        let a = 0, b = this.left.length;
        while (a < b) { const m = (a + b) >> 1; if (this.left[m] <= t + 1e-9) a = m + 1; else b = m; }
        return a;
      }
      return this.frames[this.index(t)]?.out ?? 0;
    }

    index(t) { return Math.max(0, Math.min(this.frames.length - 1, Math.floor(t / this.everyS + 1e-6))); }

    // What was measured by then: the last look before it.
    measuredAt(t) {
      let found = null;
      for (const m of this.measures) { if (m.time <= t + 1e-6) found = m; else break; }
      return found;
    }

    // Mean speed of those who are there, m/s.
    speedAt(t) {
      const f = this.frames[this.index(t)];
      if (!f || !f.id.length) return 0;
      f.mean ??= f.vx.reduce((sum, vx, i) => sum + Math.hypot(vx, f.vy[i]), 0) / f.id.length;
      return f.mean;
    }

    // Everybody at a time, between two frames. Who comes or goes between them fades.
    at(t, out) {
      const k = this.index(t), a = this.frames[k], b = this.frames[k + 1];
      out.length = 0;
      if (!a) return out;
      const f = b ? Math.min(1, Math.max(0, t / this.everyS - k)) : 0;
      let i = 0, j = 0;
      const put = (frame, at, x, y, alpha, heading) => out.push({
        id: frame.id[at], x, y, heading, radius: frame.radius[at], group: frame.group[at],
        speed: Math.hypot(frame.vx[at], frame.vy[at]), pressure: frame.pressure ? frame.pressure[at] : 0, alpha,
      });
      while (i < a.id.length || (b && j < b.id.length)) {
        const ia = i < a.id.length ? a.id[i] : Infinity, ib = b && j < b.id.length ? b.id[j] : Infinity;
        if (ia === ib) {
          const x = between(a.x[i], short(this.rings.x, b.x[j] - a.x[i]), a.vx[i], b.vx[j], this.everyS, f);
          const y = between(a.y[i], short(this.rings.y, b.y[j] - a.y[i]), a.vy[i], b.vy[j], this.everyS, f);
          const turn = b.heading[j] - a.heading[i];
          put(a, i, x, y, 1, a.heading[i] + (isNaN(turn) ? 0 : f * Math.atan2(Math.sin(turn), Math.cos(turn))));
          i++; j++;
        } else if (ia < ib) { put(a, i, a.x[i], a.y[i], b ? 1 - f : 1, a.heading[i]); i++; } else { put(b, j, b.x[j], b.y[j], f, b.heading[j]); j++; }
      }
      return out;
    }
  }

  // People within DENSITY_M of each, per m2; themselves included.
  const density = (people, rings) => {
    const cell = (v) => Math.floor(v / DENSITY_M), cells = new Map();
    people.forEach((p, i) => {
      const key = cell(p.x) * 65536 + cell(p.y);
      const there = cells.get(key);
      if (there) there.push(i); else cells.set(key, [i]);
    });
    const area = Math.PI * DENSITY_M * DENSITY_M;
    for (const p of people) {
      let n = 0;
      for (let cx = cell(p.x) - 1; cx <= cell(p.x) + 1; cx++) for (let cy = cell(p.y) - 1; cy <= cell(p.y) + 1; cy++) {
        for (const k of cells.get(cx * 65536 + cy) ?? []) {
          const dx = short(rings.x, people[k].x - p.x), dy = short(rings.y, people[k].y - p.y);
          if (dx * dx + dy * dy <= DENSITY_M * DENSITY_M) n++;
        }
      }
      p.density = n / area;
    }
  };

  // From a replay file: whole centimeters, differences from frame to frame.
  const recorded = (file, one) => {
    const rings = ringsOf(file), crowd = new Crowd(one.label, one.every_s, rings);
    const there = Array.from({ length: one.frames }, () => []);
    for (const p of one.people) {
      let x = 0, y = 0;
      const xs = p.x.map((d, i) => (x += i ? short(rings.x, d / 100) : d / 100));
      const ys = p.y.map((d, i) => (y += i ? short(rings.y, d / 100) : d / 100));
      xs.forEach((_, i) => there[p.start + i]?.push([p, i, xs, ys]));
    }
    const half = Math.max(1, Math.round(0.2 / one.every_s));
    there.forEach((people, k) => {
      people.sort((a, b) => a[0].id - b[0].id);
      const column = (f) => Float32Array.from(people, f);
      // Rounded to centimeters, two neighboring frames say little of a speed.
      const over = (axis) => ([, i, xs, ys]) => {
        const v = axis ? ys : xs, a = Math.max(0, i - half), b = Math.min(v.length - 1, i + half);
        return b > a ? (v[b] - v[a]) / ((b - a) * one.every_s) : 0;
      };
      crowd.add({
        time: k * one.every_s, id: Uint32Array.from(people, ([p]) => p.id), x: column(([, i, xs]) => xs[i]), y: column(([, i, , ys]) => ys[i]),
        vx: column(over(0)), vy: column(over(1)), radius: column(([p]) => p.radius / 100), group: Uint16Array.from(people, ([p]) => p.group),
      });
    });
    crowd.left = one.left_s;
    crowd.caught = one.caught_s ?? [];
    crowd.collided = one.collided_s ?? null;
    crowd.measures = one.measures ?? [];
    crowd.end = Math.max(crowd.end, one.left_s[one.left_s.length - 1] ?? 0);
    crowd.complete = true;
    return crowd;
  };

  // A frame of the simulator: eight numbers a person.
  const frameOf = ({ time, out, people }) => {
    const n = people.length / 8, column = (k, Kind = Float32Array) => Kind.from({ length: n }, (_, i) => people[8 * i + k]);
    return {
      time, out, id: column(0, Uint32Array), x: column(1), y: column(2), vx: column(3), vy: column(4), radius: column(5),
      group: column(6, Uint16Array), pressure: column(7),
    };
  };

  const ringsOf = (file) => {
    const meters = (ends) => (ends ? ends.map((v) => v / 100) : null);
    return { x: meters(file.rings?.x), y: meters(file.rings?.y) };
  };

  return { Crowd, recorded, frameOf, ringsOf, density, short, home, DENSITY_M };
})();
