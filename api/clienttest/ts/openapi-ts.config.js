// What a user of Hey API writes, and the ends of imports that this folder's module resolution wants.
export default {
  input: "../../openapi.json",
  output: { path: "hey", module: { extension: ".js" } },
  plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
  logs: { level: "error", file: false },
};
