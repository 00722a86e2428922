import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Folder } from '../src/cache/index.ts';
import { Machine } from '../src/sync/index.ts';
import { live } from './support/life.ts';
import { noTally } from './support/tally.ts';

const lives = Number(process.env['RINGMASTER_SYNC_LIVES'] ?? 300), seed = Number(process.env['RINGMASTER_SYNC_SEED'] ?? 1);

test('whatever happens to client, server, network and disk, a client shows a run of the log, stores the same run, and comes to have all of it', async (t) => {
  const tally = noTally();
  for (let n = seed; n < seed + lives; n++) {
    await live({ Machine, Folder }, n, tally).catch((fault: unknown) => assert.fail(`life ${n}: ${String(fault)}`));
  }
  t.diagnostic(`${lives} random lives of 300 steps: ${JSON.stringify(tally)}`);
  for (const [what, count] of Object.entries(tally)) {
    assert.ok(count > 0, `the lives have no ${what}`);
  }
});
