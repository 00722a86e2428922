// The official tasks client against the built daemon: node tasks.mjs PROGRAM FOLDER
// Each way that a task can go is gone through, and must be told as it was.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Daemon, message, pause, until } from "./daemon.mjs";

const [program, work] = process.argv.slice(2);
const modules = process.env.MCP_MODULES;
const load = (name) => import(pathToFileURL(path.join(modules, name)).href);
const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client/dist/index.mjs");
const { createTaskSessionFromClient } = await load("@modelcontextprotocol/ext-tasks/dist/client/index.js");

const daemon = new Daemon(program, work);
await daemon.start();
const cwd = daemon.root;
const revision = "2026-07-28";
const authorization = () => `Bearer ${daemon.token}`;

// dispatch sends one request of tasks, which the SDK's own client does not let through, and tries again while no daemon listens.
let requests = 0;
async function dispatch(request, { signal, context } = {}) {
  const id = ++requests;
  const headers = {
    accept: "application/json, text/event-stream", "content-type": "application/json", authorization: authorization(),
    "mcp-protocol-version": revision, "mcp-method": request.method,
    ...(request.method === "tools/call" ? { "mcp-name": request.params.name } : {}), ...context?.headers,
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id, ...request });
  const answer = await until("an answer", async () => {
    try {
      const response = await fetch(`${daemon.url}/mcp`, { method: "POST", headers, body, signal });
      return { media: response.headers.get("content-type") ?? "", text: await response.text() };
    } catch (error) {
      if (signal?.aborted) throw error;
      return undefined;
    }
  });
  const messages = answer.media.startsWith("text/event-stream")
    ? answer.text.split("\n").filter((line) => line.startsWith("data: {")).map((line) => JSON.parse(line.slice(6)))
    : [JSON.parse(answer.text)];
  const found = messages.find((m) => m.id === id);
  return found.error ? { kind: "error", error: found.error } : { kind: "result", result: found.result };
}

// connect makes a client of tasks; with asked it also declares elicitation, and asked answers what agents ask.
async function connect(asked) {
  const clientInfo = { name: "tasks", version: "1" };
  const clientCapabilities = asked ? { elicitation: {} } : {};
  const client = new Client(clientInfo, { capabilities: clientCapabilities, versionNegotiation: { mode: { pin: revision } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), { requestInit: { headers: { authorization: authorization() } } }));
  const session = createTaskSessionFromClient(client, {
    endpointId: "ringmaster", rawDispatch: dispatch, v2RequestFraming: { protocolVersion: revision, clientInfo, clientCapabilities },
    ...(asked ? { onInputRequest: asked } : {}), onError: (error) => { throw error; },
  });
  return { client, session };
}

const forms = [];
let reply = () => ({ action: "cancel" });
const { client, session } = await connect((request) => {
  forms.push(request);
  return reply(request.params);
});
const plain = await connect();

const call = async (name, args) => {
  const r = await client.callTool({ name, arguments: args });
  if (r.isError) throw new Error(JSON.stringify(r.content));
  return r.structuredContent;
};

// begin sends a message that becomes a task.
async function begin(args, by = session) {
  const execution = await by.callTool("session_message", args);
  want("it is a task", execution.kind, "task");
  const { taskId } = execution.handle;
  const states = [];
  const settled = execution.settle({ onEvent: (e) => e.type === "task" && states.push(e.task.status) });
  settled.catch(() => {});
  return { execution, taskId, states, session: taskId.split(".")[0], settled, controller: by.task(taskId) };
}
const fresh = (...steps) => begin({ agent: "scripted", cwd, new_session: true, message: message(...steps) });
const status = async (t) => (await t.controller.snapshot()).status;
const at = (t, wanted) => until(`${wanted} of ${t.taskId}`, async () => (await status(t)) === wanted);
const says = (t, text) => until(`${text} in ${t.session}`, async () =>
  JSON.stringify(await call("session_events", { session_id: t.session, types: ["delta", "message"] })).includes(text));

let checks = 0;
const wrong = [];
let row = "";
function want(what, got, wanted) {
  checks++;
  const right = wanted instanceof RegExp ? wanted.test(String(got)) : got === wanted;
  if (!right) wrong.push(`${row}: ${what}: got ${JSON.stringify(got)}, want ${wanted}`);
}

// ended waits for a task's end, which must be this one, and look the same to one who asks again.
async function ended(t, outcome, text, failed = false) {
  const { outcome: o } = await t.settled;
  want("its end", o.status, outcome);
  const view = await t.controller.snapshot();
  want("its status", view.status, outcome);
  switch (o.status) {
    case "completed":
      want("its text", o.result.content.map((c) => c.text).join(), text);
      want("isError", o.result.isError ?? false, failed);
      want("its session", o.result.structuredContent?.session_id, t.session);
      break;
    case "failed":
      want("its error", o.error.message, text);
      want("its message", view.statusMessage, text);
      break;
    default:
      want("its message", view.statusMessage, text);
  }
}

const long = { say: { text: "half of it and more ".repeat(200), every: "50ms" } };
const gated = { tool: {
  name: "bash", args: { command: "rm -r build" }, approve: true, output: ["gone"],
  allowed: [{ say: { text: "Removed." } }], denied: [{ say: { text: "Left alone." } }],
} };

const rows = {
  async "completed"() {
    await ended(await fresh({ say: { text: "I look." } }, { tool: { name: "look", output: ["nothing"] } }, { say: { text: "Nothing there." } }), "completed", "Nothing there.");
  },
  async "an approval, allowed"() {
    reply = () => ({ action: "accept", content: { option: "allow_once" } });
    const t = await fresh(gated);
    await ended(t, "completed", "Removed.");
    want("what it waited for", t.states.includes("input_required"), true);
    want("what was asked", forms.at(-1)?.kind + " " + forms.at(-1)?.params.message, /^elicitation .*rm -r build/s);
  },
  async "an approval, declined"() {
    reply = () => ({ action: "decline" });
    await ended(await fresh(gated), "completed", "Left alone.");
  },
  async "a question"() {
    reply = ({ requestedSchema }) => ({ action: "accept", content: { [Object.keys(requestedSchema.properties)[0]]: "red" } });
    await ended(await fresh({ ask: { method: "select", title: "Which colour?", options: ["red", "green"], then: [{ say: { text: "It is {{answer}}." } }] } }), "completed", "It is red.");
  },
  async "an approval that the client's user does not answer, and another one does"() {
    reply = () => ({ action: "cancel" });
    const seen = forms.length;
    const t = await fresh(gated);
    await until("the form", () => forms.length > seen);
    await pause(100);
    want("its status", await status(t), "input_required");
    await call("session_answer", { session_id: t.session, option: "allow_once" });
    await ended(t, "completed", "Removed.");
  },
  async "an approval, and a client that cannot be asked"() {
    const t = await begin({ agent: "scripted", cwd, new_session: true, message: message(gated) }, plain.session);
    const view = await until("the word of it", async () => {
      const v = await t.controller.snapshot();
      return v.statusMessage?.includes("session_answer") && v;
    });
    want("its status", view.status, "working");
    await call("session_answer", { session_id: t.session, option: "deny" });
    await ended(t, "completed", "Left alone.");
  },
  async "failed: the provider refuses"() {
    await ended(await fresh({ say: { text: "I try." } }, { fail: { error: "no more credit" } }), "completed", /no more credit/, true);
  },
  async "lost: kill -9 in mid text"() {
    const t = await fresh(long);
    await says(t, "half");
    const agents = daemon.agents(t.session);
    want("the agent's processes", agents.length, 1);
    for (const id of agents) process.kill(id, "SIGKILL");
    await ended(t, "failed", /lost/);
  },
  async "lost: it ends in the middle of a call"() {
    await ended(await fresh({ say: { text: "Soon." } }, { die: { signal: "SEGV", half: true } }), "failed", /lost/);
  },
  async "interrupted by somebody"() {
    const t = await fresh(long);
    await says(t, "half");
    await call("session_interrupt", { session_id: t.session });
    await ended(t, "cancelled", /interrupted/);
  },
  async "its session ended by somebody"() {
    const t = await fresh(long);
    await says(t, "half");
    const waiting = await begin({ session_id: t.session, message: "later" });
    await call("session_end", { session_id: t.session });
    await ended(t, "cancelled", /ended|interrupted/);
    await ended(waiting, "cancelled", /ended/);
  },
  async "cancelled"() {
    const t = await fresh(long);
    await says(t, "half");
    await t.controller.cancel();
    await ended(t, "cancelled", /interrupted/);
  },
  async "behind another one, and a third taken out"() {
    const first = await fresh({ say: { text: "The first.", every: "200ms", chunk: 2 } });
    const second = await begin({ session_id: first.session, message: message({ say: { text: "The second." } }) });
    const third = await begin({ session_id: first.session, message: message({ say: { text: "The third." } }) });
    want("the second's status", await status(second), "working");
    await third.controller.cancel();
    await ended(third, "cancelled", /queue/);
    await ended(first, "completed", "The first.");
    await ended(second, "completed", "The second.");
  },
  async "steered into a running turn"() {
    const first = await fresh({ say: { text: "Before it." } }, { tool: { name: "look", output: ["a", "b"], every: "500ms" } });
    await says(first, "Before");
    const second = await begin({ session_id: first.session, message: "rather say no", streaming_behavior: "steer" });
    await ended(second, "completed", /^I heard: rather say no$/);
    await ended(first, "completed", /./);
  },
  async "through kill -9 and a new start of the daemon"() {
    const done = await fresh({ say: { text: "Done." } });
    await ended(done, "completed", "Done.");
    const running = await fresh(long);
    await says(running, "half");
    const waiting = await begin({ session_id: running.session, message: message({ say: { text: "Still here." } }) });
    await daemon.end("SIGKILL");
    await daemon.start();
    await ended(running, "failed", /daemon/);
    await ended(waiting, "completed", "Still here.");
    await ended(done, "completed", "Done.");
  },
  async "a task that there is not"() {
    const error = await session.task("00000000-0000-4000-8000-000000000000.p1").snapshot().catch((e) => e);
    want("its code", error.code, -32602);
  },
};

const only = process.env.TASKS_ONLY;
for (const [name, run] of Object.entries(rows)) {
  if (only && !name.includes(only)) continue;
  row = name;
  try {
    await run();
  } catch (error) {
    wrong.push(`${name}: ${error.stack}`);
  }
}
await daemon.end();
console.log(`tasks       ${Object.keys(rows).length} ways, ${checks} checks, ${wrong.length} wrong`);
for (const w of wrong) console.log(`tasks: ${w}`);
process.exit(wrong.length === 0 ? 0 : 1);
