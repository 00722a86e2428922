/** Keeps all sessions of a daemon in a cache, counts the lines that come behind what it had, and never ends: node mirroring.ts ADDRESS|SOCKET TOKEN CACHE */
import { Client, Mirror } from '../../src/index.ts';
import { atSocket, files } from '../../src/node/index.ts';

const [where, token, dir] = process.argv.slice(2) as [string, string, string];
const client = where.startsWith('/') ? atSocket(where, { token }) : new Client({ base: where, token });
const mirror = new Mirror(client, { cache: await files(dir), states: true, saveEvery: 3 });
const counted = (async () => {
  let lines = 0, isLive = false;
  void mirror.synced.then(() => (isLive = true));
  for await (const change of mirror.changes()) {
    if (change.type === 'line' && isLive) {
      process.stdout.write(`${++lines}\n`);
    }
  }
})();
await Promise.all([mirror.run(), counted]);
