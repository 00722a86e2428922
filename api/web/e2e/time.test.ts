import assert from 'node:assert/strict';
import { test } from 'node:test';
import { script } from '../../client/ts/test/support/daemon.ts';
import { keepsNothing, open } from './support/browser.ts';
import { keptSeq, until } from './support/looks.ts';
import { skip, stand } from './support/stand.ts';
import { edit } from './support/team.ts';

// Proves: I14.2/time

const s = stand();

async function fresh(title: string, ...prompts: object[][]): Promise<string> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title });
  for (const steps of prompts) {
    await s.client.prompt(id, { text: script(...steps) });
    await s.client.wait({ sessions: [id], until: { rest: true, request: true } });
  }
  return id;
}

test('a slider shows a session as it was at a cursor, and the address names it', { skip }, async () => {
  const id = await fresh('Time', [{ say: { text: 'The first words.' } }], [edit]);
  const { requests } = await s.client.session(id).state();
  const opened = requests![0]!.openedSeq;
  await s.client.session(id).answer('r1', { option: 'allow_once' });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  await s.client.prompt(id, { text: script({ fail: { error: 'quota exceeded' } }) });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  const { epoch, seq } = await s.client.session(id).show();
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await page.locator('[data-part=time]').click();
  const slider = page.getByRole('slider');
  await page.locator('.failure', { hasText: 'quota exceeded' }).waitFor();
  assert.equal(await slider.inputValue(), String(seq));
  assert.equal(await page.locator('.tick-failed').count(), 1);

  await slider.fill(String(opened));
  await page.locator('.request.past', { hasText: 'edit parser/parser.go' }).waitFor();
  await page.waitForURL(`${s.daemon.base}/s/${id}?at=${encodeURIComponent(epoch > 1 ? `${epoch}.${opened}` : String(opened))}`);
  assert.equal(await page.locator('.failure').count(), 0);
  assert.match(await page.locator('.request.past .d-add').innerText(), /return \[\]Item/);
  assert.equal(await page.locator('.request.past button').count(), 0, 'the past is not answered');
  assert.equal(await page.locator('[data-composer]').count(), 0);
  await page.getByText(new RegExp(`event ${opened} of ${seq} · .* · edit asks`)).waitFor();

  await page.getByRole('button', { name: 'Mark →' }).click();
  await page.locator('.answered', { hasText: 'Allowed' }).waitFor();
  await page.reload(); // the address has the place
  await page.locator('.answered', { hasText: 'Allowed' }).waitFor();
  assert.equal(await page.locator('.failure').count(), 0);
  await page.getByRole('button', { name: 'Play' }).click();
  await page.locator('.failure', { hasText: 'quota exceeded' }).waitFor();
  await slider.fill('1');
  await page.getByText('Nothing had been said yet.').waitFor();
  await page.locator('[data-part=talk]').click();
  await page.locator('[data-composer]').waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test('what comes while the past is looked at moves the end of the slider, and what is shown stays', { skip }, async () => {
  const id = await fresh('Goes on', [{ say: { text: 'Before.' } }]);
  await s.client.prompt(id, { text: script({ say: { text: 'word '.repeat(12), chunk: 5, every: '200ms' } }) });
  const { page, complaints, context, asked } = await open(s.browser, s.client, s.daemon.base, `/s/${id}/time`);
  const slider = page.getByRole('slider');
  await page.getByText('Before.', { exact: true }).waitFor();
  const began = await slider.inputValue();
  await until(async () => (await keptSeq(page, id)) >= Number(began), 'the log is stored up to there');
  const before = asked.length; // what is not kept yet, the daemon says
  await s.client.wait({ sessions: [id], until: { rest: true } });
  let seq = 0; // an agent names its entries after the turn
  await until(async () => {
    ({ seq } = await s.client.session(id).show());
    return (await slider.getAttribute('max')) === String(seq);
  }, 'the slider ends with the log');
  assert.ok(Number(began) < seq, `it had ended before it was looked at: ${began} of ${seq}`);
  assert.equal(await slider.inputValue(), began);
  await page.getByRole('button', { name: '+1 event' }).click();
  await page.getByText(`event ${Number(began) + 1} of ${seq} ·`).waitFor();
  assert.deepEqual(asked.slice(before).filter((url) => /\/state\?.*\bat=/.test(url)), [], 'the browser has the log, and folds it itself');
  assert.deepEqual(complaints, []);
  await context.close();
});

test('what was used is shown by turn, with its sums, and goes on with the log', { skip }, async () => {
  const used = (n: number): object[] => [{ say: { text: `Turn ${n}.` } }, { usage: { input: 1000 * n, output: 100, cacheRead: 500 } }, { tool: { name: 'bash', args: { command: 'x' }, output: ['y'] } }, { say: { text: 'Done.' } }];
  const id = await fresh('Usage', used(1), used(2));
  const { usage, cost } = await s.client.session(id).show();
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}/usage`);
  const rows = page.locator('.usage tbody tr');
  await rows.nth(1).waitFor();
  assert.deepEqual(await rows.locator('th').allInnerTexts(), ['t2', 't1']);
  const sums = async (): Promise<string[]> => page.locator('.sums dd').allInnerTexts();
  assert.deepEqual((await sums()).slice(0, 3), [usage.inputTokens, usage.cachedInputTokens, usage.outputTokens].map((n) => n.toLocaleString('en')));
  assert.ok(cost > 0 && Math.abs(Number((await sums())[4]!.replace('$', '')) - cost) < cost / 50, `${(await sums())[4]} is not ${cost}`);
  assert.ok((await page.locator('.bar-fresh').count()) === 2 && (await page.locator('.bar-fresh').nth(1).evaluate((x) => x.getBoundingClientRect().height)) > 0);
  await s.client.prompt(id, { text: script(...used(3)) });
  await page.locator('.usage tbody th', { hasText: 't3' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.bar-fresh').length === 3);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('changes are shown by file, those that were denied as such, and lead to their calls', { skip }, async () => {
  const change = (path: string, from: string, to: string): object => ({ tool: { name: 'edit', args: { path, edits: [{ oldText: from, newText: to }] }, output: ['ok'] } });
  const id = await fresh('Changes', [change('a/one.go', 'x\n', 'y\nz\n'), change('two.go', 'p', 'q'), change('a/one.go', 'z', 'zz')], [edit]);
  await s.client.session(id).answer('r1', { option: 'deny' });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  const { page, complaints, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}/changes`);
  const files = page.locator('.file');
  await files.nth(2).waitFor();
  assert.deepEqual(await files.locator('> summary code').allInnerTexts(), ['a/one.go', 'two.go', 'parser/parser.go']);
  assert.deepEqual(await files.locator('> summary .size').allInnerTexts(), ['+3 −2', '+1 −1', '+0 −0']);
  assert.match(await files.nth(2).innerText(), /not done: it failed, or was denied/);
  await page.getByText('3 files, +4 −3').waitFor();
  await files.nth(1).getByRole('link', { name: 'in the transcript' }).click();
  await page.locator('.entry.target', { hasText: 'two.go' }).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test('without the daemon the past is folded from what the browser keeps, and is what the daemon said; what is not kept says so, and comes when the daemon is back', { skip }, async () => {
  const id = await fresh('Kept', [{ say: { text: 'The first words.', chunk: 4 } }], [edit]);
  await s.client.session(id).answer('r1', { option: 'allow_once' });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  const { seq } = await s.client.session(id).show();
  const { page, context, asked } = await open(s.browser, s.client, s.daemon.base, `/s/${id}/time`);
  await until(async () => (await keptSeq(page, id)) >= seq, 'the log is stored');
  const before = asked.length;
  await until(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated' && navigator.serviceWorker.controller !== null), 'a service worker');
  const slider = page.getByRole('slider');
  const look = async (at: number): Promise<string> => {
    await slider.fill(String(at));
    await page.getByText(new RegExp(`^event ${at} of ${seq} · `)).waitFor();
    return page.locator('.time .log').innerText();
  };
  // As the daemon has it: a browser that keeps nothing asks for each state.
  const bare = await open(s.browser, s.client, s.daemon.base, `/s/${id}/time`, { prepare: keepsNothing });
  const told = new Map<number, string>();
  const { requests } = await s.client.session(id).state();
  const places = [1, 5, requests![0]!.openedSeq, requests![0]!.resolvedSeq!, seq - 1];
  for (const at of places) {
    await bare.page.getByRole('slider').fill(String(at));
    await bare.page.getByText(new RegExp(`^event ${at} of ${seq} · `)).waitFor();
    told.set(at, await bare.page.locator('.time .log').innerText());
  }
  assert.ok(bare.asked.filter((url) => /\/state\?.*\bat=/.test(url)).length >= places.length, 'nothing is kept, and the daemon is asked');
  await bare.context.close();

  await s.daemon.end('SIGKILL');
  try {
    await page.reload();
    await page.locator('.link-away').waitFor();
    for (const at of places.toReversed()) {
      assert.equal(await look(at), told.get(at), `at ${at}`);
    }
    assert.match(await look(requests![0]!.openedSeq), /It was open at this time/);
    assert.deepEqual(asked.slice(before).filter((url) => /\/state\?.*\bat=/.test(url)), []);
    await page.goto(`${s.daemon.base}/s/${id}?at=9.3`); // of another epoch
    await page.getByText('The daemon does not answer, and this browser has not kept the whole log up to there.').waitFor();
  } finally {
    await s.daemon.start();
  }
  await page.locator('.link-live').waitFor({ state: 'attached' });
  await page.getByText('this browser has not kept').waitFor({ state: 'detached' });
  await page.getByRole('alert').waitFor(); // the daemon says what is wrong with that cursor
  await context.close();
});
