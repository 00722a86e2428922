import assert from 'node:assert/strict';
import { test } from 'node:test';
import { script } from '../../client/ts/test/support/daemon.ts';
import { open } from './support/browser.ts';
import { skip, stand } from './support/stand.ts';

const s = stand(
  async () => undefined,
  () => {
    process.env['RINGMASTER_LOG_LIMIT'] = '8MiB';
  },
);

/** A turn of nearly two megabytes: its texts are half of it, the pieces that they came in the other half. */
const long = (n: number): string =>
  script(...Array.from({ length: 9 }, (_, i) => ({ say: { text: `Part ${n}.${i} begins. ${'so it goes on '.repeat(7000)} Part ${n}.${i} ends.`, chunk: 4000 } })));

test('a session whose oldest events have gone is shown from what is left, to who was there and to who comes', { skip }, async () => {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: 'Talks much' });
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  for (let n = 0; n < 7; n++) {
    await s.client.prompt(id, { text: long(n) });
    await s.client.wait({ sessions: [id], until: { rest: true } });
  }
  await page.getByText('Part 6.8 ends.').waitFor();
  const part = (await s.client.session(id).state({ entries: 1 })).part!;
  assert.ok(part.oldest > 1, `the oldest event is ${part.oldest}`);
  await page.reload();
  await page.getByText('Part 6.8 ends.').waitFor();
  await page.locator('.head .state-idle').waitFor();
  assert.match(await page.locator(`[data-row="${id}"]`).innerText(), /Talks much/);
  await page.locator('[data-composer]').fill('Once more, please.');
  await page.locator('[data-composer]').press('Enter');
  await page.getByText('Once more, please.').first().waitFor();

  const other = await open(s.browser, s.client, s.daemon.base, `/s/${id}`); // a browser that has nothing of it
  await other.page.getByText('Once more, please.').first().waitFor();
  await other.page.locator('.head .state-idle').waitFor();
  assert.deepEqual([...complaints, ...other.complaints], []);
  await context.close();
  await other.context.close();
});
