import type { Page } from 'playwright-core';
import { script } from '../../client/ts/test/support/daemon.ts';
import { kept, streams, until } from '../e2e/support/looks.ts';
import type { Stand } from '../e2e/support/stand.ts';
import { open } from './support/profile.ts';
import { figure } from './support/rows.ts';

const words = (n: number): string => Array.from({ length: n }, (_, i) => `x${i}.`).join(' ');
const said = async (page: Page): Promise<string> => (await page.locator('.entry-assistant_message').innerText()).replace(/\s+/g, ' ').trim();

interface Watched { seen: { leads: number; texts: number[] } }

/** Has a page note when it leads and when its entry grows: a page that is asked again and again has less time for what is measured. */
function watch(): void {
  const seen = { leads: Infinity, texts: [] as number[] };
  (globalThis as unknown as Watched).seen = seen;
  const shell = document.querySelector<HTMLElement>('.shell')!;
  new MutationObserver(() => {
    if (shell.dataset['role'] === 'leads') {
      seen.leads = Math.min(seen.leads, Date.now());
    }
  }).observe(shell, { attributes: true });
  new MutationObserver(() => seen.texts.push(Date.now())).observe(document.querySelector('.entry-assistant_message')!, { subtree: true, childList: true, characterData: true });
}

/** Eight tabs, of which the one that leads is killed while an agent speaks. */
export async function sharing(s: Stand): Promise<void> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: 'Shared' });
  const { page, context, close } = await open(s, `/s/${id}`);
  let pages = [page];
  while (pages.length < 8) {
    const one = await context.newPage();
    await one.goto(`${s.daemon.base}/s/${id}`);
    await one.locator('.link-live').waitFor({ state: 'attached' });
    pages.push(one);
  }
  await s.client.prompt(id, { text: `Go.\n${script({ say: { text: words(2000), chunk: 6, every: '5ms' } })}` });
  await Promise.all(pages.map((one) => one.locator('.entry-assistant_message').waitFor()));
  figure('streams', await streams(s.client));
  figure('answered', await page.evaluate(async () => {
    const began = performance.now();
    await fetch('/health');
    return performance.now() - began;
  }));
  const roles = await Promise.all(pages.map((one) => one.locator('.shell').getAttribute('data-role')));
  const leader = pages[roles.indexOf('leads')]!;
  pages = pages.filter((one) => one !== leader);
  await Promise.all(pages.map((one) => one.evaluate(watch)));
  const began = Date.now();
  void leader.goto('chrome://crash').catch(() => undefined);
  await Promise.any(pages.map((one) => one.locator('.shell[data-role=leads]').waitFor()));
  await s.client.wait({ sessions: [id], until: { rest: true } });
  let differences = 0;
  for (const one of pages) {
    await one.locator('.turn-end').waitFor();
    const text = await said(one);
    if (!text.includes(words(2000))) {
      console.log(`  ${text.slice(0, 60)} … ${text.slice(-60)}`);
      differences += Math.max(1, Math.abs(text.length - words(2000).length));
    }
  }
  figure('lost', differences);
  const seen = await Promise.all(pages.map((one) => one.evaluate(() => (globalThis as unknown as Watched).seen)));
  const led = Math.min(...seen.map(({ leads }) => leads));
  console.log(`  another leads after ${led - began} ms`);
  figure('elected', Math.max(...seen.map(({ texts }) => texts.find((at) => at > led) ?? Infinity)) - began);
  await close();
}

/** The daemon goes away and comes back. */
export async function leaving(s: Stand): Promise<void> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: 'Left alone' });
  await s.client.prompt(id, { text: script({ say: { text: 'What was read stays.' } }) });
  await s.client.wait({ sessions: [id], until: { rest: true } });
  const { page, close } = await open(s, `/s/${id}`);
  await page.locator('.turn-end').waitFor();
  const { seq } = await s.client.session(id).state();
  await until(async () => ((await kept(page)).get(id)?.seq ?? 0) >= seq && (await kept(page)).has('roster'), 'log and list are stored');
  await until(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated' && navigator.serviceWorker.controller !== null), 'a service worker');
  await s.daemon.end('SIGKILL');
  await page.reload();
  figure('offline', await page.evaluate(() => new Promise<number>((done) => {
    const look = (): void => {
      if (document.querySelector('.log .turn-end') === null || document.querySelector('.row') === null) {
        requestAnimationFrame(look);
      } else {
        requestAnimationFrame(() => setTimeout(() => done(performance.now())));
      }
    };
    look();
  })));
  await page.locator('.link-away').waitFor();
  await s.daemon.start();
  const began = performance.now();
  await page.locator('.link-live').waitFor({ state: 'attached' });
  figure('back', performance.now() - began);
  await close();
}
