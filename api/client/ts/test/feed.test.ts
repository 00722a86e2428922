import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Feed, maxFeed } from '../src/mirror/feed.ts';
import type { Change } from '../src/index.ts';

const change = (seq: number, length = 0): Change => ({ type: 'line', id: 's', at: { epoch: 1, seq }, line: 'x'.repeat(length) });
const never = new AbortController().signal;

test('a reader that is slow holds up whoever tells, and loses nothing', async () => {
  const feed = new Feed(), reader = feed.join(), fast = feed.join();
  const count = 100_000;
  let told = 0, held = 0;
  const telling = (async () => {
    for (; told < count; told++) {
      const waits = feed.put(change(told), never);
      if (waits !== undefined) {
        held++;
        await waits;
      }
    }
  })();
  let next = 0, quick = 0;
  while (next < count) {
    quick += feed.take(fast).length;
    const list = feed.take(reader);
    assert.ok(list.length <= maxFeed / 100, `${list.length} changes waited`);
    for (const c of list) {
      assert.equal(c.type === 'line' && c.at.seq, next++);
    }
    if (list.length === 0) {
      await reader.news.heard();
    }
  }
  await telling;
  assert.equal(quick + feed.take(fast).length, count);
  assert.ok(held >= 2, `held up ${held} times`);
});

test('without readers nothing is kept, and one that leaves makes room', async () => {
  const feed = new Feed();
  for (let i = 0; i < 100; i++) {
    assert.equal(feed.put(change(i, maxFeed), never), undefined);
  }
  const slow = feed.join(), fast = feed.join();
  assert.equal(feed.put(change(1, maxFeed), never), undefined, 'one that is larger than all room goes alone');
  feed.take(fast);
  const waits = feed.put(change(2, 10), never);
  assert.ok(waits);
  feed.leave(slow);
  await waits;
  assert.deepEqual(feed.take(fast).map((c) => c.type === 'line' && c.at.seq), [2]);
});

test('what was taken leaves room', () => {
  const feed = new Feed(), reader = feed.join();
  for (let round = 0; round < 3; round++) {
    assert.equal(feed.put(change(1, maxFeed / 2), never), undefined);
    assert.equal(feed.put(change(2, maxFeed / 4), never), undefined);
    assert.equal(feed.take(reader).length, 2);
  }
});

test('a signal ends the waiting for a reader', async () => {
  const feed = new Feed(), stop = new AbortController();
  feed.join();
  feed.put(change(1, maxFeed), stop.signal);
  const waits = feed.put(change(2, 10), stop.signal);
  stop.abort();
  await waits;
});
