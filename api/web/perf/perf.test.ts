import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { script } from '../../client/ts/test/support/daemon.ts';
import { skip, stand, type Stand } from '../e2e/support/stand.ts';
import { judging } from './lighthouse.ts';
import { painting, reading, working } from './live.ts';
import { growing, opening } from './open.ts';
import { sizes } from './sizes.ts';
import { profile, type Profile } from './support/profile.ts';
import { calm, elsewhere, missed, recorded } from './support/rows.ts';
import { leaving, sharing } from './tabs.ts';

// What the page is held to, measured (tools/web.sh perf). A figure that misses its goal is told and recorded as missed; a measurement that breaks fails.
let own: Profile | undefined;
const s = stand(async (made) => {
  await made.browser.close();
  own = await profile();
  made.browser = own.browser;
});
after(() => own?.end());
const timeout = 30 * 60_000;

const lane: Record<string, (s: Stand) => Promise<void> | void> = {
  'what the page weighs': sizes, 'a session is opened': opening, 'an event is painted': painting, 'twenty sessions work': working, 'a reader is not moved': reading, 'tabs share a stream': sharing,
  'the daemon goes and comes back': leaving, 'a million events': (one) => growing(one, (lines) => script({ flood: { lines } })), 'Lighthouse': judging,
};

for (const [name, measure] of Object.entries(lane)) {
  test(name, { skip, timeout }, async () => {
    await calm();
    await measure(s);
  });
}

after(() => {
  const path = process.env['WEB_FIGURES'];
  if (path !== undefined) {
    writeFileSync(path, recorded().map((line) => `${line}\n`).join(''));
  }
  console.log('\nmeasured by other lanes:');
  elsewhere.forEach(([goal, by]) => console.log(`  ${goal}: ${by}`));
  console.log(missed().length === 0 ? '\nno goal is missed' : `\nmissed:\n  ${missed().join('\n  ')}`);
  assert.ok(recorded().length > 0 || skip !== false);
});
