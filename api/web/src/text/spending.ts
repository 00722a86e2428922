import type { LogEvent } from 'ringmaster-protocol';

/** What one turn used, added up from its requests to models. */
export interface TurnSpent {
  /** Empty: what was used between turns. */
  turnId: string;
  requests: number;
  /** Input that did not come from the provider's cache. */
  fresh: number;
  cached: number;
  output: number;
  /** US dollars. */
  cost: number;
  isEstimated: boolean;
  models: string[];
}

/** Adds the events of a log up, turn by turn; it is given every event once, in order. */
export class Spending {
  readonly turns: TurnSpent[] = [];
  /** Some request told a cost. */
  hasCost = false;

  add(e: LogEvent): void {
    if (e.type !== 'token_usage') {
      return;
    }
    const id = e.turnId ?? '';
    let turn = this.turns.at(-1);
    if (turn?.turnId !== id) {
      turn = { turnId: id, requests: 0, fresh: 0, cached: 0, output: 0, cost: 0, isEstimated: false, models: [] };
      this.turns.push(turn);
    }
    turn.requests++;
    turn.cached += e.usage.cachedInputTokens;
    turn.fresh += Math.max(0, e.usage.inputTokens - e.usage.cachedInputTokens);
    turn.output += e.usage.outputTokens;
    if (e.cost !== undefined) {
      this.hasCost = true;
      turn.cost += e.cost.total;
      turn.isEstimated ||= e.cost.estimated === true;
    }
    if (e.model !== undefined && !turn.models.includes(e.model)) {
      turn.models.push(e.model);
    }
  }
}

/** Gathers turns into at most so many bars, neighbours together. */
export function barsOf(turns: readonly TurnSpent[], most: number): { from: number; to: number; fresh: number; cached: number; output: number; cost: number }[] {
  const each = Math.max(1, Math.ceil(turns.length / most));
  const bars = [];
  for (let from = 0; from < turns.length; from += each) {
    const some = turns.slice(from, from + each);
    const sum = (of: (t: TurnSpent) => number): number => some.reduce((n, t) => n + of(t), 0);
    bars.push({ from, to: from + some.length - 1, fresh: sum((t) => t.fresh), cached: sum((t) => t.cached), output: sum((t) => t.output), cost: sum((t) => t.cost) });
  }
  return bars;
}

/** A round number that is not below n: 1, 2 or 5 with zeros. */
export function ceiling(n: number): number {
  if (n <= 0) {
    return 1;
  }
  const ten = 10 ** Math.floor(Math.log10(n));
  return [1, 2, 5, 10].map((f) => f * ten).find((c) => c >= n * 0.999_999)!;
}
