import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chunks, type Chunk, type LogEvent } from '../src/index.ts';
import { decodeAll, fixture, logs } from './testdata.ts';

function chunksOf(events: LogEvent[]): Chunk[] {
  const chunks = new Chunks();
  return events.flatMap((e) => chunks.chunk(e) ?? []);
}

for (const { name, lines } of logs) {
  test(`${name}: the chunks are the expected ones`, () => {
    assert.deepEqual(chunksOf(decodeAll(lines)), fixture('chunks', name));
  });

  test(`${name}: a terminal that applies them shows what the entries hold`, () => {
    const parts = new Map<string, string>();
    for (const c of chunksOf(decodeAll(lines))) {
      parts.set(c.partId, c.op === 'set' ? c.text : (parts.get(c.partId) ?? '') + c.text);
    }
    for (const e of decodeAll(lines)) {
      if (e.type === 'entry_end' && e.entryType === 'assistant_message') {
        assert.equal(parts.get(e.entryId), e.data.text);
      }
    }
  });
}
