// The charts of a report: hover shows a candidate, a click plays its crowd, what is brushed in one is marked in all.
const Charts = (() => {
  const HEIGHT = 300, NEAR_PX = 26;
  let root, data, on, candidates = [], byId = new Map(), charts = [], chosen = null, focused = null, tip, live, status;

  const html = (name, text, className) => Player.element(name, text, className);
  const number = (v) => Player.number(v);
  const interval = ([v, low, high]) => number(v) + (low === null || high === null ? "" : " [" + number(low) + ", " + number(high) + "]");
  const unit = (text) => (text ? " " + text : "");
  const valueOf = (gene, x) => (gene.choices.length ? gene.choices[Math.round(x)] ?? number(x) : number(x) + unit(gene.unit));

  // The values of a candidate as the simulator has them.
  const values = (genes) => data.genes.map((gene, k) => (gene.choices.length ? written(gene.choices[Math.round(genes[k])]) : genes[k]));
  const written = (word) => (word.startsWith('"') ? JSON.parse(word) : word === "true" ? true : word === "false" ? false : word !== "" && isFinite(word) ? Number(word) : word);

  const better = (a, b) => a.violation - b.violation || a.objectives[0] - b.objectives[0];
  const loss = (c) => (c.failed === null && c.objectives.length ? c.objectives[0] : null);

  const describe = (c) => {
    const lines = [c.label];
    if (c.failed !== null && c.failed !== undefined) lines.push("failed: " + c.failed);
    (c.objectives ?? []).forEach((v, k) => lines.push((data.objectives[k]?.name ?? "loss") + " " + number(v)));
    if (c.violation > 0) lines.push("misses a must by " + number(c.violation));
    (c.extra ?? []).forEach((line) => lines.push(line));
    if (c.genes) data.genes.forEach((gene, k) => lines.push(gene.label + " " + valueOf(gene, c.genes[k])));
    return lines;
  };

  // The box beside the pointer, and the same words for those who do not see it.
  const point = (c, x, y, aloud) => {
    on.hover?.(c);
    if (!c) { tip.hidden = true; charts.forEach((chart) => chart.mark?.(null)); return; }
    tip.replaceChildren(...describe(c).map((line, i) => html(i ? "div" : "strong", line)));
    if (c.genes && c.failed === null) tip.append(html("small", "click or Enter plays its crowd"));
    tip.hidden = false;
    const box = tip.getBoundingClientRect(), room = document.documentElement.clientWidth;
    tip.style.left = Math.max(6, Math.min(x + 14, room - box.width - 6)) + window.scrollX + "px";
    tip.style.top = (y + 18 + box.height > window.innerHeight ? Math.max(6, y - box.height - 12) : y + 18) + window.scrollY + "px";
    charts.forEach((chart) => chart.mark?.(c.id));
    if (aloud) live.textContent = describe(c).slice(0, 4).join(", ");
  };
  const pick = (c) => { if (c && c.genes && c.failed === null) on.pick({ ...c, values: values(c.genes) }); };

  const select = (ids) => {
    chosen = ids;
    status.hidden = !ids;
    if (ids) status.firstChild.textContent = ids.size + " of " + candidates.length + " candidates are marked in all charts. ";
    charts.forEach((chart) => chart.fade?.());
  };
  const faded = (c) => chosen && !chosen.has(c.id);

  // A chart: its title, what it says, its picture, and the same as a table.
  const chart = (name, title, caption, draw, table) => {
    const box = html("section", undefined, "chart"), picture = html("div", undefined, "picture");
    box.dataset.chart = name;
    const head = html("h3", title);
    head.id = "chart-" + name;
    box.setAttribute("aria-labelledby", head.id);
    box.append(head, html("p", caption, "note"), picture);
    const rows = table();
    if (rows.length > 1) {
      const details = html("details"), scroll = html("div", undefined, "card");
      const list = html("table"), top = html("tr"), body = html("tbody"), thead = html("thead");
      scroll.tabIndex = 0;
      scroll.setAttribute("role", "region");
      scroll.setAttribute("aria-label", title + " as a table");
      rows[0].forEach((text) => { const th = html("th", text); th.scope = "col"; top.append(th); });
      rows.slice(1).forEach((row) => { const tr = html("tr"); row.forEach((cell) => tr.append(html("td", String(cell)))); body.append(tr); });
      thead.append(top);
      list.append(thead, body);
      scroll.append(list);
      details.append(html("summary", "As a table"), scroll);
      box.append(details);
    }
    const self = { name, box, picture, draw: () => { picture.replaceChildren(); Object.assign(self, draw(picture, self)); self.fade?.(); } };
    charts.push(self);
    return self;
  };

  const canvas = (picture, height, least = 300) => {
    const w = Math.max(least, picture.clientWidth || 600);
    const svg = d3.select(picture).append("svg").attr("width", w).attr("height", height).attr("viewBox", "0 0 " + w + " " + height);
    return { svg, w, h: height };
  };
  const axis = (g, made, x, y) => g.append("g").attr("class", "axis").attr("transform", "translate(" + x + "," + y + ")").call(made);
  const words = (g, text, x, y, anchor = "middle", className = "words") => g.append("text").attr("class", className).attr("x", x).attr("y", y).attr("text-anchor", anchor).text(text);

  // Ends of an axis with a little room; logarithmic where values span a lot.
  const scaleOf = (list, range, log) => {
    const low = Math.min(...list), high = Math.max(...list), flat = high === low ? Math.abs(high) || 1 : 0;
    if (log ?? (low > 0 && high / low > 30)) return d3.scaleLog().domain([low / 1.1, high * 1.1]).range(range);
    const pad = flat ? 0.5 * flat : 0.05 * (high - low);
    return d3.scaleLinear().domain([low - pad, high + pad]).range(range);
  };
  const ticks = (made, scale, n) => (scale.base ? made.ticks(n, "~g") : made.ticks(n));

  // Pointer and keys over points { c, x, y }: the nearest one is told, and played on click; arrows walk from one to the next.
  const explore = (picture, svg, points, title) => {
    picture.tabIndex = 0;
    picture.dataset.keys = "";
    picture.setAttribute("role", "application");
    picture.setAttribute("aria-label", title + ": arrow keys go from candidate to candidate, Enter plays the crowd, Escape clears");
    const near = (event) => {
      const [x, y] = d3.pointer(event, svg.node());
      let best = null, least = NEAR_PX ** 2;
      for (const p of points) {
        const d = (p.x - x) ** 2 + (p.y - y) ** 2;
        if (d < least) { least = d; best = p; }
      }
      return best;
    };
    svg.on("pointermove", (e) => { if (e.buttons) return; const p = near(e); point(p?.c ?? null, e.clientX, e.clientY); });
    svg.on("pointerleave", () => point(null));
    svg.on("click", (e) => { if (!e.defaultPrevented) pick(near(e)?.c); });
    const order = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
    let at = -1;
    picture.onkeydown = (e) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[e.key];
      if (step && order.length) {
        at = Math.max(0, Math.min(order.length - 1, at + step));
        const box = svg.node().getBoundingClientRect(), p = order[at];
        point(p.c, box.left + p.x, box.top + p.y, true);
      } else if (e.key === "Enter" && at >= 0) pick(order[at].c);
      else if (e.key === "Escape") { select(null); point(null); } else return;
      e.preventDefault();
    };
    picture.onblur = () => point(null);
  };

  // ----- the charts

  const losses = (k) => {
    const named = data.objectives[k]?.name ?? "loss", rows = candidates.filter((c) => c.place !== undefined);
    const caption = "Every candidate as the search saw it, the best so far as a line" + (data.objectives[k]?.default != null ? ", the " + data.defaults + " on fresh seeds dashed" : "")
      + ". Rings miss a must, crosses failed. Drag a box to mark candidates." + thinned();
    chart("loss" + (k || ""), "Loss over evaluations" + (data.objectives.length > 1 ? ": " + named : ""), caption, (picture, self) => {
      const { svg, w, h } = canvas(picture, HEIGHT), left = 56, right = 14, top = 22, bottom = 40;
      const seen = rows.filter((c) => c.failed === null && c.objectives.length), level = data.objectives[k]?.default;
      if (!seen.length) return {};
      const X = d3.scaleLinear().domain([0, data.trials.of + 1]).range([left, w - right]);
      const Y = scaleOf([...seen.map((c) => c.objectives[k]), ...(level != null ? [level] : [])], [h - bottom, top + 14]);
      axis(svg, d3.axisBottom(X).ticks(Math.max(3, w / 110)), 0, h - bottom);
      axis(svg, ticks(d3.axisLeft(Y), Y, 5), left, 0);
      words(svg, "evaluation", (left + w - right) / 2, h - 6);
      words(svg, named + (Y.base ? ", logarithmic" : ""), left, 14, "start");
      const layer = svg.append("g");
      const points = rows.map((c) => ({ c, x: X(c.place), y: c.failed === null && c.objectives.length ? Y(c.objectives[k]) : top + 4 }));
      const marks = layer.selectAll("path").data(points).join("path")
        .attr("class", (p) => "dot " + (p.c.failed !== null ? "failed" : p.c.violation > 0 ? "missed" : "done"))
        .attr("d", (p) => (p.c.failed !== null ? "M-3,-3L3,3M-3,3L3,-3" : "M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0"))
        .attr("transform", (p) => "translate(" + p.x.toFixed(1) + "," + p.y.toFixed(1) + ")");
      let best = null;
      const line = points.filter((p) => p.c.failed === null && p.c.objectives.length).flatMap((p) => {
        const key = [p.c.violation, p.c.objectives[k]];
        if (best && (key[0] > best[0] || (key[0] === best[0] && key[1] >= best[1]))) return [];
        best = key;
        return [[p.x, p.y]];
      });
      if (line.length) svg.append("path").attr("class", "best").attr("d", d3.line().curve(d3.curveStepAfter)([...line, [X(data.trials.of), line[line.length - 1][1]]]));
      if (level != null) {
        svg.append("line").attr("class", "defaults").attr("x1", left).attr("x2", w - right).attr("y1", Y(level)).attr("y2", Y(level));
        words(svg, data.defaults + " " + number(level), w - right, Y(level) - 5, "end", "words d");
      }
      const ring = svg.append("circle").attr("class", "ring").attr("r", 7).attr("visibility", "hidden");
      const box = d3.brush().extent([[left, top], [w - right, h - bottom]]).on("end", (e) => {
        if (!e.sourceEvent) return;
        if (!e.selection) { select(null); return; }
        const [[x0, y0], [x1, y1]] = e.selection;
        select(new Set(points.filter((p) => p.x >= x0 && p.x <= x1 && p.y >= y0 && p.y <= y1).map((p) => p.c.id)));
      });
      const brushed = svg.append("g").attr("class", "brush").call(box);
      explore(picture, svg, points, self.box.querySelector("h3").textContent);
      return {
        mark: (id) => { const p = points.find((q) => q.c.id === id); ring.attr("visibility", p ? "visible" : "hidden"); if (p) ring.attr("cx", p.x).attr("cy", p.y); },
        fade: () => { marks.classed("faded", (p) => faded(p.c)); if (!chosen) brushed.call(box.move, null); },
      };
    }, () => tableOf(rows));
  };

  const thinned = () => (data.trials.rows.length < data.trials.of ? " " + data.trials.rows.length + " of " + data.trials.of + " candidates are drawn: every improvement, the best 500, and some of the rest." : "");

  const tableOf = (rows) => [
    ["candidate", ...data.objectives.map((o) => o.name), ...data.genes.map((g) => g.label + unit(g.unit))],
    ...rows.filter((c) => c.failed === null && c.genes).sort(better).slice(0, 10).map((c) => [c.label, ...c.objectives.map(number), ...c.genes.map((x, k) => valueOf(data.genes[k], x))]),
  ];

  const RAMP = [[48, 112, 190], [86, 178, 155], [190, 203, 88], [249, 178, 51], [214, 69, 48]];
  const color = (share) => {
    const s = Math.max(0, Math.min(0.9999, share)) * (RAMP.length - 1), i = Math.floor(s);
    return "rgb(" + RAMP[i].map((a, k) => Math.round(a + (RAMP[i + 1][k] - a) * (s - i))).join(",") + ")";
  };

  const parallel = () => {
    const front = data.front?.points.map((p) => byId.get(p.id)).filter(Boolean);
    const done = candidates.filter((c) => c.failed === null && c.genes && c.place !== undefined).sort(better);
    const rows = front?.length ? front : done.slice(0, Math.min(400, Math.max(10, done.length)));
    if (!data.genes.length || !rows.length) return;
    const caption = "A line for each of " + (front?.length ? "the compromises" : rows.length === done.length ? "the candidates" : "the best " + rows.length + " candidates")
      + " across all parameters; blue lines have the smallest losses, red ones the largest. Drag along an axis to keep the lines that pass there; click on it to let go.";
    chart("parallel", "Parameters of the candidates", caption, (picture, self) => {
      const gap = 112, least = Math.max(300, 2 * 64 + gap * (data.genes.length - 1)), { svg, w, h } = canvas(picture, HEIGHT + 30, least);
      const top = 66, bottom = 34, X = d3.scalePoint().domain(data.genes.map((_, k) => k)).range([64, w - 64]);
      const Y = data.genes.map((g) => (g.log && g.low > 0 ? d3.scaleLog() : d3.scaleLinear()).domain(g.low < g.high ? [g.low, g.high] : [g.low - 1, g.high + 1]).range([h - bottom, top]));
      // By rank: a few bad candidates would leave one color for all others.
      const rank = new Map([...rows].sort((a, b) => (loss(a) ?? 0) - (loss(b) ?? 0)).map((c, i, all) => [c.id, all.length > 1 ? i / (all.length - 1) : 0]));
      const way = (genes) => "M" + genes.map((x, k) => X(k).toFixed(1) + "," + Math.max(top, Math.min(h - bottom, Y[k](x))).toFixed(1)).join("L");
      const lines = svg.append("g").selectAll("path").data([...rows].reverse()).join("path").attr("class", "way").attr("d", (c) => way(c.genes)).attr("stroke", (c) => color(rank.get(c.id)));
      svg.append("path").attr("class", "defaults").attr("d", way(data.genes.map((g) => g.default)));
      svg.append("path").attr("class", "chosen").attr("d", way(data.genes.map((g) => g.tuned)));
      const hover = svg.append("path").attr("class", "hover").attr("visibility", "hidden");
      const limits = new Map();
      const apply = () => select(limits.size ? new Set(rows.filter((c) => [...limits].every(([k, [a, b]]) => c.genes[k] >= a && c.genes[k] <= b)).map((c) => c.id)) : null);
      data.genes.forEach((gene, k) => {
        const g = svg.append("g").attr("transform", "translate(" + X(k) + ",0)");
        g.append("line").attr("class", "upright").attr("y1", top).attr("y2", h - bottom);
        // Long names in two lines at an underscore.
        const parts = gene.label.length > 16 ? split(gene.label) : [gene.label];
        parts.forEach((part, i) => words(g, part, 0, top - 26 - 15 * (parts.length - 1 - i), "middle", "words name"));
        words(g, valueOf(gene, gene.high), 0, top - 8);
        words(g, valueOf(gene, gene.low), 0, h - bottom + 18);
        const box = d3.brushY().extent([[-14, top], [14, h - bottom]]).on("end", (e) => {
          if (!e.sourceEvent) return;
          if (e.selection) limits.set(k, [Y[k].invert(e.selection[1]), Y[k].invert(e.selection[0])]); else limits.delete(k);
          apply();
        });
        g.append("g").attr("class", "brush").call(box);
        g.node().box = box;
      });
      const points = rows.flatMap((c) => c.genes.map((x, k) => ({ c, x: X(k), y: Y[k](x) })));
      // Between two axes the line counts, not its ends.
      const between = (event) => {
        const [x, y] = d3.pointer(event, svg.node());
        let best = null, least = 12;
        for (const c of rows) {
          if (faded(c)) continue;
          for (let k = 0; k + 1 < data.genes.length || (k === 0 && data.genes.length === 1); k++) {
            const x0 = X(k), x1 = X(Math.min(k + 1, data.genes.length - 1));
            if (x < x0 - 8 || x > x1 + 8) continue;
            const u = x1 > x0 ? Math.max(0, Math.min(1, (x - x0) / (x1 - x0))) : 0, d = Math.abs(y - (Y[k](c.genes[k]) * (1 - u) + (u ? Y[k + 1](c.genes[k + 1]) * u : 0)));
            if (d < least) { least = d; best = c; }
          }
        }
        return best;
      };
      explore(picture, svg, rows.map((c) => ({ c, x: X(0), y: Y[0](c.genes[0]) })), self.box.querySelector("h3").textContent);
      svg.on("pointermove", (e) => { if (!e.buttons) point(between(e), e.clientX, e.clientY); });
      svg.on("click", (e) => { if (!e.defaultPrevented) pick(between(e)); });
      return {
        points,
        mark: (id) => { const c = rows.find((r) => r.id === id); hover.attr("visibility", c ? "visible" : "hidden"); if (c) hover.attr("d", way(c.genes)); },
        fade: () => {
          lines.classed("faded", faded);
          if (!chosen && limits.size) { limits.clear(); svg.selectAll("g").each(function () { if (this.box) d3.select(this).select(".brush").call(this.box.move, null); }); }
        },
      };
    }, () => tableOf(rows));
  };
  const convergence = () => {
    const rows = candidates.filter((c) => c.failed === null && c.genes && c.place !== undefined);
    if (!data.genes.length || rows.length < 2) return;
    const caption = "Where the search looked: the values of every candidate, parameter by parameter, the best so far as a line, the " + data.defaults + " dashed. A cloud that narrows has settled." + thinned();
    chart("convergence", "Parameters over evaluations", caption, (picture, self) => {
      const whole = Math.max(300, picture.clientWidth || 600), columns = Math.max(1, Math.floor(whole / 300)), w = whole / columns, height = 180;
      const { svg } = canvas(picture, height * Math.ceil(data.genes.length / columns));
      const order = [...rows].sort((a, b) => a.place - b.place), best = [];
      for (const c of order) if (!best.length || better(c, best[best.length - 1]) < 0) best.push(c);
      const points = [], rings = [];
      data.genes.forEach((gene, k) => {
        const g = svg.append("g"), x0 = (k % columns) * w, y0 = Math.floor(k / columns) * height;
        const X = d3.scaleLinear().domain([0, data.trials.of + 1]).range([x0 + 58, x0 + w - 16]);
        const Y = (gene.log && gene.low > 0 ? d3.scaleLog() : d3.scaleLinear()).domain(gene.low < gene.high ? [gene.low, gene.high] : [gene.low - 1, gene.high + 1]).range([y0 + height - 34, y0 + 28]);
        words(g, gene.label + (gene.unit ? " (" + gene.unit + ")" : ""), x0 + 58, y0 + 16, "start", "words name").call(cut, w - 76);
        axis(g, d3.axisBottom(X).ticks(4).tickSize(4), 0, y0 + height - 34);
        if (gene.choices.length) gene.choices.forEach((choice, at) => words(g, String(choice), x0 + 52, Y(at) + 4, "end").call(cut, 50));
        else axis(g, Y.base ? d3.axisLeft(Y).ticks(3, "~g") : d3.axisLeft(Y).ticks(4), x0 + 58, 0);
        rows.forEach((c) => points.push({ c, x: X(c.place), y: Y(c.genes[k]) }));
        const way = best.map((c) => [X(c.place), Y(c.genes[k])]);
        g.append("line").attr("class", "defaults").attr("x1", x0 + 58).attr("x2", x0 + w - 16).attr("y1", Y(gene.default)).attr("y2", Y(gene.default));
        g.append("path").attr("class", "best").attr("d", d3.line().curve(d3.curveStepAfter)([...way, [X(data.trials.of), way[way.length - 1][1]]]));
      });
      const marks = svg.insert("g", ":first-child").selectAll("circle").data(points).join("circle").attr("class", "dot done").attr("r", 2.2).attr("cx", (p) => p.x.toFixed(1)).attr("cy", (p) => p.y.toFixed(1));
      data.genes.forEach(() => rings.push(svg.append("circle").attr("class", "ring").attr("r", 6).attr("visibility", "hidden")));
      explore(picture, svg, points, self.box.querySelector("h3").textContent);
      return {
        mark: (id) => { const here = id === null ? [] : points.filter((p) => p.c.id === id); rings.forEach((ring, k) => { ring.attr("visibility", here[k] ? "visible" : "hidden"); if (here[k]) ring.attr("cx", here[k].x).attr("cy", here[k].y); }); },
        fade: () => marks.classed("faded", (p) => faded(p.c)),
      };
    }, () => tableOf(rows));
  };
  const split = (name) => {
    const at = [...name].map((c, i) => (c === "_" || c === "." ? i : -1)).filter((i) => i > 0).sort((a, b) => Math.abs(a - name.length / 2) - Math.abs(b - name.length / 2))[0];
    return at ? [name.slice(0, at + 1), name.slice(at + 1)] : [name];
  };

  const targets = () => {
    const rows = data.targets.filter((t) => t.default[0] !== null || t.tuned[0] !== null);
    if (!rows.length) return;
    chart("targets", "Targets on every fresh seed", "A dot for each fresh seed: " + data.defaults + " above, tuned below; a bar for the mean with its 95 % interval. Green is what is wanted; each row has its own scale.", (picture) => {
      const row = 76, { svg, w, h } = canvas(picture, row * rows.length + 10), narrow = w < 620, left = narrow ? 12 : 200, right = w - 16;
      rows.forEach((t, i) => {
        const g = svg.append("g").attr("transform", "translate(0," + row * i + ")"), [low, high] = t.band;
        const all = [...t.seeds.flat(), ...t.default, ...t.tuned, low, high].filter((v) => v !== null);
        const X = scaleOf(all, [left, right], false);
        words(g, t.name + (t.unit ? " (" + t.unit + ")" : ""), narrow ? left : 12, narrow ? 13 : 28, "start", "words name");
        if (!narrow) words(g, (t.wanted || "measured only") + (t.must ? ", must" : ""), 12, 45, "start", "words soft").call(cut, left - 24);
        if (low !== null || high !== null) {
          const a = low === null ? left : X(low), b = high === null ? right : X(high);
          g.append("rect").attr("class", "band").attr("x", Math.min(a, b)).attr("y", 18).attr("width", Math.max(1, b - a)).attr("height", 34);
          [low, high].filter((v) => v !== null).forEach((v) => g.append("line").attr("class", "edge").attr("x1", X(v)).attr("x2", X(v)).attr("y1", 18).attr("y2", 52));
        }
        axis(g, d3.axisBottom(X).ticks(Math.max(3, (right - left) / 110)).tickSize(4), 0, 54);
        [["d", t.default, 27], ["t", t.tuned, 43]].forEach(([kind, figure, y], side) => {
          t.seeds[side].forEach((v, n) => {
            const x = X(v), jitter = ((n * 7) % 5 - 2) * 1.5;
            g.append("path").attr("class", "seed " + kind).attr("d", side ? "M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0" : "M0,-3.6L3.6,0L0,3.6L-3.6,0Z").attr("transform", "translate(" + x + "," + (y + jitter) + ")");
          });
          if (figure[0] === null) return;
          if (figure[1] !== null && figure[2] !== null) g.append("line").attr("class", "mean " + kind).attr("x1", X(figure[1])).attr("x2", X(figure[2])).attr("y1", y).attr("y2", y);
          g.append("line").attr("class", "mean " + kind).attr("x1", X(figure[0])).attr("x2", X(figure[0])).attr("y1", y - 8).attr("y2", y + 8);
        });
      });
      return {};
    }, () => [["target", "wanted", data.defaults, "tuned"], ...rows.map((t) => [t.name + unit(t.unit), t.wanted || "measured only", interval(t.default), interval(t.tuned)])]);
  };
  // Words that are too long for their room end in dots; all of them are in the table.
  const cut = (text, room) => text.each(function () {
    const whole = this.textContent;
    for (let n = whole.length; n > 3 && this.getComputedTextLength() > room; n--) this.textContent = whole.slice(0, n - 1) + "\u2026";
  });

  const front = () => {
    if (!data.front || data.front.axes.length < 2) return;
    const { axes, points } = data.front, pairs = axes.length === 2 ? [[0, 1]] : [[0, 1], [0, 2], [1, 2]];
    pairs.forEach(([a, b]) => {
      const title = "Compromises" + (pairs.length > 1 ? ": " + axes[a].words + " and " + axes[b].words : "");
      const caption = "Where one wish gains, another loses. Filled points stayed on the front on fresh seeds, hollow ones did not or were not checked; a star is the recommendation. Click plays the crowd.";
      chart("front" + (pairs.length > 1 ? "-" + a + b : ""), title, caption, (picture, self) => {
        const { svg, w, h } = canvas(picture, 380), left = 62, right = 18, top = 28, bottom = 46;
        const shown = points.filter((p) => p.values[a][0] !== null && p.values[b][0] !== null);
        const X = scaleOf(shown.map((p) => p.values[a][0]), [left, w - right]), Y = scaleOf(shown.map((p) => p.values[b][0]), [h - bottom, top]);
        axis(svg, ticks(d3.axisBottom(X), X, Math.max(3, w / 110)), 0, h - bottom);
        axis(svg, ticks(d3.axisLeft(Y), Y, 6), left, 0);
        words(svg, axes[a].words + (axes[a].more ? " (more is better)" : ""), (left + w - right) / 2, h - 8);
        words(svg, axes[b].words + (axes[b].more ? " (more is better)" : ""), left, 16, "start");
        // An interval may reach 0, which a logarithmic axis does not have.
        const inside = (v, scale) => { const [low, high] = scale.domain(); return scale(Math.max(low, Math.min(high, v))); };
        for (const p of shown) {
          if (p.values[a][1] !== null) svg.append("line").attr("class", "whisker").attr("x1", inside(p.values[a][1], X)).attr("x2", inside(p.values[a][2], X)).attr("y1", Y(p.values[b][0])).attr("y2", Y(p.values[b][0]));
          if (p.values[b][1] !== null) svg.append("line").attr("class", "whisker").attr("y1", inside(p.values[b][1], Y)).attr("y2", inside(p.values[b][2], Y)).attr("x1", X(p.values[a][0])).attr("x2", X(p.values[a][0]));
        }
        const placed = shown.map((p) => ({ c: candidate(p), p, x: X(p.values[a][0]), y: Y(p.values[b][0]) }));
        const star = "M0,-9L2.6,-3L9,-2.8L4,1.4L5.6,8L0,4.4L-5.6,8L-4,1.4L-9,-2.8L-2.6,-3Z", disc = "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0";
        const marks = svg.append("g").selectAll("path").data(placed).join("path").attr("class", (q) => "member " + (q.p.recommended ? "pick" : q.p.standing === "on the front" ? "on" : "off"))
          .attr("d", (q) => (q.p.recommended ? star : disc)).attr("transform", (q) => "translate(" + q.x + "," + q.y + ")");
        const ring = svg.append("circle").attr("class", "ring").attr("r", 11).attr("visibility", "hidden");
        explore(picture, svg, placed, title);
        return {
          mark: (id) => { const q = placed.find((r) => r.c.id === id); ring.attr("visibility", q ? "visible" : "hidden"); if (q) ring.attr("cx", q.x).attr("cy", q.y); },
          fade: () => marks.classed("faded", (q) => faded(q.c)),
        };
      }, () => [["point", ...axes.map((x) => x.words), "standing"], ...points.map((p) => ["trial " + p.id + (p.recommended ? ", recommended" : ""), ...p.values.map(interval), p.standing])]);
    });
  };
  const candidate = (p) => ({
    id: p.id, label: "trial " + p.id + (p.recommended ? ", recommended" : ""), genes: p.genes, objectives: [], violation: 0, failed: null,
    extra: [...data.front.axes.map((x, k) => x.words + " " + interval(p.values[k])), p.standing],
  });

  const atlas = () => {
    const map = data.atlas;
    if (!map || !map.axes.length || map.axes.length > 2) return;
    const [ax, ay] = [map.axes[0], map.axes[1] ?? { name: "", unit: "", low: 0, high: 1, cells: 1 }];
    const caption = map.cells.length + " of " + map.total + " cells have a crowd" + (map.graded ? "; blue is a small loss" : "") + ". Hover shows its values, a click plays it.";
    chart("atlas", "Atlas of behaviors", caption, (picture, self) => {
      const { svg, w, h } = canvas(picture, ay.cells > 1 ? 400 : 150), left = 62, right = 14, top = 26, bottom = 44;
      const X = d3.scaleLinear().domain([ax.low, ax.high]).range([left, w - right]), Y = d3.scaleLinear().domain([ay.low, ay.high]).range([h - bottom, top]);
      const sx = (w - left - right) / ax.cells, sy = (h - top - bottom) / ay.cells, seen = map.cells.map((c) => c.loss[0]).filter((v) => v !== null);
      const low = Math.min(...seen), high = Math.max(...seen);
      svg.append("rect").attr("class", "empty").attr("x", left).attr("y", top).attr("width", w - left - right).attr("height", h - top - bottom);
      const placed = map.cells.map((cell) => {
        const [i, j] = [cell.at[0], cell.at[1] ?? 0];
        const c = { id: cell.id, label: "cell " + cell.name + (cell.id === null ? "" : ", trial " + cell.id), genes: cell.genes, objectives: [], violation: 0, failed: null,
          extra: [...map.axes.map((axis, k) => axis.name + " " + interval(cell.measures[k] ?? [null, null, null]) + unit(axis.unit)), ...(map.graded ? ["loss " + interval(cell.loss)] : [])] };
        return { c, x: left + (i + 0.5) * sx, y: h - bottom - (j + 0.5) * sy, v: cell.loss[0] };
      });
      const cells = svg.append("g").selectAll("rect").data(placed).join("rect").attr("class", "cell").attr("x", (p) => p.x - sx / 2 + 1).attr("y", (p) => p.y - sy / 2 + 1).attr("width", Math.max(1, sx - 2)).attr("height", Math.max(1, sy - 2))
        .attr("fill", (p) => (p.v === null || !map.graded ? color(0.1) : color(high > low ? (p.v - low) / (high - low) : 0)));
      axis(svg, d3.axisBottom(X).ticks(Math.max(3, w / 110)), 0, h - bottom);
      if (ay.cells > 1) axis(svg, d3.axisLeft(Y).ticks(6), left, 0);
      words(svg, ax.name + (ax.unit ? " (" + ax.unit + ")" : ""), (left + w - right) / 2, h - 8);
      if (ay.cells > 1) words(svg, ay.name + (ay.unit ? " (" + ay.unit + ")" : ""), left, 16, "start");
      const ring = svg.append("rect").attr("class", "ring").attr("width", sx).attr("height", sy).attr("visibility", "hidden");
      explore(picture, svg, placed, "Atlas of behaviors");
      return {
        mark: (id) => { const p = id !== null && placed.find((q) => q.c.id === id); ring.attr("visibility", p ? "visible" : "hidden"); if (p) ring.attr("x", p.x - sx / 2).attr("y", p.y - sy / 2); },
        fade: () => cells.classed("faded", (p) => faded(p.c)),
      };
    }, () => [["cell", ...map.axes.map((x) => x.name + unit(x.unit)), "loss"], ...map.cells.map((c) => [c.name, ...c.measures.map(interval), interval(c.loss)])]);
  };

  const importance = () => data.importance.forEach((one, n) => {
    if (!one.shares.length) return;
    const title = "Which parameters mattered" + (data.importance.length > 1 ? ": " + one.objective : "");
    chart("importance" + (n || ""), title, "How much of the differences between candidates each parameter explains, alone (dark) and with the others (light).", (picture) => {
      const narrow = picture.clientWidth < 620, row = narrow ? 46 : 34, { svg, w, h } = canvas(picture, row * one.shares.length + 34), left = narrow ? 12 : 230, X = d3.scaleLinear().domain([0, Math.max(1e-9, ...one.shares.map((s) => s[2]))]).range([left, w - 52]);
      one.shares.forEach(([key, first, total], i) => {
        const y = i * row + (narrow ? 22 : 8);
        if (narrow) words(svg, key, left, y - 6, "start", "words name");
        else words(svg, key, left - 10, y + 14, "end", "words name").call(cut, left - 16);
        svg.append("rect").attr("class", "total").attr("x", left).attr("y", y).attr("width", X(Math.max(0, total)) - left).attr("height", 20);
        svg.append("rect").attr("class", "first").attr("x", left).attr("y", y + 4).attr("width", X(Math.max(0, first)) - left).attr("height", 12);
        words(svg, Math.round(100 * total) + " %", X(Math.max(0, total)) + 6, y + 15, "start");
      });
      axis(svg, d3.axisBottom(X).ticks(5, "%"), 0, h - 24);
      return {};
    }, () => [["parameter", "alone", "with others"], ...one.shares.map(([key, a, b]) => [key, Math.round(100 * a) + " %", Math.round(100 * b) + " %"])]);
  });

  const valleys = () => {
    const found = data.valleys;
    if (!found?.profiles.length) return;
    chart("valleys", "How far each parameter can go", "The loss when one parameter is held elsewhere and the others follow. Below the dashed line a value is as good as the recommendation, as far as the seeds can tell.", (picture) => {
      const least = 250, columns = Math.max(1, Math.floor((picture.clientWidth || 600) / least)), w = Math.max(300, picture.clientWidth || 600), cell = w / columns, height = 190;
      const { svg } = canvas(picture, height * Math.ceil(found.profiles.length / columns));
      const worse = found.profiles.flatMap((p) => p.points.map((q) => q[1])).filter((v) => v !== null);
      const top = Math.max(found.threshold ?? 0, ...worse), bottom = Math.min(0, ...worse);
      found.profiles.forEach((profile, n) => {
        const gene = data.genes[profile.gene], g = svg.append("g").attr("transform", "translate(" + (n % columns) * cell + "," + Math.floor(n / columns) * height + ")");
        const xs = profile.points.map((p) => p[0]), log = gene?.log && Math.min(...xs) > 0;
        const X = (log ? d3.scaleLog() : d3.scaleLinear()).domain([Math.min(...xs), Math.max(...xs)]).range([46, cell - 16]), Y = d3.scaleLinear().domain([bottom, top || 1]).nice().range([height - 44, 26]);
        words(g, profile.key, 46, 15, "start", "words name").call(cut, cell - 60);
        axis(g, ticks(d3.axisBottom(X), X, log ? 2 : 4).tickSize(4), 0, height - 44);
        axis(g, d3.axisLeft(Y).ticks(4), 46, 0);
        const inside = profile.points.slice(profile.within[0], profile.within[1] + 1);
        if (inside.length) g.append("rect").attr("class", "band").attr("x", X(inside[0][0])).attr("width", Math.max(2, X(inside[inside.length - 1][0]) - X(inside[0][0]))).attr("y", 26).attr("height", height - 70);
        if (found.threshold !== null) g.append("line").attr("class", "defaults").attr("x1", 46).attr("x2", cell - 16).attr("y1", Y(found.threshold)).attr("y2", Y(found.threshold));
        g.append("path").attr("class", "best").attr("d", d3.line().defined((p) => p[1] !== null).x((p) => X(p[0])).y((p) => Y(p[1]))(profile.points));
        if (gene) g.append("circle").attr("class", "pick").attr("r", 4.5).attr("cx", Math.max(46, Math.min(cell - 16, X(gene.tuned)))).attr("cy", Y(0));
        words(g, gene?.unit ? "(" + gene.unit + ")" : "", (46 + cell - 16) / 2, height - 8);
      });
      return {};
    }, () => [["parameter", "as good from", "to", "tuned"], ...found.profiles.map((p) => {
      const gene = data.genes[p.gene], a = p.points[p.within[0]]?.[0], b = p.points[p.within[1]]?.[0];
      return [p.key, number(a), number(b), gene ? valueOf(gene, gene.tuned) : ""];
    })]);
  };

  // A curve over the slider of a demonstration: means with intervals, and what others have.
  const curve = (element, all, turn) => {
    const { lines, known, axis: title, slider } = all, xs = [...lines.flatMap((l) => l.points.map((p) => p[0])), ...known.points.map((p) => p[0])];
    charts = [];
    const words_ = "Means of " + all.seeds + " runs with 95 % intervals" + (known.points.length ? "; diamonds: " + known.label : "") + ". Click to put the slider there.";
    const one = chart("curve", "The curve over the slider", words_, (picture) => {
      const { svg, w, h } = canvas(picture, 320), left = 60, right = 20, top = 44, bottom = 46;
      const X = scaleOf(xs, [left, w - right], false);
      const Y = scaleOf([0, ...lines.flatMap((l) => l.points.flatMap((p) => p[1].filter((v) => v !== null))), ...known.points.map((p) => p[1])], [h - bottom, top], false);
      Y.domain([0, Y.domain()[1]]);
      axis(svg, d3.axisBottom(X).ticks(Math.max(3, w / 110)), 0, h - bottom);
      axis(svg, d3.axisLeft(Y).ticks(6), left, 0);
      words(svg, slider.label + (slider.unit ? " (" + slider.unit + ")" : ""), (left + w - right) / 2, h - 8);
      words(svg, title, 12, 16, "start");
      lines.forEach((line, n) => {
        const g = svg.append("g").attr("class", "line l" + n), seen = line.points.filter((p) => p[1][0] !== null);
        g.append("path").attr("class", "run").attr("d", d3.line().x((p) => X(p[0])).y((p) => Y(p[1][0]))(seen));
        for (const [x, [, low, high]] of seen) if (low !== null && high !== null) g.append("line").attr("class", "bar").attr("x1", X(x)).attr("x2", X(x)).attr("y1", Y(low)).attr("y2", Y(high));
        g.selectAll(null).data(seen).join(n ? "rect" : "circle").attr("class", "at").attr("r", 5).attr("width", 9).attr("height", 9).attr("cx", (p) => X(p[0])).attr("cy", (p) => Y(p[1][0])).attr("x", (p) => X(p[0]) - 4.5).attr("y", (p) => Y(p[1][0]) - 4.5);
        const last = seen[seen.length - 1];
        if (line.label && last) words(g, line.label, Math.min(w - right, X(last[0])), Y(last[1][0]) - 12, "end", "words name");
      });
      known.points.forEach(([x, y]) => svg.append("path").attr("class", "known").attr("d", "M0,-7L7,0L0,7L-7,0Z").attr("transform", "translate(" + X(x) + "," + Y(y) + ")"));
      svg.on("click", (e) => { const x = X.invert(d3.pointer(e, svg.node())[0]); turn(Math.max(slider.low, Math.min(slider.high, slider.low + Math.round((x - slider.low) / slider.step) * slider.step))); });
      return {};
    }, () => [[slider.label, ...lines.map((l) => l.label || "here")], ...lines[0].points.map((p, k) => [number(p[0]), ...lines.map((l) => interval(l.points[k][1]))])]);
    element.append(one.box);
    one.draw();
    let width = element.clientWidth;
    new ResizeObserver(() => { if (element.clientWidth !== width) { width = element.clientWidth; one.draw(); } }).observe(element);
  };

  // Fills the places of the page: those that are named get their chart, in the order of the page.
  const mount = (element, all, listeners) => {
    root = element;
    data = all;
    on = listeners;
    candidates = data.trials.rows.map(([id, place, genes, objectives, violation, failed]) => ({
      id, place, genes, objectives, violation, failed, label: "trial " + id + (id === data.recommended ? ", recommended" : ""),
    }));
    byId = new Map(candidates.map((c) => [c.id, c]));
    tip = html("div", undefined, "tip");
    tip.hidden = true;
    tip.setAttribute("aria-hidden", "true");
    live = html("p", "", "aloud");
    live.setAttribute("aria-live", "polite");
    status = html("p", undefined, "chosen-status");
    status.setAttribute("role", "status");
    const clear = html("button", "Clear");
    clear.type = "button";
    clear.addEventListener("click", () => select(null));
    status.append(html("span"), clear);
    status.hidden = true;
    document.body.append(tip, live);
    root.prepend(status);
    targets();
    front();
    atlas();
    if (candidates.length) data.objectives.forEach((_, k) => losses(k));
    convergence();
    parallel();
    importance();
    valleys();
    charts.forEach((one) => (root.querySelector('[data-place="' + one.name.replace(/[^a-z].*/, "") + '"]') ?? root).append(one.box));
    // Charts are drawn when they come near, so that the page is there at once.
    const waiting = new Map(charts.map((one) => [one.box, one]));
    const seen = new IntersectionObserver((entries) => entries.forEach((entry) => {
      const one = waiting.get(entry.target);
      if (!entry.isIntersecting || one.drawn) return;
      one.drawn = true;
      one.draw();
    }), { rootMargin: "300px" });
    waiting.forEach((_, box) => seen.observe(box));
    let width = root.clientWidth;
    new ResizeObserver(() => { if (root.clientWidth !== width) { width = root.clientWidth; charts.forEach((one) => one.drawn && one.draw()); } }).observe(root);
  };

  return { mount, select, curve };
})();
