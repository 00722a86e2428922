/** How often a tab asks whether its leader is there, in milliseconds. */
export const pingEvery = 5000;

/** After how many questions without an answer a tab goes on by itself: 45 s where it had a leader, and one where it never heard of one. */
const patience = 9, firstPatience = 1;

/** What happens to a tab. */
export type SeatInput =
  /** The lock is its own: all other tabs know by it who leads. */
  | { type: 'granted' }
  /** A leader speaks. */
  | { type: 'heard'; leader: string }
  /** pingEvery is over. */
  | { type: 'tick' };

/** What a tab does. */
export type SeatEffect =
  /** Opens the stream for all. */
  | { type: 'lead' }
  | { type: 'follow'; leader: string }
  /** Opens a stream for itself: a leader that is frozen keeps the lock. */
  | { type: 'alone' }
  /** Ends its own stream. */
  | { type: 'stop' }
  | { type: 'ping' };

/** Decides from whom a tab has what it shows: itself, as the leader of all; another tab, that leads; or itself for itself alone, where the leader is silent. */
export class Seat {
  role: 'waits' | 'leads' | 'follows' | 'alone' = 'waits';
  leader = '';
  #missed = 0;

  step(input: SeatInput): SeatEffect[] {
    switch (input.type) {
      case 'granted':
        return this.#become('leads', '', { type: 'lead' });
      case 'heard':
        this.#missed = 0;
        return this.role === 'leads' || (this.role === 'follows' && input.leader === this.leader) ? [] : this.#become('follows', input.leader, { type: 'follow', leader: input.leader });
      case 'tick':
        return this.#tick();
    }
  }

  #tick(): SeatEffect[] {
    if (this.role === 'leads') {
      return [];
    }
    if (this.role !== 'alone' && this.#missed++ >= (this.role === 'waits' ? firstPatience : patience) - 1) {
      return [...this.#become('alone', '', { type: 'alone' }), { type: 'ping' }];
    }
    return [{ type: 'ping' }];
  }

  #become(role: Seat['role'], leader: string, effect: SeatEffect): SeatEffect[] {
    const before: SeatEffect[] = this.role === 'alone' ? [{ type: 'stop' }] : [];
    this.role = role;
    this.leader = leader;
    this.#missed = 0;
    return [...before, effect];
  }
}
