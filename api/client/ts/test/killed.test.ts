import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { files } from '../src/node/index.ts';
import { Machine } from '../src/sync/index.ts';
import { Random, sessionId } from './support/kit.ts';
import { line } from './support/line.ts';
import { stateAt } from './support/stateat.ts';

const kills = Number(process.env['RINGMASTER_SYNC_KILLS'] ?? 10);

/** Runs a process that stores until it has said so many times how far it is, and kills it. The answer is the last number that it said. */
async function killed(dir: string, stores: number): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv.filter((arg) => !arg.startsWith('--test')), join(import.meta.dirname, 'support/storing.ts'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = 0, count = 0;
  for await (const text of createInterface(child.stdout)) {
    said = Number(text);
    if (++count === stores) {
      child.kill('SIGKILL');
    }
  }
  assert.ok(count >= stores, `the process has stored ${count} times, and ended by itself`);
  return said;
}

/** What a killed process has left: how far it goes, whether the file is longer than its index, and whether it begins with a state. */
async function left(dir: string): Promise<{ seq: number; isTorn: boolean; isRestored: boolean }> {
  const folder = await files(dir);
  const { session, found } = await folder.open(sessionId);
  let seq = 0, isTorn = false, isRestored = false;
  for (const e of new Machine().step(found, 0)) {
    assert.notEqual(e.type, 'drop', `a kill has cost the cache: ${JSON.stringify(found)}`);
    isTorn ||= e.type === 'cut';
    if (e.type === 'read') {
      if (e.from > 0) {
        assert.equal(await session.state(), stateAt(e.after));
        isRestored = true;
      }
      seq = e.after;
      for await (const { line: text } of session.lines(e)) {
        assert.equal(text, line(++seq));
      }
    }
  }
  await folder.close();
  return { seq, isTorn, isRestored };
}

test('a process that stores lines on a disk is killed again and again: what it leaves is a run from the first line on, as far as it has said, and the folder is free', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'ringmaster-')), random = new Random(3);
  let torn = 0, restored = 0;
  try {
    for (let n = 0; n < kills; n++) {
      const said = await killed(dir, 1 + random.below(20));
      const { seq, isTorn, isRestored } = await left(dir);
      assert.ok(seq >= said, `${seq} lines are stored, and ${said} were when it was killed`);
      torn += isTorn ? 1 : 0;
      restored += isRestored ? 1 : 0;
    }
  } finally {
    await rm(dir, { recursive: true });
  }
  assert.ok(restored > 0, 'there never was a state');
  t.diagnostic(`${kills} kill -9 of a process that stores, ${torn} of them between lines and index, and ${restored} times there was a state: nothing that was said is lost`);
});
