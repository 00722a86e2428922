import assert from 'node:assert/strict';
import { test } from 'node:test';
import { script } from '../../client/ts/test/support/daemon.ts';
import { open } from './support/browser.ts';
import { skip, stand } from './support/stand.ts';

const s = stand();

test('a session whose turn has failed is shown as failed, also by a daemon that was started again, until a turn ends well', { skip }, async () => {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: 'Fails' });
  await s.client.prompt(id, { text: script({ fail: { error: 'the provider says: quota exceeded' } }) });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  const row = page.locator(`.group-failed [data-row="${id}"]`);
  const failed = async (): Promise<void> => {
    await row.waitFor();
    assert.match(await row.innerText(), /its turn failed: .*quota exceeded/);
    await page.locator('.head .state-failed', { hasText: 'its turn failed' }).waitFor();
  };
  await failed();
  await s.daemon.end('SIGTERM');
  await page.locator('.link-away').waitFor();
  await s.daemon.start();
  await page.reload();
  await failed();
  const { lastTurn } = await s.client.session(id).show();
  assert.deepEqual([lastTurn?.turnId, lastTurn?.status], ['t1', 'error']);
  await page.locator('[data-composer]').fill('Once more, please.');
  await page.locator('[data-composer]').press('Enter');
  await row.waitFor({ state: 'detached' });
  await page.locator('.head .state-idle').waitFor();
  assert.equal((await s.client.session(id).show()).lastTurn?.status, 'completed');
  assert.deepEqual(complaints.filter((c) => !/ERR_CONNECTION|Failed to load/.test(c)), []);
  await context.close();
});
