import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Chunks, decodeEvent, decodeState, encodeEvent, EventSyntaxError, Fold, type Chunk, type LogEvent } from '../src/index.ts';

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
    const c = JSON.parse(text, unsigned) as Case;
    compare(c, n++);
    lines += c.lines.length;
  }
  console.log(`${n} random logs, ${lines} lines: no difference`);
  assert.ok(n > 0);
});

/** −0 is 0: JavaScript writes them alike. */
function unsigned(_key: string, value: unknown): unknown {
  return value === 0 ? 0 : value;
}

function compare(c: Case, n: number): void {
  const events: LogEvent[] = [];
  c.lines.forEach((line, i) => {
    const want = c.events[i]!;
    if (want === '') {
      assert.throws(() => decodeEvent(line), EventSyntaxError, `log ${n}: taken: ${line}`);
      return;
    }
    const event = decodeEvent(line);
    assert.deepEqual(JSON.parse(encodeEvent(event), unsigned), JSON.parse(want, unsigned), `log ${n}: ${line}`);
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
  assert.deepEqual(JSON.parse(JSON.stringify(folded), unsigned), c.state, `log ${n}, stored and loaded after ${cut} events`);
  const chunks = new Chunks();
  assert.deepEqual(events.flatMap((event) => chunks.chunk(event) ?? []).map(spelled), (c.chunks ?? []).map(spelled), `log ${n}`);
}

/** The JSON inside raw chunks is the same value; its spelling is that of the line in Go, and ours here. */
function spelled(chunk: Chunk): unknown {
  if (chunk.kind !== 'raw') {
    return chunk;
  }
  try {
    return { ...chunk, text: JSON.parse(chunk.text, unsigned) as unknown };
  } catch {
    return chunk;
  }
}
