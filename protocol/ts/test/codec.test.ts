import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeEvent, decodeMessage, decodeState, encodeEvent, encodeState, EventSyntaxError, ExactNumber, Fold, isSignal, maxEvent, recallState } from '../src/index.ts';
import { decodeAll, logs } from './testdata.ts';

for (const { name, lines } of logs) {
  test(`${name}: decoding and encoding gives the same bytes`, () => {
    assert.deepEqual(decodeAll(lines).map(encodeEvent), lines);
  });

  test(`${name}: a beginning of a line is no event`, () => {
    for (const line of lines) {
      for (let cut = 0; cut < line.length; cut++) {
        assert.throws(() => decodeEvent(line.slice(0, cut)), EventSyntaxError, line.slice(0, cut));
      }
    }
  });
}

const head = '{"seq":1,"ts":1,"type":';
const deep = (levels: number) => `${head}"x","a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const wide = (members: number) => `${head}"x"${Array.from({ length: members - 3 }, (_, i) => `,"m${i}":0`).join('')}}`;
const many = (elements: number) => `${head}"session_meta","capabilities":[${Array.from({ length: elements }, () => '""').join()}]}`;

for (const [what, line, path] of [
  ['nothing', '', ''],
  ['a list', '[]', ''],
  ['a number', '7', ''],
  ['another format', '<html>', ''],
  ['no type', '{"seq":1,"ts":1}', '/type'],
  ['no seq', '{"ts":1,"type":"x"}', '/seq'],
  ['seq 0', '{"seq":0,"ts":1,"type":"x"}', '/seq'],
  ['seq below 0', '{"seq":-1,"ts":1,"type":"x"}', '/seq'],
  ['seq of text', '{"seq":"1","ts":1,"type":"x"}', '/seq'],
  ['seq with a fraction', '{"seq":1.5,"ts":1,"type":"x"}', '/seq'],
  ['seq with a point', '{"seq":1.0,"ts":1,"type":"x"}', '/seq'],
  ['seq above 2^53−1', '{"seq":9007199254740992,"ts":1,"type":"x"}', '/seq'],
  ['seq that a double rounds down', '{"seq":1,"ts":9007199254740993,"type":"x"}', '/ts'],
  ['null in place of what must be there', `${head}"turn_start","turnId":null}`, '/turnId'],
  ['a member of the wrong type', `${head}"turn_end","turnId":"t1","status":"completed","error":1}`, '/error'],
  ['a missing member inside', `${head}"turn_start","turnId":"t1","prompt":{}}`, '/prompt/text'],
  ['a list in place of an object', `${head}"turn_start","turnId":"t1","prompt":[]}`, '/prompt'],
  ['a delta without op', `${head}"entry_delta","entryId":"e1","delta":{}}`, '/delta/op'],
  ['a delta that lacks its text', `${head}"entry_delta","entryId":"e1","delta":{"op":"text_append"}}`, '/delta/text'],
  ['data of the wrong type', `${head}"entry_start","entryId":"e1","entryType":"plan","data":{"steps":[{"text":"a"},{}]}}`, '/data/steps/1/text'],
  ['data of an unknown entry that is no object', `${head}"entry_start","entryId":"e1","entryType":"hologram","data":[]}`, '/data'],
  ['labels that are no strings', `${head}"session_meta","labels":{"a":1}}`, '/labels'],
  ['answers that are no lists', `${head}"request_resolved","requestId":"r1","outcome":"answered","by":"agent","answers":["a"]}`, '/answers/0'],
  ['a number that is too large', `${head}"token_usage","usage":{"inputTokens":1,"cachedInputTokens":1,"outputTokens":1,"totalTokens":1},"cost":{"input":1e400,"output":0,"cacheRead":0,"total":0}}`, '/cost/input'],
  ['a duplicate key', '{"seq":1,"ts":1,"type":"x","type":"x"}', ''],
  ['a duplicate key in disguise', '{"seq":1,"ts":1,"type":"x","a":{"b":1,"\\u0062":1}}', ''],
  ['many keys, one twice', wide(40).replace('"m30"', '"m3"'), ''],
  ['an unpaired surrogate', `${head}"x","a":"\\ud800"}`, ''],
  ['surrogates in the wrong order', `${head}"x","a":"\\udc00\\ud800"}`, ''],
  ['an unpaired surrogate in a key', `${head}"x","\\uDEAD":1}`, ''],
  ['an unpaired surrogate as it is', `${head}"x","a":"\ud800"}`, ''],
  ['a control character', `${head}"x","a":"\u0001"}`, ''],
  ['a byte order mark', `\ufeff${head}"x"}`, ''],
  ['two values', `${head}"x"}{}`, ''],
  ['too many levels', deep(65), ''],
  ['far too many levels', deep(1_000_000), ''],
  ['too many members', wide(65_537), ''],
  ['too many elements', many(65_537), '/capabilities'],
  ['too many bytes', `${head}"x","a":"${'é'.repeat(maxEvent / 2)}"}`, ''],
] as const) {
  test(`refused: ${what}`, () => {
    assert.throws(() => decodeEvent(line), (err) => err instanceof EventSyntaxError && err.path === path && err.message.length < 100);
  });
}

for (const [what, line] of [
  ['the most levels', deep(64)],
  ['the most members', wide(65_536)],
  ['the most elements', many(65_536)],
  ['more members than that, in objects beside each other', `${head}"x","a":[${Array.from({ length: 70_000 }, () => '{"a":0}').join()}]}`],
  ['pairs of surrogates', `${head}"x","a":"\\ud83d\\ude00 \\\\ud800 \\\\\\ud83d\\uDE00"}`],
  ['white space', ' {"seq" : 1 ,\t"ts":1,\r\n"type" : "x" } '],
  ['-0 as a whole number', '{"seq":1,"ts":-0,"type":"x"}'],
  ['a word that nobody knows', `${head}"status","state":"daydreaming","agentStatus":"lucid"}`],
] as const) {
  test(`taken: ${what}`, () => {
    assert.equal(decodeEvent(line).seq, 1);
  });
}

test('null is absent, in members that the protocol names', () => {
  const e = decodeEvent(`${head}"turn_start","turnId":"t1","prompt":null,"mood":null}`);
  assert.deepEqual(Object.keys(e), ['seq', 'ts', 'type', 'turnId', 'mood']);
});

test('values that the protocol does not name survive', () => {
  const line = `${head}"entry_start","entryId":"d1","entryType":"system","data":{"text":"","native":{"id":1234567890123456789,"at":[1.0,1e5,-0,0.1],"big":1e400}},"x":12.50}`;
  const e = decodeEvent(line);
  assert.equal(encodeEvent(e), line);
  assert.equal(e.type === 'entry_start' && e.entryType === 'system' && JSON.stringify(e.data.native).slice(0, 25), '{"id":1234567890123456789');
  const cloned = structuredClone(e) as unknown as { x: unknown };
  assert.equal(Number(cloned.x), 12.5, 'a worker can be sent one');
  assert.ok((e as unknown as { x: unknown }).x instanceof ExactNumber);
});

test('signals are told from events', () => {
  const damage = '{"type":"damage","file":"000001.ndjson","offset":787,"seq":9,"problem":"cut","hint":"restore it"}';
  for (const text of ['{"type":"heartbeat","seq":7,"ts":99}', '{"type":"reset","epoch":2,"oldest":1,"newest":9}', '{"type":"reset","epoch":2,"oldest":1,"newest":9,"common":4}', damage, '{"type":"damage","file":"f","problem":"p"}']) {
    const message = decodeMessage(text);
    assert.ok(isSignal(message));
    assert.deepEqual(message, JSON.parse(text));
  }
  assert.ok(!isSignal(decodeMessage(`${head}"x"}`)));
  for (const text of ['', '[]', '{}', '{"type":"reset","epoch":1}', '{"type":"heartbeat","seq":-1,"ts":1}', '{"type":"x"}', '{"type":"damage","file":"f"}']) {
    assert.throws(() => decodeMessage(text), EventSyntaxError, text);
  }
});

test('what is no state is refused', () => {
  for (const text of ['{}', '[]', 'null', '{"sessionId":"s","sessionId":"s"}', '{"sessionId":1}']) {
    assert.throws(() => decodeState(text), EventSyntaxError, text);
  }
});

test('a state that is recalled unchecked is the one that is decoded, whatever its numbers are', () => {
  for (const { lines } of logs) {
    const fold = new Fold();
    decodeAll(lines).forEach((event) => fold.apply(event));
    const text = encodeState(fold.toJSON());
    assert.deepEqual(recallState(text), decodeState(text));
  }
  let seed = 1, exact = 0;
  const below = (n: number): number => (seed = (seed * 48271) % 2147483647) % n;
  const digits = (most: number): string => Array.from({ length: 1 + below(most) }, () => '0123456789'[below(3) === 0 ? 0 : below(10)]).join('');
  const empty = encodeState({ ...new Fold().toJSON(), sessionId: 's' });
  for (let n = 0; n < 50_000; n++) {
    const whole = digits(below(2) === 0 ? 3 : 24).replace(/^0+(?=\d)/, ''), rest = below(2) === 0 ? '' : `.${digits(below(2) === 0 ? 3 : 24)}`;
    const number = `${below(4) === 0 ? '-' : ''}${whole}${rest}${below(6) === 0 ? `${'eE'[below(2)]}${['', '+', '-'][below(3)]}${digits(2)}` : ''}`;
    const text = `${empty.slice(0, -1)},"own":[${['', '7,', '{"deep":'][n % 3]}${number}${n % 3 === 2 ? '}' : ''}]}`;
    const want = decodeState(text);
    assert.deepEqual(recallState(text), want, number);
    exact += String(Number(number)) === number ? 0 : 1;
  }
  assert.ok(exact > 20_000, `${exact} numbers that a double does not hold as they were written`);
});
