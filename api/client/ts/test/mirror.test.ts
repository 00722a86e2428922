import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCursor } from 'ringmaster-protocol';
import { memory, Mirror, type Change, type Folder, type MirrorOptions } from '../src/index.ts';
import { all, event, Fake, problem, type Fate, type Then } from './support/fake.ts';
import { sessionId } from './support/kit.ts';

const other = sessionId.replace(/.$/, 'b');
const lines = (epoch: number, ...seqs: number[]): string => seqs.map((seq) => `id: ${sessionId}/${formatCursor({ epoch, seq })}\ndata: ${event(seq)}\n\n`).join('');
const signal = (members: object): string => `data: ${JSON.stringify(members)}\n\n`;
const listed = (...ids: string[]): string => ids.map((id) => signal({ type: 'session', session: { id, status: { state: 'idle' } } })).join('') + signal({ type: 'roster_complete', revision: 'r' });
const sse = (body: string, then: Then = 'hang'): Fate => ({ type: 'text/event-stream', body, then });

/** Answers requests with one fate after another; the last one stays open. */
function daemon(...texts: string[]): Fake {
  return new Fake(texts.map((text, i) => sse(text, i < texts.length - 1 ? 'cut' : 'hang')));
}

/** What each request asked for of the session. */
const askedFor = (fake: Fake): string => fake.asked.map((a) => (JSON.parse(a.body) as { sessions: Record<string, string> }).sessions[sessionId] ?? '-').join();

interface Seen {
  mirror: Mirror;
  changes: Change[];
  /** The lines that stand, by seq. */
  seqs: number[];
  error?: unknown;
}

/** Runs a mirror until its session has come so far, or it ends by itself. */
async function upTo(fake: Fake, seq: number, options: MirrorOptions = {}): Promise<Seen> {
  const mirror = new Mirror(fake.client(), { states: true, ...options });
  const changes: Change[] = [];
  let seqs: number[] = [];
  const told = (async () => {
    for await (const c of mirror.changes()) {
      changes.push(c);
      if (c.type === 'line') {
        seqs.push(c.at.seq);
        if (c.at.seq === seq) {
          return;
        }
      } else if (c.type === 'reset') {
        seqs = [];
      }
    }
  })();
  const run = mirror.run().then(() => undefined, (error: unknown) => error);
  const error = await Promise.race([told.then(() => undefined, (e: unknown) => e), run]);
  const at = mirror.at(sessionId);
  await mirror.close();
  await assert.rejects(mirror.run(), /runs or has run/);
  assert.deepEqual(mirror.at(sessionId), at);
  assert.equal(fake.open, 0, 'no connection is left');
  return { mirror, changes, seqs, error };
}

for (const [what, texts, asked] of [
  ['in order', [listed() + lines(1, 1, 2, 3)], '-'],
  ['twice', [lines(1, 1, 2, 2, 1, 3)], '-'],
  ['with a gap', [lines(1, 1, 3), lines(1, 2, 3)], '-,1'],
  ['cut', [lines(1, 1, 2), lines(1, 3)], '-,2'],
  ['with a reset', [lines(1, 1, 2) + signal({ type: 'reset', sessionId, epoch: 2, oldest: 1, newest: 3 }) + lines(2, 1, 2, 3)], '-'],
  ['of another epoch', [lines(1, 1, 2) + lines(2, 1), lines(2, 1, 2, 3)], '-,0'],
  ['of a later epoch behind it', [lines(1, 1) + lines(2, 2, 3)], '-'],
  ['behind a heartbeat', [lines(1, 1, 2) + signal({ type: 'heartbeat', ts: 1, at: { [sessionId]: '3' } }), lines(1, 3)], '-,2'],
  ['over and revived', [lines(1, 1, 2) + signal({ type: 'over', sessionId, cursor: '2' }) + lines(1, 3)], '-'],
  ['over when the connection is lost', [lines(1, 1, 2) + signal({ type: 'over', sessionId, cursor: '2' }), lines(1, 3)], '-,2'],
  ['refused for a moment', [lines(1, 1) + signal({ type: 'refused', sessionId, code: 'overloaded', detail: 'd' }) + lines(1, 2, 3)], '-'],
  ['deselected, and matching again', [lines(1, 1, 2) + signal({ type: 'session_gone', sessionId, reason: 'deselected' }) + lines(1, 1, 2, 3)], '-'],
  ['gone, and there again', [lines(1, 1, 2) + signal({ type: 'session_gone', sessionId, reason: 'not_found' }) + lines(1, 1, 2, 3)], '-'],
  ['with words of a later version', [signal({ type: 'later' }) + `id: nobody/1\ndata: ${event(1)}\n\n` + lines(1, 1, 2, 3)], '-'],
] as [string, string[], string][]) {
  test(`a mirror has the whole log of what comes ${what}`, async () => {
    const fake = daemon(...texts);
    const { seqs, mirror, error } = await upTo(fake, 3);
    assert.equal(error, undefined);
    assert.deepEqual(seqs, [1, 2, 3]);
    assert.equal(mirror.at(sessionId)?.seq, 3);
    assert.equal(mirror.state(sessionId)?.seq, 3);
    assert.equal(askedFor(fake), asked);
  });
}

test('an event that this version cannot decode is a line like any other: it is told, and nothing is asked for again', async () => {
  const odd = '{"seq":2,"ts":1,"type":"entry_meta","entryId":7}';
  const fake = daemon(`${lines(1, 1)}id: ${sessionId}/2\ndata: ${odd}\n\nid: ${sessionId}/3\ndata: { "ts":1, "type":"x", "seq":3 }\n\n${lines(1, 4)}`);
  const { seqs, changes } = await upTo(fake, 4);
  assert.deepEqual([seqs, fake.asked.length], [[1, 2, 3, 4], 1]);
  assert.deepEqual(changes.find((c) => c.type === 'line' && c.at.seq === 2), { type: 'line', id: sessionId, at: { epoch: 1, seq: 2 }, line: odd });
});

test('what one mirror has stored, the next one shows before it asks, and asks for the rest', async () => {
  const cache = await memory();
  const stored = async (): Promise<string[]> => {
    const { session, found } = await cache.open(sessionId);
    const { items } = await all(session.lines({ type: 'read', from: 0, after: 0 }));
    session.close();
    assert.equal(found.index?.seq ?? 0, items.at(-1)?.event.seq ?? 0);
    return items.map((l) => l.line);
  };
  await upTo(daemon(lines(1, 1, 2)), 2, { cache });
  assert.deepEqual(await stored(), [event(1), event(2)]);
  const fake = daemon(lines(1, 3));
  const { seqs } = await upTo(fake, 3, { cache });
  assert.deepEqual([seqs, askedFor(fake)], [[1, 2, 3], '2']);
  assert.deepEqual(await stored(), [1, 2, 3].map(event));
  const reset = daemon(signal({ type: 'reset', sessionId, epoch: 2, oldest: 5, newest: 6 }) + lines(2, 5, 6));
  assert.deepEqual((await upTo(reset, 6, { cache })).seqs, [5, 6]);
  assert.deepEqual(await stored(), [5, 6].map(event));
});

test('a state is that of the log after a reset, and nothing of the log before', async () => {
  const begin = (epoch: number, title: string): string =>
    `id: ${sessionId}/${formatCursor({ epoch, seq: 1 })}\ndata: {"seq":1,"ts":1,"type":"session_start","sessionId":"${sessionId}","agentBackend":"pi","metadata":{"title":"${title}"}}\n\n`;
  const fake = daemon(begin(1, 'old') + lines(1, 2) + signal({ type: 'reset', sessionId, epoch: 2, oldest: 1, newest: 3 }) + begin(2, 'new') + lines(2, 2, 3));
  const { mirror } = await upTo(fake, 3);
  const state = mirror.state(sessionId);
  assert.deepEqual([state?.title, state?.epoch, state?.seq], ['new', 2, 3]);
});

test('what a text has beyond its log is told in its place, of sessions that are kept alone', async () => {
  const over = { entryId: 'e1', ts: 5, offset: 7, delta: { op: 'text_append', text: 'more' } };
  const say = (id: string): string => signal({ type: 'overflow', sessionId: id, ...over });
  const { seqs, changes } = await upTo(daemon(say(sessionId) + lines(1, 1) + say(sessionId) + say('another') + lines(1, 2)), 2);
  assert.deepEqual(seqs, [1, 2]);
  assert.deepEqual(changes.filter((c) => c.type === 'line' || c.type === 'overflow').map((c) => (c.type === 'line' ? c.at.seq : c)), [1, { type: 'overflow', id: sessionId, overflow: { type: 'overflow', ...over } }, 2]);
});

test('a cache whose lines are not to be read is dropped, and the log is asked for from its start', async () => {
  const done: string[] = [];
  const session = {
    do: async (e: { type: string }) => void done.push(e.type),
    lines: async function* () {
      yield { event: JSON.parse(event(1)), line: event(1) };
      throw new Error('unreadable');
    },
    close: () => done.push('close'),
  };
  const found = { type: 'open', cached: true, index: { epoch: 1, seq: 2, length: 9, sum: 5 }, file: { length: 9, whole: true, seq: 2, sum: 5 } } as const;
  const fake = daemon(lines(1, 1, 2, 3));
  const { seqs, changes } = await upTo(fake, 3, { cache: { sessions: () => [sessionId], open: async () => ({ session, found }) } });
  assert.deepEqual([seqs, askedFor(fake)], [[1, 2, 3], '0']);
  assert.deepEqual(done, ['drop', 'store', 'close']);
  assert.ok(changes.some((c) => c.type === 'notice' && c.notice === 'cache_dropped'));
});

test('a cache that cannot be opened, or takes nothing, costs the cache and no line', async () => {
  const shut = { sessions: () => [], open: () => Promise.reject(new Error('no')) };
  const first = await upTo(daemon(lines(1, 1, 2)), 2, { cache: shut });
  assert.deepEqual([first.seqs, first.changes[0]], [[1, 2], { type: 'notice', id: sessionId, notice: 'uncached' }]);
  const full: Folder = await memory({ budget: 100 });
  const fake = daemon(lines(1, 1, 2), lines(1, 3));
  const second = await upTo(fake, 3, { cache: full });
  assert.deepEqual([second.seqs, full.sessions()], [[1, 2, 3], []]);
  assert.ok(second.changes.some((c) => c.type === 'notice' && c.notice === 'uncached'));
});

test('a mirror tells the list, its changes, and who went while nobody looked', async () => {
  const fake = daemon(listed(sessionId, other), listed(other) + signal({ type: 'session_gone', sessionId: other, reason: 'not_found' }) + lines(1, 1));
  const mirror = new Mirror(fake.client());
  const run = mirror.run();
  await mirror.synced;
  assert.deepEqual(mirror.roster().map((s) => s.id), [sessionId, other]);
  const told: string[] = [];
  for await (const c of mirror.changes()) {
    told.push(`${c.type} ${c.id.slice(-1)}`);
    if (c.type === 'line') {
      break;
    }
  }
  assert.equal(told.join(), 'session a,session b,session b,gone a,gone b,line a');
  assert.deepEqual(mirror.roster(), []);
  assert.equal(mirror.state(sessionId), undefined);
  await mirror.close();
  await run;
});

test('a daemon that refuses the token ends the mirror, and takes back what is shown', async () => {
  const fake = new Fake([sse(lines(1, 1), 'cut'), problem(401, 'unauthorized')]);
  const { error, changes } = await upTo(fake, 9);
  assert.equal((error as { code: string }).code, 'unauthorized');
  assert.equal(changes.map((c) => (c.type === 'notice' ? c.notice : c.type)).join(), 'line,reset,refused');
});

test('a mirror waits for a daemon that is away or at its limits: ever longer, and as long as it is asked to', async () => {
  const refusals: Fate[] = ['refused', 'lost', problem(503, 'unavailable', { 'Retry-After': '100' }), sse('retry: 50000\n\n', 'end'), sse(lines(1, 1))];
  const fake = new Fake(refusals);
  const at: number[] = [];
  const { fetch } = fake;
  const mirror = new Mirror(fake.client({ fetch: (url, init) => (at.push(fake.clock.now()), fetch(url, init)) }));
  const run = mirror.run();
  assert.equal((await all(mirror.changes(), 1)).items[0]?.type, 'line');
  assert.deepEqual(at, [0, 0, 187, 187 + 125_000, 187 + 125_000 + 62_500]);
  await mirror.close();
  await run;
});

test('wake ends a wait at once', async () => {
  const fake = new Fake([problem(503, 'unavailable', { 'Retry-After': '3000' }), sse(lines(1, 1))]);
  const mirror = new Mirror(fake.client());
  fake.clock.after(1000, () => mirror.wake());
  const run = mirror.run();
  await all(mirror.changes(), 1);
  assert.equal(fake.clock.now(), 1000);
  await mirror.close();
  await run;
});

test('a stream is renewed after an hour, where it stands', async () => {
  const fake = new Fake([sse(lines(1, 1), 'beat'), sse(lines(1, 2))]);
  await upTo(fake, 2);
  assert.equal(askedFor(fake), '-,1');
  assert.ok(fake.clock.now() >= 3_600_000 && fake.clock.now() < 3_700_000, `${fake.clock.now()}`);
});

test('a stream with signs of life goes on, and one that is silent for 45 s is lost', async () => {
  const fake = new Fake([sse(lines(1, 1)), sse(lines(1, 2), 'beat')]);
  await upTo(fake, 2);
  assert.equal(fake.clock.now(), 45_000);
});

test('a signal ends a mirror with its reason, and its loops with it', async () => {
  const stop = new AbortController();
  const mirror = new Mirror(daemon(lines(1, 1)).client());
  const run = mirror.run({ signal: stop.signal });
  const loop = all(mirror.changes());
  await all(mirror.changes(), 1);
  stop.abort(new Error('enough'));
  await assert.rejects(run, /enough/);
  assert.equal(((await loop).error as Error).message, 'enough');
  await assert.rejects(mirror.synced, /enough/);
});

test('a mirror that keeps what is asked for has the list of all, and the logs of these from their beginning', async () => {
  const of = (id: string, ...seqs: number[]): string => lines(1, ...seqs).replaceAll(sessionId, id);
  const fake = daemon(listed(sessionId, other) + of(other, 7), listed(sessionId, other) + of(other, 8) + lines(1, 1, 2), listed(sessionId, other));
  const mirror = new Mirror(fake.client(), { states: true, follow: 'asked' });
  const seen: string[] = [];
  const told = (async () => {
    for await (const c of mirror.changes()) {
      if (c.type === 'line') {
        seen.push(`${c.id === sessionId ? 'asked' : 'other'} ${c.at.seq}`);
        if (c.at.seq === 2) {
          return;
        }
      }
    }
  })();
  const run = mirror.run();
  await mirror.synced;
  mirror.follow(sessionId);
  await told;
  assert.deepEqual(seen, ['asked 1', 'asked 2']);
  assert.equal(mirror.roster().length, 2);
  assert.equal(mirror.at(other), undefined);
  assert.deepEqual((JSON.parse(fake.asked.at(-1)!.body) as { begin: string }).begin, 'newest');
  mirror.follow(other, { epoch: 1, seq: 8 }); // of which the caller has the state
  while (fake.asked.length < 3) {
    await new Promise(setImmediate);
  }
  assert.deepEqual((JSON.parse(fake.asked.at(-1)!.body) as { sessions: object }).sessions, { [sessionId]: '2', [other]: '8' });
  mirror.unfollow(sessionId);
  while (mirror.at(sessionId) !== undefined) {
    await new Promise(setImmediate);
  }
  await mirror.close();
  await run;
});
