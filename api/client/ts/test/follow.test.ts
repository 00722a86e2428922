import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Update } from '../src/index.ts';
import { all, event, Fake, problem, type Asked, type Fate } from './support/fake.ts';

const sse = (body: string, then: 'end' | 'cut' | 'hang' = 'cut'): Fate => ({ type: 'text/event-stream', body, then });
const frames = (...seqs: number[]): string => seqs.map((seq) => `id: ${seq}\ndata: ${event(seq)}\n\n`).join('');
const over: Fate = { status: 204 };

/** What a follower saw, in short. */
const short = (u: Update): string => {
  switch (u.type) {
    case 'line':
      return `${u.at.epoch > 1 ? `${u.at.epoch}.` : ''}${u.event.seq}`;
    case 'lost':
      return `lost ${u.waitMs} ${u.awayMs}`;
    default:
      return u.type;
  }
};

for (const [what, fates, want, asked] of [
  ['to the end', [sse(frames(1, 2, 3), 'end'), over], '1 2 3 lost 0 0', '-,3'],
  ['across connections that are cut', [sse(frames(1)), 'refused', 'lost', sse(`${frames(2)}id: 3\ndata: {"se`), sse(frames(3)), over], '1 lost 0 0 lost 187 0 lost 375 187 2 lost 0 0 3 lost 0 0', '-,1,1,1,2,3'],
  ['while the daemon is away for a moment', [sse(frames(1)), problem(503, 'unavailable'), over], '1 lost 0 0 lost 187 0', '-,1,1'],
  ['across a reset', [sse(`${frames(1, 2)}data: {"type":"reset","epoch":2,"oldest":1,"newest":1}\n\nid: 2.1\ndata: ${event(1)}\n\n`), over], '1 2 reset 2.1 lost 0 0', '-,2.1'],
  ['behind a later epoch', [sse(`${frames(1, 2)}id: 2.3\ndata: ${event(3)}\n\n`), over], '1 2 2.3 lost 0 0', '-,2.3'],
  ['with damage', [sse(`${frames(1)}data: {"type":"damage","file":"f","problem":"p"}\n\n`), over], '1 damage lost 0 0', '-,1'],
  ['through heartbeats', [sse(`data: {"type":"heartbeat","seq":0,"ts":1}\n\n${frames(1)}: hi\n\n`), over], '1 lost 0 0', '-,1'],
  ['with the wait that the daemon asks for', [sse(`retry: 4000\n\n${frames(1)}`), over], '1 lost 5000 0', '-,1'],
] as [string, Fate[], string, string][]) {
  test(`a log is followed ${what}`, async () => {
    const fake = new Fake(fates);
    const { items, error } = await all(fake.client().follow('s1'));
    assert.equal(error, undefined);
    assert.equal(items.map(short).join(' '), want);
    assert.equal(fake.asked.map((a) => a.headers.get('Last-Event-ID') ?? '-').join(), asked);
    assert.equal(fake.open, 0, 'no connection is left');
  });
}

for (const [what, fates, since, want] of [
  ['there never was a daemon', ['refused'], 0, ['Unreachable', undefined, 1]],
  ['the daemon refuses', [sse(frames(1)), problem(404, 'session_not_found')], 0, ['Problem', 'session_not_found', 2]],
  ['an event is left out', [sse(frames(1, 3))], 0, ['UnexpectedAnswer', undefined, 1]],
  ['an event comes twice', [sse(frames(1, 1))], 0, ['UnexpectedAnswer', undefined, 1]],
  ['another event follows the cursor', [sse(frames(7))], 5, ['UnexpectedAnswer', undefined, 1]],
  ['a frame is no event', [sse('id: 1\ndata: {"seq":1}\n\n')], 0, ['UnexpectedAnswer', undefined, 1]],
] as [string, Fate[], number, [string, string | undefined, number]][]) {
  test(`following ends with an error where ${what}`, async () => {
    const fake = new Fake(fates);
    const { error } = await all(fake.client().follow('s1', { since: { epoch: 1, seq: since } }));
    const { name, code } = error as { name: string; code?: string };
    assert.deepEqual([name, code, fake.asked.length], want);
    assert.equal(fake.open, 0);
  });
}

test('a daemon that stays away is asked again and again, ever more rarely; a signal ends that', async () => {
  const stop = new AbortController();
  const fake: Fake = new Fake((): Fate => {
    if (fake.clock.now() > 600_000) {
      stop.abort(new Error('enough'));
    }
    return fake.asked.length === 1 ? sse(frames(1)) : 'refused';
  });
  const { items, error } = await all(fake.client().follow('s1', { signal: stop.signal }));
  assert.equal((error as Error).message, 'enough');
  const waits = items.flatMap((u) => (u.type === 'lost' ? [u.waitMs] : []));
  assert.deepEqual(waits.slice(0, 5), [0, 187, 375, 750, 1500]);
  assert.ok(waits.length < 40 && Math.max(...waits) <= 30_000, waits.join());
});

test('a connection that is silent for 45 s is lost', async () => {
  const fake = new Fake([sse(frames(1), 'hang'), over]);
  const { items } = await all(fake.client().follow('s1'));
  assert.equal(items.map(short).join(' '), '1 lost 0 0');
  assert.equal(fake.clock.now(), 45_000);
});

test('a slow reader is no silent daemon', async () => {
  const fake = new Fake([sse(frames(1, 2, 3), 'end'), over]);
  const seen: string[] = [];
  for await (const u of fake.client().follow('s1')) {
    seen.push(short(u));
    await new Promise<void>((done) => fake.clock.after(100_000, done));
  }
  assert.equal(seen.join(' '), '1 2 3 lost 0 0');
});

const log = (body: string, version: number, then: 'end' | 'cut' = 'end'): Fate => ({
  type: 'application/x-ndjson', body, then, headers: { 'X-Session-Version': String(version), 'X-Session-Epoch': '2' },
});
const lines = (...seqs: number[]): string => seqs.map((seq) => `${event(seq)}\n`).join('');

for (const [what, fate, since, view, want, error] of [
  ['whole', log(lines(1, 2, 3), 3), 0, 'full', '2.1 2.2 2.3', undefined],
  ['from a cursor', log(lines(3, 4), 4), 2, 'full', '2.3 2.4', undefined],
  ['from the oldest event that is kept', log(lines(5, 6), 6), 0, 'full', '2.5 2.6', undefined],
  ['in the settled view', log(lines(1, 4, 9), 10), 0, 'settled', '2.1 2.4 2.9', undefined],
  ['of nothing', log('', 2), 2, 'full', '', undefined],
  ['with a gap', log(lines(1, 3), 3), 0, 'full', '2.1', 'UnexpectedAnswer'],
  ['with a gap behind the cursor', log(lines(4), 4), 2, 'full', '', 'UnexpectedAnswer'],
  ['that ends early', log(lines(1, 2), 3), 0, 'full', '2.1 2.2', 'Unreachable'],
  ['that ends in a line', log(`${lines(1)}{"seq":2`, 2), 0, 'full', '2.1', 'Unreachable'],
  ['that is cut', log(lines(1), 2, 'cut'), 0, 'full', '2.1', 'Unreachable'],
  ['with damage', log(`${lines(1)}{"type":"damage","file":"f","problem":"gone"}\n`, 2), 0, 'full', '2.1', 'Problem'],
  ['that is another one', problem(410, 'cursor_reset'), 2, 'full', '', 'Problem'],
  ['without a version', { body: lines(1) }, 0, 'full', '', 'UnexpectedAnswer'],
] as [string, Fate, number, 'full' | 'settled', string, string | undefined][]) {
  test(`a log is read ${what}`, async () => {
    const fake = new Fake([fate]);
    const got = await all(fake.client().log('s1', { since: { epoch: 1, seq: since }, view }));
    assert.equal(got.items.map((l) => `${l.at.epoch}.${l.event.seq}`).join(' '), want);
    assert.equal((got.error as Error | undefined)?.name, error);
    assert.ok(got.items.every((l) => l.line === event(l.event.seq)));
    assert.equal(fake.asked[0]!.query, since > 0 ? '?since=2' : view === 'settled' ? '?view=settled' : '');
    assert.equal(fake.open, 0);
  });
}

test('leaving a loop closes the connection', async () => {
  const fates = (asked: Asked): Fate => (asked.path.endsWith('/log') ? log(lines(1, 2, 3), 3) : asked.path === '/stream' ? sse('data: {"type":"new"}\n\n', 'hang') : sse(frames(1, 2, 3), 'hang'));
  const fake = new Fake(fates), client = fake.client();
  for (const loop of [() => client.log('s1'), () => client.follow('s1'), () => client.stream({ select: {} })]) {
    const { items } = await all<unknown>(loop(), 1);
    assert.deepEqual([items.length, fake.open], [1, 0]);
  }
});

test('what a text has beyond its log is told in its place, and is no line', async () => {
  const over = { type: 'overflow', entryId: 'e1', ts: 5, offset: 7, delta: { op: 'text_append', text: 'more' } };
  const fake = new Fake([sse(`${frames(1)}data: ${JSON.stringify(over)}\n\n${frames(2)}`, 'hang')]);
  const { items } = await all<unknown>(fake.client().follow('s1'), 3);
  assert.deepEqual(items.map((i) => (i as { type: string }).type), ['line', 'overflow', 'line']);
  assert.deepEqual(items[1], over);
});

test('a merged stream gives lines and signals, also those of a later version, and ends as the daemon does', async () => {
  const id = '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a';
  const odd = '{"seq":2,"ts":1,"type":"entry_meta","entryId":7}';
  const body = `id: ${id}/2.1\ndata: ${event(1)}\n\ndata: {"type":"over","sessionId":"${id}","cursor":"2.1"}\n\nid: ${id}/2.2\ndata: ${odd}\n\ndata: {"type":"later","x":1}\n\n`;
  const fake = new Fake([sse(body, 'end')]);
  const { items, error } = await all(fake.client().stream({ sessions: { [id]: { epoch: 2, seq: 0 }, other: '5' } }));
  assert.equal(error, undefined);
  assert.deepEqual(items.map((i) => [i.type, 'event' in i && i.event !== undefined]), [['event', true], ['over', false], ['event', false], ['later', false]]);
  assert.deepEqual(items[2], { type: 'event', sessionId: id, at: { epoch: 2, seq: 2 }, line: odd });
  assert.deepEqual(JSON.parse(fake.asked[0]!.body), { sessions: { [id]: '2.0', other: '5' } });
  const roster = await all(new Fake([sse('', 'end')]).client().stream({ roster: true }));
  assert.equal((roster.error as Error).name, 'Unreachable');
});
