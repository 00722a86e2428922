import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Client } from '../../client/ts/src/index.ts';
import { looker } from './support/axe.ts';
import { launch, open } from './support/browser.ts';
import { skip as without } from './support/stand.ts';

// Proves: I16.8/faces

const script = join(import.meta.dirname, '../../../tools/nodes.sh');

function hasPostgres(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v initdb || ls /usr/lib/postgresql/*/bin/initdb'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const skip = without !== false ? without : hasPostgres() ? false : 'there are no programs of PostgreSQL for nodes to share';

let dir = '', env: NodeJS.ProcessEnv = {}, browser: Browser;
const nodes = (...words: string[]): string => execFileSync(script, words, { env, encoding: 'utf8' });

/** The client of a node, and where it is. */
function at(n: number): { client: Client; base: string } {
  const data = join(dir, 'nodes', `node${n}`);
  const { http: base } = JSON.parse(readFileSync(join(data, 'address'), 'utf8')) as { http: string };
  return { base, client: new Client({ base, token: readFileSync(join(data, 'token'), 'utf8').trim(), name: 'test' }) };
}

/** A number above which the nodes' ports are free. */
async function ports(): Promise<number> {
  for (let from = 21_000; ; from += 100) {
    const isFree = await Promise.all([1, 2, 3, 11, 12, 13].map((n) => new Promise<boolean>((is) => {
      const server = createServer().once('error', () => is(false)).listen(from + n, '127.0.0.1', () => server.close(() => is(true)));
    })));
    if (isFree.every(Boolean)) {
      return from;
    }
  }
}

before(async () => {
  if (skip === false) {
    dir = mkdtempSync(join(tmpdir(), 'ringmaster-'));
    chmodSync(dir, 0o711); // the database's user passes through
    env = { ...process.env, NODES_DIR: join(dir, 'nodes'), NODES_PORT: String(await ports()), NODES_LEASE: '4s', NODES_PROGRAM: process.env['RINGMASTER_PROGRAM'] };
    nodes('start');
    browser = await launch();
  }
});

after(async () => {
  if (skip === false) {
    await (browser as Browser | undefined)?.close();
    nodes('remove');
    await rm(dir, { recursive: true });
  }
});

test('the page shows which node has a session, how the nodes stand, and what cannot be reached', { skip }, async () => {
  const one = at(1), two = at(2);
  const { id } = await one.client.create({ agent: 'scripted', cwd: join(dir, 'nodes', 'work'), title: 'The session of node 1' });
  const [here] = (await one.client.nodes()).filter((n) => n.here);
  const { page, complaints, context } = await open(browser, two.client, two.base, '/');
  const { wrong, look } = looker(page, 'wide-light', false);
  const row = page.locator(`[data-row="${id}"]`);
  await row.getByText(`at ${here!.id.slice(0, 8)}`).waitFor();
  await page.locator('#open-nodes').click();
  const dialog = page.locator('#nodes');
  await dialog.locator('tbody tr').nth(2).waitFor();
  assert.equal(await dialog.locator('tbody tr.node-up').count(), 3);
  const text = await dialog.locator('tbody tr', { hasText: here!.id.slice(0, 8) }).innerText();
  assert.match(text, /up\s+[\d.]+ (s|ms)\s+1\s+work/);
  assert.match(await dialog.innerText(), /\(this one\)/);
  await look('nodes-up');

  nodes('kill', '1');
  await dialog.locator('tr.node-silent .node-state, tr.node-dead .node-state').waitFor();
  await dialog.getByText('1 unreachable').waitFor();
  await look('nodes-gone');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator(`.row.unreachable[data-row="${id}"]`).getByText('unreachable').waitFor();
  await row.click();
  await page.locator('.head .state').getByText('unreachable').waitFor();
  await look('session-gone');

  nodes('start', '1');
  await page.locator(`.row:not(.unreachable)[data-row="${id}"]`).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await dialog.locator('tr.node-up').nth(2).waitFor();
  assert.deepEqual(wrong, []);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('the nodes fit on a phone', { skip }, async () => {
  const { page, context } = await open(browser, at(3).client, at(3).base, '/', { size: 'phone', scheme: 'dark' });
  const { wrong, look } = looker(page, 'phone-dark', true);
  await page.locator('.row').first().waitFor();
  await page.locator('#open-nodes').click();
  await page.locator('#nodes tbody tr').nth(2).waitFor();
  await look('nodes-phone');
  assert.deepEqual(wrong, []);
  await context.close();
});
