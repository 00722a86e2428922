// Generated from api/openapi.json by generate.ts. DO NOT EDIT.

import type { Budget, BudgetMark, RequestOpened, Spent } from 'ringmaster-protocol';
import type { BudgetWarning, WaitingPrompt } from './sessions.ts';

/** ChoiceTaken says when a choice takes effect. */
export interface ChoiceTaken {
  /** When it takes effect. now: from the next model request on; next_turn: so the agent says; when_idle: when the running turn has ended; at_start: when the agent is ready */
  applied: 'now' | 'next_turn' | 'when_idle' | 'at_start';
}

/** ClientNote says who asks, and for what. */
export interface ClientNote {
  /** Who asks, for the log */
  clientId?: string;
  /** The one turn that is to stop, where it is the one that runs; absent: whichever runs */
  turnId?: string;
}

/** EndSession says why a session is ended. */
export interface EndSession {
  /** For the log */
  reason?: string;
}

/** Inbox is what all sessions within reach wait for. */
export interface Inbox {
  /** The longest waiting first */
  requests: InboxRequest[];
  /** Of the list that this is from: for revision of streamSessions */
  revision: string;
  /** Of all that match, also where there are more than the limit */
  total: number;
}

/** InboxRequest is a request of one session, with what it takes to know which one that is. It is answered in that session. */
export interface InboxRequest {
  /** Its agent */
  agent: string;
  /** The position of the event that has opened it */
  cursor: string;
  /** Its working directory */
  cwd: string;
  /** What a session without a title is called by */
  firstPrompt?: string;
  /** Its labels */
  labels?: Record<string, string>;
  /** Since when it waits */
  openedAt: string;
  /** Its owner */
  owner?: string;
  /** What is asked */
  request: RequestOpened;
  /** The session that asks */
  sessionId: string;
  /** Its title */
  title?: string;
}

/** InterruptAccepted is the turn that will end. */
export interface InterruptAccepted {
  /** The turn that was told to stop; absent: nothing was running */
  turnId?: string;
}

/** LostEnd is the end of a log that another node has taken over without it. */
export interface LostEnd {
  /** When it was set aside */
  at: string;
  /** Of its newest event */
  epoch: number;
  /** How many it has */
  events: number;
  /** Its first event; those before it are in the log */
  firstSeq: number;
  /** Its newest event */
  lastSeq: number;
  /** Names it in GET /sessions/{id}/lost/{name} */
  name: string;
}

/** LostList are the ends of a session's log that its node had, and that are not in the log. */
export interface LostList {
  /** The oldest first */
  lost: LostEnd[];
}

/** ModeChoice is the mode that is wanted. */
export interface ModeChoice {
  /** One of GET /sessions/{id}/modes */
  mode: string;
  /** now (the default), as far as the agent can; idle: when no turn runs */
  when?: 'now' | 'idle';
}

/** ModelChoice is the model that is wanted. */
export interface ModelChoice {
  /** One of GET /sessions/{id}/models, or another that the agent knows */
  model: string;
  /** now (the default): from the next model request on, as far as the agent can; idle: when no turn runs */
  when?: 'now' | 'idle';
}

/** OfferedChoice is a model or a mode that can be chosen. */
export interface OfferedChoice {
  /** In the agent's own words */
  id: string;
  /** For people */
  label?: string;
}

/** OfferedModels is what models there are, and which one is in force. */
export interface OfferedModels {
  /** The agent takes no others. Otherwise it may know further ones, and says so itself. */
  all: boolean;
  /** false: no agent runs, or it has not said what it offers */
  known: boolean;
  /** In force */
  model?: string;
  /** What the agent offers */
  models: OfferedChoice[];
  /** Chosen, and not in force yet */
  pending?: string;
}

/** OfferedModes is what modes there are, and which one is in force. */
export interface OfferedModes {
  /** false: no agent runs, or it has not said what it offers */
  known: boolean;
  /** In force */
  mode?: string;
  /** The agent takes no others */
  modes: OfferedChoice[];
  /** Chosen, and not in force yet */
  pending?: string;
}

/** PromptList is the queue of a session. */
export interface PromptList {
  /** In order: the first is dispatched first */
  prompts: WaitingPrompt[];
}

/** PromptMoved is where a prompt has gone. */
export interface PromptMoved {
  /** Its place in the queue, from 1 */
  position: number;
  /** The prompt */
  promptId: string;
}

/** PromptPlace is where a prompt is to go: before another one, or to a position. */
export interface PromptPlace {
  /** The prompt that is to follow it; null: it is to be the last */
  before?: string | null;
  /** Its new place, from 1; beyond the end: the last */
  position?: number;
}

/** RawLine is one native line of a session (protocol/spec.md §7.11). */
export interface RawLine {
  /** Lines that were taken together have the same one */
  batch?: number;
  /** The line: a JSON object as it was, anything else as a JSON string of it */
  data: unknown;
  /** out: the agent's line; in: a line to the agent; err: of its standard error; meta: a connection begins or ends; note: what is missing */
  dir: 'out' | 'in' | 'err' | 'meta' | 'note';
  /** The first event that the line's batch became; absent where it became none */
  from?: number;
  /** Which of the session's connections to its agent, from 1 */
  incarnation: number;
  /** The number of the line in the session's archive, from 1 */
  line: number;
  /** Unix ms */
  t_ms: number;
  /** The last one */
  to?: number;
}

/** RequestAnswer is an answer to what the agent asks. */
export interface RequestAnswer {
  /** Of questions: one list each, in order, of option ids or free text */
  answers?: string[][];
  /** Who answers, for the log */
  clientId?: string;
  /** For the agent, where it takes one; of a call that failed: why */
  message?: string;
  /** Of an approval: the id of one of its options */
  option?: string;
  /** May be left out where option, answers or result say it */
  outcome?: 'allowed' | 'denied' | 'answered' | 'failed' | 'cancelled';
  /** Of the call of a caller tool: what it has given, any JSON */
  result?: unknown;
}

/** RequestList is what a session waits for. */
export interface RequestList {
  /** In the order in which they were opened */
  requests: RequestOpened[];
}

/** RequestResolution is how a request was resolved. */
export interface RequestResolution {
  /** Who answered, as the log names it */
  by: string;
  /** With --core: whether Core has it already, so that the loss of this machine does not take it; false: not within 300 ms, and the log tells all the same */
  inCore?: boolean;
  /** Of an approval: what the agent was told */
  option?: string;
  /** What became of it */
  outcome: 'allowed' | 'denied' | 'answered' | 'failed' | 'cancelled' | 'expired';
  /** The request */
  requestId: string;
}

/** SessionBudget is what a session may use, and what it and those below it have used. */
export interface SessionBudget {
  /** Absent: it may use whatever it needs */
  budget?: Budget;
  /** Limits that are near or reached, of its own budget and of those above it */
  marks: BudgetMark[];
  /** What the session has used */
  spent: Spent;
  /** What it and all sessions below it have used together, those that were deleted among them */
  tree: Use;
  /** What the budget does not do; absent: it bounds what it says */
  warnings?: BudgetWarning[];
}

/** Use is what is used of each thing that has a limit. */
export interface Use {
  /** Sessions that were made to work for others */
  children: number;
  /** Millionths of a US dollar */
  costMicros: number;
  /** Input and output of model requests */
  tokens: number;
  /** That have ended */
  toolCalls: number;
  /** That have ended */
  turns: number;
  /** Milliseconds at work, up to now */
  workMs: number;
}
