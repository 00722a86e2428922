import { open, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { CacheError } from '../cache/index.ts';

/** O_EXLOCK of BSD and macOS: the file is opened with a lock, or not at all. */
const openLocked = 0x0020;

/**
 * Takes the lock of a folder; the end of the process lets go of it. Node has no flock. Where the system opens files with a lock, the lock is that of the file lock, which
 * the Go package takes as well. Elsewhere it is a name that one process can listen on: an abstract socket of Linux, a pipe of Windows. A Go program does not see that one.
 */
export async function lock(dir: string): Promise<() => Promise<void>> {
  if (process.platform !== 'linux' && process.platform !== 'win32') {
    return lockFile(join(dir, 'lock'));
  }
  const { dev, ino } = await stat(dir, { bigint: true });
  const name = `ringmaster-cache-${dev}-${ino}`;
  return listen(dir, process.platform === 'linux' ? `\0${name}` : `\\\\.\\pipe\\${name}`);
}

async function lockFile(path: string): Promise<() => Promise<void>> {
  const { O_RDWR, O_CREAT, O_NONBLOCK } = (await import('node:fs')).constants;
  try {
    const file = await open(path, O_RDWR | O_CREAT | O_NONBLOCK | openLocked, 0o600);
    return () => file.close();
  } catch (problem) {
    throw codeOf(problem) === 'EAGAIN' ? locked(path, problem) : problem;
  }
}

function listen(dir: string, name: string): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((taken, failed) => {
    server.once('error', (problem) => failed(codeOf(problem) === 'EADDRINUSE' ? locked(dir, problem) : problem));
    server.listen(name, () => taken(() => new Promise((over) => server.close(() => over()))));
  });
}

function locked(what: string, cause: unknown): CacheError {
  return new CacheError('locked', `${what} is in use by another program`, cause);
}

function codeOf(problem: unknown): unknown {
  return problem instanceof Error && 'code' in problem ? problem.code : undefined;
}
