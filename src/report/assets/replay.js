"use strict";
(() => {
  const file = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const GROUPS = ["#1c84cc", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b3a100", "#8c6bb1"];
  const RAMP = [[59, 76, 160], [62, 130, 182], [86, 178, 155], [190, 203, 88], [249, 178, 51], [226, 80, 46]];
  const STILL_CM = 12; // positions are rounded to centimeters: a shorter move says nothing of a heading
  const TRAIL_S = 8;
  const OVERLAP_CM = 2; // positions are rounded to centimeters
  const MOST_NAMES = 12;
  const rings = Object.assign({ x: null, y: null }, file.rings);
  const marked = new Set(file.marked || []);
  const closed = rings.x || rings.y;
  const FOOT = 24; // px below the place, for the scale

  // Differences back to positions, cm. On a ring a way goes on beyond the seam; only what is drawn is put back.
  const short = (axis, d) => {
    if (!rings[axis]) return d;
    const length = rings[axis][1] - rings[axis][0];
    return d > length / 2 ? d - length : d < -length / 2 ? d + length : d;
  };
  const home = (axis, v) => {
    if (!rings[axis]) return v;
    const [low, high] = rings[axis], length = high - low;
    return v - length * Math.floor((v - low) / length);
  };
  // The heading at every frame: that of the last move of some length, at the start that of the first one.
  const headings = (p) => {
    const n = p.x.length, out = new Float32Array(n).fill(NaN);
    let from = 0;
    for (let i = 1; i < n; i++) {
      const dx = p.x[i] - p.x[from], dy = p.y[i] - p.y[from];
      out[i] = out[i - 1];
      if (Math.hypot(dx, dy) > STILL_CM) { out[i] = Math.atan2(dy, dx); from = i; }
    }
    const first = out.findIndex((a) => !isNaN(a));
    if (first > 0) out.fill(out[first], 0, first);
    return out;
  };
  for (const crowd of file.crowds) {
    for (const p of crowd.people) {
      for (const axis of ["x", "y"]) {
        const values = new Float32Array(p[axis].length);
        let sum = 0;
        p[axis].forEach((d, i) => { sum += i ? short(axis, d) : d; values[i] = sum; });
        p[axis] = values;
      }
      p.heading = headings(p);
    }
    // The last one may leave after the last frame.
    crowd.end = Math.max(Math.max(0, crowd.frames - 1) * crowd.every_s, crowd.left_s[crowd.left_s.length - 1] || 0);
    // Who joins others has a track for each group.
    crowd.total = new Set(crowd.people.map((p) => p.id)).size;
  }
  const end = Math.max(...file.crowds.map((c) => Math.max(c.end, 0)), 0.01);

  // What the view has to hold, cm.
  const box = (() => {
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
    const take = (x, y, r = 0) => {
      x0 = Math.min(x0, x - r); x1 = Math.max(x1, x + r); y0 = Math.min(y0, y - r); y1 = Math.max(y1, y + r);
    };
    const line = (l) => { take(l[0], l[1]); take(l[2], l[3]); };
    file.walls.forEach(line);
    file.doors.forEach((d) => line(d.line));
    file.lines.forEach((d) => line(d.line));
    file.walkable.forEach((r) => r.shell.forEach((p) => take(p[0], p[1])));
    file.goal_areas.concat(file.areas).forEach((a) => a.points.forEach((p) => take(p[0], p[1])));
    file.goal_points.forEach((p) => take(p.at[0], p.at[1], p.radius));
    if (rings.x) { take(rings.x[0], isFinite(y0) ? y0 : 0); take(rings.x[1], isFinite(y0) ? y0 : 0); }
    if (rings.y) { take(isFinite(x0) ? x0 : 0, rings.y[0]); take(isFinite(x0) ? x0 : 0, rings.y[1]); }
    if (!file.walls.length && !file.walkable.length) {
      file.crowds.forEach((c) => c.people.forEach((p) => p.x.forEach((x, i) => take(home("x", x), home("y", p.y[i]), p.radius))));
    }
    if (!(x1 > x0)) { x0 -= 100; x1 += 100; }
    if (!(y1 > y0)) { y0 -= 100; y1 += 100; }
    if (!isFinite(x0 + x1 + y0 + y1)) { x0 = y0 = 0; x1 = y1 = 100; }
    const pad = Math.max(40, 0.03 * Math.max(x1 - x0, y1 - y0));
    return { x: x0 - pad, y: y0 - pad, w: x1 - x0 + 2 * pad, h: y1 - y0 + 2 * pad, x0, y0, x1, y1 };
  })();

  // The top of the color scale: the 98th percentile of the recorded speeds, rounded up to half a meter a second.
  const topSpeed = (() => {
    const seen = [];
    for (const c of file.crowds) for (const p of c.people) {
      for (let i = 5; i < p.x.length; i += 5) {
        seen.push(Math.hypot(p.x[i] - p.x[i - 1], p.y[i] - p.y[i - 1]) / 100 / c.every_s);
      }
    }
    seen.sort((a, b) => a - b);
    return Math.max(0.5, Math.ceil((seen[Math.floor(seen.length * 0.98)] || 1) * 2) / 2);
  })();

  const state = {
    t: 0, playing: false, speed: 1, color: "group", trails: false, headings: true,
    // Many goals, one a person, would be a thicket of names.
    names: file.goal_points.length + file.doors.length + file.goal_areas.length <= MOST_NAMES,
    overlaps: !!file.overlaps,
  };
  let theme = {};
  const readTheme = () => {
    const css = getComputedStyle(document.documentElement);
    for (const k of ["page", "card", "ink", "soft", "rule", "floor", "wall", "door", "line", "area", "ground", "accent", "second", "edge", "clash"]) {
      theme[k] = css.getPropertyValue("--" + k).trim();
    }
  };
  const markOf = (i) => (file.crowds.length > 1 && i === 0 ? theme.second : theme.accent);

  // Where nobody ever leaves, the curve below tells how fast people walk.
  const leaving = file.crowds.some((c) => c.left_s.length);

  const panels = file.crowds.map((crowd, i) => {
    const figure = document.createElement("figure");
    figure.style.setProperty("--mark", file.crowds.length > 1 && i === 0 ? "var(--second)" : "var(--accent)");
    const caption = document.createElement("figcaption");
    const label = document.createElement("span");
    label.className = "label";
    label.textContent = crowd.label;
    const out = document.createElement("span");
    out.className = "out";
    const count = document.createElement("b"), clash = document.createElement("b"), held = document.createElement("b");
    if (crowd.caught_s) out.append(held, " caught, ");
    if (crowd.collided_s) out.append(clash, " collisions so far, ");
    out.append(count, leaving ? " of " + crowd.total + " out" : crowd.total === 1 ? " person there" : " people there");
    caption.append(label, out);
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", crowd.label + ": " + crowd.total + " people seen from above");
    figure.append(caption, canvas);
    $("stage").append(figure);
    return { crowd, canvas, count, clash, held, figure };
  });
  const noun = (n, what) => n + " " + what + (n === 1 ? "" : "s");
  $("what").textContent = file.crowds.length > 1
    ? file.crowds.map((c) => c.label).join(" beside ") + ", on the same clock"
    : file.crowds.map((c) => (c.total === 1 ? "1 person" : c.total + " people") + ", " + noun(Math.round(end), "second")).join("");
  const levels = file.relief || [];
  if (levels.length > 1) {
    const every = levels[1].height_m - levels[0].height_m;
    $("what").textContent += ". Lines of equal height every " + +every.toPrecision(3) + " m";
  }
  if (file.note) $("what").textContent += ". " + file.note;

  const fit = (canvas, height) => {
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    canvas.style.height = height + "px";
    const w = canvas.clientWidth;
    canvas.width = Math.max(1, Math.round(w * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    return { w, h: height, ratio };
  };

  const layout = () => {
    const stage = $("stage");
    const n = panels.length;
    const rest = document.body.scrollHeight - stage.clientHeight + 24;
    const room = Math.max(window.innerHeight - Math.min(rest, window.innerHeight * 0.55), 220);
    const size = (columns) => {
      const rows = Math.ceil(n / columns);
      const w = (stage.clientWidth - 12 * (columns - 1)) / columns - 2;
      const h = Math.max(room / rows - 44 - 12 * (rows - 1), 170);
      return { columns, w, h, scale: Math.min(w / box.w, (h - FOOT) / box.h) };
    };
    let best = size(1);
    // Beside each other unless that makes everything a good deal smaller.
    if (n > 1 && size(2).scale > 0.8 * best.scale) best = size(2);
    stage.classList.toggle("two", best.columns === 2);
    for (const p of panels) {
      p.view = fit(p.canvas, Math.round(Math.min(best.h, best.w * box.h / box.w + FOOT)));
      const scale = Math.min(p.view.w / box.w, (p.view.h - FOOT) / box.h);
      p.view.scale = scale;
      p.view.left = (p.view.w - box.w * scale) / 2;
      p.view.top = (p.view.h - FOOT - box.h * scale) / 2;
    }
    curve.view = fit($("curve"), 104);
    draw();
  };

  // How many of some times in order are past.
  const past = (times, t) => {
    let low = 0, high = times.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (times[mid] <= t) low = mid + 1; else high = mid;
    }
    return low;
  };
  const outAt = (crowd, t) => past(crowd.left_s, t);

  // Position and speed (m/s) at a time, between the frames on a cubic through the neighboring ones.
  const at = { x: 0, y: 0, speed: 0, alpha: 1, heading: NaN };
  const locate = (crowd, p, t) => {
    const f = Math.min(t / crowd.every_s, crowd.frames - 1) - p.start;
    const last = p.x.length - 1;
    if (f < 0 || last < 0 || (t >= crowd.end && crowd.left_s.length === crowd.total)) return false;
    let i = Math.floor(f), u = f - i;
    at.alpha = 1;
    at.heading = p.heading[Math.min(i, last)];
    if (i >= last) {
      const beyond = f - last;
      if (beyond > 0 && p.start + last < crowd.frames - 1) {
        if (beyond >= 1) return false;
        at.alpha = 1 - beyond;
      }
      const vx = last > 0 ? p.x[last] - p.x[last - 1] : 0, vy = last > 0 ? p.y[last] - p.y[last - 1] : 0;
      at.x = p.x[last] + vx * beyond;
      at.y = p.y[last] + vy * beyond;
      at.speed = Math.hypot(vx, vy) / 100 / crowd.every_s;
      return true;
    }
    const turn = p.heading[i + 1] - at.heading;
    if (turn) at.heading += u * Math.atan2(Math.sin(turn), Math.cos(turn));
    const dx = p.x[i + 1] - p.x[i], dy = p.y[i + 1] - p.y[i];
    const cubic = (v, d) => {
      const m0 = ((i > 0 ? v[i] - v[i - 1] : d) + d) / 2, m1 = ((i + 1 < last ? v[i + 2] - v[i + 1] : d) + d) / 2;
      const u2 = u * u, u3 = u2 * u;
      return v[i] + (3 * u2 - 2 * u3) * d + (u3 - 2 * u2 + u) * m0 + (u3 - u2) * m1;
    };
    at.x = cubic(p.x, dx); at.y = cubic(p.y, dy);
    at.speed = Math.hypot(dx, dy) / 100 / crowd.every_s;
    return true;
  };

  const ramp = (share) => {
    const s = Math.max(0, Math.min(0.9999, share)) * (RAMP.length - 1), i = Math.floor(s), u = s - i;
    return "rgb(" + RAMP[i].map((a, k) => Math.round(a + (RAMP[i + 1][k] - a) * u)).join(",") + ")";
  };
  const colorOf = (p) => (state.color === "speed" ? ramp(at.speed / topSpeed) : GROUPS[p.group % GROUPS.length]);

  const drawPanel = (panel) => {
    const { crowd, canvas, view } = panel;
    const g = canvas.getContext("2d");
    const X = (x) => view.left + (x - box.x) * view.scale;
    const Y = (y) => view.top + (box.y + box.h - y) * view.scale;
    const path = (points) => {
      points.forEach((p, i) => (i ? g.lineTo(X(p[0]), Y(p[1])) : g.moveTo(X(p[0]), Y(p[1]))));
      g.closePath();
    };
    const stroke = (l) => { g.beginPath(); g.moveTo(X(l[0]), Y(l[1])); g.lineTo(X(l[2]), Y(l[3])); g.stroke(); };
    g.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    g.fillStyle = theme.floor;
    g.fillRect(0, 0, view.w, view.h);
    g.lineCap = "round";
    g.lineJoin = "round";
    for (const region of file.walkable) {
      g.beginPath();
      path(region.shell);
      region.holes.forEach(path);
      g.fillStyle = theme.card;
      g.fill("evenodd");
    }
    for (const level of file.relief || []) {
      for (const region of level.areas) {
        g.beginPath();
        path(region.shell);
        region.holes.forEach(path);
        g.globalAlpha = 0.08; g.fillStyle = theme.ground; g.fill("evenodd");
        g.globalAlpha = 0.6; g.strokeStyle = theme.ground; g.lineWidth = 1; g.stroke();
        g.globalAlpha = 1;
      }
    }
    const labels = [];
    let there = 0;
    const area = (a, color, dash) => {
      g.beginPath(); path(a.points);
      g.globalAlpha = 0.1; g.fillStyle = color; g.fill();
      g.globalAlpha = 0.8; g.strokeStyle = color; g.lineWidth = 1; g.setLineDash(dash); g.stroke();
      g.setLineDash([]); g.globalAlpha = 1;
      const xs = a.points.map((p) => p[0]), ys = a.points.map((p) => p[1]);
      labels.push([a.name, (Math.min(...xs) + Math.max(...xs)) / 2, Math.max(...ys), color]);
    };
    file.areas.forEach((a) => area(a, theme.area, [4, 4]));
    file.goal_areas.forEach((a) => area(a, theme.door, []));
    for (const p of file.goal_points) {
      g.beginPath(); g.arc(X(p.at[0]), Y(p.at[1]), Math.max(3, p.radius * view.scale), 0, 7);
      g.globalAlpha = 0.25; g.fillStyle = theme.door; g.fill(); g.globalAlpha = 1;
      labels.push([p.name, p.at[0], p.at[1] + p.radius, theme.door]);
    }
    g.strokeStyle = theme.wall;
    g.lineWidth = Math.max(1.5, Math.min(4, 8 * view.scale));
    file.walls.forEach(stroke);
    g.strokeStyle = theme.door;
    g.lineWidth = Math.max(2.5, Math.min(5, 10 * view.scale));
    for (const d of file.doors) {
      stroke(d.line);
      labels.push([d.name, (d.line[0] + d.line[2]) / 2, Math.max(d.line[1], d.line[3]), theme.door]);
    }

    g.strokeStyle = theme.soft;
    g.lineWidth = 1.5;
    g.setLineDash([7, 6]);
    for (const x of rings.x || []) stroke([x, box.y0, x, box.y1]);
    for (const y of rings.y || []) stroke([box.x0, y, box.x1, y]);
    g.strokeStyle = theme.line;
    g.lineWidth = 2;
    g.setLineDash([5, 4]);
    for (const d of file.lines) {
      stroke(d.line);
      labels.push([d.name, (d.line[0] + d.line[2]) / 2, Math.max(d.line[1], d.line[3]), theme.line]);
    }
    g.setLineDash([]);

    g.save();
    if (closed) {
      const [x0, x1] = rings.x || [box.x, box.x + box.w], [y0, y1] = rings.y || [box.y, box.y + box.h];
      g.beginPath(); g.rect(X(x0), Y(y1), X(x1) - X(x0), Y(y0) - Y(y1)); g.clip();
    }
    // Everything within reach of a seam is seen on both sides of it.
    const images = (x, y, reach, f) => {
      const shifts = (axis, v) => {
        if (!rings[axis]) return [0];
        const [low, high] = rings[axis], length = high - low, back = home(axis, v) - v;
        const out = [back];
        if (v + back - low < reach) out.push(back + length);
        if (high - v - back < reach) out.push(back - length);
        return out;
      };
      for (const sx of shifts("x", x)) for (const sy of shifts("y", y)) f(sx, sy);
    };
    if (state.trails) {
      g.lineWidth = 1.2;
      g.globalAlpha = 0.4;
      for (const p of crowd.people) {
        if (!locate(crowd, p, state.t)) continue;
        const now = Math.min(p.x.length - 1, Math.floor(state.t / crowd.every_s) - p.start);
        const from = Math.max(0, now - Math.round(TRAIL_S / crowd.every_s));
        const far = { x: at.x, y: at.y };
        g.strokeStyle = colorOf(p);
        let reach = 0;
        for (let i = from; i <= now; i++) reach = Math.max(reach, Math.abs(p.x[i] - at.x), Math.abs(p.y[i] - at.y));
        images(far.x, far.y, reach, (sx, sy) => {
          g.beginPath();
          for (let i = from; i <= now; i++) g.lineTo(X(p.x[i] + sx), Y(p.y[i] + sy));
          g.lineTo(X(far.x + sx), Y(far.y + sy));
          g.stroke();
        });
      }
      g.globalAlpha = 1;
    }
    const hit = new Set(state.overlaps ? overlaps(crowd, state.t).flat() : []);
    for (const p of crowd.people) {
      if (!locate(crowd, p, state.t)) continue;
      there++;
      g.globalAlpha = at.alpha;
      const r = Math.max(1.5, p.radius * view.scale), color = colorOf(p);
      images(at.x, at.y, p.radius * 2, (sx, sy) => {
        const x = X(at.x + sx), y = Y(at.y + sy);
        if (marked.has(p.group)) {
          g.beginPath(); g.arc(x, y, r + 4, 0, 6.2832);
          g.strokeStyle = theme.ink; g.lineWidth = 2; g.stroke();
        }
        if (state.headings && !isNaN(at.heading)) {
          const c = Math.cos(at.heading) * r, n = -Math.sin(at.heading) * r;
          g.beginPath();
          g.moveTo(x + 1.4 * c, y + 1.4 * n);
          g.lineTo(x + 0.75 * c - 0.5 * n, y + 0.75 * n + 0.5 * c);
          g.lineTo(x + 0.75 * c + 0.5 * n, y + 0.75 * n - 0.5 * c);
          g.fillStyle = theme.ink;
          g.fill();
        }
        g.beginPath(); g.arc(x, y, r, 0, 6.2832);
        g.fillStyle = color;
        g.fill();
        if (r > 2.5) { g.strokeStyle = theme.edge; g.lineWidth = 0.8; g.stroke(); }
        if (hit.has(p)) {
          g.beginPath(); g.arc(x, y, r + 1, 0, 6.2832);
          g.strokeStyle = theme.clash; g.lineWidth = 3.5; g.stroke();
        }
      });
    }
    g.restore();
    if (state.names) drawLabels(g, labels, X, Y, view);
    drawScale(g, view);
    panel.held.textContent = past(crowd.caught_s || [], state.t);
    panel.clash.textContent = past(crowd.collided_s || [], state.t);
    panel.count.textContent = leaving ? outAt(crowd, state.t) : there;
  };

  // Pairs that overlap at a time, by a sweep from left to right.
  const overlaps = (crowd, t) => {
    const there = [], pairs = [];
    for (const p of crowd.people) if (locate(crowd, p, t)) there.push([home("x", at.x), home("y", at.y), p]);
    there.sort((a, b) => a[0] - b[0]);
    const widest = there.reduce((r, a) => Math.max(r, a[2].radius), 0);
    const meet = (a, b) => {
      const apart = Math.hypot(short("x", a[0] - b[0]), short("y", a[1] - b[1]));
      if (apart < a[2].radius + b[2].radius - OVERLAP_CM) pairs.push([a[2], b[2]]);
    };
    there.forEach((a, i) => {
      const reach = a[2].radius + widest;
      for (let k = i + 1; k < there.length && there[k][0] - a[0] < reach; k++) meet(a, there[k]);
      // On a ring the first ones are also beside the last ones.
      for (let k = 0; rings.x && k < i && there[k][0] + rings.x[1] - rings.x[0] - a[0] < reach; k++) meet(a, there[k]);
    });
    return pairs;
  };
  // Names above what they name, moved up until they are free of each other.
  const drawLabels = (g, labels, X, Y, view) => {
    g.font = "600 12px system-ui, sans-serif";
    g.textAlign = "center";
    g.textBaseline = "bottom";
    const taken = [];
    for (const [text, x, y, color] of labels) {
      if (!text) continue;
      const half = g.measureText(text).width / 2 + 4;
      const cx = Math.min(Math.max(X(x), half + 2), view.w - half - 2);
      let cy = Math.max(Y(y) - 5, 17);
      for (let k = 0; k < 8; k++) {
        const hit = taken.find((r) => Math.abs(r[0] - cx) < r[2] + half && Math.abs(r[1] - cy) < 17);
        if (!hit) break;
        cy = hit[1] - 17 > 16 ? hit[1] - 17 : hit[1] + 17;
      }
      taken.push([cx, cy, half]);
      g.strokeStyle = theme.floor;
      g.lineWidth = 4;
      g.strokeText(text, cx, cy);
      g.fillStyle = color;
      g.fillText(text, cx, cy);
    }
  };

  const drawScale = (g, view) => {
    const step = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 50000].find((s) => s * view.scale >= 46) || 100000;
    const x = 12, y = view.h - 11, w = step * view.scale;
    const text = step / 100 + " m";
    g.font = "12px system-ui, sans-serif";
    g.textAlign = "left";
    g.textBaseline = "middle";
    g.strokeStyle = g.fillStyle = theme.soft;
    g.lineWidth = 1.5;
    g.beginPath();
    g.moveTo(x, y - 4); g.lineTo(x, y); g.lineTo(x + w, y); g.lineTo(x + w, y - 4);
    g.stroke();
    g.fillText(text, x + w + 7, y - 1);
  };

  // People out over time, or how fast they are; the scrubber lies on it.
  const curve = {};
  const speeds = leaving ? [] : file.crowds.map((c) => {
    const sum = new Float64Array(c.frames), n = new Float64Array(c.frames);
    for (const p of c.people) {
      for (let i = 1; i < p.x.length; i++) {
        sum[p.start + i] += Math.hypot(p.x[i] - p.x[i - 1], p.y[i] - p.y[i - 1]) / 100 / c.every_s;
        n[p.start + i]++;
      }
    }
    // Half a second on each side smooths the rounding to centimeters.
    const w = Math.max(1, Math.round(0.5 / c.every_s));
    return Array.from(sum, (_, i) => {
      let a = 0, b = 0;
      for (let k = Math.max(1, i - w); k <= Math.min(c.frames - 1, i + w); k++) { a += sum[k]; b += n[k]; }
      return b ? a / b : 0;
    });
  });
  const speedAt = (k, t) => speeds[k][Math.min(speeds[k].length - 1, Math.round(t / file.crowds[k].every_s))] || 0;
  const drawCurve = () => {
    const canvas = $("curve"), view = curve.view, g = canvas.getContext("2d");
    const left = 44, right = 16, top = 12, bottom = 24;
    const total = leaving ? Math.max(1, ...file.crowds.map((c) => c.total))
      : Math.max(0.5, Math.ceil(2 * Math.max(0, ...speeds.map((v) => v.reduce((a, b) => Math.max(a, b), 0)))) / 2);
    const X = (t) => left + (view.w - left - right) * t / end;
    const Y = (n) => view.h - bottom - (view.h - top - bottom) * n / total;
    g.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    g.clearRect(0, 0, view.w, view.h);
    g.font = "11.5px system-ui, sans-serif";
    g.fillStyle = theme.soft;
    g.strokeStyle = theme.rule;
    g.lineWidth = 1;
    g.textAlign = "right";
    g.textBaseline = "middle";
    for (const n of [0, total]) {
      g.beginPath(); g.moveTo(left, Y(n)); g.lineTo(view.w - right, Y(n)); g.stroke();
      g.fillText(String(n), left - 6, Y(n));
    }
    g.save();
    g.translate(11, (top + view.h - bottom) / 2);
    g.rotate(-Math.PI / 2);
    g.textAlign = "center";
    g.fillText(leaving ? "people out" : "speed (m/s)", 0, 0);
    g.restore();
    const step = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600].find((s) => (end / s) * 58 <= view.w - left - right) || 7200;
    g.textAlign = "center";
    g.textBaseline = "top";
    for (let t = 0; t <= end + 1e-9; t += step) {
      g.beginPath(); g.moveTo(X(t), view.h - bottom); g.lineTo(X(t), view.h - bottom + 4); g.stroke();
      if (X(t) < view.w - 12) g.fillText(t + (t === 0 ? " s" : ""), X(t), view.h - bottom + 7);
    }
    file.crowds.forEach((c, i) => {
      g.strokeStyle = markOf(i);
      g.lineWidth = 2;
      g.beginPath();
      if (!leaving) {
        speeds[i].forEach((v, k) => g.lineTo(X(k * c.every_s), Y(v)));
        g.stroke();
        return;
      }
      g.moveTo(X(0), Y(0));
      c.left_s.forEach((t, k) => { g.lineTo(X(t), Y(k)); g.lineTo(X(t), Y(k + 1)); });
      g.lineTo(X(Math.max(c.end, c.left_s[c.left_s.length - 1] || 0)), Y(c.left_s.length));
      g.stroke();
    });
    g.strokeStyle = theme.ink;
    g.lineWidth = 1.5;
    g.beginPath(); g.moveTo(X(state.t), top - 7); g.lineTo(X(state.t), view.h - bottom); g.stroke();
    g.fillStyle = theme.ink;
    g.beginPath(); g.arc(X(state.t), top - 5, 5, 0, 7); g.fill();
    file.crowds.forEach((c, i) => {
      g.fillStyle = markOf(i);
      g.strokeStyle = theme.card;
      g.lineWidth = 1.5;
      g.beginPath(); g.arc(X(state.t), Y(leaving ? outAt(c, state.t) : speedAt(i, state.t)), 4.5, 0, 7); g.fill(); g.stroke();
    });
  };

  const draw = () => {
    panels.forEach(drawPanel);
    drawCurve();
    $("time").innerHTML = "";
    const total = document.createElement("small");
    total.textContent = " / " + end.toFixed(1) + " s";
    $("time").append(state.t.toFixed(1) + " s", total);
    $("scrub").value = String(state.t);
    $("scrub").setAttribute("aria-valuetext", state.t.toFixed(1) + " seconds, "
      + file.crowds.map((c, i) => c.label + ": " + (leaving ? outAt(c, state.t) + " of " + c.total + " people out"
        : speedAt(i, state.t).toFixed(2) + " m/s")).join(", "));
  };

  const legend = () => {
    const box = $("legend");
    box.textContent = "";
    if (state.color === "speed") {
      const bar = document.createElement("span");
      bar.className = "ramp";
      bar.style.background = "linear-gradient(90deg," + RAMP.map((c) => "rgb(" + c.join(",") + ")").join(",") + ")";
      box.append("0", bar, topSpeed + " m/s");
    } else if (file.groups.length > 1) {
      file.groups.forEach((name, i) => {
        const key = document.createElement("span"), dot = document.createElement("span");
        key.className = "key";
        dot.className = marked.has(i) ? "dot marked" : "dot";
        dot.style.background = GROUPS[i % GROUPS.length];
        key.append(dot, name);
        box.append(key);
      });
    }
    const mark = (name, color) => {
      const key = document.createElement("span"), line = document.createElement("span");
      key.className = "key";
      line.className = "dash";
      line.style.borderTopColor = "var(--" + color + ")";
      key.append(line, name);
      box.append(key);
    };
    if (file.lines.length) mark("line to measure at", "line");
    if (file.areas.length) mark("area to measure in", "area");
    if (state.overlaps) {
      const key = document.createElement("span"), dot = document.createElement("span");
      key.className = "key";
      dot.className = "dot clash";
      key.append(dot, "bodies overlap by more than " + OVERLAP_CM + " cm now");
      box.append(key);
    }
    if (file.crowds.some((c) => c.collided_s)) box.append("A collision begins when two bodies overlap by more than 1 mm, as in the table.");
    if (closed) mark("seam: the place goes on at the other side", "soft");
  };

  let before = 0;
  const tick = (now) => {
    if (!state.playing) return;
    state.t = Math.min(end, state.t + Math.min(0.1, (now - before) / 1000) * state.speed);
    before = now;
    if (state.t >= end) setPlaying(false);
    draw();
    requestAnimationFrame(tick);
  };
  const setPlaying = (on) => {
    if (on && state.t >= end) state.t = 0;
    const start = on && !state.playing;
    state.playing = on;
    $("play").classList.toggle("on", on);
    $("play").setAttribute("aria-label", on ? "Pause" : "Play");
    if (start) requestAnimationFrame((now) => { before = now; tick(now); });
  };
  const seek = (t) => { state.t = Math.max(0, Math.min(end, t)); draw(); };
  const setSpeed = (value) => { state.speed = Number(value); $("speed").value = String(value); };

  $("play").addEventListener("click", () => setPlaying(!state.playing));
  $("scrub").max = String(end);
  $("scrub").addEventListener("input", (e) => seek(Number(e.target.value)));
  $("speed").addEventListener("change", (e) => setSpeed(e.target.value));
  $("color").addEventListener("change", (e) => { state.color = e.target.value; legend(); draw(); });
  $("trails").addEventListener("change", (e) => { state.trails = e.target.checked; draw(); });
  $("headings").addEventListener("change", (e) => { state.headings = e.target.checked; draw(); });
  $("overlaps").addEventListener("change", (e) => { state.overlaps = e.target.checked; legend(); draw(); });
  $("names").addEventListener("change", (e) => { state.names = e.target.checked; draw(); });
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const tag = e.target.tagName;
    if (tag === "SELECT" || (e.key === " " && (tag === "BUTTON" || e.target.type === "checkbox"))) return;
    const choices = [...$("speed").options].map((o) => o.value);
    const now = choices.indexOf(String(state.speed));
    const act = {
      " ": () => setPlaying(!state.playing),
      ArrowLeft: () => seek(state.t - (e.shiftKey ? 10 : 1)),
      ArrowRight: () => seek(state.t + (e.shiftKey ? 10 : 1)),
      ArrowUp: () => setSpeed(choices[Math.min(choices.length - 1, now + 1)]),
      ArrowDown: () => setSpeed(choices[Math.max(0, now - 1)]),
      Home: () => seek(0),
      End: () => seek(end),
    }[e.key];
    if (act) { e.preventDefault(); act(); }
  });

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readTheme(); draw(); });
  let width = 0, height = 0;
  const resized = () => {
    if (window.innerWidth === width && window.innerHeight === height) return;
    width = window.innerWidth; height = window.innerHeight;
    layout();
  };
  window.addEventListener("resize", resized);
  $("curve").setAttribute("aria-label", (leaving ? "People out" : "Mean speed") + " over time");

  readTheme();
  $("names").checked = state.names;
  $("overlaps").checked = state.overlaps;
  setSpeed([1, 2, 4].find((s) => end / s <= 30) || 4);
  legend();
  resized();
  // An address that ends in #t=12 opens the page at that second and stands still.
  const moment = /[#&]t=([0-9.]+)/.exec(location.hash);
  if (moment) seek(Number(moment[1]));
  else if (!matchMedia("(prefers-reduced-motion: reduce)").matches) setPlaying(true);
})();
