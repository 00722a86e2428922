import type { SessionSummary } from 'ringmaster-client';

/** How many events the cache may be behind the list and still be what a tab begins with; beyond that the daemon's state is the shorter way. */
const near = 5000;

/** The list of sessions: none as yet, as it was kept, or the daemon's. */
export class Roster {
  readonly #sessions = new Map<string, SessionSummary>();
  #asOf: number | undefined = 0;

  /** When the list was like this, in Unix milliseconds; undefined: it is the daemon's, and it is like this now; 0: there is none as yet. */
  get asOf(): number | undefined {
    return this.#asOf;
  }

  get sessions(): SessionSummary[] {
    return [...this.#sessions.values()];
  }

  /** The sessions' ids, those that changed last first. */
  get latest(): string[] {
    return this.sessions.sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt)).map((s) => s.id);
  }

  replace(sessions: readonly SessionSummary[], asOf: number | undefined): void {
    this.#sessions.clear();
    sessions.forEach((s) => this.put(s));
    this.#asOf = asOf;
  }

  put(s: SessionSummary): void {
    this.#sessions.set(s.id, s);
  }

  delete(id: string): void {
    this.#sessions.delete(id);
  }

  /** How far the list says that a log is; undefined: it does not say, and is not the daemon's. */
  seq(id: string): number | undefined {
    return this.#sessions.get(id)?.seq ?? (this.#asOf === undefined ? 0 : undefined);
  }

  /** A log that is read up to an event is not far behind the list. */
  isNear(id: string, seq: number): boolean {
    return (this.seq(id) ?? 0) - seq <= near;
  }
}
