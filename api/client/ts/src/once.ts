import { pause } from './clock.ts';
import { isPassing, Unreachable } from './errors.ts';
import { backoff } from './sync/index.ts';
import type { Call, KeyOptions, Wire } from './wire.ts';

/**
 * Sends a request with a key of idempotency, and again where it was lost on its way: the daemon does what it asks for once. Before a first connection there is nothing to be in doubt about, so that a daemon which is not
 * there is not waited for.
 */
async function once<T>(wire: Wire, call: Call, key: string, signal?: AbortSignal): Promise<T> {
  const keyed: Call = { ...call, headers: { ...call.headers, 'Idempotency-Key': key } };
  let sent = false, waited = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await wire.json<T>(keyed, signal);
    } catch (problem) {
      signal?.throwIfAborted();
      sent ||= problem instanceof Unreachable && problem.sent;
      if (!sent || !isPassing(problem) || waited >= wire.patienceMs) {
        throw sent && problem instanceof Unreachable && !problem.sent ? new Unreachable(problem.where, true, problem.cause) : problem;
      }
      const ms = backoff(attempt, 0, wire.clock.random());
      waited += Math.max(ms, 1);
      await pause(wire.clock, ms, signal);
    }
  }
}

/** Does what changes something, once. */
export function change<T>(wire: Wire, call: Call, o: KeyOptions): Promise<T> {
  return once(wire, call, o.key || newKey(), o.signal);
}

/** A key that nobody else has. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
