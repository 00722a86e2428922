import type { Cursor } from 'ringmaster-protocol';

/** The position before the first event, which is good in every epoch. */
const start: Cursor = { epoch: 1, seq: 0 };

/** One position is before another one in a log: of an earlier epoch, or of a lower number. */
export function isBehind(at: Cursor, other: Cursor): boolean {
  return at.seq === 0 || other.seq === 0 ? at.seq < other.seq : at.epoch < other.epoch || (at.epoch === other.epoch && at.seq < other.seq);
}

/** Where a tab is in the log of a session that it wants. */
export class Place {
  /**
   * - begin: it wants a state
   * - daemon: it was told to ask the daemon for it, and says then how far it is
   * - none: the daemon is away, and there is none
   * - lines: it gets what follows at
   * - behind: it has not taken what it was sent, and gets no more before it has
   */
  stage: 'begin' | 'daemon' | 'none' | 'lines' | 'behind' = 'begin';
  /** Of the last line that it was sent or said to have. */
  at: Cursor = start;

  /** The tab says how far it is. Whether there is something to look at: what is being sent to it goes on, since it has not seen all of that yet. */
  wants(cursor: Cursor | null): boolean {
    if (this.stage === 'lines' || this.stage === 'behind') {
      return false;
    }
    if (cursor === null) {
      this.stage = 'begin';
    } else {
      this.goOn(cursor);
    }
    return true;
  }

  begin(): void {
    this.stage = 'begin';
    this.at = start;
  }

  goOn(at: Cursor): void {
    this.stage = 'lines';
    this.at = at;
  }

  isNext(at: Cursor): boolean {
    return at.seq === this.at.seq + 1 && (this.at.seq === 0 || at.epoch === this.at.epoch);
  }
}
