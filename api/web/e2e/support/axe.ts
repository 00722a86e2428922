import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/** Every view is looked at in every width, light and dark, in place of a wide light one and a narrow dark one. */
export const isLong = process.env['WEB_LONG'] === 'yes' || (process.env['SHOTS'] ?? '') !== '';

/** Looks at views: as axe does, for what is wider than the screen and, where fingers are used, for what they would miss. suffix is of the names of the pictures. */
export function looker(page: Page, suffix: string, isTouched: boolean): { wrong: string[]; look: (name: string) => Promise<void> } {
  const wrong: string[] = [];
  const shots = process.env['SHOTS'];
  const look = async (name: string): Promise<void> => {
    if (shots !== undefined && shots !== '') {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${name}-${suffix}.png`) });
    }
    await page.evaluate(source);
    // A button's colour takes 80 ms to change, and is neither of the two meanwhile.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().filter((a) => a.effect?.getComputedTiming().iterations !== Infinity).map((a) => a.finished)));
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
    wrong.push(...violations.map((v) => `${name}: ${v.id}: ${v.nodes.map((n) => `${n.html.slice(0, 160)} ${n.failureSummary ?? ''}`).join(' | ')}`));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) {
      wrong.push(`${name} is ${wide} pixels wider than the screen`);
    }
    if (isTouched) {
      wrong.push(...(await page.evaluate(small)).map((each) => `${name}: too small for a finger: ${each}`));
    }
  };
  return { wrong, look };
}

/** What can be touched and is not 44 pixels high. Links within a text are as high as the text (WCAG 2.5.8 has that exception). */
function small(): string[] {
  const found: string[] = [];
  for (const each of document.querySelectorAll<HTMLElement>('a[href], button, select, textarea, input, summary, [role="option"]')) {
    const box = (each.matches('input[type="radio"], input[type="checkbox"]') ? each.closest('label') ?? each : each).getBoundingClientRect();
    const isHidden = each.matches('.unseen') || box.width <= 1 || box.height <= 1 || !each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!isHidden && !each.matches('.prose a, p a, .mark a') && Math.round(box.height) < 44) {
      found.push(`${Math.round(box.width)}×${Math.round(box.height)} ${each.outerHTML.slice(0, 120)}`);
    }
  }
  return found;
}
