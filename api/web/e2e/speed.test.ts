import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { script } from '../../client/ts/test/support/daemon.ts';
import { open } from './support/browser.ts';
import { kept, until } from './support/looks.ts';
import { skip, stand } from './support/stand.ts';

// Proves: I14.2/speed

const s = stand();
const isLong = process.env['WEB_LONG'] === 'yes';

/** Milliseconds from the beginning of a load to the first row that is painted. */
async function opened(page: Page, path: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(s.daemon.base + path);
  return page.evaluate(() => new Promise<number>((done) => {
    const look = (): void => {
      if (document.querySelector('.log .turn-end') === null) {
        requestAnimationFrame(look);
      } else {
        requestAnimationFrame(() => setTimeout(() => done(performance.now())));
      }
    };
    look();
  }));
}

/** Processor time that the browser's renderers have used, in milliseconds: it counts on a busy machine too. */
async function used(): Promise<number> {
  const session = await s.browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter((p) => p.type === 'renderer').reduce((sum, p) => sum + p.cpuTime * 1000, 0);
}

const median = (list: number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;

test('a long session opens in a moment: from what is kept, with the daemon and without it, and from the daemon', { skip, timeout: 200_000 }, async (t) => {
  const events = isLong ? 100_000 : 10_000, turns = events / 1000;
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: 'Long' });
  for (let n = 0; n < turns; n++) {
    await s.client.prompt(id, { text: script(...Array.from({ length: 4 }, () => ({ say: { text: 'word '.repeat(248), chunk: 5 } }))) });
    await s.client.wait({ sessions: [id], until: { rest: true } });
  }
  const { seq } = await s.client.session(id).state();
  assert.ok(seq > events, `${seq} events`);
  const { page, context } = await open(s.browser, s.client, s.daemon.base, `/s/${id}`);
  await page.locator('.log .turn-end').first().waitFor();
  await until(async () => ((await kept(page)).get(id)?.seq ?? 0) >= seq, 'the log is stored', 60_000);
  await page.locator('a.brand').click();
  const kinds: Record<string, number> = {};
  for (const kind of ['kept', 'without the daemon', 'from the daemon']) {
    if (kind === 'without the daemon') {
      await s.daemon.end('SIGTERM');
    } else if (kind === 'from the daemon') {
      await s.daemon.start();
    }
    const times: number[] = [], cpu: number[] = [];
    for (let n = 0; n < 5; n++) {
      if (kind === 'from the daemon') {
        await page.goto(`${s.daemon.base}/sw.js`);
        await until(() => page.evaluate(async () => {
          const root = await navigator.storage.getDirectory() as unknown as { values(): AsyncIterable<{ name: string }>; removeEntry(name: string, o: object): Promise<void> };
          try {
            for await (const { name } of root.values()) {
              await root.removeEntry(name, { recursive: true });
            }
            return true;
          } catch {
            return false;
          }
        }), 'nothing is kept');
      }
      const before = await used();
      times.push(await opened(page, `/s/${id}`));
      cpu.push((await used()) - before);
    }
    kinds[kind] = median(cpu);
    t.diagnostic(`${seq} events, ${kind}: painted after ${median(times).toFixed(0)} ms on the clock, ${kinds[kind].toFixed(0)} ms of the renderer's processor (medians of five: ${times.map((ms, n) => `${ms.toFixed(0)}/${cpu[n]!.toFixed(0)}`).join(', ')})`);
    assert.ok(kinds[kind] < 1200, `${kind}: ${kinds[kind]} ms`);
  }
  await context.close();
});

test('what an agent says is painted in a moment', { skip, timeout: 120_000 }, async (t) => {
  const { page, context } = await open(s.browser, s.client, s.daemon.base);
  const second = await context.newPage();
  for (const [who, one] of [['the leader', page], ['a follower', second]] as const) {
    const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: who });
    await one.goto(`${s.daemon.base}/s/${id}`);
    await one.locator('.link-live').waitFor({ state: 'attached' });
    await one.bringToFront();
    await one.evaluate(() => {
      const seen: [number, number][] = []; // characters that are painted, and when
      let last = -1;
      const look = (): void => {
        const length = [...document.querySelectorAll<HTMLElement>('.entry-assistant_message')].at(-1)?.innerText.length ?? 0;
        if (length !== last) {
          last = length;
          seen.push([length, Date.now()]);
        }
        requestAnimationFrame(look);
      };
      look();
      (globalThis as unknown as { seen: typeof seen }).seen = seen;
    });
    const from = (await s.client.session(id).state()).seq;
    await s.client.prompt(id, { text: script({ say: { text: 'abcdefghi '.repeat(200), chunk: 10, every: '20ms' } }) });
    await s.client.wait({ sessions: [id], until: { rest: true } });
    await one.locator('.turn-end').last().waitFor();
    const seen = await one.evaluate(() => (globalThis as unknown as { seen: [number, number][] }).seen);
    let said = 0;
    const times: number[] = [];
    for await (const { event } of s.client.log(id, { since: { epoch: 1, seq: from } })) {
      if (event.type === 'entry_delta' && event.delta.op === 'text_append' && event.delta.text.length === 10) {
        said += 10;
        const painted = seen.find(([length]) => length >= said - 1); // a blank at the end is not drawn
        if (painted !== undefined) {
          times.push(painted[1] - event.ts);
        }
      }
    }
    const p = (share: number): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!;
    t.diagnostic(`${who}: ${times.length} events at 50/s, from the daemon's log to a frame of the page: p50 ${p(0.5)} ms, p99 ${p(0.99)} ms`);
    assert.ok(times.length > 100 && p(0.5) < 300, `${times.length} times, p50 ${p(0.5)} ms`);
  }
  await context.close();
});
