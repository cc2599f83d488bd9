// The same bits in WebAssembly as in the program: `node crates/web/tests/digests.mjs target/web/crowdtune.wasm`.
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const Instance = new Function(readFileSync(join(root, "src/report/assets/page/instance.js"), "utf8") + "; return Instance;")();
const module = new WebAssembly.Module(readFileSync(process.argv[2] ?? join(root, "target/web/crowdtune.wasm")));
const golden = new Map(readFileSync(join(root, "tests/golden/digests.txt"), "utf8").trim().split("\n").map((line) => line.split(" ")));
let wrong = 0;
const check = (name, found, wanted) => {
  if (found !== wanted) wrong++;
  console.log(found === wanted ? "same " : "OTHER", name, found.slice(0, 16));
};

const imports = WebAssembly.Module.imports(module).length;
check("no imports", String(imports), "0");
for (const { name, text } of JSON.parse(readFileSync(join(here, "digests.json"), "utf8"))) {
  const one = new Instance(module);
  one.ask({ open: { file: "scene.toml", text } });
  one.ask({ start: { case: 0, seed: 1, every_step: true } });
  one.ask({ step: 60 });
  check(name, one.ask("measure").digest, golden.get(name));
}

// The search of the golden tests, its questions answered by two instances in turn.
const source = readFileSync(join(root, "tests/golden/main.rs"), "utf8");
const text = 'format = 1\nmodel = "social_force"\n' + /const SEARCH: &str = r#"([^]*?)"#;/.exec(source)[1];
const [asks, ...answerers] = [0, 1, 2].map(() => {
  const one = new Instance(module);
  one.ask({ open: { file: "scene.toml", text } });
  return one;
});
let log = "", answers = [];
for (;;) {
  const said = asks.ask({ search: answers });
  log += said.log;
  if (said.done) break;
  answers = said.ask.map((line, i) => JSON.stringify(answerers[i % 2].ask({ answer: JSON.parse(line) })));
}
const rows = log.slice(log.indexOf("\n") + 1);
check("search/ga", createHash("sha256").update(rows).digest("hex"), golden.get("search/ga"));
process.exit(wrong ? 1 : 0);
