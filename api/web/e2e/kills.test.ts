import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { script } from '../../client/ts/test/support/daemon.ts';
import { Killable } from './support/killable.ts';
import { kept, until } from './support/looks.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/kept

const s = stand();
const kills = Number(process.env['WEB_KILLS'] ?? 4);

async function logOf(id: string): Promise<string> {
  let text = '';
  for await (const { line } of s.client.log(id)) {
    text += `${line}\n`;
  }
  return text;
}

/** A page of this origin that runs nothing. */
async function still(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${s.daemon.base}/sw.js`);
  return page;
}

test('a browser is killed again and again while it reads: what it has kept is the beginning of the log, as far as it was, and the page goes on from there', { skip, timeout: 60_000 + kills * 30_000 }, async (t) => {
  const profile = mkdtempSync(join(tmpdir(), 'ringmaster-'));
  const browser = new Killable(profile);
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: 'Killed' });
  const { code } = await s.client.askLogin();
  const login = JSON.stringify(await s.client.login({ code, name: 'a browser that is killed' }));
  let most = 0;
  try {
    for (let n = 0; n <= kills; n++) {
      const context = await browser.start();
      await context.addInitScript((value) => localStorage.setItem('ringmaster.login', value), login); // a kill may take back what was stored last
      const quiet = await still(context);
      const left = (await kept(quiet)).get(id) ?? { seq: 0, text: '' };
      const log = await logOf(id);
      assert.ok(log.startsWith(left.text), `kill ${n}: what is kept is no beginning of the log`);
      assert.equal(left.text.split('\n').length - 1, left.seq);
      assert.ok(left.seq >= most, `kill ${n}: ${most} lines were kept, and ${left.seq} are`);
      most = left.seq;
      const page = await context.newPage();
      await page.goto(`${s.daemon.base}/s/${id}`);
      await page.locator('.link-live').waitFor({ state: 'attached' });
      if (n === kills) {
        await s.client.wait({ sessions: [id], until: { rest: true } });
        const whole = await logOf(id);
        await until(async () => (await kept(quiet)).get(id)?.text === whole, 'the whole log');
        break;
      }
      await s.client.prompt(id, { text: `${n}.\n${script({ say: { text: 'word '.repeat(800), every: '1ms' } })}` });
      const wait = left.seq + 1 + Math.floor(Math.random() * 400);
      await until(async () => {
        const { seq } = (await kept(quiet)).get(id) ?? { seq: 0 };
        assert.ok(seq >= most, `kill ${n}: the page did not go on from line ${most}, but from ${seq}`);
        most = seq;
        return seq >= wait;
      }, `${wait} lines`);
      await browser.kill();
    }
    t.diagnostic(`${kills} kill -9 of a browser that reads: the cache was the beginning of the log every time, ${most} lines at the last`);
  } finally {
    await browser.kill().catch(() => undefined);
    await rm(profile, { recursive: true, maxRetries: 20 }); // what was killed may still be writing
  }
});
