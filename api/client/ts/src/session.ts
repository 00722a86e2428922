import { decodeState, EventSyntaxError, formatCursor, LineError, LineReader, type Cursor, type RequestOpened, type SessionState } from 'ringmaster-protocol';
import { Connection } from './connection.ts';
import { UnexpectedAnswer } from './errors.ts';
import { follow, type FollowOptions, type Update } from './follow.ts';
import { extentOf, logCall, readLines, type Line, type LogOptions } from './log.ts';
import { change } from './once.ts';
import type {
  ChoiceTaken, InterruptAccepted, LostEnd, LostList, ModeChoice, ModelChoice, NewBudget, NewPrompt, OfferedModels, OfferedModes, PromptAccepted, PromptList, PromptMoved, PromptPlace, RawLine, RequestAnswer, RequestList,
  RequestResolution, SessionBudget, SessionChange, SessionDetail, WaitingPrompt,
} from './types/index.ts';
import type { CallOptions, KeyOptions, Wire } from './wire.ts';

/** Which native lines are wanted. */
export interface RawOptions extends CallOptions {
  /** seqs of the events that they became. */
  from?: number;
  to?: number;
  dir?: RawLine['dir'];
}

/** A log on its way, as the bytes of its lines. */
export interface LogBody {
  /** Of the last event that will come. */
  version: number;
  epoch: number;
  /** The last line is no event but the signal of this damage; absent: nothing is damaged. */
  damage?: string;
  /** To be read to its end, or cancelled. */
  body: ReadableStream<Uint8Array>;
}

/** One session of a daemon, by its id; Client.session makes one. Whether there is such a session the daemon says at each call. */
export class Session {
  readonly id: string;
  readonly #wire: Wire;

  /** @internal */
  constructor(wire: Wire, id: string) {
    this.#wire = wire;
    this.id = id;
  }

  /** The session with what moves in it: its queue, its open requests, its readers. */
  show(o: CallOptions = {}): Promise<SessionDetail> {
    return this.#json('GET', '', undefined, o);
  }

  /** Changes title, labels and policy: absent members stay as they are. */
  change(patch: SessionChange, o: KeyOptions = {}): Promise<SessionDetail> {
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    return change(this.#wire, { method: 'PATCH', path: this.#path(), body: patch, headers }, o);
  }

  /** Ends the session, and returns when its agent has gone. */
  end(o: KeyOptions & { reason?: string } = {}): Promise<SessionDetail> {
    return this.#change('POST', '/end', o.reason === undefined ? undefined : { reason: o.reason }, o);
  }

  /** Ends the session, where it has not ended, and removes its log. */
  remove(o: KeyOptions = {}): Promise<void> {
    return this.#change('DELETE', '', undefined, o);
  }

  /** Tells the running turn to stop; the answer has no turnId where none was running. */
  interrupt(o: KeyOptions = {}): Promise<InterruptAccepted> {
    return this.#change('POST', '/interrupt', this.#wire.name === undefined ? undefined : { clientId: this.#wire.name }, o);
  }

  /**
   * The state folded up to a cursor; absent: up to the newest event. With entries it is a page of it: at most so many of the newest entries that began before an event (before; absent: the newest of
   * all, and everything that is open), with the turns and requests of their part of the log. part.from is before for the page that comes before, until it is part.oldest (spec §7.8).
   */
  async state(o: CallOptions & { at?: Cursor; entries?: number; before?: number } = {}): Promise<SessionState> {
    const at = o.at !== undefined && o.at.seq > 0 ? formatCursor(o.at) : undefined;
    const text = await this.#wire.text({ method: 'GET', path: this.#path('/state'), query: { at, entries: o.entries, before: o.before } }, o.signal);
    try {
      return decodeState(text);
    } catch (cause) {
      throw cause instanceof EventSyntaxError ? new UnexpectedAnswer(`the daemon's state: ${cause.message}`, { cause }) : cause;
    }
  }

  /**
   * Reads the log from a cursor on, up to the newest event that there is when it begins. It throws the Problem cursor_reset where the cursor is not of this log (spec §7.5), damaged where the log
   * ends early on the daemon's disk, and Unreachable where the connection is lost.
   */
  log(o: LogOptions = {}): AsyncGenerator<Line, void, undefined> {
    return readLines(this.#wire, this.#path(), o);
  }

  /** Opens the log as NDJSON, for those who keep its bytes. */
  async openLog(o: LogOptions = {}): Promise<LogBody> {
    const response = await this.#wire.do(logCall(this.#path(), o), o.signal);
    const damage = response.headers.get('X-Session-Damage');
    return { ...extentOf(response), ...(damage === null ? {} : { damage }), body: response.body ?? new Blob().stream() };
  }

  /**
   * Reads the log live from a cursor on. A connection that is lost is taken up again for as long as the loop goes on, after waits that grow from 0 over 0.25 s to 30 s with chance in them.
   *
   * It ends when the session is over and everything was read. It throws when the daemon refuses (Problem), when there was no daemon at the first try (Unreachable), and when the
   * daemon left out an event (UnexpectedAnswer). Leaving the loop closes the connection.
   */
  follow(o: FollowOptions = {}): AsyncGenerator<Update, void, undefined> {
    return follow(this.#wire, this.#path(), o);
  }

  /**
   * Sends a prompt, and returns when the daemon has it. The prompt has a key, by which the daemon knows one that is sent twice: where the connection is lost before the answer, it is
   * sent again, for as long as patienceMs says, and no second turn comes of it. A prompt with the key of an earlier one of this session gets that one's receipt, with repeated, and with what
   * became of that one since. The Problem uncertain says that the session's log is damaged and may have had the prompt.
   *
   * When it gives up, the error is an Unreachable whose sent says that the prompt may have been taken: a prompt with the same key finds out.
   */
  prompt(prompt: NewPrompt, o: KeyOptions = {}): Promise<PromptAccepted> {
    return this.#change('POST', '/prompts', { ...this.#named(), ...prompt }, o);
  }

  /** The prompts that wait, in order. */
  async prompts(o: CallOptions = {}): Promise<WaitingPrompt[]> {
    return (await this.#json<PromptList>('GET', '/prompts', undefined, o)).prompts;
  }

  /** Gives a prompt that waits another place. */
  move(promptId: string, to: PromptPlace, o: KeyOptions = {}): Promise<PromptMoved> {
    return this.#change('POST', `/prompts/${escaped(promptId)}/move`, to, o);
  }

  /** Takes a prompt out of the queue. */
  cancel(promptId: string, o: KeyOptions = {}): Promise<void> {
    return this.#change('DELETE', `/prompts/${escaped(promptId)}`, undefined, o);
  }

  /** What the session waits for, in the order in which it was asked. */
  async requests(o: CallOptions = {}): Promise<RequestOpened[]> {
    return (await this.#json<RequestList>('GET', '/requests', undefined, o)).requests;
  }

  /** Answers a request; the first answer wins. */
  answer(requestId: string, answer: RequestAnswer, o: KeyOptions = {}): Promise<RequestResolution> {
    return this.#change('POST', `/requests/${escaped(requestId)}`, { ...this.#named(), ...answer }, o);
  }

  /** The models that the agent offers. */
  models(o: CallOptions = {}): Promise<OfferedModels> {
    return this.#json('GET', '/models', undefined, o);
  }

  /** The modes that the agent offers. */
  modes(o: CallOptions = {}): Promise<OfferedModes> {
    return this.#json('GET', '/modes', undefined, o);
  }

  /** What the session may use, and what it and those below it have used. */
  budget(o: CallOptions = {}): Promise<SessionBudget> {
    return this.#json('GET', '/budget', undefined, o);
  }

  /** Replaces what the session may use; a budget without limits takes it away. */
  setBudget(budget: NewBudget, o: KeyOptions = {}): Promise<SessionBudget> {
    return this.#change('PUT', '/budget', budget, o);
  }

  /** Chooses the model. */
  setModel(choice: ModelChoice, o: KeyOptions = {}): Promise<ChoiceTaken> {
    return this.#change('POST', '/model', choice, o);
  }

  /** Chooses the mode. */
  setMode(choice: ModeChoice, o: KeyOptions = {}): Promise<ChoiceTaken> {
    return this.#change('POST', '/mode', choice, o);
  }

  /** Reads native lines (spec §7.11). first is the number of the oldest one that is kept. */
  async raw(o: RawOptions = {}): Promise<{ first: number; lines: AsyncGenerator<RawLine, void, undefined> }> {
    const query = { from: o.from, to: o.to, dir: o.dir };
    const connection = await Connection.begin(this.#wire, { method: 'GET', path: this.#path('/raw'), query }, o.signal);
    return { first: Number(connection.response.headers.get('X-Raw-First-Line') ?? 1), lines: rawLines(connection) };
  }

  /** Has the daemon's node go on with the session, which no node has, or of which the node is gone. */
  take(o: KeyOptions = {}): Promise<void> {
    return this.#change('POST', '/take', undefined, o);
  }

  /** The ends of the session's log that the daemon's node had, and another one went on without. */
  async lost(o: CallOptions = {}): Promise<LostEnd[]> {
    return (await this.#json<LostList>('GET', '/lost', undefined, o)).lost;
  }

  /** Opens one of them: NDJSON. */
  lostEnd(name: string, o: CallOptions = {}): Promise<Response> {
    return this.#wire.do({ method: 'GET', path: this.#path(`/lost/${escaped(name)}`) }, o.signal);
  }

  /** Opens the whole text of an entry that has ended, also where the log has only its beginning. */
  entryText(entryId: string, o: CallOptions = {}): Promise<Response> {
    return this.#wire.do({ method: 'GET', path: this.#path(`/entries/${escaped(entryId)}/text`) }, o.signal);
  }

  /** Opens an image that an event names, by its digest: the part of the reference between "sha256:" and ";". */
  image(digest: string, o: CallOptions = {}): Promise<Response> {
    return this.#wire.do({ method: 'GET', path: this.#path(`/images/${escaped(digest)}`) }, o.signal);
  }

  #path(rest = ''): string {
    return `/sessions/${escaped(this.id)}${rest}`;
  }

  #named(): { clientId?: string } {
    return this.#wire.name === undefined ? {} : { clientId: this.#wire.name };
  }

  #change<T>(method: string, rest: string, body: unknown, o: KeyOptions): Promise<T> {
    return change(this.#wire, { method, path: this.#path(rest), body }, o);
  }

  #json<T>(method: string, rest: string, body: unknown, o: CallOptions): Promise<T> {
    return this.#wire.json<T>({ method, path: this.#path(rest), body }, o.signal);
  }
}

async function* rawLines(connection: Connection): AsyncGenerator<RawLine, void, undefined> {
  try {
    const reader = new LineReader(Infinity);
    for (let bytes = await connection.next(); bytes !== undefined; bytes = await connection.next()) {
      for (const line of reader.push(bytes)) {
        if (line instanceof LineError) {
          throw new UnexpectedAnswer(`the daemon's native lines: ${line.message}`, { cause: line });
        }
        yield JSON.parse(line.text) as RawLine;
      }
    }
  } finally {
    connection.close();
  }
}

/** A part of a path. An empty one and dots alone would lead elsewhere. */
function escaped(part: string): string {
  if (/^\.{0,2}$/.test(part)) {
    throw new TypeError(`${JSON.stringify(part)} is no id`);
  }
  return encodeURIComponent(part);
}
