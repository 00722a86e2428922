import type { Page } from 'playwright-core';
import { script } from '../../client/ts/test/support/daemon.ts';
import { kept, streams, until } from '../e2e/support/looks.ts';
import type { Stand } from '../e2e/support/stand.ts';
import { open } from './support/profile.ts';
import { figure } from './support/rows.ts';

const words = (n: number): string => Array.from({ length: n }, (_, i) => `x${i}.`).join(' ');
const said = async (page: Page): Promise<string> => (await page.locator('.entry-assistant_message').innerText()).replace(/\s+/g, ' ').trim();

/** When a tab had lines of a log from its leader, whom it was told of before; when it led itself; and when its entry grew on the screen. */
interface Watched { heard: number[]; leads: number; drawn: number[] }

/** Has each page of a browser note what its worker tells. Whoever looks at pages again and again takes time of what is measured. */
function listen(): void {
  const seen: Watched = { heard: [], leads: Infinity, drawn: [] };
  (globalThis as unknown as { seen: Watched }).seen = seen;
  const Own = globalThis.Worker;
  globalThis.Worker = class extends Own {
    constructor(...given: ConstructorParameters<typeof Own>) {
      super(...given);
      this.addEventListener('message', ({ data }: MessageEvent<{ told?: { type: string; role?: string }[] }>) => {
        for (const { type, role } of data.told ?? []) {
          if (type === 'source') {
            seen.heard = [];
            seen.leads = role === 'leads' ? Date.now() : seen.leads;
          } else if (type === 'lines' && seen.heard.length < 10) {
            seen.heard.push(Date.now());
          }
        }
      });
    }
  };
}

/** Has a page note when its entry grows. */
function look(): void {
  const { drawn } = (globalThis as unknown as { seen: Watched }).seen;
  new MutationObserver(() => drawn.push(Date.now())).observe(document.querySelector('.entry-assistant_message')!, { subtree: true, childList: true, characterData: true });
}

/**
 * Eight tabs, of which the one that leads is killed while an agent speaks. A tab is live when it has lines again, and the one that is looked at when it shows them: the browser has the others draw once a second, live or not.
 */
export async function sharing(s: Stand): Promise<void> {
  const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: 'Shared' });
  await s.browser.contexts()[0]!.addInitScript(listen);
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
  const looked = pages.at(-1)!;
  await looked.bringToFront();
  await looked.evaluate(look);
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
  const seen = await Promise.all(pages.map((one) => one.evaluate(() => (globalThis as unknown as { seen: Watched }).seen)));
  const led = Math.min(...seen.map(({ leads }) => leads)), heard = seen.map((of) => of.heard.find((at) => at > began) ?? Infinity);
  const drawn = seen.at(-1)!.drawn.find((at) => at > heard.at(-1)!) ?? Infinity;
  console.log(`  another leads after ${led - began} ms, all have lines after ${Math.max(...heard) - began} ms, and the one that is looked at shows them after ${drawn - began} ms`);
  figure('elected', Math.max(drawn, ...heard) - began);
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
