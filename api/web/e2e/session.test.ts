import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Client } from '../../client/ts/src/index.ts';
import { script } from '../../client/ts/test/support/daemon.ts';
import { open } from './support/browser.ts';
import { until } from './support/looks.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/once, I14.2/windowed

const s = stand();

async function fresh(title: string, ...steps: object[]): Promise<string> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title });
  if (steps.length > 0) {
    await s.client.prompt(id, { text: script(...steps) });
  }
  return id;
}

const composer = (page: Page) => page.locator('[data-composer]');

test('a prompt is sent with a key of its own, once, also where its answer is lost; the draft is kept until the log has it', { skip }, async () => {
  const id = await fresh('Prompts');
  const { page, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await page.getByText('Nothing was said yet.').waitFor();
  await composer(page).fill('Hello\nagain');
  await page.reload();
  await page.waitForFunction(() => (document.querySelector('[data-composer]') as HTMLTextAreaElement | null)?.value === 'Hello\nagain');
  const begun = await page.evaluate((at) => (JSON.parse(localStorage.getItem(at) ?? '{}') as { key?: string }).key, `ringmaster.draft.${id}`);
  const keys: string[] = [];
  await page.route(`**/sessions/${id}/prompts`, async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    if (keys.length === 1) {
      await route.fetch(); // the daemon has it, and the page does not know
      return route.abort();
    }
    return route.continue();
  });
  await composer(page).press('Enter');
  await page.locator('.entry-user_message', { hasText: 'Hello' }).waitFor();
  await page.waitForFunction(() => (document.querySelector('[data-composer]') as HTMLTextAreaElement).value === '');
  await s.client.wait({ sessions: [id], until: { rest: true } });
  const { turns } = await s.client.session(id).state();
  assert.equal(turns?.length, 1);
  assert.deepEqual([...new Set(keys)], [begun], 'the key was made when the draft was begun');
  await page.locator('.turn-end').waitFor();
  await page.reload();
  await page.locator('.entry-user_message', { hasText: 'Hello' }).waitFor();
  assert.equal(await composer(page).inputValue(), '');
  await context.close();
});

test('what waits is shown, moved and taken out as the log says, and a turn is interrupted', { skip }, async () => {
  const id = await fresh('Queue', { say: { text: 'I begin.' } }, { stall: {} });
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await page.locator('.state-working').waitFor();
  for (const text of ['first', 'second', 'third']) {
    await composer(page).fill(text);
    await page.getByRole('button', { name: 'Follow up' }).click();
    await page.locator('.queue-text', { hasText: text }).waitFor();
    await page.waitForFunction(() => (document.querySelector('[data-composer]') as HTMLTextAreaElement).value === '');
  }
  const waiting = (): Promise<string[]> => page.locator('.queue-text').allInnerTexts();
  await page.locator('.queue li', { hasText: 'third' }).getByRole('button', { name: 'Move up' }).click();
  await page.waitForFunction(() => [...document.querySelectorAll('.queue-text')].map((x) => x.textContent).join() === 'first,third,second');
  await page.locator('.queue li', { hasText: 'first' }).getByRole('button', { name: 'Take out' }).click();
  await page.locator('.queue-text', { hasText: 'first' }).waitFor({ state: 'detached' });
  assert.deepEqual(await waiting(), ['third', 'second']);
  assert.deepEqual((await s.client.session(id).prompts()).map((p) => p.text), ['third', 'second']);

  await composer(page).blur();
  await page.keyboard.press('Shift+X');
  await page.locator('.turn-end', { hasText: 'Interrupted by a person' }).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test('steering goes into the running turn', { skip }, async () => {
  const id = await fresh('Steer', { say: { text: 'I begin.' } }, ...Array.from({ length: 300 }, () => ({ wait: { for: '500ms' } })), { say: { text: 'Done.' } }); // it looks for what is said between steps
  const { page, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await page.locator('.state-working').waitFor();
  await page.keyboard.press('p');
  await page.keyboard.type('Look at the tests, too');
  await page.keyboard.press('Control+Enter');
  await page.locator('.entry-user_message', { hasText: 'Look at the tests' }).waitFor();
  const { turns } = await s.client.session(id).state();
  assert.equal(turns?.length, 1);
  await s.client.session(id).interrupt();
  await context.close();
});

test('a long log is windowed, a reader who scrolled is not moved, and the end is followed only from there', { skip }, async () => {
  const many = (n: number): object[] => Array.from({ length: n }, (_, i) => ({ tool: { name: 'bash', args: { command: `step ${i}` }, output: [`line ${i}\n`.repeat(3)] } }));
  const id = await fresh('Long', ...many(400));
  await s.client.wait({ sessions: [id], until: { rest: true } });
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await page.locator('.call-subject', { hasText: 'step 399' }).waitFor();
  const log = page.locator('.log');
  const mounted = await page.locator('[data-item]').count();
  assert.ok(mounted < 120, `${mounted} rows are mounted`);
  const atEnd = (): Promise<boolean> => log.evaluate((x) => x.scrollHeight - x.scrollTop - x.clientHeight < 48);
  assert.equal(await atEnd(), true);

  // A row that grows before the browser has told of the scroll that went before does not end the following; nor does a place that the browser has rounded meanwhile.
  await log.evaluate((x) => {
    x.scrollTop -= 1;
    [...x.querySelectorAll<HTMLElement>('[data-item]')].at(-1)!.style.paddingBottom = '300px';
    x.dispatchEvent(new Event('scroll'));
  });
  await until(atEnd, 'the end is followed');
  assert.equal(await page.locator('.to-end').count(), 0);

  await log.evaluate((x) => x.scrollTo(0, x.scrollHeight / 2));
  await page.locator('.to-end').waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  // The row in the middle of the view stays where it is while rows arrive.
  const middle = (): Promise<[string, number]> => log.evaluate((x) => {
    const box = x.getBoundingClientRect();
    const row = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)!.closest<HTMLElement>('[data-item]')!;
    return [row.dataset['item']!, row.getBoundingClientRect().top] as [string, number];
  });
  const [row, top] = await middle();
  await s.client.prompt(id, { text: script(...many(60)) });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  await page.getByRole('button', { name: /new row/ }).waitFor();
  const now = await page.locator(`[data-item="${row}"]`).evaluate((x) => x.getBoundingClientRect().top);
  assert.ok(Math.abs(now - top) <= 1, `moved by ${now - top}`);
  await page.getByRole('button', { name: /new row/ }).click();
  await page.locator('.call-subject', { hasText: 'step 59' }).last().waitFor();
  await page.waitForFunction(() => { const x = document.querySelector('.log')!; return x.scrollHeight - x.scrollTop - x.clientHeight < 48; });
  assert.deepEqual(complaints, []);
  await context.close();
});

test('the page goes on with the daemon when that is back', { skip }, async () => {
  const id = await fresh('Restart');
  const { page, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await s.daemon.end('SIGKILL');
  await page.locator('.link-away').waitFor();
  await s.daemon.start();
  await page.locator('.link-live').waitFor({ state: 'attached', timeout: 40_000 });
  await composer(page).fill('Still here?');
  await composer(page).press('Enter');
  await page.locator('.entry-user_message', { hasText: 'Still here?' }).waitFor();
  await context.close();
});

test('a session is begun with an agent, a folder and a first prompt', { skip }, async () => {
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base);
  await page.locator('#new').waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await dialog.locator('select').first().selectOption('scripted');
  await dialog.getByLabel('Folder').fill('/nowhere');
  await dialog.getByLabel('First prompt').fill('Say hello.');
  await dialog.getByRole('button', { name: 'Begin' }).click();
  await dialog.getByRole('alert').waitFor(); // the daemon says which folders there are
  await dialog.getByLabel('Folder').fill(s.daemon.root);
  await dialog.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL(/\/s\/[0-9a-f-]{36}$/);
  await page.locator('.entry-user_message', { hasText: 'Say hello.' }).waitFor();
  assert.deepEqual(complaints.filter((c) => !/status of 4\d\d/.test(c)), []);
  await context.close();
});

test('a login that only reads is offered nothing that it may not do', { skip }, async () => {
  const id = await fresh('Read', { tool: { name: 'bash', approve: true, args: { command: 'make' } } });
  await s.client.wait({ sessions: [id], until: { request: true } });
  const { token } = await s.client.createToken({ name: 'reader', scope: 'admin:ro' });
  const reader = new Client({ base: s.daemon.base, token });
  const { page, complaints, context } = await open(s.browser, reader, s.daemon.base, `/s/${id}`);
  const card = page.locator('.request');
  await card.getByText('This login only reads').waitFor();
  await card.focus();
  await page.keyboard.press('y');
  assert.deepEqual(await page.getByRole('button').allInnerTexts().then((all) => all.filter((t) => /^(Allow|Deny|Send|Interrupt|New)/.test(t))), []);
  assert.equal((await s.client.session(id).requests()).length, 1);
  assert.deepEqual(complaints, []);
  await context.close();
});
