import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLong, looker } from './support/axe.ts';
import { open } from './support/browser.ts';
import { png } from './support/picture.ts';
import { skip, stand } from './support/stand.ts';
import { team } from './support/team.ts';

// Proves: I14.2/access

let views: Record<string, string>;
const s = stand(async ({ daemon }) => {
  const { ids } = await team(daemon);
  const of = (title: string): string => `/s/${ids[title]!}`;
  views = {
    home: '/', inbox: '/inbox', explained: of('Explain the cache'), hostile: of('Tidy the docs'), asks: of('Mend the parser'), failed: of('Bump the dependencies'), works: of('Research the cache'),
    long: of('Print much'), chooses: of('Choose a name'), empty: of('An empty one'), missing: '/s/nowhere',
  };
});

for (const scheme of ['light', 'dark'] as const) {
  for (const size of isLong ? (['wide', 'middle', 'phone'] as const) : [scheme === 'light' ? 'wide' : 'phone'] as const) {
    test(`nothing in any view keeps anybody out: ${scheme}, ${size}`, { skip }, async () => {
      const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, '/', { size, scheme });
      const { wrong, look } = looker(page, `${size}-${scheme}`, size === 'phone');
      for (const [name, path] of Object.entries(views)) {
        await page.goto(s.daemon.base + path);
        await page.locator(name === 'home' && size === 'phone' ? '.row' : '.main h2').first().waitFor();
        await page.locator(name === 'inbox' ? '.diff' : '.shell').waitFor();
        if (path.startsWith('/s/') && name !== 'missing') {
          await page.getByText('Reading the log…').waitFor({ state: 'detached' });
        }
        await look(name);
      }
      await page.goto(s.daemon.base);
      await page.locator('.row').first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await look('keys');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      for (const [name, title, part, there] of [['changes', 'asks', 'changes', '.change'], ['time', 'asks', 'time', '.log'], ['past', 'asks', '?at=9', '.log'], ['usage', 'explained', 'usage', '.usage tbody tr'], ['raw', 'explained', 'raw', 'li.pair']] as const) {
        await page.goto(s.daemon.base + views[title]! + (part.startsWith('?') ? part : `/${part}`));
        await page.locator(there).first().waitFor();
        await look(name);
      }
      await page.locator('.json summary').nth(3).click();
      await look('json');
      await page.goto(`${s.daemon.base}${views['asks']!}?beside=${views['explained']!.slice(3)},${views['failed']!.slice(3)}/usage&pane=2`);
      await page.locator('.pane .request').waitFor();
      await look('grid');
      await page.goto(s.daemon.base + views['explained']!);
      await page.getByText('All of it was there.', { exact: true }).waitFor();
      await page.locator('.log').focus();
      await page.keyboard.press('f');
      await page.getByLabel('Find in this session').fill('cache');
      await page.keyboard.press('Enter');
      await page.locator('.entry.target').waitFor();
      await look('find');
      await page.keyboard.press('Escape');
      await page.locator('.log').focus();
      await page.keyboard.press('.');
      await page.getByRole('combobox').fill('cache');
      await page.getByRole('option').first().waitFor();
      await look('palette');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Shift+F');
      await page.getByRole('combobox').fill('cache index');
      await page.getByRole('option').locator('mark').first().waitFor();
      await page.locator('.searched', { hasText: 'kept in this browser' }).waitFor();
      await look('search');
      await page.keyboard.press('Escape');
      await page.goto(s.daemon.base);
      await page.getByLabel('Filter sessions').fill('nothing is called so');
      await page.locator('#search-said').waitFor();
      await look('filter');
      await page.goto(s.daemon.base + views['long']!);
      await page.locator('.entry-tool_call .cut button').click();
      await page.locator('.text-row').first().waitFor();
      await page.getByLabel('Find in this text').fill('line 300');
      await page.locator('.hit').waitFor();
      await look('whole');
      await page.goto(s.daemon.base + views['asks']!);
      await page.getByRole('button', { name: 'Settings' }).click();
      const settings = page.getByRole('dialog');
      await settings.getByRole('button', { name: 'Add a rule' }).click();
      await settings.getByLabel('A person has').selectOption('60000');
      await settings.getByLabel('Approvals').selectOption('allow_all');
      await page.waitForFunction(() => document.querySelector<HTMLSelectElement>('#control-model')?.disabled === false);
      await look('settings');
      await settings.getByRole('button', { name: 'Delete the session…' }).click();
      await look('deletes');
      await page.keyboard.press('Escape');
      await page.locator('.composer input[type=file]').setInputFiles([{ name: 'a.png', mimeType: 'image/png', buffer: png(120, 90) }, { name: 'b.png', mimeType: 'image/png', buffer: png(300, 60, [173, 60, 20]) }]);
      await page.locator('.pictures img').nth(1).waitFor();
      await look('images');
      await page.goto(s.daemon.base);
      await page.locator('#this-browser').click();
      await page.getByRole('dialog').waitFor();
      await page.locator('#forget').click();
      await look('browser');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.locator('#new').click();
      await page.getByRole('dialog').waitFor();
      await look('new');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.locator('#leave').click();
      await page.locator('#out').waitFor();
      await page.locator('summary').click();
      await look('out');
      assert.deepEqual(wrong, []);
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }
}
