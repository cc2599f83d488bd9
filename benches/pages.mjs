// What pages cost. Needs target/web/crowdtune.wasm (crates/web/build) and, for `open` and `watch`, playwright-core and a Chromium.
//   node benches/pages.mjs speed                         1000 steps in WebAssembly, warm and the first of a process, beside native, interleaved, medians
//   node benches/pages.mjs open REPORT.html ...          bytes, first picture, interaction, memory of each page
//   node benches/pages.mjs watch PROGRAM FOLDER          CPU and delay of `crowdtune watch` while a search of FOLDER runs
import { readFileSync, statSync } from "node:fs";
import { spawn, spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { availableParallelism } from "node:os";
import http from "node:http";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const browser = async () => {
  // Where .ci/pages and `npm install` in crates/web/tests put it.
  const { chromium } = createRequire(join(root, "crates/web/tests/pages.mjs"))("playwright-core");
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-precise-memory-info"] });
};

// 1000 steps of a crowd in a room, ms.
const steps = (one, text) => {
  one.ask({ open: { file: "crowd.toml", text } });
  one.ask({ start: { case: 0 } });
  const since = performance.now();
  one.ask({ step: 1000 });
  return performance.now() - since;
};
const instances = () => {
  const Instance = new Function(readFileSync(join(root, "src/report/assets/page/instance.js"), "utf8") + "; return Instance;")();
  const module = new WebAssembly.Module(readFileSync(join(root, "target/web/crowdtune.wasm")));
  return () => new Instance(module);
};

// What `speed` asks of a process of its own, in which nothing is compiled yet.
const first = ([text]) => console.log(steps(instances()(), text));

const speed = () => {
  const instance = instances();
  spawnSync("cargo", ["build", "--release", "-p", "crowdtune-web", "--example", "speed"], { cwd: root, stdio: "inherit" });
  const native = (text, simd) => Number(spawnSync(join(root, "target/release/examples/speed"), { input: JSON.stringify(text) + "\n", env: { ...process.env, CROWDTUNE_SIMD: simd } }).stdout);
  // A browser compiles on all cores but one. The four threads that node has for it would take turns with the steps on a machine of two.
  const pool = `--v8-pool-size=${Math.max(1, availableParallelism() - 1)}`;
  const fresh = (text) => Number(spawnSync(process.execPath, [pool, fileURLToPath(import.meta.url), "first", text]).stdout);
  const widest = spawnSync("grep", ["-c", "avx512f", "/proc/cpuinfo"]).status === 0 ? "avx512" : "avx2";
  console.log("model         people  wasm ms  first ms  baseline ms  widest ms  wasm/baseline  first/baseline");
  for (const model of ["social_force", "orca", "five_force"]) for (const [count, side] of [[40, 8], [200, 15], [1000, 34]]) {
    const text = `model = "${model}"\nscenario.room = { kind = "room", count = ${count}, width_m = ${side}.0, depth_m = ${side}.0, limit_s = 600.0 }\nmeasure.left = { metric = "people_left" }\nsimulation.sample_every_s = 60.0\n`;
    const seen = { wasm: [], first: [], baseline: [], widest: [] };
    // The engine runs a quick translation first and compiles well meanwhile.
    for (const since = performance.now(); performance.now() - since < 2000;) steps(instance(), text);
    for (let round = 0; round < 7; round++) {
      seen.wasm.push(steps(instance(), text));
      seen.first.push(fresh(text));
      seen.baseline.push(native(text, "baseline"));
      seen.widest.push(native(text, widest));
    }
    const [w, f, b, a] = [seen.wasm, seen.first, seen.baseline, seen.widest].map(median);
    console.log(model.padEnd(14) + [[String(count), 5], [w.toFixed(1), 10], [f.toFixed(1), 10], [b.toFixed(1), 13], [a.toFixed(1), 11], [(w / b).toFixed(2), 15], [(f / b).toFixed(2), 16]].map(([text, width]) => text.padStart(width)).join(""));
  }
};

const open = async (files) => {
  const chrome = await browser();
  console.log("page                                       bytes  first picture  interaction  simulator   memory");
  for (const file of files) {
    const rounds = [];
    for (let round = 0; round < 5; round++) {
      const context = await chrome.newContext({ viewport: { width: 1400, height: 900 }, offline: true }), page = await context.newPage();
      await page.addInitScript(() => {
        // The first frame after the scripts ran is when a click is answered.
        document.addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => requestAnimationFrame(() => { window.answersAt = performance.now(); })));
      });
      await page.goto("file://" + resolve(file));
      await page.waitForFunction(() => window.answersAt);
      await page.evaluate(() => window.crowdtunePage?.lab);
      rounds.push(await page.evaluate(() => ({
        paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN, answers: window.answersAt, ready: performance.now(), memory: performance.memory.usedJSHeapSize,
      })));
      await context.close();
    }
    const of = (key) => median(rounds.map((r) => r[key]));
    console.log(`${file.slice(-38).padEnd(40)}${String(statSync(file).size).padStart(8)}${(of("paint").toFixed(0) + " ms").padStart(15)}${(of("answers").toFixed(0) + " ms").padStart(13)}${(of("ready").toFixed(0) + " ms").padStart(11)}${((of("memory") / 1e6).toFixed(0) + " MB").padStart(9)}`);
  }
  await chrome.close();
};

// Seconds of processor time of a process and its children so far.
const spent = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
const get = (port, path, headers = {}) => new Promise((done) => {
  const request = http.get({ host: "127.0.0.1", port, path, headers }, (answer) => done(answer));
  request.on("error", (e) => done({ statusCode: e.code }));
});

const watch = async ([program, folder, seconds = "30"]) => {
  const server = spawn(program, ["watch", folder], { stdio: ["ignore", "ignore", "pipe"] });
  const port = await new Promise((done) => server.stderr.on("data", (text) => { const found = /127\.0\.0\.1:(\d+)/.exec(text); if (found) done(Number(found[1])); }));
  console.log("another host:", (await get(port, "/", { Host: "example.org" })).statusCode, " forged Origin:", (await get(port, "/events", { Origin: "http://example.org" })).statusCode);
  const chrome = await browser(), page = await (await chrome.newContext({ viewport: { width: 1400, height: 900 } })).newPage(), cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  const task = async () => (await cdp.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForTimeout(3000);
  // The delay: from the moment when a log has so many rows to the moment when the page shows them.
  const logs = spawnSync("find", [folder, "-maxdepth", "3", "-name", "trials.jsonl"]).stdout.toString().trim().split("\n");
  const rows = () => logs.reduce((sum, path) => sum + readFileSync(path, "utf8").split("\n").length - 2, 0);
  const shown = () => page.evaluate(() => [...document.querySelectorAll("#runs tbody tr")].reduce((sum, row) => sum + Number(row.dataset.rows), 0));
  const [cpu0, page0, since] = [spent(server.pid), await task(), Date.now()], delays = [], seen = [];
  while (Date.now() - since < 1000 * Number(seconds)) {
    seen.push([Date.now(), rows()]);
    const there = await shown(), now = Date.now(), late = seen.find(([, n]) => n > there);
    if (late) delays.push(now - late[0]);
    await page.waitForTimeout(100);
  }
  const took = (Date.now() - since) / 1000;
  console.log(`server ${(100 * (spent(server.pid) - cpu0) / took).toFixed(1)} % of a core, page ${(100 * (await task() - page0) / took).toFixed(1)} % in ${took.toFixed(0)} s; what is not shown yet is ${median(delays)} ms old (median), at most ${Math.max(...delays)} ms`);
  const many = await Promise.all(Array.from({ length: 100 }, () => get(port, "/events")));
  const told = await Promise.all(many.map((answer) => new Promise((done) => { answer.once?.("data", () => done(true)); setTimeout(() => done(false), 10000); })));
  const [cpu1, then] = [spent(server.pid), Date.now()];
  await page.waitForTimeout(10000);
  console.log(`100 more pages: ${told.filter(Boolean).length} are told, server ${(100 * (spent(server.pid) - cpu1) / ((Date.now() - then) / 1000)).toFixed(1)} % of a core`);
  many.forEach((answer) => answer.destroy?.());
  await chrome.close();
  server.kill();
};

const [what, ...rest] = process.argv.slice(2);
await ({ speed, first, open, watch }[what] ?? (() => console.log("speed, open or watch")))(rest);
