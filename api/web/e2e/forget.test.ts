import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { script } from '../../client/ts/test/support/daemon.ts';
import { open } from './support/browser.ts';
import { kept, leftovers, until } from './support/looks.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/forget

const s = stand();

async function said(title: string, bytes = 100): Promise<string> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title });
  await s.client.prompt(id, { text: script({ say: { text: `${title} ${'word '.repeat(bytes / 5)}`, chunk: 1000 } }) });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  return id;
}

async function show(page: Page, id: string): Promise<void> {
  await page.locator(`[data-row="${id}"]`).click();
  await page.locator(`.row[data-row="${id}"][aria-current=page]`).waitFor();
  await page.locator('.turn-end').waitFor();
}

const isStored = async (page: Page, id: string): Promise<void> => {
  const { seq } = await s.client.session(id).state();
  await until(async () => ((await kept(page)).get(id)?.seq ?? 0) >= seq, `${id} is stored`);
};

test('forgetting this browser takes everything away, in all tabs: the login, what was read, drafts, what was seen, and the page itself', { skip }, async () => {
  const id = await said('Secret');
  const { page, context, complaints } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  const other = await context.newPage();
  await other.goto(`${s.daemon.base}/s/${id}`);
  await other.locator('.turn-end').waitFor();
  await isStored(page, id);
  await page.locator('[data-composer]').fill('A draft that nobody shall read');
  await other.waitForFunction(() => (document.querySelector('[data-composer]') as HTMLTextAreaElement).value === 'A draft that nobody shall read');
  await until(() => page.evaluate(async () => (await caches.keys()).length > 0), 'the page is kept');
  await page.evaluate(() => new Promise<void>((done) => {
    const asked = indexedDB.open('ringmaster.drafts', 1); // as images of drafts lie there
    asked.onsuccess = () => (asked.result.close(), done());
  }));
  const before = await leftovers(page);
  for (const place of ['localStorage ringmaster.login', `localStorage ringmaster.draft.${id}`, 'localStorage ringmaster.seen', 'indexedDB ringmaster.drafts']) {
    assert.ok(before.includes(place), `${place}: ${before.join(', ')}`);
  }
  for (const part of [`${id}.ndjson`, `${id}.index`, 'caches', 'serviceWorker']) {
    assert.ok(before.some((place) => place.includes(part)), `${part}: ${before.join(', ')}`);
  }
  const token = await page.evaluate(() => (JSON.parse(localStorage.getItem('ringmaster.login')!) as { id: string }).id);

  await other.locator('#this-browser').click();
  await other.locator('#kept-size', { hasText: /^[1-9]/ }).waitFor();
  await other.locator('#forget').click();
  await other.locator('#forget-yes').click();
  await other.locator('#out').waitFor();
  await other.getByText('This browser has forgotten everything.').waitFor();
  assert.deepEqual(await leftovers(other), []);
  await page.locator('#out').waitFor();
  await until(async () => !(await s.client.tokens()).some((t) => t.id === token), 'the daemon has forgotten the login');

  const { code } = await s.client.askLogin();
  await page.goto(`${s.daemon.base}/s/${id}#login=${code}`);
  await page.reload(); // a fragment alone loads nothing
  await page.locator('.turn-end').waitFor();
  assert.equal(await page.locator('[data-composer]').inputValue(), '');
  assert.deepEqual(complaints, []);
  await context.close();
});

test('whoever logs out leaves nothing that was read, and a login that is over shows nothing', { skip }, async () => {
  const id = await said('Mine');
  const { page, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await page.locator('.turn-end').waitFor();
  await isStored(page, id);
  await page.locator('#leave').click();
  await page.locator('#out').waitFor();
  await until(async () => !(await leftovers(page)).some((place) => place.startsWith('opfs')), 'nothing that was read is left');
  await context.close();

  const second = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await second.page.locator('.turn-end').waitFor();
  await isStored(second.page, id);
  const token = await second.page.evaluate(() => (JSON.parse(localStorage.getItem('ringmaster.login')!) as { id: string }).id);
  await s.client.revokeToken(token);
  await s.daemon.end('SIGKILL');
  await s.daemon.start();
  await second.page.locator('#out').waitFor();
  assert.equal(await second.page.locator('.log').count(), 0);
  await until(async () => !(await leftovers(second.page)).some((place) => place.startsWith('opfs')), 'nothing that was read is left');
  await second.context.close();
});

test('a browser keeps no more than it may: what was not read for longest goes, and never what is being read', { skip }, async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    ids.push(await said(`Session ${n}`, 25_000));
  }
  let length = 0;
  for await (const { line } of s.client.log(ids[0]!)) {
    length += Buffer.byteLength(line) + 1;
  }
  const budget = Math.round(5.2 * length); // four logs, and one with its state: the last one finds no room
  const { page, context, complaints } = await open(s.browser, s.client, s.daemon.base);
  await page.evaluate((bytes) => localStorage.setItem('ringmaster.budget', String(bytes)), budget);
  await page.reload();
  await page.locator('.link-live').waitFor({ state: 'attached' });
  await show(page, ids[0]!);
  await isStored(page, ids[0]!);
  await page.reload(); // of five that follow each other, four are being read
  for (const id of ids.slice(1)) {
    await show(page, id);
    await isStored(page, id);
  }
  const stored = await kept(page);
  assert.deepEqual(ids.filter((id) => stored.has(id)), ids.slice(1));
  const bytes = await page.evaluate(async () => {
    let sum = 0;
    const walk = async (dir: FileSystemDirectoryHandle): Promise<void> => {
      for await (const one of (dir as unknown as { values(): AsyncIterable<FileSystemHandle> }).values()) {
        if (one.kind === 'directory') {
          await walk(one as FileSystemDirectoryHandle);
        } else if (/\.(ndjson|index|state)$/.test(one.name)) {
          sum += (await (one as FileSystemFileHandle).getFile()).size;
        }
      }
    };
    await walk(await navigator.storage.getDirectory());
    return sum;
  });
  assert.ok(bytes > budget / 2 && bytes <= budget, `${bytes} bytes`);
  assert.deepEqual(complaints, []);
  await context.close();
});
