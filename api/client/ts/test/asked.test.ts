import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, memory, Mirror, type Change, type Folder } from '../src/index.ts';
import type { Fetch } from '../src/wire.ts';
import { sessionId } from './support/kit.ts';
import { line } from './support/line.ts';

const other = sessionId.replace(/.$/, 'b');

/** A cache that has three lines of two sessions. */
async function filled(): Promise<Folder> {
  const folder = await memory();
  for (const id of [sessionId, other]) {
    const { session } = await folder.open(id);
    await session.do({ type: 'store', at: { epoch: 1, seq: 3 }, lines: [1, 2, 3].map(line) });
    session.close();
  }
  return folder;
}

/** Time that stands: whoever waits for it waits for ever. */
const still = { now: () => 0, after: () => () => undefined, random: () => 0.5 };

const daemons: Record<string, Fetch> = {
  'is away': () => Promise.reject(new TypeError('refused')),
  'takes a call and never answers': (_, { signal }) => new Promise((_, failed) => signal.addEventListener('abort', () => failed(signal.reason as Error))),
};

for (const [name, fetch] of Object.entries(daemons)) {
  test(`what a cache has is told when it is asked for, also while the daemon ${name}; what nobody asks for stays as it is`, { timeout: 20_000 }, async () => {
    const folder = await filled();
    let called!: () => void;
    const isCalled = new Promise<void>((call) => (called = call));
    const client = new Client({ base: 'http://127.0.0.1:7433', clock: still, fetch: (...call) => (called(), fetch(...call)) });
    const mirror = new Mirror(client, { cache: folder, states: true, follow: 'asked' });
    const run = mirror.run();
    await isCalled;
    await new Promise((turn) => setImmediate(turn)); // it waits
    const told: Change[] = [];
    const isKept = mirror.follow(sessionId);
    for await (const change of mirror.changes()) {
      told.push(change);
      if (mirror.at(sessionId)?.seq === 3 && told.at(-1)!.type === 'line' && told.filter((c) => c.type === 'line').length === 3) {
        break;
      }
    }
    assert.deepEqual(told.map((c) => [c.type, c.id]), [1, 2, 3].map(() => ['line', sessionId]));
    await isKept;
    assert.deepEqual([mirror.at(sessionId)?.seq, mirror.at(other)], [3, undefined]);
    await folder.remove(other); // it is not open
    mirror.unfollow(sessionId);
    while (mirror.at(sessionId) !== undefined) {
      await new Promise((turn) => setImmediate(turn));
    }
    await mirror.close();
    await run;
    assert.deepEqual(folder.sessions(), [sessionId]);
  });
}

test('a session that is asked for while a stream begins is in the next one, and each stream brings what it was asked for', { timeout: 20_000 }, async () => {
  const bodies: string[][] = [];
  let mirror!: Mirror, isRead!: () => void;
  const done = new Promise<void>((read) => (isRead = read));
  const fetch: Fetch = (_, { signal, body }) => {
    const ids = Object.keys((JSON.parse(body as string) as { sessions: object }).sessions);
    bodies.push(ids);
    if (bodies.length === 1) {
      void mirror.follow(other); // and the answer never comes
      return new Promise((_, failed) => signal.addEventListener('abort', () => failed(signal.reason as Error)));
    }
    isRead();
    return Promise.resolve(new Response(new ReadableStream({}), { headers: { 'Content-Type': 'text/event-stream' } }));
  };
  mirror = new Mirror(new Client({ base: 'http://127.0.0.1:7433', clock: still, fetch }), { follow: 'asked' });
  void mirror.follow(sessionId);
  const run = mirror.run();
  await done;
  assert.deepEqual(bodies, [[sessionId], [sessionId, other]]);
  await mirror.close();
  await run;
});
