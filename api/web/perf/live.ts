import { script } from '../../client/ts/test/support/daemon.ts';
import { keptSeq, until } from '../e2e/support/looks.ts';
import type { Stand } from '../e2e/support/stand.ts';
import { longest, lost } from './support/processor.ts';
import { open } from './support/profile.ts';
import { figure } from './support/rows.ts';

/** From the daemon's log to a frame of the page, while an agent says 50 pieces a second. */
export async function painting(s: Stand): Promise<void> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: 'Painted' });
  const { page, close } = await open(s, `/s/${id}`);
  await page.evaluate(() => {
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
  await until(async () => (await keptSeq(page, id)) >= from, 'the log is followed'); // which takes another stream, and nobody prompts in the first 200 ms of a page
  await s.client.prompt(id, { text: script({ say: { text: 'abcdefghi '.repeat(500), chunk: 10, every: '20ms' } }) });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  await page.locator('.turn-end').last().waitFor();
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: [number, number][] }).seen);
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
  times.sort((a, b) => a - b);
  figure('painted50', times[Math.floor(times.length * 0.5)]!);
  figure('painted99', times[Math.floor(times.length * 0.99)]!);
  await close();
}

/** Twenty sessions at work, four of them shown beside each other, and a reader who scrolls. */
export async function working(s: Stand): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) {
    const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: `Working ${n}` });
    await s.client.prompt(id, { text: script(...Array.from({ length: 60 }, (_, k) => ({ say: { text: `Entry ${k} of some lines. `.repeat(8) } }))) });
    ids.push(id);
  }
  await s.client.wait({ sessions: ids, until: { rest: true } });
  const { page, close } = await open(s, `/s/${ids[0]}?beside=${ids.slice(1, 4).join(',')}`);
  await page.locator('.turn-end').first().waitFor();
  await page.evaluate(() => new Promise((over) => requestIdleCallback(over)));
  const most = await longest(s.browser, page, async () => {
    for (const id of ids) {
      await s.client.prompt(id, { text: script({ say: { text: 'abcdefghi '.repeat(500), chunk: 10, every: '20ms' } }) });
    }
    await page.evaluate(() => new Promise<void>((over) => {
      const began = performance.now();
      const scroll = (): void => {
        const log = document.querySelector('.log')!;
        log.scrollTo(0, (Math.sin((performance.now() - began) / 700) / 2 + 0.5) * log.scrollHeight);
        if (performance.now() - began < 8000) {
          requestAnimationFrame(scroll);
        } else {
          over();
        }
      };
      scroll();
    }));
  });
  figure('longest', most);
  await s.client.wait({ sessions: ids, until: { rest: true } });
  let least = Infinity; // what others do on the machine only adds to it
  for (let round = 0; round < 3; round++) {
    for (const id of ids) {
      await s.client.prompt(id, { text: script({ say: { text: 'abcdefghi '.repeat(400), chunk: 10, every: '20ms' } }) });
    }
    const frames = await lost(s.browser, page, '.log');
    console.log(`  ${frames.lost} of ${frames.due} frames are lost while a wheel scrolls`);
    if (frames.due < 200) {
      throw new Error('too few frames were due to tell anything');
    }
    least = Math.min(least, frames.lost);
    await s.client.wait({ sessions: ids, until: { rest: true } });
  }
  figure('frames', least);
  await close();
}

/** A reader in the middle of a log, while a thousand entries arrive. */
export async function reading(s: Stand): Promise<void> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: 'Read' });
  const entries = (count: number): string => script(...Array.from({ length: count }, (_, k) => ({ say: { text: `Entry ${k}. ${'Some words. '.repeat(k % 20)}` } })));
  await s.client.prompt(id, { text: entries(300) });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  const { page, close } = await open(s, `/s/${id}`);
  const log = page.locator('.log');
  await page.locator('.turn-end').first().waitFor();
  await log.evaluate((x) => x.scrollTo(0, x.scrollHeight / 2));
  const place = (): Promise<{ item: string; top: number }> => log.evaluate((x) => {
    const top = x.getBoundingClientRect().top;
    const row = [...x.querySelectorAll<HTMLElement>('[data-item]')].find((one) => one.getBoundingClientRect().bottom > top + 100)!;
    return { item: row.dataset['item']!, top: row.getBoundingClientRect().top };
  });
  let before = await place();
  await until(async () => {
    const now = await place();
    const isStill = now.item === before.item && now.top === before.top;
    before = now;
    return isStill;
  }, 'the rows that are read have their heights');
  await s.client.prompt(id, { text: entries(1000) });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  const { entries: all = [] } = await s.client.session(id).state();
  await page.waitForFunction((least) => Number(/\d+/.exec(document.querySelector('.to-end')?.textContent?.replace(/\D/g, '') ?? '')?.[0] ?? 0) >= least, 1000, { timeout: 120_000 });
  const moved = await log.evaluate((x, { item, top }) => {
    const row = x.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"]`);
    return row === null ? 1e6 : Math.abs(row.getBoundingClientRect().top - top);
  }, before);
  console.log(`  ${all.length} entries`);
  figure('moved', moved);
  await close();
}
