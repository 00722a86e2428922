import assert from 'node:assert/strict';
import { test } from 'node:test';

// Proves: I14.2/ways

Object.assign(globalThis, { location: { pathname: '/', search: '' }, history: { pushState: () => undefined, replaceState: () => undefined }, addEventListener: () => undefined });
const { go, pathOf, place, placeOf } = await import('../src/live/place.ts');
const { leave, openAt, paneOf, panesOf, showIn, withBeside, without } = await import('../src/live/panes.ts');

test('every place has one address, and every address a place', () => {
  for (const [address, place] of [
    ['/', { view: 'home' }], ['/inbox', { view: 'inbox' }], ['/s/a', { view: 'session', id: 'a' }], ['/s/a%20b', { view: 'session', id: 'a b' }], ['/s/a/e/e1.2', { view: 'session', id: 'a', entry: 'e1.2' }],
    ['/s/a/changes', { view: 'session', id: 'a', part: 'changes' }], ['/s/a?at=2.7', { view: 'session', id: 'a', part: 'time', at: '2.7' }], ['/s/a?beside=b,c', { view: 'session', id: 'a', beside: [{ id: 'b' }, { id: 'c' }] }],
    ['/s/a/usage?beside=b/raw,c@2.7&pane=3', { view: 'session', id: 'a', part: 'usage', beside: [{ id: 'b', part: 'raw' }, { id: 'c', part: 'time', at: '2.7' }], pane: 2 }],
  ] as const) {
    const [path, search = ''] = address.split('?');
    assert.deepEqual(placeOf(path!, search), place, address);
    assert.equal(pathOf(place), address);
  }
  for (const [address, place] of [
    ['/nowhere', { view: 'home' }], ['/s/', { view: 'home' }], ['/s/a/later', { view: 'session', id: 'a' }], ['/s/a/e/', { view: 'session', id: 'a' }], ['/s/%zz', { view: 'session', id: '%zz' }],
    ['/s/a?beside=a,b,b,c,d,e', { view: 'session', id: 'a', beside: [{ id: 'b' }, { id: 'c' }, { id: 'd' }] }], ['/s/a?beside=', { view: 'session', id: 'a' }],
    ['/s/a?pane=2', { view: 'session', id: 'a' }], ['/s/a?beside=b&pane=3', { view: 'session', id: 'a', beside: [{ id: 'b' }] }], ['/s/a?beside=b/later,/,@,c/raw@2', { view: 'session', id: 'a', beside: [{ id: 'b' }] }],
  ] as const) {
    const [path, search = ''] = address.split('?');
    assert.deepEqual(placeOf(path!, search), place, address);
  }
});

test('panes stay in their order, each in its view, whichever of them has the keys', () => {
  const at = (address: string) => placeOf(address.split('?')[0]!, address.split('?')[1]) as Extract<ReturnType<typeof placeOf>, { view: 'session' }>;
  const here = at('/s/b/usage?beside=a,c@7&pane=2');
  assert.deepEqual([panesOf(here).map(pathOf), paneOf(here)], [['/s/a?beside=b/usage,c@7', '/s/b/usage?beside=a,c@7&pane=2', '/s/c?at=7&beside=a,b/usage&pane=3'], 1]);
  for (const p of panesOf(here)) {
    assert.deepEqual(panesOf(p).map(pathOf), panesOf(here).map(pathOf), 'there and back');
  }
  assert.deepEqual([0, 1, 2].map((i) => pathOf(without(here, i))), ['/s/b/usage?beside=c@7', '/s/c?at=7&beside=a&pane=2', '/s/b/usage?beside=a&pane=2']);
  assert.equal(pathOf(without(at('/s/a?beside=b'), 0)), '/s/b');
  assert.equal(pathOf(withBeside(at('/s/a'), 'b')), '/s/a?beside=b');
  assert.equal(pathOf(withBeside(here, 'a')), pathOf(here));
  assert.equal(pathOf(withBeside(at('/s/a?beside=b,c,d'), 'e')), '/s/a?beside=b,c,d');

  go(here);
  assert.equal(pathOf(openAt({ view: 'session', id: 'a', entry: 'e1' })), '/s/a/e/e1?beside=b/usage,c@7', 'it is shown already');
  assert.equal(pathOf(openAt({ view: 'session', id: 'd', entry: 'e1' })), '/s/d/e/e1?beside=a,c@7&pane=2', 'in place of the one that has the keys');
  showIn({ ...panesOf(here)[2]!, at: '9' }, true);
  assert.equal(pathOf(place.peek()), '/s/b/usage?beside=a,c@9&pane=2', 'it moves on, and does not take the keys');
  showIn({ ...here, part: 'raw' }, true);
  assert.equal(pathOf(place.peek()), '/s/b/raw?beside=a,c@9&pane=2', 'the others stay as they are now, and not as they were when it was drawn');
  go({ view: 'inbox' });
  assert.equal(pathOf(openAt({ view: 'session', id: 'a', entry: 'e1' })), '/s/a/e/e1');
});

test('a session that plays moves on in its pane alone, and brings nothing back that was closed since', () => {
  const at = (address: string) => placeOf(address.split('?')[0]!, address.split('?')[1]) as Extract<ReturnType<typeof placeOf>, { view: 'session' }>;
  const here = at('/s/a?at=1.1&beside=b@1.1,c');
  const [a, b, c] = panesOf(here) as [typeof here, typeof here, typeof here];
  go(without(here, 2));
  showIn({ ...a, part: 'time', at: '1.2' }, true);
  showIn({ ...b, part: 'time', at: '1.3' }, true);
  assert.equal(pathOf(place.peek()), '/s/a?at=1.2&beside=b@1.3', 'both move on, and neither puts the other back');
  showIn({ ...c, part: 'time', at: '1.2' }, true);
  go(panesOf(place.peek() as typeof here)[1]!);
  showIn({ ...a, part: 'time', at: '1.4' }, true);
  assert.equal(pathOf(place.peek()), '/s/b?at=1.3&beside=a@1.4&pane=2', 'it does not take the keys, and c stays closed');
  go({ view: 'inbox' });
  showIn({ ...a, part: 'time', at: '1.5' }, true);
  assert.equal(pathOf(place.peek()), '/inbox', 'it is shown no more');
});

test('a session that is deleted leaves the others where they are', () => {
  const after = (address: string, id: string): string => {
    go(placeOf(address.split('?')[0]!, address.split('?')[1]));
    leave(id);
    return pathOf(place.peek());
  };
  assert.equal(after('/s/a/usage?beside=b,c@7', 'a'), '/s/b?beside=c@7');
  assert.equal(after('/s/a/usage?beside=b,c@7', 'c'), '/s/a/usage?beside=b', 'it had the keys when it was asked for');
  assert.deepEqual([after('/s/a', 'a'), after('/s/a', 'b'), after('/inbox', 'a')], ['/', '/s/a', '/inbox']);
});
