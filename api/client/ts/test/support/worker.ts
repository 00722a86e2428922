/** Runs in a worker of a browser, with the browser's own file system: does what the address says, and tells what it sees. */
import { forget, opfs } from '../../src/opfs/index.ts';
import { Machine } from '../../src/sync/index.ts';
import { line } from './line.ts';

const id = '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a';
const others = ['b', 'c', 'd'].map((end) => id.replace(/.$/, end));

async function tell(what: string, members: object = {}): Promise<void> {
  await fetch(`/told?told=${encodeURIComponent(JSON.stringify({ what, ...members }))}`);
}

/** What the machine shows of the cache. */
async function shown(): Promise<{ seq: number; bad: string; types: string[] }> {
  const folder = await opfs('me');
  const { session, found } = await folder.open(id);
  let seq = 0, bad = '';
  const types: string[] = [];
  for (const e of new Machine().step(found, 0)) {
    types.push(e.type);
    if (e.type === 'read') {
      for await (const { line: text } of session.lines({ ...e, from: 0, after: 0 })) {
        if (text !== line(++seq)) {
          bad ||= `line ${seq} is ${text}`;
        }
      }
    }
  }
  session.close();
  await folder.close();
  return { seq, bad, types };
}

/** Goes on with what is there, and never ends. */
async function store(): Promise<void> {
  const folder = await opfs('me');
  const { session, found } = await folder.open(id);
  const machine = new Machine();
  for (const e of machine.step(found, 0)) {
    if (e.type === 'cut' || e.type === 'drop') {
      await session.do(e);
    }
  }
  for (let seq = machine.at.seq; ; ) {
    const lines = Array.from({ length: 1 + (seq % 64) }, () => line(++seq));
    await session.do({ type: 'store', at: { epoch: 1, seq }, lines });
    await tell('stored', { seq });
  }
}

/** Everything that a cache does, once. */
async function tour(): Promise<void> {
  await forget('tour');
  const evicted: string[] = [];
  const folder = await opfs('tour', { budget: 400_000, flush: true, evicted: (gone) => evicted.push(gone) });
  const locked = await opfs('tour').then(() => 'taken', (e: { problem?: string }) => e.problem);
  const { session } = await folder.open(id);
  const began = performance.now();
  for (let seq = 0; seq < 1024; ) {
    const lines = Array.from({ length: 64 }, () => line(++seq));
    await session.do({ type: 'store', at: { epoch: 1, seq }, lines });
  }
  const ms = performance.now() - began;
  await session.saveState({ epoch: 1, seq: 1024 }, '{"é":1}');
  const state = await session.state();
  session.close();
  for (const other of others) {
    const { session: one } = await folder.open(other);
    await one.do({ type: 'store', at: { epoch: 1, seq: 1 }, lines: ['x'.repeat(50_000)] });
    one.close();
    await new Promise((turn) => setTimeout(turn, 20)); // files have times of milliseconds
  }
  (await folder.open(others[0]!)).session.close(); // used again
  (await folder.open(id)).session.close();
  await folder.evict();
  const { session: again, found } = await folder.open(id);
  await again.do({ type: 'drop' });
  const size = folder.size;
  await folder.close();
  await forget('tour');
  const empty = (await opfs('tour')).sessions();
  await tell('tour', { locked, ms, state, evicted, found, size, empty });
}

const act = new URL(location.href).searchParams.get('act');
try {
  if (act === 'tour') {
    await tour();
  } else if (act === 'store') {
    await store();
  } else {
    await tell('shown', await shown());
  }
} catch (problem) {
  await tell('error', { message: problem instanceof Error ? `${problem.name}: ${problem.message} ${problem.stack}` : String(problem) });
}
