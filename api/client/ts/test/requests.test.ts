import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, Problem, UnexpectedAnswer, Unreachable } from '../src/index.ts';
import { Fake, problem, type Fate } from './support/fake.ts';

const receipt: Fate = { status: 202, body: '{"promptId":"p1","cursor":"5"}' };

for (const [what, fates, asked, want] of [
  ['a prompt that was lost is sent again with its key', ['lost', 'refused', problem(503, 'unavailable'), receipt], 4, 'p1'],
  ['an answer that was cut is asked for again', [{ body: '{"prom', then: 'cut' }, receipt], 2, 'p1'],
  ['a daemon that is not there is not waited for', ['refused', receipt], 1, 'Unreachable unsent'],
  ['a daemon at its limits that has not got it is not waited for', [problem(503, 'overloaded'), receipt], 1, 'Problem overloaded'],
  ['what the daemon refuses is final', ['lost', problem(409, 'session_ended'), receipt], 2, 'Problem session_ended'],
  ['who gives up says that it may have been taken', ['lost', 'refused'], undefined, 'Unreachable sent'],
] as [string, Fate[], number | undefined, string][]) {
  test(what, async () => {
    const fake = new Fake(fates);
    const got = await fake.client().prompt('s1', { text: 'hello' }).then(
      (r) => r.promptId,
      (e: unknown) => (e instanceof Problem ? `Problem ${e.code}` : `${(e as Unreachable).name} ${(e as Unreachable).sent ? 'sent' : 'unsent'}`),
    );
    assert.equal(got, want);
    assert.equal(new Set(fake.asked.map((a) => a.headers.get('Idempotency-Key'))).size, 1, 'one key');
    assert.ok(fake.asked[0]!.headers.get('Idempotency-Key')!.length >= 20);
    if (asked === undefined) {
      assert.ok(fake.asked.length > 5 && fake.asked.length < 100 && fake.clock.now() >= 20_000, `${fake.asked.length} times in ${fake.clock.now()} ms`);
    } else {
      assert.equal(fake.asked.length, asked);
    }
  });
}

test('keys differ, a caller\'s own is taken as it is, and a signal ends the trying', async () => {
  const fake = new Fake([receipt]);
  await fake.client().prompt('s1', { text: 'a' });
  await fake.client().prompt('s1', { text: 'a' });
  await fake.client().prompt('s1', { text: 'a' }, { key: 'mine' });
  const keys = fake.asked.map((a) => a.headers.get('Idempotency-Key'));
  assert.equal(new Set(keys).size, 3);
  assert.equal(keys[2], 'mine');
  const stop = new AbortController();
  let asked = 0;
  const gone = new Fake(() => {
    if (++asked === 3) {
      stop.abort(new Error('enough'));
    }
    return 'lost';
  });
  await assert.rejects(gone.client().prompt('s1', { text: 'a' }, { signal: stop.signal }), /enough/);
  assert.equal(asked, 3);
});

test('a session that was lost is asked for again with its key, also with one that its caller has', async () => {
  const fake = new Fake(['lost', { status: 201, body: '{"id":"s1"}' }]);
  assert.equal((await fake.client({ name: 'me' }).create({ agent: 'pi', cwd: '/w', prompt: 'hello' }, { key: 'k' })).id, 's1');
  assert.deepEqual(JSON.parse(fake.asked[1]!.body), { agent: 'pi', cwd: '/w', prompt: { clientId: 'me', text: 'hello' } });
  const own = new Fake(['lost', { status: 201, body: '{"id":"s1"}' }]);
  assert.equal((await own.client().create({ agent: 'pi', cwd: '/w' }, { key: '' })).id, 's1');
  assert.equal(new Set(own.asked.map((a) => a.headers.get('Idempotency-Key'))).size, 1);
  assert.ok(own.asked[0]!.headers.get('Idempotency-Key')!.length >= 20, 'an empty key is none');
});

test('what a request has on the wire', async () => {
  const fake = new Fake([{ body: '{}' }]);
  const s = fake.client({ name: 'me' }).session('0198/é');
  await s.answer('r/1', { option: 'yes' });
  await s.interrupt();
  await s.change({ labels: { a: null } });
  await fake.client({ token: undefined }).wait({ sessions: ['a'], until: { rest: true } });
  assert.deepEqual(fake.asked.map((a) => `${a.method} ${a.path} ${a.headers.get('Content-Type')} ${a.headers.get('Authorization')?.slice(0, 8)} ${a.body}`), [
    'POST /sessions/0198%2F%C3%A9/requests/r%2F1 application/json Bearer t {"clientId":"me","option":"yes"}',
    'POST /sessions/0198%2F%C3%A9/interrupt application/json Bearer t {"clientId":"me"}',
    'PATCH /sessions/0198%2F%C3%A9 application/merge-patch+json Bearer t {"labels":{"a":null}}',
    'POST /wait application/json undefined {"sessions":["a"],"until":{"rest":true}}',
  ]);
  for (const id of ['', '.', '..']) {
    assert.throws(() => fake.client().session(id).show(), TypeError);
  }
});

test('a problem has its code and its hint', async () => {
  const fake = new Fake([problem(429, 'rate_limited', { 'Retry-After': '7' })]);
  await assert.rejects(fake.client().sessions(), (e: unknown) => {
    assert.ok(e instanceof Problem);
    assert.deepEqual([e.code, e.status, e.title, e.detail, e.hint, e.message, e.retryAfterMs], ['rate_limited', 429, 'T', 'D.', 'H.', 'D.', 7000]);
    return true;
  });
});

for (const code of ['uncertain', 'answer_gone']) {
  test(`${code} is final, and says what to look at`, async () => {
    const said = JSON.stringify({ type: 't', code, title: 'T', status: 409, hint: 'H.', lookAt: '/sessions/s1' });
    const fake = new Fake(['lost', problem(503, 'unavailable'), { status: 409, type: 'application/problem+json', body: said }]);
    await assert.rejects(fake.client().session('s1').end(), (e: unknown) => {
      assert.ok(e instanceof Problem);
      assert.deepEqual([e.code, e.lookAt, fake.asked.length], [code, '/sessions/s1', 3]);
      return true;
    });
  });
}

for (const [what, fate] of Object.entries<Fate>({
  'an error of something else': { status: 500, type: 'text/html', body: '<h1>' },
  'a redirect': { status: 302, headers: { Location: 'http://elsewhere/' } },
  'a problem that is none': { status: 400, type: 'application/problem+json', body: '[]' },
  'an answer that is no JSON': { body: '<html>' },
})) {
  test(`${what} is none of the daemon's answers`, async () => {
    await assert.rejects(new Fake([fate]).client().sessions(), UnexpectedAnswer);
  });
}

test('an answer that does not begin is given up after a minute; a wait has a minute more than it asks for', async () => {
  const fake = new Fake([]);
  const fetch = (_: string, { signal }: { signal: AbortSignal }): Promise<Response> => new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)));
  await assert.rejects(fake.client({ fetch }).sessions(), { name: 'Unreachable', sent: true });
  assert.equal(fake.clock.now(), 60_000);
  await assert.rejects(fake.client({ fetch }).wait({ until: { rest: true }, timeoutMs: 600_000 }), { name: 'Unreachable' });
  assert.equal(fake.clock.now(), 720_000);
});

test('an address is checked before anything is sent', () => {
  for (const base of ['', 'localhost:7433', 'ftp://h', 'http://u:p@h', 'http://h/path', 'http://h?q']) {
    assert.throws(() => new Client({ base }), TypeError, base);
  }
  assert.equal(new Client({ base: 'http://127.0.0.1:7433/' }).where, 'http://127.0.0.1:7433');
});
