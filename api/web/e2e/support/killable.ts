import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { until } from './looks.ts';

/** A browser with a profile that outlives it, which can be killed with all its processes. */
export class Killable {
  readonly #profile: string;
  #process: ChildProcess | undefined;
  #browser: Browser | undefined;

  constructor(profile: string) {
    this.#profile = profile;
  }

  async start(): Promise<BrowserContext> {
    const said = join(this.#profile, 'DevToolsActivePort');
    rmSync(said, { force: true });
    // What a killed browser has left names its process, whose number another one may have by now: then this one would end at once, in favour of it.
    for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie']) {
      rmSync(join(this.#profile, name), { force: true });
    }
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--remote-debugging-port=0', `--user-data-dir=${this.#profile}`];
    const begin = (): ChildProcess => spawn(process.env['CHROMIUM'] ?? '/usr/bin/chromium', [...flags, 'about:blank'], { stdio: 'ignore', detached: true });
    this.#process = begin();
    let port = '', crashes = 0;
    await until(async () => {
      if (this.#process!.signalCode !== null && crashes++ < 3) { // it crashes at its start now and then
        this.#process = begin();
      }
      try {
        port = /^(\d+)\n/.exec(readFileSync(said, 'utf8'))?.[1] ?? '';
      } catch {
        // it is not there yet
      }
      return port !== '';
    }, 'a browser', 60_000);
    this.#browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    return this.#browser.contexts()[0]!;
  }

  async kill(): Promise<void> {
    const gone = once(this.#process!, 'exit');
    process.kill(-this.#process!.pid!, 'SIGKILL');
    await gone;
    await this.#browser?.close().catch(() => undefined);
  }
}
