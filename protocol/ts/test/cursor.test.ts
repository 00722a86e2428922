import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CursorError, formatCursor, parseCursor, parseMergedId } from '../src/index.ts';

test('cursors', () => {
  for (const [text, epoch, seq] of [
    ['0', 1, 0], ['1', 1, 1], ['42', 1, 42], ['9007199254740991', 1, Number.MAX_SAFE_INTEGER], ['2.0', 2, 0], ['2.7', 2, 7], ['10.100', 10, 100],
  ] as const) {
    assert.deepEqual(parseCursor(text), { epoch, seq });
    assert.equal(formatCursor({ epoch, seq }), text);
  }
});

test('texts that are no cursors', () => {
  for (const text of [
    '', ' ', '-1', '+1', '01', '1 ', ' 1', '1.', '.1', '1.5', '0.5', '02.5', '2.05', '2.5.1', '2,5', '0x1', '1e3', '１', '9007199254740992',
    '9007199254740992.1', '99999999999999999999', 'NaN', '1\n',
  ]) {
    assert.throws(() => parseCursor(text), (err) => err instanceof CursorError && err.text === text, text);
  }
});

test('ids of merged streams', () => {
  const sessionId = '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a';
  assert.deepEqual(parseMergedId(`${sessionId}/2.42`), { sessionId, cursor: { epoch: 2, seq: 42 } });
  for (const id of ['', '42', '/42', `${sessionId}/`, `${sessionId}/1.5`]) {
    assert.throws(() => parseMergedId(id), CursorError, id);
  }
});
