import type { Change, SessionSummary } from 'ringmaster-client';
import type { Kept, Reading, Stored } from './kept.ts';
import { answerSize, Outbox, most, stateSize } from './outbox.ts';
import { isBehind, Place } from './place.ts';
import { Roster } from './roster.ts';
import type { Tab } from './tab.ts';
import { Wanted, type Source } from './wanted.ts';
import type { Answer, Ask, Batch, Keeping, Link, Question, Told } from './words.ts';
import type { Cursor } from 'ringmaster-protocol';

/** What the hub has done. */
export interface Around extends Source { // behind a glance, glanced is called; behind a follow, opened
  send(tab: string, batch: Batch): void;
  /** A tab says that it is worth a try now. */
  wake(): void;
}

/**
 * Hands what one stream brings on to all tabs of a browser, to each what it wants. It decides, and does nothing: the leader's worker has the stream, the disk and the channels.
 *
 * A tab begins with what is there first: the state that is stored, or else the daemon's. The log is followed when it has that, so that a long log keeps nobody waiting: to follow it means to go through the stored lines and to read
 * the others, which takes the processor and the connection that the beginning needs.
 *
 * A tab is sent at most a mebibyte more than it has said to have taken. What comes meanwhile is not kept for it: it gets the state when it has caught up, and the lines behind that.
 */
export class Hub {
  readonly #kept: Kept;
  readonly #around: Around;
  readonly #tabs = new Map<string, Tab>();
  readonly #wanted: Wanted;
  readonly #roster = new Roster();
  #link: Link = 'connecting';
  #since: number | undefined; // the daemon was heard up to then, and is away
  readonly #keeps: Keeping;
  #end: Told | undefined;

  constructor(kept: Kept, keeps: Keeping, around: Around) {
    this.#kept = kept;
    this.#keeps = keeps;
    this.#around = around;
    this.#wanted = new Wanted(around);
  }

  /** The sessions that tabs want and the list does not have yet, and those of the list, of which those that changed last are first. */
  get known(): string[] {
    const { latest } = this.#roster;
    return [...[...this.#wanted.ids].filter((id) => !latest.includes(id)), ...latest];
  }

  /** How far a log is read that a tab wants, and how far the list says that it is; undefined: all that can be had of it is here. */
  reading(id: string): Reading | undefined {
    const of = this.#roster.seq(id) ?? Infinity, seq = this.#kept.at(id)?.seq ?? 0;
    return this.#link === 'away' || this.#wanted.stage(id) === undefined || seq >= of ? undefined : { seq, of };
  }

  /** The list as it is now. */
  get roster(): SessionSummary[] {
    return this.#roster.sessions;
  }

  /** Up to when the daemon was heard that is away now, in Unix milliseconds; undefined: it is heard, or never was. */
  get since(): number | undefined {
    return this.#since;
  }

  /** A tab is there, or begins anew. */
  join(id: string): void {
    this.leave(id);
    const tab: Tab = { places: new Map(), out: new Outbox((batch) => this.#around.send(id, batch)), owesRoster: false };
    this.#tabs.set(id, tab);
    tab.out.put({ type: 'keeps', keeps: this.#keeps });
    if (this.#roster.asOf !== 0) {
      tab.out.put(this.#list());
    }
    tab.out.put(this.#linked());
    if (this.#end !== undefined) {
      tab.out.put(this.#end);
    }
  }

  /** A tab has gone. */
  leave(id: string): void {
    if (this.#tabs.delete(id)) {
      this.#letGo();
    }
  }

  /** Takes what a tab asks for. */
  ask(id: string, ask: Exclude<Ask, Question>): void {
    const tab = this.#tabs.get(id);
    if (tab === undefined) {
      return;
    }
    switch (ask.type) {
      case 'want':
        return this.#want(tab, ask.at);
      case 'taken':
        tab.out.taken(ask.n);
        return this.#catchUp(tab);
      case 'wake':
        return this.#around.wake();
    }
  }

  /** Hands an answer to the tab that has asked. */
  answer(id: string, answer: Answer): void {
    this.#tabs.get(id)?.out.put(answer, answer.type === 'past' ? stateSize : answerSize * (1 + answer.hits.length));
  }

  /** What is stored of a session was looked for. */
  glanced(id: string, found: Stored): void {
    const isFirst = this.#wanted.glanced(id);
    this.#each(id, (tab, place) => {
      const waits = place.stage === 'begin' && this.#wanted.stage(id) !== 'open'; // what is open is newer
      if (waits && typeof found === 'object' && this.#isNear(id, found.at)) {
        this.#begin(tab, id, place, found.at, found.state);
      } else if (waits && isFirst && (found === 'lines' || this.#link === 'away')) {
        this.#wanted.follow(id);
      } else if (waits && isFirst) {
        this.#askFor(tab, id, place);
      }
    });
  }

  /** All that is stored of a session is there. */
  opened(id: string): void {
    if (this.#wanted.opened(id)) {
      this.#each(id, (tab, place) => this.#look(tab, id, place));
    }
  }

  /** Takes what the mirror tells. */
  take(change: Change): void {
    switch (change.type) {
      case 'session':
        this.#roster.put(change.session);
        return this.#tell({ type: 'session', session: change.session });
      case 'gone':
        this.#roster.delete(change.id);
        return this.#tell({ type: 'gone', id: change.id });
      case 'line':
        return this.#each(change.id, (tab, place) => this.#line(tab, change.id, place, change.at, change.line));
      case 'overflow':
        return this.#each(change.id, ({ out }, { stage }) => (stage === 'lines' && out.size <= most ? out.overflow(change) : undefined));
      case 'restored':
        return this.#each(change.id, (tab, place) => this.#look(tab, change.id, place));
      case 'reset':
        return this.#each(change.id, (tab, place) => {
          if (place.stage === 'lines' || place.stage === 'behind') {
            tab.out.put({ type: 'reset', id: change.id, at: place.at });
            place.begin();
            this.#look(tab, change.id, place);
          }
        });
      case 'notice':
        return this.#each(change.id, (tab) => tab.out.put({ type: 'notice', id: change.id, notice: change.notice }));
    }
  }

  /** The whole list: that of the daemon, or as it was kept. */
  list(sessions: readonly SessionSummary[], asOf?: number): void {
    this.#roster.replace(sessions, asOf);
    for (const tab of this.#tabs.values()) {
      tab.out.put(this.#list());
    }
  }

  /** The link is like this from now on, in Unix milliseconds. Whether that is another state of it. */
  link(link: Link, now: number): boolean {
    if (link === this.#link) {
      return false;
    }
    this.#since = link === 'away' && this.#link === 'live' ? now : undefined;
    this.#link = link;
    for (const tab of this.#tabs.values()) {
      tab.out.put(this.#linked());
      for (const [id, place] of tab.places) {
        if (place.stage === 'none' || (link === 'away' && place.stage === 'daemon')) {
          place.begin();
          this.#enter(tab, id, place);
        }
      }
    }
    return true;
  }

  /** The daemon gives nothing any more. */
  refused(why: string, isOver: boolean): void {
    this.#end = { type: 'refused', why, isOver };
    for (const tab of this.#tabs.values()) {
      tab.out.put(this.#end);
    }
  }

  /** Sends what there is for tabs. */
  flush(): void {
    for (const tab of this.#tabs.values()) {
      tab.out.flush();
    }
  }

  #want(tab: Tab, at: Record<string, Cursor | null>): void {
    for (const id of tab.places.keys()) {
      if (!Object.hasOwn(at, id)) {
        tab.places.delete(id);
      }
    }
    for (const [id, cursor] of Object.entries(at)) {
      let place = tab.places.get(id);
      if (place === undefined) {
        tab.places.set(id, (place = new Place()));
      }
      if (cursor !== null) {
        this.#wanted.follow(id);
      }
      if (place.wants(cursor)) {
        this.#enter(tab, id, place);
      }
    }
    this.#letGo();
  }

  /** Sees to it that a tab which wants a session gets what there is. */
  #enter(tab: Tab, id: string, place: Place): void {
    const stage = this.#wanted.stage(id);
    if (stage === 'open' || place.stage !== 'begin') {
      this.#look(tab, id, place);
    } else if (stage === 'glanced' && this.#link === 'away') {
      this.#wanted.follow(id);
    } else if (stage === undefined || stage === 'glanced') {
      this.#wanted.glance(id);
    }
  }

  /** Follows no longer what no tab wants. */
  #letGo(): void {
    this.#wanted.keep((id) => [...this.#tabs.values()].some(({ places }) => places.has(id)));
  }

  /** Looks at what a tab needs that has, or may have, less than is kept. */
  #look(tab: Tab, id: string, place: Place): void {
    if (this.#wanted.stage(id) !== 'open') {
      return;
    }
    const at = this.#kept.at(id) ?? { epoch: 1, seq: 0 };
    if (place.stage === 'lines') {
      if (isBehind(place.at, at)) {
        this.#state(tab, id, place, at);
      }
    } else if (place.stage === 'begin') {
      if (at.seq > 0 && this.#isNear(id, at)) {
        this.#state(tab, id, place, at);
      } else if (this.#link === 'away') {
        place.stage = 'none';
        tab.out.put({ type: 'none', id });
      } else {
        this.#askFor(tab, id, place);
      }
    }
  }

  /** What is stored up to a position is good to begin with: it is not far behind the list, or it is all that there is. */
  #isNear(id: string, at: Cursor): boolean {
    return this.#link === 'away' || this.#roster.isNear(id, at.seq);
  }

  #askFor(tab: Tab, id: string, place: Place): void {
    place.stage = 'daemon';
    tab.out.put({ type: 'ask', id });
  }

  #begin(tab: Tab, id: string, place: Place, at: Cursor, state: string): void {
    place.goOn(at);
    tab.out.put({ type: 'state', id, at, state }, stateSize);
  }

  #state(tab: Tab, id: string, place: Place, at: Cursor): void {
    if (tab.out.size > most) {
      place.stage = 'behind';
      return;
    }
    const state = this.#kept.state(id);
    if (state === undefined) {
      this.#askFor(tab, id, place);
    } else {
      this.#begin(tab, id, place, at, state);
    }
  }

  #line(tab: Tab, id: string, place: Place, at: Cursor, line: string): void {
    if (place.stage !== 'lines' || !isBehind(place.at, at)) {
      return;
    }
    if (!place.isNext(at)) {
      this.#look(tab, id, place);
    } else if (tab.out.size > most) {
      place.stage = 'behind';
    } else {
      place.at = at;
      tab.out.line(id, at, line);
    }
  }

  /** A tab that was behind has room: it gets how things are now. */
  #catchUp(tab: Tab): void {
    if (tab.out.size > most / 2) {
      return;
    }
    if (tab.owesRoster) {
      tab.owesRoster = false;
      tab.out.put(this.#list());
    }
    for (const [id, place] of tab.places) {
      if (place.stage === 'behind') {
        place.stage = 'lines';
        this.#look(tab, id, place);
      }
    }
  }

  #tell(told: Told): void {
    for (const tab of this.#tabs.values()) {
      if (tab.owesRoster || tab.out.size > most) {
        tab.owesRoster = true;
      } else {
        tab.out.put(told);
      }
    }
  }

  #linked(): Told {
    return { type: 'link', link: this.#link, ...(this.#since === undefined ? {} : { since: this.#since }) };
  }

  #list(): Told {
    const { sessions, asOf } = this.#roster;
    return { type: 'roster', sessions, ...(asOf === undefined ? {} : { asOf }) };
  }

  #each(id: string, act: (tab: Tab, place: Place) => void): void {
    for (const tab of this.#tabs.values()) {
      const place = tab.places.get(id);
      if (place !== undefined) {
        act(tab, place);
      }
    }
  }
}
