import assert from 'node:assert/strict';
import { test } from 'node:test';
import { script } from '../../client/ts/test/support/daemon.ts';
import { open } from './support/browser.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/ways

const s = stand();

async function fresh(title: string, ...steps: object[]): Promise<string> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title });
  if (steps.length > 0) {
    await s.client.prompt(id, { text: script(...steps) });
    await s.client.wait({ sessions: [id], until: { rest: true, request: true } });
  }
  return id;
}

test('the palette leads to sessions, to words that were said and to views, by keys alone', { skip }, async () => {
  const a = await fresh('Alpha parser', { say: { text: 'The walrus is in the cache.' } });
  const b = await fresh('Beta parser', { say: { text: 'Nothing here.' } });
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${a}`);
  await page.getByText('The walrus is in the cache.', { exact: true }).waitFor();
  await page.locator('.log').focus();
  await page.keyboard.press('.');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').waitFor();
  await page.keyboard.type('parser beta');
  await dialog.getByRole('option', { selected: true, name: /Beta parser/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/s/${b}`);
  await dialog.waitFor({ state: 'detached' });

  await page.keyboard.press('.');
  await dialog.getByRole('combobox').waitFor();
  await page.keyboard.type('walrus');
  await dialog.getByRole('option', { name: /The walrus is in/ }).first().waitFor();
  for (let i = 0; !/walrus is/.test(await dialog.locator('[aria-selected=true]').innerText()); i++) {
    assert.ok(i < 20, 'the arrow reaches it');
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/s/${a}/e/`));
  await page.locator('.entry.target', { hasText: 'walrus' }).waitFor();

  await page.keyboard.press('.');
  await dialog.getByRole('combobox').waitFor();
  await page.keyboard.type('usage');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/s/${a}/usage`);
  await page.locator('.usage').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.waitForURL(`**/s/${a}/changes`);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('what was said is found where no row of it is drawn, and what came since is marked', { skip }, async () => {
  const id = await fresh('Find', ...Array.from({ length: 200 }, (_, i) => ({ say: { text: i % 50 === 7 ? `Number ${i} has a Needle.` : `Number ${i} is hay.` } })));
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await page.getByText('Number 199 is hay.', { exact: true }).waitFor();
  await page.locator('.log').focus();
  await page.keyboard.press('f');
  await page.getByLabel('Find in this session').waitFor();
  await page.keyboard.type('needle');
  // The prompt has the words as well.
  await page.getByRole('status').filter({ hasText: /^[56]$/ }).waitFor();
  for (const n of [157, 107, 57]) {
    await page.keyboard.press('Enter');
    await page.locator('.entry-assistant_message.target', { hasText: `Number ${n} has` }).waitFor();
  }
  await page.getByText('in what is loaded').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByLabel('Find in this session').waitFor({ state: 'detached' });

  await page.goto(`${s.daemon.base}/s/${id}`);
  await page.getByText('Number 199 is hay.', { exact: true }).waitFor();
  await page.waitForFunction((at) => (JSON.parse(localStorage.getItem('ringmaster.seen') ?? '{}') as Record<string, number>)[at] !== undefined, id);
  assert.equal(await page.locator('.unread').count(), 0);
  await page.goto(`${s.daemon.base}/inbox`);
  await s.client.prompt(id, { text: 'One more thing.' });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  await page.locator(`.group-ready [data-row="${id}"]`).click();
  await page.locator('.unread', { hasText: 'New since you were here' }).waitFor();
  const order = await page.locator('[data-item]').evaluateAll((rows) => rows.map((r) => r.textContent ?? ''));
  const at = order.findIndex((t) => t.includes('New since'));
  assert.ok(order.slice(0, at).some((t) => t.includes('Number 199')) && order.slice(at).some((t) => t.includes('One more thing.')), order.slice(-4).join(' | '));
  assert.deepEqual(complaints, []);
  await context.close();
});

test('notices are asked for by a click, come while nobody looks, and say nothing that an agent wrote', { skip }, async () => {
  const id = await fresh('Told about', { say: { text: 'Hello.' } });
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, '/inbox');
  await context.addInitScript(() => {
    const told: object[] = [];
    let isAsked = 0;
    class Stub {
      static permission = 'default';
      static requestPermission(): Promise<string> {
        isAsked++;
        Stub.permission = 'granted';
        return Promise.resolve('granted');
      }
      constructor(title: string, o: { body: string; tag: string }) {
        told.push({ title, body: o.body, tag: o.tag });
      }
      close(): void {}
    }
    Object.assign(globalThis, { Notification: Stub, told, asked: () => isAsked });
    let isHidden = false;
    Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') });
    Object.assign(globalThis, { hide: (h: boolean) => { isHidden = h; document.dispatchEvent(new Event('visibilitychange')); } });
  });
  await page.reload();
  await page.locator(`[data-row="${id}"]`).waitFor();
  const told = (): Promise<{ title: string; body: string; tag: string }[]> => page.evaluate(() => (globalThis as unknown as { told: { title: string; body: string; tag: string }[] }).told);
  const hide = (isHidden: boolean): Promise<void> => page.evaluate((h) => (globalThis as unknown as { hide: (h: boolean) => void }).hide(h), isHidden);
  assert.equal(await page.evaluate(() => (globalThis as unknown as { asked: () => number }).asked()), 0);
  await hide(true);
  await s.client.prompt(id, { text: script({ fail: { error: 'before anybody wanted notices' } }) });
  await page.locator(`.group-failed [data-row="${id}"]`).waitFor({ state: 'attached' });
  await hide(false);
  await page.getByRole('button', { name: 'Notify me' }).click();
  await page.getByRole('button', { name: 'Notices on' }).waitFor();
  assert.deepEqual([await page.evaluate(() => (globalThis as unknown as { asked: () => number }).asked()), await told()], [1, []]);
  await hide(true);
  await s.client.prompt(id, { text: script({ say: { text: 'secret words' } }, { tool: { name: 'bash', approve: true, args: { command: 'rm -r secret' } } }) });
  await page.waitForFunction(() => (globalThis as unknown as { told: object[] }).told.length === 1);
  await s.client.session(id).answer('r1', { option: 'allow_once' });
  await page.waitForFunction(() => (globalThis as unknown as { told: object[] }).told.length === 2);
  assert.deepEqual((await told()).map((n) => [n.title, n.body]), [['Told about', 'It asks for an approval (execute). scripted'], ['Told about', 'A turn has ended. scripted']]);
  assert.ok(!JSON.stringify(await told()).includes('secret'));
  assert.deepEqual(complaints, []);
  await context.close();
});
