// Writes a description that Swagger Codegen can make a client of: node plain.js FROM TO. The generator looks for the name of a discriminator as Python spells it, so that no
// union could be read; without one, an event's own members are read, and the content of an entry stays as it came.
const fs = require("node:fs");

function plain(v) {
  if (v === null || typeof v !== "object") return;
  if (v.oneOf !== undefined) delete v.discriminator;
  Object.values(v).forEach(plain);
}

const description = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
plain(description);
fs.writeFileSync(process.argv[3], JSON.stringify(description));
