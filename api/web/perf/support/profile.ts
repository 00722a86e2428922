import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { until } from '../../e2e/support/looks.ts';
import type { Stand } from '../../e2e/support/stand.ts';

/** A browser with a profile on the disk, as people have one: a private window keeps files in memory, and is slower and larger by that. */
export interface Started {
  /** Of its protocol for debuggers. */
  port: number;
  end(): Promise<void>;
}

/** Starts the browser that CHROMIUM names. */
export async function start(): Promise<Started> {
  const dir = mkdtempSync(join(tmpdir(), 'ringmaster-'));
  // A page that was left would be kept for a way back, and be put away while the next one is measured.
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-back-forward-cache', '--disable-breakpad', '--disable-crash-reporter', '--window-size=1440,900', '--remote-debugging-port=0', `--user-data-dir=${dir}`];
  const program = spawn(process.env['CHROMIUM'] ?? '/usr/bin/chromium', [...flags, 'about:blank'], { stdio: 'ignore' });
  let port = 0;
  await until(async () => {
    try {
      port = Number(/^(\d+)\n/.exec(readFileSync(join(dir, 'DevToolsActivePort'), 'utf8'))?.[1] ?? 0);
    } catch {
      // it is not there yet
    }
    return port > 0;
  }, 'a browser', 60_000);
  return {
    port,
    end: async () => {
      const gone = once(program, 'exit');
      program.kill('SIGTERM');
      await gone;
      await rm(dir, { recursive: true, maxRetries: 20 }).catch(() => undefined); // parts of it may still be writing
    },
  };
}

export type Profile = Started & { browser: Browser };

/** Starts a browser to be driven. */
export async function profile(): Promise<Profile> {
  const { port, end } = await start();
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  return { browser, port, end: () => end().finally(() => browser.close().catch(() => undefined)) };
}

/** Opens the page logged in by a link, at a path, in the browser's own profile. close closes all its tabs. */
export async function open(s: Stand, path = '/'): Promise<{ page: Page; context: BrowserContext; close: () => Promise<void> }> {
  const context = s.browser.contexts()[0]!;
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  page.setDefaultTimeout(60_000);
  const { code } = await s.client.askLogin();
  await page.goto(`${s.daemon.base}${path}#login=${code}`);
  await page.locator('.shell').waitFor();
  await page.locator('.link-live').waitFor({ state: 'attached' });
  return {
    page, context,
    close: async () => {
      const rest = await context.newPage(); // a browser without a tab ends
      await Promise.all(context.pages().filter((one) => one !== rest).map((one) => one.close()));
    },
  };
}
