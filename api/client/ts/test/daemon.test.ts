import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { encodeState, Fold } from 'ringmaster-protocol';
import { Client, Mirror, Problem, type Folder } from '../src/index.ts';
import { files, find } from '../src/node/index.ts';
import { Daemon, script } from './support/daemon.ts';
import { all } from './support/fake.ts';
import { Random } from './support/kit.ts';

const program = process.env['RINGMASTER_PROGRAM'] ?? '';
const kills = Number(process.env['RINGMASTER_SYNC_KILLS'] ?? 10);
const skip = program === '' ? 'RINGMASTER_PROGRAM names no built daemon: tools/ts.sh builds one' : false;

async function withDaemon(act: (daemon: Daemon, dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'ringmaster-'));
  const daemon = new Daemon(program, dir);
  await daemon.start();
  try {
    await act(daemon, dir);
  } finally {
    await daemon.end('SIGTERM');
    await rm(dir, { recursive: true });
  }
}

test('a session with a real daemon: made, prompted, followed, read, answered, ended', { skip }, () =>
  withDaemon(async (daemon) => {
    const client = new Client({ base: daemon.base, token: daemon.token, name: 'test' });
    const local = await find(daemon.data);
    assert.equal((await client.health()).version, (await local.health()).version);
    await client.ready();
    assert.ok((await client.agents()).agents.some((a) => a.name === 'scripted'));
    assert.deepEqual(await client.roots(), [daemon.root]);
    const { id } = await client.create({ agent: 'scripted', cwd: daemon.root, title: 'é' });
    const session = client.session(id);
    const receipt = await session.prompt({ text: script({ say: { text: 'Hello.' } }) }, { key: 'k' });
    assert.equal((await session.prompt({ text: script({ say: { text: 'Hello.' } }) }, { key: 'k' })).promptId, receipt.promptId);
    const waited = await client.wait({ sessions: [id], until: { prompt: receipt.promptId } });
    assert.equal(waited.held && waited.sessions[0]?.outcome?.text, 'Hello.');
    assert.equal((await session.change({ title: 'new', labels: { k: 'v' } })).title, 'new');
    assert.equal((await client.sessions({ label: ['k:v'] })).sessions[0]?.id, id);
    assert.deepEqual((await client.inbox()).requests, []);
    assert.deepEqual([await session.prompts(), await session.requests()], [[], []]);
    await session.interrupt();
    const state = await session.state();
    assert.ok(state.entries?.some((e) => e.entryType === 'assistant_message' && e.data.text === 'Hello.'));
    const token = await client.createToken({ name: 'n', scope: 'admin:ro' });
    const reader = new Client({ base: daemon.base, token: token.token });
    await assert.rejects(reader.create({ agent: 'scripted', cwd: daemon.root }), (e: unknown) => e instanceof Problem && e.code === 'forbidden' && e.hint !== '');
    await client.revokeToken(token.id);
    await assert.rejects(reader.sessions(), { name: 'Problem', code: 'unauthorized' });
    await assert.rejects(local.session('0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a').show(), { name: 'Problem', code: 'session_not_found' });
    await session.end({ reason: 'done' });
    const log = await all(session.log()), followed = await all(local.follow(id));
    assert.equal(log.error ?? followed.error, undefined);
    const lines = followed.items.flatMap((u) => (u.type === 'line' ? [u.line] : []));
    assert.deepEqual(lines, log.items.map((l) => l.line));
    const { version, epoch, body } = await local.session(id).openLog();
    assert.deepEqual([version, epoch, await new Response(body).text()], [lines.length, 1, lines.map((line) => `${line}\n`).join('')]);
    assert.ok((await (await client.metrics()).text()).includes('ringmaster'));
    await session.remove();
    await assert.rejects(session.show(), { code: 'session_not_found' });
  }),
);

/** Runs a process with a mirror until so many new lines have come, or the files of its cache have changed so often, and kills it. */
async function mirrorKilled(where: string, token: string, cache: string, after: { lines: number } | { changes: number }): Promise<void> {
  const file = join(import.meta.dirname, 'support/mirroring.ts');
  const child = spawn(process.execPath, ['--conditions=ringmaster-source', file, where, token, cache], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  let lines = 0, changes = 0;
  const watcher = watch(join(cache, 'sessions'), () => {
    if ('changes' in after && ++changes === after.changes) {
      child.kill('SIGKILL');
    }
  });
  for await (const _ of createInterface(child.stdout)) {
    if (++lines === (after as { lines?: number }).lines) {
      child.kill('SIGKILL');
    }
  }
  watcher.close();
  const [, signal] = (await gone) as [number, string | null];
  assert.equal(signal, 'SIGKILL', 'it ended by itself');
}

test('daemon and mirror are killed again and again; at the end the cache is the daemon\'s logs, byte for byte', { skip }, (t) =>
  withDaemon(async (daemon, dir) => {
    const random = new Random(5), cache = join(dir, 'cache');
    mkdirSync(join(cache, 'sessions'), { recursive: true, mode: 0o700 });
    const client = new Client({ base: daemon.base, token: daemon.token });
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.push((await client.create({ agent: 'scripted', cwd: daemon.root, prompt: script({ say: { text: `Begin ${n}.` } }) })).id);
    }
    for (let round = 0; round < kills; round++) {
      const mirrored = mirrorKilled(round % 4 < 2 ? daemon.socket : daemon.base, daemon.token, cache, round % 2 === 0 ? { lines: 1 + random.below(40) } : { changes: 4 + random.below(10) });
      const prompts = ids.map((id, n) => client.prompt(id, { text: script({ say: { text: `Round ${round} of ${n}: é€😀 ${'word '.repeat(random.below(50))}` } }) }, { key: `${round}-${n}` }));
      if (round % 2 === 0) {
        await Promise.race(prompts);
        await daemon.end('SIGKILL');
        await daemon.start();
      }
      await Promise.all(prompts);
      await mirrored;
    }
    const folder = await files(cache), states = await statesAreFolds(folder);
    assert.ok(states > 0, 'the kills have left no state');
    const mirror = new Mirror(client, { cache: folder, states: true, saveEvery: 3 });
    const run = mirror.run();
    await client.wait({ sessions: ids, until: { rest: true } });
    const ends = new Map<string, number>();
    for (const id of ids) {
      await client.session(id).end();
      ends.set(id, (await client.session(id).show()).seq);
    }
    for await (const _ of mirror.changes()) {
      if (ids.every((id) => mirror.at(id)?.seq === ends.get(id))) {
        break;
      }
    }
    const logs = new Map<string, Buffer>();
    for (const id of ids) {
      assert.deepEqual(plain(mirror.state(id)), plain(await client.session(id).state()), "the state that follows from the mirror is the daemon's");
      logs.set(id, Buffer.from(await new Response((await client.session(id).openLog()).body).arrayBuffer()));
    }
    await mirror.close(); // which stores what it has shown
    await run;
    for (const [id, log] of logs) {
      assert.ok(readFileSync(join(cache, 'sessions', `${id}.ndjson`)).equals(log), `the cache of ${id} is its log`);
    }
    assert.deepEqual(readdirSync(join(cache, 'sessions')).filter((name) => name.endsWith('.ndjson')).map((name) => name.slice(0, -7)).sort(), [...ids].sort());
    await folder.close();
    t.diagnostic(`${kills} kill -9 of a mirror and ${Math.ceil(kills / 2)} of its daemon: ${states} states were left, ${ids.length} logs of ${[...logs.values()].reduce((n, log) => n + log.length, 0)} bytes in all are the same`);
  }),
);

test('the daemon is killed again and again under calls that change something: each is done once, or is uncertain and done once at most', { skip }, (t) =>
  withDaemon(async (daemon) => {
    const random = new Random(7), client = new Client({ base: daemon.base, token: daemon.token, patienceMs: 60_000 });
    const { id } = await client.create({ agent: 'scripted', cwd: daemon.root });
    const session = client.session(id), texts: string[] = [];
    let answered = 0, unsure = 0, gone = 0;
    /** What became of a call: done, or what nobody knows. */
    const outcome = async (call: Promise<unknown>): Promise<'done' | 'uncertain'> => {
      try {
        await call;
        answered++;
        return 'done';
      } catch (problem) {
        assert.ok(problem instanceof Problem && (problem.code === 'uncertain' || problem.code === 'answer_gone') && problem.lookAt !== '', String(problem));
        unsure += problem.code === 'uncertain' ? 1 : 0;
        gone += problem.code === 'answer_gone' ? 1 : 0;
        return problem.code === 'uncertain' ? 'uncertain' : 'done';
      }
    };
    for (let round = 0; round < kills; round++) {
      const text = script({ say: { text: `Round ${round}.` } });
      texts.push(text);
      const title = outcome(session.change({ title: `t${round}` })), token = outcome(client.createToken({ name: `n${round}`, scope: 'admin:ro' }));
      const prompt = session.prompt({ text }), made = client.create({ agent: 'scripted', cwd: daemon.root, labels: { round: `${round}` } });
      await new Promise((done) => setTimeout(done, random.below(12))); // the moment of the kill is chance
      await daemon.end('SIGKILL');
      await daemon.start();
      const { promptId } = await prompt, tokens = (await token, await client.tokens()).filter((k) => k.name === `n${round}`);
      assert.ok((await token) === 'done' ? tokens.length === 1 : tokens.length <= 1, `${tokens.length} tokens, ${await token}`);
      if ((await title) === 'done') {
        assert.equal((await session.show()).title, `t${round}`);
      }
      const other = (await made).id; // before the list is asked for: the call may still be on its way to the daemon's next life
      assert.deepEqual((await client.sessions({ label: [`round:${round}`] })).sessions.map((s) => s.id), [other]);
      await client.session(other).remove();
      assert.equal((await client.wait({ sessions: [id], until: { prompt: promptId } })).held, true);
    }
    const log = await all(session.log()), events = log.items.map((l) => JSON.parse(l.line) as { type: string; text?: string });
    assert.deepEqual(events.filter((e) => e.type === 'prompt_queued').map((e) => e.text), texts);
    t.diagnostic(`${kills} kill -9 of a daemon under calls with keys: ${answered} were answered, ${gone} had an answer that is not kept, ${unsure} were uncertain; none was done twice`);
  }),
);

/** Holds the states that a killed mirror has left against the lines that they stand for, and counts them. */
async function statesAreFolds(folder: Folder): Promise<number> {
  let states = 0;
  for (const id of folder.sessions()) {
    const { session, found } = await folder.open(id);
    if (found.checkpoint !== undefined) {
      const fold = new Fold();
      for await (const { event } of session.lines({ type: 'read', from: 0, after: 0 })) {
        if (event.seq <= found.checkpoint.seq) {
          fold.apply(event);
        }
      }
      assert.equal(await session.state(), encodeState(fold.toJSON()));
      states++;
    }
    session.close();
  }
  return states;
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
