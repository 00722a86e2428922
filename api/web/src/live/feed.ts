import { batch, signal, type Signal } from '@preact/signals';
import { Client, type Agent, type SessionSummary } from 'ringmaster-client';
import { decodeEvent, EventSyntaxError, recallState, type Cursor, type LogEvent } from 'ringmaster-protocol';
import { isBehind } from '../tabs/place.ts';
import type { Keeping, Link, Told } from '../tabs/words.ts';
import { Followed } from './followed.ts';
import { onceAFrame } from './frame.ts';
import { Inbox } from './inbox.ts';
import { Keeper } from './keeper.ts';
import { Questions } from './questions.ts';
import { keepSeen } from './seen.ts';
import { saysPart, stateOf } from './state.ts';

export type { Link } from '../tabs/words.ts';

/** How many logs are kept at once: the one that is shown, and those that were shown last. */
const mostFollowed = 4;

/** How long it takes at most, in milliseconds, until a session whose log is void is told to be gone, where it is: it is asked for only then. */
const goneWithin = 100;

/** How long a browser has to itself, in milliseconds, to draw a state before the log behind it is read. */
const drawnWithin = 200;

/** All that the page has of the daemon: what its worker tells, which is the list of all sessions and the logs of those that are looked at; and what it asks the daemon for itself. */
export class Feed {
  readonly client: Client;
  readonly link: Signal<Link> = signal('connecting');
  /** Where this tab has its stream from; waits: not known as yet. */
  readonly role: Signal<'waits' | (Told & { type: 'source' })['role']> = signal('waits');
  /** What was read stays in this browser, or goes with the page. */
  readonly keeps: Signal<Keeping> = signal('memory');
  /** The list is as of then, in Unix milliseconds: this browser has kept it, or the daemon is away since. 0: it is as it is now. */
  readonly listAsOf = signal(0);
  /** The sessions by their ids; another map when one has changed. */
  readonly sessions: Signal<ReadonlyMap<string, SessionSummary>> = signal(new Map());
  /** There is a list, of the daemon or as it was kept. */
  readonly isListed = signal(false);
  /** The daemon's agents by their names: what each can do. */
  readonly agents: Signal<ReadonlyMap<string, Agent>> = signal(new Map());
  readonly inbox: Inbox;
  /** Is told that a session was deleted. */
  onGone: (id: string) => void = () => undefined;
  /** What the leader is asked once: searches, and states of the past. */
  readonly questions = new Questions((ask) => this.#keeper.ask(ask));
  readonly #keeper: Keeper;
  #roster = new Map<string, SessionSummary>();
  readonly #anew = new WeakSet<Followed>(); // whose log is void, and that are not asked for since
  #isDaemons = false; // the list; or it is one that was kept
  readonly #followed = new Map<string, Followed>();
  readonly #onRefused: (why: string, isOver: boolean) => void;
  readonly #wake = (): void => this.#keeper.ask({ type: 'wake' });
  readonly #wantSoon = onceAFrame(() => setTimeout(() => this.#want(), drawnWithin));
  readonly #drawRoster = onceAFrame(() => (this.sessions.value = new Map(this.#roster)));

  /** onRefused is told why the daemon gives nothing any more, and whether that is for good: the login is over. */
  constructor(token: string, name: string, onRefused: (why: string, isOver: boolean) => void) {
    this.#onRefused = onRefused;
    this.client = new Client({ base: location.origin, token, name });
    this.inbox = new Inbox(this.client);
    this.#keeper = new Keeper(token, (told) => this.#take(told), () => onRefused('This page cannot start its worker. Load it again to go on.', false));
    this.#readAgents();
    addEventListener('online', this.#wake);
    addEventListener('pageshow', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
  }

  #readAgents(): void {
    this.client.agents().then(({ agents }) => {
      this.agents.value = new Map(agents.map((a) => [a.name, a]));
    }, () => undefined); // what is not known is not offered
  }

  /** Reads the log of a session from now on, where it is not read yet. */
  follow(id: string): Followed {
    const known = this.#followed.get(id);
    const f = known ?? new Followed(id, this.#roster.get(id)?.seq ?? 1);
    this.#followed.delete(id);
    this.#followed.set(id, f); // the last one looked at
    const old = [...this.#followed.keys()].slice(0, -mostFollowed);
    old.forEach((one) => this.#followed.delete(one));
    if (known === undefined || old.length > 0) {
      this.#want();
    }
    return f;
  }

  /** These sessions are shown: of the logs that are kept theirs go last. */
  show(ids: readonly string[]): void {
    for (const id of ids) {
      const f = this.#followed.get(id);
      if (f !== undefined) {
        this.#followed.delete(id);
        this.#followed.set(id, f);
      }
    }
  }

  /** Ends it; what was read is stored. */
  async close(): Promise<void> {
    removeEventListener('online', this.#wake);
    removeEventListener('pageshow', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    this.inbox.close();
    await this.#keeper.close();
  }

  /** Says which logs are wanted, and how far each is here. */
  #want(without?: Followed): void {
    const wanted = [...this.#followed.values()].filter((f) => f !== without);
    this.#keeper.ask({ type: 'want', at: Object.fromEntries(wanted.map((f) => [f.id, f.at ?? null])) });
  }

  #take(told: Told): void {
    switch (told.type) {
      case 'source':
        this.role.value = told.role;
        this.#want();
        return this.questions.again();
      case 'found':
      case 'past':
        return this.questions.take(told);
      case 'keeps':
        this.keeps.value = told.keeps;
        return;
      case 'link':
        return this.#linked(told.link, told.since);
      case 'refused':
        this.link.value = 'away';
        return this.#onRefused(told.isOver ? 'This login is over.' : `${told.why} Load this page again to go on.`, told.isOver);
      case 'roster':
        return this.#list(told.sessions, told.asOf);
      case 'session':
        return this.#listed(told.session);
      case 'gone':
        this.#roster.delete(told.id);
        this.#drawRoster();
        this.onGone(told.id);
        return this.inbox.look();
      default: {
        const f = this.#followed.get(told.id);
        return f === undefined ? undefined : this.#about(f, told);
      }
    }
  }

  /** Takes what is told of a session that is looked at. */
  #about(f: Followed, told: Extract<Told, { type: 'state' | 'lines' | 'overflow' | 'reset' | 'ask' | 'none' | 'notice' }>): void {
    switch (told.type) {
      case 'state':
        return this.#begin(f, told.at, told.state);
      case 'lines':
        if (!f.take(told.epoch, told.from, told.lines.map(decoded))) {
          this.#want(f); // something is missing: anew
          this.#want();
        }
        return;
      case 'overflow':
        return f.flow(told.overflow);
      case 'reset':
        if (f.at === undefined || !isBehind(told.at, f.at)) {
          f.reset();
          this.#anew.add(f);
        }
        return;
      case 'ask':
        setTimeout(() => void this.#ask(f), this.#anew.delete(f) ? goneWithin : 0);
        return;
      case 'none':
        if (f.at !== undefined) {
          return; // it has begun meanwhile
        }
        f.trouble.value = 'The daemon does not answer, and this browser has kept nothing of this session.';
        f.isWhole.value = true;
        return;
      case 'notice':
        f.trouble.value = troubles[told.notice] ?? f.trouble.value;
        f.isWhole.value ||= told.notice === 'damaged'; // nothing more comes
    }
  }

  /** Begins with the state that the worker has, and says so when it is drawn: the log behind it is read then. */
  #begin(f: Followed, at: Cursor, state: string): void {
    if (f.isBefore(at)) {
      f.begin(recallState(state), at, this.link.peek() === 'away');
      this.#wantSoon();
    }
  }

  /** Begins with the state that the daemon has folded, and goes on with the log from there: a long log is thousands of events for each row of it. */
  async #ask(f: Followed): Promise<void> {
    if (f.isAsking || (this.isListed.peek() && !this.#roster.has(f.id))) {
      return; // of one that was deleted there is nothing to be had
    }
    f.isAsking = true;
    const state = await stateOf(this.client.session(f.id)).catch((error: unknown) => (error instanceof Error && error.name === 'Unreachable' ? 'away' : undefined));
    f.isAsking = false;
    if (this.#followed.get(f.id) !== f || state === 'away') {
      return; // the link tells when it is worth another try
    }
    if (state === undefined || state.damage !== undefined) {
      f.at ??= { epoch: 1, seq: 0 }; // by its lines
    } else if (f.isBefore(state)) {
      f.begin(state, { epoch: state.epoch, seq: state.seq }, true);
      f.trouble.value = saysPart(state);
      return this.#wantSoon();
    }
    this.#want();
  }

  /** since: when a daemon was last heard that is away now, where whoever tells it has heard it. */
  #linked(link: Link, since = Date.now()): void {
    this.link.value = link;
    if (this.#isDaemons && (link === 'live' || (link === 'away' && this.listAsOf.peek() === 0))) {
      this.listAsOf.value = link === 'live' ? 0 : since;
    }
    if (link !== 'live') {
      return;
    }
    this.inbox.look();
    if (this.agents.peek().size === 0) {
      this.#readAgents();
    }
    if ([...this.#followed.values()].some((f) => f.at === undefined)) {
      this.#want();
    }
  }

  /** The whole list: the daemon's, or the kept one where there is none yet. */
  #list(sessions: readonly SessionSummary[], asOf: number | undefined): void {
    if (asOf !== undefined && this.#isDaemons) {
      return; // what is shown is newer
    }
    this.#isDaemons = asOf === undefined;
    const before = [...this.#roster.keys()];
    this.#roster = new Map(sessions.map((s) => [s.id, s]));
    batch(() => {
      this.listAsOf.value = asOf ?? 0;
      this.isListed.value = true;
      this.sessions.value = new Map(this.#roster);
    });
    if (asOf === undefined) {
      before.filter((id) => !this.#roster.has(id)).forEach((id) => this.onGone(id)); // of which no word came
      keepSeen(new Set(this.#roster.keys()));
      this.inbox.look();
    }
  }

  /** A session that asks something, or has ceased to, is what the list of requests follows. */
  #listed(s: SessionSummary): void {
    const before = this.#roster.get(s.id);
    this.#roster.set(s.id, s);
    this.#drawRoster();
    if (this.isListed.peek() && (asks(s) || (before !== undefined && asks(before)) || this.inbox.has(s.id))) {
      this.inbox.look();
    }
  }
}

function asks(s: SessionSummary): boolean {
  return s.status.state === 'awaiting_approval' || s.status.state === 'awaiting_input';
}

/** The event of a line; undefined: it is one of a later version. */
function decoded(line: string): LogEvent | undefined {
  try {
    return decodeEvent(line);
  } catch (problem) {
    if (problem instanceof EventSyntaxError) {
      return undefined;
    }
    throw problem;
  }
}

const troubles: Record<string, string> = {
  unavailable: 'The daemon cannot give this log now; it is asked again.',
  damaged: 'This log is damaged on the daemon’s disk: what you see ends early.',
  uncached: 'This browser has no room for this session: offline it is not there.',
};
