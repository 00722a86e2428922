import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoff, Machine, type Input } from '../src/sync/index.ts';

test('waits grow, are never longer than 30 s unless the server asks for more, and never shorter than what it asks for', () => {
  for (let attempt = 0; attempt < 2000; attempt++) {
    for (const asked of [0, 1000, 60_000]) {
      const low = backoff(attempt, asked, 0), high = backoff(attempt, asked, 0.999999);
      assert.ok(low >= asked && high <= Math.max(30_000, asked * 1.5, low * 2) && low <= high && Number.isInteger(low), `${attempt} ${asked}: ${low} to ${high}`);
      assert.ok(attempt <= 1 || low >= 125, `${attempt} waits ${low}`);
    }
  }
});

const frame = (epoch: number, seq: number): Input => ({ type: 'frame', at: { epoch, seq }, seq, line: '{}' });
const connected: Input = { type: 'connected' }, lost: Input = { type: 'lost' };

for (const [what, inputs] of Object.entries<Input[]>({
  'gaps': [connected, frame(1, 1), frame(1, 3)],
  'other epochs': [connected, frame(2, 1), frame(2, 2), frame(3, 2)],
  'old epochs': [connected, frame(2, 1), frame(1, 2)],
  'resets': [connected, { type: 'reset', epoch: 1, oldest: 1 }, frame(1, 1), lost],
  'rewinds': [connected, frame(1, 1), frame(1, 2), { type: 'tick' }, { type: 'reset', epoch: 2, oldest: 1, common: 1 }],
  'answers 410': [{ type: 'answer', status: 410 }],
  'answers 500': [{ type: 'answer', status: 500 }],
  'empty streams': [connected, lost],
  'repetitions': [connected, frame(1, 1), frame(1, 1), lost],
  'far beats': [connected, frame(1, 1), { type: 'heartbeat', at: { epoch: 1, seq: 9 } }],
})) {
  test(`a server that begins well and is wrong is not asked more than four times without a pause: ${what}`, () => {
    const machine = new Machine();
    let asked = 0, waits = 0;
    const give = (input: Input): void => {
      for (const e of machine.step(input, 0)) {
        asked = e.type === 'connect' ? asked + 1 : e.type === 'wait' ? 0 : asked;
        waits += e.type === 'wait' ? 1 : 0;
        assert.ok(asked <= 4, `${asked} requests without a pause`);
      }
    };
    give({ type: 'open', cached: true, file: { length: 0, whole: false, seq: 0, sum: 0 } });
    for (let n = 0; n < 50; n++) {
      inputs.forEach(give);
      if (machine.phase === 'waiting') {
        give({ type: 'due' });
        asked = 1;
      }
    }
    assert.ok(waits >= 10, `${waits} pauses in 50 connections`);
  });
}
