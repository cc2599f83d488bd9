export { axisBottom, axisLeft } from "d3-axis";
export { brush, brushY } from "d3-brush";
export { scaleLinear, scaleLog, scalePoint } from "d3-scale";
export { pointer, select } from "d3-selection";
export { curveStepAfter, line } from "d3-shape";
