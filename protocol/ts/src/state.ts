/** What a log says, folded up to one event (spec §10.1): the body of GET /sessions/{id}/state. */

import type { Budget } from './budget.ts';
import type { EntryContent } from './entries.ts';
import type {
  BudgetMark, ChildSession, Cost, Metadata, Policy, Prompt, PromptQueued, RequestOpened, RequestResolved, SessionEnd, Status, Usage,
} from './events.ts';
import type { TurnCause, TurnStatus } from './words.ts';

export interface SessionState {
  sessionId: string;
  agentBackend: string;
  metadata: Metadata;
  title?: string;
  model?: string;
  mode?: string;
  pendingModel?: string;
  pendingMode?: string;
  nativeSessionId?: string;
  agentVersion?: string;
  labels?: Record<string, string>;
  capabilities?: string[];
  policy?: Policy;
  /** What it may use. */
  budget?: Budget;
  /** 0 before the first event. */
  epoch: number;
  /** Of the last event; 0 before the first one. */
  seq: number;
  /** Of the last event. */
  ts: number;
  status?: Status;
  /** The last session_end, until the session is revived. */
  end?: SessionEnd;
  /** In the order of their starts. */
  turns?: TurnState[];
  /** In the order of their starts. */
  entries?: EntryState[];
  /** In the order in which they were opened, the resolved ones too. */
  requests?: RequestState[];
  /** Prompts that wait. */
  queue?: QueuedPrompt[];
  /** Sessions that work for this one. */
  children?: ChildState[];
  usage: UsageTotals;
  /** What the session has used of what budgets limit; absent: nothing. */
  spent?: Spent;
  /** Limits that are near or reached, of its own budget and of those above it. */
  marks?: BudgetMark[];
  /** Of a log that ends early (spec §7.12); the daemon says it, no event does. */
  damage?: Damage;
  /** Of a page (spec §7.8): which part of the state it is; the daemon says it. */
  part?: StatePart;
}

/** Which part of a state a page is (spec §7.8). */
export interface StatePart {
  /** The entries, requests and turns that began with this event or a later one are there; those before it are in the page before. */
  from: number;
  /** Of the log: from is this one where nothing is before. */
  oldest: number;
  /** How many turns, entries and requests there are in all. */
  told: { turns: number; entries: number; requests: number };
}

/** One turn; without a status it runs. */
export interface TurnState {
  turnId: string;
  status?: TurnStatus;
  cause?: TurnCause;
  error?: string;
  hint?: string;
  prompt?: Prompt;
  startSeq: number;
  startTs: number;
  endSeq?: number;
  endTs?: number;
  /** Entry ids, in the order of their starts. */
  entries?: string[];
  usage?: Usage;
}

/** One entry, as far as it is there. */
export type EntryState = {
  entryId: string;
  turnId?: string;
  round?: number;
  persistentId?: string;
  /** It has not ended. */
  open?: boolean;
  /** Closed by the daemon, or open when the session ended. */
  incomplete?: boolean;
  reason?: string;
  startSeq: number;
  startTs: number;
  endSeq?: number;
  endTs?: number;
} & EntryContent;

/** A request and, once it has one, its answer. */
export interface RequestState extends RequestOpened {
  openedSeq: number;
  openedTs: number;
  /** Absent: it is open. */
  resolved?: RequestResolved;
  resolvedSeq?: number;
  resolvedTs?: number;
}

/** A prompt that waits. */
export interface QueuedPrompt extends PromptQueued {
  seq: number;
  ts: number;
}

/** A session that works for this one. */
export interface ChildState extends ChildSession {
  seq: number;
  ts: number;
}

/** Sums of token_usage. */
export interface UsageTotals {
  sum: Usage;
  /** The last sessionTotal: what to show where it is there. */
  reported?: Usage;
  cost?: Cost;
}

/** What a session has used so far (spec §4.12). All of it only grows, but for workingSince. */
export interface Spent {
  totalTokens: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningOutputTokens?: number;
  /** Millionths of a US dollar. */
  costMicros: number;
  /** The part of costMicros that the daemon worked out of a price file. */
  estimatedMicros?: number;
  /** That have ended. */
  turns: number;
  /** That have ended. */
  toolCalls: number;
  /** Sessions that were made to work for this one. */
  children: number;
  /** Milliseconds in which a turn ran and no person was waited for. */
  workMs: number;
  /** Unix milliseconds up to which workMs counts, while the session is at work. */
  workingSince?: number;
}

/** How the newest turn of a session that has ended did so, as lists of sessions tell it (spec §6.1). */
export interface LastTurn {
  turnId: string;
  status: TurnStatus;
  cause?: TurnCause;
  /** The beginning, at most 512 bytes, as of the hint. */
  error?: string;
  hint?: string;
}

/** What of a session's files is not as it was written (spec §7.12). */
export interface Damage {
  file: string;
  /** Bytes of the file that are good. */
  offset?: number;
  /** The first event that cannot be read. */
  seq?: number;
  problem: string;
  hint?: string;
}
