// A client of the TypeScript SDK watches sessions through a proxy that fails: node push.mjs cut|hole
// cut: connections are closed on both sides. hole: the client's side is closed, and the daemon goes on into the void.
// What is polled in the end must have been pushed, each event once and in order.
import net from "node:net";

const { RINGMASTER_URL: url, RINGMASTER_TOKEN: token, MCP_SDK: sdk, MCP_CWD: cwd } = process.env;
const failure = process.argv[2];
const { Client } = await import(`${sdk}/client/index.js`);
const { StreamableHTTPClientTransport } = await import(`${sdk}/client/streamableHttp.js`);
const { LoggingMessageNotificationSchema } = await import(`${sdk}/types.js`);

const daemon = new URL(url);
const pairs = new Set();
const proxy = net.createServer((client) => {
  const server = net.connect(daemon.port, daemon.hostname);
  const pair = { client, server, swallowed: false };
  pairs.add(pair);
  client.on("data", (d) => server.write(d.toString("latin1").replace(`127.0.0.1:${proxy.address().port}`, daemon.host), "latin1"));
  server.on("data", (d) => pair.swallowed || client.write(d));
  const end = () => {
    if (pair.swallowed) return;
    client.destroy();
    server.destroy();
    pairs.delete(pair);
  };
  for (const socket of [client, server]) socket.on("error", () => {}).on("close", end);
});
await new Promise((up) => proxy.listen(0, "127.0.0.1", up));

const fail = () => {
  for (const pair of [...pairs]) {
    pair.swallowed = failure === "hole";
    pair.client.destroy();
  }
};

const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${proxy.address().port}/mcp`), {
  requestInit: { headers: { authorization: `Bearer ${token}` } },
  reconnectionOptions: { initialReconnectionDelay: 100, maxReconnectionDelay: 1000, reconnectionDelayGrowFactor: 1.5, maxRetries: 20 },
});
const client = new Client({ name: "push", version: "1" });
client.onerror = () => {};
const pushed = [];
let arrived = () => {};
client.setNotificationHandler(LoggingMessageNotificationSchema, (n) => {
  pushed.push(n.params.data);
  arrived();
});
await client.connect(transport);
await client.setLoggingLevel("info");
const call = async (name, args) => {
  const r = await client.callTool({ name, arguments: args });
  if (r.isError) throw new Error(JSON.stringify(r.content));
  return r.structuredContent;
};

let id;
const turns = 12;
for (let turn = 1; turn <= turns; turn++) {
  const steps = [];
  for (let i = 0; i < 5; i++) steps.push({ say: { text: `${turn}.${i}` } }, { tool: { name: "look", output: ["nothing"] } }, { wait: { for: "50ms" } });
  const message = "```script\n" + JSON.stringify(steps) + "\n```";
  const m = await call("session_message", id ? { session_id: id, message } : { agent: "scripted", cwd, message, new_session: true });
  id = m.session_id;
  const idle = () => pushed.filter((e) => e.type === "status" && e.text === "idle").length;
  let failed = turn % 3 !== 0;
  while (idle() < turn) {
    await new Promise((next) => (arrived = next));
    if (!failed && pushed.some((e) => e.text?.includes(`${turn}.1`))) {
      failed = true;
      fail();
    }
  }
}

const types = ["status", "tool_call", "tool_result", "completion", "error"];
const polled = [];
for (let since = -1, more = true; more; ) {
  const page = await call("session_events", { session_id: id, since_index: since, types, max_events: 1000 });
  polled.push(...page.events);
  since = page.last_index;
  more = page.has_more;
}
const seqs = pushed.map((e) => e.seq);
const ordered = seqs.every((s, i) => i === 0 || s > seqs[i - 1]);
const missing = polled.filter((e) => !seqs.includes(e.seq)).length;
console.log(`TypeScript  ${failure}: ${pushed.length} pushed, ${polled.length} of them polled, ${missing} missing, in order and none twice: ${ordered}`);
process.exit(ordered && missing === 0 && polled.length > 2 * turns ? 0 : 1);
