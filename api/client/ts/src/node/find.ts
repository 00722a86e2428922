import { open, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { Client } from '../client.ts';
import { Unreachable } from '../errors.ts';
import type { ClientOptions } from '../wire.ts';
import { overSocket } from './socket.ts';

/** Options of find. */
export type FindOptions = Omit<ClientOptions, 'base' | 'token' | 'fetch' | 'where'>;

/** Bounds a token file, in characters: a shorter token can be guessed. */
const minToken = 32, maxToken = 512;

/**
 * Makes a client of the daemon of a data folder on this machine, by the address that the daemon wrote there: its unix socket, else its URL. Without a folder it is the one that the daemon
 * takes without --data. It does not connect: Unreachable here means that no daemon runs.
 */
export async function find(dataFolder: string = defaultFolder(), options: FindOptions = {}): Promise<Client> {
  let text: string;
  try {
    text = await readFile(join(dataFolder, 'address'), 'utf8');
  } catch (problem) {
    throw codeOf(problem) === 'ENOENT' ? new Unreachable(dataFolder, false) : problem;
  }
  const { http, socket } = parsed(text, dataFolder);
  const token = await readToken(join(dataFolder, 'token'));
  if (socket !== '') {
    return new Client({ ...options, token, base: 'http://localhost', where: socket, fetch: overSocket(socket) });
  }
  return new Client({ ...options, token, base: http });
}

/** Makes a client of the daemon that listens on a unix socket. */
export function atSocket(path: string, options: FindOptions & { token?: string } = {}): Client {
  return new Client({ ...options, base: 'http://localhost', where: path, fetch: overSocket(path) });
}

/** The data folder where none is named: $RINGMASTER_DATA, else ringmaster below the XDG state folder (~/.local/state). */
export function defaultFolder(): string {
  const { RINGMASTER_DATA: named = '', XDG_STATE_HOME: state = '' } = process.env;
  return named !== '' ? resolve(named) : isAbsolute(state) ? join(state, 'ringmaster') : join(homedir(), '.local', 'state', 'ringmaster');
}

function parsed(text: string, dataFolder: string): { http: string; socket: string } {
  try {
    const { http = '', socket = '' } = JSON.parse(text) as { http?: string; socket?: string };
    return { http, socket };
  } catch (cause) {
    throw new Error(`${join(dataFolder, 'address')} is no address file`, { cause });
  }
}

/** Reads a token file; undefined where there is none, as a unix socket needs none. One that others may read is refused: its token is no secret. */
async function readToken(path: string): Promise<string | undefined> {
  let file;
  try {
    file = await open(path, 'r');
  } catch (problem) {
    if (codeOf(problem) === 'ENOENT') {
      return undefined;
    }
    throw problem;
  }
  try {
    const { mode, size } = await file.stat();
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new Error(`${path} has mode ${(mode & 0o777).toString(8).padStart(4, '0')}: others than its owner may use it. Hint: chmod 0600 ${path}`);
    }
    const token = size > maxToken + 1 ? '' : (await file.readFile('utf8')).trim();
    if (token.length < minToken || !/^[!-~]+$/.test(token)) {
      throw new Error(`${path} does not hold a token. Hint: delete it and start the daemon again`);
    }
    return token;
  } finally {
    await file.close();
  }
}

function codeOf(problem: unknown): unknown {
  return problem instanceof Error && 'code' in problem ? problem.code : undefined;
}
