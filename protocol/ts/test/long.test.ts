import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeEvent, decodeState, encodeState, Fold } from '../src/index.ts';

test('a large state is read in time that grows with its length, also by a program that has read many lines before', (t) => {
  const entry = 'some text of a delta, of about fifty characters    '.repeat(250);
  const fold = new Fold();
  let seq = 0;
  const apply = (event: object): void => void fold.apply(decodeEvent(JSON.stringify({ seq: ++seq, ts: 1795161152995 + seq, ...event })));
  apply({ type: 'session_start', sessionId: '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a', agentBackend: 'pi', metadata: {} });
  for (let n = 0; n < 400; n++) {
    apply({ type: 'entry_start', entryId: `e${n}`, entryType: 'assistant_message', data: { role: 'assistant', text: '' } });
    for (let k = 0; k < 250; k++) { // the optimizer has seen enough then
      decodeEvent(`{"seq":${seq},"ts":1795161152995,"type":"entry_delta","entryId":"e${n}","delta":{"op":"text_append","text":"some text of a delta"}}`);
    }
    apply({ type: 'entry_end', entryId: `e${n}`, entryType: 'assistant_message', status: 'completed', data: { role: 'assistant', text: entry } });
  }
  const text = encodeState(fold.toJSON());
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    assert.equal(decodeState(text).entries?.length, 400);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  const ms = Math.min(...times);
  t.diagnostic(`a state of ${text.length} characters is read in ${ms.toFixed(0)} ms`);
  assert.ok(ms < 300, `${ms} ms`);
});
