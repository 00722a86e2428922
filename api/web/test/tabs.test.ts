import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionSummary } from 'ringmaster-client';
import type { Cursor } from 'ringmaster-protocol';
import { Hub } from '../src/tabs/hub.ts';
import { nameOf } from '../src/tabs/names.ts';
import { most } from '../src/tabs/outbox.ts';
import { isBehind } from '../src/tabs/place.ts';
import { Seat } from '../src/tabs/seat.ts';
import type { Batch, Told } from '../src/tabs/words.ts';

// Proves: I14.2/tabs

/** A seeded sequence of numbers. */
function random(seed: number): (below: number) => number {
  return (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

const session = (id: string, seq: number): SessionSummary => ({ id, seq } as SessionSummary);

/** A tab that shows what it is told, and says what the page would: its log is the numbers of lines that it has. */
class Tab {
  readonly id: string;
  at: Cursor | undefined;
  has = 0; // lines of the log, from its first one
  epoch = 1;
  isAsking = false;
  isDrawn = false; // a state, and it was not said as yet
  readonly pending: Batch[] = [];
  readonly roster = new Set<string>();

  constructor(id: string) {
    this.id = id;
  }

  take(told: Told, again: () => void): void {
    switch (told.type) {
      case 'state':
        if (this.at === undefined || isBehind(this.at, told.at)) {
          this.at = told.at;
          this.has = Number(told.state);
          assert.equal(this.has, told.at.seq);
          this.isDrawn = true;
        }
        return;
      case 'lines':
        if (this.at === undefined || told.epoch !== this.at.epoch && this.at.seq > 0 || told.from > this.at.seq + 1) {
          again();
          return;
        }
        for (const [i, line] of told.lines.entries()) {
          const seq: number = told.from + i;
          assert.equal(line.trimEnd(), `${told.epoch}.${seq}`);
          if (seq === this.at.seq + 1) {
            this.at = { epoch: told.epoch, seq };
            this.has++;
          }
        }
        return;
      case 'reset':
        if (this.at === undefined || !isBehind(told.at, this.at)) {
          this.at = undefined;
          this.has = 0;
        }
        return;
      case 'ask':
        this.isAsking = true;
        return;
      case 'roster':
        this.roster.clear();
        told.sessions.forEach((s) => this.roster.add(s.id));
        return;
      case 'session':
        this.roster.add(told.session.id);
        return;
      case 'gone':
        this.roster.delete(told.id);
    }
  }
}

test('whatever tabs, leaders and the log do, a tab comes to have all of the log, and nothing twice', (t) => {
  let states = 0, glances = 0, handovers = 0, resets = 0;
  for (let seed = 1; seed <= 2000; seed++) {
    const below = random(seed);
    let log: Cursor = { epoch: 1, seq: below(50) }; // as the daemon has it
    let kept: Cursor = { epoch: 1, seq: 0 }; // as the leader has it
    let isGlancing = false, isFollowed = false, isOpen = false, sent: [string, Batch][] = [];
    const tabs = Array.from({ length: 1 + below(4) }, (_, n) => new Tab(`t${n}`));
    const padding = below(4) === 0 ? ' '.repeat(most / 8) : ''; // some lines are long
    let hub!: Hub;
    const wants = (tab: Tab): void => hub.ask(tab.id, { type: 'want', at: { s: tab.at ?? null } });
    const lead = (): void => {
      sent = [];
      isGlancing = isFollowed = isOpen = false;
      kept = below(3) === 0 ? { epoch: 1, seq: 0 } : { epoch: log.epoch, seq: below(log.seq + 1) };
      const here = new Hub({ at: () => (isOpen ? kept : undefined), state: () => (states++, String(kept.seq)) }, 'disk', {
        send: (id, batch) => here === hub && sent.push([id, batch]), glance: () => (isGlancing = true), follow: () => (isFollowed = true), unfollow: () => (isFollowed = isOpen = false), wake: () => undefined,
      });
      hub = here;
      hub.list([session('s', log.seq)]);
      for (const tab of tabs) {
        hub.join(tab.id);
        wants(tab);
      }
    };
    const deliver = (): void => {
      for (const tab of tabs.filter(() => below(3) > 0)) {
        for (const [, batch] of sent.filter(([id]) => id === tab.id)) {
          batch.told.forEach((told) => tab.take(told, () => {
            hub.ask(tab.id, { type: 'want', at: {} });
            wants(tab);
          }));
          hub.ask(tab.id, { type: 'taken', n: batch.n });
        }
        sent = sent.filter(([id]) => id !== tab.id);
      }
    };
    const answer = (tab: Tab): void => { // the daemon's own state
      if (tab.isAsking) {
        tab.isAsking = false;
        if (tab.at === undefined || isBehind(tab.at, log)) {
          tab.at = { ...log };
          tab.has = log.seq;
        }
        wants(tab);
      }
    };
    const draw = (tab: Tab): void => {
      if (tab.isDrawn) {
        tab.isDrawn = false;
        wants(tab);
      }
    };
    const grow = (): void => {
      if (isOpen && isBehind(kept, log) && kept.epoch === log.epoch) {
        kept = { epoch: log.epoch, seq: kept.seq + 1 };
        hub.take({ type: 'line', id: 's', at: kept, line: `${kept.epoch}.${kept.seq}${padding}` });
      }
    };
    const reset = (): void => {
      if (isOpen && kept.epoch !== log.epoch) {
        kept = { epoch: log.epoch, seq: 0 };
        hub.take({ type: 'reset', id: 's' });
      }
    };
    const glance = (): void => { // what is stored may be behind what is kept, and lines may be stored without a state
      if (isGlancing) {
        isGlancing = false;
        const seq = below(3) === 0 ? kept.seq : below(kept.seq + 1);
        hub.glanced('s', kept.seq === 0 ? undefined : seq === 0 ? 'lines' : (glances++, { at: { epoch: kept.epoch, seq }, state: String(seq) }));
      }
    };
    const open = (): void => {
      if (isFollowed && !isOpen) {
        isOpen = true;
        hub.opened('s');
      }
    };
    lead();
    for (let step = 0; step < 120; step++) {
      switch (below(12)) {
        case 0:
          if (below(6) === 0) {
            handovers++;
            lead();
          }
          break;
        case 1:
          if (below(8) === 0) {
            resets++;
            log = { epoch: log.epoch + 1, seq: below(20) };
          }
          break;
        case 2:
          hub.link((['live', 'away', 'connecting'] as const)[below(3)]!, step);
          break;
        case 3:
          tabs.forEach(answer);
          tabs.forEach(draw);
          break;
        case 4:
          if (below(2) === 0) {
            glance();
          } else {
            open();
          }
          break;
        case 5:
        case 6:
          log = { epoch: log.epoch, seq: log.seq + 1 + below(5) };
          break;
        case 7:
          reset();
          break;
        case 8:
          deliver();
          break;
        default:
          for (let n = below(20); n > 0; n--) {
            grow();
          }
          hub.flush();
      }
    }
    hub.link('live', 120);
    for (let round = 0; round < 400; round++) {
      glance();
      open();
      reset();
      for (let n = 0; n < 50; n++) {
        grow();
      }
      hub.flush();
      deliver();
      tabs.forEach(answer);
      tabs.forEach(draw);
    }
    for (const tab of tabs) {
      assert.deepEqual([tab.at, tab.has], [log, log.seq], `seed ${seed}`);
    }
  }
  t.diagnostic(`2,000 lives, ${handovers} leaders, ${resets} resets, ${states} states, ${glances} of a glance`);
});

test('a tab that takes nothing is sent no more than its measure, gets the state and the list when it has taken, and costs the others nothing', () => {
  const sent = new Map<string, Batch[]>([['slow', []], ['fast', []]]);
  let kept: Cursor = { epoch: 1, seq: 1 };
  const hub = new Hub({ at: () => kept, state: () => 'x' }, 'disk', { send: (id, batch) => sent.get(id)!.push(batch), glance: () => undefined, follow: () => undefined, unfollow: () => undefined, wake: () => undefined });
  hub.list([session('s', 1)]);
  for (const id of sent.keys()) {
    hub.join(id);
    hub.ask(id, { type: 'want', at: { s: { epoch: 1, seq: 1 } } });
  }
  hub.opened('s');
  const text = 'y'.repeat(10_000);
  for (let n = 0; n < 1000; n++) {
    kept = { epoch: 1, seq: kept.seq + 1 };
    hub.take({ type: 'line', id: 's', at: kept, line: text });
    hub.flush();
    const last = sent.get('fast')!.at(-1)!;
    hub.ask('fast', { type: 'taken', n: last.n });
  }
  hub.take({ type: 'session', id: 'new', session: session('new', 1) });
  hub.flush();
  const lines = (id: string): number => sent.get(id)!.flatMap((b) => b.told).reduce((sum, t) => sum + (t.type === 'lines' ? t.lines.length : 0), 0);
  assert.equal(lines('fast'), 1000);
  assert.ok(lines('slow') * text.length < 1.1 * most, `${lines('slow')} lines`);
  assert.ok(!sent.get('slow')!.flatMap((b) => b.told).some((t) => t.type === 'session'));
  const before = sent.get('slow')!.length;
  hub.ask('slow', { type: 'taken', n: sent.get('slow')!.at(-1)!.n });
  hub.flush();
  const after = sent.get('slow')!.slice(before).flatMap((b) => b.told);
  assert.deepEqual(after.map((t) => t.type), ['roster', 'state']);
  assert.deepEqual(after[1], { type: 'state', id: 's', at: kept, state: 'x' });
});

test('what a text has beyond its log goes to tabs that have the log so far, and to none that is behind', () => {
  const sent = new Map<string, Told[]>([['has', []], ['begins', []], ['slow', []]]);
  const kept: Cursor = { epoch: 1, seq: 1 };
  const hub = new Hub({ at: () => kept, state: () => 'x' }, 'disk', { send: (id, batch) => void sent.get(id)!.push(...batch.told), glance: () => undefined, follow: () => undefined, unfollow: () => undefined, wake: () => undefined });
  for (const id of sent.keys()) {
    hub.join(id);
    hub.ask(id, { type: 'want', at: { s: id === 'begins' ? null : kept } });
  }
  hub.leave('begins');
  hub.join('begins');
  hub.opened('s');
  const overflow = { type: 'overflow', entryId: 'e1', ts: 1, offset: 2, delta: { op: 'text_append', text: 'z'.repeat(most / 4) } } as const;
  for (let n = 0; n < 8; n++) {
    hub.take({ type: 'overflow', id: 's', overflow });
    hub.flush();
    hub.ask('has', { type: 'taken', n: 100 });
  }
  const seen = (id: string): number => sent.get(id)!.filter((t) => t.type === 'overflow').length;
  assert.deepEqual([seen('has'), seen('begins'), seen('slow')], [8, 0, 4]);
});

test('a tab follows who leads, leads when it has the lock, and goes on alone where the leader is silent', () => {
  const types = (seat: Seat, ...inputs: Parameters<Seat['step']>[0][]): string[] => inputs.flatMap((i) => seat.step(i)).map((e) => e.type);
  const tick = { type: 'tick' } as const, heard = (leader: string) => ({ type: 'heard', leader }) as const;
  const seat = new Seat();
  assert.deepEqual(types(seat, heard('a'), heard('a')), ['follow']);
  assert.deepEqual(types(seat, ...Array.from({ length: 8 }, () => tick)), Array.from({ length: 8 }, () => 'ping'), 'for 45 s it asks');
  assert.deepEqual(types(seat, heard('a'), tick), ['ping'], 'a sign of life counts');
  assert.deepEqual(types(seat, ...Array.from({ length: 8 }, () => tick)).at(-2), 'alone');
  assert.deepEqual(types(seat, tick, heard('a')), ['ping', 'stop', 'follow'], 'the leader has thawed');
  assert.deepEqual(types(seat, heard('b')), ['follow'], 'another one leads');
  assert.deepEqual(types(seat, { type: 'granted' }, tick, heard('c')), ['lead']);
  const fresh = new Seat();
  assert.deepEqual(types(fresh, tick, { type: 'granted' }), ['alone', 'ping', 'stop', 'lead'], 'whoever never heard of a leader waits 5 s');
});

test('whoever joins while the daemon is away hears since when, and nobody has it anew with another try', () => {
  const sent: Told[] = [];
  const hub = new Hub({ at: () => undefined, state: () => undefined }, 'disk', { send: (_, batch) => sent.push(...batch.told), glance: () => undefined, follow: () => undefined, unfollow: () => undefined, wake: () => undefined });
  const links = (): Told[] => (hub.flush(), sent.splice(0).filter((t) => t.type === 'link'));
  assert.deepEqual([hub.link('away', 100), hub.since], [true, undefined], 'it was never heard');
  hub.link('live', 200);
  hub.list([session('s', 1)]);
  assert.equal(hub.link('away', 1000), true);
  assert.equal(hub.link('away', 2000), false);
  hub.join('late');
  assert.deepEqual([links(), hub.since], [[{ type: 'link', link: 'away', since: 1000 }], 1000]);
  hub.link('live', 3000);
  assert.deepEqual([links(), hub.since], [[{ type: 'link', link: 'live' }], undefined]);
});

test('tabs of another build have other locks and channels', () => {
  assert.notEqual(nameOf('p', '/assets/1-worker.js', 'leader'), nameOf('p', '/assets/2-worker.js', 'leader'));
});
