import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameError, isSignal, LineError, LineReader, readLog, readStream, SSEReader } from '../src/index.ts';
import { logs } from './testdata.ts';

const utf8 = new TextEncoder();

/** Every way to cut bytes into two, and bytes one by one. */
function* cuts(bytes: Uint8Array): Generator<Uint8Array[]> {
  for (let at = 0; at <= bytes.length; at++) {
    yield [bytes.slice(0, at), bytes.slice(at)];
  }
  yield [...bytes].map((byte) => Uint8Array.of(byte));
}

function frames(parts: Uint8Array[], limit?: number): string {
  const reader = new SSEReader(limit);
  const got = parts.flatMap((part) => reader.push(part)).map((f) => (f instanceof FrameError ? `[${f.problem}]` : `[${f.id}|${f.name}|${f.data}]`));
  return `${got.join('')} id=${reader.lastEventId} retry=${reader.retry ?? 0}`;
}

for (const [what, body, want] of [
  ['nothing', '', ' id= retry=0'],
  ['one frame', 'id: 1\ndata: a\n\n', '[1||a] id=1 retry=0'],
  ['no space after the colon', 'id:1\ndata:a\n\n', '[1||a] id=1 retry=0'],
  ['only one space is taken', 'data:  a\n\n', '[|| a] id= retry=0'],
  ['CR', 'id: 1\rdata: a\r\r', '[1||a] id=1 retry=0'],
  ['CRLF', 'id: 1\r\ndata: a\r\n\r\ndata: b\r\n\r\n', '[1||a][1||b] id=1 retry=0'],
  ['CRLF between data lines', 'data: a\r\ndata: b\r\n\r\n', '[||a\nb] id= retry=0'],
  ['LF, then CR', 'data: a\n\rdata: b\r\r\n', '[||a][||b] id= retry=0'],
  ['several data lines', 'data: a\ndata\ndata: b\n\n', '[||a\n\nb] id= retry=0'],
  ['empty data is data', 'data\n\n', '[||] id= retry=0'],
  ['comments and unknown fields', ': hi\n:\nfoo: bar\nbaz\ndata: a\n\n', '[||a] id= retry=0'],
  ['an event name lasts one frame', 'event: x\ndata: a\n\ndata: b\n\n', '[|x|a][||b] id= retry=0'],
  ['no data, no frame', 'event: x\nid: 5\n\ndata: b\n\n', '[5||b] id=5 retry=0'],
  ['the id can be cleared', 'id: 5\ndata: a\n\nid\ndata: b\n\n', '[5||a][||b] id= retry=0'],
  ['an id with NUL is ignored', 'id: 5\nid: 6\x007\ndata: a\n\n', '[5||a] id=5 retry=0'],
  ['retry', 'retry: 0250\n\nretry: x1\nretry: \nretry: -5\n\n', ' id= retry=250'],
  ['retry is bounded', 'retry: 9999999999\n\n', ' id= retry=86400000'],
  ['byte order mark, once', '\ufeffdata: a\n\n\ufeffdata: b\n\n', '[||a] id= retry=0'],
  ['an unfinished frame is dropped', 'id: 8\ndata: a\n\nid: 9\ndata: b\n', '[8||a] id=8 retry=0'],
  ['at the limit', 'data: 12345678901\n\n', '[||12345678901] id= retry=0'],
  ['a long line', 'id: 3\ndata: 123456789012345678901\n\ndata: b\n\n', '[too long][3||b] id=3 retry=0'],
  ['many lines', 'data: 123456\ndata: 123456\ndata: 123456\n\ndata: b\n\n', '[too long][||b] id= retry=0'],
  ['bytes count, not characters', 'data: ééééé\ndata: éé\n\ndata: é\n\n', '[||ééééé\néé][||é] id= retry=0'],
] as const) {
  test(`stream: ${what}, cut at every byte`, () => {
    for (const parts of cuts(utf8.encode(body))) {
      assert.equal(frames(parts, 17), want, JSON.stringify(parts.map((p) => p.length)));
    }
  });
}

test('stream: data that is no UTF-8 is an error, and reading goes on', () => {
  const bytes = Uint8Array.of(...utf8.encode('id: 7\ndata: '), 0xff, ...utf8.encode('\n\ndata: b\n\n'));
  for (const parts of cuts(bytes)) {
    assert.equal(frames(parts), '[invalid UTF-8][7||b] id=7 retry=0');
  }
});

function lines(parts: Uint8Array[], limit?: number): string[] {
  const reader = new LineReader(limit);
  const got = parts.flatMap((part) => reader.push(part)).map((l) => (l instanceof LineError ? l.message : `${l.number} ${l.text}`));
  const torn = reader.end();
  return torn === undefined ? got : [...got, torn.message];
}

for (const [what, body, want] of [
  ['nothing', '', []],
  ['two lines', 'a\nbc\n', ['1 a', '2 bc']],
  ['empty lines are left out', '\n\na\n\r\n\nb\n', ['3 a', '6 b']],
  ['a torn last line', 'a\nb', ['1 a', 'line 2: torn']],
  ['at the limit', '12345\n1234\n', ['1 12345', '2 1234']],
  ['over the limit, then on', '123456\n1234\n', ['line 1: too long', '2 1234']],
  ['over the limit and torn', '123456', ['line 1: torn']],
  ['characters of several bytes', 'é😀\n', ['line 1: too long']],
] as const) {
  test(`lines: ${what}, cut at every byte`, () => {
    for (const parts of cuts(utf8.encode(body))) {
      assert.deepEqual(lines(parts, 5), want);
    }
  });
}

test('whoever gives bytes may use their place again', () => {
  const place = new Uint8Array(1);
  const give = (byte: number) => (place.fill(byte), place);
  const reader = new LineReader();
  assert.deepEqual([...utf8.encode('abc\n')].flatMap((byte) => reader.push(give(byte))), [{ number: 1, text: 'abc' }]);
});

test('lines: what is no UTF-8 is an error, and reading goes on', () => {
  assert.deepEqual(lines([Uint8Array.of(0x61, 0xff, 0x0a, 0x62, 0x0a)]), ['line 1: invalid UTF-8', '2 b']);
});

async function* bodyOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = utf8.encode(text);
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

for (const { name, text, lines: want } of logs) {
  test(`${name}: the log and its stream, byte by byte, are its lines`, () => {
    const byByte = (body: string) => [...utf8.encode(body)].map((byte) => Uint8Array.of(byte));
    assert.deepEqual(lines(byByte(text)), want.map((line, i) => `${i + 1} ${line}`));
    const stream = want.map((line, i) => `id: ${i + 1}\r\ndata: ${line}\r\n\r\n`).join('');
    assert.equal(frames(byByte(stream)), `${want.map((line, i) => `[${i + 1}||${line}]`).join('')} id=${want.length} retry=0`);
  });

  test(`${name}: the log and its stream, in pieces of many sizes, are its lines`, async () => {
    const stream = `: hello\nretry: 5\n\n${want.map((line, i) => `id: ${i + 1}\ndata: ${line}\n\n`).join('')}`;
    for (const size of [7, 64, 1 << 20]) {
      const fromLog: string[] = [];
      for await (const { line, message } of readLog(bodyOf(text, size))) {
        assert.ok(!isSignal(message));
        fromLog.push(line);
      }
      assert.deepEqual(fromLog, want);
      const fromStream: string[] = [];
      const reader = new SSEReader();
      for await (const { data } of readStream(bodyOf(stream, size), reader)) {
        fromStream.push(data);
      }
      assert.deepEqual(fromStream, want);
      assert.deepEqual([reader.lastEventId, reader.retry], [`${want.length}`, 5]);
    }
  });
}

test('foreign lines end a log and a stream with typed errors', async () => {
  const good = '{"seq":1,"ts":1,"type":"x"}';
  const ends = async (body: AsyncIterable<unknown>): Promise<unknown> => {
    try {
      for await (const _ of body);
    } catch (err) {
      return err;
    }
    return undefined;
  };
  const line = await ends(readLog(bodyOf(`${good}\n{}\n${good}\n`, 5)));
  assert.ok(line instanceof LineError && line.line === 2 && line.problem === 'syntax', String(line));
  const torn = await ends(readLog(bodyOf(`${good}\n{"seq"`, 5)));
  assert.ok(torn instanceof LineError && torn.problem === 'torn', String(torn));
  const frame = await ends(readStream(bodyOf(`id: 4\ndata: <html>\n\n`, 5)));
  assert.ok(frame instanceof FrameError && frame.id === '4' && frame.problem === 'syntax', String(frame));
});

test('a loop that is left cancels the stream', async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (c) => c.enqueue(utf8.encode('{"seq":1,"ts":1,"type":"x"}\n')),
    cancel: () => void (cancelled = true),
  });
  const body = { getReader: () => stream.getReader() }; // as in a browser that cannot loop over one
  for await (const _ of readLog(body)) {
    break;
  }
  assert.ok(cancelled);
});
