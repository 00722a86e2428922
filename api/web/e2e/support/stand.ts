import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { Client } from '../../../client/ts/src/index.ts';
import { Daemon } from '../../../client/ts/test/support/daemon.ts';
import { launch } from './browser.ts';

const program = process.env['RINGMASTER_PROGRAM'] ?? '';

/** Why tests with a browser do not run here; false: they do. */
export const skip = program === '' ? 'RINGMASTER_PROGRAM names no built daemon: tools/web.sh builds one' : false;

/** A daemon and a browser for the tests of one file. */
export interface Stand {
  daemon: Daemon;
  browser: Browser;
  client: Client;
}

/** prepare is called when all of it is there, early before the daemon is started, with a folder that goes at the end. */
export function stand(prepare: (s: Stand) => Promise<void> = async () => undefined, early: (dir: string) => void = () => undefined): Stand {
  const s = {} as Stand;
  let dir = '';
  before(async () => {
    if (skip !== false) {
      return;
    }
    dir = mkdtempSync(join(tmpdir(), 'ringmaster-'));
    early(dir);
    s.daemon = new Daemon(program, dir);
    await s.daemon.start();
    s.client = new Client({ base: s.daemon.base, token: s.daemon.token, name: 'test' });
    s.browser = await launch();
    await prepare(s);
  });
  after(async () => {
    if (skip !== false) {
      return;
    }
    await (s.browser as Browser | undefined)?.close(); // there is none where it did not start, and the daemon must not live on: the run would wait for it
    await s.daemon.end('SIGTERM');
    await rm(dir, { recursive: true });
  });
  return s;
}
