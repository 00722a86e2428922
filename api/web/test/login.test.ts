import assert from 'node:assert/strict';
import { test } from 'node:test';
import './support/page.ts';

// Proves: I14.2/forget

/** A storage of the browser, whose keys are its own. */
class Storage {
  constructor(entries: Record<string, string>) {
    Object.assign(this, entries);
  }
}
Object.defineProperties(Storage.prototype, {
  getItem: { value(this: Record<string, string>, key: string) { return this[key] ?? null; } },
  setItem: { value(this: Record<string, string>, key: string, value: string) { this[key] = value; } },
  removeItem: { value(this: Record<string, string>, key: string) { delete this[key]; } },
});

const addresses: string[] = [];
Object.assign(globalThis, {
  location: { origin: 'http://127.0.0.1:1', pathname: '/s/x', search: '?at=3', hash: '#login=secret' },
  history: { replaceState: (_: unknown, __: string, address: string) => void addresses.push(address) },
  localStorage: new Storage({ 'ringmaster.login': JSON.stringify({ token: 'old' }) }),
});
Object.assign(document, { documentElement: { dataset: {} } });
const { hasCode, takeCode } = await import('../src/login/code.ts');
const { canChange, canWrite, isOver, keep, login } = await import('../src/login/kept.ts');
const { forgetAll } = await import('../src/login/forget.ts');

test('the code of a link goes out of the address at once, and is taken once', () => {
  assert.deepEqual(addresses, ['/s/x?at=3']);
  assert.ok(hasCode());
  assert.deepEqual([takeCode(), takeCode(), hasCode()], ['secret', '', false]);
});

test('a login that the daemon takes no longer goes, and a newer one of another tab stays', () => {
  assert.equal(login.peek()?.token, 'old');
  localStorage.setItem('ringmaster.login', JSON.stringify({ token: 'new' }));
  isOver('old');
  assert.equal(login.peek()?.token, 'new');
  isOver('new');
  assert.deepEqual([login.peek(), localStorage.getItem('ringmaster.login')], [null, null]);
});

test('a login that only reads changes nothing', () => {
  keep({ token: 't', scope: 'owner:ro' } as never);
  assert.equal(canWrite(), false);
  assert.equal(canChange({}), false);
  keep({ token: 't', scope: 'owner' } as never);
  assert.equal(canWrite(), true);
  assert.equal(canChange({}), true);
  assert.equal(canChange(undefined), true);
  assert.equal(canChange({ node: 'another' }), false);
  assert.equal(canChange({ node: 'another', forwarded: true }), true);
});

test('a browser that forgets has nothing left of this page, and keeps what others have put there', async () => {
  const mine = (): object => ({ 'ringmaster.login': '{}', 'ringmaster.seen': '{}', 'ringmaster.draft.x': '{}', theme: 'of another page' });
  const removed: string[] = [];
  const folders = ['ringmaster-0123', 'another'];
  Object.assign(globalThis, {
    localStorage: new Storage(mine() as Record<string, string>), sessionStorage: new Storage(mine() as Record<string, string>),
    caches: { keys: () => Promise.resolve(['ringmaster-shell', 'another']), delete: (key: string) => Promise.resolve(removed.push(key)) }, indexedDB: undefined,
  });
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: {
    storage: { getDirectory: () => Promise.resolve({ async *values() { yield* folders.map((name) => ({ name })); }, removeEntry: (name: string) => Promise.resolve(removed.push(name)) }) },
    serviceWorker: { getRegistrations: () => Promise.resolve([{ unregister: () => Promise.resolve(removed.push('the page')) }]) },
  } });
  assert.equal(await forgetAll(), '');
  assert.deepEqual([Object.keys(localStorage), Object.keys(sessionStorage)], [['theme'], ['theme']]);
  assert.deepEqual(removed.sort(), ['ringmaster-0123', 'ringmaster-shell', 'the page']);
});
