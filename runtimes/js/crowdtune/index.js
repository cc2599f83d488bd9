// For node: `const crowdtune = require("./crowdtune")`. A page names these files in this order.
"use strict";

for (const file of ["vector", "place", "crowd", "social_force", "five_force", "orca", "load"]) require(`./${file}.js`);
module.exports = globalThis.crowdtune;
