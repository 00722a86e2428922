// Opens /docs in a browser that knows the token as a password, and executes everything that the page offers, as a reader would. It
// exits with 0 when the daemon has answered each as it should.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const { RINGMASTER_URL: base, RINGMASTER_TOKEN: token, RINGMASTER_CWD: cwd, CHROMIUM: executablePath } = process.env;
assert(base && token && cwd && executablePath);

async function api(method, path, body) {
  const headers = { Authorization: `Bearer ${token}` };
  if (body) headers["Content-Type"] = "application/json";
  const r = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  assert(r.ok, `${method} ${path}: ${r.status}`);
  return r.json();
}

// begin makes a session and reads its stream until it says a word.
async function begin(agent, prompt, word) {
  const { id, prompt: { cursor } } = await api("POST", "/sessions", { agent, cwd, prompt });
  const stream = await fetch(`${base}/sessions/${id}/stream?since=${cursor}`, { headers: { Authorization: `Bearer ${token}` } });
  let seen = "";
  for await (const chunk of stream.body) {
    seen += Buffer.from(chunk).toString();
    if (seen.includes(`"${word}"`)) return { id, seen };
  }
  throw new Error(`${agent} has not come to ${word}: ${seen}`);
}

// part is a description of some operations alone, with the components that they need.
function part(whole, ids) {
  const paths = {}, components = {};
  for (const [path, methods] of Object.entries(whole.paths)) {
    const some = Object.entries(methods).filter(([, o]) => ids.has(o.operationId));
    if (some.length) paths[path] = Object.fromEntries(some);
  }
  const need = (value) => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (components[kind]?.[name]) continue;
      (components[kind] ??= {})[name] = whole.components[kind][name];
      need(components[kind][name]);
    }
  };
  need(paths);
  return { ...whole, paths, components: { ...components, securitySchemes: whole.components.securitySchemes } };
}

const perPage = 8; // operations

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] }); // of a page of our own
try {
  const page = await (await browser.newContext({ httpCredentials: { username: "me", password: token } })).newPage();
  page.setDefaultTimeout(60_000);
  const complaints = [];
  page.on("pageerror", (e) => complaints.push(e.message));
  page.on("console", (m) => m.type() === "error" && !/status of 4\d\d/.test(m.text()) && complaints.push(m.text()));
  page.on("requestfailed", (r) => complaints.push(`${r.url()}: ${r.failure()?.errorText}`));
  await page.goto(base + "/docs");
  await page.locator("button.authorize.locked").waitFor(); // and nobody was asked
  assert.deepEqual(await page.locator(".servers option").allTextContents(), [base + " - This daemon"]);

  // What there is to be read, answered, moved and taken away: a request of the agent, a queue, an image, a token.
  const gif = { mediaType: "image/gif", data: Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1").toString("base64") };
  const asking = await begin("asking", { text: "hello", images: [gif] }, "request_opened");
  const { id } = asking, rid = (await api("GET", `/sessions/${id}/requests`)).requests[0].requestId;
  const pids = [];
  for (const text of ["second", "third"]) pids.push((await api("POST", `/sessions/${id}/prompts`, { text })).promptId);
  const digest = /sha256:([0-9a-f]{64})/.exec(asking.seen)[1];
  const { id: tid } = await api("POST", "/tokens", { name: "docs", scope: "admin:ro" });
  const values = { id, rid, tid, wid: id, did: "d1", pid: pids[0], digest, cwd, node: "here", name: "lost.1" };
  const answered = await begin("echo", "hello", "turn_end");
  const own = { getEntryText: { id: answered.id, entryId: /"entry_end".*?"entryId":"(.*?)"/.exec(answered.seen)[1] } };
  for (const op of ["getOwnerBudget", "setOwnerBudget", "removeOwnerBudget"]) own[op] = { owner: "ann" };

  const bodies = { createSession: JSON.stringify({ agent: "echo", cwd }), movePrompt: '{"position":1}' };
  const order = { answerRequest: 1, interruptSession: 2, movePrompt: -1, cancelPrompt: 1, endMcp: 2, revokeToken: 2, endSession: 3, deleteSession: 4 };
  const refused = { chooseModel: 422, chooseMode: 422, login: 404, endLogin: 400, createWebhook: 403 }; // this agent cannot, nobody waits with the code, the token is of no login, and no webhook may go anywhere
  for (const op of ["getWebhook", "changeWebhook", "deleteWebhook", "rotateWebhookSecret", "testWebhook", "listWebhookDeliveries", "sendWebhookDelivery", "sendDeadDeliveries"]) refused[op] = 404; // so that there is none
  for (const op of ["drainNode", "joinNode", "forgetNode", "takeSession", "listLost", "getLost"]) refused[op] = 404; // this daemon has no Core
  const names = (await page.locator(".opblock").evaluateAll((all) => all.map((b) => b.id)))
    .map((block) => ({ block, op: block.split("-").at(-1) }))
    .sort((a, b) => (order[a.op] ?? 0) - (order[b.op] ?? 0));

  // The page reads its whole description anew for each operation that is opened, which takes seconds: so it is shown the operations in parts.
  const whole = await api("GET", "/openapi.json");
  const untried = [], done = [];
  for (const [i, { block, op }] of names.entries()) {
    if (i % perPage === 0) {
      const shown = part(whole, new Set(names.slice(i, i + perPage).map((n) => n.op)));
      await page.unroute("**/openapi.json");
      await page.route("**/openapi.json", (route) => route.fulfill({ json: shown }), { times: 1 });
      await page.goto(base + "/docs");
      await page.locator("button.authorize.locked").waitFor();
      assert.equal(await page.locator(".opblock").count(), Math.min(perPage, names.length - i));
    }
    const b = page.locator(`[id="${block}"]`);
    const press = (what) => b.locator(what).first().evaluate((e) => e.click());
    await press(".opblock-summary-control");
    await b.locator(".responses-wrapper").waitFor();
    if (!(await b.locator(".try-out__btn").count())) {
      untried.push(op);
      continue;
    }
    await press(".try-out__btn");
    await b.locator(".execute").waitFor();
    for (const [name, value] of Object.entries({ ...values, ...own[op] })) {
      const row = b.locator(`tr[data-param-name="${name}"]`);
      if (!(await row.count())) continue;
      await row.locator("input").fill(value);
      await row.locator("input").blur(); // the page waits a moment for more to be typed
    }
    if (bodies[op]) await b.locator(".body-param__text").fill(bodies[op]);
    const answer = page.waitForResponse((r) => r.request().resourceType() === "fetch");
    await press(".execute");
    const r = await answer.catch(async () => { throw new Error(`${op} was not sent: ${await b.locator(".validation-errors").allTextContents()}`); });
    await b.locator(".live-responses-table .response-col_status", { hasText: String(r.status()) }).first().waitFor();
    assert(refused[op] ? r.status() === refused[op] : r.ok(), `${op}: ${r.status()} ${await r.text().catch(() => "")}`);
    if (op === "sendMcp") values["Mcp-Session-Id"] = r.headers()["mcp-session-id"];
    done.push(op);
    await press(".opblock-summary-control");
  }
  const described = Object.values(whole.paths).flatMap((path) => Object.values(path));
  assert.deepEqual(untried.sort(), described.filter((o) => o["x-not-in-browser"]).map((o) => o.operationId).sort());
  assert.deepEqual(complaints, []);
  console.log(`executed ${done.length} operations`);
} finally {
  await browser.close();
}
