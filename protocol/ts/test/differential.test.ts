import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Chunks, decodeEvent, decodeState, encodeEvent, EventSyntaxError, Fold, type Chunk, type LogEvent } from '../src/index.ts';
import { plain } from './testdata.ts';

/** A random log with what the Go package makes of it: protocol/cases_test.go. */
interface Case {
  lines: string[];
  /** Each line as an event is written; empty: it must be refused. */
  events: string[];
  state: unknown;
  chunks: Chunk[] | null;
}

const file = process.env['RINGMASTER_CASES'];

test('random logs: what the Go package makes of them', { skip: file === undefined && 'RINGMASTER_CASES names no file: tools/ts.sh makes one' }, async () => {
  let n = 0;
  let lines = 0;
  for await (const text of createInterface({ input: createReadStream(file!), crlfDelay: Infinity })) {
    compare(JSON.parse(text) as Case, n++);
    lines += (JSON.parse(text) as Case).lines.length;
  }
  console.log(`${n} random logs, ${lines} lines: no difference`);
  assert.ok(n > 0);
});

function compare(c: Case, n: number): void {
  const events: LogEvent[] = [];
  c.lines.forEach((line, i) => {
    const want = c.events[i]!;
    if (want === '') {
      assert.throws(() => decodeEvent(line), EventSyntaxError, `log ${n}: taken: ${line}`);
      return;
    }
    const event = decodeEvent(line);
    assert.deepEqual(JSON.parse(encodeEvent(event)), JSON.parse(want), `log ${n}: ${line}`);
    events.push(event);
  });
  const cut = n % (events.length + 1);
  let folded = new Fold();
  events.forEach((event, i) => {
    if (i === cut) {
      folded = new Fold(decodeState(JSON.stringify(folded)));
    }
    folded.apply(event);
  });
  assert.deepEqual(plain(folded), c.state, `log ${n}, stored and loaded after ${cut} events`);
  const chunks = new Chunks();
  assert.deepEqual(events.flatMap((event) => chunks.chunk(event) ?? []).map(spelled), (c.chunks ?? []).map(spelled), `log ${n}`);
}

/** The JSON inside raw chunks is the same value; its spelling is that of the line in Go, and ours here. */
function spelled(chunk: Chunk): unknown {
  if (chunk.kind !== 'raw') {
    return chunk;
  }
  try {
    return { ...chunk, text: JSON.parse(chunk.text) as unknown };
  } catch {
    return chunk;
  }
}
