// Opens the page in a browser as its readers do: without a login, by a link, by a link of a stranger, by one that was used; and ends the login in each
// way. It exits with 0 when the page did what it should, asked nothing of anybody else, and left its code in no address.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const { RINGMASTER_URL: base, RINGMASTER_TOKEN: token, RINGMASTER_CWD: cwd, CHROMIUM: executablePath } = process.env;
assert(base && token && cwd && executablePath);

async function api(method, path, body) {
  const headers = { Authorization: `Bearer ${token}` };
  if (body) headers["Content-Type"] = "application/json";
  const r = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  assert(r.ok, `${method} ${path}: ${r.status}`);
  return r.status === 204 ? null : r.json();
}

const codes = [];
async function link(path = "/") {
  const { code } = await api("POST", "/logins");
  codes.push(code);
  return `${base}${path}#login=${code}`;
}
const logins = async () => (await api("GET", "/tokens")).tokens.filter((t) => t.askedBy);

const hostile = `<img src=x onerror="document.title='broken in'"><b>bold</b>`;
const { id } = await api("POST", "/sessions", { agent: "echo", cwd, title: hostile });

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] }); // of a page of our own
let elsewhere;
try {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints = [], asked = [];
  const watch = (p) => {
    p.setDefaultTimeout(20_000);
    p.on("pageerror", (e) => complaints.push(e.message));
    p.on("console", (m) => m.type() === "error" && !/status of 40[134]/.test(m.text()) && complaints.push(m.text()));
    p.on("request", (r) => asked.push(`${r.method()} ${r.url()} ${JSON.stringify(r.headers())}`));
  };
  watch(page);
  const stored = () => page.evaluate(() => JSON.parse(localStorage.getItem("ringmaster.login")));
  const notice = (words) => page.locator("#notice", { hasText: words }).waitFor().catch(async (e) => {
    throw new Error(`the notice says ${JSON.stringify(await page.locator("#notice").allTextContents())}, and is to say ${words}: ${e.message}`);
  });
  const who = (p = page) => p.locator("#who").waitFor({ state: "attached" });

  // Nobody is logged in.
  await page.goto(base + "/");
  await page.locator("#out pre", { hasText: "ringmaster web" }).waitFor();
  assert.equal(await page.locator(".shell").count(), 0);
  assert.equal(await stored(), null);

  // By a link, to a session. What an agent or a user wrote is text.
  await page.goto(await link(`/s/${id}`));
  await page.locator("#who", { hasText: "Chrome on Linux (admin)" }).waitFor();
  await page.locator(".head h2", { hasText: hostile }).waitFor();
  await page.locator(".roster a", { hasText: hostile }).waitFor();
  assert.equal(page.url(), `${base}/s/${id}`);
  assert.match(await page.title(), /· Ringmaster$/);
  assert.equal(await page.locator("main img, main b").count(), 0);
  const first = await stored();
  assert.deepEqual((await logins()).map((t) => [t.id, t.name, t.askedBy]), [[first.id, "Chrome on Linux", "admin"]]);

  // It stays, in other tabs too.
  await page.reload();
  await who();
  const tab = await context.newPage();
  watch(tab);
  await tab.goto(base + "/");
  await who(tab);
  await tab.goBack();
  assert.equal(tab.url(), "about:blank"); // the page left nothing between

  // By another link: a browser has one login. A link that was used is told of, and changes nothing.
  const used = await link();
  await page.goto(used);
  await who();
  await page.waitForFunction((was) => JSON.parse(localStorage.getItem("ringmaster.login")).id !== was, first.id);
  const second = await stored();
  await page.waitForFunction(() => document.readyState === "complete");
  for (let left = await logins(); left.length !== 1; left = await logins());
  await tab.goto(used);
  await tab.locator("#notice", { hasText: "No login waits with this code." }).waitFor();
  await who(tab);
  assert.equal((await stored()).token, second.token);
  await tab.close();

  // localhost is another name for the same page.
  await page.goto((await link("/")).replace("127.0.0.1", "localhost"));
  await who();
  assert.equal(page.url(), base + "/");

  // A stranger's site leads to the page, and does not log in by that; it can neither frame nor read it.
  let strangers = await link(`/s/${id}`);
  elsewhere = createServer((_, w) => {
    w.setHeader("Content-Type", "text/html");
    w.end(`<!doctype html><a href="${strangers}">look</a><iframe src="${base}/"></iframe>`);
  });
  await new Promise((ready) => elsewhere.listen(0, "127.0.0.1", ready));
  const here = complaints.length;
  for (const host of ["localhost", "127.0.0.1"]) { // another site, and another origin of the same
    const before = await stored();
    const framed = page.waitForResponse((r) => r.url() === base + "/" && r.request().frame() !== page.mainFrame());
    await page.goto(`http://${host}:${elsewhere.address().port}/`);
    assert.equal((await framed).status(), 403);
    assert.equal(await page.evaluate((at) => fetch(at + "/sessions").then(() => "read", () => "refused"), base), "refused");
    complaints.length = here; // the browser says that it has refused these
    await page.locator("a").click();
    await page.locator("#trade").waitFor();
    assert.equal(page.url(), `${base}/s/${id}`);
    assert.equal((await stored()).token, before.token);
    await page.locator("#trade").click();
    await who();
    assert.notEqual((await stored()).token, before.token);
    strangers = await link(`/s/${id}`);
  }

  // Text cannot become markup, and no other script gives itself what the page's own policy may: api/web/e2e/offline.test.ts has the worker that it is for.
  assert.match(await page.evaluate(() => { try { document.body.innerHTML = "<b>x</b>"; } catch (e) { return e.message; } }), /TrustedHTML/);
  for (const name of ["ringmaster", "another"]) {
    assert.match(await page.evaluate((n) => { try { trustedTypes.createPolicy(n, { createScriptURL: (path) => path }); return "made"; } catch (e) { return e.message; } }, name), /createPolicy/);
  }
  complaints.length = here; // of the attempts above

  // It ends: revoked elsewhere, and by itself.
  const third = await stored();
  await api("DELETE", `/tokens/${third.id}`);
  await notice("This login is over."); // the page sees it by its stream
  await page.locator("#out").waitFor();
  assert.equal(await stored(), null);
  await page.goto(await link());
  await page.locator("#leave").click();
  await notice("You are logged out.");
  assert.equal(await stored(), null);
  assert.deepEqual(await logins(), []);

  assert.deepEqual(await context.cookies(), []);
  for (const request of asked) for (const code of codes) assert(!request.includes(code), request);
  for (const request of asked.filter((r) => !r.includes(`:${elsewhere.address().port}/`))) {
    assert(request.split(" ")[1].startsWith(base + "/") || request.split(" ")[1].startsWith(base.replace("127.0.0.1", "localhost") + "/"), request);
  }
  assert.deepEqual(complaints, []);
  console.log(`${asked.length} requests, ${codes.length} links`);
} finally {
  await browser.close();
  elsewhere?.close();
}
