import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { script } from '../../client/ts/test/support/daemon.ts';
import { open } from './support/browser.ts';
import { streams, until } from './support/looks.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/tabs

const s = stand();

async function session(title: string): Promise<string> {
  return (await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title })).id;
}

async function tab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(s.daemon.base + path);
  await page.locator('.link-live').waitFor({ state: 'attached' });
  return page;
}

const role = (page: Page): Promise<string | null> => page.locator('.shell').getAttribute('data-role');
const words = (n: number, of: string): string => Array.from({ length: n }, (_, i) => `${of}${i}.`).join(' ');

test('eight tabs have one stream of the daemon, whatever each of them shows, and a call is answered at once', { skip }, async (t) => {
  const ids = [await session('One'), await session('Two'), await session('Three')];
  const { context, page, complaints } = await open(s.browser, s.client, s.daemon.base, `/s/${ids[0]}`);
  const pages = [page];
  for (let n = 1; n < 8; n++) {
    pages.push(await tab(context, n === 7 ? '/' : `/s/${ids[n % 3]}`));
  }
  for (const id of ids) {
    await s.client.prompt(id, { text: `Hello ${id}\n${script({ say: { text: words(50, 'w') } })}` });
  }
  await Promise.all(pages.map(async (one, n) => {
    await one.locator(n === 7 ? `[data-row="${ids[0]}"]` : '.turn-end').first().waitFor();
    if (n < 7) {
      assert.match(await one.locator('.log').innerText(), /w0\. .*w49\./s);
    }
  }));
  await until(async () => (await streams(s.client)) === 1, 'one stream');
  const roles = await Promise.all(pages.map(role));
  assert.deepEqual(roles.sort(), ['follows', 'follows', 'follows', 'follows', 'follows', 'follows', 'follows', 'leads']);
  const ms = await pages[7]!.evaluate(async () => {
    const began = performance.now();
    await fetch('/health');
    return performance.now() - began;
  });
  t.diagnostic(`8 tabs, 1 stream; a call is answered in ${ms.toFixed(0)} ms`);
  assert.ok(ms < 1000, `${ms} ms`);
  assert.deepEqual(complaints, []);
  await context.close();
  await until(async () => (await streams(s.client)) === 0, 'no stream is left');
});

test('when the leader goes, closed or killed, another tab goes on: nothing is lost, nothing comes twice, and nothing that is shown goes', { skip }, async (t) => {
  const id = await session('Hand-over');
  const { context, page, complaints } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  let pages = [page];
  for (let n = 1; n < 5; n++) {
    pages.push(await tab(context, `/s/${id}`));
  }
  await s.client.prompt(id, { text: `Go.\n${script({ say: { text: words(3000, 'x'), chunk: 6, every: '3ms' } })}` });
  for (const how of ['closed', 'killed', 'closed'] as const) {
    await Promise.all(pages.map((one) => one.locator('.entry-assistant_message').waitFor()));
    const roles = await Promise.all(pages.map(role));
    const at = roles.indexOf('leads');
    assert.equal(roles.filter((r) => r === 'leads').length, 1, roles.join());
    const leader = pages[at]!;
    pages = pages.filter((one) => one !== leader);
    const lengths = await Promise.all(pages.map(async (one) => (await one.locator('.log').innerText()).length));
    const began = performance.now();
    if (how === 'closed') {
      await leader.close();
    } else {
      void leader.goto('chrome://crash').catch(() => undefined);
    }
    await Promise.any(pages.map((one) => one.locator('.shell[data-role=leads]').waitFor()));
    const elected = performance.now() - began;
    await Promise.all(pages.map(async (one, n) => one.waitForFunction(([most]) => document.querySelector<HTMLElement>('.log')!.innerText.length > most!, [lengths[n]! + 100])));
    t.diagnostic(`leader ${how}: another one after ${elected.toFixed(0)} ms, live in all tabs after ${(performance.now() - began).toFixed(0)} ms`);
  }
  await s.client.wait({ sessions: [id], until: { rest: true } });
  for (const one of pages) {
    await one.locator('.turn-end').waitFor();
    const text = (await one.locator('.entry-assistant_message').innerText()).replace(/\s+/g, ' ');
    assert.ok(text.includes(words(3000, 'x')), `${text.slice(0, 200)} … ${text.slice(-200)}`);
  }
  await until(async () => (await streams(s.client)) === 1, 'one stream');
  assert.deepEqual(complaints, []);
  await context.close();
});

test('a tab of another build has a stream of its own, and the folder once it is loaded anew without the first one', { skip }, async () => {
  const id = await session('Two builds');
  await s.client.prompt(id, { text: `Go.\n${script({ say: { text: 'Said to both.' } })}` });
  const { context, page, complaints } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await page.locator('.turn-end').waitFor();
  const other = '/assets/0123456789abcdef-worker.js';
  const worker = await page.evaluate(async () => (await fetch(document.body.dataset['worker']!)).text());
  await context.route(`**${other}`, (route) => route.fulfill({ contentType: 'text/javascript', body: worker }));
  const later = await context.newPage();
  await later.addInitScript((address) => document.addEventListener('readystatechange', () => { document.body.dataset['worker'] = address; }, { once: true }), other); // before the page's script runs
  await later.goto(`${s.daemon.base}/s/${id}`);
  await later.locator('.link-live').waitFor({ state: 'attached' });
  await later.getByText('Said to both.', { exact: true }).waitFor();
  assert.deepEqual([await role(page), await role(later)], ['leads', 'leads']);
  await until(async () => (await streams(s.client)) === 2, 'two streams');
  await page.close();
  await later.reload();
  await later.locator('.link-live').waitFor({ state: 'attached' });
  await later.locator('#this-browser').click();
  await later.locator('#kept-size', { hasText: /^[1-9]/ }).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});
