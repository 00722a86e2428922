import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Client, Session } from '../src/index.ts';
import { Fake } from './support/fake.ts';

/** How each operation of the description is called. */
const operations: Record<string, (c: Client, s: Session) => unknown> = {
  addRoot: (c) => c.addRoot('/w'),
  collectSessions: (c) => c.collect({ dryRun: true }),
  answerRequest: (_, s) => s.answer('r1', {}),
  askLogin: (c) => c.askLogin(),
  changeWebhook: (c) => c.webhooks.change('w1', { name: 'n' }),
  createWebhook: (c) => c.webhooks.create({ url: 'https://r/', kinds: ['budget'] }),
  deleteWebhook: (c) => c.webhooks.remove('w1'),
  getWebhook: (c) => c.webhooks.show('w1'),
  listWebhookDeliveries: (c) => c.webhooks.deliveries('w1', 'dead'),
  listWebhooks: (c) => c.webhooks.list(),
  rotateWebhookSecret: (c) => c.webhooks.rotate('w1'),
  sendDeadDeliveries: (c) => c.webhooks.sendDead('w1'),
  sendWebhookDelivery: (c) => c.webhooks.send('w1', 'd1'),
  testWebhook: (c) => c.webhooks.test('w1'),
  cancelPrompt: (_, s) => s.cancel('p1'),
  changeSession: (_, s) => s.change({ title: 't' }),
  chooseMode: (_, s) => s.setMode({ mode: 'm' }),
  chooseModel: (_, s) => s.setModel({ model: 'm' }),
  createSession: (c) => c.create({ agent: 'pi', cwd: '/w' }),
  createToken: (c) => c.createToken({ name: 'n', scope: 'admin:ro' }),
  deleteSession: (_, s) => s.remove(),
  endLogin: (c) => c.endLogin(),
  endMcp: (c) => c.mcp({ method: 'DELETE' }),
  endSession: (_, s) => s.end({ reason: 'done' }),
  getEntryText: (_, s) => s.entryText('e1'),
  getHealth: (c) => c.health(),
  getMetrics: (c) => c.metrics(),
  getProfile: (c) => c.profile('heap'),
  getOwnerBudget: (c) => c.ownerBudget('ann'),
  getReady: (c) => c.ready(),
  getSession: (_, s) => s.show(),
  getSessionBudget: (_, s) => s.budget(),
  getSessionImage: (_, s) => s.image('ab'),
  getSessionLog: (_, s) => s.log().next(),
  getSessionRaw: (_, s) => s.raw(),
  getSessionState: (_, s) => s.state(),
  interruptSession: (_, s) => s.interrupt(),
  listAgents: (c) => c.agents(),
  listModels: (_, s) => s.models(),
  listModes: (_, s) => s.modes(),
  listNativeSessions: (c) => c.nativeSessions('/w'),
  listOpenRequests: (c) => c.inbox(),
  listOwnerBudgets: (c) => c.ownerBudgets(),
  listPrompts: (_, s) => s.prompts(),
  listRequests: (_, s) => s.requests(),
  drainNode: (c) => c.drainNode('here', { waitMs: 1000 }),
  joinNode: (c) => c.joinNode('here'),
  forgetNode: (c) => c.forgetNode('n'),
  getLost: (_, s) => s.lostEnd('lost.1'),
  listLost: (_, s) => s.lost(),
  takeSession: (_, s) => s.take(),
  listNodes: (c) => c.nodes(),
  listRoots: (c) => c.roots(),
  listSessions: (c) => c.sessions(),
  listTokens: (c) => c.tokens(),
  listenMcp: (c) => c.mcp({ method: 'GET' }),
  login: (c) => c.login({ code: 'c', name: 'page' }),
  movePrompt: (_, s) => s.move('p1', { position: 1 }),
  reloadConfiguration: (c) => c.reload(),
  removeOwnerBudget: (c) => c.removeOwnerBudget('ann'),
  revokeToken: (c) => c.revokeToken('t1'),
  sendMcp: (c) => c.mcp({ method: 'POST', body: {} }),
  sendPrompt: (_, s) => s.prompt({ text: 'x' }),
  setOwnerBudget: (c) => c.setOwnerBudget('ann', { limits: { tokens: 1 } }),
  setSessionBudget: (_, s) => s.setBudget({}),
  streamSession: (_, s) => s.follow().next(),
  streamSessions: (c) => c.stream({}).next(),
  wait: (c) => c.wait({ until: { rest: true } }),
};

/** Operations that are for other clients, with what this one has in their place. */
const withoutMethod: Record<string, string> = {
  readSessionEvents: 'for generated clients, which cannot read NDJSON: log is the same',
  streamSessionsByAddress: 'for EventSource, which cannot send a body: stream is the same',
};

interface Operation {
  operationId?: string;
  parameters?: { in: string; name: string }[];
}
const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8')) as { paths: Record<string, Record<string, Operation>> };
const described = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, o]) => ({ path, method: method.toUpperCase(), ...o }))).filter((o) => o.operationId !== undefined);

/** Operations that take a key and are sent without one, with the reason. */
const withoutKey: Record<string, string> = { askLogin: 'a code that was lost is used by nobody, and over in a minute' };

for (const { operationId, parameters = [] } of described) {
  const call = operations[operationId!];
  if (call === undefined || !parameters.some((p) => p.in === 'header' && p.name === 'Idempotency-Key')) {
    continue;
  }
  test(`${operationId} is sent once, however often its answer is lost`, async () => {
    const fake = new Fake(['lost', { body: '{' , then: 'cut' }, { body: '{"roots":[]}' }]), client = fake.client();
    const done = Promise.resolve(call(client, client.session('s1')));
    if (withoutKey[operationId!] !== undefined) {
      await assert.rejects(done, { name: 'Unreachable', sent: true });
      assert.equal(fake.asked[0]!.headers.get('Idempotency-Key'), null);
      return;
    }
    await done;
    assert.equal(fake.asked.length, 3);
    const keys = new Set(fake.asked.map((a) => a.headers.get('Idempotency-Key')));
    assert.ok(keys.size === 1 && !keys.has(null), 'one key for all tries');
    assert.equal(new Set(fake.asked.map((a) => `${a.method} ${a.path} ${a.body}`)).size, 1, 'the same call');
    await call(client, client.session('s1'));
    assert.ok(!keys.has(fake.asked[3]!.headers.get('Idempotency-Key')), 'another call has another key');
  });
}

for (const { path, method, operationId, parameters = [] } of described) {
  if (withoutMethod[operationId!] !== undefined) {
    continue;
  }
  test(`a method does ${operationId}`, async () => {
    const call = operations[operationId!];
    assert.ok(call, `${method} ${path}: write a method, and its row here`);
    const fake = new Fake(['refused']), client = fake.client();
    await Promise.resolve(call(client, client.session('s/1'))).catch(() => undefined);
    const [asked] = fake.asked;
    assert.match(`${asked?.method} ${asked?.path}`, new RegExp(`^${method} ${path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`));
    assert.equal(asked?.headers.get('Authorization'), `Bearer ${'t'.repeat(40)}`);
    const takesKey = parameters.some((p) => p.in === 'header' && p.name === 'Idempotency-Key');
    assert.equal(asked?.headers.has('Idempotency-Key'), takesKey && withoutKey[operationId!] === undefined, 'what reads has no key');
    for (const name of new URLSearchParams(asked?.query).keys()) {
      assert.ok(parameters.some((p) => p.in === 'query' && p.name === name), `the description has no ${name}`);
    }
  });
}

test('the table has no operation that the description does not have', () => {
  const known = new Set(described.map((o) => o.operationId));
  assert.deepEqual([...Object.keys(operations), ...Object.keys(withoutMethod)].filter((id) => !known.has(id)), []);
});

test('every filter of a list is one that the description has, and goes into the query', async () => {
  const queries = {
    listSessions: (c: Client) => c.sessions({ agent: 'a', cwd: '/w', parent: 'p', under: 'u', owner: 'o', state: ['idle', 'queued'], active: false, label: ['k:v', 'l:w'], q: 'é&', limit: 5, after: 'x' }),
    listOpenRequests: (c: Client) => c.inbox({ kind: ['approval'], agent: 'a', owner: 'o', under: 'u', label: ['k:v'], limit: 5 }),
    getSessionRaw: (c: Client) => c.session('s').raw({ from: 1, to: 2, dir: 'out' }),
    listNativeSessions: (c: Client) => c.nativeSessions('/w', { agent: 'a' }),
  };
  for (const [id, call] of Object.entries(queries)) {
    const fake = new Fake([{ body: '{}' }]);
    await call(fake.client());
    const names = described.find((o) => o.operationId === id)!.parameters!.filter((p) => p.in === 'query').map((p) => p.name);
    assert.deepEqual([...new Set(new URLSearchParams(fake.asked[0]!.query).keys())].sort(), names.sort(), id);
  }
  const fake = new Fake([{ body: '{}' }]);
  await queries.listSessions(fake.client());
  assert.equal(fake.asked[0]!.query, '?agent=a&cwd=%2Fw&parent=p&under=u&owner=o&state=idle&state=queued&active=false&label=k%3Av&label=l%3Aw&q=%C3%A9%26&limit=5&after=x');
});
