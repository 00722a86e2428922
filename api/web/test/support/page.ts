import './packages.ts';

// What of a browser the modules of the page need that have no view.

/** What the page listens to, by the names of events. */
const listeners = new Map<string, ((e: object) => void)[]>();

export function happens(name: string, e: object = {}): void {
  for (const listener of listeners.get(name) ?? []) {
    listener(e);
  }
}

const addEventListener = (name: string, listener: (e: object) => void): void => void listeners.set(name, [...(listeners.get(name) ?? []), listener]);
const removeEventListener = (): void => undefined;

export const stored = new Map<string, string>();

/** How often something was stored. */
export let writes = 0;

const localStorage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => {
    writes++;
    stored.set(key, value);
  },
  removeItem: (key: string) => void stored.delete(key),
};

/** Another tab stores this, or takes it away. */
export function elsewhere(key: string, value: string | null): void {
  if (value === null) {
    stored.delete(key);
  } else {
    stored.set(key, value);
  }
  happens('storage', { key, newValue: value });
}

/** The page's worker: what it was asked for, and how it tells. */
export class FakeWorker {
  static asked: object[] = [];
  static last: FakeWorker;
  onmessage: (e: { data: object }) => void = () => undefined;

  constructor() {
    FakeWorker.last = this;
  }

  postMessage(ask: object): void {
    FakeWorker.asked.push(ask);
  }

  terminate(): void {}
}

/** Images by sessions, as they lie in the browser's database. */
export const images = new Map<string, unknown>();

/** Reads of them that are on their way, each of which goes on when it is called. */
export const reads: (() => void)[] = [];

const indexedDB = {
  open: () => soon({
    result: {
      close: () => undefined,
      transaction: () => {
        const change = { oncomplete: () => undefined as unknown, objectStore: () => ({
          get: (id: string) => {
            const asked = { result: undefined as unknown };
            reads.push(() => {
              asked.result = images.get(id);
              change.oncomplete();
            });
            return asked;
          },
          put: (list: unknown, id: string) => done(() => images.set(id, list), change),
          delete: (id: string) => done(() => images.delete(id), change),
        }) };
        return change;
      },
    },
  }),
};

function soon(asked: object): object {
  queueMicrotask(() => (asked as { onsuccess: () => void }).onsuccess());
  return asked;
}

function done(act: () => unknown, change: { oncomplete: () => unknown }): object {
  act();
  queueMicrotask(() => change.oncomplete());
  return {};
}

Object.assign(globalThis, {
  location: { origin: 'http://127.0.0.1:1', pathname: '/', search: '' }, addEventListener, removeEventListener, localStorage, indexedDB, Worker: FakeWorker,
  document: { visibilityState: 'visible', hasFocus: () => false, body: { dataset: { worker: '/assets/0123456789abcdef-worker.js' } }, querySelector: () => null, addEventListener, removeEventListener },
  requestAnimationFrame: (act: () => void) => act(),
  fetch: () => Promise.resolve(new Response('{}', { status: 404 })), // there is no daemon
});
