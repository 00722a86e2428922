import type { Cost, LogEvent, TokenUsage } from './events.ts';
import type { Spent } from './state.ts';

const most = Number.MAX_SAFE_INTEGER;

/** Nothing used. */
export function nothing(): Spent {
  return {
    totalTokens: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningOutputTokens: 0, costMicros: 0, estimatedMicros: 0, turns: 0, toolCalls: 0,
    children: 0, workMs: 0, workingSince: 0,
  };
}

/**
 * Counts an event (spec §4.12), and says whether that has changed anything. turn says that a turn runs before it, and fresh that a child_session names its session
 * for the first time.
 */
export function count(s: Spent, e: LogEvent, turn: boolean, fresh: boolean): boolean {
  const was = { ...s };
  switch (e.type) {
    case 'turn_start':
      work(s, e.ts);
      s.workingSince = e.ts;
      break;
    case 'turn_end':
      s.turns = sum(s.turns, 1);
      if (e.cause !== 'daemon') { // that daemon may have been gone for long before another one wrote this
        work(s, e.ts);
      }
      s.workingSince = 0;
      break;
    case 'status':
      work(s, e.ts);
      if (e.state === 'awaiting_approval' || e.state === 'awaiting_input') {
        s.workingSince = 0;
      } else if (turn) {
        s.workingSince = e.ts;
      }
      break;
    case 'entry_start':
      work(s, e.ts);
      break;
    case 'entry_end':
      if (e.entryType === 'tool_call') {
        s.toolCalls = sum(s.toolCalls, 1);
      }
      if (!e.incomplete) {
        work(s, e.ts);
      }
      break;
    case 'child_session':
      if (fresh) {
        s.children = sum(s.children, 1);
      }
      break;
    case 'token_usage':
      work(s, e.ts);
      use(s, e);
      break;
    case 'session_end':
      s.workingSince = 0;
      break;
  }
  return (Object.keys(s) as (keyof Spent)[]).some((k) => (s[k] ?? 0) !== (was[k] ?? 0));
}

/** Counts the time up to an event. */
function work(s: Spent, now: number): void {
  const since = s.workingSince ?? 0;
  if (since !== 0 && now > since) {
    s.workMs = sum(s.workMs, now - since);
    s.workingSince = now;
  }
}

function use(s: Spent, e: TokenUsage): void {
  s.totalTokens = sum(s.totalTokens, e.usage.totalTokens);
  s.inputTokens = sum(s.inputTokens, e.usage.inputTokens);
  s.cachedInputTokens = sum(s.cachedInputTokens, e.usage.cachedInputTokens);
  s.outputTokens = sum(s.outputTokens, e.usage.outputTokens);
  s.reasoningOutputTokens = sum(s.reasoningOutputTokens ?? 0, e.usage.reasoningOutputTokens ?? 0);
  if (e.cost !== undefined) {
    const paid = micros(e.cost);
    s.costMicros = sum(s.costMicros, paid);
    if (e.cost.estimated) {
      s.estimatedMicros = sum(s.estimatedMicros ?? 0, paid);
    }
  }
}

/** A cost in all in millionths of a US dollar, rounded to the nearest: a half goes up. What is below zero counts as zero. */
export function micros(cost: Cost): number {
  const exact = cost.total * 1e6;
  return exact > 0 ? Math.min(Math.floor(exact + 0.5), most) : 0;
}

/** Adds what is above zero, and stops at 2^53−1. */
function sum(a: number, b: number): number {
  return Math.min(a + Math.min(Math.max(b, 0), most), most);
}
