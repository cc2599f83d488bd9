// The clock of the page: crowds side by side, what was measured so far, keys, pictures and videos.
const Player = (() => {
  const $ = (id) => document.getElementById(id);
  const state = { t: 0, playing: false, speed: 1, color: "group", trails: false, headings: true, names: true, overlaps: false };
  const options = { drawn: null, paused: null };
  let shown = { file: null, crowds: [], columns: [] }, panels = [], box = null, colors = null, tops = {}, clockWidth = 0;
  let curveView = null, dirty = true, before = 0, tabled = -1, scaled = 0;

  const end = () => Math.max(0.01, ...shown.crowds.map((c) => (c.complete ? c.end : Math.max(c.end, shown.limit ?? 0))));
  const ready = () => (shown.crowds.length ? Math.min(end(), ...shown.crowds.map((c) => (c.complete ? Infinity : c.end))) : 0);
  const leaving = () => shown.crowds.some((c) => (c.left ? c.left.length : c.frames.some((f) => f.out > 0)));
  const mark = (i) => (shown.crowds[i]?.label === "recorded" ? "ink" : shown.crowds.length > 1 && i === 0 ? "second" : "accent");
  const say = (text) => { $("said").textContent = text; };

  const element = (name, text, className) => {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    if (className) e.className = className;
    return e;
  };

  // Shows crowds in a place: { file, crowds, columns, limit, note }.
  const show = (what) => {
    const same = shown.file === what.file && shown.crowds.length === what.crowds.length;
    shown = { columns: [], ...what };
    tops = {};
    if (!same || !panels.length) {
      $("stage").textContent = "";
      panels = shown.crowds.map((_, i) => panel(i));
      state.names = Place.few(shown.file);
      state.overlaps = !!shown.file.overlaps;
      $("names").checked = state.names;
      $("overlaps").checked = state.overlaps;
    }
    panels.forEach((p, i) => { p.label.textContent = shown.crowds[i].label; });
    // One scale for all, also where they walk in different places.
    const boxes = shown.crowds.map((c) => Place.bounds(c.file ?? shown.file, [c])), most = (f) => Math.max(...boxes.map(f)), least = (f) => Math.min(...boxes.map(f));
    box = { x: least((b) => b.x), y: least((b) => b.y), x0: least((b) => b.x0), y0: least((b) => b.y0), x1: most((b) => b.x1), y1: most((b) => b.y1) };
    box.w = most((b) => b.x + b.w) - box.x;
    box.h = most((b) => b.y + b.h) - box.y;
    $("what").textContent = [words(), ground(), shown.note].filter(Boolean).join(". ");
    table();
    legend();
    layout();
  };

  const words = () => {
    const [first] = shown.crowds, noun = (n) => (n === 1 ? "1 person" : n + " people");
    if (shown.crowds.length > 1) return shown.crowds.map((c) => c.label).join(" beside ") + ", on the same clock";
    return first?.complete ? noun(first.total) + ", " + Math.round(end()) + " seconds" : "";
  };
  const ground = () => {
    const levels = shown.file.relief ?? [];
    return levels.length > 1 ? "Lines of equal height every " + +(levels[1].height_m - levels[0].height_m).toPrecision(3) + " m" : "";
  };

  const panel = (i) => {
    const figure = element("figure"), caption = element("figcaption"), canvas = element("canvas");
    figure.style.setProperty("--mark", "var(--" + mark(i) + ")");
    const label = element("span", "", "label"), out = element("span", "", "out");
    canvas.setAttribute("role", "img");
    caption.append(label, out);
    figure.append(caption, canvas);
    $("stage").append(figure);
    return { canvas, label, out, figure, back: document.createElement("canvas") };
  };

  const fit = (canvas, width, height) => {
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    canvas.style.height = height + "px";
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    return { w: width, h: height, ratio };
  };

  const layout = () => {
    if (!shown.file) return;
    colors = Place.theme();
    const stage = $("stage"), n = panels.length, presenting = document.body.classList.contains("present");
    const room = Math.max(220, presenting ? window.innerHeight - 250 : Math.min(window.innerHeight * 0.62, 720));
    const size = (columns) => {
      const w = (stage.clientWidth - 12 * (columns - 1)) / columns - 2, h = Math.max(room / Math.ceil(n / columns), 170);
      return { columns, w, h, scale: Math.min(w / box.w, (h - Place.FOOT) / box.h) };
    };
    let best = size(1);
    // Beside each other unless that makes everything a good deal smaller.
    if (n > 1 && size(2).scale > 0.55 * best.scale && stage.clientWidth > 560) best = size(2);
    stage.classList.toggle("two", best.columns === 2);
    panels.forEach((p, i) => {
      p.view = fit(p.canvas, Math.max(60, best.w), Math.round(Math.min(best.h, best.w * box.h / box.w + Place.FOOT)));
      const scale = Math.min(p.view.w / box.w, (p.view.h - Place.FOOT) / box.h);
      Object.assign(p.view, { scale, left: (p.view.w - box.w * scale) / 2, top: (p.view.h - Place.FOOT - box.h * scale) / 2 });
      p.back.width = p.canvas.width;
      p.back.height = p.canvas.height;
      const g = p.back.getContext("2d");
      g.setTransform(p.view.ratio, 0, 0, p.view.ratio, 0, 0);
      Place.draw(g, shown.crowds[i].file ?? shown.file, box, p.view, colors);
    });
    clockWidth = $("clock").clientWidth;
    curveView = fit($("curve"), clockWidth, 104);
    dirty = true;
    draw();
  };

  const draw = () => {
    if (!shown.file || !colors) return;
    dirty = false;
    tops[state.color] ??= Stage.SCALES[state.color] ? Stage.topOf(shown.crowds, state.color) : 1;
    panels.forEach((p, i) => {
      const crowd = shown.crowds[i], file = crowd.file ?? shown.file, g = p.canvas.getContext("2d"), t = Math.min(state.t, crowd.end);
      g.setTransform(1, 0, 0, 1, 0, 0);
      g.drawImage(p.back, 0, 0);
      g.setTransform(p.view.ratio, 0, 0, p.view.ratio, 0, 0);
      const there = Stage.people(g, crowd, file, box, p.view, colors, { ...state, t, top: tops[state.color] });
      if (state.names) {
        // Names move while more becomes known of where people walk, but seldom.
        const all = shown.crowds.filter((c) => (c.file ?? shown.file) === file), seen = all.reduce((sum, c) => sum + c.frames.length, 0), done = all.every((c) => c.complete);
        if (!p.view.spots || seen > 2 * p.view.seen || done !== p.view.done) Object.assign(p.view, { spots: Place.spots(g, file, box, p.view, colors, Place.walked(all)), seen, done });
        Place.names(g, p.view.spots, colors);
      }
      const past = (times) => times.filter((s) => s <= t + 1e-9).length;
      const said = [];
      if (crowd.failed) said.push("this run cannot be trusted: " + crowd.failed);
      if (crowd.caught?.length) said.push(past(crowd.caught) + " caught");
      if (crowd.collided) said.push(past(crowd.collided) + " collisions so far");
      said.push(leaving() ? crowd.outAt(t) + " of " + crowd.total + " out" : there + (there === 1 ? " person there" : " people there"));
      p.out.textContent = said.join(", ");
      p.out.classList.toggle("bad", !!crowd.failed);
      p.canvas.setAttribute("aria-label", crowd.label + ": " + crowd.total + " people seen from above");
    });
    const g = $("curve").getContext("2d");
    g.setTransform(curveView.ratio, 0, 0, curveView.ratio, 0, 0);
    $("curve").setAttribute("aria-label", (leaving() ? "People out" : "Mean speed") + " over time: " + shown.crowds.map((c) => c.label).join(" and "));
    Stage.curve(g, curveView, shown.crowds, shown.crowds.map((_, i) => colors[mark(i)]), colors, { t: state.t, end: end(), leaving: leaving() });
    clock();
    if (Math.floor(state.t * 4) !== tabled) { tabled = Math.floor(state.t * 4); table(); }
    options.drawn?.();
  };

  const clock = () => {
    const total = element("small", " / " + end().toFixed(1) + " s");
    $("time").replaceChildren(state.t.toFixed(1) + " s", total);
    const scrub = $("scrub");
    scrub.max = String(end());
    scrub.value = String(state.t);
    scrub.setAttribute("aria-valuetext", state.t.toFixed(1) + " seconds, " + shown.crowds.map((c) => c.label + ": "
      + (leaving() ? c.outAt(state.t) + " of " + c.total + " people out" : c.speedAt(state.t).toFixed(2) + " m/s")).join(", "));
  };

  const number = (v) => (v === null || v === undefined ? "\u2013" : Math.abs(v) >= 1e7 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toExponential(2) : String(+v.toPrecision(3)));

  // What is wanted and what was measured so far, a row each.
  const table = () => {
    const root = $("measured"), columns = shown.columns.map((c, k) => ({ ...c, k })).filter((c) => c.here !== false);
    root.hidden = !columns.length || !shown.crowds.some((c) => c.measures.length);
    if (root.hidden) return;
    const table = element("table"), head = element("tr"), wanted = columns.some((c) => c.wanted);
    table.className = wanted ? "" : "bare";
    table.append(element("caption", state.t >= ready() - 1e-6 && shown.crowds.every((c) => c.complete) ? "Measured in this run" : "Measured so far, by the clock"));
    head.append(...[wanted ? "wish" : "measured", "wanted", ...shown.crowds.map((c) => c.label)].map((text, i) => { const th = element("th", text); th.scope = "col"; th.className = i > 1 ? "n" : i === 1 ? "w" : ""; return th; }));
    const body = element("tbody");
    for (const column of columns) {
      const row = element("tr"), name = element("th", column.name);
      name.scope = "row";
      if (column.unit) name.append(" ", element("small", column.unit));
      name.append(element("small", column.wanted ?? "measured only", "below"));
      row.append(name, element("td", column.wanted ?? "measured only", "w"));
      for (const crowd of shown.crowds) {
        const m = crowd.measuredAt(state.t), value = m?.values[column.k], loss = m?.losses?.[column.k];
        const cell = element("td", number(value), "n");
        if (value !== null && value !== undefined && loss === 0) { cell.append(" ", element("span", "\u2713", "yes")); cell.title = "as wanted"; }
        else if (value !== null && value !== undefined && loss > 0) { cell.append(" ", element("small", "loss " + number(loss))); }
        row.append(cell);
      }
      body.append(row);
    }
    const top = element("thead");
    top.append(head);
    table.append(top, body);
    root.replaceChildren(table);
  };

  const legend = () => {
    const root = $("legend"), kind = Stage.SCALES[state.color];
    root.textContent = "";
    const key = (swatch, text) => { const k = element("span", undefined, "key"); k.append(swatch, text); root.append(k); };
    if (kind) {
      tops[state.color] ??= Stage.topOf(shown.crowds, state.color);
      const bar = element("span", undefined, "ramp");
      bar.style.background = Stage.gradient();
      root.append("0", bar, number(tops[state.color]) + " " + kind.unit + ", " + kind.name);
    } else if (shown.file?.groups.length > 1) {
      const marked = new Set(shown.file.marked ?? []);
      shown.file.groups.forEach((name, i) => key(dot(i, marked.has(i)), name));
    }
    const dash = (color) => { const line = element("span", undefined, "dash"); line.style.borderTopColor = "var(--" + color + ")"; return line; };
    if (shown.file?.lines.length) key(dash("line"), "line to measure at");
    if (shown.file?.areas.length) key(dash("area"), "area to measure in");
    if (shown.file?.rings?.x || shown.file?.rings?.y) key(dash("soft"), "seam: the place goes on at the other side");
    if (state.overlaps) key(element("span", undefined, "dot clash"), "bodies overlap by more than 2 cm now");
    if (shown.crowds.some((c) => c.collided)) root.append("A collision begins when two bodies overlap by more than 1 mm, as in the table.");
  };

  const dot = (i, marked) => {
    const canvas = element("canvas", undefined, marked ? "dot marked" : "dot"), g = canvas.getContext("2d");
    canvas.width = canvas.height = 32;
    g.beginPath(); g.arc(16, 16, 15, 0, 6.2832); g.fillStyle = Stage.GROUPS[i % Stage.GROUPS.length]; g.fill();
    g.beginPath(); Stage.SHAPES[i % Stage.SHAPES.length]?.(g, 16, 16, 15); g.strokeStyle = "#fff"; g.lineWidth = 3; g.stroke();
    return canvas;
  };

  // One frame: the clock waits where the simulator is not there yet.
  const tick = (now) => {
    if (!state.playing) return;
    const passed = Math.min(0.1, (now - before) / 1000) * state.speed;
    before = now;
    const t = Math.min(ready(), state.t + passed);
    if (t !== state.t) { state.t = t; dirty = true; }
    if (shown.crowds.length && state.t >= end() - 1e-9 && shown.crowds.every((c) => c.complete)) play(false);
    if (dirty) draw();
    requestAnimationFrame(tick);
  };
  const play = (on) => {
    if (on && state.t >= end() - 1e-9 && shown.crowds.every((c) => c.complete)) state.t = 0;
    const start = on && !state.playing;
    state.playing = on;
    $("play").classList.toggle("on", on);
    $("play").setAttribute("aria-label", on ? "Pause" : "Play");
    if (start) requestAnimationFrame((now) => { before = now; tick(now); });
    if (!on) options.paused?.();
  };
  const seek = (t) => { state.t = Math.max(0, Math.min(end(), t)); draw(); };
  const speed = (value) => { state.speed = Number(value); $("speed").value = String(value); };
  const color = (value) => { state.color = value; $("color").value = value; legend(); draw(); };

  // New frames came in.
  const grown = () => {
    dirty = true;
    // The scale looks at many people: once a second is often enough.
    if (state.color !== "group" && performance.now() - scaled > 1000) {
      scaled = performance.now();
      tops[state.color] = Math.max(tops[state.color] ?? 0, Stage.topOf(shown.crowds, state.color));
    }
    if (!state.playing) requestAnimationFrame(() => { if (dirty) { draw(); table(); } });
  };

  // All panels beside each other with names and clock, as pictures and videos have them.
  const compose = (canvas) => {
    const gap = 12, head = 34, foot = 30, ratio = panels[0].view.ratio, two = $("stage").classList.contains("two");
    const w = panels.map((p) => p.canvas.width), h = panels.map((p) => p.canvas.height);
    const width = two ? w.reduce((a, b) => a + b, 0) + gap * ratio * (w.length - 1) : Math.max(...w);
    const height = (two ? Math.max(...h) + head * ratio : h.reduce((a, b) => a + b + head * ratio, 0)) + foot * ratio;
    // Video codecs want even sizes.
    if (canvas.width !== 2 * Math.ceil(width / 2)) canvas.width = 2 * Math.ceil(width / 2);
    if (canvas.height !== 2 * Math.ceil(height / 2)) canvas.height = 2 * Math.ceil(height / 2);
    const g = canvas.getContext("2d");
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.fillStyle = colors.card; g.fillRect(0, 0, canvas.width, canvas.height);
    let x = 0, y = 0;
    panels.forEach((p, i) => {
      g.font = "600 " + 14 * ratio + "px system-ui, sans-serif"; g.textBaseline = "middle"; g.textAlign = "left"; g.fillStyle = colors.ink;
      g.fillText(shown.crowds[i].label, x + 12 * ratio, y + head / 2 * ratio);
      g.textAlign = "right"; g.font = 13 * ratio + "px system-ui, sans-serif"; g.fillStyle = colors.soft;
      g.fillText(p.out.textContent, x + w[i] - 12 * ratio, y + head / 2 * ratio);
      g.drawImage(p.canvas, x, y + head * ratio);
      if (two) x += w[i] + gap * ratio; else y += h[i] + head * ratio;
    });
    g.font = "600 " + 14 * ratio + "px system-ui, sans-serif"; g.textAlign = "left"; g.fillStyle = colors.ink;
    g.fillText(state.t.toFixed(1) + " s", 12 * ratio, canvas.height - foot / 2 * ratio);
    g.textAlign = "right"; g.font = 12 * ratio + "px system-ui, sans-serif"; g.fillStyle = colors.soft;
    g.fillText(document.title, canvas.width - 12 * ratio, canvas.height - foot / 2 * ratio);
    return canvas;
  };

  const stem = () => document.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "crowd";
  const save = (blob, name) => {
    const a = element("a");
    a.href = URL.createObjectURL(blob);
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 60000);
  };

  const picture = () => compose(element("canvas")).toBlob((blob) => { save(blob, stem() + "-" + state.t.toFixed(1) + "s.png"); say("The picture is saved."); });

  // Records from now until pause, the end, or a second press.
  let recorder = null;
  const video = () => {
    if (recorder) { options.paused(); return; }
    if (typeof MediaRecorder === "undefined") { say("This browser cannot record videos."); return; }
    const canvas = compose(element("canvas")), type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((t) => MediaRecorder.isTypeSupported(t));
    if (!type) { say("This browser cannot record WebM."); return; }
    const parts = [], since = performance.now();
    let until;
    recorder = new MediaRecorder(canvas.captureStream(), { mimeType: type, videoBitsPerSecond: 8e6 });
    recorder.ondataavailable = (e) => parts.push(e.data);
    recorder.onstop = () => {
      recorder = options.drawn = options.paused = null;
      $("video").textContent = "Record video";
      const video = new Blob(parts, { type: "video/webm" });
      save(video, stem() + ".webm");
      // Not how many pictures it has: a busy encoder leaves some out and does not say so.
      say("The video is saved: " + (((until ?? performance.now()) - since) / 1000).toFixed(1) + " s, " + (video.size / 1e6).toFixed(1) + " MB.");
    };
    options.drawn = () => compose(canvas);
    // The encoder may take a while to end.
    options.paused = () => {
      if (recorder.state === "inactive") return;
      until = performance.now();
      recorder.stop();
    };
    recorder.start();
    $("video").textContent = "Stop recording";
    say("Recording until you stop it, pause, or the run ends.");
    play(true);
  };

  const present = () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.().catch(() => toggle(true));
  };
  const toggle = (on) => {
    document.body.classList.toggle("present", on);
    $("present").textContent = on ? "Leave full screen" : "Full screen";
    layout();
  };

  const keys = (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const tag = e.target.tagName, typed = tag === "SELECT" || tag === "TEXTAREA" || (tag === "INPUT" && e.target.type !== "checkbox" && e.target.type !== "radio" && e.target.id !== "scrub");
    if (typed || e.target.closest?.("[data-keys]") || (e.key === " " && (tag === "BUTTON" || tag === "SUMMARY" || tag === "A" || tag === "INPUT"))) return;
    const choices = [...$("speed").options].map((o) => o.value), now = choices.indexOf(String(state.speed));
    const turn = (id) => () => $(id).click();
    const act = {
      " ": () => play(!state.playing),
      ArrowLeft: () => seek(state.t - (e.shiftKey ? 10 : 1)),
      ArrowRight: () => seek(state.t + (e.shiftKey ? 10 : 1)),
      ArrowUp: () => speed(choices[Math.min(choices.length - 1, now + 1)]),
      ArrowDown: () => speed(choices[Math.max(0, now - 1)]),
      Home: () => seek(0),
      End: () => seek(end()),
      c: () => { const all = [...$("color").options].filter((o) => !o.disabled).map((o) => o.value); color(all[(all.indexOf(state.color) + 1) % all.length]); },
      t: turn("trails"),
      f: present,
    }[e.key];
    if (!act) return;
    // Arrows up and down scroll the page unless the player has the focus.
    if (e.key.startsWith("Arrow") && !$("player").contains(e.target) && e.target !== document.body) return;
    e.preventDefault();
    act();
  };

  const begin = () => {
    $("play").addEventListener("click", () => play(!state.playing));
    $("scrub").addEventListener("input", (e) => seek(Number(e.target.value)));
    $("speed").addEventListener("change", (e) => speed(e.target.value));
    $("color").addEventListener("change", (e) => color(e.target.value));
    for (const id of ["trails", "headings", "names", "overlaps"]) {
      $(id).addEventListener("change", (e) => { state[id] = e.target.checked; legend(); draw(); });
    }
    $("picture").addEventListener("click", picture);
    $("video").addEventListener("click", video);
    $("present").addEventListener("click", present);
    document.addEventListener("fullscreenchange", () => toggle(!!document.fullscreenElement));
    document.addEventListener("keydown", keys);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", layout);
    new ResizeObserver(() => { if ($("clock").clientWidth !== clockWidth) layout(); }).observe($("player"));
    window.addEventListener("resize", layout);
  };

  const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const copy = async (text, what, tell = say) => {
    try { await navigator.clipboard.writeText(text); tell(what + " is copied."); } catch { window.prompt("Copy " + what[0].toLowerCase() + what.slice(1) + ":", text); }
  };
  // What a recording does not know cannot be a color.
  const offer = (kind, on) => { const o = $("color").querySelector(`[value=${kind}]`); o.disabled = o.hidden = !on; };

  return { begin, show, grown, play, seek, speed, color, say, save, copy, stem, number, calm, offer, layout, element, shown: () => shown, time: () => state.t, ended: end };
})();
