import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logs, random, saying, shelf } from './support/logs.ts';

const { decodeEvent, encodeEvent, encodeState, Fold } = await import('ringmaster-protocol');
const { memory } = await import('ringmaster-client');
const { Answers } = await import('../src/worker/answers.ts');
const { Past } = await import('../src/worker/past.ts');

// Proves: I14.2/time

test('the state at any cursor of a log that is kept is its fold up to there, wherever one was before', async () => {
  const never = new AbortController().signal, around = { now: () => 0, rest: async () => undefined };
  for (const { name, lines } of logs.filter((log) => decodeEvent(log.lines[0]!).seq === 1 && log.lines.every((line, i) => decodeEvent(line).seq === i + 1))) {
    const past = new Past(shelf({ [name]: lines }), around), below = random(1);
    for (let n = 0; n < 40; n++) {
      const seq = 1 + below(lines.length);
      const fold = new Fold();
      lines.slice(0, seq).forEach((line) => fold.apply(decodeEvent(line)));
      assert.equal(await past.state(name, { epoch: 1, seq }, never), encodeState({ ...fold.toJSON(), epoch: 1 }), `${name} at ${seq}`);
    }
    assert.equal(await past.state(name, { epoch: 2, seq: 1 }, never), undefined);
    assert.equal(await past.state(name, { epoch: 1, seq: lines.length + 1 }, never), undefined);
    assert.equal(await past.state('another', { epoch: 1, seq: 1 }, never), undefined);
  }
  const holed = logs.find((log) => log.name === 'tools_and_thinking.ndjson')!.lines.toSpliced(5, 1);
  assert.equal(await new Past(shelf({ holed }), around).state('holed', { epoch: 1, seq: holed.length }, never), undefined, 'one of its lines is gone');
  const part = logs.find((log) => log.name === 'text_turn.ndjson')!.lines.slice(2);
  assert.equal(await new Past(shelf({ part }), around).state('part', { epoch: 1, seq: part.length }, never), undefined, 'its first lines are gone');
});

test('a slider over a long log reads a part of it at each step, and remembers no more than it may', async () => {
  const texts = Array.from({ length: 60_000 }, (_, n) => `word ${n} ${'x'.repeat(60)}`);
  const lines = saying(texts.slice(0, 40)).concat(Array.from({ length: 60_000 }, (_, i) => encodeEvent({ seq: i + 42, ts: i, type: 'entry_delta', entryId: 'e0', delta: { op: 'text_append', text: 'x'.repeat(60) } })));
  const log = shelf({ a: lines });
  const past = new Past(log, { now: () => 0, rest: async () => undefined });
  const at = async (seq: number): Promise<number> => {
    log.reads.length = 0;
    const state = await past.state('a', { epoch: 1, seq }, new AbortController().signal);
    assert.equal((JSON.parse(state!) as { seq: number }).seq, seq);
    return log.reads.length;
  };
  const first = await at(60_000);
  for (const seq of [59_000, 30_000, 100, 45_000]) {
    assert.ok((await at(seq)) <= first / 4, `at ${seq}: ${log.reads.length} of ${first} pieces`);
  }
});

test('sliders over several sessions read a part of each at each step', async () => {
  const lines = saying(Array.from({ length: 40 }, (_, n) => `word ${n} ${'x'.repeat(60)}`)).concat(Array.from({ length: 60_000 }, (_, i) => encodeEvent({ seq: i + 42, ts: i, type: 'entry_delta', entryId: 'e0', delta: { op: 'text_append', text: 'x'.repeat(60) } })));
  const log = shelf({ a: lines, b: lines });
  const past = new Past(log, { now: () => 0, rest: async () => undefined });
  const at = async (id: string, seq: number): Promise<number> => {
    log.reads.length = 0;
    await past.state(id, { epoch: 1, seq }, new AbortController().signal);
    return log.reads.length;
  };
  const first = await at('a', 60_000);
  await at('b', 60_000);
  for (const id of ['a', 'b', 'a']) {
    const reads = await at(id, 45_000);
    assert.ok(reads <= first / 4, `${id}: ${reads} of ${first} pieces`);
  }
});

test('a session that is dropped and stored anew while its past is folded tells nothing of the log that was there', async () => {
  const old = saying(Array.from({ length: 40 }, (_, n) => `old ${n} ${'x'.repeat(60_000)}`)), other = saying(Array.from({ length: 40 }, (_, n) => `new ${n} ${'x'.repeat(60_000)}`));
  const before = shelf({ a: old }), after = shelf({ a: other });
  let isAnew = false, epoch = 1;
  const folder = {
    glance: async (id: string) => {
      const was = (await before.glance(id))!, is = (await after.glance(id))!;
      return { ...was, epoch, read: (at: number, most: number) => {
        if (at > 0 && isAnew && epoch === 1) {
          epoch = 2;
        }
        return epoch === 1 ? was.read(at, most) : is.read(at, most);
      } };
    },
  };
  const past = new Past(folder, { now: () => 0, rest: async () => undefined }), never = new AbortController().signal;
  assert.match((await past.state('a', { epoch: 1, seq: 30 }, never))!, /old 28/);
  isAnew = true;
  assert.equal(await past.state('a', { epoch: 1, seq: 41 }, never), undefined);
  isAnew = false;
  epoch = 1; // as if the first log had come back: what was remembered on the way must not be of the other
  assert.doesNotMatch((await past.state('a', { epoch: 1, seq: 41 }, never))!, /new/);
});

test('a tab that shows several sessions is answered for each of them, and for the newest place of each', async () => {
  const folder = await memory(), ids = [1, 2, 3, 4, 5].map((n) => `0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0${n}`);
  for (const id of ids) {
    const { session } = await folder.open(id);
    const lines = saying(['a', 'b', 'c']);
    await session.do({ type: 'store', at: { epoch: 1, seq: lines.length }, lines });
  }
  const told: string[] = [];
  const answers = new Answers({ folder, at: () => undefined, state: () => undefined, known: () => ids, reading: () => undefined, ready: Promise.resolve(), answer: (tab, a) => told.push(`${tab} ${a.n} ${a.type === 'past' && a.state !== undefined}`) });
  const put = (n: number, id: string): void => answers.ask('a', { type: 'past', n, id, at: { epoch: 1, seq: 2 } });
  ids.slice(0, 4).forEach((id, i) => put(i + 1, id));
  put(5, ids[1]!);
  await answers.settled;
  assert.deepEqual(told.sort(), ['a 1 true', 'a 3 true', 'a 4 true', 'a 5 true']);
  told.length = 0;
  ids.forEach((id, i) => put(i + 6, id));
  await answers.settled;
  assert.deepEqual(told.sort(), ['a 10 true', 'a 7 true', 'a 8 true', 'a 9 true'], 'no more than can be shown beside each other');
  await answers.close();
});
