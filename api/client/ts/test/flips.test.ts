import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Folder } from '../src/cache/index.ts';
import { Machine, type Checkpoint } from '../src/sync/index.ts';
import { BadDisk } from './support/disk.ts';
import { Random, sessionId } from './support/kit.ts';
import { line } from './support/line.ts';

/** A cache with a log that was stored in several parts, and a state. */
async function written(disk: BadDisk, parts: number): Promise<string[]> {
  const { session } = await (await Folder.on(disk)).open(sessionId);
  const log: string[] = [];
  for (let part = 0; part < parts; part++) {
    const lines = [line(log.length + 1), line(log.length + 2)];
    log.push(...lines);
    await session.do({ type: 'store', at: { epoch: 1, seq: log.length }, lines });
  }
  await session.saveState({ epoch: 1, seq: log.length }, '{"seq":24}');
  return log;
}

/** What the next process shows of a cache, before it has heard from a server. A state is only looked for: all lines are read. */
async function reread(disk: BadDisk): Promise<{ shown: string[]; checkpoint?: Checkpoint }> {
  const { session, found: { checkpoint, ...found } } = await (await Folder.on(disk)).open(sessionId);
  const shown: string[] = [];
  for (const e of new Machine().step(found, 0)) {
    if (e.type === 'read') {
      for await (const { line: text } of session.lines(e)) {
        shown.push(text);
      }
    }
  }
  return checkpoint === undefined ? { shown } : { shown, checkpoint };
}

test('each bit of a cache is turned over once: none is ever shown, and the cache gives the whole log, an earlier part of it, or nothing', async (t) => {
  const disk = new BadDisk(new Random(1));
  const log = await written(disk, 12);
  const whole = new Map(disk.now);
  let flips = 0, dropped = 0, earlier = 0;
  for (const ending of ['.ndjson', '.index', '.state']) {
    const bytes = whole.get(sessionId + ending)!;
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      flips++;
      const copy = bytes.slice();
      copy[bit >> 3]! ^= 1 << (bit & 7);
      disk.now = new Map(whole).set(sessionId + ending, copy);
      const { shown, checkpoint } = await reread(disk);
      const where = `${ending}, bit ${bit}: ${shown.length} lines`;
      assert.deepEqual(shown, log.slice(0, shown.length), where);
      assert.ok(ending !== '.ndjson' || shown.length === 0, `${where}, and it was not noticed`);
      assert.ok(ending !== '.state' || (shown.length === log.length && checkpoint === undefined), where);
      dropped += shown.length === 0 ? 1 : 0;
      earlier += shown.length > 0 && shown.length < log.length ? 1 : 0;
    }
  }
  t.diagnostic(`${flips} flipped bits: ${dropped} times nothing is left, ${earlier} times an earlier part; none was shown`);
  assert.ok(flips >= 10_000 && earlier > 0, 'this proves too little');
});
