import assert from 'node:assert/strict';
import { test } from 'node:test';
import { script } from '../../client/ts/test/support/daemon.ts';
import { open } from './support/browser.ts';
import { png } from './support/picture.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/settings

const s = stand();

async function fresh(title: string, ...steps: object[]): Promise<string> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title });
  await s.client.prompt(id, { text: steps.length === 0 ? 'Hello.' : script(...steps) });
  if (steps.length === 0) {
    await s.client.wait({ sessions: [id], until: { rest: true } });
  }
  return id;
}

test('a session is given a name, a model and a policy, as the daemon then says them', { skip }, async () => {
  const id = await fresh('Before');
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await page.locator('.turn-end').waitFor();
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('After <b>');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.locator('.head h2', { hasText: 'After <b>' }).waitFor();

  const { models, model } = await s.client.session(id).models();
  const want = models.find((m) => m.id !== model)!;
  await dialog.getByLabel('Model').selectOption(want.id);
  await dialog.locator('form', { hasText: 'Model' }).getByRole('button', { name: 'Change' }).click();
  await dialog.getByText('It counts from the next request to a model on.').waitFor();
  assert.equal((await s.client.session(id).models()).model, want.id);
  await page.locator('.head-facts', { hasText: want.id }).waitFor();

  await dialog.getByLabel('Approvals').selectOption('allow_reads');
  await dialog.getByRole('button', { name: 'Add a rule' }).click();
  await dialog.getByLabel('Rule 1: what it does').selectOption('deny_stop');
  await dialog.getByLabel('Rule 1: tool or kind').fill('execute');
  await dialog.getByRole('button', { name: 'Add a rule' }).click();
  await dialog.getByLabel('Rule 2: tool or kind').fill('edit');
  await dialog.getByLabel('Rule 2: command, path or address').fill('docs/**');
  await dialog.getByRole('button', { name: 'Move rule 2 up' }).click();
  await dialog.getByLabel('A person has').selectOption('600000');
  await dialog.getByLabel('then it is').selectOption('deny_stop');
  assert.equal((await s.client.session(id).show()).policy, undefined, 'nothing is sent before it is asked for');
  await dialog.getByRole('button', { name: 'Set the policy' }).click();
  await dialog.getByText('It counts for approvals that are asked from now on.').waitFor();
  assert.deepEqual((await s.client.session(id).show()).policy, { mode: 'allow_reads', rules: [{ tool: 'edit', pattern: 'docs/**', action: 'allow' }, { tool: 'execute', action: 'deny_stop' }], deadline: 600_000, default: 'deny_stop' });

  // What the daemon refuses is said where it was asked, and what was typed stays.
  await dialog.getByLabel('Rule 1: tool or kind').fill('nosuchtool');
  await dialog.getByRole('button', { name: 'Set the policy' }).click();
  await dialog.getByRole('alert').waitFor();
  assert.equal(await dialog.getByLabel('Rule 1: tool or kind').inputValue(), 'nosuchtool');
  await dialog.getByRole('button', { name: 'As it was' }).click();
  assert.equal(await dialog.getByLabel('Rule 1: tool or kind').inputValue(), 'edit');

  // A change of another client shows, and takes nothing away that is being written.
  await dialog.getByLabel('Approvals').selectOption('deny_all');
  await s.client.session(id).change({ policy: null });
  await dialog.getByText('It was changed elsewhere').waitFor();
  await dialog.getByRole('button', { name: 'Take that' }).click();
  assert.equal(await dialog.getByLabel('Approvals').inputValue(), '');
  assert.deepEqual(complaints.filter((c) => !/status of 400/.test(c)), []);
  await context.close();
});

test('a session is ended and deleted, and neither before it was asked twice', { skip }, async () => {
  const id = await fresh('Over soon', { say: { text: 'I begin.' } }, { stall: {} });
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  const sent: string[] = [];
  page.on('request', (r) => {
    if (r.method() === 'DELETE' || r.url().endsWith('/end')) {
      sent.push(r.method());
    }
  });
  await page.locator('.state-working').waitFor();
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'End the session…' }).click();
  await page.keyboard.press('Enter'); // the focus is on the way back
  await dialog.getByRole('button', { name: 'End the session…' }).click();
  assert.deepEqual(sent, []);
  await dialog.getByRole('button', { name: 'Yes, end it' }).click();
  await page.locator('.state-ended').waitFor();
  await dialog.getByRole('button', { name: 'Delete the session…' }).click();
  await dialog.getByRole('button', { name: 'Not yet' }).click();
  assert.deepEqual(sent, ['POST']);
  await dialog.getByRole('button', { name: 'Delete the session…' }).click();
  await dialog.getByRole('button', { name: 'Yes, delete it for good' }).click();
  await page.waitForURL(`${s.daemon.base}/`);
  await page.locator(`[data-row="${id}"]`).waitFor({ state: 'detached' });
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(sent, ['POST', 'DELETE']);
  await assert.rejects(s.client.session(id).show(), /session/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('images are picked, pasted and dropped, kept over a reload, sent once, and shown when asked for', { skip }, async () => {
  const id = await fresh('Images');
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  const prompts: string[] = [];
  page.on('request', (r) => {
    if (r.url().endsWith('/prompts')) {
      prompts.push(r.postData() ?? '');
    }
  });
  const form = page.locator('.composer');
  const shown = form.locator('.pictures img');
  const give = (how: 'paste' | 'drop', name: string, bytes: Buffer): Promise<void> => page.evaluate(([event, file, data]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], file, { type: 'image/png' }));
    const to = document.querySelector('[data-composer]')!;
    to.dispatchEvent(event === 'paste' ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }) : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [how, name, bytes.toString('base64')] as const);
  await form.locator('input[type=file]').setInputFiles([{ name: 'one.png', mimeType: 'image/png', buffer: png(40, 30) }]);
  await shown.nth(0).waitFor();
  await give('paste', 'two.png', png(30, 40, [200, 0, 0]));
  await shown.nth(1).waitFor();
  await give('drop', 'three.png', png(20, 20, [0, 120, 0]));
  await shown.nth(2).waitFor();

  // What the daemon would refuse is said before anything is sent.
  await give('drop', 'text.png', Buffer.from('no image at all'));
  await form.getByText('“text.png” is no PNG, JPEG, GIF or WebP.').waitFor();
  await give('drop', 'large.png', Buffer.concat([png(1, 1), Buffer.alloc(10 << 20)]));
  await form.getByText('one image may have 10.').waitFor();
  await form.locator('input[type=file]').setInputFiles(Array.from({ length: 7 }, (_, i) => ({ name: `${i}.png`, mimeType: 'image/png', buffer: png(2, 2) })));
  await form.getByText('A prompt takes 8 images.').waitFor();
  assert.equal(await shown.count(), 8);
  for (let left = 8; left > 3; left--) {
    await form.getByRole('button', { name: /^Take/ }).last().click();
  }
  assert.equal(await shown.count(), 3);
  assert.deepEqual(prompts, []);

  await page.locator('[data-composer]').fill('What is on these?');
  await page.reload();
  await shown.nth(2).waitFor();
  await page.locator('[data-composer]').press('Enter');
  await page.locator('.entry-user_message', { hasText: 'What is on these?' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.pictures img').length === 0);
  assert.equal(prompts.length, 1);
  await s.client.wait({ sessions: [id], until: { rest: true } });
  const { turns } = await s.client.session(id).state();
  assert.deepEqual(turns?.at(-1)?.prompt?.images?.map((i) => i.split(';')[1]), ['image/png', 'image/png', 'image/png']);
  const message = page.locator('.entry-user_message', { hasText: 'What is on these?' });
  await message.getByRole('button', { name: 'Show image 2' }).click();
  await message.locator('img').waitFor();
  assert.deepEqual(await message.locator('img').evaluate((x: HTMLImageElement) => [x.naturalWidth, x.naturalHeight, x.src.slice(0, 5)]), [30, 40, 'blob:']);
  await page.reload();
  await page.locator('[data-composer]').waitFor();
  assert.equal(await shown.count(), 0);
  assert.deepEqual(complaints, []);
  await context.close();
});
