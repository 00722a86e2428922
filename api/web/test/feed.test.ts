import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionSummary } from 'ringmaster-client';
import type { LogEvent } from 'ringmaster-protocol';
import type { Told } from '../src/tabs/words.ts';
import { elsewhere, FakeWorker, happens, stored, writes } from './support/page.ts';

// Proves: I14.2/offline

const told: string[] = [];
class Notices {
  static permission = 'granted';
  static isRefused = false;

  constructor(title: string) {
    if (Notices.isRefused) {
      throw new TypeError('Illegal constructor: use a service worker');
    }
    told.push(title);
  }
}
Object.assign(globalThis, { Notification: Notices });
stored.set('ringmaster.notices', 'yes');
const { Problem } = await import('ringmaster-client');
const { Fold } = await import('ringmaster-protocol');
const { Feed } = await import('../src/live/feed.ts');
const { Followed } = await import('../src/live/followed.ts');
const { notices, watchNews } = await import('../src/live/notices.ts');
const { forgetSeen, see, seen } = await import('../src/live/seen.ts');

const session = (id: string, turnId = 't1'): SessionSummary => ({ id, title: id, agent: 'pi', cwd: '/', seq: 5, turns: 1, status: { state: 'idle', agentStatus: 'idle' }, lastTurn: { turnId, status: 'completed' }, spent: {} } as unknown as SessionSummary);

function begun(): { feed: InstanceType<typeof Feed>; tell: (...told: Told[]) => void } {
  const feed = new Feed('token', 'test', () => undefined);
  const worker = FakeWorker.last;
  let n = 0;
  return { feed, tell: (...list) => worker.onmessage({ data: { n: ++n, told: list } }) };
}

const wanted = (): string[] => Object.keys((FakeWorker.asked.findLast((ask) => (ask as { type: string }).type === 'want') as { at: object }).at);

test('of the logs that are kept those go first that are not shown', () => {
  const { feed } = begun();
  const [a] = ['a', 'b', 'c', 'd'].map((id) => feed.follow(id));
  feed.show(['a', 'b', 'new']);
  feed.follow('e');
  assert.deepEqual(wanted().sort(), ['a', 'b', 'd', 'e']);
  feed.show(['a', 'b', 'newer']);
  feed.follow('f');
  assert.deepEqual(wanted().sort(), ['a', 'b', 'e', 'f']);
  assert.equal(feed.follow('a'), a);
});

test('a session that was deleted is not asked for, and one that came back is', async (t) => {
  const { feed, tell } = begun();
  const gone: string[] = [], asked: string[] = [];
  feed.onGone = (id) => gone.push(id);
  t.mock.method(feed.client, 'session', (id: string) => ({ state: () => (asked.push(id), new Promise(() => undefined)) }));
  const asks = async (): Promise<void> => {
    tell({ type: 'ask', id: 'a' });
    await new Promise((over) => setTimeout(over));
  };
  tell({ type: 'roster', sessions: [session('a')] });
  feed.follow('a');
  tell({ type: 'gone', id: 'a' });
  await asks();
  assert.deepEqual([gone, asked], [['a'], []]);
  tell({ type: 'session', session: session('a') });
  await asks();
  assert.deepEqual(asked, ['a']);
  tell({ type: 'roster', sessions: [session('b')] }); // to a tab that was behind, and has the whole list in place of what came
  assert.deepEqual(gone, ['a', 'a']);
});

test('a session begins with the state that there is, and its log is wanted when that is drawn', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { feed, tell } = begun();
  const positions = (): object => (FakeWorker.asked.findLast((ask) => (ask as { type: string }).type === 'want') as { at: object }).at;
  const state = { ...new Fold().toJSON(), sessionId: 'a', epoch: 1, seq: 5 };
  t.mock.method(feed.client, 'session', () => ({ state: () => Promise.resolve({ ...state, sessionId: 'b', seq: 7 }) }));
  const a = feed.follow('a'), b = feed.follow('b');
  tell({ type: 'state', id: 'a', at: { epoch: 1, seq: 5 }, state: JSON.stringify(state) });
  assert.deepEqual([a.at, a.fold.state.sessionId, positions()], [{ epoch: 1, seq: 5 }, 'a', { a: null, b: null }]);
  t.mock.timers.tick(1000);
  assert.deepEqual(positions(), { a: { epoch: 1, seq: 5 }, b: null });
  tell({ type: 'ask', id: 'b' }); // there is no list as yet, and the daemon is asked all the same
  t.mock.timers.tick(1);
  for (let n = 0; n < 10; n++) {
    await Promise.resolve();
  }
  assert.deepEqual([b.at, positions()], [{ epoch: 1, seq: 7 }, { a: { epoch: 1, seq: 5 }, b: null }]);
  t.mock.timers.tick(1000);
  assert.deepEqual(positions(), { a: { epoch: 1, seq: 5 }, b: { epoch: 1, seq: 7 } });
});

test('of a session that is too long for its state to be had as a whole the newest entries are shown, and said to be', async (t) => {
  const { feed, tell } = begun();
  const wants: object[] = [];
  const entries = [{ entryId: 'e9', entryType: 'system', startSeq: 9, startTs: 1, endSeq: 9, endTs: 1, data: { kind: 'notice', text: 'x' } }];
  t.mock.method(feed.client, 'session', () => ({
    state: (o: { entries?: number }) => {
      wants.push(o);
      if (o.entries === undefined) {
        return Promise.reject(new Problem({ type: '', title: '', status: 413, code: 'too_large', detail: '', hint: '' }));
      }
      return Promise.resolve({ ...new Fold().toJSON(), sessionId: 'a', epoch: 1, seq: 9, entries, part: { from: 9, oldest: 1, told: { turns: 1, entries: 60_001, requests: 0 } } });
    },
  }));
  const a = feed.follow('a');
  tell({ type: 'ask', id: 'a' });
  await new Promise((over) => setTimeout(over, 1));
  assert.deepEqual(wants, [{}, { entries: 1000 }]);
  assert.deepEqual([a.at, a.fold.state.entries?.length], [{ epoch: 1, seq: 9 }, 1]);
  assert.match(a.trouble.value, /newest 1 entries are shown, and 60,000 earlier ones are not/);
});

test('a list is as of when the daemon was heard last, whoever joined when', () => {
  const { feed, tell } = begun();
  tell({ type: 'roster', sessions: [session('a')] }, { type: 'link', link: 'away', since: 1000 });
  assert.equal(feed.listAsOf.peek(), 1000);
  tell({ type: 'roster', sessions: [session('a')], asOf: 500 }, { type: 'link', link: 'connecting' }, { type: 'link', link: 'away' }); // another leader, which never heard the daemon
  assert.equal(feed.listAsOf.peek(), 1000);
  tell({ type: 'link', link: 'live' });
  assert.equal(feed.listAsOf.peek(), 0);
});

test('what came since the list was kept is no news, and what comes then is', () => {
  const { feed, tell } = begun();
  const end = watchNews(feed);
  tell({ type: 'roster', sessions: [session('a'), session('b')], asOf: 500 });
  tell({ type: 'session', session: session('b', 't2') }); // as the daemon tells it on the way to the whole list
  tell({ type: 'roster', sessions: [session('a', 't2'), session('b', 't2')] });
  assert.deepEqual(told.splice(0), []);
  tell({ type: 'session', session: session('a', 't3') });
  assert.deepEqual(told.splice(0), ['a']);
  end();
});

test('a browser that lets no page show notices is one that cannot, and the page goes on', () => {
  const { feed, tell } = begun();
  const end = watchNews(feed);
  tell({ type: 'roster', sessions: [session('a')] });
  Notices.isRefused = true;
  tell({ type: 'session', session: session('a', 't2') });
  assert.equal(notices.peek(), 'unable');
  tell({ type: 'session', session: session('a', 't3') });
  assert.equal(feed.sessions.peek().get('a')!.lastTurn!.turnId, 't3');
  end();
});

test('what was seen is stored once in a second, and when the page is about to go', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const place = 'ringmaster.seen';
  const before = writes;
  const inStore = (): Record<string, number> => JSON.parse(stored.get(place) ?? '{}') as Record<string, number>;
  for (let seq = 1; seq <= 60; seq++) {
    see('a', seq);
  }
  assert.deepEqual([seen.peek()['a'], inStore()['a'], writes - before], [60, 1, 1]);
  t.mock.timers.tick(1000);
  assert.deepEqual([inStore()['a'], writes - before], [60, 2]);
  see('a', 70);
  elsewhere(place, JSON.stringify({ a: 65, b: 3 }));
  assert.deepEqual(seen.peek(), { a: 70, b: 3 });
  happens('visibilitychange');
  assert.deepEqual(inStore(), { a: 70, b: 3 });
  happens('pagehide');
  assert.equal(writes - before, 3);
  see('a', 80);
  elsewhere(place, null); // another tab forgets this browser
  t.mock.timers.tick(5000);
  assert.deepEqual([seen.peek(), stored.has(place), writes - before], [{}, false, 3]);
  see('a', 90);
  see('a', 91);
  forgetSeen();
  stored.delete(place);
  t.mock.timers.tick(5000);
  assert.equal(stored.has(place), false);
});

test('what an open entry says beyond its log is there until it ends, its newest part, and says where some is missing', () => {
  const f = new Followed('s', 1);
  const say = (offset: number, text: string, entryId = 'e1'): void => f.flow({ type: 'overflow', entryId, ts: 1, offset, delta: { op: 'text_append', text } });
  say(4, 'of nothing');
  assert.equal(f.beyond('e1'), undefined);
  const event = (seq: number, e: object): void => f.apply({ seq, ts: 1, ...e } as LogEvent);
  event(1, { type: 'entry_start', entryId: 'e1', entryType: 'assistant_message', data: { role: 'assistant', text: '' } });
  event(2, { type: 'entry_delta', entryId: 'e1', delta: { op: 'text_append', text: 'kept' } });
  say(4, ' é');
  say(7, '!');
  say(4, ' é');
  assert.deepEqual(f.beyond('e1'), { text: ' é!', bytes: 8 });
  say(20, 'later');
  assert.deepEqual(f.beyond('e1'), { text: ' é!\n…\nlater', bytes: 25 });
  say(25, 'x'.repeat(100_000));
  assert.deepEqual([f.beyond('e1')?.text.length, f.beyond('e1')?.bytes], [20_000, 100_025]);
  event(4, { type: 'entry_start', entryId: 'e2', entryType: 'tool_call', data: { toolName: 'bash', status: 'running', output: 'out' } });
  say(9, 'later', 'e2');
  assert.deepEqual(f.beyond('e2'), { text: '\n…\nlater', bytes: 14 });
  event(5, { type: 'entry_end', entryId: 'e1', entryType: 'assistant_message', data: { role: 'assistant', text: 'kept', truncated: true, bytes: 100_025 } });
  assert.equal(f.beyond('e1'), undefined);
});
