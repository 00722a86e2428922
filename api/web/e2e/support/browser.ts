import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { Client } from '../../../client/ts/src/index.ts';

/** Starts the browser that CHROMIUM names; where it crashes at its start, which it does now and then, once more. */
export async function launch(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const start = (): Promise<Browser> => chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args });
  try {
    return await start();
  } catch (e) {
    if (!String(e).includes('SIGSEGV')) {
      throw e;
    }
    return start();
  }
}

export interface Opened {
  context: BrowserContext;
  page: Page;
  /** What the page, or the browser about it, has complained of. */
  complaints: string[];
  /** The addresses that were asked for. */
  asked: string[];
}

/** Sizes that the page is looked at in. */
export const sizes = { wide: { width: 1440, height: 900 }, middle: { width: 960, height: 700 }, tablet: { width: 820, height: 1180 }, picture: { width: 1200, height: 760 }, phone: { width: 390, height: 844 } } as const;

/** Opens the page logged in by a link, at a path. */
export async function open(browser: Browser, client: Client, base: string, path = '/', o: { size?: keyof typeof sizes; scheme?: 'light' | 'dark'; prepare?: (context: BrowserContext) => Promise<unknown> } = {}): Promise<Opened> {
  const size = o.size ?? 'wide';
  const context = await browser.newContext({ viewport: sizes[size], colorScheme: o.scheme ?? 'light', hasTouch: size === 'phone' || size === 'tablet' });
  await o.prepare?.(context);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [], asked: string[] = [];
  page.on('pageerror', (e) => complaints.push(e.stack ?? e.message));
  page.on('console', (m) => {
    if (m.type() === 'error' || m.type() === 'warning') {
      complaints.push(m.text());
    }
  });
  page.on('dialog', (d) => {
    complaints.push(`a dialog: ${d.message()}`);
    void d.dismiss();
  });
  context.on('request', (r) => asked.push(r.url()));
  const { code } = await client.askLogin();
  await page.goto(`${base}${path}#login=${code}`);
  await page.locator('.shell').waitFor();
  await page.locator('.link-live').waitFor({ state: 'attached' });
  return { context, page, complaints, asked };
}

/** Has workers find something else than they would: code that runs before their own. For prepare. */
export function inWorkers(prelude: string): (context: BrowserContext) => Promise<unknown> {
  return (context) => context.route(/-worker\.js$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${prelude}\n${await answer.text()}` });
  });
}

/** A worker's browser without a file system: it keeps nothing. */
export const keepsNothing = inWorkers(`StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException('none', 'SecurityError'));`);

/** Where the focus is. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('data-request') ?? document.activeElement?.className ?? '');
}
