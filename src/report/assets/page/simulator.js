// The simulator of the page: its module, and workers that each have an instance.
const Simulator = (() => {
  const packed = () => document.getElementById("wasm")?.textContent.trim() ?? "";
  let module = null;

  const bytes = (base64) => {
    const text = atob(base64), out = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
    return out;
  };

  // Unpacks and compiles once; null where the page has none or the browser cannot run it.
  const load = () => {
    module ??= (async () => {
      const text = packed();
      if (!text || typeof DecompressionStream === "undefined" || typeof Worker === "undefined") return null;
      try {
        const stream = new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
        return await WebAssembly.compile(await new Response(stream).arrayBuffer());
      } catch {
        return null;
      }
    })();
    return module;
  };

  let address = null;
  const script = () => {
    address ??= URL.createObjectURL(new Blob([document.getElementById("worker").textContent], { type: "text/javascript" }));
    return address;
  };

  // A worker with an experiment open. `ask` promises the answer to a question; `run` sends frames to a listener.
  class Hand {
    constructor(module, open) {
      this.module = module;
      this.open = open;
      this.questions = 0;
      this.waiting = new Map();
      this.listener = null;
      this.start();
    }

    start() {
      this.worker = new Worker(script());
      this.worker.onmessage = ({ data }) => this.hear(data);
      this.worker.onerror = (event) => this.hear({ do: "failed", id: null, dead: true, why: event.message || "the worker stopped" });
      this.worker.postMessage({ do: "load", module: this.module });
      this.opened = this.ask({ open: this.open });
      this.opened.catch(() => {});
    }

    ask(question) {
      const id = ++this.questions;
      return new Promise((resolve, reject) => {
        this.waiting.set(id, { resolve, reject });
        this.worker.postMessage({ do: "ask", id, question });
      });
    }

    run(start, how, listener) {
      const id = ++this.questions;
      this.listener = { id, ...listener };
      this.worker.postMessage({ do: "run", id, start, ...how });
    }

    hear(data) {
      const asked = this.waiting.get(data.id);
      if (data.do === "said") { this.waiting.delete(data.id); asked?.resolve(data.said); }
      else if (data.do === "failed") {
        this.waiting.delete(data.id);
        asked?.reject(new Error(data.why));
        if (data.id === null || data.id === this.listener?.id) this.listener?.failed(data.why);
        if (data.dead) {
          for (const { reject } of this.waiting.values()) reject(new Error(data.why));
          this.waiting.clear();
          this.worker.terminate();
          this.start();
        }
      } else if (data.id === this.listener?.id) this.listener[data.do]?.(data);
    }

    end() { this.worker.terminate(); }
  }

  return { load, Hand };
})();
