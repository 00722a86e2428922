import type { Cursor } from 'ringmaster-protocol';
import type { Effect, Notice } from './effect.ts';
import type { Answer, FrameInput, Input, Open, ResetInput } from './input.ts';
import { Kept } from './kept.ts';
import { beforeOldest, isForeign, nowhere, start } from './position.ts';
import { Tries } from './tries.ts';

/**
 * Where a session stands.
 *
 * - closed: nothing is wanted
 * - connecting: what follows the position was asked for
 * - live: it is being read
 * - waiting: a retry is due later
 * - over: ended, and everything was read; asked for again when the list says that it moved
 * - aside: the merged stream has let go of it, since it does not match any more; its position stays good
 * - refused: the token may not read it
 * - gone: there is no such session
 */
export type Phase = 'closed' | 'connecting' | 'live' | 'waiting' | 'over' | 'aside' | 'refused' | 'gone';

/**
 * Decides how a client keeps one session (spec §10.5): what it asks the daemon for, what it shows and what it stores. The machine decides and does nothing: it has no clock, no disk and no network.
 * A shell around it has these, and keeps five rules:
 *
 * - It carries out all effects of a step, in their order, before it gives the next input.
 * - When a store among them failed, the next input is store_failed; when a read met what is no line of the run, or a rewind failed, it is unreadable. Any other input says that all went well.
 * - Behind a disconnect, and behind the input lost, it gives nothing that the old connection has brought.
 * - It gives due when the time of a wait is over, and lost when a connection was silent for 45 s (spec §7.4).
 * - It gives tick about once a second, at the end of a turn, and before its program is put to sleep.
 *
 * The fixtures of protocol/testdata/sync say what each input leads to; the Go package api/client/sync runs the same files.
 */
export class Machine {
  #phase: Phase = 'closed';
  readonly #kept = new Kept((effect) => this.#emit(effect));
  #tries = new Tries();
  #jitter = 0; // of this step
  #out: Effect[] = []; // of this step

  get phase(): Phase {
    return this.#phase;
  }

  /** The position that a connection would begin at: that of the last line shown. */
  get at(): Cursor {
    return this.#kept.at;
  }

  /** What is shown is stored, now or with the next store. */
  get cached(): boolean {
    return this.#kept.cached;
  }

  /** Takes an input and says what is to be done. Jitter, 0 ≤ jitter < 1, is the random share of a wait, if the step leads to one. What does not fit the phase has no effect. */
  step(input: Input, jitter: number): Effect[] {
    this.#out = [];
    this.#jitter = jitter;
    this.#kept.begin(input.type !== 'store_failed');
    this.#take(input);
    return this.#out;
  }

  #take(input: Input): void {
    switch (input.type) {
      case 'open':
        return this.#open(input);
      case 'tick':
        return this.#kept.store();
      case 'due':
      case 'wake':
        return this.#phase === 'waiting' ? this.#connect() : undefined;
      case 'renew':
        return this.#phase === 'live' ? this.#renew() : undefined;
      case 'moved':
        return this.#phase === 'over' || this.#phase === 'aside' ? this.#connect() : undefined;
      case 'close':
        return this.#close();
      case 'store_failed':
        return this.#phase === 'closed' ? undefined : this.#kept.storeFailed(); // what is not stored when it closes is read again
      case 'unreadable':
        return this.#unreadable();
      case 'saved':
        return this.#kept.saved(input.size);
      case 'connected':
        if (this.#phase === 'connecting') {
          this.#phase = 'live';
        }
        return;
      case 'retry':
        this.#tries.retryMs = input.ms;
        return;
      case 'answer':
        return this.#phase === 'connecting' ? this.#answer(input) : undefined;
      case 'lost':
        return this.#lost();
      case 'gone':
        return this.#letGo(input.reason);
      default:
        return this.#isReading ? this.#read(input) : undefined;
    }
  }

  /** Takes what a stream brings. */
  #read(input: Extract<Input, { type: 'frame' | 'heartbeat' | 'reset' | 'over' | 'refused' | 'damage' }>): void {
    switch (input.type) {
      case 'frame':
        return this.#frame(input);
      case 'heartbeat':
        if (input.at === undefined || this.#agrees(input.at)) {
          this.#tries.agreed();
        }
        return;
      case 'reset':
        return this.#reset(input);
      case 'over':
        return this.#agrees(input.at) ? this.#rest('over') : undefined;
      case 'refused':
        this.#emit({ type: 'tell', notice: 'unavailable', code: input.code });
        return;
      case 'damage':
        return this.#tell('damaged');
    }
  }

  #open(o: Open): void {
    if (this.#phase !== 'closed') {
      return;
    }
    this.#tries = new Tries();
    this.#kept.open(o);
    this.#connect();
  }

  #close(): void {
    this.#kept.leave();
    if (this.#isReading || this.#phase === 'connecting') {
      this.#emit({ type: 'disconnect' });
    }
    this.#phase = 'closed';
  }

  #renew(): void {
    this.#kept.store();
    this.#emit({ type: 'disconnect' });
    this.#connect();
  }

  /** Takes an event: the one that follows is shown, one that came before is passed over, any other says that something is missing. */
  #frame(f: FrameInput): void {
    if (isForeign(this.#kept.at, f.at, this.#kept.at.seq + 1)) {
      this.#startOver('epoch');
    } else if (f.seq !== f.at.seq) {
      this.#gap(f.at);
    } else if (f.seq <= this.#kept.at.seq) {
      return;
    } else if (f.seq !== this.#kept.at.seq + 1) {
      this.#gap(f.at);
    } else {
      this.#show(f);
    }
  }

  #show(f: FrameInput): void {
    this.#phase = 'live';
    this.#tries.line();
    this.#kept.show(f.at, f.line);
  }

  /** Holds a position that the server has told against the own one, and sees to it that nothing stays missing. */
  #agrees(at: Cursor): boolean {
    if (at.seq === 0) {
      return true; // good in every epoch, and never ahead
    }
    if (isForeign(this.#kept.at, at, this.#kept.at.seq)) {
      this.#startOver('epoch');
      return false;
    }
    if (at.seq > this.#kept.at.seq) {
      this.#gap(at);
      return false;
    }
    return true;
  }

  /**
   * Asks again for what is missing before a cursor of the server. When what comes then does not fit either, the position itself is not to be trusted.
   *
   * At the start, the first line that comes may be the oldest one that retention has left, or others were lost before it. Only a reset names the oldest line, so the machine asks with a
   * cursor that no log can have.
   */
  #gap(seen: Cursor): void {
    if (!this.#tries.gap()) {
      this.#startOver('gap');
      return;
    }
    if (this.#kept.at.seq === 0) {
      this.#kept.at = { epoch: Math.min(seen.epoch + 1, Number.MAX_SAFE_INTEGER), seq: nowhere };
    }
    this.#tries.strike();
    this.#emit({ type: 'disconnect' });
    this.#tell('gap');
    this.#again(0);
  }

  /** Reads the whole log anew, over a new connection. */
  #startOver(why: Notice): void {
    this.#tries.strike();
    this.#emit({ type: 'disconnect' });
    this.#drop(start);
    this.#tell(why);
    this.#again(0);
  }

  /** Follows the server to the log that it has now: behind the lines that are of it, over a new connection, or from its oldest event on, which this connection brings. */
  #reset(r: ResetInput): void {
    if (this.#goBack(r.epoch, r.oldest, r.common)) {
      this.#emit({ type: 'disconnect' });
      this.#again(0);
    } else {
      this.#phase = 'live';
    }
  }

  /** Goes back to the last line that is of the server's log too, or before its oldest event; then it is false. */
  #goBack(epoch = 0, oldest = 0, common = 0): boolean {
    this.#tries.strike();
    this.#tries.anew();
    const isKept = this.#kept.rewind(epoch, oldest, common);
    if (!isKept) {
      this.#kept.drop(beforeOldest(epoch, oldest));
    }
    return isKept;
  }

  /** Stays where everything was read. */
  #rest(phase: Phase): void {
    this.#tries.agreed();
    this.#kept.leave();
    this.#phase = phase;
  }

  /** Ends the following of a session in a merged stream. */
  #letGo(reason: 'not_found' | 'deselected'): void {
    if (!this.#isReading && this.#phase !== 'connecting') {
      return;
    }
    if (reason === 'deselected') {
      this.#rest('aside');
      this.#tell('deselected');
    } else {
      this.#vanish();
    }
  }

  /** The end of a session that is not there any more. */
  #vanish(): void {
    this.#drop(start);
    this.#phase = 'gone';
    this.#tell('gone');
  }

  /** What the server said in place of a stream. */
  #answer(a: Answer): void {
    switch (a.status) {
      case 204:
        this.#rest('over');
        break;
      case 410:
        this.#goBack(a.epoch, a.oldest, a.common);
        this.#again(0);
        break;
      case 401:
      case 403:
        this.#kept.leave();
        this.#emit({ type: 'forget' });
        this.#phase = 'refused';
        this.#tell('refused');
        break;
      case 404:
        this.#vanish();
        break;
      default:
        this.#kept.store();
        this.#tries.refused();
        this.#tell('unavailable');
        this.#again(a.retryAfterMs ?? 0);
    }
  }

  /** The end of a connection. The first retry after one that worked comes at once. */
  #lost(): void {
    if (this.#phase !== 'live' && this.#phase !== 'connecting') {
      return;
    }
    this.#kept.store();
    this.#tries.lost();
    this.#again(0);
  }

  /** Connects at once, or when some time has passed. */
  #again(askedMs: number): void {
    const ms = this.#tries.wait(askedMs, this.#jitter);
    if (ms === undefined) {
      this.#connect();
      return;
    }
    this.#phase = 'waiting';
    this.#emit({ type: 'wait', ms });
  }

  #connect(): void {
    this.#tries.connected();
    this.#phase = 'connecting';
    this.#emit({ type: 'connect', since: this.#kept.at });
  }

  /** A cache whose lines are not the ones that its checksum was made of; where it was read behind a checkpoint, that may be to blame, and the lines are read from the first one on. */
  #unreadable(): void {
    if (this.#phase === 'closed' || !this.#kept.cached) {
      return;
    }
    if (this.#kept.readAnew()) {
      return;
    }
    this.#emit({ type: 'disconnect' });
    this.#drop(start);
    this.#tell('cache_dropped');
    this.#connect();
  }

  /** Forgets the session and takes up another position. */
  #drop(at: Cursor): void {
    this.#kept.drop(at);
    this.#tries.anew();
  }

  /** Lines may come. */
  get #isReading(): boolean {
    return this.#phase === 'live' || this.#phase === 'over' || this.#phase === 'aside';
  }

  #emit(effect: Effect): void {
    this.#out.push(effect);
  }

  #tell(notice: Notice): void {
    this.#emit({ type: 'tell', notice });
  }
}
