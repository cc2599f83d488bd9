// A search in the page: the same loop as `crowdtune evolve`, its runs done by workers; its log has the same bytes.
const Evolve = (() => {
  const $ = (id) => document.getElementById(id);
  const OPTIMIZERS = ["ga", "auto", "cma_es", "random"];
  let running = null, log = "", found = null;

  const say = (text) => { $("search-said").textContent = text; };

  // Has each line answered by whichever worker is free.
  const answers = (lines, workers, stopped) => new Promise((resolve, reject) => {
    const said = [];
    let at = 0, open = lines.length;
    const work = async (worker) => {
      while (at < lines.length && !stopped()) {
        const line = lines[at++];
        try {
          said.push(JSON.stringify(await worker.ask({ answer: JSON.parse(line) })));
        } catch (e) { reject(e); return; }
        open--;
      }
      if (!open) resolve(said);
      else if (stopped()) reject(new Error("stopped"));
    };
    workers.forEach(work);
  });

  const draw = (losses, best) => {
    const canvas = $("losses"), g = canvas.getContext("2d"), colors = Place.theme(), ratio = Math.min(window.devicePixelRatio || 1, 3);
    const w = canvas.clientWidth, h = 150, left = 52, bottom = 26, top = 8;
    canvas.style.height = h + "px";
    canvas.width = w * ratio;
    canvas.height = h * ratio;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    const seen = losses.filter((v) => v !== null);
    if (!seen.length) return;
    const low = Math.min(...seen), high = Math.max(...seen), log = low > 0 && high / low > 20, f = (v) => (log ? Math.log(v) : v);
    const X = (i) => left + (w - left - 10) * (losses.length > 1 ? i / (losses.length - 1) : 0.5);
    const Y = (v) => top + (h - top - bottom) * (high > low ? (f(high) - f(v)) / (f(high) - f(low)) : 0.5);
    g.font = "12px system-ui, sans-serif"; g.fillStyle = colors.soft; g.textAlign = "right"; g.textBaseline = "middle";
    for (const v of [low, high]) g.fillText(Player.number(v), left - 6, Y(v));
    g.textAlign = "center"; g.textBaseline = "bottom"; g.fillText("evaluation 1 to " + losses.length + (log ? ", loss on a logarithmic scale" : ""), (left + w) / 2, h - 3);
    g.globalAlpha = 0.6;
    losses.forEach((v, i) => { if (v !== null) { g.beginPath(); g.arc(X(i), Y(v), 2.2, 0, 7); g.fill(); } });
    g.globalAlpha = 1; g.strokeStyle = colors.accent; g.lineWidth = 2.4; g.beginPath();
    best.forEach((v, i) => { if (v === null) return; if (i && best[i - 1] !== null) g.lineTo(X(i), Y(best[i - 1])); g.lineTo(X(i), Y(v)); });
    g.stroke();
    canvas.setAttribute("aria-label", "Loss over evaluations: " + losses.length + " candidates, the best so far " + Player.number(best[best.length - 1]));
  };

  const search = async () => {
    const state = { stopped: false }, sets = [["search.optimizer", $("optimizer").value], ["search.evaluations", $("evaluations").value]];
    running = state;
    const open = Lab.open(), own = { ...open, sets: [...open.sets, ...sets] }, module = Lab.module();
    const asks = new Simulator.Hand(module, own), count = Math.max(1, Math.min(8, navigator.hardwareConcurrency || 2));
    const workers = Array.from({ length: count }, () => new Simulator.Hand(module, own));
    const losses = [], best = [], since = performance.now();
    let leader = null;
    log = "";
    found = null;
    $("search").textContent = "Stop";
    $("log").disabled = $("best").disabled = true;
    try {
      await Promise.all([asks, ...workers].map((w) => w.opened));
      const asked = Number($("evaluations").value);
      let lines = [];
      for (;;) {
        const said = await asks.ask({ search: lines });
        log += said.log;
        for (const trial of said.trials) {
          if (trial.purpose !== "search") continue;
          const loss = trial.objectives?.[0] ?? null;
          losses.push(loss);
          const better = loss !== null && (!leader || trial.violation < leader.violation || (trial.violation === leader.violation && loss < leader.objectives[0]));
          if (better) leader = trial;
          best.push(leader?.objectives[0] ?? null);
          if (better) state.show = leader;
        }
        draw(losses, best);
        if (state.show) { Lab.put(1, state.show.x, "best so far (trial " + state.show.id + ")"); state.show = null; }
        if (said.done) { found = said.done; break; }
        const seconds = (performance.now() - since) / 1000, phase = losses.length < asked ? losses.length + " of " + asked + " evaluations" : "checking the best on fresh seeds";
        say(phase + (leader ? ", best loss " + Player.number(leader.objectives[0]) : "") + ", " + seconds.toFixed(0) + " s, " + count + " workers");
        lines = await answers(said.ask, workers, () => state.stopped);
      }
      const seconds = (performance.now() - since) / 1000;
      Lab.put(1, found.candidate, "found here");
      say(found.summary.verdict.sentences[0] + " (" + losses.length + " evaluations, " + seconds.toFixed(1) + " s)");
      $("best").disabled = false;
    } catch (e) {
      say(state.stopped ? "Stopped after " + losses.length + " evaluations; the log has them." : e.message.split("\n")[0]);
    }
    document.body.dataset.search = found ? "done" : "stopped";
    $("log").disabled = !log;
    $("search").textContent = "Search";
    [asks, ...workers].forEach((w) => w.end());
    running = null;
  };

  const begin = () => {
    const about = Lab.about();
    if (!about.columns.some((c) => c.wanted) || !about.genes.length || about.objectives.length > 1) { $("evolve").hidden = true; return; }
    const all = [about.optimizer, ...OPTIMIZERS.filter((o) => o !== about.optimizer)];
    $("optimizer").replaceChildren(...all.map((name) => { const o = Player.element("option", name); o.value = name; return o; }));
    $("evaluations").value = String(Math.min(200, about.evaluations));
    $("search").addEventListener("click", () => { if (running) running.stopped = true; else search(); });
    $("log").addEventListener("click", () => Player.save(new Blob([log], { type: "application/jsonl" }), "trials.jsonl"));
    $("best").addEventListener("click", () => Player.save(new Blob([found.preset], { type: "application/json" }), "best.json"));
  };

  return { begin, log: () => log };
})();
