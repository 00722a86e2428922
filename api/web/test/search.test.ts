import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logs, random, saying, shelf } from './support/logs.ts';
import type { Answer, Ask, Hit } from '../src/tabs/words.ts';

const { decodeEvent, encodeEvent, Fold } = await import('ringmaster-protocol');
const { textOf } = await import('../src/text/find.ts');
const { LinesBack } = await import('../src/worker/back.ts');
const { Finder } = await import('../src/worker/finder.ts');
const { memory } = await import('ringmaster-client');
const { Questions } = await import('../src/live/questions.ts');
const { Answers } = await import('../src/worker/answers.ts');
const { mostInAll, mostOfOne, Search } = await import('../src/worker/search.ts');
const { Terms } = await import('../src/worker/terms.ts');

const syllables = ['wal', 'rus', 'Key', ' ', ' ', '\n', 'é', 'ß', '"', '\\', '<', '🦭', 'x.y', 'K'];

/** A log in which entries are begun, written in pieces, ended, begun again and left. */
function madeUp(seed: number): string[] {
  const below = random(seed), lines: string[] = [];
  const words = (): string => Array.from({ length: below(6) }, () => syllables[below(syllables.length)]!).join('');
  const put = (e: object): void => void lines.push(encodeEvent({ seq: lines.length + 1, ts: 1767225600000 + lines.length, ...e } as never));
  put({ type: 'session_start', sessionId: 's', agentBackend: 'scripted', metadata: {} });
  for (let n = 20 + below(80); n > 0; n--) {
    const entryId = `e${below(8)}`, turn = below(2) === 0 ? {} : { turnId: 't1' };
    const made = [
      { entryType: 'assistant_message', data: { role: 'assistant', text: words() } }, { entryType: 'thinking', data: { text: '', summary: [words()] } },
      { entryType: 'tool_call', data: { toolName: 'bash', callId: 'c', command: words(), status: 'running', output: words() } }, { entryType: 'later', data: { text: words() } },
    ][below(4)]!;
    const delta = [{ op: 'text_append', text: words() }, { op: 'text_append', text: words() }, { op: 'text_set', text: words() }, { op: 'summary_append', summaryIndex: below(3), text: words() }, { op: 'status_change', status: 'running', output: words() }, { op: 'later' }][below(6)]!;
    switch (below(7)) {
      case 0:
        put({ type: 'entry_start', ...turn, entryId, ...made });
        break;
      case 1:
        put({ type: 'entry_end', ...turn, entryId, ...made });
        break;
      case 2:
        put({ type: 'token_usage', usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, totalTokens: 2 } });
        break;
      default:
        put({ type: 'entry_delta', entryId, delta });
    }
  }
  return lines;
}

/** What the fold of a log finds. */
function folded(lines: readonly string[], terms: InstanceType<typeof Terms>): string[] {
  const fold = new Fold();
  for (const line of lines) {
    fold.apply(decodeEvent(line));
  }
  return fold.state.entries.filter((x) => terms.isIn(textOf(x))).map((x) => x.entryId).sort();
}

function found(lines: readonly string[], terms: InstanceType<typeof Terms>): Hit[] {
  const finder = new Finder(terms);
  return lines.toReversed().map((line) => finder.take(line)).filter((hit) => hit !== undefined);
}

test('what is found in the lines of a log is what its fold has, also what was said in pieces', (t) => {
  let hits = 0, open = 0;
  for (const { name, lines } of logs) {
    const texts = lines.flatMap((line) => line.match(/[A-Za-z]{2,}/g) ?? []);
    for (const text of [...new Set(texts)].flatMap((word) => [word, word.slice(1).toUpperCase(), `${word} ${word.slice(0, 1)}`])) {
      const terms = new Terms(text);
      assert.deepEqual(found(lines, terms).map((h) => h.entryId).sort(), folded(lines, terms), `${name}: ${text}`);
    }
  }
  for (let seed = 1; seed <= 600; seed++) {
    const lines = madeUp(seed);
    for (const text of ['walrus', 'RUS key', 'wal', '"', '\\', 'É', 'x.y', '<', '🦭', 'k']) {
      const terms = new Terms(text), got = found(lines, terms);
      assert.deepEqual(got.map((h) => h.entryId).sort(), folded(lines, terms), `log ${seed}: ${text}`);
      for (const { parts, entryId } of got) {
        assert.ok(parts.some((p) => p.isHit), `log ${seed}: ${text}`);
        hits++;
        open += text === 'walrus' && !lines.some((line) => line.includes(`"entry_end"`) && line.includes(`"${entryId}"`)) ? 1 : 0;
      }
    }
  }
  t.diagnostic(`${hits} hits, ${open} of them in entries without an end`);
  assert.ok(hits > 4000 && open > 8);
});

test('lines come back whole, the last one first, however a file is cut into pieces', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const below = random(seed);
    const lines = Array.from({ length: below(12) }, () => Array.from({ length: 1 + below(9) }, () => ['a', 'é', '🦭', '…'][below(4)]!).join(''));
    const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
    const back = new LinesBack(), got: string[] = [];
    for (let to = bytes.length; to > 0; ) {
      const from = Math.max(0, to - 1 - below(12));
      got.push(...back.take(bytes.subarray(from, to)));
      to = from;
    }
    got.push(...back.end());
    assert.deepEqual(got, lines.toReversed(), `seed ${seed}`);
  }
});

test('a snippet has what was found marked, some words around it, and no half of a character', () => {
  const text = `${'🦭'.repeat(40)} The Walrus\n\nis in the <b>cache</b> ${'🦭'.repeat(200)} walrus`;
  const parts = new Terms('walrus CACHE').snippet(text);
  assert.deepEqual(parts.filter((p) => p.isHit).map((p) => p.text), ['Walrus', 'cache']);
  const whole = parts.map((p) => p.text).join('');
  assert.match(whole, /^….*The Walrus is in the <b>cache<\/b> .*…$/u);
  assert.ok(whole.isWellFormed() && whole.length < 200, whole);
  assert.deepEqual(new Terms('a.c').snippet('abc a.c'), [{ text: 'abc ' }, { text: 'a.c', isHit: true }]);
  assert.ok(new Terms(' \n ').isEmpty);
});

/** Runs a search and gives what it told. clock is how long each look at it takes. */
async function searched(words: string, all: Record<string, readonly string[]>, o: { clock?: number; signal?: AbortSignal; onRest?: () => void } = {}): Promise<{ told: Omit<Answer & { type: 'found' }, 'n' | 'type'>[]; rests: number; reads: number[] }> {
  let time = 0, rests = 0;
  const told: Omit<Answer & { type: 'found' }, 'n' | 'type'>[] = [];
  const folder = shelf(all);
  await new Search(words, { ids: () => Object.keys(all), entries: () => undefined, arrival: () => undefined, folder }, {
    now: () => (time += o.clock ?? 0),
    rest: async () => {
      rests++;
      o.onRest?.();
    },
  }, o.signal ?? new AbortController().signal, (part) => told.push(part)).run();
  return { told, rests, reads: folder.reads };
}

test('a search goes through sessions in their order, tells the newest of each first, and says how far it is', async () => {
  const { told } = await searched('needle', { a: saying(['needle one', 'hay', 'needle two']), b: saying(['hay']), c: saying(['a needle']) });
  assert.deepEqual(told.map(({ id, hits, progress }) => [id, hits.map((h) => h.entryId), progress.kept, progress.searched, progress.stage]), [
    ['a', ['e2', 'e0'], 3, 1, 'goes on'], ['c', ['e0'], 3, 3, 'goes on'], [undefined, [], 3, 3, 'over'],
  ]);
  assert.equal((await searched(' ', { a: saying(['x']) })).told.at(-1)!.progress.stage, 'over');
});

test('a search is bounded in each session and in all, reads in pieces, and gives way between them', async () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`s${i}`, saying(Array.from({ length: 50 }, (_, n) => `needle ${n}`))]));
  const { told } = await searched('needle', many);
  const all = told.flatMap((part) => part.hits);
  assert.ok(told.every(({ hits }) => hits.length <= mostOfOne));
  assert.deepEqual([all.length, told.at(-1)!.progress.stage], [mostInAll, 'full']);
  const long = saying(Array.from({ length: 30_000 }, (_, n) => `hay ${n} ${'x'.repeat(40)}`)); // 4 MB
  const { reads, rests } = await searched('needle', { long }, { clock: 5 });
  assert.ok(Math.max(...reads) <= 256 << 10 && reads.length >= 15, `${reads.length} reads`);
  assert.ok(rests >= reads.length / 3, `${rests} rests of ${reads.length}`);
  const common = await searched('hay', { long });
  assert.deepEqual([common.reads.length, common.told[0]!.hits.length, common.told[0]!.hits[0]!.entryId], [1, mostOfOne, 'e29999'], 'what there is enough of is not read on');
  const end = new AbortController();
  const stopped = await searched('needle', { long, other: saying(['needle']) }, { clock: 50, signal: end.signal, onRest: () => end.abort() });
  assert.deepEqual([stopped.reads.length, stopped.told], [0, []], 'nothing is read when nobody wants it any more');
});

test('a session that is dropped while it is read has nothing more, and the search goes on', async () => {
  const { glance } = shelf({ a: saying(['needle']), b: saying(['needle']) });
  const told: string[] = [];
  await new Search('needle', {
    ids: () => ['gone', 'a', 'short', 'b'], entries: () => undefined, arrival: () => undefined,
    folder: {
      glance: async (id) => {
        const log = await glance(id === 'short' ? 'a' : id);
        return id !== 'short' || log === undefined ? log : { ...log, read: async () => Promise.reject(new Error('gone')) };
      },
    },
  }, { now: () => 0, rest: async () => undefined }, new AbortController().signal, ({ id }) => told.push(id ?? 'over')).run();
  assert.deepEqual(told, ['a', 'b', 'over']);
});

test('a session whose log is being read is searched in its entries', async () => {
  const fold = new Fold();
  saying(['old needle', 'hay', 'new needle']).forEach((line) => fold.apply(decodeEvent(line)));
  const told: string[][] = [];
  await new Search('NEEDLE', { ids: () => ['a'], entries: () => fold.state.entries, arrival: () => undefined, folder: undefined }, { now: () => 0, rest: async () => undefined }, new AbortController().signal, ({ hits }) => told.push(hits.map((h) => h.entryId))).run();
  assert.deepEqual(told, [['e2', 'e0'], []]);
});

test('what a tab shows and this browser has not read yet is searched last, when it is here as far as it was, and a search waits for nobody who has gone', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const fold = new Fold(), readings = new Map<string, { seq: number; of: number }>(), told: string[] = [];
  const folder = await memory(), id = '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a';
  const { session } = await folder.open(id);
  const kept = saying(['old needle']);
  await session.do({ type: 'store', at: { epoch: 1, seq: kept.length }, lines: kept });
  const answers = new Answers({
    folder, ready: Promise.resolve(), known: () => ['shown', id], reading: (one) => readings.get(one), state: () => fold.state,
    at: (one) => (one === 'shown' && fold.state.seq > 0 ? { epoch: 1, seq: fold.state.seq } : undefined),
    answer: (tab, a) => void (a.type === 'found' && told.push(`${tab}${a.n} ${a.id === undefined ? '' : a.id === id ? 'kept ' : `${a.id} `}${a.hits.map((h) => h.entryId).join()} ${a.progress.searched}/${a.progress.kept} ${a.progress.stage}`)),
  });
  const soon = (): Promise<void> => new Promise((go) => setImmediate(go));
  const lines = saying(['a needle', 'hay', 'another needle', 'hay', 'and what is said later']); // an event each behind the first one
  const read = (to: number): void => {
    lines.slice(fold.state.seq, to).forEach((line) => fold.apply(decodeEvent(line)));
    readings.set('shown', { seq: to, of: Infinity });
    answers.look();
  };
  readings.set('shown', { seq: 0, of: 4 });
  answers.ask('a', { type: 'search', n: 1, words: 'needle' });
  await soon();
  read(2);
  await soon();
  assert.deepEqual(told.splice(0), ['a1 kept e0 1/2 goes on', 'a1  1/2 goes on'], 'it waits');
  read(4); // the log has grown meanwhile, and is waited for no further
  await answers.settled;
  assert.deepEqual(told.splice(0), ['a1 shown e2,e0 2/2 goes on', 'a1  2/2 over']);
  answers.ask('a', { type: 'search', n: 2, words: 'later' });
  await soon();
  readings.delete('shown'); // the daemon is away, or no tab shows it any more
  answers.look();
  await answers.settled;
  assert.deepEqual(told.splice(0), ['a2  1/2 goes on', 'a2  2/2 over']);
  readings.set('shown', { seq: 4, of: Infinity });
  answers.ask('a', { type: 'search', n: 3, words: 'needle' });
  await soon();
  t.mock.timers.tick(9_000);
  read(5);
  t.mock.timers.tick(9_000);
  await soon();
  assert.equal(told.splice(0).at(-1), 'a3  1/2 goes on', 'something came');
  t.mock.timers.tick(1_000);
  await answers.settled;
  assert.equal(told.splice(0).at(-1), 'a3  2/2 over', 'nothing came for ten seconds');
  answers.ask('a', { type: 'search', n: 4, words: 'needle' });
  await soon();
  answers.leave('a');
  await answers.settled;
});

test('a tab has one search at a time: a newer one takes its place, and what is dropped, or asked by a tab that has gone, is answered no more', async () => {
  const folder = await memory(), id = '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a';
  const { session } = await folder.open(id);
  const lines = saying(Array.from({ length: 3000 }, (_, i) => `hay ${i} ${'x'.repeat(200)}`).concat('needle'));
  await session.do({ type: 'store', at: { epoch: 1, seq: lines.length }, lines });
  const told: string[] = [];
  const answers = new Answers({ folder, at: () => undefined, state: () => undefined, known: () => [id, 'another'], reading: () => undefined, ready: Promise.resolve(), answer: (tab, a) => told.push(`${tab} ${a.n} ${a.type === 'found' ? `${a.hits.length} ${a.progress.stage}` : String(a.state !== undefined)}`) });
  answers.ask('a', { type: 'search', n: 1, words: 'needle' });
  answers.ask('a', { type: 'search', n: 2, words: 'needle' });
  answers.ask('b', { type: 'search', n: 1, words: 'needle' });
  answers.ask('b', { type: 'drop', n: 1 });
  answers.ask('c', { type: 'search', n: 1, words: 'needle' });
  answers.leave('c');
  answers.ask('d', { type: 'past', n: 7, id, at: { epoch: 1, seq: 1000 } });
  answers.ask('d', { type: 'past', n: 8, id, at: { epoch: 1, seq: 2000 } });
  answers.ask('d', { type: 'search', n: 9, words: 'needle' }); // of another type
  await answers.settled;
  assert.deepEqual(told.filter((t) => !t.endsWith(' 0 goes on')).sort(), ['a 2 0 over', 'a 2 1 goes on', 'd 8 true', 'd 9 0 over', 'd 9 1 goes on']);
  told.length = 0;
  folder.glance = () => Promise.reject(new Error('the disk is gone'));
  answers.ask('e', { type: 'past', n: 1, id, at: { epoch: 1, seq: 1000 } });
  await answers.settled;
  answers.ask('e', { type: 'past', n: 2, id, at: { epoch: 1, seq: 1000 } });
  answers.ask('e', { type: 'search', n: 3, words: 'needle' });
  await answers.settled;
  assert.deepEqual(told.sort(), ['e 1 false', 'e 2 false', 'e 3 0 over'], 'a disk that fails is answered, too');
  answers.ask('a', { type: 'search', n: 3, words: 'needle' });
  told.length = 0;
  await answers.close();
  assert.deepEqual(told, []);
});

test('what was asked and not answered as a whole is asked of the next leader, and what was answered is not', () => {
  const asked: Ask[] = [], told: number[] = [];
  let begun = 0;
  const questions = new Questions((ask) => asked.push(ask));
  const progress = { kept: 1, searched: 0, bytes: 0 };
  const stop = questions.put({ type: 'search', words: 'x' }, () => told.push(1), () => begun++);
  questions.put({ type: 'past', id: 's', at: { epoch: 1, seq: 1 } }, () => told.push(2));
  questions.put({ type: 'search', words: 'y' }, () => told.push(3));
  questions.take({ type: 'past', n: 2 });
  questions.take({ type: 'found', n: 1, hits: [], progress: { ...progress, stage: 'goes on' } });
  questions.take({ type: 'found', n: 3, hits: [], progress: { ...progress, stage: 'over' } });
  asked.length = 0;
  questions.again();
  assert.deepEqual([asked, told, begun], [[{ type: 'search', words: 'x', n: 1 }], [2, 1, 3], 2]);
  stop();
  stop();
  questions.take({ type: 'found', n: 1, hits: [], progress: { ...progress, stage: 'over' } });
  questions.again();
  assert.deepEqual([asked.slice(1), told.length], [[{ type: 'drop', n: 1 }], 3]);
});
