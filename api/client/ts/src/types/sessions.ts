// Generated from api/openapi.json by generate.ts. DO NOT EDIT.

import type { Budget, BudgetMark, Damage, LastTurn, Policy, RequestOpened, Spent, Status, Usage } from 'ringmaster-protocol';

/** BudgetWarning says what a budget does not do. */
export interface BudgetWarning {
  /** cost_unknown: a limit of cost does not count what some model uses, since nobody knows what that costs */
  code: 'cost_unknown';
  /** For people */
  detail: string;
  /** What to do */
  hint: string;
}

/** CreatedSession is the new session, and what became of its first prompt. */
export interface CreatedSession extends SessionDetail {
  /** What became of the prompt */
  prompt?: PromptAccepted;
  /** The idempotency key was used before: this is the session that it made then, as it is now */
  repeated?: boolean;
  /** What the budget that was given does not do; absent: it bounds what it says */
  warnings?: BudgetWarning[];
}

/** NewBudget is the budget of a session, new or in the place of the one before (protocol/spec.md §4.12). */
export interface NewBudget {
  /** What is done when a limit is reached; absent: pause */
  action?: 'warn' | 'pause' | 'interrupt' | 'end';
  /** What this session alone may use */
  session?: NewLimits;
  /** What it and all sessions below it may use together */
  tree?: NewLimits;
  /** Percent of a limit from which on it is warned of; absent: 80 */
  warnAt?: number;
}

/** NewEndpoint is an agent that runs already. No answer shows it. */
export interface NewEndpoint {
  /** Kept in the daemon's data folder, for going on after a restart */
  password?: string;
  /** http, https, ws, wss or unix, as the agent listens; on this machine, or a host of --attach-host */
  url: string;
  /** Where the agent asks for one */
  username?: string;
}

/** NewLimits are the most that may be used; what is absent is not bounded. */
export interface NewLimits {
  /** Sessions that are made to work for others; one more is refused */
  children?: number;
  /** Millionths of a US dollar */
  costMicros?: number;
  /** Input and output of model requests */
  tokens?: number;
  /** Tool calls that have ended */
  toolCalls?: number;
  /** Turns that have ended */
  turns?: number;
  /** Milliseconds in which a turn runs and no person is waited for */
  workMs?: number;
}

/** NewPolicy is the policy of a new session (protocol/spec.md §4.10). */
export interface NewPolicy {
  /** Milliseconds that an approval waits for a person; absent: as long as the agent waits */
  deadline?: number;
  /** What is answered then; absent: deny */
  default?: 'deny' | 'deny_stop' | 'allow';
  /** For approvals that no rule answers; absent: ask */
  mode?: 'ask' | 'allow_reads' | 'allow_all' | 'deny_all';
  /** The first that matches answers, before the mode */
  rules?: NewPolicyRule[];
}

/** NewPolicyRule answers the approvals that it matches (protocol/spec.md §4.10). */
export interface NewPolicyRule {
  /** What becomes of the approvals that it matches; ask leaves them to a person */
  action: 'allow' | 'deny' | 'deny_stop' | 'ask';
  /** Glob over the subject: the command line, the path or the URL */
  pattern?: string;
  /** Glob over the tool's name or its kind: read, search, edit, execute, fetch, other */
  tool?: string;
}

/** NewPrompt is a prompt that is wanted: text, images or both. */
export interface NewPrompt {
  /** Who asks, for the log */
  clientId?: string;
  /** For agents with the capability images */
  images?: PromptImage[];
  /** prompt: once this prompt is settled, the session that this one works for is sent a prompt that says so; an agent's own session, where an agent asks */
  notify?: 'prompt';
  /** While a turn runs. steer: goes into it; followUp (the default): waits for its end */
  streamingBehavior?: 'steer' | 'followUp';
  /** What the user wrote */
  text?: string;
}

/** NewSession is the session that is wanted. */
export interface NewSession {
  /** Name of an agent of GET /agents */
  agent: string;
  /** What it may use (protocol/spec.md §4.12); absent: whatever it needs */
  budget?: NewBudget;
  /** Absolute path inside one of the daemon's roots */
  cwd: string;
  /** Where the agent runs already; absent: the daemon starts it */
  endpoint?: NewEndpoint;
  /** Up to 64 labels; keys of at most 128, values of at most 1024 bytes */
  labels?: Record<string, string>;
  /** Gives the agent the daemon's MCP server, with a token for sessions of its own making alone (spec §4.11); for agents with the capability mcp */
  mcp?: boolean;
  /** Mode to start in, in the agent's own words; for agents with the capability modes */
  mode?: string;
  /** Model to start with, in the agent's own words */
  model?: string;
  /** The agent's own id of a session to go on with; absent: a new one */
  nativeSessionId?: string;
  /** The session that this one works for */
  parentSessionId?: string;
  /** What answers approvals (protocol/spec.md §4.10); absent: everything is asked */
  policy?: NewPolicy;
  /** The first prompt: its text alone, or with images */
  prompt?: string | NewPrompt;
  /** For people; stays whatever the agent calls its session */
  title?: string;
}

/** PromptAccepted is what became of a prompt, and from where on it can be read. */
export interface PromptAccepted {
  /** What became of a repeated prompt since it was taken */
  became?: PromptFate;
  /** The position from which this prompt, and the turn it makes, can be read */
  cursor: string;
  /** With --core: whether Core has it already, so that the loss of this machine does not take it; false: not within 300 ms, and the log tells all the same */
  inCore?: boolean;
  /** Place in the queue; 0: it was dispatched at once */
  position: number;
  /** What names it in the log and in the queue */
  promptId: string;
  /** The idempotency key was used before: this is what it got then */
  repeated?: boolean;
  /** Where to read on live */
  stream: string;
}

/** PromptFate is what became of a prompt, as its session's log says. */
export interface PromptFate {
  /** Of a prompt that is settled */
  outcome?: WaitOutcome;
  /** queued: it waits; running: the agent has it; settled: nothing more comes of it, see outcome; unknown: the log cannot be read so far that it tells */
  state: 'queued' | 'running' | 'settled' | 'unknown';
  /** The turn that the prompt made or went into; absent: none */
  turnId?: string;
}

/** PromptImage is an image of a prompt. */
export interface PromptImage {
  /** Base64; at most 10 MiB when decoded */
  data: string;
  /** What its first bytes say as well */
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
}

/** SessionChange is what is to be different: absent members stay as they are. */
export interface SessionChange {
  /** Merged into the labels; a null takes one away */
  labels?: Record<string, string | null>;
  /** Retention leaves the session, and those above and below it; also of a session that has ended */
  pinned?: boolean;
  /** Merged into the policy; null takes it away */
  policy?: { deadline?: number | null; default?: string | null; mode?: string | null; rules?: NewPolicyRule[] | null } | null;
  /** Stays whatever the agent calls its session; null takes it away, and the agent's next one counts again */
  title?: string | null;
}

/** SessionDetail is a session with what moves in it. */
export interface SessionDetail extends SessionSummary {
  /** US dollars, as the agent says */
  cost: number;
  /** Prompts that wait */
  queue: WaitingPrompt[];
  /** Who reads the log now */
  readers: SessionReader[];
  /** What waits for an answer */
  requests: RequestOpened[];
  /** Of all requests to models, added up */
  usage: Usage;
}

/** SessionPage is one page of a list. */
export interface SessionPage {
  /** For after; absent: this was the last page */
  next?: string;
  /** Sessions of other nodes may be missing, or as they were a while ago: Core does not answer, or has more than a node lists */
  partial?: boolean;
  /** The list is at least as new as this: streamSessions with it tells what has changed since. Of several pages, the first one's */
  revision: string;
  /** The newest first */
  sessions: SessionSummary[];
  /** Of all that match */
  total: number;
}

/** SessionReader is one reader of a log. */
export interface SessionReader {
  /** Events not yet sent */
  behind: number;
  /** What it reads for, such as stream */
  name: string;
  /** The last event sent */
  seq: number;
  /** When it began to read */
  since: string;
}

/** SessionSummary is a session as lists show it. */
export interface SessionSummary {
  /** The agent's name */
  agent: string;
  /** What the agent's program says its version is */
  agentVersion?: string;
  /** What it may use; absent: whatever it needs */
  budget?: Budget;
  /** Time of the first event */
  createdAt: string;
  /** The position after the newest event */
  cursor: string;
  /** The working directory, absolute */
  cwd: string;
  /** What of its files is not as it was written: it is read-only for good, and its log ends there */
  damage?: Damage;
  /** Why the session failed */
  endError?: string;
  /** What mends it */
  endHint?: string;
  /** A life of the log: it grows when events were lost */
  epoch: number;
  /** The beginning of the first prompt, in one line of at most 120 bytes: what a session without a title is called by */
  firstPrompt?: string;
  /** What is asked of the session here goes to that node, changes too */
  forwarded?: boolean;
  /** A UUID */
  id: string;
  /** For programs: free keys and values */
  labels?: Record<string, string>;
  /** How the newest turn that has ended did so; absent: none has, as far as is known */
  lastTurn?: LastTurn;
  /** Limits that are near or reached, of its own budget and of those above it */
  marks?: BudgetMark[];
  /** Its agent is given the daemon's MCP server */
  mcp?: boolean;
  /** The agent's own word for how it works */
  mode?: string;
  /** In force, in the agent's own words */
  model?: string;
  /** The agent's own id of the session */
  nativeSessionId?: string;
  /** The node that has the session, nobody: none has; what Core has of it is read here, and changes are refused, unless they go there (forwarded). Absent: this node has it */
  node?: string;
  /** Whose token made it, or the session above it; absent: an administrator's */
  owner?: string;
  /** The session that this one works for */
  parentSessionId?: string;
  /** Chosen, and not in force yet */
  pendingMode?: string;
  /** Chosen, and not in force yet */
  pendingModel?: string;
  /** Retention leaves it, and those above and below it */
  pinned?: boolean;
  /** What answers approvals; absent: everything is asked */
  policy?: Policy;
  /** The journal takes no events: it is damaged, or the disk refuses */
  readOnly?: boolean;
  /** The newest event */
  seq: number;
  /** The agent of its parent session made it; it ends with that session */
  spawned?: boolean;
  /** What it has used, as of its newest change of state or newest model request */
  spent: Spent;
  /** What the session does */
  status: Status;
  /** It is a sub-agent of its parent session, and lives on its connection */
  subAgent?: boolean;
  /** For people */
  title?: string;
  /** How many there were */
  turns: number;
  /** That node is gone, or was not heard of for 30 s: nothing more is to be expected of the session until it is back */
  unreachable?: boolean;
  /** Time of the newest event */
  updatedAt: string;
  /** mcp: an MCP host made it; absent: another client */
  via?: string;
}

/** WaitOutcome is what became of a prompt. */
export interface WaitOutcome {
  /** Text is a beginning, and the whole has so many bytes: the entry has it */
  bytes?: number;
  /** The entry that a cut text is of */
  entryId?: string;
  /** Why it is not completed */
  error?: string;
  /** completed: text is the answer; interrupted: somebody stopped the turn; failed: the agent was lost or has failed; cancelled: the prompt made no turn */
  outcome: 'completed' | 'interrupted' | 'failed' | 'cancelled';
  /** How the agent's last message begins */
  text?: string;
}

/** WaitingPrompt is a prompt of the queue. */
export interface WaitingPrompt {
  /** Who sent it, as the client says */
  clientId?: string;
  /** References of the form sha256:DIGEST;MEDIATYPE, for getSessionImage */
  images?: string[];
  /** The session that gets a prompt once this one is settled */
  notifySessionId?: string;
  /** agent: it waits in the agent's own queue */
  origin?: string;
  /** What names it to move it or to take it out */
  promptId: string;
  /** When it was accepted */
  queuedAt: string;
  /** It is with the agent, which will take it in its running turn */
  sent?: boolean;
  /** What it does while a turn runs. steer: goes into it; followUp (also when absent): waits for its end */
  streamingBehavior?: 'steer' | 'followUp';
  /** What the user wrote */
  text: string;
}
