import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { until } from '../../e2e/support/looks.ts';
import type { Stand } from '../../e2e/support/stand.ts';
import { newestSlot } from '../../../client/ts/src/cache/slot.ts';
import { start, type Started } from './profile.ts';

/**
 * A tab that nobody looks into beyond what is measured. A tool that drives a page has the browser report every piece of an answer and keep a copy of it, in the page's own process: memory and processor time that no reader has.
 */
export class Tab {
  readonly #started: Started;
  readonly #socket: WebSocket;
  #n = 0;
  readonly #answers = new Map<number, (answer: { result?: object; error?: { message: string } }) => void>();
  #page = ''; // the session of the protocol
  readonly #workers = new Set<string>(); // and theirs, while its memory is looked at

  private constructor(started: Started, socket: WebSocket) {
    this.#started = started;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as { id?: number; result?: object; error?: { message: string }; method?: string; params?: { sessionId: string; targetInfo: { type: string } } };
      if (answer.method === 'Target.attachedToTarget' && answer.params!.targetInfo.type === 'worker') {
        this.#workers.add(answer.params!.sessionId);
      }
      this.#answers.get(answer.id ?? 0)?.(answer);
      this.#answers.delete(answer.id ?? 0);
    });
  }

  /** Opens the page in a browser of its own, logged in by a link. */
  static async open(s: Stand): Promise<Tab> {
    const started = await start();
    const { webSocketDebuggerUrl } = (await (await fetch(`http://127.0.0.1:${started.port}/json/version`)).json()) as { webSocketDebuggerUrl: string };
    const socket = new WebSocket(webSocketDebuggerUrl);
    await once(socket, 'open');
    const tab = new Tab(started, socket);
    try {
      const [target] = await tab.#targets('page');
      tab.#page = await tab.#attach(target!);
      const { code } = await s.client.askLogin();
      await tab.visit(`${s.daemon.base}/#login=${code}`);
      await tab.sees('.link-live', 30_000);
      return tab;
    } catch (thrown) {
      await tab.close();
      throw thrown;
    }
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.#started.end();
  }

  async visit(address: string): Promise<void> {
    await this.#send('Page.navigate', { url: address }, this.#page);
  }

  /** Leads to another place of the page, as a link in it does. */
  async lead(path: string): Promise<void> {
    await this.run((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
  }

  /** Has the page run a function, which knows nothing but its argument. */
  async run<T, A>(act: (given: A) => T | Promise<T>, given: A, within = 60_000): Promise<T> {
    const { result, exceptionDetails } = await this.#send<{ result: { value: T }; exceptionDetails?: { text: string; exception?: { description?: string } } }>('Runtime.evaluate', {
      expression: `(${String(act)})(${JSON.stringify(given)})`, awaitPromise: true, returnByValue: true,
    }, this.#page, within);
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** Waits until something is there. */
  async sees(selector: string, within = 120_000): Promise<void> {
    let why = '';
    await until(() => this.run((what) => document.querySelector(what) !== null, selector, 2000).catch((thrown: unknown) => {
      why = String(thrown); // it is on its way to another page
      return false;
    }), selector, within).catch(async (thrown: unknown) => {
      throw new Error(`${String(thrown)} ${why}: ${await this.run(() => document.body.innerText.slice(0, 500), null)}`);
    });
  }

  /** Waits until the browser has stored the log of a session up to a number. */
  async stores(id: string, seq: number): Promise<void> {
    await until(async () => {
      const bytes = await this.run(async (name) => {
        const root = await navigator.storage.getDirectory() as unknown as { values(): AsyncIterable<FileSystemDirectoryHandle> };
        for await (const dir of root.values()) {
          try {
            const file = await (await (await dir.getDirectoryHandle('sessions')).getFileHandle(name)).getFile();
            return [...new Uint8Array(await file.arrayBuffer())];
          } catch {
            // it is not there, or was written meanwhile
          }
        }
        return [];
      }, `${id}.index`);
      return (newestSlot(Uint8Array.from(bytes))?.slot.seq ?? 0) >= seq;
    }, 'the log is stored', 300_000);
  }

  /** Processor time that the renderers have used, all their threads together, in milliseconds. */
  async used(): Promise<number> {
    return (await this.#renderers()).reduce((sum, p) => sum + p.cpuTime * 1000, 0);
  }

  /** Memory of the largest renderer, and what the page and its workers use of it, in MB, when all of them have let go of what nobody uses. */
  async memory(): Promise<{ all: number; used: number }> {
    const attach = (autoAttach: boolean): Promise<object> => this.#send('Target.setAutoAttach', { autoAttach, waitForDebuggerOnStart: false, flatten: true }, this.#page);
    await attach(true); // a worker that is attached is slower: not before it is needed
    let used = 0;
    for (const one of [this.#page, ...this.#workers]) {
      await this.#send('HeapProfiler.enable', {}, one);
      await this.#send('HeapProfiler.collectGarbage', {}, one);
      const heap = await this.#send<{ usedSize: number; embedderHeapUsedSize: number; backingStorageSize: number }>('Runtime.getHeapUsage', {}, one);
      used += (heap.usedSize + heap.embedderHeapUsedSize + heap.backingStorageSize) / 1e6;
    }
    await attach(false);
    this.#workers.clear();
    await new Promise((over) => setTimeout(over, 5000)); // what was let go of goes back to the system by and by
    const sizes = (await this.#renderers()).map(({ id }) => {
      try {
        return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1000;
      } catch {
        return 0; // it has ended
      }
    });
    return { all: Math.max(...sizes), used };
  }

  async #renderers(): Promise<{ id: number; cpuTime: number }[]> {
    const { processInfo } = await this.#send<{ processInfo: { type: string; id: number; cpuTime: number }[] }>('SystemInfo.getProcessInfo');
    return processInfo.filter((p) => p.type === 'renderer');
  }

  async #targets(type: string): Promise<string[]> {
    const { targetInfos } = await this.#send<{ targetInfos: { targetId: string }[] }>('Target.getTargets', { filter: [{ type }] });
    return targetInfos.map((t) => t.targetId);
  }

  async #attach(targetId: string): Promise<string> {
    return (await this.#send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })).sessionId;
  }

  async #send<T extends object>(method: string, params: object = {}, sessionId?: string, within = 60_000): Promise<T> {
    const id = ++this.#n;
    const answer = new Promise<{ result?: object; error?: { message: string } }>((come) => this.#answers.set(id, come));
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    const late = setTimeout(() => this.#answers.get(id)?.({ error: { message: 'no answer' } }), within); // a page that is being left answers nothing
    const { result, error } = await answer;
    clearTimeout(late);
    this.#answers.delete(id);
    if (error !== undefined) {
      throw new Error(`${method}: ${error.message}`);
    }
    return result as T;
  }
}
