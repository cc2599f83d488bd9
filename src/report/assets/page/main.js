// What the page shows: recorded crowds at once, simulated ones where it has a simulator.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const embedded = /#.*\bembed\b/.test(location.hash);
  document.body.classList.toggle("embed", embedded);
  // What scrolls by itself can be reached by keyboard.
  const reachable = () => document.querySelectorAll(".card, figure, pre").forEach((e) => {
    if (e.scrollWidth > e.clientWidth + 1) e.tabIndex = 0; else if (!e.dataset.keys) e.removeAttribute("tabindex");
  });
  new ResizeObserver(reachable).observe(document.body);
  document.addEventListener("toggle", reachable, true);
  if (!document.getElementById("player")) {
    if (data.charts) Charts.mount(document.getElementById("report"), data.charts, { pick: () => {} });
    return;
  }
  Player.begin();
  Player.offer("pressure", false);
  const hash = /[#&]t=([0-9.]+)/.exec(location.hash);

  const play = (end) => {
    Player.speed([1, 2, 4].find((s) => end / s <= 30) ?? 4);
    if (hash) Player.seek(Number(hash[1]));
    else if (!Player.calm()) Player.play(true);
  };

  const recorded = (at) => {
    const file = data.replays[at];
    // The crowds of a demonstration may walk in different places.
    const files = data.curve ? data.replays : [file];
    const crowds = files.flatMap((f) => f.crowds.map((one) => Object.assign(Crowd.recorded(f, one), { file: f })));
    Player.show({ file, crowds, columns: data.columns ?? [], note: file.note });
  };

  if (data.replays.length) recorded(0);
  const cases = document.getElementById("recorded");
  if (cases && data.replays.length > 1 && !data.curve) {
    cases.hidden = false;
    const select = cases.querySelector("select");
    select.append(...data.replays.map((file, i) => { const o = Player.element("option", file.case || file.title); o.value = String(i); return o; }));
    select.addEventListener("change", () => { Player.seek(0); recorded(Number(select.value)); });
  }
  if (data.replays.length) play(Player.ended());

  // A candidate of a chart is played where the page has a simulator; elsewhere its command is given.
  let simulates = false;
  const picked = (candidate) => {
    if (simulates) {
      Lab.put(1, candidate.values, candidate.label);
      Player.say("The right crowd is " + candidate.label + ".");
      document.getElementById("player").scrollIntoView({ block: "start", behavior: Player.calm() ? "auto" : "smooth" });
      return;
    }
    const pairs = data.charts.genes.map((gene, k) => "--set '" + gene.path + "=" + candidate.values[k] + "'");
    Player.copy(["crowdtune simulate experiment.toml", ...pairs].join(" "), "This page has no simulator; the command that simulates " + candidate.label);
    document.getElementById("player").scrollIntoView({ block: "start", behavior: Player.calm() ? "auto" : "smooth" });
  };
  if (data.charts) Charts.mount(document.getElementById("report"), data.charts, { pick: picked });

  if (data.curve) Charts.curve(document.getElementById("curve-place"), data.curve, (x) => simulates && Lab.turn(x));

  // The best candidate of a running search, as often as there is a better one.
  const follow = (run) => {
    let shown = null;
    new EventSource("/events").onmessage = (e) => {
      const said = JSON.parse(e.data);
      if (said.run !== run || !said.best?.x || said.best.id === shown) return;
      shown = said.best.id;
      Lab.put(1, said.best.x, "best so far (trial " + shown + ", loss " + Player.number(said.best.objectives[0]) + ")");
    };
  };

  const lab = async () => {
    if (!data.lab) return;
    try {
      if (await Lab.begin(data.lab, data.replays)) {
        if (cases) cases.hidden = true;
        Evolve.begin();
        if (!data.replays.length) play(30);
        simulates = true;
        if (data.follow) follow(data.follow);
        document.body.dataset.simulator = "on";
        return;
      }
      Player.say(data.replays.length ? "These crowds are recorded: this page has no simulator, so nothing can be changed here." : "This page has no simulator, and nothing was recorded.");
    } catch (e) {
      Player.say("These crowds are recorded: " + e.message.split("\n")[0] + ".");
    }
    document.getElementById("share").hidden = true;
    document.body.dataset.simulator = "off";
  };
  if (!data.lab) document.getElementById("share").hidden = true;
  window.crowdtunePage = { lab: lab(), data };
})();
