import { signal } from '@preact/signals';

const place = 'ringmaster.seen';

/** Of each session the last event that was on this browser's screen. It is local: nobody else's business. */
export const seen = signal<Record<string, number>>(read());

/** How often it is stored at most, in milliseconds: each time all other tabs read it and sort their lists. */
const storeEvery = 1000;

let unstored: Record<string, number> = {};
let timer: ReturnType<typeof setTimeout> | undefined; // a store is due, or was less than storeEvery ago

addEventListener('storage', ({ key, newValue }) => {
  if (key !== null && key !== place) {
    return;
  }
  if (newValue === null) {
    forgetSeen(); // another tab has forgotten all
  } else {
    const stored = read(); // it has shown more
    for (const [id, seq] of Object.entries(unstored)) {
      stored[id] = Math.max(stored[id] ?? 0, seq);
    }
    seen.value = stored;
  }
});
document.addEventListener('visibilitychange', storeRest); // the page may be about to go
addEventListener('pagehide', storeRest);

function read(): Record<string, number> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(place) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, number>) : {};
  } catch {
    return {};
  }
}

/** Notes that a session was seen up to an event. */
export function see(id: string, seq: number): void {
  if ((seen.peek()[id] ?? 0) >= seq) {
    return;
  }
  seen.value = { ...seen.peek(), [id]: seq };
  unstored[id] = seq;
  if (timer === undefined) {
    store();
    rest();
  }
}

/** Forgets sessions that are not there any more, so that the list does not grow for ever. */
export function keepSeen(ids: ReadonlySet<string>): void {
  const left = Object.entries(seen.peek()).filter(([id]) => ids.has(id));
  if (left.length < Object.keys(seen.peek()).length) {
    seen.value = Object.fromEntries(left);
    store();
  }
}

/** Forgets all; the storage is somebody else's business. */
export function forgetSeen(): void {
  unstored = {};
  seen.value = {};
}

function rest(): void {
  timer = setTimeout(() => {
    timer = undefined;
    if (storeRest()) {
      rest();
    }
  }, storeEvery);
}

/** Stores what is not stored yet; false: there is nothing. */
function storeRest(): boolean {
  if (Object.keys(unstored).length === 0) {
    return false;
  }
  store();
  return true;
}

function store(): void {
  unstored = {};
  try {
    localStorage.setItem(place, JSON.stringify(seen.peek()));
  } catch {
    // until the page is closed
  }
}
