import type { Cursor, LogEvent, Overflow } from 'ringmaster-protocol';
import type { Notice } from '../sync/index.ts';
import type { SessionSummary } from '../types/index.ts';

/** One thing that a mirror has to tell. */
export type Change =
  /** A session as the daemon's list has it now. */
  | { type: 'session'; id: string; session: SessionSummary }
  /** The line that follows those of a session so far. Where this package cannot decode it, it has no event; the line is there. */
  | { type: 'line'; id: string; at: Cursor; line: string; event?: LogEvent }
  /** A mirror with states has begun with a state that its cache had, in place of the lines up to at: state gives it. These lines are not told; those behind them are. */
  | { type: 'restored'; id: string; at: Cursor }
  /** A part of a text beyond what the session's log keeps of it (spec §7.18). It is no line and is kept nowhere. */
  | { type: 'overflow'; id: string; overflow: Overflow }
  /** All lines of a session so far are void; it begins again. */
  | { type: 'reset'; id: string }
  /** A session is not there any more, or not within reach. */
  | { type: 'gone'; id: string }
  /** What went wrong with a session, and how the mirror deals with it. */
  | { type: 'notice'; id: string; notice: Notice; code?: string };

/** What a change counts in the queue: the characters of its line or of its text, and 100. */
export function sizeOf(change: Change): number {
  switch (change.type) {
    case 'line':
      return 100 + change.line.length;
    case 'overflow':
      return 100 + ('text' in change.overflow.delta ? change.overflow.delta.text.length : 0);
    default:
      return 100;
  }
}
