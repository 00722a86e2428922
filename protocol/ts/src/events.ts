/** The events of a log (spec §3, §4): one object for each line, its members flat beside seq, ts and type. */

import type { Budget } from './budget.ts';
import type { Delta, EntryContent } from './entries.ts';
import type {
  AgentStatus, Behavior, BudgetAction, BudgetLimit, BudgetScope, BudgetState, EndReason, EventType, Outcome, PolicyAction, PolicyMode, RemoveReason, RequestKind,
  State, ToolKind, TurnCause, TurnStatus, UnknownWord,
} from './words.ts';

/** What every event begins with. */
export interface Envelope {
  /** 1 for the first event of a session; grows by one, without gaps. */
  seq: number;
  /** Unix milliseconds of the daemon's clock; never decreases. */
  ts: number;
}

/** The first event of every log (spec §4.1). */
export interface SessionStart {
  sessionId: string;
  /** The agent's name: an open set. */
  agentBackend: string;
  metadata: Metadata;
}

/** What was known of the session when it was made. */
export interface Metadata {
  model?: string;
  cwd?: string;
  gitBranch?: string;
  gitCommit?: string;
  title?: string;
  labels?: Record<string, string>;
  parentSessionId?: string;
  /** A sub-agent of the parent, which lives on its connection. */
  subAgent?: boolean;
  /** The parent's agent made it. */
  spawned?: boolean;
  /** Its agent is given the daemon's MCP server. */
  mcp?: boolean;
  /** Whose token made it; absent: an administrator's. */
  owner?: string;
  /** mcp: an MCP host made it. */
  via?: string;
  policy?: Policy;
  budget?: Budget;
}

/** What answers approvals in the name of the session's owner (spec §4.10). */
export interface Policy {
  mode?: PolicyMode;
  rules?: PolicyRule[];
  /** Milliseconds that an approval waits for a person. */
  deadline?: number;
  default?: PolicyAction;
}

export interface PolicyRule {
  tool?: string;
  pattern?: string;
  action: PolicyAction;
}

/** The agent is gone. A revived session goes on behind it. */
export interface SessionEnd {
  reason: EndReason;
  error?: string;
  hint?: string;
}

/** What became known or changed: absent members did not change, an empty string and an empty object are values. */
export interface SessionMeta {
  title?: string;
  titleGiven?: boolean;
  model?: string;
  mode?: string;
  pendingModel?: string;
  pendingMode?: string;
  nativeSessionId?: string;
  agentVersion?: string;
  labels?: Record<string, string>;
  capabilities?: string[];
  policy?: Policy;
  budget?: Budget;
}

/** A session works for this one (spec §4.11). */
export interface ChildSession {
  childSessionId: string;
  entryId?: string;
  title?: string;
  nativeSessionId?: string;
  turnId?: string;
  turnStatus?: TurnStatus;
  cause?: TurnCause;
  ended?: EndReason;
}

/** The first event after events that a reader may have seen were lost (spec §2.3). */
export interface Epoch {
  epoch: number;
  reason: string;
}

/** A turn begins; without a prompt where nobody asked for it. */
export interface TurnStart {
  turnId: string;
  prompt?: Prompt;
}

/** What a user asked. */
export interface Prompt {
  text: string;
  images?: string[];
  streamingBehavior?: Behavior;
  promptId?: string;
  clientId?: string;
}

export interface TurnEnd {
  turnId: string;
  status: TurnStatus;
  cause?: TurnCause;
  error?: string;
  hint?: string;
}

/** An entry begins; data is a snapshot of its beginning (spec §4.3). */
export type EntryStart = {
  /** Absent between turns. */
  turnId?: string;
  entryId: string;
  persistentId?: string;
  /** Model round inside the turn, from 1. */
  round?: number;
} & EntryContent;

/** An open entry changes (spec §4.6). */
export interface EntryDelta {
  entryId: string;
  delta: Delta;
}

/** An entry ends; data is its final, authoritative state. */
export type EntryEnd = {
  turnId?: string;
  entryId: string;
  persistentId?: string;
  /** Closed by the daemon and not by the agent: reason says why. */
  incomplete?: boolean;
  reason?: string;
} & EntryContent;

/** The agent's own id of an entry became known (spec §5). */
export interface EntryMeta {
  entryId: string;
  persistentId: string;
}

/** The agent waits for an answer (spec §4.8). */
export interface RequestOpened {
  requestId: string;
  kind: RequestKind;
  turnId?: string;
  entryId?: string;
  /** In a root session's log: the session below it that asks. */
  sessionId?: string;
  toolName?: string;
  toolKind?: ToolKind;
  /** What the tool works on: a command line, paths (one per line), a URL. */
  subject?: string;
  cwd?: string;
  title: string;
  text?: string;
  /** A unified diff of all that the tool would change in files, or its first lines. Absent: it would change none, or the agent does not tell it whole. */
  diff?: string;
  diffTruncated?: boolean;
  diffBytes?: number;
  options?: Option[];
  questions?: Question[];
  /** Of a caller_tool: who offers the tool. */
  callerId?: string;
  /** Of a caller_tool: JSON text, an object. */
  arguments?: string;
  /** Unix milliseconds. */
  deadline?: number;
  default?: PolicyAction;
  /** It reaches into the daemon's own folder: no policy answers it (spec §4.10). */
  guarded?: boolean;
}

/** One answer to choose. */
export interface Option {
  id: string;
  label?: string;
  description?: string;
}

/** One thing asked. */
export interface Question {
  text: string;
  header?: string;
  options?: Option[];
  multiple?: boolean;
  freeText?: boolean;
  prefill?: string;
}

/** A request is answered, withdrawn or expired: once, and the first answer wins. */
export interface RequestResolved {
  requestId: string;
  outcome: Outcome;
  option?: string;
  /** One list for each question: option ids or free text. */
  answers?: string[][];
  message?: string;
  /** client:ID, policy, agent or daemon. */
  by: string;
  /** Where a rule of the policy has decided: its place in the list, from 1 (spec §4.10). */
  rule?: number;
  /** Where the mode of the policy has decided. */
  mode?: PolicyMode;
}

/** A prompt was accepted (spec §4.9). */
export interface PromptQueued {
  promptId: string;
  text: string;
  images?: string[];
  streamingBehavior?: Behavior;
  clientId?: string;
  idempotencyKey?: string;
  /** agent: it stands in the agent's own queue. */
  origin?: string;
  notifySessionId?: string;
}

/** A prompt has another place in the queue: before that one, or the last. */
export interface PromptMoved {
  promptId: string;
  before?: string;
}

/** A prompt left the queue. */
export interface PromptRemoved {
  promptId: string;
  reason: RemoveReason;
  error?: string;
}

/** What one model request used (spec §4.7). */
export interface TokenUsage {
  turnId?: string;
  usage: Usage;
  /** The agent's own running total, as given; it may fall. */
  sessionTotal?: Usage;
  cost?: Cost;
  model?: string;
}

/** Tokens: input includes cached input, output includes reasoning. */
export interface Usage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningOutputTokens?: number;
  totalTokens: number;
}

/** US dollars: as the agent says or, estimated, as the daemon works it out of a price file. */
export interface Cost {
  input: number;
  output: number;
  cacheRead: number;
  total: number;
  /** Of a sum: of a part of it. */
  estimated?: boolean;
}

/** The session's state changed (spec §6). */
export interface Status {
  state: State;
  agentStatus: AgentStatus;
  toolName?: string;
  queuedPrompts?: number;
  /** The agent works and has said nothing for long. */
  stalled?: boolean;
  /** Unix milliseconds of the next try, while retrying. */
  retryAt?: number;
}

/** What is used is near a limit, has reached it, or is away from it again (spec §4.12). */
export interface BudgetMark {
  scope: BudgetScope;
  /** Of a tree: the session at its root; of an owner: its name. */
  of?: string;
  limit: BudgetLimit;
  state: BudgetState;
  spent: number;
  max: number;
  /** Absent: pause. */
  action?: BudgetAction;
}

/** Which members an event type has. */
export interface PayloadByType {
  session_start: SessionStart;
  session_end: SessionEnd;
  session_meta: SessionMeta;
  child_session: ChildSession;
  epoch: Epoch;
  turn_start: TurnStart;
  turn_end: TurnEnd;
  entry_start: EntryStart;
  entry_delta: EntryDelta;
  entry_end: EntryEnd;
  entry_meta: EntryMeta;
  request_opened: RequestOpened;
  request_resolved: RequestResolved;
  prompt_queued: PromptQueued;
  prompt_moved: PromptMoved;
  prompt_removed: PromptRemoved;
  token_usage: TokenUsage;
  status: Status;
  budget: BudgetMark;
}

/** An event of one type. */
export type EventOf<T extends EventType> = Envelope & { type: T } & PayloadByType[T];

/** An event of a type that this version does not know: it has a seq and counts like any other. */
export type UnknownEvent = Envelope & { type: UnknownWord };

/** One numbered line of a session's log. It never changes after append. */
export type LogEvent = { [T in EventType]: EventOf<T> }[EventType] | UnknownEvent;
