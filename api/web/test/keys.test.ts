import assert from 'node:assert/strict';
import { test } from 'node:test';
import './support/page.ts';

// Proves: I14.2/answers

/** What of elements the keys look at: whether somebody types in it. */
class FakeElement {
  readonly isField: boolean;

  constructor(isField: boolean) {
    this.isField = isField;
  }

  closest(selector: string): FakeElement | null {
    return this.isField && selector.split(', ').includes('input') ? this : null;
  }
}

const went: string[] = [];
Object.assign(globalThis, { Element: FakeElement, history: { pushState: (_: unknown, __: string, address: string) => void went.push(address), replaceState: () => undefined } });
const { onKey } = await import('../src/view/keys.ts');

test('keys are for the page unless somebody types, holds another key or has a dialog open; an answer is none of them', () => {
  const did: string[] = [];
  let isOpen = false;
  const key = onKey({ feed: {} as never, filter: () => null, help: () => did.push('help'), begin: () => did.push('begin'), palette: () => did.push('palette'), nodes: () => did.push('nodes'), isOpen: () => isOpen });
  const press = (name: string, o: { isField?: boolean; ctrlKey?: boolean; defaultPrevented?: boolean } = {}): string => {
    did.splice(0);
    went.splice(0);
    key({ key: name, metaKey: false, ctrlKey: o.ctrlKey ?? false, altKey: false, defaultPrevented: o.defaultPrevented ?? false, target: new FakeElement(o.isField ?? false), preventDefault: () => undefined } as never);
    return [...did, ...went].join();
  };
  assert.deepEqual([press('?'), press('c'), press('.')], ['help', 'begin', 'palette']);
  assert.deepEqual([press('y'), press('n')], ['', ''], 'a request takes its answers itself');
  assert.deepEqual([press('?', { isField: true }), press('c', { isField: true }), press('c', { ctrlKey: true }), press('c', { defaultPrevented: true })], ['', '', '', '']);
  assert.deepEqual([press('i'), press('g'), press('i'), press('i')], ['', '', '/inbox', ''], 'g and i, in this order');
  assert.deepEqual([press('g'), press('o')], ['', 'nodes']);
  isOpen = true;
  assert.deepEqual([press('c'), press('?')], ['', '']);
});
