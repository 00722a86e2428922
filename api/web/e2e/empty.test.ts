import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLong, looker } from './support/axe.ts';
import { open } from './support/browser.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/access

const s = stand();

for (const scheme of ['light', 'dark'] as const) {
  for (const size of isLong ? (['wide', 'tablet', 'phone'] as const) : [scheme === 'light' ? 'wide' : 'phone'] as const) {
    test(`a daemon without sessions says how one begins, and whoever is led here how to log in: ${scheme}, ${size}`, { skip }, async () => {
      const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, '/', { size, scheme });
      const { wrong, look } = looker(page, `${size}-${scheme}`, size !== 'wide');
      await page.getByText('No sessions yet.').waitFor();
      await look('none-home');
      await page.goto(`${s.daemon.base}/inbox`);
      await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
      await look('none-inbox');
      await page.goto(`${s.daemon.base}/`);
      await page.locator('#new').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Folder').fill('/no/such/folder');
      await dialog.getByRole('button', { name: 'Begin' }).click();
      await dialog.locator('.error').waitFor();
      await look('none-new');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.locator('#leave').click();
      await page.locator('#out').waitFor();
      await page.locator('summary').click();
      await page.locator('#out input').fill('no token');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.locator('#out .error').waitFor();
      await look('none-out');
      assert.deepEqual(wrong, []);
      assert.deepEqual(complaints.filter((c) => !/status of 4\d\d/.test(c)), []); // what was refused, as it should be
      await context.close();
    });
  }
}
