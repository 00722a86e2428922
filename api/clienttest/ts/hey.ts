// Reads a session with the client that Hey API made of the description: its stream and its log come as typed events. It exits
// with 0 when all is as described.
import assert from "node:assert/strict";
import { createClient, createConfig } from "./hey/client/index.js";
import { createSession, endSession, getMetrics, getSession, getSessionLog, getSessionState, readSessionEvents, sendPrompt, streamSession } from "./hey/index.js";
import type { ClientOptions, EntryData, SessionEvent, StreamMessage } from "./hey/index.js";

const { RINGMASTER_URL: baseUrl, RINGMASTER_TOKEN: token } = process.env;
assert(baseUrl && token, "RINGMASTER_URL and RINGMASTER_TOKEN name the daemon");
const client = createClient(createConfig<ClientOptions>({ baseUrl: baseUrl as `${string}://${string}`, auth: () => token }));

// The content of an entry narrows by entryType, and a case that is missing here does not compile.
function content(e: EntryData): string {
  switch (e.entryType) {
    case "user_message": case "assistant_message": return e.data.role + ": " + e.data.text;
    case "thinking": return (e.data.summary ?? [e.data.text]).join("\n");
    case "tool_call": return `${e.data.toolName} ${e.data.status} ${e.data.exitCode ?? ""}`;
    case "tool_result": return e.data.callId + e.data.output;
    case "plan": return (e.data.steps ?? []).map((s) => s.text).join("\n");
    case "compaction": return e.data.summary;
    case "system": return `${e.data.level ?? "info"}: ${e.data.text}`;
    default: { const never: never = e; return never; }
  }
}

// So do events by type, and entry_start and entry_end are such content.
function show(m: StreamMessage): string {
  switch (m.type) {
    case "entry_start": return m.entryId + content(m);
    case "entry_end": return m.entryType === "tool_call" ? m.data.toolName : content(m);
    case "entry_delta": return m.delta.op === "status_change" ? m.delta.status : m.delta.op;
    case "turn_end": return m.status;
    case "heartbeat": case "reset": case "damage": case "overflow": return "";
    default: return `${m.seq} ${m.type}`;
  }
}

// @ts-expect-error content that is not of its type does not compile
const bad: EntryData = { entryType: "tool_call", data: { text: "" } };
// @ts-expect-error nor does a status that is not described
const worse: SessionEvent = { type: "status", seq: 1, ts: 1, state: "nope", agentStatus: "idle" };
void bad, worse;

const created = await createSession({
  client, throwOnError: true,
  body: { agent: process.env.RINGMASTER_AGENT ?? "scripted", cwd: process.env.RINGMASTER_CWD ?? process.cwd(), prompt: "hello" },
});
assert(created.data.prompt);
const path = { id: created.data.id }, query = { since: created.data.prompt.cursor };

const live: StreamMessage[] = [];
let answer = "";
for await (const m of (await streamSession({ client, path, query })).stream) {
  if (!m) continue; // 204 says that there is nothing more
  show(m);
  live.push(m);
  if (m.type === "entry_end" && m.entryType === "assistant_message") answer += m.data.text;
  if (m.type === "turn_end") break;
}
assert(answer.includes("hello"), "the answer holds the prompt");

// One key is one prompt, and another prompt with it is refused.
const send = (text: string) => sendPrompt({ client, path, headers: { "Idempotency-Key": "from-hey" }, body: { text } });
const first = await send("once"), again = await send("once"), other = await send("another");
assert(first.data?.promptId && first.data.promptId === again.data?.promptId && again.data.repeated, "a prompt that is repeated is one");
assert.equal(other.error?.code, "conflict");

await endSession({ client, path, body: {}, throwOnError: true });
const log: StreamMessage[] = [];
for await (const m of (await readSessionEvents({ client, path, query })).stream) {
  show(m);
  log.push(m);
}
assert.deepEqual(log.slice(0, live.length), live, "stream and log are one");
assert.equal(log.at(-1)?.type, "session_end");

const bytes = await getSessionLog({ client, path, query, throwOnError: true });
const lines = (await bytes.data.text()).trimEnd().split("\n").map((l) => JSON.parse(l) as SessionEvent);
assert.deepEqual(lines, log, "the bytes of the log are the same events");

const none = [];
for await (const m of (await readSessionEvents({ client, path, query: { since: String(lines.at(-1)?.seq) } })).stream) none.push(m);
assert.deepEqual(none, [], "behind the newest event there is nothing, and no error");

const state = await getSessionState({ client, path, throwOnError: true });
assert(state.data.entries?.some((e) => e.entryType === "assistant_message" && e.data.text === answer && !e.open));
assert(state.data.entries?.every((e) => content(e) !== ""));

// What this client was not generated with can be read all the same.
const later = (text: string): typeof fetch => async () => new Response(text, { headers: { "Content-Type": "text/event-stream" } });
const unknown = [];
for await (const m of (await readSessionEvents({ client, path, fetch: later(
  'id: 7\ndata: {"seq":7,"ts":1,"type":"moon_phase","phase":"full"}\n\n' +
  'id: 8\ndata: {"seq":8,"ts":1,"type":"entry_end","entryId":"e1","entryType":"drawing","data":{"strokes":3}}\n\n') })).stream) {
  if (m.type === "entry_end") unknown.push(m.entryType, m.data);
  else if (m.type !== "reset" && m.type !== "overflow") unknown.push(m.type, m.seq);
}
assert.deepEqual(unknown, ["moon_phase", 7, "drawing", { strokes: 3 }]);

const metrics = await getMetrics({ client, throwOnError: true });
assert.match(metrics.data, /^ringmaster_sessions \d+$/m);
const missing = await getSession({ client, path: { id: "none" } });
assert.equal(missing.error?.code, "session_not_found");
console.log(`read ${log.length} events`);
