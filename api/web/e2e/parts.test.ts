import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { script } from '../../client/ts/test/support/daemon.ts';
import { open } from './support/browser.ts';
import { keptSeq, until } from './support/looks.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/windowed

const s = stand();

async function fresh(title: string, ...steps: object[]): Promise<string> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title });
  await s.client.prompt(id, { text: script(...steps) });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  return id;
}

const bash = (n: number, ...output: string[]): object => ({ tool: { name: 'bash', args: { command: `step ${n}` }, output } });

test('a text of which the log keeps the beginning is shown as a whole, searched and saved', { skip }, async () => {
  const lines = Array.from({ length: 40_000 }, (_, i) => `line ${i} ${i === 31_234 ? 'the needle' : 'hay'}\n`).join('');
  const id = await fresh('Long output', bash(1, lines));
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  const call = page.locator('.entry-tool_call');
  await call.getByText(/The log keeps the beginning of this text, of \d+ KiB in all/).waitFor();
  await call.getByRole('button', { name: 'Show the whole text' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('40000 lines').waitFor();
  assert.ok((await dialog.locator('.text-row').count()) < 400, 'what is out of view is not drawn');
  await dialog.getByLabel('Find in this text').fill('NEEDLE');
  await dialog.locator('.hit', { hasText: 'line 31234 the needle' }).waitFor();
  await dialog.getByText('1 of 1').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Save as a file' }).click()]);
  assert.equal(await readFile(await download.path(), 'utf8'), lines);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  await context.close();
});

test('a text that grows beyond what the log keeps of it is shown while it is written', { skip }, async () => {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: 'Overflows' });
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await until(async () => (await keptSeq(page, id)) > 0, 'the log is followed');
  const words = Array.from({ length: 40_000 }, (_, n) => `word${n}`).join(' ');
  await s.client.prompt(id, { text: script({ say: { text: words, chunk: 1000, every: '20ms' } }) });
  const message = page.locator('.entry-assistant_message').first();
  await message.getByText(/The log keeps no more of this text. It goes on, \d+ KiB so far:/).waitFor();
  await s.client.session(id).interrupt();
  await message.getByText(/The log keeps the beginning of this text/).waitFor();
  await page.locator('.flowing').waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  await context.close();
});

test('a link leads to an entry, far up in a log that is windowed, and says so where there is none', { skip }, async () => {
  const id = await fresh('Links', ...Array.from({ length: 300 }, (_, i) => bash(i, `out ${i}\n`)));
  const { entries } = await s.client.session(id).state();
  const wanted = entries!.find((x) => x.entryType === 'tool_call' && x.data.arguments?.includes('step 57'))!.entryId;
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}/e/${wanted}`);
  const target = page.locator('.entry.target');
  await target.getByText('step 57').waitFor();
  const isInView = async (): Promise<boolean> => {
    const [box, log] = [await target.boundingBox(), await page.locator('.log').boundingBox()];
    return box !== null && log !== null && box.y >= log.y && box.y + box.height <= log.y + log.height;
  };
  await page.waitForFunction(() => document.activeElement?.classList.contains('target') === true);
  assert.ok(await isInView());
  // Events that come later move nobody who reads.
  await s.client.prompt(id, { text: 'More.' });
  await page.getByRole('button', { name: /new row/ }).waitFor();
  assert.ok(await isInView());

  // The link of an entry is an address of its own.
  await page.locator('.to-end').click();
  const last = page.locator('.entry-user_message', { hasText: 'More.' });
  await last.hover();
  await last.getByRole('link', { name: 'Link to this entry' }).click();
  await page.waitForURL(/\/s\/[^/]+\/e\/[^/]+$/);
  await page.goBack();
  await page.waitForURL(new RegExp(`/e/${wanted}$`));
  await page.goto(`${s.daemon.base}/s/${id}/e/nowhere`);
  await page.getByText('This log has no entry nowhere').waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test('native lines stand beside the events that they became', { skip }, async () => {
  const id = await fresh('Raw', { say: { text: 'Hello <b>there</b>.' } }, ...Array.from({ length: 60 }, (_, i) => bash(i, 'x')));
  await until(async () => (await s.client.session(id).state()).entries?.at(-1)?.persistentId !== undefined, 'the agent has named its entries, which it does after the turn');
  const { seq } = await s.client.session(id).show();
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}/raw`);
  await page.getByText(`Events ${seq - 99} to ${seq} of ${seq}`).waitFor();
  const told = (): Promise<number[]> => page.locator('.pair-side:nth-child(2) .json .kind').allInnerTexts().then((all) => all.map((t) => Number(t.split(' ')[0])));
  assert.deepEqual(await told(), Array.from({ length: 100 }, (_, i) => seq - 99 + i), 'every event once, in order');
  await page.getByLabel('Go to the event of a number').fill('1');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await page.getByText(`Events 1 to 51 of ${seq}`).waitFor();
  const numbers = (x: string[]): number[] => x.map((t) => Number(/\d+/.exec(t)![0]));
  const lineOf = new Map<number, number[]>();
  for await (const l of (await s.client.session(id).raw({ from: 1, to: 51 })).lines) {
    for (let n = l.from ?? 1; n <= (l.to ?? 0); n++) {
      lineOf.set(n, [...(lineOf.get(n) ?? []), l.line]);
    }
  }
  let beside = 0;
  for (const row of await page.locator('li.pair').all()) {
    const [lines, events] = await Promise.all([1, 2].map((n) => row.locator(`.pair-side:nth-child(${n}) .json .kind`).allInnerTexts().then(numbers)));
    for (const event of events!) {
      assert.deepEqual(lines, lineOf.get(event) ?? [], `the lines of event ${event}`);
      beside += lines!.length;
    }
  }
  assert.ok(beside > 10, `${beside} lines stand beside events`);
  const pair = page.locator('.pair', { has: page.locator('.pair-side:nth-child(2)', { hasText: 'entry_end' }) }).first();
  assert.match(await pair.locator('.pair-side').nth(0).innerText(), /agent → \d+/);
  await pair.locator('.pair-side').nth(1).locator('summary').first().click();
  assert.match(await pair.locator('.pair-side').nth(1).locator('pre').innerText(), /"seq": \d+/);
  assert.deepEqual(complaints, []);
  await context.close();
});
