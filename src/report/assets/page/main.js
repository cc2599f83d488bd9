// What the page shows: recorded crowds at once, simulated ones where it has a simulator.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const embedded = /#.*\bembed\b/.test(location.hash);
  document.body.classList.toggle("embed", embedded);
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
    const crowds = file.crowds.map((one) => Crowd.recorded(file, one));
    Player.show({ file, crowds, columns: data.columns ?? [], note: file.note });
  };

  if (data.replays.length) recorded(0);
  const cases = document.getElementById("recorded");
  if (cases && data.replays.length > 1) {
    cases.hidden = false;
    const select = cases.querySelector("select");
    select.append(...data.replays.map((file, i) => { const o = Player.element("option", file.case || file.title); o.value = String(i); return o; }));
    select.addEventListener("change", () => { Player.seek(0); recorded(Number(select.value)); });
  }
  if (data.replays.length) play(Player.ended());

  const lab = async () => {
    if (!data.lab) return;
    try {
      if (await Lab.begin(data.lab)) {
        if (cases) cases.hidden = true;
        Evolve.begin();
        if (!data.replays.length) play(30);
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
