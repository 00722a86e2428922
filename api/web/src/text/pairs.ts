import type { LogEvent } from 'ringmaster-protocol';

/** What of a native line says where it belongs (spec §7.11). */
export interface Placed {
  incarnation: number;
  batch?: number;
  from?: number;
  to?: number;
}

/** Native lines that were taken together, beside the events that they became. Either may be empty. */
export interface Pair<L extends Placed> {
  lines: L[];
  events: LogEvent[];
}

/** Puts native lines beside the events that they became (spec §7.11), in the order of the archive; events that came of no line stand before the lines of later ones. */
export function pairsOf<L extends Placed>(lines: readonly L[], events: readonly LogEvent[]): Pair<L>[] {
  const pairs: Pair<L>[] = [];
  let next = 0; // of events
  const upTo = (seq: number): LogEvent[] => {
    const taken: LogEvent[] = [];
    while (next < events.length && events[next]!.seq <= seq) {
      taken.push(events[next++]!);
    }
    return taken;
  };
  for (let i = 0; i < lines.length;) {
    const first = lines[i]!;
    let end = i + 1;
    while (end < lines.length && first.batch !== undefined && lines[end]!.batch === first.batch && lines[end]!.incarnation === first.incarnation) {
      end++;
    }
    const group = lines.slice(i, end);
    i = end;
    const from = first.from, to = first.to ?? first.from;
    if (from === undefined || to === undefined) {
      pairs.push({ lines: group, events: [] });
      continue;
    }
    const before = upTo(from - 1);
    if (before.length > 0) {
      pairs.push({ lines: [], events: before });
    }
    pairs.push({ lines: group, events: upTo(to) });
  }
  const rest = events.slice(next);
  if (rest.length > 0) {
    pairs.push({ lines: [], events: rest });
  }
  return pairs;
}
