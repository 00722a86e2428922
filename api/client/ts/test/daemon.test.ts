import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Client, Mirror, Problem } from '../src/index.ts';
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

/** Runs a process with a mirror until so many new lines have come, and kills it. */
async function mirrorKilled(where: string, token: string, cache: string, after: number): Promise<void> {
  const file = join(import.meta.dirname, 'support/mirroring.ts');
  const child = spawn(process.execPath, ['--conditions=ringmaster-source', file, where, token, cache], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  let lines = 0;
  for await (const _ of createInterface(child.stdout)) {
    if (++lines === after) {
      child.kill('SIGKILL');
    }
  }
  const [, signal] = (await gone) as [number, string | null];
  assert.equal(signal, 'SIGKILL', 'it ended by itself');
}

test('daemon and mirror are killed again and again; at the end the cache is the daemon\'s logs, byte for byte', { skip }, (t) =>
  withDaemon(async (daemon, dir) => {
    const random = new Random(5), cache = join(dir, 'cache');
    const client = new Client({ base: daemon.base, token: daemon.token });
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.push((await client.create({ agent: 'scripted', cwd: daemon.root, prompt: script({ say: { text: `Begin ${n}.` } }) })).id);
    }
    for (let round = 0; round < kills; round++) {
      const mirrored = mirrorKilled(round % 4 < 2 ? daemon.socket : daemon.base, daemon.token, cache, 1 + random.below(40));
      const prompts = ids.map((id, n) => client.prompt(id, { text: script({ say: { text: `Round ${round} of ${n}: é€😀 ${'word '.repeat(random.below(50))}` } }) }, { key: `${round}-${n}` }));
      if (round % 2 === 0) {
        await Promise.race(prompts);
        await daemon.end('SIGKILL');
        await daemon.start();
      }
      await Promise.all(prompts);
      await mirrored;
    }
    const folder = await files(cache);
    const mirror = new Mirror(client, { cache: folder, states: true });
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
    t.diagnostic(`${kills} kill -9 of a mirror and ${Math.ceil(kills / 2)} of its daemon: ${ids.length} logs of ${[...logs.values()].reduce((n, log) => n + log.length, 0)} bytes in all are the same`);
  }),
);

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
