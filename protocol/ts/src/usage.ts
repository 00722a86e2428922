import type { Cost, Usage } from './events.ts';

/** No tokens. */
export function noUsage(): Usage {
  return { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningOutputTokens: 0, totalTokens: 0 };
}

/** Adds the members that this version knows; a sum stops at 2^53−1 either way. */
export function addUsage(to: Usage, more: Usage): void {
  to.inputTokens = sum(to.inputTokens, more.inputTokens);
  to.cachedInputTokens = sum(to.cachedInputTokens, more.cachedInputTokens);
  to.outputTokens = sum(to.outputTokens, more.outputTokens);
  to.reasoningOutputTokens = sum(to.reasoningOutputTokens ?? 0, more.reasoningOutputTokens ?? 0);
  to.totalTokens = sum(to.totalTokens, more.totalTokens);
}

/** Nothing paid. */
export function noCost(): Cost {
  return { input: 0, output: 0, cacheRead: 0, total: 0 };
}

export function addCost(to: Cost, more: Cost): void {
  to.input = paid(to.input, more.input);
  to.output = paid(to.output, more.output);
  to.cacheRead = paid(to.cacheRead, more.cacheRead);
  to.total = paid(to.total, more.total);
  to.estimated = Boolean(to.estimated) || Boolean(more.estimated);
}

/** A sum stays as it was where it would be no number any more. */
function paid(a: number, b: number): number {
  return Number.isFinite(a + b) ? a + b : a;
}

function sum(a: number, b: number): number {
  return Math.max(Math.min(a + b, Number.MAX_SAFE_INTEGER), -Number.MAX_SAFE_INTEGER);
}
