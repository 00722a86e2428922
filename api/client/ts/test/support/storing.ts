/** Goes on with the lines that a folder has, says after each store how far it is, and never ends. */
import { files } from '../../src/node/index.ts';
import { Machine } from '../../src/sync/index.ts';
import { sessionId } from './kit.ts';
import { stateAt } from './stateat.ts';
import { line } from './line.ts';

const folder = await files(process.argv[2]!);
const { session, found } = await folder.open(sessionId);
const machine = new Machine();
for (const e of machine.step(found, 0)) {
  if (e.type === 'cut' || e.type === 'drop') {
    await session.do(e);
  }
}
for (let seq = machine.at.seq; ; ) {
  const lines = Array.from({ length: 1 + (seq % 50) }, () => line(++seq));
  await session.do({ type: 'store', at: { epoch: 1, seq }, lines });
  if (seq % 3 === 0) {
    await session.saveState({ epoch: 1, seq }, stateAt(seq));
  }
  process.stdout.write(`${seq}\n`);
}
