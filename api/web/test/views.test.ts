import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryState, LiveState, LogEvent } from 'ringmaster-protocol';
import { changesOf } from '../src/text/changes.ts';
import { fit, hitsIn } from '../src/text/find.ts';
import { hitsOf, rowsOf } from '../src/text/lines.ts';
import { marksOf, nextMark, ticksOf } from '../src/text/marks.ts';
import { knownOf, newsOf } from '../src/text/news.ts';
import { pairsOf } from '../src/text/pairs.ts';
import { barsOf, ceiling, Spending } from '../src/text/spending.ts';
import { span } from '../src/text/words.ts';

// Proves: I14.2/time

const call = (entryId: string, data: object, more: object = {}): EntryState => ({ entryId, entryType: 'tool_call', startSeq: 1, startTs: 0, data: { toolName: 'edit', callId: 'c', status: 'completed', ...data }, ...more } as EntryState);

test('changes stand by file, in order, and those that were not done add nothing up', () => {
  const files = changesOf([
    call('e1', { diff: '--- a/x.go\n+++ b/x.go\n@@ -1 +1,2 @@\n-a\n+b\n+c\n--- /dev/null\n+++ b/new.go\n@@ -0,0 +1 @@\n+n\n' }),
    call('e2', { arguments: '{"path":"x.go","edits":[{"oldText":"c","newText":"d"}]}' }),
    call('e3', { diff: '--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-1\n+2\n', status: 'error' }),
    call('e4', { diff: '--- a/y.go\n+++ b/y.go\n@@ -1 +1 @@\n-1\n+2\n', status: 'awaiting_approval' }, { open: true }),
    call('e5', { arguments: '{"command":"rm x"}' }),
    { entryId: 'e6', entryType: 'assistant_message', startSeq: 1, startTs: 0, data: { role: 'assistant', text: '--- a\n+++ b\n@@ -1 +1 @@\n' } },
  ]);
  assert.deepEqual(files.map((f) => [f.path, f.added, f.removed, f.changes.map((c) => `${c.entryId} ${c.state}`).join(', ')]), [
    ['x.go', 3, 2, 'e1 done, e2 done, e3 failed'], ['new.go', 1, 0, 'e1 done'], ['y.go', 0, 0, 'e4 waits'],
  ]);
  assert.deepEqual(files[1]!.changes[0]!.lines.map((l) => `${l.kind} ${l.text}`), ['note new.go (new)', 'hunk line 1', 'add n']);
});

test('native lines stand beside their events, and no event is left out or told twice', () => {
  for (let n = 0; n < 300; n++) {
    const lines: { line: number; incarnation: number; batch?: number; from?: number; to?: number }[] = [];
    let seq = 1, x = n + 1;
    const next = (of: number): number => (x = (x * 48_271) % 2_147_483_647) % of;
    for (let batch = 1; batch < 12; batch++) {
      const events = next(4), own = next(3);
      seq += own; // events that came of no line
      for (let i = 0; i <= next(3); i++) {
        lines.push({ line: lines.length + 1, incarnation: 1, batch, ...(events === 0 ? {} : { from: seq, to: seq + events - 1 }) });
      }
      seq += events;
    }
    const events = Array.from({ length: seq + 2 }, (_, i) => ({ seq: i + 1 })) as LogEvent[];
    const pairs = pairsOf(lines, events);
    assert.deepEqual(pairs.flatMap((p) => p.events), events);
    assert.deepEqual(pairs.flatMap((p) => p.lines), lines);
    for (const p of pairs) {
      assert.ok(p.lines.length === 0 || p.events.every((e) => p.lines.every((l) => e.seq >= l.from! && e.seq <= l.to!)), JSON.stringify(p));
    }
  }
});

const state = {
  seq: 40, turns: [{ turnId: 't1', startSeq: 2, endSeq: 20, status: 'completed' }, { turnId: 't2', startSeq: 22, endSeq: 40, status: 'error' }],
  requests: [{ requestId: 'r1', kind: 'approval', toolName: 'bash', openedSeq: 9, resolvedSeq: 11, resolved: { outcome: 'denied' } }],
  entries: [call('e1', { status: 'error' }, { endSeq: 11 }), { entryId: 'e2', entryType: 'compaction', startSeq: 30, endSeq: 31, data: { summary: '' } }],
} as unknown as LiveState;

test('a slider shows turns, requests, failures and compactions, and of those in one place what matters most', () => {
  const marks = marksOf(state);
  assert.deepEqual(marks.map((m) => `${m.seq} ${m.kind} ${m.words}`), ['2 turn t1 begins', '9 request bash asks', '11 request denied', '11 failed edit fails', '20 turn t1 ends', '22 turn t2 begins', '31 compaction compaction', '40 failed t2 fails']);
  assert.deepEqual([nextMark(marks, 9, 1)?.seq, nextMark(marks, 9, -1)?.seq, nextMark(marks, 40, 1), nextMark(marks, 2, -1)], [11, 2, undefined, undefined]);
  assert.deepEqual(ticksOf(marks, 40, 2).map((t) => [t.part, t.mark.kind]), [[0, 'request'], [0.5, 'failed'], [1, 'failed']]);
  assert.equal(ticksOf(marks, 1, 200).length > 0, true);
});

test('what was used is added up by turn, what came between turns too', () => {
  const s = new Spending();
  const use = (turnId: string | undefined, input: number, cached: number, cost?: number): void => s.add({ type: 'token_usage', seq: 1, ts: 0, ...(turnId === undefined ? {} : { turnId }), usage: { inputTokens: input, cachedInputTokens: cached, outputTokens: 5, totalTokens: input + 5 }, ...(cost === undefined ? {} : { cost: { input: 0, output: 0, cacheRead: 0, total: cost, estimated: true } }), model: 'm' } as LogEvent);
  use('t1', 10, 4);
  use('t1', 10, 20, 0.5); // an agent that counts strangely
  use(undefined, 3, 0);
  s.add({ type: 'status', seq: 2, ts: 0, state: 'idle', agentStatus: 'idle' } as LogEvent);
  use('t2', 7, 0, 0.25);
  assert.deepEqual(s.turns.map((t) => [t.turnId, t.requests, t.fresh, t.cached, t.output, t.cost, t.isEstimated, t.models.length]), [['t1', 2, 6, 24, 10, 0.5, true, 1], ['', 1, 3, 0, 5, 0, false, 1], ['t2', 1, 7, 0, 5, 0.25, true, 1]]);
  assert.deepEqual(barsOf(s.turns, 2).map((b) => [b.from, b.to, b.output, b.cost]), [[0, 1, 15, 0.5], [2, 2, 5, 0.25]]);
  assert.deepEqual([0, 0.0003, 1, 3, 7, 500, 501].map(ceiling), [1, 0.0005, 1, 5, 10, 500, 1000]);
});

test('texts are searched letter case aside, and the words around are told in one line', () => {
  const said = [
    { entryId: 'a', entryType: 'assistant_message', data: { role: 'assistant', text: `${'x '.repeat(50)}The\n Walrus sings` } }, { entryId: 'b', entryType: 'thinking', data: { text: '', summary: ['no', 'walrus?'] } },
    call('c', { command: 'ls', output: 'walrus.txt' }), { entryId: 'd', entryType: 'a_later_kind', data: { text: 'walrus' } },
  ] as EntryState[];
  const hits = hitsIn(said, ' walRUS ', 10);
  assert.deepEqual(hits.map((h) => h.entryId), ['a', 'b', 'c']);
  assert.match(`${hits[0]!.before}|${hits[0]!.found}|${hits[0]!.after}`, /^….*x The \|Walrus\| sings$/);
  assert.deepEqual([hitsIn(said, '', 9).length, hitsIn(said, 'walrus', 1).map((h) => h.entryId)], [0, ['c']]);
  assert.ok(fit('Mend the parser', 'parser mend')! > fit('Amended comparser', 'parser mend')!);
  assert.equal(fit('Mend', 'mend x'), undefined);
});

test('a text is cut into rows, long ones between characters', () => {
  const long = `${'a'.repeat(999)}😀${'b'.repeat(1500)}`;
  const rows = rowsOf(`one\n${long}\n\nend\n`);
  assert.equal(rows.slice(1, -2).join(''), long);
  assert.ok(rows.every((r) => r.length <= 1000 && !/[\ud800-\udbff]$/.test(r)));
  assert.deepEqual([rows[0], rows.at(-1)], ['one', 'end']);
  assert.deepEqual(hitsOf(['x', 'ab', 'CAB'], 'ab', 9), [1, 2]);
  assert.deepEqual([hitsOf(['ab', 'ab'], 'ab', 1), hitsOf(['ab'], '', 9)], [[0], []]);
});

test('news are ends of turns that no person made, and nothing that was there before', () => {
  const s = (id: string, state: string, turnId?: string, more: object = {}): never => ({ id, status: { state }, ...(turnId === undefined ? {} : { lastTurn: { turnId, status: 'completed', ...more } }) } as never);
  const before = knownOf([s('a', 'idle', 't1'), s('b', 'responding'), s('c', 'responding', 't1'), s('d', 'idle', 't1'), s('f', 'responding')]);
  const now = [s('a', 'idle', 't1'), s('b', 'idle', 't1'), s('c', 'idle', 't2', { status: 'interrupted', cause: 'user' }), s('d', 'idle', 't2', { status: 'error' }), s('e', 'idle', 't9'), s('f', 'failed', 't1')];
  assert.deepEqual(newsOf(before, now).map((n) => `${n.tag}: ${n.words}`), ['turn/b/t1: A turn has ended.', 'turn/d/t2: A turn has failed.', 'end/f: The session has failed.']);
  assert.deepEqual(newsOf(knownOf(now), now), []);
});

test('a span that was chosen is told in one unit', () => {
  assert.deepEqual([1000, 60_000, 600_000, 3_600_000, 86_400_000, 90_000, 1500].map(span), ['1 second', '1 minute', '10 minutes', '1 hour', '1 day', '90 seconds', '1.5 s']);
});
