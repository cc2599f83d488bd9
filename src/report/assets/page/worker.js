// A worker: one instance, which simulates a crowd ahead of the clock or answers parts of a search. The page puts instance.js before it.
let instance = null;
let run = 0;

const post = (message, transfer = []) => self.postMessage(message, transfer);

// Steps until it is over or something else is asked; frames go out in parcels, so that the page has them early.
const simulate = (id, { everySteps, measureEvery }) => {
  const PARCEL_MS = 30;
  let frame = 0;
  const measured = (time) => ({ time, ...instance.ask("measure") });
  let frames = [{ time: 0, out: 0, people: instance.people() }];
  let measures = [measured(0)];
  const parcel = () => {
    if (run !== id) return;
    const until = performance.now() + PARCEL_MS;
    let said = { over: false };
    while (!said.over && performance.now() < until) {
      said = instance.ask({ step: everySteps });
      frame++;
      frames.push({ time: said.time_s, out: said.out, people: instance.people() });
      if (said.over || frame % measureEvery === 0) measures.push(measured(said.time_s));
    }
    post({ do: "frames", id, frames, measures, over: said.over, failed: said.failed ?? null }, frames.map((f) => f.people.buffer));
    frames = [];
    measures = [];
    if (!said.over) next(parcel);
  };
  next(parcel);
};

// A turn of the event loop without the four milliseconds of a nested timeout, so that a new question is heard.
const turns = new MessageChannel();
let waiting = null;
turns.port1.onmessage = () => { const f = waiting; waiting = null; f?.(); };
const next = (f) => { waiting = f; turns.port2.postMessage(0); };

self.onmessage = ({ data }) => {
  try {
    if (data.do === "load") {
      instance = new Instance(data.module);
    } else if (data.do === "ask") {
      post({ do: "said", id: data.id, said: instance.ask(data.question) });
    } else if (data.do === "run") {
      run = data.id;
      const said = instance.ask({ start: data.start });
      post({ do: "started", id: data.id, said });
      simulate(data.id, data);
    } else if (data.do === "stop") {
      run = -1;
    }
  } catch (error) {
    // A panic ends the instance: the page makes a new worker.
    const dead = error instanceof WebAssembly.RuntimeError;
    post({ do: "failed", id: data.id, dead, why: dead ? "the simulator stopped: " + error.message : error.message });
  }
};
