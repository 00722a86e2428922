import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';

/** The built daemon: started, killed, and started anew on the same port. */
export class Daemon {
  readonly data: string;
  readonly root: string;
  base = '';
  /** The path of its unix socket. */
  socket = '';
  token = '';
  #port = '0';
  #process: ChildProcess | undefined;
  readonly #program: string;

  constructor(program: string, dir: string) {
    this.#program = program;
    this.data = join(dir, 'data');
    this.root = join(dir, 'root');
    mkdirSync(this.data, { mode: 0o700 });
    mkdirSync(this.root);
  }

  async start(): Promise<void> {
    const address = join(this.data, 'address');
    rmSync(address, { force: true });
    const watcher = watch(this.data);
    const arguments_ = ['serve', '--data', this.data, '--root', this.root, '--listen', `127.0.0.1:${this.#port}`, '--log-level', 'warn'];
    const process = spawn(this.#program, arguments_, { stdio: 'ignore' });
    const ended = once(process, 'exit').then(([code]) => {
      throw new Error(`the daemon ended with ${code}`);
    });
    ended.catch(() => undefined); // once it has come up
    this.#process = process;
    try {
      for (let text = read(address); ; text = read(address)) {
        if (text !== undefined) {
          ({ http: this.base, socket: this.socket } = JSON.parse(text) as { http: string; socket: string });
          break;
        }
        await Promise.race([once(watcher, 'change'), ended]);
      }
    } finally {
      watcher.close();
    }
    this.#port = new URL(this.base).port;
    this.token = readFileSync(join(this.data, 'token'), 'utf8').trim();
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const process = this.#process!;
    const gone = once(process, 'exit');
    process.kill(signal);
    await gone;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8') || undefined;
  } catch {
    return undefined;
  }
}

/** A prompt that the scripted agent plays. */
export const script = (...steps: object[]): string => `\`\`\`script\n${JSON.stringify(steps)}\n\`\`\``;
