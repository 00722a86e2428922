// Generated from api/openapi.json by generate.ts. DO NOT EDIT.

import type { BudgetMark, Limits } from 'ringmaster-protocol';
import type { BudgetWarning, NewLimits } from './sessions.ts';
import type { OfferedChoice, Use } from './session.ts';

/** Agent is one row of the capability matrix and what was found on this machine. */
export interface Agent {
  /** It takes no others. Otherwise it may know further ones. */
  allModels: boolean;
  /** Sessions can be created with it */
  available: boolean;
  /** What it can do */
  capabilities: AgentCapabilities;
  /** When it was looked for */
  checkedAt: string;
  /** What mends it */
  hint?: string;
  /** What the newest session of it that has told offers */
  models: OfferedChoice[];
  /** false: no session of it has told since the daemon was started */
  modelsKnown: boolean;
  /** It takes no others */
  modes: OfferedChoice[];
  /** false: likewise of modes */
  modesKnown: boolean;
  /** What createSession takes */
  name: string;
  /** Why it cannot be used */
  problem?: string;
  /** The binary that was found */
  program?: string;
  /** The version is in the range that the adapter was tested with */
  tested: boolean;
  /** What the binary says its version is */
  version?: string;
}

/** AgentCapabilities is what an agent was seen to do. */
export interface AgentCapabilities {
  /** The answers to approvals that it supports */
  approvals: string[];
  /** Can be attached to where it runs already */
  attach: boolean;
  /** Reports cost */
  cost: boolean;
  /** Takes images in prompts */
  images: boolean;
  /** Can be given the daemon's MCP server */
  mcp: boolean;
  /** The model can be switched in a running session */
  models: boolean;
  /** So can the mode */
  modes: boolean;
  /** Asks the user */
  questions: boolean;
  /** Has a queue of its own. It is not used: prompts wait in the session's. */
  queue: boolean;
  /** Goes on with its own session after its process was lost */
  resume: boolean;
  /** One process serves many sessions */
  shared: boolean;
  /** Takes messages into a running turn */
  steer: boolean;
  /** Has sub-agents, which are sessions of their own */
  subAgents: boolean;
  /** Reports tokens */
  usage: boolean;
}

/** AgentList is every agent that the daemon knows. */
export interface AgentList {
  /** In the order of their names */
  agents: Agent[];
  /** How processes that agents have begun are known, so that they end with their agent */
  processes: Processes;
}

/** Collection is what retention removes. */
export interface Collection {
  /** Of how many further sessions the native lines alone go */
  archives: number;
  /** It goes, from now on; false: it would */
  begun: boolean;
  /** Bytes that they have on the disk */
  freed: number;
  /** What goes, in order: the first 1000 */
  going: Going[];
  /** The rule: bytes of all sessions; absent: any number */
  keepBytes?: number;
  /** The rule: how long sessions stay; absent: for ever */
  keepFor?: string;
  /** How many sessions go */
  sessions: number;
  /** How many sessions stay in any case, with their trees, by what keeps them, such as pinned */
  stays: Record<string, number>;
  /** Bytes that all sessions have on the disk */
  total: number;
}

/** CoreState says how far Core has the logs of a daemon's sessions. A daemon takes work also while Core does not answer. */
export interface CoreState {
  /** Events that are shown here and that Core is not known to have */
  behind: number;
  /** What mends it */
  hint?: string;
  /** For how long the oldest of what waits has waited, in milliseconds */
  lagMs: number;
  /** Why Core is of no use until somebody mends it; absent: it answers, or is merely away */
  problem?: string;
  /** Sessions of which nothing can be sent: the daemon's log says why */
  stuck: number;
  /** Core answers */
  up: boolean;
  /** Sessions of which Core may lack something that can be sent */
  waiting: number;
}

/** CreatedToken is a new token with its secret. */
export interface CreatedToken extends TokenInfo {
  /** The bearer token. It is shown this once: only its hash is kept. */
  token: string;
}

/** Going is one session that goes, or its native lines. */
export interface Going {
  /** On the disk */
  bytes: number;
  /** age: older than is kept. bytes: there are too many. disk: too little of the disk is free */
  reason: 'age' | 'bytes' | 'disk';
  /** The session */
  sessionId: string;
  /** Time of the newest event of the session, and of those above and below it */
  since: string;
  /** What of it goes */
  what: 'session' | 'native_lines';
}

/** Health says that the process answers. */
export interface Health {
  /** Always ok: a daemon that is not does not answer */
  status: 'ok';
  /** Of the program */
  version: string;
}

/** LoginCode is a code that logs a page in, once. */
export interface LoginCode {
  /** What login takes */
  code: string;
  /** A minute after it was made */
  expiresAt: string;
  /** Of the page that takes the code, behind the daemon's address. The code is in its fragment, which no request has; another path of a page may stand before it */
  path: string;
}

/** A message of JSON-RPC 2.0, as MCP uses it: a request and a notification have a method, a response has a result or an error. */
export interface McpMessage {
  /** Of a response: an object of code, message and data; data is a Problem where the daemon has one */
  error?: unknown;
  /** A text or a number that the answer repeats; absent: a notification */
  id?: unknown;
  /** The version of JSON-RPC */
  jsonrpc: '2.0';
  /** What is asked for, such as tools/call */
  method?: string;
  /** What belongs to the method: an object */
  params?: unknown;
  /** Of a response: an object */
  result?: unknown;
}

/** NativeList is what agents have in one folder. */
export interface NativeList {
  /** The newest first, at most 200 */
  sessions: NativeSession[];
}

/** NativeSession is a session that an agent has of its own. */
export interface NativeSession {
  /** The agent that has it */
  agent: string;
  /** Where it worked */
  cwd: string;
  /** What createSession takes to go on with it */
  nativeSessionId: string;
  /** The session of this daemon that works with it and has not ended: a second one is refused */
  sessionId?: string;
  /** What the agent calls it, or the beginning of its first prompt; one line of at most 120 bytes */
  title?: string;
  /** When the agent wrote to it last */
  updatedAt: string;
}

/** NewCollection asks for what retention removes. */
export interface NewCollection {
  /** Say what would go, and remove nothing */
  dryRun?: boolean;
  /** All sessions together may have so many bytes on the disk; absent, with keepFor: as the daemon is configured */
  keepBytes?: number;
  /** Sessions at rest stay for so long after their newest event, such as 720h; absent, with keepBytes: as the daemon is configured */
  keepFor?: string;
}

/** NewLogin is a page that has a code. */
export interface NewLogin {
  /** Of askLogin */
  code: string;
  /** How the list of tokens names the page */
  name: string;
}

/** NewOwnerBudget is what the sessions of an owner may use together, in the place of what they might before. */
export interface NewOwnerBudget {
  /** What is done with each of its sessions when a limit is reached; absent: pause */
  action?: 'warn' | 'pause' | 'interrupt' | 'end';
  /** Count from now on; absent: go on counting from where the owner got a budget first */
  anew?: boolean;
  /** At least one */
  limits: NewLimits;
  /** Percent of a limit from which on it is warned of; absent: 80 */
  warnAt?: number;
}

/** NewRoot is a folder that is to be added. */
export interface NewRoot {
  /** Absolute path of a folder that is there */
  path: string;
}

/** NewToken is the token that is wanted. */
export interface NewToken {
  /** Absent: never */
  expiresAt?: string;
  /** Who or what will have it */
  name: string;
  /** Whose sessions, with the scopes owner and owner:ro */
  owner?: string;
  /** admin: everything; owner: makes sessions, and reads and changes those of its owner; with :ro it only reads */
  scope: 'admin' | 'admin:ro' | 'owner' | 'owner:ro';
}

/** OwnerBudget is what the sessions of an owner may use together, and what they have used. */
export interface OwnerBudget {
  /** What is done when a limit is reached; absent: pause */
  action?: 'warn' | 'pause' | 'interrupt' | 'end';
  /** Absent: they may use whatever they need */
  limits?: Limits;
  /** Limits that are near or reached */
  marks: BudgetMark[];
  /** Whose sessions */
  owner: string;
  /** From then on it counts; absent: there is no budget */
  since?: string;
  /** What its sessions have used since, deleted ones among them; without a budget, what those have used that are there */
  spent: Use;
  /** Percent of a limit from which on it is warned of; absent: 80 */
  warnAt?: number;
  /** What the budget does not do; absent: it bounds what it says */
  warnings?: BudgetWarning[];
}

/** OwnerBudgetList has all owners that have a budget, by name. */
export interface OwnerBudgetList {
  /** By the names of their owners */
  budgets: OwnerBudget[];
}

/** Processes is how those are known that agents have begun, besides by their process group, their environment and their parents. */
export interface Processes {
  /** Those whose parents have ended come to the daemon */
  adopted: boolean;
  /** Each agent begins in a control group of its own */
  cgroups: boolean;
  /** They carry a mark that does not go with the environment */
  marked: boolean;
}

/** Readiness says that a daemon takes work, and how much it has. */
export interface Readiness {
  /** Running agent processes */
  agents: number;
  /** How far Core has the sessions' logs; absent: there is no Core */
  core?: CoreState;
  /** Sessions that are read-only because their journal is damaged */
  damaged: number;
  /** In memory */
  live: number;
  /** Always true: a daemon that is not answers with 503 */
  ready: boolean;
  /** Known */
  sessions: number;
}

/** Reloaded is what became of a configuration that was read again. */
export interface Reloaded {
  /** Names of the settings that have changed and are in effect */
  applied: string[];
  /** Where it was read; absent where the daemon has none */
  file?: string;
  /** Names of the settings that have changed and take effect when the daemon is restarted */
  restart: string[];
}

/** RootList says where sessions may work. */
export interface RootList {
  /** Sessions may work inside these folders; links are followed */
  roots: string[];
}

/** TokenInfo is a token without its secret. */
export interface TokenInfo {
  /** Of a page that is logged in: the id of the token that asked for it, with which it is void; admin is the daemon's own */
  askedBy?: string;
  /** When it was made */
  createdAt: string;
  /** Absent: never */
  expiresAt?: string;
  /** What revokeToken takes */
  id: string;
  /** Who or what has it */
  name: string;
  /** Whose sessions, with the scopes owner and owner:ro */
  owner?: string;
  /** What it may do */
  scope: 'admin' | 'admin:ro' | 'owner' | 'owner:ro';
}

/** TokenList is the tokens that people have made, and those of pages. */
export interface TokenList {
  /** That are valid, the oldest first */
  tokens: TokenInfo[];
}
