import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Browser } from './support/browser.ts';
import { Random, sessionId } from './support/kit.ts';

const program = process.env['CHROMIUM'] ?? '';
const kills = Math.ceil(Number(process.env['RINGMASTER_SYNC_KILLS'] ?? 10) / 4);
const skip = program === '' ? 'CHROMIUM names no browser: tools/ts.sh looks for one' : false;

async function inBrowser(act: (browser: Browser) => Promise<void>): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'ringmaster-'));
  const browser = new Browser(program, profile);
  await browser.listen();
  try {
    await act(browser);
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, maxRetries: 20 }); // what was killed may still be writing
  }
}

test('a cache in a real browser: one tab has it, it keeps lines and states, makes room by use, and is forgotten whole', { skip }, (t) =>
  inBrowser(async (browser) => {
    browser.open('tour');
    const { ms, found, evicted, ...told } = await browser.told('tour');
    const { index, file, checkpoint } = found as { index: { seq: number; length: number; sum: number }; file: { length: number; seq: number; sum: number }; checkpoint: { seq: number } };
    assert.deepEqual(told, { what: 'tour', locked: 'locked', state: '{"é":1}', size: told['size'], empty: [] });
    assert.deepEqual([index.seq, index.length, index.sum, checkpoint.seq], [1024, file.length, file.sum, 1024]);
    assert.deepEqual(evicted, [sessionId.replace(/.$/, 'c')], 'the one that was not open for longest');
    t.diagnostic(`1,024 events in stores of 64 with a flush in Chromium: ${Math.round(ms as number)} ms`);
  }),
);

test('a browser is killed while it stores: what it leaves is a run from the first line on, as far as it has said', { skip }, (t) =>
  inBrowser(async (browser) => {
    const random = new Random(7);
    let said = 0, torn = 0;
    for (let n = 0; n < kills; n++) {
      const upTo = said + 1 + random.below(2000);
      browser.open('store');
      ({ seq: said } = (await browser.told('stored', (t) => (t['seq'] as number) >= upTo)) as unknown as { seq: number });
      await browser.kill();
      browser.open('show');
      const { seq, bad, types } = (await browser.told('shown')) as unknown as { seq: number; bad: string; types: string[] };
      await browser.kill();
      assert.equal(bad, '');
      assert.ok(seq >= said && !types.includes('drop'), `${seq} lines are there, ${said} were when it was killed: ${types.join()}`);
      torn += types.includes('cut') ? 1 : 0;
      said = seq;
    }
    t.diagnostic(`${kills} kill -9 of a browser that stores, ${torn} of them between lines and index: nothing that was said is lost`);
  }),
);
