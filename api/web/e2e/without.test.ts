import assert from 'node:assert/strict';
import { test } from 'node:test';
import { script } from '../../client/ts/test/support/daemon.ts';
import { inWorkers, open } from './support/browser.ts';
import { leftovers, streams, until } from './support/looks.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/without

const s = stand();

/** What a browser may lack, as its worker would find it. */
const lacks = {
  'a file system for workers': `StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException('none', 'SecurityError'));`,
  'locks': `Object.defineProperty(WorkerNavigator.prototype, 'locks', { value: undefined });`,
  'channels between tabs': `delete self.BroadcastChannel;`,
};

for (const [what, prelude] of Object.entries(lacks)) {
  test(`a browser without ${what} has the page all the same, in memory, and says so`, { skip }, async () => {
    const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: what });
    const { page, context, complaints } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`, {
      prepare: inWorkers(prelude),
    });
    const second = await context.newPage();
    await second.goto(`${s.daemon.base}/s/${id}`);
    await second.locator('.link-live').waitFor({ state: 'attached' });
    await s.client.prompt(id, { text: script({ say: { text: 'Said to both.' } }) });
    for (const one of [page, second]) {
      await one.getByText('Said to both.', { exact: true }).waitFor();
    }
    const isShared = what.startsWith('a file');
    await until(async () => (await streams(s.client)) === (isShared ? 1 : 2), 'its streams');
    await page.locator('#this-browser').click();
    await page.locator('#keeps-nothing').waitFor();
    if (!isShared) {
      await page.getByText('This tab has a stream of its own').waitFor();
    }
    assert.deepEqual((await leftovers(page)).filter((place) => place.startsWith('opfs')), []);
    assert.deepEqual(complaints, []);
    await context.close();
    await until(async () => (await streams(s.client)) === 0, 'no stream is left');
  });
}
