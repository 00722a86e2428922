import type { Cursor } from './cursor.ts';
import type { BudgetMark, Envelope, EventOf, LogEvent, SessionEnd, Status } from './events.ts';
import { applyDelta, setContent } from './foldentry.ts';
import type { JSONObject } from './json.ts';
import { payloadShapes, sums } from './shapes.ts';
import type { ChildState, EntryState, QueuedPrompt, RequestState, SessionState, TurnState } from './state.ts';
import { sessionState } from './stateshapes.ts';
import { count, nothing } from './spent.ts';
import { addCost, addUsage, noCost, noUsage } from './usage.ts';
import { pick, wire } from './wire.ts';
import { isEnded } from './words.ts';

/** The number of the fold, as protocol/foldversion.go of the Go package says: a state that was stored by another one is folded anew from its lines. */
export const foldVersion = 2;

type Lists = 'turns' | 'entries' | 'requests' | 'queue' | 'children' | 'marks';

/** A state while it is folded: its lists are always there. */
export type LiveState = Omit<SessionState, Lists> & Required<Pick<SessionState, Lists>>;

/**
 * Folds the events of one session into its state (spec §10.1). It is total: it tolerates missing starts, deltas and ends, unknown types and unknown deltas, and
 * never fails. It keeps parts of the events, which must not change afterwards, and changes none of them.
 */
export class Fold {
  /** The state after the last event. It may be read between two events, and must not be changed; toJSON gives a copy to keep. */
  readonly state: LiveState = {
    sessionId: '', agentBackend: '', metadata: {}, epoch: 0, seq: 0, ts: 0, turns: [], entries: [], requests: [], queue: [], children: [], marks: [],
    usage: { sum: noUsage() },
  };
  readonly #turns = new Map<string, TurnState>();
  readonly #entries = new Map<string, EntryState>();
  readonly #requests = new Map<string, RequestState>();

  /** Begins before the first event, or goes on from a state: one that GET /sessions/{id}/state answered, or of toJSON. It is copied. */
  constructor(from?: SessionState) {
    if (from !== undefined) {
      const { damage: _, part: __, ...state } = wire(from as unknown as JSONObject, sessionState, sums);
      Object.assign(this.state, state);
    }
    this.#index();
  }

  #index(): void {
    for (const turn of this.state.turns) {
      this.#turns.set(turn.turnId, turn);
    }
    for (const entry of this.state.entries) {
      this.#entries.set(entry.entryId, entry);
    }
    for (const request of this.state.requests) {
      this.#requests.set(request.requestId, request);
    }
  }

  /** Goes on from a state that nobody else has or changes, such as one that was read a moment ago. It is not copied, which of a long log takes as long as reading it. */
  static of(state: SessionState): Fold {
    const fold = new Fold();
    const { damage: _, part: __, ...own } = state;
    Object.assign(fold.state, own);
    fold.#index();
    return fold;
  }

  /** Folds the next event. One whose seq is not above the state's changes nothing, and the answer is false: an event that comes twice counts once. */
  apply(e: LogEvent): boolean {
    const s = this.state;
    if (e.seq <= s.seq) {
      return false;
    }
    s.seq = e.seq;
    s.ts = e.ts;
    s.epoch = Math.max(s.epoch, 1);
    this.#count(e);
    switch (e.type) {
      case 'session_start':
        this.#begin(e);
        break;
      case 'session_end':
        this.#end(e);
        break;
      case 'session_meta':
        this.#meta(e);
        break;
      case 'child_session':
        this.#child(e);
        break;
      case 'epoch':
        s.epoch = Math.max(s.epoch, e.epoch);
        break;
      case 'turn_start':
        this.#turnOf(e, e.turnId).prompt = e.prompt;
        break;
      case 'turn_end':
        this.#endTurn(e);
        break;
      case 'entry_start':
        this.#startEntry(e);
        break;
      case 'entry_delta': {
        const x = this.#entries.get(e.entryId);
        if (x?.open) {
          applyDelta(x, e.delta);
        }
        break;
      }
      case 'entry_end':
        this.#endEntry(e);
        break;
      case 'entry_meta': {
        const x = this.#entries.get(e.entryId);
        if (x !== undefined) {
          x.persistentId = e.persistentId;
        }
        break;
      }
      case 'request_opened':
        this.#openRequest(e);
        break;
      case 'request_resolved':
        this.#resolveRequest(e);
        break;
      case 'prompt_queued':
        this.#dequeue(e.promptId);
        s.queue.push({ ...pick(e, payloadShapes.prompt_queued), seq: e.seq, ts: e.ts });
        break;
      case 'prompt_moved':
        this.#requeue(e);
        break;
      case 'prompt_removed':
        this.#dequeue(e.promptId);
        break;
      case 'token_usage':
        this.#use(e);
        break;
      case 'status':
        s.status = pick<Status>(e, payloadShapes.status);
        if (!isEnded(e.state)) {
          s.end = undefined;
        }
        break;
      case 'budget':
        this.#mark(e);
        break;
    }
    return true;
  }

  /** Where the log goes on after this state. */
  get cursor(): Cursor {
    return { epoch: Math.max(this.state.epoch, 1), seq: this.state.seq };
  }

  /** The requests that wait for an answer, in the order in which they were opened. */
  get openRequests(): RequestState[] {
    return this.state.requests.filter((r) => r.resolved === undefined);
  }

  turn(turnId: string): TurnState | undefined {
    return this.#turns.get(turnId);
  }

  entry(entryId: string): EntryState | undefined {
    return this.#entries.get(entryId);
  }

  request(requestId: string): RequestState | undefined {
    return this.#requests.get(requestId);
  }

  /** A copy to keep, or to store: the body that GET /sessions/{id}/state would answer. */
  toJSON(): SessionState {
    return wire(this.state as unknown as JSONObject, sessionState, sums) as unknown as SessionState;
  }

  #begin(e: EventOf<'session_start'>): void {
    const { sessionId, agentBackend, metadata } = e;
    const { title, model, labels, policy, budget } = metadata;
    Object.assign(this.state, { sessionId, agentBackend, metadata, title, model, labels, policy, budget });
  }

  /** Also marks open entries as incomplete: no event closes them, unless the session is revived. */
  #end(e: EventOf<'session_end'>): void {
    this.state.end = pick<SessionEnd>(e, payloadShapes.session_end);
    for (const x of this.state.entries) {
      if (x.open) {
        x.incomplete = true;
      }
    }
  }

  #meta(e: EventOf<'session_meta'>): void {
    const { titleGiven: _, ...told } = pick(e, payloadShapes.session_meta);
    Object.assign(this.state, told);
  }

  /** Adds to what the session has used. It comes before the rest of the fold, which has the event's turn and child by then. */
  #count(e: LogEvent): void {
    if (e.type === 'entry_delta') { // the most frequent of all, and of no account
      return;
    }
    const s = this.state;
    const fresh = e.type === 'child_session' && !s.children.some((c) => c.childSessionId === e.childSessionId);
    const newest = s.turns.at(-1);
    const spent = s.spent ?? nothing();
    if (count(spent, e, newest !== undefined && !newest.endSeq, fresh)) {
      s.spent = spent;
    }
  }

  #child(e: EventOf<'child_session'>): void {
    const { children } = this.state;
    const i = children.findIndex((c) => c.childSessionId === e.childSessionId);
    const { seq, ts } = children[i] ?? e;
    const child: ChildState = { ...pick(e, payloadShapes.child_session), seq, ts };
    children.splice(i < 0 ? children.length : i, 1, child);
  }

  /** Finds a turn, or opens it: its start may be missing. */
  #turnOf(e: Envelope, turnId: string): TurnState {
    let turn = this.#turns.get(turnId);
    if (turn === undefined) {
      turn = { turnId, startSeq: e.seq, startTs: e.ts, entries: [] };
      this.#turns.set(turnId, turn);
      this.state.turns.push(turn);
    }
    return turn;
  }

  #endTurn(e: EventOf<'turn_end'>): void {
    const { status, cause, error, hint } = e;
    Object.assign(this.#turnOf(e, e.turnId), { status, cause, error, hint, endSeq: e.seq, endTs: e.ts });
  }

  /** Finds an entry, or makes it at the end of its turn and of the session, and gives it the data of the event. */
  #content(e: EventOf<'entry_start'> | EventOf<'entry_end'>): EntryState {
    let x = this.#entries.get(e.entryId);
    if (x === undefined) {
      const { entryId, turnId, entryType, data } = e;
      x = { entryId, turnId, startSeq: e.seq, startTs: e.ts, entryType, data } as EntryState;
      this.#entries.set(entryId, x);
      this.state.entries.push(x);
      if (turnId) {
        (this.#turnOf(e, turnId).entries ??= []).push(entryId);
      }
    }
    setContent(x, e);
    return x;
  }

  #startEntry(e: EventOf<'entry_start'>): void {
    Object.assign(this.#content(e), { open: true, incomplete: false, reason: undefined, round: e.round, endSeq: undefined, endTs: undefined });
  }

  #endEntry(e: EventOf<'entry_end'>): void {
    Object.assign(this.#content(e), { open: false, incomplete: e.incomplete, reason: e.reason, endSeq: e.seq, endTs: e.ts });
  }

  #openRequest(e: EventOf<'request_opened'>): void {
    const { requests } = this.state;
    const old = this.#requests.get(e.requestId);
    const request: RequestState = { ...pick(e, payloadShapes.request_opened), openedSeq: e.seq, openedTs: e.ts };
    requests.splice(old === undefined ? requests.length : requests.indexOf(old), 1, request);
    this.#requests.set(e.requestId, request);
  }

  /** Keeps the first answer. An answer whose request was never seen is of no use to a client, and is dropped. */
  #resolveRequest(e: EventOf<'request_resolved'>): void {
    const request = this.#requests.get(e.requestId);
    if (request !== undefined && request.resolved === undefined) {
      Object.assign(request, { resolved: pick(e, payloadShapes.request_resolved), resolvedSeq: e.seq, resolvedTs: e.ts });
    }
  }

  /** Keeps what was said last of each limit, unless there is nothing to say of it any more. */
  #mark(e: EventOf<'budget'>): void {
    const mark: BudgetMark = pick(e, payloadShapes.budget);
    const marks = [...this.state.marks];
    const at = marks.findIndex((m) => m.scope === mark.scope && (m.of ?? '') === (mark.of ?? '') && m.limit === mark.limit);
    if (mark.state !== 'lifted') {
      marks.splice(at < 0 ? marks.length : at, 1, mark);
    } else if (at >= 0) {
      marks.splice(at, 1);
    }
    this.state.marks = marks;
  }

  #dequeue(promptId: string): void {
    this.state.queue = this.state.queue.filter((q) => q.promptId !== promptId);
  }

  /** Moves a prompt before another one; to the end where that one does not wait. */
  #requeue(e: EventOf<'prompt_moved'>): void {
    const { queue } = this.state;
    const before = e.before ?? '';
    const moved = queue.find((q) => q.promptId === e.promptId);
    if (moved === undefined || e.promptId === before) {
      return;
    }
    const rest: QueuedPrompt[] = queue.filter((q) => q !== moved);
    const to = rest.findIndex((q) => q.promptId === before);
    rest.splice(to < 0 ? rest.length : to, 0, moved);
    this.state.queue = rest;
  }

  #use(e: EventOf<'token_usage'>): void {
    const { usage } = this.state;
    addUsage(usage.sum, e.usage);
    usage.reported = e.sessionTotal ?? usage.reported;
    if (e.cost !== undefined) {
      addCost((usage.cost ??= noCost()), e.cost);
    }
    const turn = this.#turns.get(e.turnId ?? '');
    if (turn !== undefined) {
      addUsage((turn.usage ??= noUsage()), e.usage);
    }
  }
}
