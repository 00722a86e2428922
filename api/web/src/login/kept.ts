import { signal } from '@preact/signals';
import type { CreatedToken } from 'ringmaster-client';

/** In the storage of this origin, ports included; a cookie would go to every server of this machine. */
const place = 'ringmaster.login';

/** The login of this browser; null: nobody is logged in. */
export const login = signal<CreatedToken | null>(recall());

/** This login may change something. Of a token that was pasted the daemon says it at each call. */
export function canWrite(): boolean {
  return login.value?.scope.endsWith(':ro') !== true;
}

/** Something of a session can be changed here: this login may, and no other node has the session, or what changes it goes there. */
export function canChange(session: { node?: string | undefined; forwarded?: boolean | undefined } | undefined): boolean {
  return canWrite() && (session?.node === undefined || session.forwarded === true);
}

/** Stores a login, or takes it away. A browser that stores nothing has it until the page is closed. */
export function keep(value: CreatedToken | null): void {
  login.value = value;
  try {
    if (value === null) {
      localStorage.removeItem(place);
    } else {
      localStorage.setItem(place, JSON.stringify(value));
    }
  } catch {
    // it is in memory
  }
}

/** What is stored now: another tab may have got a newer login, or ended this one. */
export function recall(): CreatedToken | null {
  try {
    const value = JSON.parse(localStorage.getItem(place) ?? 'null') as CreatedToken | null;
    return typeof value?.token === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** Takes away a login that the daemon takes no longer, unless another tab has got a newer one. */
export function isOver(token: string): void {
  const stored = recall();
  if (stored !== null && stored.token !== token) {
    login.value = stored;
  } else {
    keep(null);
  }
}

addEventListener('storage', (e) => {
  if (e.key === place) {
    login.value = recall();
  }
});
