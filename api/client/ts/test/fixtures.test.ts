import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Folder, type Files } from '../src/cache/index.ts';
import { MemoryFiles } from '../src/cache/memory.ts';
import { DiskFiles } from '../src/node/files.ts';
import { OpfsFiles } from '../src/opfs/files.ts';
import { Machine } from '../src/sync/index.ts';
import { fixtures, play, type Place } from './support/fixture.ts';
import { FakeDirectory } from './support/opfs.ts';

const kit = { Machine, Folder };

test('there are fixtures', () => {
  assert.ok(fixtures.length >= 50, `${fixtures.length}`);
});

async function inMemory(): Promise<Place> {
  const files: Files = new MemoryFiles();
  return { files, bytes: async (name) => (await files.open(name))?.read(0, 1 << 20) };
}

async function inBrowser(): Promise<Place & { dir: FakeDirectory }> {
  const dir = new FakeDirectory();
  const lock = await (await dir.getFileHandle('lock', { create: true })).createSyncAccessHandle();
  const sessions = await dir.getDirectoryHandle('sessions', { create: true });
  return { dir: sessions, files: new OpfsFiles(sessions, lock), bytes: async (name) => (await sessions.getFileHandle(name).catch(() => undefined))?.bytes };
}

for (const f of fixtures) {
  test(`fixture ${f.name} in memory`, async () => play(kit, f, await inMemory()));

  test(`fixture ${f.name} on a disk`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'ringmaster-'));
    const bytes = async (name: string): Promise<Uint8Array | undefined> => {
      try {
        return readFileSync(join(dir, name));
      } catch {
        return undefined;
      }
    };
    try {
      await play(kit, f, { files: new DiskFiles(dir, async () => undefined), bytes });
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  test(`fixture ${f.name} in a browser's file system`, async () => {
    const place = await inBrowser();
    await play(kit, f, place);
    await place.files.close();
    assert.equal(place.dir.handles, 0, 'every handle is closed');
  });
}
