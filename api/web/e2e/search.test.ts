import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { script } from '../../client/ts/test/support/daemon.ts';
import { keepsNothing, open } from './support/browser.ts';
import { keptSeq, until } from './support/looks.ts';
import { skip, stand } from './support/stand.ts';
import { hostile } from './support/team.ts';

const s = stand();

async function fresh(title: string, ...steps: object[]): Promise<string> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title });
  await s.client.prompt(id, { text: `Begin.\n${script(...steps)}` });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  return id;
}

/** Looks at sessions until the browser has all of their logs. */
async function read(page: Page, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await page.goto(`${s.daemon.base}/s/${id}`);
    await page.locator('.turn-end').first().waitFor();
    const { seq } = await s.client.session(id).state();
    await until(async () => (await keptSeq(page, id)) >= seq, 'the log is stored');
  }
}

async function isInstalled(context: BrowserContext): Promise<void> {
  await until(async () => (await Promise.all(context.pages().map((page) => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated' && navigator.serviceWorker.controller !== null)))).every(Boolean), 'a service worker');
}

const option = (page: Page): ReturnType<Page['getByRole']> => page.getByRole('option');

test('what was said in any session that the browser keeps is found by keys alone, and leads there, also far above the view and without the daemon', { skip }, async () => {
  const old = await fresh('Old talk', { tool: { name: 'bash', args: { command: 'look for walruses' }, output: ['none here\n'] } }, ...Array.from({ length: 200 }, (_, i) => ({ say: { text: `Filler ${i}.` } })));
  const pieces = await fresh('In pieces', { say: { text: 'There is a Walrus <b>in</b> the cache.', chunk: 3 } });
  const unread = await fresh('Never looked at', { say: { text: 'A walrus that this browser has not seen.' } });
  const { page, context, complaints } = await open(s.browser, s.client, s.daemon.base, '/');
  await read(page, old, pieces);
  await page.goto(`${s.daemon.base}/inbox`);
  await isInstalled(context);
  const find = async (words: string): Promise<void> => {
    await page.locator('.brand').focus();
    await page.keyboard.press('/');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Filter sessions');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Search what was said' }).waitFor();
  };
  const check = async (): Promise<void> => {
    await find('CACHE walrus');
    await option(page).first().waitFor();
    // The prompt has the text as well, in its script.
    assert.deepEqual((await option(page).allInnerTexts()).map((text) => /In pieces/.test(text)), [true, true]);
    const said = option(page).filter({ hasText: 'agent' });
    assert.match(await said.innerText(), /There is a Walrus <b>in<\/b> the cache\.\s+In pieces\s+scripted · agent · \d/);
    assert.deepEqual(await said.locator('mark').allInnerTexts(), ['Walrus', 'cache']);
    await page.getByText('2 places in 2 sessions kept in this browser.').waitFor();
    await page.getByText('One other session was not searched: it is with the daemon alone.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await find('walruses');
    await option(page).filter({ hasText: 'bash' }).waitFor();
    for (let i = 0; !/bash/.test(await option(page).and(page.locator('[aria-selected=true]')).innerText()); i++) {
      assert.ok(i < 5, 'the arrow reaches it');
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/s/${old}/e/`));
    await page.locator('.entry-tool_call.target', { hasText: 'walruses' }).waitFor();
    await find('no such words');
    await page.getByText('0 places in 2 sessions kept in this browser.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await check();
  await s.daemon.end('SIGKILL');
  try {
    await page.goto(`${s.daemon.base}/inbox`);
    await page.locator('.link-away').waitFor();
    await page.locator(`[data-row="${unread}"]`).waitFor();
    await check();
    assert.deepEqual(complaints.filter((c) => !/ERR_CONNECTION_REFUSED|Failed to fetch/.test(c)), []);
  } finally {
    await s.daemon.start();
    await context.close();
  }
});

test('a tab that does not lead searches too, an Enter that comes at once is meant for what is found first, and another text ends the search', { skip }, async () => {
  const id = await fresh('Two tabs', { say: { text: 'The ocelot sleeps.' } });
  const { page, context, complaints } = await open(s.browser, s.client, s.daemon.base, '/');
  await read(page, id);
  await page.locator('.shell[data-role=leads]').waitFor();
  const second = await context.newPage();
  await second.goto(`${s.daemon.base}/inbox`);
  await second.locator('.shell[data-role=follows]').waitFor();
  await second.keyboard.press('Shift+F');
  await second.getByRole('combobox', { name: 'Words that were said' }).fill('sleeps ocelot agent');
  await second.getByText('0 places in').waitFor();
  await second.getByRole('combobox').fill('ocelot sleeps');
  await second.keyboard.press('Enter');
  await second.waitForURL(new RegExp(`/s/${id}/e/`));
  await second.locator('.entry.target', { hasText: 'ocelot' }).waitFor();
  await second.keyboard.press('.');
  await second.getByRole('combobox').fill('ocelot'); // the palette of everything has it as well
  await option(second).filter({ hasText: 'The ocelot sleeps.' }).first().waitFor();
  await page.close(); // and goes on when another one leads
  await second.locator('.shell[data-role=leads]').waitFor({ state: 'attached' });
  await second.getByRole('combobox').fill('ocelo');
  await option(second).filter({ hasText: 'The ocelot sleeps.' }).first().waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test('what is being said just now is found before it ends, and in a browser that keeps nothing what is open is searched', { skip }, async () => {
  for (const title of ['Not looked at', 'Nor is this one']) {
    await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title });
  }
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: 'Goes on' });
  await s.client.prompt(id, { text: script({ say: { text: 'The capybara swims.', chunk: 4 } }, { stall: {} }) });
  for (const prepare of [undefined, keepsNothing]) {
    const { page, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`, prepare === undefined ? {} : { prepare });
    await page.getByText('The capybara swims.', { exact: true }).waitFor();
    await page.locator('.log').focus();
    await page.keyboard.press('Shift+F');
    await page.getByRole('combobox').fill('capybara');
    await option(page).filter({ hasText: 'agent' }).waitFor();
    await page.getByText(prepare === undefined ? /^\d+ places? in \d+ sessions? kept in this browser\./ : /^\d+ places? in 1 session open in this page\. \d+ other sessions were not searched/).waitFor();
    await context.close();
  }
  await s.client.session(id).interrupt();
});

test('a search that begins before the log of a session is here, which a tab shows as the daemon has it, waits for it', { skip }, async () => {
  const id = await fresh('Shown first', { say: { text: 'The tapir eats.' } });
  const list = Promise.withResolvers<void>(), stream = Promise.withResolvers<void>();
  const { page, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`, {
    prepare: async (context) => {
      await context.route((url) => url.pathname.endsWith(`/${id}/state`), async (route) => {
        await list.promise; // the log is followed when the tab has the state: by the second stream
        await route.continue();
      });
      await context.route((url) => url.pathname.endsWith('/stream'), async (route) => {
        if (route.request().postData()?.includes(id)) {
          await stream.promise;
        }
        await route.continue();
      });
    },
  });
  list.resolve();
  await page.getByText('The tapir eats.', { exact: true }).waitFor();
  await page.keyboard.press('Shift+F');
  await page.getByRole('combobox').fill('tapir');
  await page.getByText('Searching what was said… 0 of 1 session').waitFor();
  stream.resolve();
  await option(page).filter({ hasText: 'agent' }).waitFor();
  await page.getByText(/^2 places in 1 session kept in this browser\./).waitFor();
  await context.close();
});

test('a search over much keeps no tab from its work, and what an agent wrote stays text', { skip }, async (t) => {
  const big = Array.from({ length: 14 }, (_, n) => ({ tool: { name: 'bash', args: { command: `print ${n}` }, output: Array.from({ length: 20 }, (_, i) => `${`line ${i} of ${n} `.repeat(160)}\n`) } }));
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    ids.push(await fresh(`Much ${n}`, ...big, { say: { text: n === 0 ? 'The narwhal.' : 'Nothing.' } }));
  }
  const evil = await fresh(hostile.slice(0, 60), { say: { text: `pangolin ${hostile}` } });
  const { page, context, complaints, asked } = await open(s.browser, s.client, s.daemon.base, '/');
  await read(page, ...ids, evil);
  await page.goto(`${s.daemon.base}/inbox`);
  await page.locator('.shell').waitFor();
  await page.keyboard.press('Shift+F');
  const box = page.getByRole('combobox');
  await box.waitFor();
  await page.evaluate(() => {
    const tasks: number[] = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration))).observe({ type: 'longtask' });
    Object.assign(globalThis, { tasks });
  });
  await box.fill('narwhal.');
  await option(page).filter({ hasText: 'The narwhal.' }).first().waitFor();
  await page.getByText(/^\d+ places? in \d+ sessions kept in this browser/).waitFor();
  await box.fill('line of');
  await option(page).filter({ hasText: 'there may be more in this session' }).first().waitFor();
  await page.getByText(/^\d+ places in \d+ sessions kept in this browser/).waitFor();
  const places = Number(/^\d+/.exec(await page.locator('.searched').innerText())![0]);
  assert.ok(places >= 40 && (await option(page).count()) <= 30, `${places} places`);
  await page.keyboard.press('ArrowUp'); // from the first to the last, which is not drawn yet
  await option(page).and(page.locator(`[aria-selected=true][aria-posinset="${places}"]`)).waitFor();
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
  t.diagnostic(`tasks of the page that took more than 50 ms on a busy machine: ${tasks.map((ms) => ms.toFixed(0)).join(', ') || 'none'}`);
  await box.fill('pangolin evil');
  await option(page).first().waitFor();
  const drawn = await option(page).locator('*').evaluateAll((all) => all.map((x) => `${x.tagName} ${[...x.attributes].map((a) => a.name).join()}`));
  assert.deepEqual([...new Set(drawn)].filter((x) => !/^(SPAN|MARK) ?(class|dir|class,dir|dir,class)?$/.test(x)), []);
  assert.ok(!/[\u202a-\u202e\u2066-\u2069]/.test(await page.getByRole('listbox').innerText()));
  assert.deepEqual(complaints, []);
  assert.deepEqual(asked.filter((url) => !url.startsWith(`${s.daemon.base}/`)), []);
  await context.close();
});
