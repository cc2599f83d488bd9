// Sliders: the crowds of the page are simulated here, with any values of the parameters that the experiment searches.
const Lab = (() => {
  const $ = (id) => document.getElementById(id);
  const FRAME_S = 0.1, MEASURE_S = 0.5, WAIT_MS = 500, PATIENCE_MS = 120;
  let lab, module, hands = [], abouts = [], about, crowds = [], beside = [], state, linked = null, timer = 0;

  const copy = (value) => JSON.parse(JSON.stringify(value));

  // From a gene's axis to a slider and back; a logarithmic axis is even in the logarithm.
  const share = (gene, value) => {
    if (gene.type === "choice") return gene.choices.indexOf(value);
    if (gene.log) return Math.log(value / gene.low) / Math.log(gene.high / gene.low);
    return (value - gene.low) / (gene.high - gene.low);
  };
  const valueAt = (gene, u) => {
    const raw = gene.log ? gene.low * (gene.high / gene.low) ** u : gene.low + u * (gene.high - gene.low);
    return gene.type === "integer" ? Math.round(raw) : Math.min(gene.high, Math.max(gene.low, +raw.toPrecision(6)));
  };
  const shown = (gene, value) => (typeof value === "number" ? Player.number(value) : String(value)) + (gene.unit ? " " + gene.unit : "");

  // A side may have keys of its own: another model, another place of the slider.
  const open = (side = 0) => ({ ...lab.open, sets: [...(lab.open.sets ?? []), ...state.sets, ...(state.sides[side].sets ?? [])] });

  // Everything that a link has to say.
  const link = () => {
    const told = { v: 1, case: state.case, replica: state.replica, sets: state.sets, sides: state.sides, t: +Player.time().toFixed(2), digests: crowds.map((c) => c?.digest) };
    const bytes = new TextEncoder().encode(JSON.stringify(told));
    return location.href.split("#")[0] + "#c=" + btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };
  const unlink = () => {
    const found = /#c=([A-Za-z0-9_-]+)/.exec(location.hash);
    if (!found) return null;
    try {
      const bytes = Uint8Array.from(atob(found[1].replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
      const told = JSON.parse(new TextDecoder().decode(bytes));
      return told.v === 1 && Array.isArray(told.sides) ? told : null;
    } catch {
      return null;
    }
  };

  const say = (text) => { $("lab-said").textContent = text; };

  // Opens the experiment in both hands; promises what it is.
  const reopen = async () => {
    hands.forEach((hand) => hand.end());
    hands = state.sides.map((_, side) => new Simulator.Hand(module, open(side)));
    abouts = await Promise.all(hands.map((hand) => hand.opened));
    about = abouts[0];
  };

  // Simulates one side from the start; the crowd before stays until the new one has come as far as the clock.
  const run = (side) => {
    const scenario = abouts[side].scenarios[state.case], dt = abouts[side].time_step_s, everySteps = Math.max(1, Math.round(FRAME_S / dt));
    const { label, values } = state.sides[side], everyS = everySteps * dt;
    const crowd = Object.assign(new Crowd.Crowd(label, everyS, Crowd.ringsOf(scenario.place)), { file: scenario.place }), since = performance.now();
    const put = () => {
      if (crowds[side] === crowd) return;
      crowds[side] = crowd;
      present();
    };
    const listener = {
      started: ({ said }) => { crowd.total = said.people; },
      frames: ({ frames, measures, over, failed }) => {
        frames.forEach((frame) => crowd.add(Crowd.frameOf(frame)));
        crowd.measures.push(...measures);
        crowd.digest = measures[measures.length - 1]?.digest ?? crowd.digest;
        crowd.failed = failed;
        crowd.complete = over;
        if (!crowds[side] || crowd.end >= Player.time() || over || performance.now() - since > WAIT_MS) put();
        if (crowds[side] === crowd) Player.grown();
        if (over) done(side, crowd);
      },
      failed: (why) => { say(why); crowd.failed = why; },
    };
    hands[side].run({ case: state.case, candidate: values, replica: state.replica }, { everySteps, measureEvery: Math.max(1, Math.round(MEASURE_S / everyS)) }, listener);
  };

  const done = (side, crowd) => {
    const wanted = linked?.digests?.[side];
    if (wanted) say(wanted === crowd.digest ? "The same crowd as in the link (digest " + crowd.digest.slice(0, 12) + ")." : "Another crowd than in the link: the page was made by another version.");
    if (crowds.every((c) => c?.complete)) document.body.dataset.digests = crowds.map((c) => c.digest).join(" ");
  };

  const runAll = () => { delete document.body.dataset.digests; crowds = []; state.sides.forEach((_, side) => run(side)); };

  const present = () => {
    if (crowds.filter(Boolean).length < state.sides.length) return;
    const scenario = about.scenarios[state.case];
    const columns = abouts[0].columns.map((c, k) => ({ name: c.name, unit: c.unit, wanted: c.wanted, here: scenario.columns[k] }));
    const seed = "Fresh seed " + (state.replica + 1) + " of the report, the same for " + (crowds.length > 1 ? "both" : "all");
    // Beside the crowds of the page those of a recording, whatever is set here.
    const all = [...crowds, ...beside.filter(([name]) => name === scenario.name).map(([, crowd]) => crowd)];
    Player.show({ file: scenario.place, crowds: all, columns, limit: Math.max(...crowds.map((c) => c.end)), note: seed });
  };

  // The values of a side in the form; the published ones and the tuned ones are marked.
  const form = () => {
    const { values } = state.sides[state.active];
    if (lab.slider) {
      $("dial").value = String(dialled(state.active));
      $("sliders").querySelector("output").textContent = Player.number(dialled(state.active)) + (lab.slider.unit ? " " + lab.slider.unit : "");
      return;
    }
    about.genes.forEach((gene, k) => {
      const row = $("sliders").children[k];
      if (gene.type === "choice") row.querySelector("select").value = String(gene.choices.indexOf(values[k]));
      else {
        const slider = row.querySelector("[type=range]");
        slider.value = String(share(gene, values[k]));
        slider.setAttribute("aria-valuetext", shown(gene, values[k]));
        row.querySelector("[type=number]").value = String(+values[k].toPrecision(5));
      }
    });
  };

  const change = (k, value) => {
    const side = state.sides[state.active];
    side.values[k] = value;
    side.label = label(side.values);
    linked = null;
    form();
    clearTimeout(timer);
    timer = setTimeout(() => { names(); run(state.active); }, PATIENCE_MS);
  };

  // What values are called: those of a preset by its name, others by what they are.
  const label = (values) => {
    const same = (other) => other && other.every((v, k) => v === values[k] || Math.abs(v - values[k]) <= 1e-9 * Math.abs(v));
    if (same(about.genes.map((g) => g.default))) return "defaults";
    const known = lab.sides.find((s) => same(s.values));
    return known ? known.label : "changed";
  };

  const names = () => {
    [...$("sides").querySelectorAll("span")].forEach((span, side) => { span.textContent = (state.sides.length > 1 ? ["left", "right"][side] + ": " : "") + state.sides[side].label; });
  };

  // The slider of a demonstration: a key of the file.
  const dial = (root) => {
    const { key, label: name, unit, low, high, step } = lab.slider, row = Player.element("div", undefined, "gene wide"), words = Player.element("label", name);
    const slider = Player.element("input"), track = Player.element("div", undefined, "track"), out = Player.element("output");
    words.htmlFor = slider.id = "dial";
    if (unit) words.append(" ", Player.element("small", unit));
    Object.assign(slider, { type: "range", min: String(low), max: String(high), step: String(step) });
    slider.addEventListener("input", () => turn(Number(slider.value)));
    track.append(slider);
    row.append(words, track, out);
    root.append(row);
  };
  const dialled = (side) => Number(state.sides[side].sets.find(([key]) => key === lab.slider.key)?.[1]);
  const turn = (value) => {
    const side = state.sides[state.active], round = +value.toFixed(6);
    side.sets = [...side.sets.filter(([key]) => key !== lab.slider.key), [lab.slider.key, String(round)]];
    side.label = [side.line, round + (lab.slider.unit ? " " + lab.slider.unit : "")].filter(Boolean).join(", ");
    linked = null;
    form();
    clearTimeout(timer);
    timer = setTimeout(() => again(state.active), PATIENCE_MS);
  };
  const again = async (side) => {
    const hand = new Simulator.Hand(module, open(side));
    try {
      abouts[side] = await hand.opened;
      say("");
    } catch (e) {
      say(e.message.split("\n")[0]);
      hand.end();
      return;
    }
    hands[side].end();
    hands[side] = hand;
    names();
    run(side);
  };

  const sliders = () => {
    if (lab.slider) dial($("sliders"));
    else genes();
  };

  const genes = () => {
    const root = $("sliders"), tuned = lab.sides.find((s) => s.label !== "defaults")?.values;
    root.textContent = "";
    about.genes.forEach((gene, k) => {
      const row = Player.element("div", undefined, "gene"), id = "gene-" + k;
      const name = Player.element("label", gene.key);
      name.htmlFor = id;
      if (gene.unit) name.append(" ", Player.element("small", gene.unit));
      row.append(name);
      if (gene.type === "choice") {
        const select = Player.element("select");
        select.id = id;
        gene.choices.forEach((choice, i) => { const o = Player.element("option", String(choice)); o.value = String(i); select.append(o); });
        select.addEventListener("change", () => change(k, gene.choices[Number(select.value)]));
        row.append(select);
      } else {
        const track = Player.element("div", undefined, "track"), slider = Player.element("input"), number = Player.element("input");
        Object.assign(slider, { type: "range", min: "0", max: "1", step: gene.type === "integer" ? String(1 / Math.max(1, gene.high - gene.low)) : "0.001", id });
        Object.assign(number, { type: "number", min: String(gene.low), max: String(gene.high), step: gene.type === "integer" ? "1" : "any" });
        number.setAttribute("aria-label", gene.key + " as a number");
        slider.addEventListener("input", () => change(k, valueAt(gene, Number(slider.value))));
        number.addEventListener("change", () => { if (number.value !== "") change(k, Math.min(gene.high, Math.max(gene.low, Number(number.value)))); });
        const tick = (value, text, kind) => {
          const mark = Player.element("span", undefined, "tick " + kind);
          mark.style.left = "calc(9px + (100% - 18px) * " + Math.min(1, Math.max(0, share(gene, value))) + ")";
          mark.title = text + " " + shown(gene, value);
          track.append(mark);
        };
        track.append(slider);
        tick(gene.default, "published", "d");
        if (tuned) tick(tuned[k], "tuned", "t");
        row.append(track, number);
      }
      root.append(row);
    });
    const key = Player.element("p", undefined, "ticks");
    const swatch = (kind, text) => key.append(Player.element("span", undefined, "tick still " + kind), " " + text + " ");
    if (about.genes.some((g) => g.type !== "choice")) { swatch("d", "published value"); if (tuned) swatch("t", "tuned value"); root.append(key); }
  };

  const places = () => {
    $("case").replaceChildren(...about.scenarios.map((s, i) => { const o = Player.element("option", s.name + (s.held_out ? " (held out)" : "")); o.value = String(i); return o; }));
    $("case").value = String(state.case);
    $("replica").value = String(state.replica + 1);
    counts();
  };

  const counts = () => {
    const groups = about.scenarios[state.case].groups.filter((g) => g.key && g.key !== lab.slider?.key);
    $("counts").replaceChildren(...groups.map((group) => {
      const field = Player.element("label", groups.length > 1 ? group.name : "People"), input = Player.element("input");
      Object.assign(input, { type: "number", min: "1", max: "5000", step: "1", value: String(group.count) });
      input.addEventListener("change", () => people(group.key, Number(input.value), input));
      field.append(" ", input);
      return field;
    }));
  };

  const people = async (key, count, input) => {
    if (!(count >= 1)) return;
    const before = copy(state.sets);
    state.sets = [...state.sets.filter(([k]) => k !== key), [key, String(Math.round(count))]];
    say("");
    try {
      await reopen();
    } catch (e) {
      say(e.message.split("\n")[0]);
      state.sets = before;
      await reopen();
      input.value = String(about.scenarios[state.case].groups.find((g) => g.key === key)?.count ?? "");
    }
    linked = null;
    runAll();
  };

  const radios = () => {
    const root = $("sides");
    [...root.querySelectorAll("label")].forEach((l) => l.remove());
    state.sides.forEach((_, side) => {
      const l = Player.element("label"), input = Player.element("input");
      Object.assign(input, { type: "radio", name: "side", checked: side === state.active });
      input.addEventListener("change", () => { state.active = side; form(); });
      l.append(input, " ", Player.element("span"));
      root.append(l);
    });
    root.hidden = state.sides.length < 2;
    names();
  };

  // Puts values onto a side: a candidate of a chart, the best of a search.
  const put = (side, values, name) => {
    side = Math.min(side, state.sides.length - 1);
    state.sides[side] = { label: name ?? label(values), values: [...values] };
    linked = null;
    names();
    if (side === state.active) form();
    run(side);
  };

  const command = () => {
    const pairs = about.genes.map((g, k) => "--set '" + g.path + "=" + state.sides[state.active].values[k] + "'");
    const sets = open(state.active).sets.map(([k, v]) => "--set '" + k + "=" + v + "'");
    return ["crowdtune simulate", lab.open.file, ...pairs, ...sets, "--scenario '" + about.scenarios[state.case].name + "'", "--fresh-seed " + (state.replica + 1)].join(" ");
  };

  const listen = () => {
    $("lab-form").addEventListener("submit", (e) => e.preventDefault());
    $("case").addEventListener("change", () => { state.case = Number($("case").value); linked = null; counts(); Player.seek(0); runAll(); });
    $("replica").addEventListener("change", () => { state.replica = Math.max(0, Math.round(Number($("replica").value) || 1) - 1); linked = null; runAll(); });
    const all = (pick, name) => () => put(state.active, about.genes.map(pick), name);
    $("published").addEventListener("click", all((g) => g.default, "defaults"));
    const tuned = lab.sides.find((s) => s.label !== "defaults");
    $("tuned").hidden = !tuned || !about.genes.length;
    $("published").hidden = $("preset").hidden = !about.genes.length;
    document.body.classList.toggle("lesson", !!lab.slider);
    if (lab.slider) $("lab-title").textContent = "Move the slider";
    $("tuned").addEventListener("click", all((_, k) => tuned.values[k], tuned?.label));
    $("command").addEventListener("click", () => Player.copy(command(), "The command", say));
    $("file").addEventListener("click", () => {
      for (const [name, text] of [[lab.open.file, lab.open.text], ...Object.entries(lab.open.files ?? {})]) Player.save(new Blob([text], { type: "text/plain" }), name);
    });
    $("preset").addEventListener("click", async () => {
      const text = await hands[state.active].ask({ preset: state.sides[state.active].values });
      Player.save(new Blob([text], { type: "application/json" }), Player.stem() + "-" + state.sides[state.active].label + ".json");
      run(state.active);
    });
    $("share").addEventListener("click", () => { const address = link(); history.replaceState(null, "", address); Player.copy(address, "The link", say); });
  };

  // Starts the simulator; false where there is none.
  const begin = async (data, replays) => {
    lab = data;
    beside = replays.flatMap((file) => file.crowds.filter((c) => c.label === "recorded").map((one) => [file.case, Crowd.recorded(file, one)]));
    module = await Simulator.load();
    if (!module) return false;
    linked = unlink();
    state = { case: lab.case ?? 0, replica: lab.replica ?? 0, sets: [], sides: copy(lab.sides), active: lab.sides.length - 1 };
    if (linked) Object.assign(state, { case: linked.case, replica: linked.replica, sets: linked.sets ?? [], sides: linked.sides });
    try {
      await reopen();
    } catch (e) {
      if (!linked) throw e;
      say("The link does not fit this page: " + e.message.split("\n")[0]);
      linked = null;
      Object.assign(state, { case: lab.case ?? 0, replica: lab.replica ?? 0, sets: [], sides: copy(lab.sides) });
      await reopen();
    }
    if (!state.sets.length && !state.sides[0].sets?.length && lab.digest && about.digest !== lab.digest) throw new Error("the simulator of this page is of another version than its data");
    Player.offer("pressure", true);
    $("lab").hidden = false;
    sliders();
    places();
    radios();
    form();
    listen();
    runAll();
    if (linked?.t) { const wait = setInterval(() => { if (crowds.every((c) => c && (c.end >= linked.t || c.complete))) { clearInterval(wait); Player.play(false); Player.seek(linked.t); } }, 50); }
    return true;
  };

  return { begin, put, turn, about: () => about, open, module: () => module, sides: () => state.sides, say, link, command };
})();
