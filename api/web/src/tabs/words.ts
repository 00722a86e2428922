import type { Notice, SessionSummary } from 'ringmaster-client';
import type { Cursor, Overflow } from 'ringmaster-protocol';

/** How the browser stands to the daemon. */
export type Link = 'connecting' | 'live' | 'away';

/** What is kept of what was read: in the browser's file system, or in memory until the page is closed. */
export type Keeping = 'disk' | 'memory';

/** What a tab asks of the leader, which is to the tab what the daemon is to the leader. */
export type Ask =
  /** All sessions whose logs it wants, and how far it has each; null: it has nothing, and wants the state first. What is not named is not wanted any more. */
  | { type: 'want'; at: Record<string, Cursor | null> }
  /** It has taken this batch and those before it. */
  | { type: 'taken'; n: number }
  /** A network is there again, or somebody looks. */
  | { type: 'wake' }
  | Question;

/** What a tab asks the leader once, by a number of its own. A newer search takes the place of the one before, and a newer question about the past that of the one about the same session. */
export type Question =
  /** Which entries of what is kept have all of these words. */
  | { type: 'search'; n: number; words: string }
  /** The state of a session at a cursor, folded from what is kept of its log. */
  | { type: 'past'; n: number; id: string; at: Cursor }
  /** The answer is not wanted any more. */
  | { type: 'drop'; n: number };

/** A piece of a text; isHit: it is what was looked for. */
export interface Part {
  text: string;
  isHit?: true;
}

/** An entry with the words of a search. */
export interface Hit {
  entryId: string;
  /** The entry's type. */
  kind: string;
  /** Of a tool call. */
  tool?: string;
  /** When it ended, or began where it has not ended; Unix milliseconds. */
  ts: number;
  /** The beginning of what was found, with a few words around it. */
  parts: Part[];
}

/** What a leader says to a question. */
export type Answer =
  /** Some more of what a search has found: entries of one session, the newest first. Sessions come by the time of their last change. */
  | { type: 'found'; n: number; id?: string; hits: Hit[]; progress: Progress }
  /** state is absent where not all of the log up to the cursor is kept. */
  | { type: 'past'; n: number; state?: string };

/** How far a search is. */
export interface Progress {
  /** Sessions of which something is kept. */
  kept: number;
  /** Of these, the ones that were looked through. */
  searched: number;
  /** Bytes of them. */
  bytes: number;
  /** over: all were; full: there are more entries than are told. */
  stage: 'goes on' | 'over' | 'full';
}

/** What a tab is told. */
export type Told =
  /** From here on another one speaks, who knows nothing of the tab: it has to say what it wants. alone: the tab has a stream of its own. */
  | { type: 'source'; role: 'leads' | 'follows' | 'alone' }
  | { type: 'keeps'; keeps: Keeping }
  /** since: the daemon was heard up to then, in Unix milliseconds; absent: whoever tells it has never heard it, or hears it. */
  | { type: 'link'; link: Link; since?: number }
  /** The daemon gives nothing any more: why, in words for people, and whether the login is over. */
  | { type: 'refused'; why: string; isOver: boolean }
  /** The list of all sessions. asOf: it is that of the cache, in Unix milliseconds; absent: it is whole, and the daemon's. */
  | { type: 'roster'; sessions: SessionSummary[]; asOf?: number }
  | { type: 'session'; session: SessionSummary }
  | { type: 'gone'; id: string }
  /** The state of a session up to a cursor, in the JSON of the protocol; lines follow from there. */
  | { type: 'state'; id: string; at: Cursor; state: string }
  /** Lines of a session's log, of which the first has the number from. */
  | { type: 'lines'; id: string; epoch: number; from: number; lines: string[] }
  /** A part of a text beyond what the log keeps of it. */
  | { type: 'overflow'; id: string; overflow: Overflow }
  /** All that the tab has of a session is void, up to a cursor: it may have begun with a newer state meanwhile. */
  | { type: 'reset'; id: string; at: Cursor }
  /** The daemon's own state is the shorter way: the tab asks for it, and says then how far it is. */
  | { type: 'ask'; id: string }
  /** The daemon is away, and nothing is kept of this session. */
  | { type: 'none'; id: string }
  | { type: 'notice'; id: string; notice: Notice }
  | Answer;

/** What a tab gets at once. It says when it has taken it, so that a tab that is slow is sent no more than it takes. */
export interface Batch {
  n: number;
  told: Told[];
}
