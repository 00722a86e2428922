import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeEvent, encodeState, Fold } from 'ringmaster-protocol';
import { memory, Mirror, type Change, type Folder, type MirrorCache } from '../src/index.ts';
import { Fake } from './support/fake.ts';
import { sessionId } from './support/kit.ts';

/** The logs of protocol/testdata whose numbers have no gap. */
const logs = readdirSync(join(import.meta.dirname, '../../../../protocol/testdata/logs'))
  .map((name) => ({ name, lines: readFileSync(join(import.meta.dirname, '../../../../protocol/testdata/logs', name), 'utf8').split('\n').slice(0, -1) }))
  .filter(({ lines }) => lines.every((line, i) => line.startsWith(`{"seq":${i + 1},`)));

/** The state that follows from lines, in its JSON. */
function foldOf(lines: string[]): string {
  const fold = new Fold();
  lines.forEach((line) => fold.apply(decodeEvent(line)));
  fold.state.epoch = 1; // of the cursors that these tests give
  return encodeState(fold.toJSON());
}

interface Life {
  /** Numbers of the lines that were told and stand. */
  lines: number[];
  restored: number | undefined;
  isReset: boolean;
  state: string;
}

/** Runs a mirror with a cache over a stream of lines from the number first on, until it has the last of them. */
async function life(cache: MirrorCache, first: number, lines: string[], saveEvery?: number): Promise<Life> {
  const body = lines.map((line, i) => `id: ${sessionId}/${first + i}\ndata: ${line}\n\n`).join('');
  const fake = new Fake([{ type: 'text/event-stream', body, then: 'hang' }]);
  const mirror = new Mirror(fake.client(), { cache, states: true, ...(saveEvery === undefined ? {} : { saveEvery }) });
  const got: Life = { lines: [], restored: undefined, isReset: false, state: '' };
  const take = (c: Change): void => {
    if (c.type === 'line') {
      got.lines.push(c.at.seq);
    } else if (c.type === 'restored') {
      got.restored = c.at.seq;
      got.lines = [];
    } else if (c.type === 'reset') {
      Object.assign(got, { isReset: true, lines: [], restored: undefined });
    }
  };
  const run = mirror.run();
  for await (const change of mirror.changes()) {
    take(change);
    if (mirror.at(sessionId)?.seq === first + lines.length - 1 && change.type === 'line' && change.at.seq === first + lines.length - 1) {
      break;
    }
  }
  got.state = encodeState(mirror.state(sessionId)!);
  await mirror.close();
  await run;
  return got;
}

test('wherever a mirror ended, the next one begins with the state that it left, is told the lines behind that alone, and has the state of all lines', async (t) => {
  let restored = 0;
  for (const { name, lines } of logs) {
    const want = foldOf(lines);
    for (let cut = 1; cut < lines.length; cut++) {
      const folder = await memory();
      await life(folder, 1, lines.slice(0, cut));
      const got = await life(folder, cut + 1, lines.slice(cut));
      assert.equal(got.state, want, `${name}, cut behind ${cut}`);
      assert.deepEqual([got.restored, got.lines.length, got.isReset], [cut, lines.length - cut, false], `${name}, cut behind ${cut}`);
      restored++;
    }
  }
  t.diagnostic(`${restored} mirrors have begun with a state`);
  assert.ok(restored >= 100, 'this proves too little');
});

/** A cache whose states are of no use. */
function damaged(folder: Folder, state: string): MirrorCache {
  return {
    sessions: () => folder.sessions(),
    open: async (id) => {
      const { session, found } = await folder.open(id);
      session.state = () => Promise.resolve(state);
      return { session, found };
    },
  };
}

test('a state that is none, of another epoch or of a later line costs a mirror nothing but time: it reads all lines', async () => {
  const { lines } = logs.find(({ name }) => name === 'text_turn.ndjson')!;
  const good = foldOf(lines.slice(0, 9));
  for (const state of ['', '{}', '{"seq":9}', good.replace('"epoch":1', '"epoch":2'), good.replace('"seq":9', '"seq":10'), good.slice(0, -1)]) {
    const folder = await memory();
    await life(folder, 1, lines.slice(0, 9));
    const got = await life(damaged(folder, state), 10, lines.slice(9));
    assert.equal(got.state, foldOf(lines), state);
    assert.deepEqual([got.restored, got.lines.length, got.isReset], [undefined, lines.length, true], state);
  }
});

test('a cache without states is read as a whole, and so is one by a mirror without states', async () => {
  const { lines } = logs.find(({ name }) => name === 'text_turn.ndjson')!;
  const folder = await memory();
  const without: MirrorCache = {
    sessions: () => folder.sessions(),
    open: async (id) => {
      const { session, found: { checkpoint: _, ...found } } = await folder.open(id);
      return { session: { do: (e) => session.do(e), lines: (read) => session.lines(read), close: () => session.close() }, found };
    },
  };
  for (const cache of [without, folder, without]) {
    const got = await life(cache, 1, lines);
    assert.deepEqual([got.state, got.isReset], [foldOf(lines), false]);
  }
  const mirror = new Mirror(new Fake([{ type: 'text/event-stream', body: `id: ${sessionId}/1\ndata: ${lines[0]!}\n\n`, then: 'hang' }]).client(), { cache: folder });
  const told: number[] = [], run = mirror.run();
  for await (const change of mirror.changes()) {
    if (change.type === 'line' && told.push(change.at.seq) === lines.length) {
      break;
    }
  }
  assert.deepEqual(told, lines.map((_, i) => i + 1));
  await mirror.close();
  await run;
});

/** A log of turns in which a message is written in many deltas, as agents write them. */
function longLog(n: number): string[] {
  const each = 100, words = 'some words of it ';
  return Array.from({ length: n }, (_, i) => {
    const seq = i + 1, turn = Math.floor(seq / each), head = `{"seq":${seq},"ts":${1767225600000 + seq},"type":`;
    if (seq === 1) {
      return `${head}"session_start","sessionId":"${sessionId}","agentBackend":"pi","metadata":{"cwd":"/srv/shop"}}`;
    }
    if (seq % each === 1) {
      return `${head}"entry_start","turnId":"t${turn}","entryId":"e${turn}","entryType":"assistant_message","data":{"role":"assistant","text":""}}`;
    }
    if (seq % each === 0) {
      return `${head}"entry_end","turnId":"t${turn - 1}","entryId":"e${turn - 1}","entryType":"assistant_message","data":{"role":"assistant","text":"${words.repeat(each - 2)}"}}`;
    }
    return `${head}"entry_delta","entryId":"e${turn}","delta":{"op":"text_append","text":"${words}"}}`;
  });
}

test('a long session that has a state is opened in a fraction of the time', async (t) => {
  const count = Number(process.env['RINGMASTER_OPEN_EVENTS'] ?? 20_000), behind = count / 100;
  const lines = longLog(count), folder = await memory(), fold = new Fold();
  const { session } = await folder.open(sessionId);
  await session.do({ type: 'store', at: { epoch: 1, seq: count - behind }, lines: lines.slice(0, -behind) });
  lines.slice(0, -behind).forEach((line) => fold.apply(decodeEvent(line)));
  let began = performance.now();
  const size = await session.saveState({ epoch: 1, seq: count - behind }, encodeState(fold.toJSON()));
  const saved = performance.now() - began;
  await session.do({ type: 'store', at: { epoch: 1, seq: count }, lines: lines.slice(-behind) });
  session.close();
  began = performance.now();
  (await folder.open(sessionId)).session.close();
  const looked = performance.now() - began;
  const open = async (isHidden: boolean): Promise<number> => {
    const cache: MirrorCache = {
      sessions: () => folder.sessions(),
      open: async (id) => {
        const opened = await folder.open(id);
        opened.session.saveState = () => Promise.reject(new Error('it stays as it is'));
        const { checkpoint: _, ...lookedAt } = opened.found;
        return isHidden ? { session: opened.session, found: lookedAt } : opened;
      },
    };
    const from = performance.now();
    const mirror = new Mirror(new Fake([{ type: 'text/event-stream', body: 'data: {"type":"roster_complete","revision":"r"}\n\n', then: 'hang' }]).client(), { cache, states: true });
    const run = mirror.run();
    await mirror.synced;
    const ms = performance.now() - from;
    assert.equal(mirror.at(sessionId)?.seq, count);
    await mirror.close();
    await run;
    return ms;
  };
  await open(true); // for the compiler of the engine
  const all = Math.min(await open(true), await open(true)), state = Math.min(await open(false), await open(false));
  const rounded = [all, state, looked, saved].map((ms) => Math.round(ms));
  t.diagnostic(`opening ${count} events: ${rounded[0]} ms by lines, ${rounded[1]} ms by a state, of which the checksums ${rounded[2]} ms; writing the state of ${size} bytes: ${rounded[3]} ms`);
  assert.ok(state < all / 2, 'a state saves less than half');
});
