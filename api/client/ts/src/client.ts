import { formatCursor, type Cursor } from 'ringmaster-protocol';
import type { FollowOptions, Update } from './follow.ts';
import type { Line, LogOptions } from './log.ts';
import { change } from './once.ts';
import { Session } from './session.ts';
import { readMerged, type StreamItem } from './stream.ts';
import type {
  AgentList, Collection, CreatedSession, CreatedToken, Health, Inbox, LoginCode, NativeList, NativeSession, NewCollection, NewDrain, NewLogin, NewOwnerBudget, NewPrompt, NewSession, NewToken, NodeInfo, NodeList, OwnerBudget, OwnerBudgetList, PromptAccepted, Readiness, Reloaded, RootList, SessionPage, StreamRequest,
  TokenInfo, TokenList, WaitAnswer, WaitRequest,
} from './types/index.ts';
import { Webhooks } from './webhooks.ts';
import { answerWithin, Wire, type CallOptions, type ClientOptions, type KeyOptions } from './wire.ts';

/** What filters a list of sessions. */
export interface SessionQuery extends CallOptions {
  agent?: string;
  /** The working directory, absolute. */
  cwd?: string;
  /** Those that work for this one; under: also for those. */
  parent?: string;
  under?: string;
  owner?: string;
  state?: readonly string[];
  active?: boolean;
  /** KEY:VALUE. */
  label?: readonly string[];
  /** A part of title, cwd or id. */
  q?: string;
  limit?: number;
  /** The next of the page before. */
  after?: string;
}

/** The open requests of all sessions: what filters them. */
export interface InboxQuery extends CallOptions {
  kind?: readonly string[];
  agent?: string;
  owner?: string;
  /** The id of a session: requests of those that work for it. */
  under?: string;
  /** KEY:VALUE. */
  label?: readonly string[];
  limit?: number;
}

/** A request of MCP's HTTP transport. */
export interface McpRequest extends CallOptions {
  method: 'GET' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  /** One message. */
  body?: unknown;
}

/** What a merged stream is asked for: cursors may be objects. */
export type StreamWish = Omit<StreamRequest, 'sessions'> & { sessions?: Record<string, string | Cursor> };

/**
 * Talks to one daemon. It keeps no connection between calls. An error is one of these: the daemon refuses (Problem, with a code for programs and a hint for people), no daemon answers (Unreachable), a
 * signal is aborted (its reason), or the answer is not as the protocol wants it (UnexpectedAnswer).
 */
export class Client {
  readonly #wire: Wire;

  constructor(options: ClientOptions) {
    this.#wire = new Wire(options);
  }

  /** Says for people which daemon this is. */
  get where(): string {
    return this.#wire.where;
  }

  /** The way to the daemon. @internal */
  get wire(): Wire {
    return this.#wire;
  }

  /** The session of an id. */
  session(id: string): Session {
    return new Session(this.#wire, id);
  }

  /** Makes a session. The daemon waits a moment for its agent. A session with the key of an earlier one is that one, as it is now, with repeated. */
  create(session: NewSession, o: KeyOptions = {}): Promise<CreatedSession> {
    const { name } = this.#wire;
    const { prompt } = session;
    const first = typeof prompt === 'string' ? { text: prompt } : prompt;
    const body = first === undefined || name === undefined ? session : { ...session, prompt: { clientId: name, ...first } };
    return change(this.#wire, { method: 'POST', path: '/sessions', body }, o);
  }

  /** One page of sessions, the newest first. */
  sessions({ signal, ...query }: SessionQuery = {}): Promise<SessionPage> {
    return this.#wire.json({ method: 'GET', path: '/sessions', query }, signal);
  }

  /** The open requests of all sessions within reach, the longest waiting first. They are answered in their session. */
  inbox({ signal, ...query }: InboxQuery = {}): Promise<Inbox> {
    return this.#wire.json({ method: 'GET', path: '/requests', query: { state: 'open', ...query } }, signal);
  }

  /** Returns once something holds of sessions, or when the time of the request is over: held says which (spec §7.14). It does not call again. */
  wait(request: WaitRequest, o: CallOptions = {}): Promise<WaitAnswer> {
    const patienceMs = (request.timeoutMs ?? 60_000) + answerWithin;
    return this.#wire.json({ method: 'POST', path: '/wait', body: request, patienceMs }, o.signal);
  }

  /** Reads one connection that tells of many sessions (spec §7.13). A Mirror takes it up again when it is lost; this does not, and throws Unreachable. */
  stream({ sessions, ...want }: StreamWish, o: CallOptions = {}): AsyncGenerator<StreamItem, void, undefined> {
    const cursors = sessions && Object.fromEntries(Object.entries(sessions).map(([id, at]) => [id, typeof at === 'string' ? at : formatCursor(at)]));
    return readMerged(this.#wire, cursors === undefined ? want : { ...want, sessions: cursors }, o);
  }

  /** The daemon lives; its version. */
  health(o: CallOptions = {}): Promise<Health> {
    return this.#wire.json({ method: 'GET', path: '/health' }, o.signal);
  }

  /** The daemon takes work; else the Problem says why not. */
  ready(o: CallOptions = {}): Promise<Readiness> {
    return this.#wire.json({ method: 'GET', path: '/ready' }, o.signal);
  }

  /** The agents that the daemon has, and how it knows their processes. */
  agents(o: CallOptions = {}): Promise<AgentList> {
    return this.#wire.json({ method: 'GET', path: '/agents' }, o.signal);
  }

  /** What agents have of their own in a folder, the newest first. */
  async nativeSessions(cwd: string, o: CallOptions & { agent?: string } = {}): Promise<NativeSession[]> {
    const query = { cwd, agent: o.agent };
    return (await this.#wire.json<NativeList>({ method: 'GET', path: '/native-sessions', query }, o.signal)).sessions;
  }

  /** The daemons on the same Core, where there is one. */
  async nodes(o: CallOptions = {}): Promise<NodeInfo[]> {
    return (await this.#wire.json<NodeList>({ method: 'GET', path: '/nodes' }, o.signal)).nodes;
  }

  /** Has a node give its sessions away. 'here' is the daemon's own, and the only one that can be told to. */
  drainNode(node: string, drain: NewDrain = {}, o: KeyOptions = {}): Promise<NodeInfo> {
    return change(this.#wire, { method: 'POST', path: `/nodes/${encodeURIComponent(node)}/drain`, body: drain }, o);
  }

  /** Has a node that drains take sessions again. 'here' is the daemon's own, and the only one that can be told to. */
  joinNode(node: string, o: KeyOptions = {}): Promise<NodeInfo> {
    return change(this.#wire, { method: 'POST', path: `/nodes/${encodeURIComponent(node)}/join` }, o);
  }

  /** Says that a node is gone for good: others can take its sessions then. */
  forgetNode(node: string, o: KeyOptions = {}): Promise<NodeInfo> {
    return change(this.#wire, { method: 'POST', path: `/nodes/${encodeURIComponent(node)}/forget` }, o);
  }

  /** Inside which folders sessions may work. */
  async roots(o: CallOptions = {}): Promise<string[]> {
    return (await this.#wire.json<RootList>({ method: 'GET', path: '/roots' }, o.signal)).roots;
  }

  /** Lets sessions work inside one folder more. The daemon takes it over its unix socket alone. */
  async addRoot(path: string, o: KeyOptions = {}): Promise<string[]> {
    return (await change<RootList>(this.#wire, { method: 'POST', path: '/roots', body: { path } }, o)).roots;
  }

  /** Has the daemon remove what need not be kept, or say what that is. The answer comes when the removal has begun. */
  collect(by: NewCollection, o: KeyOptions = {}): Promise<Collection> {
    return change(this.#wire, { method: 'POST', path: '/gc', body: by }, o);
  }

  /** Has the daemon read its configuration again, over its unix socket alone. */
  reload(o: KeyOptions = {}): Promise<Reloaded> {
    return change(this.#wire, { method: 'POST', path: '/config/reload' }, o);
  }

  /** Opens the daemon's counters, in the text format of Prometheus. */
  metrics(o: CallOptions = {}): Promise<Response> {
    return this.#wire.do({ method: 'GET', path: '/metrics' }, o.signal);
  }

  /** A profile of the daemon, packed, for go tool pprof; profile looks for ten seconds at where the processor's time goes. For the scope admin. The body is the caller's to read. */
  profile(which: 'allocs' | 'goroutine' | 'heap' | 'profile' | 'threadcreate', o: CallOptions = {}): Promise<Response> {
    return this.#wire.do({ method: 'GET', path: `/debug/pprof/${which}` }, o.signal);
  }

  /** The webhooks of this token; with the scope admin all. */
  get webhooks(): Webhooks {
    return new Webhooks(this.#wire);
  }

  /** The valid tokens, the oldest first. */
  async tokens(o: CallOptions = {}): Promise<TokenInfo[]> {
    return (await this.#wire.json<TokenList>({ method: 'GET', path: '/tokens' }, o.signal)).tokens;
  }

  /** Makes a token. Its secret is in no later answer: where the first one was lost, the Problem answer_gone says that the token is there, with what to look at. */
  createToken(token: NewToken, o: KeyOptions = {}): Promise<CreatedToken> {
    return change(this.#wire, { method: 'POST', path: '/tokens', body: token }, o);
  }

  /** Makes a token void. */
  revokeToken(id: string, o: KeyOptions = {}): Promise<void> {
    return change(this.#wire, { method: 'DELETE', path: `/tokens/${encodeURIComponent(id)}` }, o);
  }

  /** The budgets of all owners that have one. */
  async ownerBudgets(o: CallOptions = {}): Promise<OwnerBudget[]> {
    return (await this.#wire.json<OwnerBudgetList>({ method: 'GET', path: '/budgets' }, o.signal)).budgets;
  }

  /** What the sessions of an owner may use together, and have used. */
  ownerBudget(owner: string, o: CallOptions = {}): Promise<OwnerBudget> {
    return this.#wire.json({ method: 'GET', path: `/budgets/${encodeURIComponent(owner)}` }, o.signal);
  }

  /** Replaces what the sessions of an owner may use together. */
  setOwnerBudget(owner: string, budget: NewOwnerBudget, o: KeyOptions = {}): Promise<OwnerBudget> {
    return change(this.#wire, { method: 'PUT', path: `/budgets/${encodeURIComponent(owner)}`, body: budget }, o);
  }

  /** Takes the budget of an owner away, with its count. */
  removeOwnerBudget(owner: string, o: KeyOptions = {}): Promise<void> {
    return change(this.#wire, { method: 'DELETE', path: `/budgets/${encodeURIComponent(owner)}` }, o);
  }

  /** Asks for a code that logs a page in: once, within a minute (spec §7.15). */
  askLogin(o: CallOptions = {}): Promise<LoginCode> {
    return this.#wire.json({ method: 'POST', path: '/logins' }, o.signal);
  }

  /** Trades a code for a token, as a page does. It needs no token. The secret is in no later answer. */
  login(login: NewLogin, o: CallOptions = {}): Promise<CreatedToken> {
    return this.#wire.json({ method: 'POST', path: '/login', body: login }, o.signal);
  }

  /** Makes the client's own token void, where it is one that login gave. */
  endLogin(o: KeyOptions = {}): Promise<void> {
    return change(this.#wire, { method: 'DELETE', path: '/login' }, o);
  }

  /** Sends one request of MCP's HTTP transport. The answer is as it came, whatever its status. */
  mcp({ signal, ...request }: McpRequest): Promise<Response> {
    return this.#wire.request({ ...request, path: '/mcp' }, signal);
  }

  /** Short for session(id).log. */
  log(id: string, o: LogOptions = {}): AsyncGenerator<Line, void, undefined> {
    return this.session(id).log(o);
  }

  /** Short for session(id).follow. */
  follow(id: string, o: FollowOptions = {}): AsyncGenerator<Update, void, undefined> {
    return this.session(id).follow(o);
  }

  /** Short for session(id).prompt. */
  prompt(id: string, prompt: NewPrompt, o: KeyOptions = {}): Promise<PromptAccepted> {
    return this.session(id).prompt(prompt, o);
  }
}
