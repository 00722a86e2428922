import type { Client } from '../../../client/ts/src/index.ts';
import { script } from '../../../client/ts/test/support/daemon.ts';

/** What one turn of a long log says: about a thousand events in a dozen entries. */
const turn = script(...Array.from({ length: 4 }, () => [
  { think: { text: 'think of it '.repeat(30), chunk: 5 } }, { say: { text: 'word **bold** and so on '.repeat(34), chunk: 5 } }, { tool: { name: 'bash', args: { command: 'ls' }, output: ['a line\n', 'another\n'] } },
]).flat());

/** Makes a session whose log has at least so many events; it gives the id, and how many there are. */
export async function long(client: Client, cwd: string, events: number): Promise<{ id: string; seq: number }> {
  const { id } = await client.create({ agent: 'scripted', cwd, title: `${events} events` });
  for (let seq = 0; ; ) {
    await client.prompt(id, { text: turn });
    await client.wait({ sessions: [id], until: { rest: true } });
    ({ seq } = await client.session(id).state());
    if (seq >= events) {
      return { id, seq };
    }
  }
}
