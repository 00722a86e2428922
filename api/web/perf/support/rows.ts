import { cpus } from 'node:os';

/** One figure of the report: what it is called, what it is held against, and how it is told. */
interface Row {
  name: string;
  unit: string;
  /** As `task report` reads it; absent: it is told and not judged. */
  goal?: string;
  /** It is a time of the clock: it is held to its goal where the machine was idle before. */
  isClock?: true;
}

/** What of the page's goals this lane measures. Times of the processor count on a busy machine too, those of a clock do not: they are told with what others had of it before. */
export const rows = {
  first: { name: 'first load, compressed', unit: 'KiB', goal: '≤ 90' },
  later: { name: 'largest later part, compressed', unit: 'KiB', goal: '≤ 45' },
  embedded: { name: 'all that is embedded', unit: 'KiB', goal: '≤ 400' },
  performance: { name: 'Lighthouse mobile, performance', unit: '', isClock: true, goal: '≥ 95' },
  accessibility: { name: 'Lighthouse mobile, accessibility', unit: '', goal: '≥ 100' },
  practices: { name: 'Lighthouse mobile, best practices', unit: '', goal: '≥ 100' },
  keptTen: { name: 'open 10,000 events that are kept, renderer CPU', unit: 'ms', goal: '≤ 150' },
  keptTenClock: { name: 'open 10,000 events that are kept, clock', unit: 'ms', isClock: true, goal: '≤ 200' },
  coldTen: { name: 'open 10,000 events from the daemon, renderer CPU', unit: 'ms', goal: '≤ 200' },
  coldTenClock: { name: 'open 10,000 events from the daemon, clock', unit: 'ms', isClock: true, goal: '≤ 300' },
  keptMany: { name: 'open 100,000 events that are kept, renderer CPU', unit: 'ms', goal: '≤ 150' },
  keptManyClock: { name: 'open 100,000 events that are kept, clock', unit: 'ms', isClock: true, goal: '≤ 200' },
  coldMany: { name: 'open 100,000 events from the daemon, renderer CPU', unit: 'ms', goal: '≤ 400' },
  coldManyClock: { name: 'open 100,000 events from the daemon, clock', unit: 'ms', isClock: true, goal: '≤ 500' },
  nothing: { name: 'open the page without a session, renderer CPU', unit: 'ms' },
  memory: { name: 'renderer memory, 100,000 events open', unit: 'MB', goal: '≤ 250' },
  events: { name: 'events through one page, 20 sessions followed', unit: '' },
  growth: { name: 'renderer memory grown by these events', unit: 'MB', goal: '≤ 30' },
  grown: { name: 'of that, what the page and its workers use', unit: 'MB', goal: '≤ 3' },
  painted50: { name: 'event to painted at 50 events/s, p50', unit: 'ms', isClock: true, goal: '≤ 30' },
  painted99: { name: 'event to painted at 50 events/s, p99', unit: 'ms', isClock: true, goal: '≤ 100' },
  longest: { name: 'longest task of the page, 20 sessions at 50 events/s, CPU', unit: 'ms', goal: '≤ 50' },
  frames: { name: 'frames lost to a reader who scrolls meanwhile', unit: '', isClock: true, goal: '0' },
  moved: { name: 'a reader scrolled up is moved by 1,000 entries', unit: 'px', goal: '≤ 1' },
  streams: { name: 'streams of eight tabs', unit: '', goal: '1' },
  answered: { name: 'a request beside eight tabs', unit: 'ms', isClock: true, goal: '≤ 100' },
  elected: { name: 'leader killed, all others live', unit: 'ms', isClock: true, goal: '≤ 1000' },
  lost: { name: 'characters missing or doubled in other tabs', unit: '', goal: '0' },
  offline: { name: 'daemon down, reloaded, list and session', unit: 'ms', isClock: true, goal: '≤ 500' },
  back: { name: 'daemon back, live', unit: 'ms', isClock: true, goal: '≤ 1000' },
  load: { name: 'time of the processors that was used before a measurement, at most', unit: '%' },
} as const satisfies Record<string, Row>;

export type Key = keyof typeof rows;

/** What other lanes hold the page and its clients to. */
export const elsewhere: [goal: string, lane: string][] = [
  ['axe finds nothing, every view, light and dark, phone and desktop', 'task web (WEB_LONG=yes)'],
  ['by keyboard, ≤ 10 keys', 'task web'],
  ['hostile texts make no element, no attribute and no request', 'task web'],
  ['the cache after 100 kill -9 of the browser', 'task web -- kills'],
  ['flipped bits, random lives, planted faults, the Go mirror', 'task sync, task ts -- --long'],
  ['SQLite', 'task sqlcache'],
  ['the terminal, the size of the program', 'task bench:system'],
];

/** Up to such a share of their time that others use, in percent, the processors are idle enough for goals of the clock. */
const idle = 20;

/** How long is looked, in milliseconds, and how often at most, until they are. */
const look = 1000, looks = 15;

let share = 0, largest = 0;

const found = new Map<Key, { value: number; goal?: string }>();

const times = (): { all: number; idle: number } => cpus().reduce((sum, { times: t }) => ({ all: sum.all + t.user + t.nice + t.sys + t.idle + t.irq, idle: sum.idle + t.idle }), { all: 0, idle: 0 });

/** Waits until the processors are idle, or for a while, and tells in percent what is used of their time where nothing is measured. */
export async function calm(): Promise<void> {
  for (let n = 0; n < looks && (n === 0 || share > idle); n++) {
    const before = times();
    await new Promise((over) => setTimeout(over, look));
    const now = times();
    share = 100 * (1 - (now.idle - before.idle) / Math.max(1, now.all - before.all));
  }
  largest = Math.max(largest, share);
  figure('load', largest);
}

/** Keeps a figure, and tells it. */
export function figure(key: Key, given: number): void {
  const row: Row = rows[key];
  const value = Number.isInteger(given) ? given : Number(given.toPrecision(3));
  const isJudged = row.goal !== undefined && (row.isClock === undefined || share <= idle);
  found.set(key, isJudged ? { value, goal: row.goal! } : { value });
  console.log(`${row.name}: ${value} ${row.unit} (${row.goal === undefined ? 'no goal' : `goal ${row.goal}${isJudged ? '' : ', not judged on a busy machine'}`})`);
}

/** The figures as the command that records them takes them: NAME=VALUE UNIT:GOAL. */
export function recorded(): string[] {
  return [...found].map(([key, { value, goal }]) => `${rows[key].name}=${value}${rows[key].unit === '' ? '' : ` ${rows[key].unit}`}${goal === undefined ? '' : `:${goal}`}`);
}

/** Those that miss their goal. */
export function missed(): string[] {
  return [...found].flatMap(([key, { value, goal = '' }]) => {
    const [, sign, limit] = /^(?:([≤≥]) )?(\d+)$/.exec(goal) ?? [];
    const isMet = limit === undefined || (sign === '≤' ? value <= Number(limit) : sign === '≥' ? value >= Number(limit) : value === Number(limit));
    return isMet ? [] : [`${rows[key].name}: ${value} ${rows[key].unit}, goal ${goal}`];
  });
}
