// The place: walls, doors, areas, ground; from a replay file, in centimeters.
const Place = (() => {
  const PALETTE = ["page", "card", "ink", "soft", "rule", "floor", "wall", "door", "line", "area", "ground", "accent", "second", "edge", "clash"];
  const FOOT = 24; // px below the place, for the scale
  const MOST_NAMES = 12; // many goals, one a person, would be a thicket of names

  const theme = () => {
    const css = getComputedStyle(document.documentElement);
    return Object.fromEntries(PALETTE.map((k) => [k, css.getPropertyValue("--" + k).trim()]));
  };

  // What the view has to hold, m; people only where nothing else says how large the place is.
  const bounds = (file, crowds) => {
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
    const take = (x, y, r = 0) => {
      x0 = Math.min(x0, x - r); x1 = Math.max(x1, x + r); y0 = Math.min(y0, y - r); y1 = Math.max(y1, y + r);
    };
    const line = (l) => { take(l[0] / 100, l[1] / 100); take(l[2] / 100, l[3] / 100); };
    const point = ([x, y]) => take(x / 100, y / 100);
    file.walls.forEach(line);
    file.doors.concat(file.lines).forEach((d) => line(d.line));
    file.walkable.forEach((r) => r.shell.forEach(point));
    file.goal_areas.concat(file.areas).forEach((a) => a.points.forEach(point));
    file.goal_points.forEach((p) => take(p.at[0] / 100, p.at[1] / 100, p.radius / 100));
    const rings = Crowd.ringsOf(file);
    for (const x of rings.x ?? []) take(x, isFinite(y0) ? y0 : 0);
    for (const y of rings.y ?? []) take(isFinite(x0) ? x0 : 0, y);
    if (!file.walls.length && !file.walkable.length) {
      for (const crowd of crowds) for (const f of crowd.frames) f.x.forEach((x, i) => take(Crowd.home(rings.x, x), Crowd.home(rings.y, f.y[i]), f.radius[i]));
    }
    if (!(x1 > x0) || !(y1 > y0) || !isFinite(x0 + x1 + y0 + y1)) {
      const [x, y] = isFinite(x0 + y0) ? [x0, y0] : [0, 0];
      x0 = x - 5; x1 = x + 5; y0 = y - 5; y1 = y + 5;
    }
    const pad = Math.max(0.4, 0.03 * Math.max(x1 - x0, y1 - y0));
    return { x: x0 - pad, y: y0 - pad, w: x1 - x0 + 2 * pad, h: y1 - y0 + 2 * pad, x0, y0, x1, y1 };
  };

  const project = (view, box) => ({
    X: (x) => view.left + (x - box.x) * view.scale,
    Y: (y) => view.top + (box.y + box.h - y) * view.scale,
  });

  // Draws everything but people and names.
  const draw = (g, file, box, view, colors) => {
    const { X, Y } = project(view, box);
    const path = (points) => {
      points.forEach((p, i) => (i ? g.lineTo(X(p[0] / 100), Y(p[1] / 100)) : g.moveTo(X(p[0] / 100), Y(p[1] / 100))));
      g.closePath();
    };
    const stroke = (l) => { g.beginPath(); g.moveTo(X(l[0] / 100), Y(l[1] / 100)); g.lineTo(X(l[2] / 100), Y(l[3] / 100)); g.stroke(); };
    g.fillStyle = colors.floor;
    g.fillRect(0, 0, view.w, view.h);
    g.lineCap = g.lineJoin = "round";
    for (const region of file.walkable) {
      g.beginPath(); path(region.shell); region.holes.forEach(path);
      g.fillStyle = colors.card; g.fill("evenodd");
    }
    for (const level of file.relief ?? []) for (const region of level.areas) {
      g.beginPath(); path(region.shell); region.holes.forEach(path);
      g.globalAlpha = 0.08; g.fillStyle = colors.ground; g.fill("evenodd");
      g.globalAlpha = 0.6; g.strokeStyle = colors.ground; g.lineWidth = 1; g.stroke();
      g.globalAlpha = 1;
    }
    const area = (a, color, dash) => {
      g.beginPath(); path(a.points);
      g.globalAlpha = 0.1; g.fillStyle = color; g.fill();
      g.globalAlpha = 0.8; g.strokeStyle = color; g.lineWidth = 1; g.setLineDash(dash); g.stroke();
      g.setLineDash([]); g.globalAlpha = 1;
    };
    file.areas.forEach((a) => area(a, colors.area, [4, 4]));
    file.goal_areas.forEach((a) => area(a, colors.door, []));
    for (const p of file.goal_points) {
      g.beginPath(); g.arc(X(p.at[0] / 100), Y(p.at[1] / 100), Math.max(3, p.radius / 100 * view.scale), 0, 7);
      g.globalAlpha = 0.25; g.fillStyle = colors.door; g.fill(); g.globalAlpha = 1;
    }
    g.strokeStyle = colors.wall;
    g.lineWidth = Math.max(1.5, Math.min(4, 0.08 * view.scale));
    file.walls.forEach(stroke);
    g.strokeStyle = colors.door;
    g.lineWidth = Math.max(2.5, Math.min(5, 0.1 * view.scale));
    file.doors.forEach((d) => stroke(d.line));
    const rings = file.rings ?? {};
    g.strokeStyle = colors.soft; g.lineWidth = 1.5; g.setLineDash([7, 6]);
    for (const x of rings.x ?? []) stroke([x, box.y0 * 100, x, box.y1 * 100]);
    for (const y of rings.y ?? []) stroke([box.x0 * 100, y, box.x1 * 100, y]);
    g.strokeStyle = colors.line; g.lineWidth = 2; g.setLineDash([5, 4]);
    file.lines.forEach((d) => stroke(d.line));
    g.setLineDash([]);
    scale(g, view, colors);
  };

  const scale = (g, view, colors) => {
    const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 500].find((s) => s * view.scale >= 46) ?? 1000;
    const x = 12, y = view.h - 11, w = step * view.scale;
    g.font = "12px system-ui, sans-serif"; g.textAlign = "left"; g.textBaseline = "middle";
    g.strokeStyle = g.fillStyle = colors.soft; g.lineWidth = 1.5;
    g.beginPath(); g.moveTo(x, y - 4); g.lineTo(x, y); g.lineTo(x + w, y); g.lineTo(x + w, y - 4); g.stroke();
    g.fillText(step + " m", x + w + 7, y - 1);
  };

  // What has a name, where, and in which color; m.
  const named = (file, colors) => {
    const reach = (points, k) => [Math.min(...points.map((p) => p[k])) / 100, Math.max(...points.map((p) => p[k])) / 100];
    const ends = (l) => [[l[0], l[1]], [l[2], l[3]]];
    const of = (name, points, color) => { const [left, right] = reach(points, 0), [low, top] = reach(points, 1); return { name, left, right, low, top, color }; };
    return [
      ...file.doors.map((d) => of(d.name, ends(d.line), colors.door)),
      ...file.goal_areas.map((a) => of(a.name, a.points, colors.door)),
      ...file.goal_points.map((p) => of(p.name, [[p.at[0], p.at[1] - p.radius], [p.at[0], p.at[1] + p.radius]], colors.door)),
      ...file.areas.map((a) => of(a.name, a.points, colors.area)),
      ...file.lines.map((d) => of(d.name, ends(d.line), colors.line)),
    ].filter((n) => n.name);
  };

  // Where people walk, as far as the crowds are known: how many were seen in each cell.
  const CELL_M = 0.5, LOOKS = 80;
  const walked = (crowds) => {
    const cells = new Map();
    for (const crowd of crowds) {
      const stride = Math.max(1, Math.floor(crowd.frames.length / LOOKS));
      for (let k = 0; k < crowd.frames.length; k += stride) {
        const f = crowd.frames[k];
        for (let i = 0; i < f.id.length; i++) {
          const key = Math.floor(Crowd.home(crowd.rings.x, f.x[i]) / CELL_M) + "," + Math.floor(Crowd.home(crowd.rings.y, f.y[i]) / CELL_M);
          cells.set(key, (cells.get(key) ?? 0) + 1);
        }
      }
    }
    return cells;
  };

  // Each name stands beside what it names, where the fewest people walk, free of the other names; px.
  const FONT = "600 12px system-ui, sans-serif", HIGH = 9, FAR = 0.02; // a place farther away by 50 px is as bad as a person who is hidden
  const spots = (g, file, box, view, colors, cells) => {
    const { X, Y } = project(view, box), placed = [];
    const hidden = (cx, cy, half) => {
      const cell = (px, at) => Math.floor((box[at] + px / view.scale) / CELL_M);
      let n = 0;
      for (let i = cell(cx - half - view.left, "x"); i <= cell(cx + half - view.left, "x"); i++) {
        for (let j = Math.floor((box.y + box.h - (cy + HIGH - view.top) / view.scale) / CELL_M); j <= Math.floor((box.y + box.h - (cy - HIGH - view.top) / view.scale) / CELL_M); j++) n += cells.get(i + "," + j) ?? 0;
      }
      return n;
    };
    g.font = FONT;
    for (const n of named(file, colors)) {
      const half = g.measureText(n.name).width / 2 + 5, mx = (X(n.left) + X(n.right)) / 2, my = (Y(n.low) + Y(n.top)) / 2;
      let best = null;
      for (const away of [12, 30, 52, 80]) {
        const right = X(n.right) + half + away - 3, left = X(n.left) - half - away + 3, above = Y(n.top) - away, below = Y(n.low) + away;
        for (const [x, y] of [[mx, above], [mx, below], [right, my], [left, my], [right, above], [left, above], [right, below], [left, below]]) {
          const cx = Math.min(Math.max(x, half + 2), view.w - half - 2), cy = Math.min(Math.max(y, 10), view.h - 10);
          const cost = hidden(cx, cy, half) + FAR * Math.hypot(cx - mx, cy - my)
            + (placed.some((r) => Math.abs(r.cx - cx) < r.half + half && Math.abs(r.cy - cy) < 2 * HIGH) ? 1e9 : 0);
          if (!best || cost < best.cost) best = { cx, cy, half, cost, name: n.name, color: n.color };
        }
      }
      placed.push(best);
    }
    return placed;
  };

  const names = (g, spots, colors) => {
    g.font = FONT; g.textAlign = "center"; g.textBaseline = "middle";
    for (const { cx, cy, half, name, color } of spots) {
      g.globalAlpha = 0.72; g.fillStyle = colors.floor;
      g.beginPath(); g.roundRect(cx - half, cy - HIGH, 2 * half, 2 * HIGH, 5); g.fill();
      g.globalAlpha = 1; g.fillStyle = color;
      g.fillText(name, cx, cy + 0.5);
    }
  };

  const few = (file) => file.goal_points.length + file.doors.length + file.goal_areas.length <= MOST_NAMES;

  return { theme, bounds, project, draw, walked, spots, names, few, FOOT };
})();
