/** Writes one half of a folder of which the Go package writes the other one (api/client/cache/exchange_test.go), and reads what is there before: node exchange.ts FOLDER 1|2 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent, decodeState, encodeState, Fold } from 'ringmaster-protocol';
import { files } from '../../src/node/index.ts';
import { Machine } from '../../src/sync/index.ts';

const [dir, half] = [process.argv[2]!, Number(process.argv[3])];

const sessions = [
  { id: '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a', epoch: 1, stores: 30, lines: 3, dropped: false, state: true, back: 0 },
  { id: '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0b', epoch: 2, stores: 1, lines: 1, dropped: true, state: false, back: 0 },
  { id: '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0c', epoch: 1, stores: 7, lines: 400, dropped: false, state: true, back: 0 },
  { id: '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0d', epoch: 1, stores: 4, lines: 5, dropped: false, state: false, back: 3 },
];

const line = (seq: number): string => `{"seq":${seq},"ts":1767225600000,"type":"entry_delta","entryId":"e1","delta":{"op":"text_append","text":"é€😀 ${seq}"}}`;

const folder = await files(dir);
for (const x of sessions) {
  const { session, found } = await folder.open(x.id);
  const epoch = x.epoch + (x.back > 0 ? half - 1 : 0);
  let seq = x.stores * x.lines * (half - 1);
  if (half === 2) {
    const read: string[] = [];
    for (const e of new Machine().step(found, 0)) {
      if (e.type === 'read') {
        for await (const { line: text } of session.lines({ ...e, from: 0, after: 0 })) {
          read.push(text);
        }
      }
    }
    assert.equal(read.length, seq, JSON.stringify(found));
    assert.equal(read.at(-1), line(seq));
    assert.equal(found.checkpoint !== undefined, x.state);
  } else if (x.dropped) {
    await session.do({ type: 'store', at: { epoch: 1, seq: 1 }, lines: [line(1)] });
    await session.do({ type: 'drop' });
  }
  for (let n = 0; n < x.stores; n++) {
    const lines = Array.from({ length: x.lines }, () => line(++seq));
    await session.do({ type: 'store', at: { epoch, seq }, lines });
  }
  if (x.back > 0) { // lines that are lost, and come again in the next epoch
    const from = seq - x.back;
    await session.do({ type: 'rewind', at: { epoch: epoch + 1, seq: from } });
    await session.do({ type: 'store', at: { epoch: epoch + 1, seq }, lines: Array.from({ length: x.back }, (_, n) => line(from + n + 1)) });
  }
  if (x.state) {
    await session.saveState({ epoch, seq }, `{"seq":${seq},"title":"é"}`);
  }
}

// The logs of protocol/testdata, half of each in either half, with the states that follow: the second half goes on from the state that the first has left.
const logs = join(import.meta.dirname, '../../../../../protocol/testdata/logs');
for (const [n, name] of readdirSync(logs).sort().entries()) {
  const lines = readFileSync(join(logs, name), 'utf8').split('\n').slice(0, -1);
  const { session, found } = await folder.open(`0198c5a2-7d1e-7c3f-9a51-6f2b8d4e${n.toString(16).padStart(4, '0')}`);
  let fold = new Fold();
  const middle = Math.floor(lines.length / 2);
  if (half === 2) {
    const before = await session.state();
    fold = new Fold(decodeState(before));
    assert.equal(encodeState(fold.toJSON()), before, name);
    assert.equal(found.checkpoint?.seq, fold.state.seq, name);
  }
  const mine = half === 1 ? lines.slice(0, middle) : lines.slice(middle);
  mine.forEach((line) => fold.apply(decodeEvent(line)));
  const at = { epoch: 1, seq: fold.state.seq };
  await session.do({ type: 'store', at, lines: mine });
  await session.saveState(at, encodeState(fold.toJSON()));
}
await folder.close();
