// Draws crowds side by side on one clock: the people in their place, and below them what leaves or how fast they are.
const Stage = (() => {
  const GROUPS = ["#1c84cc", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b3a100", "#8c6bb1"];
  const RAMP = [[59, 76, 160], [62, 130, 182], [86, 178, 155], [190, 203, 88], [249, 178, 51], [226, 80, 46]];
  const BINS = 24; // colors of a ramp: people of one color are filled at once
  const TRAIL_S = 8;
  const OVERLAP_M = 0.02; // recorded positions are rounded to centimeters
  const SCALES = {
    speed: { of: (p) => p.speed, unit: "m/s", least: 0.5, name: "speed" },
    density: { of: (p) => p.density, unit: "people/m\u00b2", least: 2, name: "people within 1 m" },
    pressure: { of: (p) => p.pressure, unit: "N/m", least: 500, name: "body pressure" },
  };

  const ramp = (share) => {
    const s = Math.max(0, Math.min(0.9999, share)) * (RAMP.length - 1), i = Math.floor(s), u = s - i;
    return "rgb(" + RAMP[i].map((a, k) => Math.round(a + (RAMP[i + 1][k] - a) * u)).join(",") + ")";
  };
  const COLORS = Array.from({ length: BINS }, (_, i) => ramp((i + 0.5) / BINS));
  const gradient = () => "linear-gradient(90deg," + RAMP.map((c) => "rgb(" + c.join(",") + ")").join(",") + ")";

  // Marks that tell groups apart without color.
  const SHAPES = [
    null,
    (g, x, y, r) => { g.moveTo(x + 0.45 * r, y); g.arc(x, y, 0.45 * r, 0, 6.2832); },
    (g, x, y, r) => { const d = 0.5 * r; g.moveTo(x - d, y - d); g.lineTo(x + d, y + d); g.moveTo(x - d, y + d); g.lineTo(x + d, y - d); },
    (g, x, y, r) => { g.moveTo(x - 0.6 * r, y); g.lineTo(x + 0.6 * r, y); },
    (g, x, y, r) => { const d = 0.45 * r; g.rect(x - d, y - d, 2 * d, 2 * d); },
    (g, x, y, r) => { const d = 0.55 * r; g.moveTo(x, y - d); g.lineTo(x + d, y + 0.8 * d); g.lineTo(x - d, y + 0.8 * d); g.closePath(); },
    (g, x, y, r) => { g.moveTo(x, y - 0.6 * r); g.lineTo(x, y + 0.6 * r); },
    (g, x, y, r) => { const d = 0.55 * r; g.moveTo(x - d, y); g.lineTo(x + d, y); g.moveTo(x, y - d); g.lineTo(x, y + d); },
  ];

  // The top of a scale: the 98th percentile of what was seen so far, rounded up to one or two digits; it only rises.
  const topOf = (crowds, kind) => {
    const { least } = SCALES[kind], seen = [];
    for (const crowd of crowds) {
      const stride = Math.max(1, Math.floor(crowd.frames.length / 12));
      for (let k = stride; k < crowd.frames.length; k += stride) {
        const f = crowd.frames[k];
        if (kind === "speed") f.vx.forEach((vx, i) => seen.push(Math.hypot(vx, f.vy[i])));
        else if (kind === "pressure") f.pressure?.forEach((p) => seen.push(p));
        else { const people = crowd.at(f.time, []); Crowd.density(people, crowd.rings); people.forEach((p) => seen.push(p.density)); }
      }
    }
    seen.sort((a, b) => a - b);
    const top = Math.max(least, seen[Math.floor(seen.length * 0.98)] || 0), unit = 10 ** Math.floor(Math.log10(top)) / 2;
    return Math.ceil(top / unit - 1e-9) * unit;
  };

  const overlapping = (people, rings) => {
    const there = people.map((p) => [Crowd.home(rings.x, p.x), Crowd.home(rings.y, p.y), p]).sort((a, b) => a[0] - b[0]), hit = new Set();
    const widest = there.reduce((r, a) => Math.max(r, a[2].radius), 0);
    const meet = (a, b) => {
      const apart = Math.hypot(Crowd.short(rings.x, a[0] - b[0]), Crowd.short(rings.y, a[1] - b[1]));
      if (apart < a[2].radius + b[2].radius - OVERLAP_M) { hit.add(a[2].id); hit.add(b[2].id); }
    };
    there.forEach((a, i) => {
      const reach = a[2].radius + widest;
      for (let k = i + 1; k < there.length && there[k][0] - a[0] < reach; k++) meet(a, there[k]);
      // On a ring the first ones are also beside the last ones.
      for (let k = 0; rings.x && k < i && there[k][0] + rings.x[1] - rings.x[0] - a[0] < reach; k++) meet(a, there[k]);
    });
    return hit;
  };

  // Everything within reach of a seam is seen on both sides of it.
  const shifts = (ring, v, reach) => {
    if (!ring) return [0];
    const length = ring[1] - ring[0], back = Crowd.home(ring, v) - v, out = [back];
    if (v + back - ring[0] < reach) out.push(back + length);
    if (ring[1] - v - back < reach) out.push(back - length);
    return out;
  };

  // The people of a crowd at a time.
  const people = (g, crowd, file, box, view, colors, options) => {
    const { X, Y } = Place.project(view, box), rings = crowd.rings, marked = new Set(file.marked ?? []);
    const there = crowd.at(options.t, view.people ??= []), kind = SCALES[options.color];
    if (options.color === "density") Crowd.density(there, rings);
    g.save();
    if (rings.x || rings.y) {
      const [x0, x1] = rings.x ?? [box.x, box.x + box.w], [y0, y1] = rings.y ?? [box.y, box.y + box.h];
      g.beginPath(); g.rect(X(x0), Y(y1), X(x1) - X(x0), Y(y0) - Y(y1)); g.clip();
    }
    const bodies = [];
    for (const p of there) {
      const bin = kind ? Math.min(BINS - 1, Math.floor(BINS * kind.of(p) / options.top)) : p.group % GROUPS.length;
      for (const sx of shifts(rings.x, p.x, 2 * p.radius)) for (const sy of shifts(rings.y, p.y, 2 * p.radius)) {
        bodies.push({ p, bin, x: X(p.x + sx), y: Y(p.y + sy), r: Math.max(1.5, p.radius * view.scale) });
      }
    }
    const fill = (bin) => (kind ? COLORS[Math.max(0, bin)] : GROUPS[bin]);
    if (options.trails) trails(g, crowd, there, X, Y, options.t, (p) => (kind ? colors.soft : GROUPS[p.group % GROUPS.length]));
    const bins = new Map();
    for (const b of bodies) {
      const key = b.p.alpha < 1 ? b : b.bin;
      if (bins.has(key)) bins.get(key).push(b); else bins.set(key, [b]);
    }
    for (const list of bins.values()) {
      g.globalAlpha = list[0].p.alpha;
      g.beginPath();
      for (const { x, y, r } of list) { g.moveTo(x + r, y); g.arc(x, y, r, 0, 6.2832); }
      g.fillStyle = fill(list[0].bin); g.fill();
      if (list[0].r > 2.5) { g.strokeStyle = colors.edge; g.lineWidth = 0.8; g.stroke(); }
    }
    g.globalAlpha = 1;
    // Where people look: a small nose on the body, so that nobody grows by it.
    if (options.headings) {
      g.beginPath();
      for (const { p, x, y, r } of bodies) {
        if (r < 3.5 || isNaN(p.heading) || p.alpha < 1) continue;
        const c = Math.cos(p.heading) * r, s = -Math.sin(p.heading) * r;
        g.moveTo(x + 1.12 * c, y + 1.12 * s);
        g.lineTo(x + 0.55 * c - 0.42 * s, y + 0.55 * s + 0.42 * c);
        g.lineTo(x + 0.55 * c + 0.42 * s, y + 0.55 * s - 0.42 * c);
        g.closePath();
      }
      g.fillStyle = "rgba(10, 18, 30, .82)"; g.fill();
    }
    if (!kind && file.groups.length > 1) {
      g.beginPath();
      for (const { p, x, y, r } of bodies) if (r > 3) SHAPES[p.group % SHAPES.length]?.(g, x, y, r);
      g.strokeStyle = "rgba(255, 255, 255, .95)"; g.lineWidth = 1.6; g.stroke();
    }
    if (marked.size) {
      g.beginPath();
      for (const { p, x, y, r } of bodies) if (marked.has(p.group)) { g.moveTo(x + r + 4, y); g.arc(x, y, r + 4, 0, 6.2832); }
      g.strokeStyle = colors.ink; g.lineWidth = 2; g.stroke();
    }
    if (options.overlaps) {
      const hit = overlapping(there, rings);
      g.beginPath();
      for (const { p, x, y, r } of bodies) if (hit.has(p.id)) { g.moveTo(x + r + 1, y); g.arc(x, y, r + 1, 0, 6.2832); }
      g.strokeStyle = colors.clash; g.lineWidth = 3; g.stroke();
    }
    g.restore();
    return there.length;
  };

  const trails = (g, crowd, there, X, Y, t, color) => {
    const k = crowd.index(t), back = Math.round(TRAIL_S / crowd.everyS);
    g.lineWidth = 1.2; g.globalAlpha = 0.45;
    for (const p of there) {
      const w = crowd.way.get(p.id), last = Math.min(k - w.first, w.xs.length - 1);
      if (last < 1) continue;
      // The stored way may be whole turns of the ring away from where the person is drawn.
      const sx = p.x - w.xs[last], sy = p.y - w.ys[last];
      const turnX = crowd.rings.x ? Math.round(sx / (crowd.rings.x[1] - crowd.rings.x[0])) * (crowd.rings.x[1] - crowd.rings.x[0]) : 0;
      const turnY = crowd.rings.y ? Math.round(sy / (crowd.rings.y[1] - crowd.rings.y[0])) * (crowd.rings.y[1] - crowd.rings.y[0]) : 0;
      g.strokeStyle = color(p);
      for (const ix of shifts(crowd.rings.x, p.x, 15)) for (const iy of shifts(crowd.rings.y, p.y, 15)) {
        g.beginPath();
        for (let i = Math.max(0, last - back); i <= last; i++) g.lineTo(X(w.xs[i] + turnX + ix), Y(w.ys[i] + turnY + iy));
        g.lineTo(X(p.x + ix), Y(p.y + iy));
        g.stroke();
      }
    }
    g.globalAlpha = 1;
  };

  // People out over time, or how fast they are; the clock lies on it.
  const curve = (g, view, crowds, marks, colors, { t, end, leaving }) => {
    const left = 44, right = 16, top = 12, bottom = 24;
    const highest = leaving ? Math.max(1, ...crowds.map((c) => c.total)) : Math.max(0.5, Math.ceil(2 * Math.max(0, ...crowds.map((c) => c.frames.reduce((m, f) => Math.max(m, c.speedAt(f.time)), 0)))) / 2);
    const X = (s) => left + (view.w - left - right) * s / end, Y = (n) => view.h - bottom - (view.h - top - bottom) * n / highest;
    const at = (c, s) => (leaving ? c.outAt(s) : c.speedAt(s));
    g.clearRect(0, 0, view.w, view.h);
    g.font = "11.5px system-ui, sans-serif"; g.fillStyle = colors.soft; g.strokeStyle = colors.rule; g.lineWidth = 1;
    g.textAlign = "right"; g.textBaseline = "middle";
    for (const n of [0, highest]) {
      g.beginPath(); g.moveTo(left, Y(n)); g.lineTo(view.w - right, Y(n)); g.stroke();
      g.fillText(String(n), left - 6, Y(n));
    }
    g.save(); g.translate(11, (top + view.h - bottom) / 2); g.rotate(-Math.PI / 2); g.textAlign = "center";
    g.fillText(leaving ? "people out" : "speed (m/s)", 0, 0);
    g.restore();
    const step = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600].find((s) => (end / s) * 58 <= view.w - left - right) ?? 7200;
    g.textAlign = "center"; g.textBaseline = "top";
    for (let s = 0; s <= end + 1e-9; s += step) {
      g.beginPath(); g.moveTo(X(s), view.h - bottom); g.lineTo(X(s), view.h - bottom + 4); g.stroke();
      if (X(s) < view.w - 12) g.fillText(s + (s === 0 ? " s" : ""), X(s), view.h - bottom + 7);
    }
    crowds.forEach((c, i) => {
      g.strokeStyle = marks[i]; g.lineWidth = 2; g.setLineDash(crowds.length > 1 && i === 0 ? [7, 4] : []);
      g.beginPath();
      const points = Math.max(2, Math.min(c.frames.length, 600));
      let before = null;
      for (let k = 0; k < points; k++) {
        const s = c.end * k / (points - 1), y = Y(at(c, s));
        if (leaving && before !== null) g.lineTo(X(s), before);
        g.lineTo(X(s), y);
        before = y;
      }
      g.stroke();
    });
    g.setLineDash([]);
    g.strokeStyle = g.fillStyle = colors.ink; g.lineWidth = 1.5;
    g.beginPath(); g.moveTo(X(t), top - 7); g.lineTo(X(t), view.h - bottom); g.stroke();
    g.beginPath(); g.arc(X(t), top - 5, 5, 0, 7); g.fill();
    crowds.forEach((c, i) => {
      if (t > c.end + 1e-9 && !c.complete) return;
      g.fillStyle = marks[i]; g.strokeStyle = colors.card; g.lineWidth = 1.5;
      g.beginPath(); g.arc(X(t), Y(at(c, Math.min(t, c.end))), 4.5, 0, 7); g.fill(); g.stroke();
    });
  };

  return { GROUPS, SCALES, people, curve, topOf, gradient, SHAPES };
})();
