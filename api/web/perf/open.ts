import type { Stand } from '../e2e/support/stand.ts';
import { until } from '../e2e/support/looks.ts';
import { long } from './support/logs.ts';
import { figure, type Key } from './support/rows.ts';
import { Tab } from './support/tab.ts';

const runs = 7;

const moment = (ms: number): Promise<void> => new Promise((over) => setTimeout(over, ms));

/** Milliseconds from the beginning of a load until what is looked for is painted. */
function painted(what: string): Promise<number> {
  return new Promise((done) => {
    const look = (): void => {
      if (document.querySelector(what) === null) {
        requestAnimationFrame(look);
      } else {
        requestAnimationFrame(() => setTimeout(() => done(performance.now())));
      }
    };
    look();
  });
}

/** Takes away what the browser has kept of logs and lists. */
async function forget(tab: Tab, base: string): Promise<void> {
  await tab.visit(`${base}/sw.js`);
  await until(() => tab.run(async () => {
    const root = await navigator.storage.getDirectory() as unknown as { values(): AsyncIterable<{ name: string }>; removeEntry(name: string, o: object): Promise<void> };
    try {
      for await (const { name } of root.values()) {
        await root.removeEntry(name, { recursive: true });
      }
      return true;
    } catch {
      return false; // the worker of the page before is still there
    }
  }, null), 'nothing is kept');
}

/** Opens an address again and again. The least counts, of the processor's time and of the clock's: what others do on the machine only adds to it. */
async function times(tab: Tab, s: Stand, path: string, what: string, prepare: () => Promise<void> = async () => undefined): Promise<{ cpu: number; clock: number }> {
  const cpu: number[] = [], clock: number[] = [];
  for (let n = 0; n < runs; n++) {
    await prepare();
    await tab.visit('about:blank');
    await moment(1000); // the page before has ended, with its worker
    const before = await tab.used();
    await tab.visit(s.daemon.base + path);
    clock.push(await tab.run(painted, what));
    cpu.push((await tab.used()) - before);
    await moment(1000);
  }
  console.log(`  ${path}: ${cpu.map((ms, n) => `${ms.toFixed(0)}/${clock[n]!.toFixed(0)}`).join(', ')} ms of the processor/on the clock`);
  return { cpu: Math.min(...cpu), clock: Math.min(...clock) };
}

/** How fast a session is shown, and how much memory it takes. */
export async function opening(s: Stand): Promise<void> {
  const row = '.log .turn-end';
  const tab = await Tab.open(s);
  try {
    figure('nothing', (await times(tab, s, '/inbox', '.link-live')).cpu);
    for (const [events, keys] of [[10_000, ['keptTen', 'keptTenClock', 'coldTen', 'coldTenClock']], [100_000, ['keptMany', 'keptManyClock', 'coldMany', 'coldManyClock']]] as [number, [Key, Key, Key, Key]][]) {
      const { id, seq } = await long(s.client, s.daemon.root, events);
      await tab.visit(`${s.daemon.base}/s/${id}`);
      await tab.sees(row);
      await tab.stores(id, seq);
      if (events === 100_000) {
        figure('memory', (await tab.memory()).all);
      }
      await tab.lead('/'); // the session is left, and its state is stored
      await moment(2000);
      const warm = await times(tab, s, `/s/${id}`, row);
      const cold = await times(tab, s, `/s/${id}`, row, () => forget(tab, s.daemon.base));
      [warm.cpu, warm.clock, cold.cpu, cold.clock].forEach((ms, n) => figure(keys[n]!, ms));
    }
  } finally {
    await tab.close();
  }
}

/** What a page keeps of events that have passed through it. */
export async function growing(s: Stand, flood: (lines: number) => string): Promise<void> {
  const most = Number(process.env['WEB_EVENTS'] ?? 1_000_000), sessions = 20, warm = 4; // a page keeps the logs of four sessions
  const tab = await Tab.open(s);
  try {
    const rest = async (): Promise<{ all: number; used: number }> => {
      await tab.lead('/');
      return tab.memory();
    };
    let before = { all: 0, used: 0 }, seen = 0;
    for (let n = 0; n < warm + sessions; n++) {
      before = n === warm ? await rest() : before;
      const { id } = await s.client.create({ agent: 'scripted', cwd: s.daemon.root, title: `Flood ${n}` });
      await tab.lead(`/s/${id}`);
      await tab.sees('.log');
      await s.client.prompt(id, { text: flood(Math.ceil(most / sessions)) });
      await s.client.wait({ sessions: [id], until: { rest: true }, timeoutMs: 600_000 });
      await tab.sees('.turn-end');
      seen += n < warm ? 0 : (await s.client.session(id).state()).seq;
    }
    figure('events', seen);
    const { all, used } = await rest();
    figure('growth', Math.max(0, all - before.all));
    figure('grown', Math.max(0, used - before.used));
  } finally {
    await tab.close();
  }
}
