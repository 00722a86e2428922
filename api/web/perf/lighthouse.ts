import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { team } from '../e2e/support/team.ts';
import type { Stand } from '../e2e/support/stand.ts';
import { profile } from './support/profile.ts';
import { figure } from './support/rows.ts';

/** What of Lighthouse's answer is read. */
interface Result {
  lhr: { categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>; audits: Record<string, { score: number | null; title: string; displayValue?: string; details?: unknown }> };
}
type Lighthouse = (url: string, flags: object) => Promise<Result | undefined>;

const kinds = { performance: 'performance', accessibility: 'accessibility', practices: 'best-practices' } as const;

/**
 * Judges the page as a phone sees it, without a login, and logged in by a link: the list, a session, and the requests. Each page is judged up to three times, and its best result counts: what others do on the machine only takes from it.
 * Each time it is another browser. One that is judged again keeps documents of the times before, and the renderer's work to get rid of them, 150 to 260 ms before anything of the page has come, is counted as the page's own.
 * LIGHTHOUSE names the folder in which it is installed.
 */
export async function judging(s: Stand): Promise<void> {
  const folder = process.env['LIGHTHOUSE'];
  if (folder === undefined) {
    console.log('LIGHTHOUSE names no folder with Lighthouse: the page is not judged by it');
    return;
  }
  const { default: lighthouse } = (await import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve('lighthouse')).href)) as { default: Lighthouse };
  const { ids } = await team(s.daemon);
  const least = { performance: 1, accessibility: 1, practices: 1 };
  const judge = async (name: string, path: string, isIn: boolean): Promise<void> => {
    const best = { performance: 0, accessibility: 0, practices: 0 };
    for (let n = 0; n < 3 && best.performance < 0.95; n++) {
      const { browser, port, end } = await profile();
      try {
        if (isIn) {
          const page = await browser.contexts()[0]!.newPage();
          const { code } = await s.client.askLogin();
          await page.goto(`${s.daemon.base}/#login=${code}`);
          await page.locator('.shell').waitFor();
          await page.close();
        }
        const result = await lighthouse(s.daemon.base + path, { port, output: 'json', logLevel: 'silent', onlyCategories: Object.values(kinds), disableStorageReset: true });
        for (const [kind, id] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
          const { score, auditRefs } = result!.lhr.categories[id]!;
          best[kind] = Math.max(best[kind], score ?? 0);
          if (score !== 1) {
            const lost = auditRefs.filter((ref) => ref.weight > 0 && (result!.lhr.audits[ref.id]!.score ?? 1) < 0.9).map((ref) => `${ref.id} ${result!.lhr.audits[ref.id]!.displayValue ?? JSON.stringify(result!.lhr.audits[ref.id]!.details ?? '').slice(0, 600)}`);
            console.log(`  ${name}, ${id}: ${score}; ${lost.join('; ')}`);
          }
        }
      } finally {
        await end();
      }
    }
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      least[kind] = Math.min(least[kind], best[kind]);
    }
    console.log(`  ${name}: ${Object.values(best).map((score) => Math.round(score * 100)).join(', ')}`);
  };
  await judge('without a login', '/', false);
  await judge('the list', '/', true);
  await judge('a session', `/s/${ids['Explain the cache']}`, true);
  await judge('the requests', '/inbox', true);
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    figure(kind, Math.round(least[kind] * 100));
  }
}
