import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Folder } from '../src/cache/index.ts';
import { memory, Mirror, type Change, type MirrorCache } from '../src/index.ts';
import { formatCursor, type Cursor } from 'ringmaster-protocol';
import { BadDisk } from './support/disk.ts';
import { event, Fake } from './support/fake.ts';
import { Random, sessionId } from './support/kit.ts';
import { line } from './support/line.ts';

test('a program that ends while a session goes back leaves all lines in the epoch before, or those that are kept in the new one; a loss of power may cost the cache, and shows nothing else', async (t) => {
  let before = 0, after = 0, long = 0, dropped = 0;
  for (let seed = 0; seed < 300; seed++) {
    const disk = new BadDisk(new Random(seed));
    const { session } = await (await Folder.on(disk, { flush: true })).open(sessionId);
    await session.do({ type: 'store', at: { epoch: 1, seq: 6 }, lines: [1, 2, 3, 4, 5, 6].map(line) });
    await disk.write(`${sessionId}.index`, 0, new Uint8Array(), true); // it has reached the disk
    disk.fuse = seed % 3;
    await session.do({ type: 'rewind', at: { epoch: 2, seq: 4 } }).catch(() => assert.ok(disk.isDead));
    disk.restart();
    const isPowerLoss = seed % 2 === 0;
    if (isPowerLoss) {
      disk.powerLoss();
    }
    const { session: next, found } = await (await Folder.on(disk)).open(sessionId);
    const { index, file } = found, isWhole = index !== undefined && file.length >= index.length && file.sum === index.sum;
    const left = isWhole ? (await all(next.lines({ type: 'read', from: 0, after: 0 }))).map((l) => l.line) : [];
    assert.deepEqual(left, [1, 2, 3, 4, 5, 6].map(line).slice(0, left.length));
    if (!isWhole) {
      assert.ok(isPowerLoss, `seed ${seed}: a program that ended has cost the cache`);
      dropped++;
    } else if (index.epoch === 1) {
      assert.equal(left.length, 6);
      before++;
    } else {
      assert.deepEqual([left.length, index.epoch], [4, 2]);
      after++;
      long += file.length > index.length ? 1 : 0;
    }
  }
  t.diagnostic(`${before} times as before, ${after} times done, of which ${long} without the cut, ${dropped} times dropped`);
  assert.ok(before > 0 && after > long && long > 0 && dropped > 0, 'this proves too little');
});

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of source) {
    list.push(item);
  }
  return list;
}

const first = `{"seq":1,"ts":1,"type":"session_start","sessionId":"${sessionId}","agentBackend":"pi","metadata":{}}`;
const lines = (epoch: number, ...seqs: number[]): string =>
  seqs.map((seq) => `id: ${sessionId}/${formatCursor({ epoch, seq })}\ndata: ${seq === 1 ? first : event(seq)}\n\n`).join('');
const reset = (epoch: number, newest: number, common: number): string => `data: ${JSON.stringify({ type: 'reset', sessionId, epoch, oldest: 1, newest, common })}\n\n`;

interface Seen {
  /** What stands of the lines: what no reset has made void. */
  stand: string[];
  /** All lines that were told. */
  told: number;
  notices: string[];
  /** What each request asked for. */
  asked: string[];
}

/** Runs a mirror until its session is at a cursor. */
async function upTo(texts: string[], cache: MirrorCache, end: Cursor): Promise<Seen> {
  const fake = new Fake(texts.map((body, i) => ({ type: 'text/event-stream', body, then: i < texts.length - 1 ? 'cut' : 'beat' })));
  const mirror = new Mirror(fake.client(), { cache, states: true, saveEvery: 2 });
  const seen: Seen = { stand: [], told: 0, notices: [], asked: [] };
  const run = mirror.run().catch(() => undefined);
  for await (const c of mirror.changes() as AsyncIterable<Change>) {
    if (c.type === 'line') {
      seen.told++;
      seen.stand.push(formatCursor(c.at));
      if (c.at.epoch === end.epoch && c.at.seq === end.seq) {
        break;
      }
    } else if (c.type === 'reset') {
      seen.stand = [];
    } else if (c.type === 'notice') {
      seen.notices.push(c.notice);
    } else if (c.type === 'restored') {
      seen.stand.push(`state ${formatCursor(c.at)}`);
    }
    assert.ok(fake.clock.now() < 600_000, `it never came so far: ${JSON.stringify(seen)}`);
  }
  const state = mirror.state(sessionId);
  assert.deepEqual([state?.epoch, state?.seq], [end.epoch, end.seq]);
  await mirror.close();
  await run;
  seen.asked = fake.asked.map((a) => (JSON.parse(a.body) as { sessions: Record<string, string> }).sessions[sessionId] ?? '-');
  return seen;
}

async function storedIn(cache: Folder): Promise<unknown[]> {
  const { session, found } = await cache.open(sessionId);
  const stored = await all(session.lines({ type: 'read', from: 0, after: 0 }));
  session.close();
  return [found.index?.epoch, ...stored.map((l) => l.event.seq)];
}

test('what the log still has is kept, shown again, and not asked for; the lines that it lost are neither shown any more nor stored', async () => {
  const cache = await memory();
  await upTo([lines(1, 1, 2, 3, 4, 5)], cache, { epoch: 1, seq: 5 });
  const texts = [reset(2, 4, 3) + lines(2, 1, 2), lines(2, 4), reset(3, 3, 2), lines(3, 3, 4)];
  const { stand, notices, asked } = await upTo(texts, cache, { epoch: 3, seq: 4 });
  assert.deepEqual([stand, notices, asked], [['3.1', '3.2', '3.3', '3.4'], [], ['5', '2.3', '2.4', '3.2']]);
  assert.deepEqual(await storedIn(cache), [3, 1, 2, 3, 4]);
});

for (const [what, failure, shown] of [['says so', new Error('no'), 0], ['does not know how', undefined, 3]] as const) {
  test(`where a cache cannot go back and ${what}, nothing of it stays on the screen, and all is read anew`, async () => {
    const folder = await memory();
    const cache: MirrorCache = {
      sessions: () => folder.sessions(),
      open: async (id) => {
        const { session, found } = await folder.open(id);
        const act = session.do.bind(session);
        session.do = async (effect) => {
          if (effect.type !== 'rewind') {
            return act(effect);
          }
          if (failure !== undefined) {
            throw failure;
          }
        };
        return { session, found };
      },
    };
    await upTo([lines(1, 1, 2, 3)], cache, { epoch: 1, seq: 3 });
    const { stand, notices, asked, told } = await upTo([reset(2, 4, 2), lines(2, 1, 2, 3, 4)], cache, { epoch: 2, seq: 4 });
    assert.deepEqual([stand, notices, told], [['2.1', '2.2', '2.3', '2.4'], ['cache_dropped'], shown + 4]);
    assert.equal(asked.at(-1), '0');
    assert.deepEqual(await storedIn(folder), [2, 1, 2, 3, 4]);
  });
}
