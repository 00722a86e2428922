import type { Browser, Page } from 'playwright-core';

/** The longest task of the page's own thread while something happens, in milliseconds of the processor. */
export async function longest(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: { name: string; ph: string; pid: number; tid: number; tdur?: number; args: { name?: string } }[] };
  const own = new Set(traceEvents.filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map((e) => `${e.pid}/${e.tid}`));
  return Math.max(0, ...traceEvents.filter((e) => e.ph === 'X' && own.has(`${e.pid}/${e.tid}`)).map((e) => (e.tdur ?? 0) / 1000));
}

/** Frames of which nothing was drawn while a wheel scrolls a box up and down, of all that were due. The compositor scrolls by itself: a frame that has the scrolled picture and is without the page's newest text is drawn in part, and not lost. */
export async function lost(browser: Browser, page: Page, selector: string): Promise<{ lost: number; due: number }> {
  const cdp = await page.context().newCDPSession(page);
  const box = page.locator(selector).first();
  const { x, y, width, height } = (await box.boundingBox())!;
  await browser.startTracing(page, { categories: ['devtools.timeline', 'devtools.timeline.frame', 'disabled-by-default-devtools.timeline.frame'] });
  const top = (): Promise<number> => box.evaluate((it) => it.scrollTop);
  await box.evaluate((it) => it.scrollTo(0, it.scrollHeight));
  for (const yDistance of [1500, -1500, 1500, -1500]) {
    const before = await top();
    await cdp.send('Input.synthesizeScrollGesture', { x: x + width / 2, y: y + height / 2, yDistance, speed: 1000, gestureSourceType: 'mouse' }); // a touch that is made up moves nothing here
    if (Math.abs((await top()) - before) < Math.abs(yDistance) / 2) {
      throw new Error('the box was not scrolled');
    }
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: { name: string; args: { hasPartialUpdate?: boolean } }[] };
  await cdp.detach();
  const count = (name: string, isWhole = true): number => traceEvents.filter((e) => e.name === name && (isWhole || e.args.hasPartialUpdate !== true)).length;
  return { lost: count('DroppedFrame', false), due: count('DrawFrame') + count('DroppedFrame') };
}
