import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answers, byKey, isPlain, sorted } from '../src/text/answers.ts';

// Proves: I14.2/answers

const options = (...ids: string[]): { id: string; label: string }[] => ids.map((id) => ({ id, label: id }));

test('what allows once or denies is given at once, and whatever may allow more asks twice', () => {
  assert.deepEqual(['allow_once', 'deny', 'deny_stop'].map((o) => isPlain(o, '')), [true, true, true]);
  assert.deepEqual(['allow_always', 'allow_for_this_folder', 'ALLOW_ONCE', ''].map((o) => isPlain(o, '')), [false, false, false, false]);
  assert.deepEqual(['allow_once', 'allow_always', 'deny', 'deny_stop'].map((o) => isPlain(o, 'Only a part is shown.')), [false, false, true, true], 'what is not shown whole can be denied at once, and not allowed');
});

test('answers stand in the order that people know, and a key gives one only where the agent takes it', () => {
  const all = options('deny', 'later_kind', 'allow_always', 'allow_once');
  assert.deepEqual(sorted(all), ['allow_once', 'allow_always', 'deny', 'later_kind']);
  assert.deepEqual([byKey('y', all), byKey('n', all), byKey('a', all)], ['allow_once', 'deny', undefined]);
  assert.deepEqual([byKey('y', options('allow_always', 'deny_stop')), byKey('n', options('allow_always', 'deny_stop'))], [undefined, undefined]);
});

test('a key answers when it is pressed once, alone, and not into a field', () => {
  const press = { key: 'y', metaKey: false, ctrlKey: false, altKey: false, repeat: false };
  assert.ok(answers(press, false));
  assert.ok(answers({ ...press, key: 'n' }, false));
  assert.equal(answers(press, true), false, 'somebody types');
  for (const other of [{ key: 'Y' }, { key: 'Enter' }, { metaKey: true }, { ctrlKey: true }, { altKey: true }, { repeat: true }]) {
    assert.equal(answers({ ...press, ...other }, false), false, JSON.stringify(other));
  }
});
