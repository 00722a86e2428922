import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InboxRequest, SessionSummary } from 'ringmaster-client';
import type { LiveState } from 'ringmaster-protocol';
import { groupOf, nameOf, rowsOf } from '../src/live/groups.ts';
import { itemsOf } from '../src/live/items.ts';
import { limits, refusal, typeOf } from '../src/live/picture.ts';
import { changeOf, moved, rulesOf, warningOf } from '../src/live/rules.ts';
import { lastSpan, spanOf } from '../src/live/windowed.ts';
import { browserName } from '../src/login/browser.ts';

const session = (id: string, state: string, more: object = {}): SessionSummary => ({
  id, agent: 'pi', cwd: `/w/${id}`, createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z', cursor: '5', epoch: 1, seq: 5, turns: 1, status: { state, agentStatus: 'idle' }, spent: {}, ...more,
} as SessionSummary);
const request = (sessionId: string, openedAt: string): InboxRequest => ({ sessionId, openedAt, agent: 'pi', cwd: '/', cursor: '4', request: { requestId: 'r', kind: 'approval', title: 't' } });

test('a session stands in the group that says what a person should do', () => {
  for (const [state, asks, seen, group] of [
    ['idle', false, undefined, 'ready'], ['idle', false, 5, 'idle'], ['idle', true, 5, 'needs'], ['awaiting_approval', false, 5, 'needs'], ['awaiting_input', false, 5, 'needs'], ['responding', false, 5, 'working'],
    ['starting', false, 5, 'working'], ['a_later_state', false, 5, 'working'], ['failed', false, 5, 'failed'], ['completed', false, 0, 'ended'], ['terminated', false, 0, 'ended'],
  ] as const) {
    assert.equal(groupOf(session('a', state), asks, seen), group, state);
  }
  assert.equal(groupOf(session('a', 'idle', { turns: 0 }), false, undefined), 'idle');
  const after = (lastTurn: object, seen: number | undefined, state = 'idle', asks = false): string => groupOf(session('a', state, { lastTurn }), asks, seen);
  assert.deepEqual([after({ status: 'error' }, undefined), after({ status: 'error' }, 5), after({ status: 'interrupted', cause: 'lost' }, 5)], ['failed', 'failed', 'failed']);
  assert.deepEqual([after({ status: 'completed' }, 1), after({ status: 'interrupted', cause: 'user' }, 1), after({ status: 'error' }, 1, 'responding'), after({ status: 'error' }, 1, 'idle', true)], ['ready', 'ready', 'working', 'needs']);
});

test('sub-agents stand below their root, with what they ask; the longest waiting comes first', () => {
  const list = [
    session('root', 'responding'), session('sub', 'awaiting_approval', { subAgent: true, parentSessionId: 'root' }), session('deep', 'idle', { spawned: true, parentSessionId: 'sub' }),
    session('old', 'awaiting_input'), session('own', 'idle', { parentSessionId: 'root' }), session('lost', 'idle', { subAgent: true, parentSessionId: 'gone' }),
    session('loop', 'idle', { subAgent: true, parentSessionId: 'loop' }),
  ];
  const rows = rowsOf(list, [request('old', '2026-01-01T00:00:01Z'), request('sub', '2026-01-01T00:00:02Z'), request('unknown', '2026-01-01T00:00:00Z')], {}, '');
  assert.deepEqual(rows.get('needs')!.map((r) => [r.session.id, r.requests.length, r.below.map((b) => b.id)]), [['old', 1, []], ['root', 1, ['sub', 'deep']]]);
  assert.deepEqual(rows.get('ready')!.map((r) => r.session.id).sort(), ['loop', 'lost', 'own']);
});

test('a filter leaves sessions with all of its words', () => {
  const list = [session('a', 'idle', { title: 'Mend the Parser', labels: { team: 'red' } }), session('b', 'idle', { firstPrompt: 'write docs' })];
  const hits = (filter: string): string[] => [...rowsOf(list, [], {}, filter).values()].flat().map((r) => r.session.id).sort();
  assert.deepEqual([hits(''), hits('parser mend'), hits('PI docs'), hits('red'), hits('/w/b'), hits('nothing')], [['a', 'b'], ['a'], ['b'], ['a'], ['b'], []]);
  assert.deepEqual([nameOf({ title: 't', firstPrompt: 'p' }), nameOf({ firstPrompt: 'p' }), nameOf({})], ['t', 'p', 'Without a title']);
});

test('rows of a transcript are in the order of the log, and no prompt is told twice', () => {
  const state = {
    entries: [{ entryId: 'e1', entryType: 'user_message', turnId: 't1', startSeq: 3, startTs: 0, data: {} }, { entryId: 'e2', entryType: 'assistant_message', turnId: 't2', startSeq: 9, startTs: 0, data: {} }],
    turns: [{ turnId: 't1', prompt: { text: 'a' }, startSeq: 2, startTs: 0, endSeq: 6 }, { turnId: 't2', prompt: { text: 'b' }, startSeq: 8, startTs: 0 }],
    requests: [{ requestId: 'r1', kind: 'approval', openedSeq: 4, resolvedSeq: 5, resolved: {} }, { requestId: 'r2', kind: 'approval', openedSeq: 10 }, { requestId: 'c1', kind: 'caller_tool', openedSeq: 4, resolvedSeq: 5, resolved: {} }],
    children: [{ childSessionId: 'x', seq: 7, ts: 0 }],
  } as unknown as LiveState;
  assert.deepEqual(itemsOf(state).map((i) => `${i.kind} ${i.id}`), ['entry e1', 'answer r1/4', 'end t1/end', 'child child/x', 'prompt t2/prompt', 'entry e2']);
});

test('a window has all rows of the view, and the room of the others is kept', () => {
  for (let n = 0; n < 500; n++) {
    const heights = Array.from({ length: n % 97 }, (_, i) => 20 + ((i * 37 + n) % 300));
    const total = heights.reduce((a, b) => a + b, 0), view = 300 + (n % 700), top = Math.max(0, (total - view) * ((n % 11) / 10));
    const height = (i: number): number => heights[i]!;
    for (const s of [spanOf(heights.length, height, top, view), lastSpan(heights.length, height, view, n % 300)]) {
      const inside = heights.slice(s.from, s.to).reduce((a, b) => a + b, 0);
      assert.equal(s.above + inside + s.below, total);
    }
    const s = spanOf(heights.length, height, top, view);
    assert.ok(s.above <= Math.max(0, top) && s.above + heights.slice(s.from, s.to).reduce((a, b) => a + b, 0) >= Math.min(total, top + view));
    const last = lastSpan(heights.length, height, view, n % 300);
    assert.equal(last.to, heights.length);
    assert.ok(heights.slice(last.from).reduce((a, b) => a + b, 0) >= Math.min(total, view + (n % 300)));
  }
});

test('a browser is named by what it says of itself', () => {
  assert.equal(browserName('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36'), 'Chrome on Linux');
  assert.equal(browserName('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1'), 'Safari on iPhone');
  assert.equal(browserName('strange'), 'A browser');
});

test('an image is what its first bytes say, and what the daemon would refuse is not taken', () => {
  const of = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);
  const text = (s: string): Uint8Array => new TextEncoder().encode(s);
  assert.deepEqual([of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), of(0xff, 0xd8, 0xff, 0xe0), text('GIF89a'), text('RIFF....WEBP'), text('RIFF....WAVE'), text('<svg xmlns='), of()].map(typeOf),
    ['image/png', 'image/jpeg', 'image/gif', 'image/webp', undefined, undefined, undefined]);
  const of10 = { blob: { size: limits.bytes } };
  assert.equal(refusal([], { name: 'a', size: limits.bytes }, 'image/png'), '');
  assert.match(refusal([], { name: 'a', size: limits.bytes + 1 }, 'image/png'), /one image may have 10/);
  assert.match(refusal(Array(8).fill({ blob: { size: 1 } }), { name: 'a', size: 1 }, 'image/png'), /takes 8 images/);
  assert.match(refusal([of10, of10], { name: 'a', size: limits.bytes }, 'image/png'), /all of a prompt/);
  assert.match(refusal([], { name: '', size: 1 }, undefined), /^The image is no PNG/);
});

test('a policy in a form is the policy that is sent, whatever the one before had', () => {
  for (const policy of [undefined, { mode: 'ask' }, { mode: 'allow_reads', rules: [{ tool: 'edit', pattern: ' a ', action: 'allow' }, { action: 'deny' }], deadline: 1500, default: 'deny_stop' }, { rules: [{ tool: 'x', action: 'ask' }] }] as const) {
    const sent = changeOf(rulesOf(policy as never));
    const merged = sent === null ? undefined : Object.fromEntries(Object.entries(sent).filter(([, v]) => v !== null));
    assert.deepEqual(merged, policy);
    assert.ok(sent === null || ['mode', 'rules', 'deadline', 'default'].every((member) => member in sent), 'every member is named');
  }
  const r = { mode: '', deadline: '', byDefault: '', list: [] };
  assert.equal(changeOf({ ...r, byDefault: 'allow' }), null);
  assert.deepEqual([warningOf(r), warningOf({ ...r, mode: 'allow_all' }), warningOf({ ...r, list: [{ action: 'allow', tool: ' ', pattern: '' }] }), warningOf({ ...r, deadline: '1000', byDefault: 'allow' })].map((w) => w !== ''), [false, true, true, true]);
  assert.deepEqual([moved(['a', 'b', 'c'], 2, -1), moved(['a', 'b'], 0, -1), moved(['a', 'b'], 1, 1)], [['a', 'c', 'b'], ['a', 'b'], ['a', 'b']]);
});
