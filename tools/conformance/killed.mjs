// Clients of the official SDKs, as hosts start servers: two that start `ringmaster mcp` at the same instant, each with a folder of its own,
// and whose daemon is killed between calls: node killed.mjs PROGRAM FOLDER
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { message, until } from "./daemon.mjs";

const [program, work] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(process.env.MCP_MODULES, "@modelcontextprotocol", name)).href);
const older = { ...await load("sdk/dist/esm/client/index.js"), ...await load("sdk/dist/esm/client/stdio.js") };
const types = await load("sdk/dist/esm/types.js");
const newer = { ...await load("client/dist/index.mjs"), ...await load("client/dist/stdio.mjs") };

const data = `${work}/data`;
const address = () => JSON.parse(fs.readFileSync(`${data}/address`, "utf8"));
const starts = (root) => ({ command: program, args: ["mcp", "--data", data, "--root", root], stderr: "ignore" });
const who = { name: "killed", version: "1" };

const wrong = [];
const check = (what, right, found) => {
  if (!right) wrong.push(`${what}: ${JSON.stringify(found)}`);
};
const one = { name: "SDK 1, 2025-11-25", root: `${work}/one`, pushed: [], updated: [] };
const two = { name: "SDK 2, 2026-07-28", root: `${work}/two`, updated: [] };
for (const { root } of [one, two]) fs.mkdirSync(root, { recursive: true });

one.client = new older.Client(who);
one.client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => one.pushed.push(params.data));
one.client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, ({ params }) => one.updated.push(params.uri));
two.client = new newer.Client(who, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
two.client.setNotificationHandler("notifications/resources/updated", ({ params }) => two.updated.push(params.uri));
await Promise.all([
  one.client.connect(new older.StdioClientTransport(starts(one.root))),
  two.client.connect(new newer.StdioClientTransport(starts(two.root))),
]);
await one.client.setLoggingLevel("info");

const call = async (host, name, args) => {
  const r = await host.client.callTool({ name, arguments: args });
  if (r.isError) throw new Error(JSON.stringify(r.content));
  return r.structuredContent;
};
const said = (text) => message({ say: { text } });
const log = () => fs.readFileSync(`${data}/daemon.log`, "utf8").split("\n").filter((line) => line.includes('"daemon runs"')).length;

for (const host of [one, two]) {
  await host.client.listTools(); // as hosts do
  const made = await call(host, "session_message", { agent: "scripted", cwd: host.root, message: said("One."), idempotency_key: host.name, mcp: true });
  host.session = made.session_id;
  host.uri = `session://${made.session_id}/log`;
  host.prompt = made.prompt_id;
}
check("one daemon", log() === 1, log());
check("a port of this machine", address().http?.startsWith("http://127.0.0.1:"), address());
await one.client.subscribeResource({ uri: one.uri });
two.listening = two.client.listen?.({ resourceSubscriptions: [two.uri] }) ?? two.client.subscribeResource({ uri: two.uri });
await two.listening;

const rounds = ["Two.", "Three.", "Four."];
for (const text of rounds) {
  const { pid } = address();
  process.kill(pid, "SIGKILL");
  for (const host of [one, two]) {
    try {
      const again = await call(host, "session_message", { agent: "scripted", cwd: host.root, message: said("One."), idempotency_key: host.name, mcp: true });
      check(`${host.name}: the same key`, again.session_id === host.session && again.prompt_id === host.prompt && again.repeated, again);
      host.updated.length = 0;
      await call(host, "session_message", { session_id: host.session, message: said(text) });
      await until("the answer", async () => (await call(host, "session_join", { session_ids: [host.session] })).sessions[0].text === text);
      await until("an update", () => host.updated.includes(host.uri));
    } catch (error) {
      wrong.push(`${host.name}, ${text}: ${error.message}`);
    }
  }
  check("another daemon", address().pid !== pid, address());
}
// A call that waits while the daemon is killed goes on with the next one.
for (const host of [one, two]) {
  try {
    const slow = message({ say: { text: "slow ".repeat(200), chunk: 5, every: "100ms" } });
    const { prompt_id: prompt } = await call(host, "session_message", { session_id: host.session, message: slow });
    const joined = call(host, "session_join", { session_ids: [host.session] });
    await until("its turn", async () => (await call(host, "session_get", { session_id: host.session })).state === "responding");
    process.kill(address().pid, "SIGKILL");
    const { sessions: [told] } = await joined;
    check(`${host.name}: a call that waits`, told.session_id === host.session && told.text !== rounds.at(-1), told);
    if (!prompt) throw new Error("no prompt");
  } catch (error) {
    wrong.push(`${host.name}, a call that waits: ${error.message}`);
  }
}
try {
  await until("the last push", () => one.pushed.some((it) => it.type === "completion" && it.text === rounds.at(-1)));
} catch (error) {
  wrong.push(`${one.name}: ${error.message}`);
}
const seqs = one.pushed.filter((it) => it.session_id === one.session).map((it) => it.seq);
check("pushed once, and in order", seqs.every((seq, i) => i === 0 || seq > seqs[i - 1]), seqs);
const texts = one.pushed.filter((it) => it.type === "completion").map((it) => it.text);
check("every answer was pushed", ["One.", ...rounds].every((text) => texts.includes(text)), texts);

for (const { client } of [one, two]) await client.close();
const { pid: last } = address();
process.kill(last, "SIGTERM");
await until("the end", () => !fs.existsSync(`/proc/${last}`));
const left = fs.readdirSync("/proc").filter((id) => {
  try {
    return fs.readFileSync(`/proc/${id}/cmdline`, "utf8").includes(`\0serve\0--data\0${data}\0`);
  } catch {
    return false; // not a process, or one that has ended
  }
});
check("no daemon is left", left.length === 0, left);
console.log(`killed      ${rounds.length} kills under 2 hosts, ${one.pushed.length} pushes, ${wrong.length} wrong`);
for (const w of wrong) console.log(`killed: ${w}`);
process.exit(wrong.length === 0 ? 0 : 1);
