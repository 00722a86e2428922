import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeEvent, decodeState, Fold, formatCursor, type LogEvent, type SessionState } from '../src/index.ts';
import { decodeAll, fixture, fold, logs, plain } from './testdata.ts';

for (const { name, lines } of logs) {
  const want = fixture('fold', name);

  test(`${name}: the state is the expected one`, () => {
    assert.deepEqual(plain(fold(decodeAll(lines))), want);
  });

  test(`${name}: every cut, with the state kept, stored and copied`, () => {
    for (let cut = 0; cut <= lines.length; cut++) {
      const kept = fold(decodeAll(lines.slice(0, cut)));
      const stored = new Fold(decodeState(JSON.stringify(kept)));
      const copied = new Fold(kept.toJSON());
      const taken = Fold.of(decodeState(JSON.stringify(kept)));
      const rest = decodeAll(lines.slice(cut));
      const before = JSON.stringify(kept);
      assert.deepEqual(plain(fold(rest, copied)), want, `copied after ${cut}`);
      assert.equal(JSON.stringify(kept), before, `the copy after ${cut} shares something`);
      assert.deepEqual(plain(fold(rest, stored)), want, `stored after ${cut}`);
      assert.deepEqual(plain(fold(rest, taken)), want, `taken over after ${cut}`);
      assert.deepEqual(plain(fold(rest, kept)), want, `kept after ${cut}`);
    }
  });

  test(`${name}: every line twice, and every beginning again`, () => {
    const twice = fold(decodeAll(lines.flatMap((line) => [line, line])));
    assert.deepEqual(plain(twice), want);
    for (let cut = 1; cut <= lines.length; cut++) {
      const again = fold(decodeAll([...lines.slice(0, cut), ...lines.slice(cut >> 1)]));
      assert.deepEqual(plain(again), want, `from ${cut >> 1} again after ${cut}`);
    }
  });

  test(`${name}: deltas of entries that end may be missing`, () => {
    const events = decodeAll(lines);
    const last = new Map<string, number>();
    events.forEach((e, i) => e.type === 'entry_end' && last.set(e.entryId, i));
    const settled = fold(events.filter((e, i) => !(e.type === 'entry_delta' && i < (last.get(e.entryId) ?? -1))));
    assert.deepEqual(plain({ ...settled.toJSON(), seq: 0, ts: 0 }), plain({ ...(want as SessionState), seq: 0, ts: 0 }));
  });

  test(`${name}: no event is changed by being folded`, () => {
    const events = decodeAll(lines);
    fold(events);
    assert.deepEqual(events, decodeAll(lines));
  });
}

test('deltas change the state and no event', () => {
  const line = '{"seq":1,"ts":1,"type":"entry_start","entryId":"e1","entryType":"thinking","data":{"text":"","summary":["a"]}}';
  const start = decodeEvent(line);
  const f = fold([start, decodeEvent('{"seq":2,"ts":1,"type":"entry_delta","entryId":"e1","delta":{"op":"summary_append","summaryIndex":0,"text":"b"}}')]);
  assert.deepEqual(plain(f.entry('e1')?.data), { text: '', summary: ['ab'] });
  assert.deepEqual(start, decodeEvent(line));
});

test('an event that came before says so', () => {
  const f = new Fold();
  const e = decodeEvent('{"seq":1,"ts":1,"type":"weather"}');
  assert.deepEqual([f.apply(e), f.apply(e)], [true, false]);
});

test('a state answers what a page asks', () => {
  const log = (name: string) => logs.find((l) => l.name === name)!.lines;
  const midTurn = fold(decodeAll(log('mid_turn')));
  assert.deepEqual(midTurn.openRequests.map((r) => r.requestId), ['r1']);
  assert.equal(midTurn.request('r1'), midTurn.openRequests[0]);
  assert.equal(midTurn.entry('e4')?.open, true);
  assert.equal(midTurn.turn('t1')?.status, undefined);
  assert.equal(midTurn.entry('e9') ?? midTurn.turn('t9') ?? midTurn.request('r9'), undefined);
  assert.equal(formatCursor(fold(decodeAll(log('epoch'))).cursor), '2.30');
  assert.equal(formatCursor(new Fold().cursor), '0');
});

test('what the daemon adds to a state is not folded on', () => {
  const damaged = decodeState(JSON.stringify({ ...new Fold().toJSON(), damage: { file: '000001.ndjson', problem: 'cut' } }));
  assert.equal(damaged.damage?.problem, 'cut');
  assert.equal(new Fold(damaged).toJSON().damage, undefined);
  assert.equal(Fold.of(damaged).state.damage, undefined);
});

test('sums stop at 2^53−1, both ways', () => {
  const use = (seq: number, n: number): LogEvent => ({
    seq, ts: 1, type: 'token_usage', usage: { inputTokens: n, cachedInputTokens: 0, outputTokens: 0, totalTokens: -n },
  });
  const { sum } = fold([use(1, Number.MAX_SAFE_INTEGER), use(2, 5), use(3, Number.MAX_SAFE_INTEGER)]).state.usage;
  assert.deepEqual([sum.inputTokens, sum.totalTokens], [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]);
});

test('a text may be read between any two deltas, and a long one costs no more than its length', () => {
  const f = new Fold();
  f.apply(decodeEvent('{"seq":1,"ts":1,"type":"entry_start","entryId":"e1","entryType":"assistant_message","data":{"role":"assistant","text":""}}'));
  for (let seq = 2; seq < 100_002; seq++) {
    f.apply({ seq, ts: 1, type: 'entry_delta', entryId: 'e1', delta: { op: 'text_append', text: 'twenty bytes of text' } });
    const x = f.entry('e1')!;
    assert.equal(x.entryType === 'assistant_message' && x.data.text.length, (seq - 1) * 20);
  }
});

test('names that objects have of themselves are names like others', () => {
  const labels = '{"__proto__":"x","constructor":"y"}';
  const f = fold(decodeAll([
    `{"seq":1,"ts":1,"type":"session_start","sessionId":"s","agentBackend":"pi","metadata":{"labels":${labels},"__proto__":{"a":1}}}`,
    '{"seq":2,"ts":1,"type":"entry_start","entryId":"constructor","turnId":"__proto__","entryType":"__proto__","data":{"__proto__":[]}}',
    '{"seq":3,"ts":1,"type":"entry_delta","entryId":"constructor","delta":{"op":"constructor","__proto__":7}}',
  ]));
  const text = JSON.stringify(f);
  assert.ok(text.includes(`"labels":${labels}`) && text.includes('"__proto__":{"a":1}') && text.includes('"data":{"__proto__":[]}'), text);
  assert.deepEqual(plain(new Fold(decodeState(text))), JSON.parse(text));
});

test('a page says which part it is, and a fold goes on from it', () => {
  const part = { from: 9, oldest: 1, told: { turns: 3, entries: 70, requests: 2 } };
  const page = decodeState(JSON.stringify({ ...new Fold().toJSON(), sessionId: 's', seq: 12, epoch: 1, part }));
  assert.deepEqual(page.part, part);
  const fold = new Fold(page);
  assert.equal(fold.apply({ seq: 13, ts: 1, type: 'entry_meta', entryId: 'e1', persistentId: 'x' }), true); // of an entry that is not there
  assert.equal('part' in fold.state, false);
  assert.equal('part' in Fold.of(page).state, false);
  assert.deepEqual([fold.state.seq, fold.state.entries], [13, []]);
});

test('a sum of costs that is no number stays as it was', () => {
  const fold = new Fold();
  for (let seq = 1; seq <= 3; seq++) {
    fold.apply({ seq, ts: 1, type: 'token_usage', usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, totalTokens: 2 }, cost: { input: 1e308, output: 1, cacheRead: 0, total: 1e308 } });
  }
  assert.deepEqual(fold.state.usage.cost, { input: 1e308, output: 3, cacheRead: 0, total: 1e308, estimated: false });
});
