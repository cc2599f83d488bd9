// Points and vectors of two numbers, m or m/s. All functions return new ones.
"use strict";

globalThis.crowdtune = globalThis.crowdtune || {};

(() => {
  const vec = (x, y) => ({ x, y });
  const ZERO = vec(0, 0);
  const add = (a, b) => vec(a.x + b.x, a.y + b.y);
  const sub = (a, b) => vec(a.x - b.x, a.y - b.y);
  const mul = (a, s) => vec(a.x * s, a.y * s);
  const neg = (a) => vec(-a.x, -a.y);
  const dot = (a, b) => a.x * b.x + a.y * b.y;
  /** Positive if `b` is to the left of `a`. */
  const cross = (a, b) => a.x * b.y - a.y * b.x;
  const length2 = (a) => dot(a, a);
  const length = (a) => Math.sqrt(length2(a));
  /** Turned left by a right angle. */
  const left = (a) => vec(-a.y, a.x);
  const isZero = (a) => a.x === 0 && a.y === 0;
  const same = (a, b) => a.x === b.x && a.y === b.y;

  /** Of length 1; zero for what is shorter than 1e-12. */
  function unit(a) {
    const l = length(a);
    return l > 1e-12 ? mul(a, 1 / l) : ZERO;
  }

  /** Cut to a length of `most`. */
  function limited(a, most) {
    const l2 = length2(a);
    return l2 > most * most ? mul(a, most / Math.sqrt(l2)) : a;
  }

  Object.assign(globalThis.crowdtune, {
    vec, ZERO, add, sub, mul, neg, dot, cross, length2, length, left, isZero, same, unit, limited,
  });
})();
