// Reads a session with the generated types: creates it, sends a prompt, follows the stream to its end, and compares with the
// log. It exits with 0 when all is as described.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type SessionEvent = components["schemas"]["SessionEvent"];
type StreamMessage = components["schemas"]["StreamMessage"];

const baseUrl = process.env.RINGMASTER_URL;
const token = process.env.RINGMASTER_TOKEN;
assert(baseUrl && token, "RINGMASTER_URL and RINGMASTER_TOKEN name the daemon");
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

// The content of an entry narrows by entryType, and a case that is missing here does not compile.
function content(e: components["schemas"]["EntryData"]): string {
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

// The union narrows by type, and a case that is missing here does not compile.
function show(m: StreamMessage): string {
  switch (m.type) {
    case "session_start": return m.agentBackend;
    case "session_end": return m.reason;
    case "session_meta": return m.title ?? "";
    case "child_session": return m.childSessionId;
    case "epoch": return m.reason;
    case "turn_start": return m.prompt?.text ?? "";
    case "turn_end": return m.status;
    case "entry_start": return m.entryType;
    case "entry_delta": return m.delta.op === "text_append" ? m.delta.text : m.delta.op;
    case "entry_end": return content(m);
    case "entry_meta": return m.persistentId;
    case "request_opened": return m.title;
    case "request_resolved": return m.by;
    case "prompt_queued": return m.text;
    case "prompt_moved": return m.before ?? "";
    case "prompt_removed": return m.reason;
    case "token_usage": return String(m.usage.totalTokens);
    case "status": return m.state;
    case "budget": return m.state;
    case "heartbeat": return "";
    case "reset": return String(m.oldest);
    case "damage": return m.problem;
    case "overflow": return String(m.offset);
    default: { const never: never = m; return never; }
  }
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const text = new TextDecoder();
  for await (const chunk of body) {
    const parts = (rest + text.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

const created = await client.POST("/sessions", { body: { agent: process.env.RINGMASTER_AGENT ?? "scripted", cwd: process.env.RINGMASTER_CWD ?? process.cwd(), prompt: "hello" } });
assert(created.data?.prompt, JSON.stringify(created.error));
const path = { id: created.data.id };

const stream = await client.GET("/sessions/{id}/stream", { params: { path, query: { since: created.data.prompt.cursor } }, parseAs: "stream" });
assert(stream.data, JSON.stringify(stream.error));
const seen: StreamMessage[] = [];
for await (const line of lines(stream.data as ReadableStream<Uint8Array>)) {
  if (!line.startsWith("data: ")) continue;
  const m = JSON.parse(line.slice(6)) as StreamMessage;
  seen.push(m);
  show(m);
  if (m.type === "turn_end") break;
}
assert(seen.some((m) => m.type === "entry_end" && m.entryType === "assistant_message" && m.data.text.includes("hello")), "the answer holds the prompt");

// One key is one prompt, and another prompt with it is refused.
const send = (text: string) =>
  client.POST("/sessions/{id}/prompts", { params: { path, header: { "Idempotency-Key": "from-read" } }, body: { text } });
const first = await send("once"), again = await send("once"), other = await send("another");
assert(first.data?.promptId && first.data.promptId === again.data?.promptId && again.data.repeated, "a prompt that is repeated is one");
assert.equal(other.error?.code, "conflict");

const ended = await client.POST("/sessions/{id}/end", { params: { path }, body: { reason: "read" } });
assert.equal(ended.response.status, 200);
const log = await client.GET("/sessions/{id}/log", { params: { path, query: { since: created.data.prompt.cursor } }, parseAs: "text" });
const events = String(log.data).trimEnd().split("\n").map((l) => JSON.parse(l) as SessionEvent);
assert.deepEqual(events.slice(0, seen.length), seen, "stream and log are one");
assert.equal(events.at(-1)?.type, "session_end");

const state = await client.GET("/sessions/{id}/state", { params: { path } });
assert(state.data?.entries?.some((e) => e.entryType === "assistant_message" && e.data.text.includes("once")), JSON.stringify(state.error));

const missing = await client.GET("/sessions/{id}", { params: { path: { id: "none" } } });
assert.equal(missing.error?.code, "session_not_found");
// @ts-expect-error a status that is not described does not compile
const bad: SessionEvent = { type: "status", seq: 1, ts: 1, state: "nope", agentStatus: "idle" };
void bad;
console.log(`read ${events.length} events`);
