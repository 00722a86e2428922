import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

/** What a worker has told. */
export type Told = Record<string, unknown> & { what: string };

const folders: Record<string, string> = {
  '/client/': join(import.meta.dirname, '../..'),
  '/protocol/': join(import.meta.dirname, '../../../../../protocol/ts'),
};

/**
 * A Chromium with a profile of its own, which runs a worker of the sources as they are: a server takes the types out. What the worker tells comes back as a list that is waited for.
 */
export class Browser {
  readonly #program: string;
  readonly #profile: string;
  readonly #server: Server;
  #process: ChildProcess | undefined;
  #told: Told[] = [];
  #crashes = 0;
  #ring: (() => void) | undefined;

  constructor(program: string, profile: string) {
    this.#program = program;
    this.#profile = profile;
    this.#server = createServer((request, response) => {
      const url = new URL(request.url!, 'http://here');
      if (url.pathname === '/told') {
        this.#told.push(JSON.parse(url.searchParams.get('told')!) as Told);
        this.#ring?.();
        response.writeHead(204).end();
        return;
      }
      const answer = served(url);
      response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': url.pathname.startsWith('/page') ? 'text/html' : 'text/javascript' });
      response.end(answer ?? '');
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Opens a page whose worker does what the act says. */
  open(act: string): void {
    const { port } = this.#server.address() as { port: number };
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-extensions', '--disable-background-networking', `--user-data-dir=${this.#profile}`];
    this.#told = [];
    // What a killed browser has left names its process, whose number another one may have by now: then this one would end at once, in favour of it.
    for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie']) {
      rmSync(join(this.#profile, name), { force: true });
    }
    const process_ = spawn(this.#program, [...flags, `http://127.0.0.1:${port}/page?act=${act}`], { stdio: 'ignore', detached: true });
    process_.once('exit', (code, signal) => {
      if (this.#process !== process_ || signal === 'SIGKILL') {
        return;
      }
      if (this.#told.length === 0 && this.#crashes++ < 3) { // it crashes at its start now and then
        this.open(act);
      } else {
        this.#told.push({ what: 'error', message: `the browser has ended: ${code ?? signal}` });
        this.#ring?.();
      }
    });
    this.#process = process_;
  }

  /** Waits until the worker tells something of a kind. An error that it tells is thrown. */
  async told(what: string, holds: (told: Told) => boolean = () => true): Promise<Told> {
    for (;;) {
      const error = this.#told.find((t) => t.what === 'error');
      if (error !== undefined) {
        throw new Error(`in the browser: ${String(error['message'])}`);
      }
      const found = this.#told.findLast((t) => t.what === what && holds(t));
      if (found !== undefined) {
        return found;
      }
      await new Promise<void>((ring) => (this.#ring = ring));
    }
  }

  /** Kills the browser with all its processes. */
  async kill(): Promise<void> {
    const process_ = this.#process;
    if (process_?.pid === undefined || process_.exitCode !== null || process_.signalCode !== null) {
      return;
    }
    const gone = once(process_, 'exit');
    process.kill(-process_.pid, 'SIGKILL');
    await gone;
  }

  async close(): Promise<void> {
    await this.kill();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function served(url: URL): string | undefined {
  if (url.pathname === '/page') {
    return `<!doctype html><script>new Worker('/client/test/support/worker.ts${url.search}', { type: 'module' }).onerror = (e) => fetch('/told?told=' + encodeURIComponent(JSON.stringify({ what: 'error', message: e.message + ' ' + e.filename })))</script>`;
  }
  for (const [begins, folder] of Object.entries(folders)) {
    if (url.pathname.startsWith(begins) && /^[a-z0-9/]+\.ts$/.test(url.pathname.slice(begins.length))) {
      const text = stripTypeScriptTypes(readFileSync(join(folder, url.pathname.slice(begins.length)), 'utf8'));
      return text.replaceAll("'ringmaster-protocol'", "'/protocol/src/index.ts'");
    }
  }
  return undefined;
}
