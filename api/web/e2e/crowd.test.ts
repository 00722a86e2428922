import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actor } from './support/actor.ts';
import { isLong, looker } from './support/axe.ts';
import { open } from './support/browser.ts';
import { crowd, parts } from './support/crowd.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/access

// The same views as in axe.test.ts, with more in them than is comfortable.
let ids: Record<string, string>;
const s = stand(async ({ daemon }) => { ids = await crowd(daemon); }, (dir) => actor(dir, parts));

for (const scheme of ['light', 'dark'] as const) {
  for (const size of isLong ? (['wide', 'tablet', 'phone'] as const) : [scheme === 'light' ? 'tablet' : 'phone'] as const) {
    test(`long names and texts, many sessions and other writing systems stay within the page: ${scheme}, ${size}`, { skip }, async () => {
      const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, '/', { size, scheme });
      const { wrong, look } = looker(page, `${size}-${scheme}`, size !== 'wide');
      const to = async (path: string, there: string): Promise<void> => {
        await page.goto(s.daemon.base + path);
        await page.locator(there).first().waitFor();
      };
      await to('/', '.row');
      await look('crowd-home');
      await page.getByLabel('Filter sessions').fill('no such session');
      await page.locator('.groups > .empty').waitFor();
      await look('crowd-filter');
      await to('/inbox', '.request .diff');
      await look('crowd-inbox');
      await page.locator('.request').last().scrollIntoViewIfNeeded();
      await look('crowd-inbox-end');
      for (const [name, path, there] of [
        ['long', 'long', '.turn-end'], ['arabic', 'arabic', '.turn-end'], ['chinese', 'chinese', '.turn-end'], ['works', 'works', '.queue'], ['failed', 'failed', '.failure'], ['edits', 'edits', '.request .diff'], ['runs', 'runs', '.request'],
        ['chooses', 'chooses', '.request'], ['ended', 'idle 3', '.ended'], ['nothing', 'idle 1', '.rows .empty'],
      ] as const) {
        await to(`/s/${ids[path]!}`, there);
        await look(`crowd-${name}`);
      }
      await to(`/s/${ids['long']!}`, '.turn-end');
      await page.locator('.log').evaluate((log) => { log.scrollTop = 0; });
      await page.locator('.to-end').waitFor();
      await look('crowd-long-top');
      for (const [name, path, there] of [['changes', `${ids['turns']!}/changes`, '.change'], ['usage', `${ids['turns']!}/usage`, '.usage tbody tr'], ['time', `${ids['turns']!}/time`, '.log'], ['raw', `${ids['long']!}/raw`, 'li.pair'], ['no-changes', `${ids['idle 1']!}/changes`, '.empty'], ['no-usage', `${ids['idle 1']!}/usage`, '.empty']] as const) {
        await to(`/s/${path}`, there);
        await look(`crowd-${name}`);
      }
      await to(`/s/${ids['edits']!}?beside=${ids['runs']!},${ids['arabic']!},${ids['works']!}`, '.pane .request .diff');
      await look('crowd-grid');
      await to(`/s/${ids['runs']!}`, '.request');
      await page.getByRole('button', { name: 'Settings' }).click();
      for (let i = 0; i < 3; i++) {
        await page.getByRole('button', { name: 'Add a rule' }).click();
      }
      await look('crowd-settings');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Message…' }).click();
      await page.locator('.message textarea').waitFor();
      await look('crowd-message');
      await page.locator('.log').focus();
      await page.keyboard.press('.');
      await page.getByRole('option').first().waitFor();
      await look('crowd-palette');
      assert.deepEqual(wrong, []);
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }
}

test('what cannot be done is said where it was asked for, with and without a daemon', { skip }, async () => {
  const { page, context } = await open(s.browser, s.client, s.daemon.base, `/s/${ids['edits']!}`, { size: 'phone' });
  const { wrong, look } = looker(page, 'phone-light', true);
  await page.locator('.request .diff').waitFor();
  await s.daemon.end('SIGKILL');
  await page.locator('.kept-log').waitFor();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.locator('.request .sending').waitFor();
  await page.locator('[data-composer]').fill('Wait with that.');
  await look('crowd-away');
  await page.goto(`${s.daemon.base}/`);
  await page.locator('#kept-list').waitFor();
  await look('crowd-away-home');
  await s.daemon.start();
  await page.locator('.link-live').waitFor({ state: 'attached' });
  assert.deepEqual(wrong, []);
  await context.close();
});
