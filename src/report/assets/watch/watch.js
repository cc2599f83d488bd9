"use strict";
// Draws what the server tells of the runs. Drawing waits for the next frame, so that many events cost one picture.
(() => {
  const $ = (id) => document.getElementById(id);
  const COLORS = ["#0b66b1", "#b34a00", "#00714f", "#a3467c", "#6a51a3", "#8a6a00"], DARK = ["#58aef2", "#ff9552", "#33c79a", "#e79ac5", "#b3a2e6", "#e0c050"], DASHES = ["", "8 4", "2 4", "10 3 2 3"];
  const runs = new Map();
  let chosen = null, waiting = false;

  const element = (name, text, className) => {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    if (className) e.className = className;
    return e;
  };
  const number = (v) => (v === null || v === undefined ? "\u2013" : Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toExponential(2) : String(+v.toPrecision(4)));
  const duration = (s) => (s === null || s === undefined ? "\u2013" : s < 90 ? Math.round(s) + " s" : s < 5400 ? Math.round(s / 60) + " min" : (s / 3600).toFixed(1) + " h");
  const colorOf = (i) => (matchMedia("(prefers-color-scheme: dark)").matches ? DARK : COLORS)[i % COLORS.length];

  const take = (said) => {
    if (said.all) { runs.clear(); redraw(); return; }
    const before = runs.get(said.run);
    if (said.again || !before) runs.set(said.run, said);
    else runs.set(said.run, { ...before, ...said, points: before.points.concat(said.points).filter((p) => p[3] || p[0] % said.every === 0) });
    chosen ??= said.run;
    redraw();
  };
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; table(); curves(); one(); });
  };

  // What a search does: logs that do not grow may wait for a long simulation, or for nobody.
  const QUIET_S = 60;
  const state = (run) => {
    if (run.state !== "searching") return run.state;
    const quiet = run.written ? Date.now() / 1000 - run.written : 0, doing = run.checked ? "checking on fresh seeds" : "searching";
    return quiet > QUIET_S ? doing + ", no news for " + duration(quiet) : doing;
  };

  // Rows stay and change their texts, so that a press that begins on one also ends on it.
  const rows = new Map();
  const rowOf = (name) => {
    const row = element("tr"), head = element("th"), press = element("button", name), done = element("td"), bar = element("progress"), count = element("span");
    head.scope = "row";
    press.type = "button";
    press.addEventListener("click", () => { chosen = name; redraw(); });
    head.append(press);
    bar.setAttribute("aria-label", "evaluations of " + name);
    done.append(bar, " ", count);
    const cells = ["", "n", "n mid", "n wide", "n", "wide", "n wide"].map((kind) => element("td", "", kind));
    row.append(head, cells[0], done, ...cells.slice(1));
    return { row, press, bar, count, cells };
  };
  const list = element("table"), body = element("tbody"), none = element("p", "No run yet: this page shows one as soon as its log is there.", "note");
  {
    const head = element("tr"), top = element("thead");
    for (const [text, kind] of [["run", ""], ["state", ""], ["evaluations", ""], ["best loss", "n"], ["failed", "n mid"], ["per second", "n wide"], ["time left", "n"], ["optimizer", "wide"], ["seed", "n wide"]]) {
      const th = element("th", text, kind);
      th.scope = "col";
      head.append(th);
    }
    top.append(head);
    list.append(top, body);
  }
  const table = () => {
    for (const name of rows.keys()) if (!runs.has(name)) { rows.get(name).row.remove(); rows.delete(name); }
    for (const run of runs.values()) {
      if (!rows.has(run.run)) { rows.set(run.run, rowOf(run.run)); body.append(rows.get(run.run).row); }
      const { row, press, bar, count, cells } = rows.get(run.run);
      row.className = run.run === chosen ? "chosen" : "";
      row.dataset.rows = String(run.searched + run.checked);
      press.setAttribute("aria-pressed", String(run.run === chosen));
      bar.max = run.asked ?? 1;
      bar.value = Math.min(run.searched, run.asked ?? 1);
      count.textContent = run.searched + (run.asked ? " of " + run.asked : "");
      [state(run), number(run.best?.objectives?.[0]), String(run.failed), number(run.rate && +run.rate.toPrecision(3)), run.state === "searching" ? duration(run.left_s) : "\u2013", run.optimizer ?? "", String(run.seed ?? "")]
        .forEach((text, k) => { if (cells[k].textContent !== text) cells[k].textContent = text; });
    }
    const shown = runs.size ? list : none;
    if ($("runs").firstChild !== shown) $("runs").replaceChildren(shown);
  };

  const canvas = (root, h, name) => {
    const w = Math.max(300, root.clientWidth);
    root.replaceChildren();
    return { w, h, svg: d3.select(root).append("svg").attr("width", w).attr("height", h).attr("role", "img").attr("aria-label", name) };
  };
  const scale = (list, range) => {
    const low = Math.min(...list), high = Math.max(...list);
    if (low > 0 && high / low > 30) return d3.scaleLog().domain([low / 1.1, high * 1.1]).range(range);
    const pad = high > low ? 0.06 * (high - low) : Math.abs(high) || 1;
    return d3.scaleLinear().domain([low - pad, high + pad]).range(range);
  };
  const axes = (svg, X, Y, w, h, left, bottom) => {
    svg.append("g").attr("class", "axis").attr("transform", "translate(0," + (h - bottom) + ")").call(d3.axisBottom(X).ticks(Math.max(3, w / 120)));
    svg.append("g").attr("class", "axis").attr("transform", "translate(" + left + ",0)").call(Y.base ? d3.axisLeft(Y).ticks(5, "~g") : d3.axisLeft(Y).ticks(5));
    svg.append("text").attr("x", (left + w) / 2).attr("y", h - 6).attr("text-anchor", "middle").text("evaluation");
    svg.append("text").attr("x", 12).attr("y", 15).text("loss" + (Y.base ? ", logarithmic" : ""));
  };
  const improvements = (run) => run.points.filter((p) => p[3] && p[1] !== null);

  const curves = () => {
    const list = [...runs.values()].filter((run) => improvements(run).length), seen = list.flatMap((run) => improvements(run).map((p) => p[1]));
    $("curves").parentElement.hidden = !list.length;
    if (!list.length) return;
    const sentence = list.map((run) => run.run + " " + number(run.best?.objectives?.[0]) + " after " + run.searched).join("; ");
    const { svg, w, h } = canvas($("curves"), 300, "Best loss over evaluations: " + sentence), left = 60, bottom = 40;
    const X = d3.scaleLinear().domain([0, Math.max(...list.map((run) => Math.max(run.searched, 1)))]).range([left, w - 34]), Y = scale(seen, [h - bottom, 26]);
    axes(svg, X, Y, w, h, left, bottom);
    list.forEach((run, i) => {
      const points = improvements(run).map((p) => [X(p[0]), Y(p[1])]), last = points[points.length - 1];
      svg.append("path").attr("class", "run" + (run.run === chosen ? " chosen" : "")).attr("stroke", colorOf(i)).attr("stroke-dasharray", DASHES[i % DASHES.length]).attr("d", d3.line().curve(d3.curveStepAfter)([...points, [X(run.searched), last[1]]]));
      if (list.length > 1 && list.length <= 8) svg.append("text").attr("class", "name").attr("x", w - 18).attr("y", 40 + 16 * i).attr("text-anchor", "end").style("fill", colorOf(i)).text(run.run + "  " + number(run.best?.objectives?.[0]));
    });
    $("curves-said").textContent = sentence + ".";
  };

  const one = () => {
    const run = runs.get(chosen);
    $("one").hidden = !run;
    if (!run) return;
    $("one-title").textContent = run.run + (run.title ? ": " + run.title : "");
    $("crowd").hidden = !run.crowd || !run.best;
    $("crowd").href = run.crowd ?? "";
    const drawn = run.points.length < run.searched ? " Every improvement and one in " + run.every + " candidates are drawn: " + run.points.length + " of " + run.searched + "." : "";
    $("one-said").textContent = [run.model && "Model " + run.model, duration(run.seconds) + " so far", run.objectives?.length > 1 && "the first of " + run.objectives.length + " objectives is drawn"].filter(Boolean).join(", ") + "." + drawn;
    const done = run.points.filter((p) => p[1] !== null);
    if (done.length) {
      const { svg, w, h } = canvas($("cloud"), 300, "Loss of the candidates of " + run.run + ", best " + number(run.best?.objectives?.[0])), left = 60, bottom = 40;
      const X = d3.scaleLinear().domain([0, run.searched + 1]).range([left, w - 34]), Y = scale(done.map((p) => p[1]), [h - bottom, 30]);
      axes(svg, X, Y, w, h, left, bottom);
      const dots = (kind, list) => svg.append("path").attr("class", "dot " + kind).attr("d", list.map((p) => (p[1] === null ? "M" + (X(p[0]) - 3).toFixed(1) + ",21l6,6m0,-6l-6,6" : "M" + (X(p[0]) - 2.6).toFixed(1) + "," + Y(p[1]).toFixed(1) + "a2.6,2.6 0 1,0 5.2,0a2.6,2.6 0 1,0 -5.2,0")).join(""));
      dots("", done.filter((p) => !p[2]));
      dots("missed", done.filter((p) => p[2]));
      dots("failed", run.points.filter((p) => p[1] === null));
      const points = improvements(run).map((p) => [X(p[0]), Y(p[1])]);
      if (points.length) svg.append("path").attr("class", "best").attr("d", d3.line().curve(d3.curveStepAfter)([...points, [X(run.searched), points[points.length - 1][1]]]));
    } else $("cloud").replaceChildren();
    best(run);
    const failures = run.failures ?? [], told = element("ul"), others = run.failed - failures.reduce((sum, [n]) => sum + n, 0);
    failures.forEach(([n, why]) => told.append(element("li", n + ": " + why)));
    if (others) told.append(element("li", others + ": " + (run.reasons - failures.length) + " other reasons"));
    $("failures").replaceChildren(failures.length ? told : element("p", "None.", "note"));
  };

  const share = (gene, value) => (gene.type === "choice" ? 0 : gene.log ? Math.log(value / gene.low) / Math.log(gene.high / gene.low) : (value - gene.low) / (gene.high - gene.low || 1));
  const best = (run) => {
    if (!run.best?.x || !run.genes) { $("best").replaceChildren(element("p", "None yet.", "note")); return; }
    const table = element("table"), body = element("tbody"), caption = element("caption", "trial " + run.best.id + ", loss " + number(run.best.objectives?.[0]) + (run.best.violation > 0 ? ", misses a must by " + number(run.best.violation) : "") + "; the other mark is the published value", "note");
    run.genes.forEach((gene, k) => {
      const row = element("tr"), name = element("th", gene.key), bar = element("td"), track = element("div", undefined, "bar");
      name.scope = "row";
      if (gene.type !== "choice") {
        for (const [value, kind] of [[gene.default, "d"], [run.best.x[k], ""]]) { const i = element("i", undefined, kind); i.style.left = 100 * Math.min(1, Math.max(0, share(gene, value))) + "%"; track.append(i); }
        bar.append(track);
      }
      row.append(name, bar, element("td", typeof run.best.x[k] === "number" ? number(run.best.x[k]) + (gene.unit ? " " + gene.unit : "") : String(run.best.x[k]), "n"));
      body.append(row);
    });
    table.append(caption, body);
    $("best").replaceChildren(table);
  };

  const link = (text, bad) => { $("link").textContent = text; $("link").className = bad ? "bad" : ""; };
  const events = new EventSource("/events");
  events.onopen = () => link("Live: what the logs have more is drawn within a second.");
  events.onerror = () => link("The connection is lost: is `crowdtune watch` still running? Trying again.", true);
  events.onmessage = (e) => { window.lastEvent = performance.now(); take(JSON.parse(e.data)); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  window.addEventListener("resize", redraw);
  setInterval(table, 10000); // how long a log has been quiet
})();
