import assert from 'node:assert/strict';
import { mkdtempSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { Folder, memory, type Files } from '../src/cache/index.ts';
import { crc32 } from '../src/cache/crc32.ts';
import { files } from '../src/node/index.ts';
import { forget, opfs } from '../src/opfs/index.ts';
import { BadDisk } from './support/disk.ts';
import { Random, sessionId } from './support/kit.ts';
import { line } from './support/line.ts';
import { FakeDirectory } from './support/opfs.ts';

const ids = ['a', 'b', 'c', 'd', 'e'].map((end) => sessionId.replace(/.$/, end));

test('CRC-32 is the one of spec §10.4, however bytes are cut', () => {
  const utf8 = new TextEncoder(), random = new Random(1);
  assert.equal(crc32(utf8.encode('123456789')), 0xcbf43926);
  for (let length = 0; length < 70; length++) {
    const bytes = Uint8Array.from({ length }, () => random.below(256));
    for (let cut = 0; cut <= length; cut++) {
      assert.equal(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut))), zlibCrc32(bytes));
    }
  }
});

async function fill(folder: Folder, id: string, bytes: number): Promise<void> {
  const { session } = await folder.open(id);
  await session.do({ type: 'store', at: { epoch: 1, seq: 1 }, lines: ['x'.repeat(bytes - 1)] });
  session.close();
}

async function onDisk(act: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'ringmaster-'));
  try {
    await act(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

const places: Record<string, (act: (make: (options: { budget: number; evicted: (id: string) => void }) => Promise<Folder>) => Promise<void>) => Promise<void>> = {
  'in memory': (act) => act((options) => memory(options)),
  'on a disk': (act) => onDisk((dir) => act((options) => files(dir, options))),
  'in a browser': (act) => act((options) => opfs('principal', { ...options, root: new FakeDirectory() })),
};

for (const [where, at] of Object.entries(places)) {
  test(`the sessions that were not open for longest make room, and those that are open stay: ${where}`, () =>
    at(async (make) => {
      const gone: string[] = [];
      const folder = await make({ budget: 8000, evicted: (id) => gone.push(id) });
      for (const id of ids.slice(0, 4)) {
        await fill(folder, id, 1000);
      }
      const { session } = await folder.open(ids[0]!); // the oldest is used again
      await assert.rejects(folder.open(ids[0]!), /open already/);
      await assert.rejects(folder.remove(ids[0]!), /open already/);
      await assert.rejects(folder.open('../../etc'), /no session/);
      assert.deepEqual(folder.sessions(), ids.slice(0, 4));
      const store = { type: 'store', at: { epoch: 1, seq: 1 }, lines: ['y'.repeat(4999)] } as const;
      const { session: big } = await folder.open(ids[4]!);
      await assert.rejects(big.do(store), { problem: 'full' });
      await big.do({ type: 'evict' });
      assert.deepEqual(gone, [ids[1]]);
      await folder.evict();
      await folder.remove(ids[3]!);
      assert.deepEqual([gone, folder.sessions()], [[ids[1], ids[2]], [ids[0]]]);
      await big.do(store);
      assert.equal(folder.size, 1000 + 128 + 5000 + 128);
      session.close();
      await assert.rejects(session.do(store), { problem: 'closed' });
      big.close();
      await folder.close();
    }));
}

for (const [where, at] of Object.entries(places)) {
  test(`what is stored of a session is read beside the one who stores it, as its index said it then: ${where}`, () =>
    at(async (make) => {
      const gone: string[] = [];
      const folder = await make({ budget: 8000, evicted: (id) => gone.push(id) });
      assert.equal(await folder.glance(ids[0]!), undefined);
      assert.equal(await folder.glance('../../etc'), undefined);
      const { session } = await folder.open(ids[0]!);
      assert.equal(await folder.glance(ids[0]!), undefined, 'nothing is stored of it');
      await session.do({ type: 'store', at: { epoch: 2, seq: 2 }, lines: [line(1), line(2)] });
      const seen = (await folder.glance(ids[0]!))!;
      await session.do({ type: 'store', at: { epoch: 2, seq: 3 }, lines: [line(3)] });
      const text = `${line(1)}\n${line(2)}\n`;
      assert.deepEqual([seen.epoch, seen.seq, seen.length], [2, 2, text.length]);
      assert.equal(new TextDecoder().decode(await seen.read(0, 10_000)), text);
      assert.equal(new TextDecoder().decode(await seen.read(line(1).length + 1, 5)), line(2).slice(0, 5));
      await seen.close();
      session.close();
      const later = (await folder.glance(ids[0]!))!;
      assert.equal(later.seq, 3);
      await later.close();
      const { session: again } = await folder.open(ids[0]!);
      await again.do({ type: 'drop' });
      assert.equal(await folder.glance(ids[0]!), undefined);
      again.close();
      await folder.close();
    }));
}

test('a folder on a disk is its own, and belongs to one writer', () =>
  onDisk(async (parent) => {
    const dir = join(parent, 'made');
    const folder = await files(dir);
    assert.equal(statSync(dir).mode & 0o777, 0o700);
    await fill(folder, ids[0]!, 10);
    assert.equal(statSync(join(dir, 'sessions', `${ids[0]}.ndjson`)).mode & 0o777, 0o600);
    await assert.rejects(files(dir), { name: 'CacheError', problem: 'locked' });
    const other = await files(join(parent, 'other'));
    await other.close();
    await folder.close();
    await (await files(dir)).close();
  }));

test('a folder in a browser belongs to one tab, and is forgotten whole', async () => {
  const root = new FakeDirectory();
  const folder = await opfs('principal', { root });
  await fill(folder, ids[0]!, 10);
  await assert.rejects(opfs('principal', { root }), { name: 'CacheError', problem: 'locked' });
  await (await opfs('another', { root })).close();
  await assert.rejects(forget('principal', { root }), { name: 'NoModificationAllowedError' });
  await folder.close();
  assert.equal(root.handles, 0, 'nothing is open');
  await forget('principal', { root });
  await forget('principal', { root });
  const again = await opfs('principal', { root });
  assert.deepEqual(again.sessions(), []);
});

test('a client of many sessions has some handles open in a browser, and not all', async () => {
  const root = new FakeDirectory();
  const folder = await opfs('principal', { root });
  const many = Array.from({ length: 100 }, (_, n) => sessionId.slice(0, -3) + String(n).padStart(3, '0'));
  for (let round = 0; round < 2; round++) {
    for (const id of many) {
      await fill(folder, id, 10);
      assert.ok(root.handles <= 65, `${root.handles} handles`);
    }
  }
  assert.deepEqual(folder.sessions(), many);
  await folder.close();
  assert.equal(root.handles, 0);
});

test('after a drop that failed nothing is stored, until one succeeds', async () => {
  const disk: Files = new BadDisk(new Random(1));
  const { session } = await (await Folder.on(disk)).open(sessionId);
  const store = { type: 'store', at: { epoch: 1, seq: 1 }, lines: [line(1)] } as const;
  await session.do(store);
  const remove = disk.remove.bind(disk);
  disk.remove = () => Promise.reject(new Error('refused'));
  await assert.rejects(session.do({ type: 'drop' }), /refused/);
  await assert.rejects(session.do(store), /refused/);
  await assert.rejects(session.saveState({ epoch: 1, seq: 1 }, '{}'), /refused/);
  disk.remove = remove;
  await session.do({ type: 'drop' });
  await session.do(store);
  assert.equal(session.seq, 1);
});

for (const [where, at] of Object.entries(places)) {
  test(`a stored state is there without a look at the lines, as long as it is what was written and of these lines: ${where}`, () =>
    at(async (make) => {
      const folder = await make({ budget: 1 << 20, evicted: () => undefined });
      const { session } = await folder.open(sessionId);
      assert.equal(await folder.storedState(sessionId), undefined);
      await session.do({ type: 'store', at: { epoch: 3, seq: 1 }, lines: [line(1)] });
      assert.equal(await folder.storedState(sessionId), undefined);
      const state = JSON.stringify({ text: 'ä'.repeat(1000) });
      await session.saveState({ epoch: 3, seq: 1 }, state);
      await session.do({ type: 'store', at: { epoch: 3, seq: 2 }, lines: [line(2)] });
      assert.deepEqual(await folder.storedState(sessionId), { at: { epoch: 3, seq: 1 }, state });
      session.close();
      assert.deepEqual(await folder.storedState(sessionId), { at: { epoch: 3, seq: 1 }, state });
      await folder.remove(sessionId);
      assert.equal(await folder.storedState(sessionId), undefined);
      await folder.close();
    }));
}

test('a state that is not what was written, or that the index does not speak of, is no state', async () => {
  const disk = new BadDisk(new Random(1)), folder = await Folder.on(disk);
  const store = async (epoch: number): Promise<void> => {
    const { session } = await folder.open(sessionId);
    await session.do({ type: 'store', at: { epoch, seq: 1 }, lines: [line(1)] });
    session.close();
  };
  const has = async (): Promise<boolean> => (await folder.storedState(sessionId)) !== undefined;
  await store(1);
  const { session } = await folder.open(sessionId);
  await session.saveState({ epoch: 1, seq: 1 }, '{"text":"abc"}');
  session.close();
  assert.ok(await has());
  const source = (await disk.open(`${sessionId}.state`))!;
  const bytes = await source.read(0, source.size);
  for (const at of bytes.keys()) {
    const flipped = bytes.slice();
    flipped[at]! ^= 1;
    await disk.write(`${sessionId}.state`, 0, flipped, false);
    assert.equal(await has(), false, `a bit of byte ${at}`);
  }
  await disk.write(`${sessionId}.state`, 0, bytes, false);
  assert.ok(await has());
  await disk.remove(`${sessionId}.ndjson`);
  await disk.remove(`${sessionId}.index`);
  assert.equal(await has(), false, 'there is no index');
  const again = (await folder.open(sessionId)).session;
  await again.do({ type: 'store', at: { epoch: 2, seq: 1 }, lines: [line(1)] });
  assert.equal(await has(), false, 'the lines are of another epoch');
});
