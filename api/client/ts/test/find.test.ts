import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '../src/index.ts';
import { defaultFolder, find } from '../src/node/index.ts';
import { all } from './support/fake.ts';

const token = 'x'.repeat(40);

async function inFolder(act: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'ringmaster-'));
  try {
    await act(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** Serves a stream without an end at /stream, no content for DELETE, and everything else with what was asked. */
async function serving(at: string | number, act: (server: Server, asked: IncomingMessage[]) => Promise<void>): Promise<void> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    if (request.url === '/stream') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: {"type":"heartbeat","ts":1}\n\n');
    } else {
      response.writeHead(request.method === 'DELETE' ? 204 : 200, { 'Content-Type': 'application/json' });
      response.end(request.method === 'DELETE' ? undefined : '{"version":"v1"}');
    }
  });
  await new Promise<void>((done) => (typeof at === 'string' ? server.listen(at, done) : server.listen(at, '127.0.0.1', done)));
  try {
    await act(server, asked);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

const files = (dir: string, address: object, mode = 0o600): void => {
  writeFileSync(join(dir, 'address'), JSON.stringify(address));
  writeFileSync(join(dir, 'token'), `${token}\n`);
  chmodSync(join(dir, 'token'), mode);
};

test('a daemon is found by its unix socket before its address', () =>
  inFolder((dir) =>
    serving(join(dir, 'sock'), async (server, asked) => {
      files(dir, { http: 'http://127.0.0.1:1', socket: join(dir, 'sock') });
      const client = await find(dir);
      assert.equal(client.where, join(dir, 'sock'));
      assert.equal((await client.health()).version, 'v1');
      await client.session('s1').remove();
      await client.session('s1').change({ title: 'é' });
      assert.equal(asked[0]!.headers.authorization, `Bearer ${token}`);
      assert.equal((await all(client.stream({ roster: true }), 1)).items.length, 1);
      await gone(server);
    }),
  ));

test('a daemon is found by its address, and leaving a loop closes the connection', () =>
  inFolder((dir) =>
    serving(0, async (server, asked) => {
      const { port } = server.address() as { port: number };
      files(dir, { http: `http://127.0.0.1:${port}` });
      const client = await find(dir, { name: 'me' });
      assert.equal((await client.health()).version, 'v1');
      await client.session('s1').interrupt();
      assert.equal(asked[1]!.url, '/sessions/s1/interrupt');
      assert.equal((await all(client.stream({ roster: true }), 1)).items.length, 1);
      await gone(server);
    }),
  ));

/** Waits until no connection is open that is being used. */
async function gone(server: Server): Promise<void> {
  server.closeIdleConnections();
  for (;;) {
    const open = await new Promise<number>((done, failed) => server.getConnections((problem, count) => (problem === null ? done(count) : failed(problem))));
    if (open === 0) {
      return;
    }
    await new Promise((turn) => setImmediate(turn));
    server.closeIdleConnections();
  }
}

test('where no daemon runs, and where nobody listens, it is unreachable, and nothing was sent', () =>
  inFolder(async (dir) => {
    await assert.rejects(find(dir), { name: 'Unreachable', sent: false, where: dir });
    files(dir, { socket: join(dir, 'none') });
    await assert.rejects((await find(dir)).health(), { name: 'Unreachable', sent: false });
    let port = 0;
    await serving(0, async (server) => {
      ({ port } = server.address() as { port: number });
    });
    await assert.rejects(new Client({ base: `http://127.0.0.1:${port}` }).health(), { name: 'Unreachable', sent: false });
  }));

test('a redirect is not followed: the token goes nowhere else', () =>
  serving(0, async (elsewhere, asked) => {
    const { port: other } = elsewhere.address() as { port: number };
    const redirecting = createServer((_, response) => response.writeHead(307, { Location: `http://127.0.0.1:${other}/health` }).end());
    await new Promise<void>((done) => redirecting.listen(0, '127.0.0.1', done));
    const { port } = redirecting.address() as { port: number };
    await assert.rejects(new Client({ base: `http://127.0.0.1:${port}`, token }).health(), { name: 'UnexpectedAnswer' });
    assert.deepEqual(asked, []);
    redirecting.closeAllConnections();
    await new Promise((done) => redirecting.close(done));
  }));

test('a token that others may read is no secret, and is not sent; what is none is not either', () =>
  inFolder(async (dir) => {
    files(dir, { http: 'http://127.0.0.1:1' }, 0o644);
    await assert.rejects(find(dir), /0644.*chmod 0600/);
    for (const text of ['', 'short', `${token} ${token}`, 'x'.repeat(600)]) {
      writeFileSync(join(dir, 'token'), text);
      chmodSync(join(dir, 'token'), 0o600);
      await assert.rejects(find(dir), /does not hold a token/);
    }
    writeFileSync(join(dir, 'address'), '{');
    await assert.rejects(find(dir), /no address file/);
  }));

test('the folder that the daemon takes without --data', () => {
  const { RINGMASTER_DATA, XDG_STATE_HOME } = process.env;
  try {
    process.env['RINGMASTER_DATA'] = '/data';
    assert.equal(defaultFolder(), '/data');
    delete process.env['RINGMASTER_DATA'];
    process.env['XDG_STATE_HOME'] = '/state';
    assert.equal(defaultFolder(), '/state/ringmaster');
    process.env['XDG_STATE_HOME'] = 'relative';
    assert.match(defaultFolder(), /\.local\/state\/ringmaster$/);
  } finally {
    Object.assign(process.env, { RINGMASTER_DATA: RINGMASTER_DATA ?? '', XDG_STATE_HOME: XDG_STATE_HOME ?? '' });
  }
});
