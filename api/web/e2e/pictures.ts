// Makes the pictures of the README: a daemon, the scripted agent, and a browser that looks at them. pictures.json says which there are; FOLDER is where they go.
// The sessions, their texts and the age that they show are the same each time; times of day, ids and fonts are of the machine.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Client } from '../../client/ts/src/index.ts';
import { Daemon } from '../../client/ts/test/support/daemon.ts';
import { actor } from './support/actor.ts';
import { launch, open } from './support/browser.ts';
import { parts, play } from './support/play.ts';

/** How large a picture may be, in bytes. */
const most = 150 * 1024;

const names = JSON.parse(readFileSync(join(import.meta.dirname, 'pictures.json'), 'utf8')) as string[];
const folder = process.argv[2] ?? '';
const dir = mkdtempSync(join(tmpdir(), 'ringmaster-'));
actor(dir, parts);
// Where the machine has them: letters as most systems have them.
writeFileSync(join(dir, 'fonts.conf'), `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include>${['system-ui', 'sans-serif'].map((name) => `<match target="pattern"><test name="family"><string>${name}</string></test><edit name="family" mode="prepend" binding="strong"><string>Inter</string><string>Liberation Sans</string></edit></match>`).join('')}</fontconfig>`);
process.env['FONTCONFIG_FILE'] = join(dir, 'fonts.conf');
const daemon = new Daemon(process.env['RINGMASTER_PROGRAM'] ?? '', dir);
await daemon.start();
const browser = await launch();
try {
  const ids = await play(daemon);
  const client = new Client({ base: daemon.base, token: daemon.token, name: 'test' });
  const { page, context } = await open(browser, client, daemon.base, '/', { size: 'picture', prepare: (context) => context.clock.setFixedTime(Date.now() + 4 * 60_000) });
  const views: Record<string, () => Promise<Page>> = {
    roster: async () => {
      await page.goto(daemon.base);
      await page.locator('.request .diff').waitFor();
      await page.locator('.row').nth(8).waitFor();
      return page;
    },
    approval: async () => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(`${daemon.base}/s/${ids['Mend the parser']!}`);
      await page.locator('.request .diff').waitFor();
      return page;
    },
    time: async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      const id = ids['A parser with errors that help']!;
      let asked = 0;
      for await (const { event } of client.log(id, { view: 'settled' })) {
        asked = event.type === 'request_opened' ? event.seq : asked;
      }
      await page.goto(`${daemon.base}/s/${id}?at=${asked}`);
      await page.locator('.request.past').waitFor();
      return page;
    },
  };
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const shown = await views[name]!();
    const picture = await shown.screenshot({ caret: 'hide', animations: 'disabled' });
    if (picture.length > most) {
      throw new Error(`${name}: ${picture.length} bytes are too many`);
    }
    writeFileSync(join(folder, `${name}.png`), picture);
    console.log(`${name}.png: ${Math.ceil(picture.length / 1024)} KiB`);
  }
  await context.close();
} finally {
  await browser.close();
  await daemon.end('SIGTERM');
  await rm(dir, { recursive: true });
}
