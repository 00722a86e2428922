/** Which rows of a long list are mounted, and how much room is left for the others. Heights are those that were measured, and a guess for the rest. */
export interface Span {
  from: number;
  /** Exclusive. */
  to: number;
  above: number;
  below: number;
}

/** What a row is taken for that was never drawn, in pixels. */
export const guess = 72;

/** The rows within a view of a list, and those of as much again above and below. */
export function spanOf(count: number, height: (i: number) => number, top: number, view: number): Span {
  const margin = Math.max(view, 400);
  let at = 0, from = 0;
  while (from < count && at + height(from) < top - margin) {
    at += height(from++);
  }
  const above = at;
  let to = from;
  while (to < count && at < top + view + margin) {
    at += height(to++);
  }
  let below = 0;
  for (let i = to; i < count; i++) {
    below += height(i);
  }
  return { from, to, above, below };
}

/** The last rows of a list, where a reader begins: those of the view, and of so many pixels above it. */
export function lastSpan(count: number, height: (i: number) => number, view: number, above: number): Span {
  const need = view + above;
  let from = count, have = 0;
  while (from > 0 && have < need) {
    have += height(--from);
  }
  let before = 0;
  for (let i = 0; i < from; i++) {
    before += height(i);
  }
  return { from, to: count, above: before, below: 0 };
}
