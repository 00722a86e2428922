import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { script } from '../../client/ts/test/support/daemon.ts';
import { open } from './support/browser.ts';
import { skip, stand } from './support/stand.ts';
import { hostile } from './support/team.ts';

// Proves: I14.2/hostile

const s = stand();

/** All that an agent's text may become. */
const elements = new Set(['DIV', 'P', 'SPAN', 'ARTICLE', 'SECTION', 'HEADER', 'H1', 'H3', 'STRONG', 'EM', 'DEL', 'CODE', 'PRE', 'A', 'UL', 'OL', 'LI', 'TABLE', 'THEAD', 'TBODY', 'TR', 'TH', 'TD', 'BLOCKQUOTE', 'HR', 'BR', 'DETAILS', 'SUMMARY', 'BUTTON', 'SMALL', 'BDI']);
const attributes = new Set(['class', 'dir', 'role', 'tabindex', 'aria-label', 'aria-live', 'aria-level', 'aria-expanded', 'aria-hidden', 'aria-busy', 'aria-labelledby', 'href', 'target', 'rel', 'data-item', 'data-request', 'data-place', 'id', 'scope', 'start', 'style', 'open', 'type', 'title']);

/** What views have of their own beside it: controls, and the lines and bars of charts. */
const own = new Set(['INPUT', 'MARK', 'FORM', 'DL', 'DT', 'DD', 'svg', 'g', 'line', 'text', 'rect', 'polyline', 'circle']);
const ownAttributes = new Set(['disabled', 'min', 'max', 'value', 'aria-valuetext', 'aria-pressed', 'data-part']);

const drawn = (page: Page) => page.evaluate(() => [...document.querySelectorAll('.log *, .request *, .row *, .part *, .palette li *, .controls h2 *')].filter((x) => x.closest('form') === null).map((x) => ({
  name: x.tagName, attributes: [...x.attributes].map((a) => a.name), href: x.getAttribute('href'), style: x.getAttribute('style'), isOwn: x.hasAttribute('data-place'), rel: x.getAttribute('rel'),
  entry: /entry-(\w+)/.exec(x.className)?.[1],
})));

test('texts of agents and users become no element, attribute or request beyond the list', { skip }, async () => {
  const { client, daemon, browser } = s;
  const title = `<img src=x onerror=alert(1)>\u202e ${'x'.repeat(200)}`;
  const { id } = await client.create({ agent: 'scripted', cwd: daemon.root, title });
  await client.prompt(id, {
    text: `${hostile}\n${script(
      { think: { text: hostile } }, { say: { text: hostile } },
      { tool: { name: '<b>tool</b>', args: { command: hostile }, output: [hostile, 'y'.repeat(90_000)] } },
      { tool: { name: 'edit', args: { path: '<i>p</i>', edits: [{ oldText: hostile, newText: `${hostile}\n"><script>` }] }, output: [''] } },
      { say: { text: `${'['.repeat(5000)} ${'`'.repeat(3000)}\n${'> '.repeat(3000)}x\n${'- '.repeat(500)}x` } },
      { compact: { summary: hostile } },
      { ask: { method: 'select', title: hostile, options: [hostile, '<script>alert(2)</script>'] } },
    )}`,
  });
  await client.wait({ sessions: [id], until: { request: true } });
  const { page, complaints, asked, context } = await open(browser, client, daemon.base, `/s/${id}`);
  await page.locator('.request-question').waitFor();
  for (const path of [`/s/${id}`, '/inbox']) {
    await page.goto(daemon.base + path);
    await page.locator('.request-question').waitFor();
    const found: Awaited<ReturnType<typeof drawn>> = [];
    for (const part of [1, 0.75, 0.5, 0.25, 0]) {
      await page.evaluate(async (at) => {
        const log = document.querySelector('.log');
        for (let i = 0; i < 3; i++) {
          log?.scrollTo(0, log.scrollHeight * at);
          document.querySelectorAll('details').forEach((d) => (d.open = true));
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }
      }, part);
      found.push(...(await drawn(page)));
    }
    const kinds = new Set(found.map((x) => x.entry).filter((kind) => kind !== undefined));
    assert.deepEqual(path === '/inbox' ? [] : ['assistant_message', 'compaction', 'thinking', 'tool_call', 'user_message'].filter((kind) => !kinds.has(kind)), []);
    assert.ok(found.length > (path === '/inbox' ? 5 : 100), `${found.length}`);
    for (const x of found) {
      assert.ok(elements.has(x.name), x.name);
      for (const name of x.attributes) {
        assert.ok(attributes.has(name), `${x.name} ${name}`);
      }
      assert.ok(x.style === null || /^height: \d+(\.\d+)?px;$/.test(x.style), x.style ?? '');
      if (x.href !== null && !x.isOwn) {
        assert.match(x.href, /^https?:\/\//);
        assert.equal(x.rel, 'noopener noreferrer');
      }
    }
    const text = await page.locator('.main').innerText();
    assert.ok(text.includes('<script>'), 'it is shown as it was written');
    assert.ok(!/[\u202a-\u202e\u2066-\u2069]/.test(text), 'what turns the direction is shown by its name');
  }
  // The other views of the session, opened as far as they go.
  const { seq } = await client.session(id).show();
  for (const [path, there, words] of [['/changes', '.change', '<script>'], ['/raw', 'li.pair', '<script>'], [`?at=${seq}`, '.request.past', '<script>'], ['/usage', '.usage', 'Tokens']] as const) {
    await page.goto(`${daemon.base}/s/${id}${path}`);
    await page.locator(there).first().waitFor();
    await page.evaluate(async () => {
      document.querySelectorAll('details').forEach((d) => (d.open = true));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
    for (const x of await drawn(page)) {
      assert.ok(elements.has(x.name) || own.has(x.name), `${path}: ${x.name}`);
      for (const name of x.attributes) {
        assert.ok(attributes.has(name) || ownAttributes.has(name) || /^[a-z]/.test(x.name), `${path}: ${x.name} ${name}`); // names of SVG are small
      }
      assert.ok(x.style === null || /^(height|left): \d+(\.\d+)?(px|%);$/.test(x.style), `${path}: ${x.style}`);
      assert.ok(x.href === null || x.isOwn || x.rel === 'noopener noreferrer', `${path}: ${x.href}`);
    }
    const text = await page.locator('.main').innerText();
    assert.ok(text.includes(words) && !/[\u202a-\u202e\u2066-\u2069]/.test(text), path);
  }
  await page.keyboard.press('.');
  await page.getByRole('combobox').fill('script');
  await page.getByRole('option').first().waitFor();
  assert.ok((await drawn(page)).every((x) => elements.has(x.name) || own.has(x.name)));
  assert.match(await page.title(), /Ringmaster$/);
  assert.deepEqual(complaints, []);
  assert.deepEqual(asked.filter((url) => !url.startsWith(`${daemon.base}/`)), []);
  await context.close();
});

test('the diff of a request is lines and nothing else', { skip }, async () => {
  const { client, daemon, browser } = s;
  const { id } = await client.create({ agent: 'scripted', cwd: daemon.root });
  const edits = [{ oldText: `${hostile}\n--- a/x\n`, newText: `${hostile}\n"><script>\n+++ b/x\n@@ -1 +1 @@\n` }];
  await client.prompt(id, { text: `${hostile}\n${script({ tool: { name: 'edit', approve: true, args: { path: '<i>p</i>', edits }, output: [''] } })}` });
  await client.wait({ sessions: [id], until: { request: true } });
  const [request] = await client.session(id).requests();
  assert.match(request?.diff ?? '', /^--- a\/<i>p<\/i>\n/);
  const { page, complaints, asked, context } = await open(browser, client, daemon.base, `/s/${id}`);
  for (const path of [`/s/${id}`, '/inbox']) {
    await page.goto(daemon.base + path);
    const diff = page.locator('.request-approval .diff');
    await diff.waitFor();
    for (const x of await drawn(page)) {
      assert.ok(elements.has(x.name) || x.name === 'KBD', x.name); // the keys that answer
      assert.deepEqual(x.attributes.filter((name) => !attributes.has(name)), [], x.name);
    }
    assert.match(await diff.locator('.d-add').last().innerText(), /added:\s+@@ -1 \+1 @@$/);
    const text = await diff.innerText();
    assert.ok(text.includes('<script>') && !/[\u202a-\u202e\u2066-\u2069\u001b]/.test(text), path);
  }
  assert.deepEqual(complaints, []);
  assert.deepEqual(asked.filter((url) => !url.startsWith(`${daemon.base}/`)), []);
  await context.close();
});
