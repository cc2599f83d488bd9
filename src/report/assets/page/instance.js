// An instance of the simulator: one crowd, or one part of a search. Pages, their workers and node use it.
class Instance {
  constructor(module) {
    const { exports } = new WebAssembly.Instance(module, {});
    this.exports = exports;
    this.text = new TextDecoder();
  }

  // Asks in JSON; throws what the program would have said.
  ask(question) {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const room = this.exports.room(bytes.length);
    new Uint8Array(this.exports.memory.buffer, room, bytes.length).set(bytes);
    const [at, length] = this.span(this.exports.call(room, bytes.length));
    const said = JSON.parse(this.text.decode(new Uint8Array(this.exports.memory.buffer, at, length)));
    if (said.error) throw new Error(said.error);
    return said;
  }

  // A copy of the people: id, x, y, velocity x, velocity y, radius, group, pressure of each.
  people() {
    const [at, bytes] = this.span(this.exports.people());
    return new Float32Array(this.exports.memory.buffer.slice(at, at + bytes));
  }

  span(packed) {
    const both = BigInt.asUintN(64, packed);
    return [Number(both >> 32n), Number(both & 0xffffffffn)];
  }
}
