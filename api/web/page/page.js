"use strict";
// The code of a link goes out of the address before anything else is done: from here on it is in this variable alone.
let code = location.hash.startsWith("#login=") ? location.hash.slice("#login=".length) : "";
if (code) history.replaceState(null, "", location.pathname + location.search);

const place = "ringmaster.login"; // in the storage of this origin; a cookie would go to every server of this machine
let login = null; // {id, token, name, scope, owner?, expiresAt}: as POST /login gave it

// keep stores a login, null takes it away. A browser that stores nothing has it until the page is closed.
function keep(value) {
  login = value;
  try {
    if (value) localStorage.setItem(place, JSON.stringify(value));
    else localStorage.removeItem(place);
  } catch { /* it is in memory */ }
}

function recall() {
  try {
    const value = JSON.parse(localStorage.getItem(place));
    if (typeof value?.token === "string") login = value;
  } catch { /* nothing that could be read is there */ }
}

// browser names this browser for the list of tokens.
function browser() {
  const agent = navigator.userAgent;
  const first = (list) => list.find(([sign]) => agent.includes(sign))?.[1];
  const program = first([["Edg", "Edge"], ["OPR/", "Opera"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"]]) ?? "A browser";
  const system = first([["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Mac OS", "macOS"], ["Windows", "Windows"], ["Linux", "Linux"]]);
  return system ? `${program} on ${system}` : program;
}

// Problem is what the daemon answers where it does not do what it is asked.
class Problem extends Error {
  constructor(status, body) {
    super([body?.detail ?? body?.title ?? `The daemon answers ${status}.`, body?.hint].filter(Boolean).join(" "));
    this.status = status;
  }
}

// ask asks the daemon. The token is sent in a header, and only here.
async function ask(method, path, { token, body } = {}) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body && JSON.stringify(body), credentials: "omit", cache: "no-store", redirect: "error" });
  } catch {
    throw new Error("The daemon does not answer.");
  }
  const value = await answer.json().catch(() => null);
  if (!answer.ok) throw new Problem(answer.status, value);
  return value;
}

const element = (id) => document.getElementById(id);
const say = (text) => { element("notice").textContent = text; };

function show(id) {
  for (const each of ["link", "out", "in"]) element(each).hidden = each !== id;
}

// text makes an element with what may be an agent's or a user's words: they are text, and turn the direction of nothing else.
function text(name, words) {
  const e = document.createElement(name);
  e.dir = "auto";
  e.textContent = words;
  return e;
}

// trade makes a login of the link's code. A login that was there is ended: a browser has one.
async function trade() {
  const before = login, offered = code;
  code = "";
  try {
    keep(await ask("POST", "/login", { body: { code: offered, name: browser() } }));
  } catch (e) {
    say(e.message);
    return before ? list() : show("out");
  }
  say("");
  if (before) await ask("DELETE", "/login", { token: before.token }).catch(() => {});
  await list();
}

const words = (s) => s.title || s.firstPrompt || "Without a title";
const facts = (s) => [s.agent, s.status?.state, s.cwd].filter(Boolean).join(" · ");

// over takes away a login that the daemon does not take any more, unless another tab has got a newer one.
function over(token) {
  recall();
  if (login?.token !== token) return login !== null;
  keep(null);
  return false;
}

// list shows that this browser is logged in, and the sessions.
async function list() {
  const { token } = login;
  let page;
  try {
    page = await ask("GET", "/sessions", { token });
  } catch (e) {
    if (e.status !== 401) {
      say(e.message);
      return show("in");
    }
    if (over(token)) return list();
    say("This login is over.");
    return show("out");
  }
  const until = new Date(login.expiresAt);
  element("who").textContent = `Logged in as ${login.name} (${[login.scope, login.owner].filter(Boolean).join(", ")}), until ${until.toLocaleString()}.`;
  element("count").textContent = page.total > page.sessions.length ? `Sessions: the newest ${page.sessions.length} of ${page.total}` : `Sessions: ${page.total}`;
  element("sessions").replaceChildren(...page.sessions.map((s) => {
    const link = text("a", words(s));
    link.href = `/s/${encodeURIComponent(s.id)}`;
    const row = document.createElement("li");
    row.append(link, text("span", facts(s)));
    return row;
  }));
  show("in");
  await one();
}

// one shows the session of the address.
async function one() {
  const id = /^\/s\/([^/]+)/.exec(location.pathname)?.[1];
  element("one").hidden = !id;
  if (!id) return;
  try {
    const s = await ask("GET", `/sessions/${id}`, { token: login.token });
    element("one").replaceChildren(text("strong", words(s)), " ", text("span", facts(s)));
  } catch (e) {
    element("one").textContent = e.message;
  }
}

async function leave() {
  const { token } = login;
  keep(null);
  show("out");
  try {
    await ask("DELETE", "/login", { token });
    say("You are logged out.");
  } catch (e) {
    say(e.status === 401 ? "You are logged out." : `This browser has forgotten its login, and the daemon has not: ${e.message}`);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  recall();
  element("trade").addEventListener("click", trade);
  element("again").addEventListener("click", () => { say(""); list(); });
  element("leave").addEventListener("click", leave);
  if (code && document.documentElement.dataset.arrived) return show("link");
  if (code) return trade();
  return login ? list() : show("out");
});
