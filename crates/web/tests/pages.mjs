// Pages as people use them, in an installed Chromium without a network: node pages.mjs PROGRAM FOLDER [CHROMIUM].
// FOLDER has play.html and report.html of configs/evacuation.toml, reports of a front and an atlas with their run folders beside
// them (front.html, front/), maybe others; pictures go into FOLDER/pictures.
import { chromium } from "playwright-core";
import { readFileSync, readdirSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [program, folder, browserPath = "/usr/bin/chromium"] = process.argv.slice(2);
const root = resolve(folder), pictures = join(root, "pictures");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SIZES = [[1400, 900], [800, 1000], [390, 844]];
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];
let failures = 0;
const check = (what, holds, found = "") => {
  if (!holds) failures++;
  if (!holds || found !== "") console.log(holds ? "ok  " : "FAIL", what, found);
};

mkdirSync(pictures, { recursive: true });
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
const open = async (name, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, offline: true, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (e) => page.errors.push(e.message));
  page.on("console", (m) => { if (m.type() === "error") page.errors.push(m.text()); });
  await page.goto("file://" + join(root, name) + (options.hash ?? ""));
  await page.evaluate(() => window.crowdtunePage?.lab);
  return page;
};
const simulated = (page) => page.waitForFunction(() => document.body.dataset.digests, null, { timeout: 120000 });
const close = async (page, name) => { check(name + ": no error", !page.errors.length, page.errors.join(" | ")); await page.context().close(); };
// Down the page and up again, so that every chart is drawn.
const scroll = async (page) => {
  const high = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < high; y += 600) { await page.evaluate((to) => window.scrollTo(0, to), y); await page.waitForTimeout(60); }
  await page.evaluate(() => window.scrollTo(0, 0));
};

// Nothing beside the screen, nothing that axe finds; a picture of it.
const sound = async (page, name, width, what) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check(`${what}: fits`, wide <= width, wide > width ? String(wide) : "");
  await page.evaluate(axe);
  const { violations } = await page.evaluate((tags) => axe.run(document, { runOnly: tags }), TAGS);
  for (const v of violations) check(`${what}: ${v.id}`, false, v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + (n.any[0]?.message ?? n.all[0]?.message ?? "")).join(" | "));
  await page.screenshot({ path: join(pictures, `${name.replace(".html", "").replace(/\W/g, "-")}-${what.split(" ").slice(-2).join("-")}.png`), fullPage: true });
};

// Every page, at every size, light and dark.
const looks = async (name) => {
  for (const [width, height] of SIZES) for (const colorScheme of ["light", "dark"]) {
    const page = await open(name, { viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
    await scroll(page);
    if (await page.evaluate(() => document.body.dataset.simulator === "on")) {
      await simulated(page);
      if (width === 1400 && colorScheme === "light") await commands(page, name);
    }
    await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
    await page.waitForTimeout(200);
    await sound(page, name, width, `${name} ${width} ${colorScheme}`);
    await close(page, `${name} ${width} ${colorScheme}`);
  }
};

// The experiment that a page saves and the command that it copies give its right crowd.
const commands = async (page, name) => {
  const wait = page.waitForEvent("download"), at = mkdtempSync(join(root, "saved-"));
  await page.locator("#file").click();
  const file = await wait;
  await file.saveAs(join(at, file.suggestedFilename()));
  const command = (await page.evaluate(() => Lab.command())).replace("crowdtune", program) + " --json";
  const found = JSON.parse(execFileSync("sh", ["-c", command], { cwd: at })).runs[0].values;
  const shown = await page.evaluate(() => Object.fromEntries(Lab.about().columns.map((c, k) => [c.name, Player.shown().crowds.at(-1).measures.at(-1).values[k]])));
  check(`${name}: the copied command simulates the crowd of the page`, JSON.stringify(found) === JSON.stringify(shown), JSON.stringify(shown));
  rmSync(at, { recursive: true });
};

// The sliders, the link, pictures, a video, a preset.
const plays = async () => {
  const page = await open("play.html");
  await simulated(page);
  const digests = () => page.evaluate(() => document.body.dataset.digests);
  const again = async (act) => { await page.evaluate(() => { delete document.body.dataset.digests; }); await act(); await simulated(page); };
  const golden = new Map(readFileSync(new URL("../../../tests/golden/digests.txt", import.meta.url), "utf8").trim().split("\n").map((line) => line.split(" ")));
  const cases = JSON.parse(readFileSync(new URL("digests.json", import.meta.url), "utf8"));
  const found = await page.evaluate(async (cases) => {
    const module = await Simulator.load(), all = [];
    for (const { name, text } of cases) {
      const hand = new Simulator.Hand(module, { file: "scene.toml", text });
      await hand.ask({ start: { case: 0, seed: 1, every_step: true } });
      await hand.ask({ step: 60 });
      all.push([name, (await hand.ask("measure")).digest]);
      hand.end();
    }
    return all;
  }, cases);
  const models = [...golden.keys()].filter((name) => name.startsWith("model/")).length;
  check("the digests of all models are those of the program", found.length === models && found.every(([name, digest]) => golden.get(name) === digest), found.map(([name]) => name.replace("model/", "")).join(", "));
  // The search of the golden tests: two workers answer it in turn.
  const source = readFileSync(new URL("../../../tests/golden/main.rs", import.meta.url), "utf8");
  const log = await page.evaluate(async (text) => {
    const module = await Simulator.load(), hands = [0, 1, 2].map(() => new Simulator.Hand(module, { file: "scene.toml", text }));
    let log = "", answers = [];
    for (;;) {
      const said = await hands[0].ask({ search: answers });
      log += said.log;
      if (said.done) break;
      answers = await Promise.all(said.ask.map(async (line, i) => JSON.stringify(await hands[1 + i % 2].ask({ answer: JSON.parse(line) }))));
    }
    hands.forEach((hand) => hand.end());
    return log;
  }, 'format = 1\nmodel = "social_force"\n' + /const SEARCH: &str = r#"([^]*?)"#;/.exec(source)[1]);
  const rows = log.slice(log.indexOf("\n") + 1);
  check("the digest of a search is that of the program", createHash("sha256").update(rows).digest("hex") === golden.get("search/ga"), `${rows.split("\n").length - 1} rows`);
  const first = await digests();
  check("the crowd plays by itself", (await page.evaluate(() => Player.time())) > 0);
  await again(async () => { await page.locator("#gene-1").focus(); for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowRight"); });
  check("a slider changes one crowd and not the other", (await digests()).split(" ")[0] === first.split(" ")[0] && (await digests()) !== first);
  await again(async () => { await page.locator("#counts input").fill("50"); await page.locator("#counts input").press("Enter"); });
  check("as many people as asked", (await page.locator("#stage .out").first().textContent()).includes("of 50 out"));
  const link = await page.evaluate(() => Lab.link()), other = await page.context().newPage();
  await other.goto(link);
  await other.evaluate(() => window.crowdtunePage.lab);
  await simulated(other);
  check("the link gives the same crowds", (await other.evaluate(() => document.body.dataset.digests)) === (await digests()), `${link.length} characters`);
  check("and says so", (await other.locator("#lab-said").textContent()).startsWith("The same crowd"));
  await other.close();
  await again(async () => { await page.locator("#replica").fill("7"); await page.locator("#replica").press("Enter"); });
  await commands(page, "play.html");
  const saved = async (act, name) => { const wait = page.waitForEvent("download"); await act(); const d = await wait, to = join(pictures, name); await d.saveAs(to); return readFileSync(to); };
  await page.evaluate(() => { Player.seek(0); Player.speed(4); });
  const video = await saved(async () => {
    await page.locator("#video").click();
    await page.waitForTimeout(2000);
    // A busy machine takes longer to draw as many pictures.
    await page.evaluate(() => new Promise((done) => { let left = 60; const drawn = () => { if (left--) requestAnimationFrame(drawn); else done(); }; drawn(); }));
    await page.locator("#video").click();
  }, "crowd.webm");
  const said = await page.locator("#said").textContent();
  // Played to its end by the decoder of the browser, which counts what it shows.
  const decoded = await page.evaluate(async (bytes) => {
    const video = document.createElement("video");
    video.muted = true;
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], { type: "video/webm" }));
    await video.play();
    await new Promise((ended) => { video.onended = ended; });
    return { frames: video.getVideoPlaybackQuality().totalVideoFrames, seconds: video.currentTime };
  }, video.toString("base64"));
  check("a video is recorded", video.subarray(0, 4).toString("hex") === "1a45dfa3" && decoded.frames > 20 && Math.abs(decoded.seconds - parseFloat(/saved: ([0-9.]+) s/.exec(said)[1])) < 0.5, `${decoded.frames} frames decoded in ${decoded.seconds.toFixed(1)} s, ${video.length} bytes; the page says: ${said}`);
  check("a picture is saved", (await saved(() => page.locator("#picture").click(), "crowd.png")).subarray(1, 4).toString() === "PNG");
  const preset = JSON.parse(await saved(() => page.locator("#preset").click(), "preset.json"));
  check("a preset is saved", preset.format === 1 && preset.model === "social_force");
  execFileSync(program, ["simulate", join(root, "evacuation.toml"), "--preset", join(pictures, "preset.json"), "--json"]);
  for (const color of ["speed", "density", "pressure", "group"]) await page.selectOption("#color", color);
  await page.keyboard.press("Escape");
  await page.locator("#time").click();
  for (const key of [" ", "ArrowRight", "t", "c", "Home"]) await page.keyboard.press(key);
  check("the keys play, step and color", (await page.evaluate(() => Player.time())) < 1 && (await page.locator("#trails").isChecked()) && (await page.locator("#color").inputValue()) === "speed");
  await close(page, "play.html");
};

// A search in the page leaves the log that the program writes.
const searches = async (evaluations) => {
  const page = await open("play.html");
  await page.locator("#evolve summary").click();
  for (const optimizer of ["ga", "auto"]) {
    await page.selectOption("#optimizer", optimizer);
    await page.fill("#evaluations", String(evaluations));
    await page.evaluate(() => { delete document.body.dataset.search; });
    const since = Date.now();
    await page.locator("#search").click();
    await page.waitForFunction(() => document.body.dataset.search, null, { timeout: 1200000 });
    const ms = Date.now() - since, out = join(root, "searched-" + optimizer);
    rmSync(out, { recursive: true, force: true });
    execFileSync(program, ["evolve", join(root, "evacuation.toml"), "--evaluations", String(evaluations), "--set", `search.optimizer=${optimizer}`, "--out", out, "--quiet"], { stdio: "ignore" });
    const log = await page.evaluate(() => Evolve.log()), native = readFileSync(join(out, "trials.jsonl"), "utf8");
    check(`the log of ${evaluations} evaluations by ${optimizer} is that of the program`, log === native, `${log.length} bytes, ${(ms / 1000).toFixed(1)} s`);
  }
  await close(page, "search");
};

// Every chart of a report: pointer, click, keys; brushes mark candidates everywhere.
const asks = async (report, folder) => {
  const page = await open(report + ".html", { reducedMotion: "reduce" });
  await simulated(page);
  await scroll(page);
  const charts = await page.locator("section.chart .picture").all();
  check(`${report}: charts are drawn`, charts.length >= 5, String(charts.length));
  for (const picture of charts) {
    await picture.scrollIntoViewIfNeeded();
    const name = await picture.evaluate((e) => e.parentElement.dataset.chart);
    const box = await picture.boundingBox();
    for (let i = 1; i < 8; i++) await page.mouse.move(box.x + box.width * i / 8, box.y + box.height * (0.25 + 0.06 * i));
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    if (await picture.evaluate((e) => e.tabIndex >= 0 && e.dataset.keys !== undefined)) {
      await picture.focus();
      await page.keyboard.press("ArrowRight");
      check(`${report}, ${name}: the keys tell a candidate`, (await page.locator(".aloud").textContent()).includes("trial"));
      await page.evaluate(() => { delete document.body.dataset.digests; });
      await page.keyboard.press("Enter");
      await simulated(page);
      check(`${report}, ${name}: Enter plays it`, /^(trial|cell)/.test(await page.locator("#stage .label").nth(1).textContent()));
    }
  }
  const told = await page.evaluate(async () => {
    const { lab, charts } = window.crowdtunePage.data, hand = new Simulator.Hand(await Simulator.load(), lab.open);
    const genes = (charts.front?.points ?? []).find((p) => p.recommended)?.genes ?? charts.trials.rows.find((row) => row[0] === charts.recommended)?.[2] ?? charts.genes.map((g) => g.tuned), values = [];
    for (const replica of [0, 1, 2]) {
      await hand.ask({ start: { case: 0, candidate: genes, replica } });
      for (let said = {}; !said.over;) said = await hand.ask({ step: 1000 });
      values.push((await hand.ask("measure")).values);
    }
    hand.end();
    return { values, recommended: charts.recommended };
  });
  const trials = readFileSync(join(root, folder, "trials.jsonl"), "utf8").trim().split("\n").slice(1).map((line) => JSON.parse(line));
  const genome = JSON.stringify(trials.find((t) => t.id === told.recommended)?.genome);
  const fresh = trials.find((t) => t.purpose === "report" && JSON.stringify(t.genome) === genome);
  check(`${report}: on three fresh seeds the recommended candidate of the charts has the values of the log, bit for bit`, JSON.stringify(told.values) === JSON.stringify(fresh?.values[0].slice(0, 3)), `trial ${told.recommended}: ${told.values[0]?.join(" ")}`);
  const loss = page.locator('[data-chart="loss"] .picture');
  await loss.scrollIntoViewIfNeeded();
  const box = await loss.boundingBox();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + 250, { steps: 5 });
  await page.mouse.up();
  check(`${report}: a brush marks candidates in all charts`, (await page.locator(".chosen-status").textContent()).includes("are marked") && (await page.locator('[data-chart="parallel"] .way.faded').count()) > 0);
  await page.locator(".chosen-status button").click();
  check(`${report}: and lets them go`, (await page.locator(".faded").count()) === 0);
  await close(page, report);
};

// `watch` beside a search that runs: its two pages, another run chosen while the table changes, the best crowd followed.
const watches = async () => {
  const runs = join(root, "watched");
  rmSync(runs, { recursive: true, force: true });
  mkdirSync(runs);
  const evolve = (...more) => ["evolve", join(root, "evacuation.toml"), "--quiet", ...more];
  execFileSync(program, evolve("--evaluations", "60", "--out", join(runs, "done")), { stdio: "ignore" });
  const search = spawn(program, evolve("--evaluations", "20000", "--threads", "1", "--out", join(runs, "running")), { stdio: "ignore" });
  const server = spawn(program, ["watch", runs], { stdio: ["ignore", "ignore", "pipe"] });
  const address = await new Promise((found) => server.stderr.on("data", (text) => { const at = /http:\S+/.exec(text); if (at) found(at[0]); }));
  try {
    for (const path of ["", "crowd/1"]) for (const [width, height] of SIZES) for (const colorScheme of ["light", "dark"]) {
      // The policy of the server forbids the script of axe; pages obey it but for that.
      const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce", bypassCSP: true }), page = await context.newPage();
      page.errors = [];
      page.on("pageerror", (e) => page.errors.push(e.message));
      page.on("console", (m) => { if (m.type() === "error") page.errors.push(m.text()); });
      await page.goto(address + path);
      if (path) await simulated(page); else await page.waitForFunction(() => document.querySelectorAll("#runs tbody tr").length === 2 && document.querySelector("#curves svg"));
      await sound(page, "watch-" + (path ? "crowd" : "runs"), width, `watch /${path} ${width} ${colorScheme}`);
      await close(page, `watch /${path}`);
    }
    // As it is served, with its policy.
    const page = await (await browser.newContext()).newPage();
    page.errors = [];
    page.on("pageerror", (e) => page.errors.push(e.message));
    page.on("console", (m) => { if (m.type() === "error") page.errors.push(m.text()); });
    await page.goto(address);
    const press = (name) => page.getByRole("button", { name, exact: true }), row = (name) => page.locator("#runs tbody tr", { has: press(name) });
    const rows = () => row("running").getAttribute("data-rows");
    await press("running").waitFor();
    // A press that takes a second, while the table changes below it.
    const before = await rows(), box = await press("done").boundingBox();
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.waitForFunction((before) => [...document.querySelectorAll("#runs tbody tr")].some((tr) => Number(tr.dataset.rows) > Number(before)), before);
    await page.mouse.up();
    await page.waitForTimeout(300);
    check("a run is chosen while the table changes", (await press("done").getAttribute("aria-pressed")) === "true" && (await page.locator("#one-title").textContent()).startsWith("done"), `${before} rows, then ${await rows()}`);
    await page.goto(address + "crowd/1");
    await simulated(page);
    check("the best crowd of the search is followed", (await page.locator("#stage .label").nth(1).textContent()).startsWith("best so far (trial"));
    await close(page, "watch with its policy");
  } finally {
    search.kill();
    server.kill();
  }
};

const only = process.env.CROWDTUNE_PAGES?.split(",") ?? ["looks", "plays", "searches", "asks", "watches"];
const names = readdirSync(root).filter((name) => name.endsWith(".html"));
if (only.includes("plays")) await plays();
if (only.includes("asks")) for (const [report, folder] of [["report", "run"], ["front", "front"], ["cells", "cells"]]) await asks(report, folder);
if (only.includes("searches")) await searches(Number(process.env.CROWDTUNE_EVALUATIONS ?? 48));
if (only.includes("watches")) await watches();
if (only.includes("looks")) for (const name of names) await looks(name);
await browser.close();
console.log(failures ? `${failures} checks failed` : "every check of the pages holds");
process.exit(failures ? 1 : 0);
