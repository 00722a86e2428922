import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { script } from '../../client/ts/test/support/daemon.ts';
import { open } from './support/browser.ts';
import { kept, until } from './support/looks.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/offline

const s = stand();

async function said(title: string, text: string): Promise<string> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title });
  await s.client.prompt(id, { text: `${title}, please.\n${script({ say: { text } })}` });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  return id;
}

/** The page is kept by the browser. */
async function isInstalled(context: BrowserContext): Promise<void> {
  await until(async () => (await Promise.all(context.pages().map((page) => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated' && navigator.serviceWorker.controller !== null)))).every(Boolean), 'a service worker');
}

test('while the daemon is away the page opens, with the list and what was read, says as of when, and goes on when the daemon is back', { skip }, async (t) => {
  const seen = await said('Seen', 'What was read stays.'), unseen = await said('Unseen', 'Nobody has looked at this.');
  const { page, context, complaints } = await open(s.browser, s.client, s.daemon.base, `/s/${seen}`);
  await page.locator('.turn-end').waitFor();
  const length = (await s.client.session(seen).state()).seq;
  await until(async () => ((await kept(page)).get(seen)?.seq ?? 0) >= length, 'the log is stored');
  await until(async () => (await kept(page)).has('roster'), 'the list is stored');
  await isInstalled(context);
  await page.close();
  await s.daemon.end('SIGKILL');

  const again = await context.newPage();
  const began = performance.now();
  await again.goto(`${s.daemon.base}/s/${seen}`);
  await again.getByText('What was read stays.', { exact: true }).waitFor();
  t.diagnostic(`without a daemon, the page shows a session after ${(performance.now() - began).toFixed(0)} ms`);
  await again.locator('.link-away').waitFor();
  assert.match(await again.locator('#kept-list').innerText(), /^Offline\. This list is as of .*\d/);
  assert.match(await again.locator('.kept-log').innerText(), /^Offline\. What stands here goes up to .*\d/);
  assert.equal(await again.locator('.row').count(), 2);
  await again.locator(`[data-row="${unseen}"]`).click();
  await again.getByText('this browser has kept nothing of this session').waitFor();
  await again.locator(`[data-row="${seen}"]`).click();
  await again.getByText('What was read stays.', { exact: true }).waitFor();
  await again.locator('[data-composer]').fill('A draft');
  await again.getByText('What you write is kept here.').waitFor();

  await s.daemon.start();
  await again.locator('.link-live').waitFor({ state: 'attached' });
  await again.locator('#kept-list').waitFor({ state: 'detached' });
  await again.locator('.kept-log').waitFor({ state: 'detached' });
  await again.locator(`[data-row="${unseen}"]`).click();
  await again.getByText('Nobody has looked at this.', { exact: true }).waitFor();
  await again.locator(`[data-row="${seen}"]`).click();
  await again.locator('[data-composer]').press('Enter');
  await again.locator('.entry-user_message', { hasText: 'A draft' }).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test('the list is as of when the daemon was heard last, in a tab that was there, in one that comes later, and in the browser', { skip }, async () => {
  const { page, context } = await open(s.browser, s.client, s.daemon.base, '/inbox');
  await isInstalled(context);
  await s.daemon.end('SIGKILL');
  try {
    const heard = async (tab: Page): Promise<number> => Date.parse((await tab.locator('#kept-list time').getAttribute('datetime'))!);
    const at = await heard(page);
    const later = await context.newPage();
    await later.goto(`${s.daemon.base}/inbox`);
    assert.equal(await heard(later), at);
    await until(async () => (await kept(page)).get('roster')?.seq === at, 'the list is kept with that time');
  } finally {
    await context.close();
    await s.daemon.start();
  }
});

test('a link of another site is known as one also where the page is kept, and trades no code', { skip }, async () => {
  const { page, context } = await open(s.browser, s.client, s.daemon.base, '/');
  await isInstalled(context);
  const { code } = await s.client.askLogin();
  const evil = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(`<a id="to" href="${s.daemon.base}/#login=${code}">here</a>`));
  await once(evil.listen(0, '127.0.0.1'), 'listening');
  try {
    await page.goto(`http://localhost:${(evil.address() as { port: number }).port}/`);
    await page.locator('#to').click();
    await page.locator('#link').waitFor();
    await s.daemon.end('SIGKILL');
    await page.goto(`http://localhost:${(evil.address() as { port: number }).port}/`);
    await page.locator('#to').click();
    await page.locator('#link').waitFor();
  } finally {
    evil.close();
    await s.daemon.start();
    await context.close();
  }
});

test('a program that has the port instead of the daemon is shown as it is, and the page is kept no longer', { skip }, async () => {
  const { page, context } = await open(s.browser, s.client, s.daemon.base, '/');
  await isInstalled(context);
  await s.daemon.end('SIGKILL');
  const other = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<p id="other">another program</p>'));
  await once(other.listen(Number(new URL(s.daemon.base).port), '127.0.0.1'), 'listening');
  try {
    await page.goto(s.daemon.base);
    await page.locator('#other').waitFor();
    await until(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length === 0 && (await caches.keys()).length === 0), 'nothing is kept');
  } finally {
    await context.close();
    other.close();
    await s.daemon.start();
  }
});

test('a page of another program that frames this one does not have it forgotten', { skip }, async () => {
  const { page, context } = await open(s.browser, s.client, s.daemon.base, '/');
  await isInstalled(context);
  const evil = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(`<iframe src="${s.daemon.base}/"></iframe>`));
  await once(evil.listen(0, '127.0.0.1'), 'listening');
  try {
    const second = await context.newPage();
    const refused = second.waitForResponse((answer) => answer.url() === `${s.daemon.base}/`);
    await second.goto(`http://127.0.0.1:${(evil.address() as { port: number }).port}/`, { waitUntil: 'load' });
    assert.equal((await refused).status(), 403);
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state), 'activated');
    assert.equal(await page.evaluate(async () => (await caches.keys()).length), 1);
  } finally {
    evil.close();
    await context.close();
  }
});
