import type { Browser, Page } from 'playwright-core';

/** The longest task of the page's own thread while something happens, in milliseconds of the processor. */
export async function longest(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: { name: string; ph: string; pid: number; tid: number; tdur?: number; args: { name?: string } }[] };
  const own = new Set(traceEvents.filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map((e) => `${e.pid}/${e.tid}`));
  return Math.max(0, ...traceEvents.filter((e) => e.ph === 'X' && own.has(`${e.pid}/${e.tid}`)).map((e) => (e.tdur ?? 0) / 1000));
}
