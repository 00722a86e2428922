// Clients of the official SDKs, of both versions and both eras, whose user is asked what an agent asks: node asks.mjs PROGRAM FOLDER
// None of them sets a log level, as hosts do not.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Daemon, message, until } from "./daemon.mjs";

const [program, work] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(process.env.MCP_MODULES, "@modelcontextprotocol", name)).href);
const older = await load("sdk/dist/esm/client/index.js");
const { StreamableHTTPClientTransport: OlderHTTP } = await load("sdk/dist/esm/client/streamableHttp.js");
const { StdioClientTransport } = await load("sdk/dist/esm/client/stdio.js");
const { ElicitRequestSchema } = await load("sdk/dist/esm/types.js");
const newer = await load("client/dist/index.mjs");

const daemon = new Daemon(program, work);
await daemon.start();
const cwd = daemon.root;
const url = new URL(`${daemon.url}/mcp`);
const requestInit = { headers: { authorization: `Bearer ${daemon.token}` } };
const who = { name: "asks", version: "1" };
const capabilities = { elicitation: {} };
const gated = message({ tool: {
  name: "bash", args: { command: "rm -r build" }, approve: true, output: ["gone"],
  allowed: [{ say: { text: "Removed." } }], denied: [{ say: { text: "Left alone." } }],
} });

const of = {
  async "SDK 1, HTTP"(asked) {
    const client = new older.Client(who, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, asked);
    await client.connect(new OlderHTTP(url, { requestInit }));
    return client;
  },
  async "SDK 1, standard input"(asked) {
    const client = new older.Client(who, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, asked);
    await client.connect(new StdioClientTransport({ command: program, args: ["mcp", "--data", daemon.data], stderr: "ignore" }));
    return client;
  },
  async "SDK 2, 2025-11-25"(asked) {
    const client = new newer.Client(who, { capabilities });
    client.setRequestHandler("elicitation/create", asked);
    await client.connect(new newer.StreamableHTTPClientTransport(url, { requestInit }));
    return client;
  },
  async "SDK 2, 2026-07-28"(asked) {
    const client = new newer.Client(who, { capabilities, versionNegotiation: { mode: { pin: "2026-07-28" } } });
    client.setRequestHandler("elicitation/create", asked);
    await client.connect(new newer.StreamableHTTPClientTransport(url, { requestInit }));
    return client;
  },
};
const answers = {
  allowed: [{ action: "accept", content: { option: "allow_once" } }, "Removed."],
  declined: [{ action: "decline" }, "Left alone."],
  closed: [{ action: "cancel" }, undefined],
};

const wrong = [];
let rounds = 0;
for (const [name, connect] of Object.entries(of)) {
  const forms = [];
  let reply;
  const client = await connect(async ({ params }) => {
    forms.push(params);
    return reply;
  });
  const call = async (tool, args) => {
    const r = await client.callTool({ name: tool, arguments: args });
    if (r.isError) throw new Error(JSON.stringify(r.content));
    return r.structuredContent;
  };
  for (const [what, [does, text]] of Object.entries(answers)) {
    rounds++;
    reply = does;
    const seen = forms.length;
    try {
      const { session_id: id } = await call("session_message", { agent: "scripted", cwd, new_session: true, message: gated });
      const { sessions: [told] } = await call("session_join", { session_ids: [id] });
      if (forms.length !== seen + 1 || !forms.at(-1).message.includes("rm -r build")) throw new Error(`asked ${JSON.stringify(forms.slice(seen))}`);
      if (told.text !== text || told.requests.length !== (text ? 0 : 1)) throw new Error(JSON.stringify(told));
      if (!text) { // others may answer, and the user is not asked again
        await call("session_answer", { session_id: id, option: "deny" });
        await until("the end", async () => (await call("session_join", { session_ids: [id] })).sessions[0].text === "Left alone.");
        if (forms.length !== seen + 1) throw new Error("asked again");
      }
    } catch (error) {
      wrong.push(`${name}, ${what}: ${error.message}`);
    }
  }
  await client.close();
}
await daemon.end();
console.log(`asks        ${rounds} rounds of ${Object.keys(of).length} clients, ${wrong.length} wrong`);
for (const w of wrong) console.log(`asks: ${w}`);
process.exit(wrong.length === 0 ? 0 : 1);
