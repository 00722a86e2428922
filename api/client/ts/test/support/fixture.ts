import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatCursor, parseCursor } from 'ringmaster-protocol';
import type { CachedSession, Files, Folder } from '../../src/cache/index.ts';
import type { Effect, Input, Open } from '../../src/sync/index.ts';
import { sessionId, type Kit } from './kit.ts';

const folder = join(import.meta.dirname, '../../../../../protocol/testdata/sync');

/** The bytes of a session's files: index and state in hexadecimal, the lines as text. */
interface Stored {
  index: string;
  file: string;
  state: string;
}

/** A file of protocol/testdata/sync; the README there says what it means. */
export interface Fixture {
  name: string;
  before?: Stored;
  steps: { input: Record<string, unknown> & { type: Input['type'] }; jitter?: number; effects: unknown[]; phase: string }[];
  after?: Stored;
  shown: number[];
}

export const fixtures: Fixture[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ name: file.replace('.json', ''), ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<Fixture, 'name'>) }));

/** Where fixtures are carried out: a folder of files that can be looked into. */
export interface Place {
  files: Files;
  bytes(name: string): Promise<Uint8Array | undefined>;
}

/** Holds what a machine says, and what its effects leave in a cache, against a fixture. */
export async function play(kit: Kit, f: Fixture, place: Place): Promise<void> {
  await new Player(kit, place).play(f);
}

class Player {
  readonly #place: Place;
  readonly #kit: Kit;
  #folder!: Folder;
  #session: CachedSession | undefined;
  #shown: number[] = [];
  #hasFailed = false; // the rewind of this step

  constructor(kit: Kit, place: Place) {
    this.#kit = kit;
    this.#place = place;
  }

  async play(f: Fixture): Promise<void> {
    if (f.before !== undefined) {
      await this.#write(f.before);
    }
    this.#folder = await this.#kit.Folder.on(this.#place.files, { flush: true });
    const machine = new this.#kit.Machine();
    for (const [i, step] of f.steps.entries()) {
      const input = inputOf(step.input);
      if (input.type === 'open' && input.cached && machine.phase === 'closed') {
        await this.#open(input);
      }
      const effects = machine.step(input, step.jitter ?? 0);
      assert.deepEqual({ effects: effects.map(written), phase: machine.phase }, { effects: step.effects, phase: step.phase }, `step ${i + 1}, ${input.type}`);
      this.#hasFailed = false;
      for (const effect of effects) {
        await this.#do(effect, f.steps[i + 1]?.input.type);
      }
    }
    if (f.after !== undefined) {
      assert.deepEqual(await this.#read(), f.after);
    }
    assert.deepEqual(this.#shown, f.shown);
  }

  async #open(want: Input): Promise<void> {
    this.#session?.close();
    const { session, found } = await this.#folder.open(sessionId);
    const { saveEvery: _, ...looked } = want as Open; // the program's own
    assert.deepEqual(found, looked, 'what is found in the cache');
    this.#session = session;
    this.#shown = [];
  }

  /** Carries out an effect. One that the next input says has failed does not succeed here either. */
  async #do(e: Effect, next: string | undefined): Promise<void> {
    switch (e.type) {
      case 'show':
        this.#shown.push(e.at.seq);
        break;
      case 'forget':
        this.#shown = [];
        break;
      case 'read':
        if (this.#hasFailed) {
          break;
        }
        for (let seq = 1; seq <= e.after; seq++) {
          this.#shown.push(seq);
        }
        try {
          for await (const { event } of this.#session!.lines(e)) {
            this.#shown.push(event.seq);
          }
        } catch (problem) {
          assert.equal(next, 'unreadable', String(problem));
        }
        break;
      case 'rewind':
        try {
          await this.#session!.do(e);
        } catch (problem) {
          assert.equal(next, 'unreadable', String(problem));
          this.#hasFailed = true;
        }
        break;
      case 'cut':
      case 'drop':
      case 'drop_checkpoint':
      case 'evict':
        await this.#session!.do(e);
        break;
      case 'store':
        if (next !== 'store_failed') {
          await this.#session!.do(e);
        }
        break;
      case 'save':
        if (next !== 'store_failed') {
          await this.#session!.saveState(e.at, `{"seq":${e.at.seq}}`);
        }
        break;
    }
  }

  async #write(s: Stored): Promise<void> {
    for (const [ending, bytes] of [['.index', Buffer.from(s.index, 'hex')], ['.ndjson', Buffer.from(s.file)], ['.state', Buffer.from(s.state, 'hex')]] as const) {
      if (bytes.length > 0) {
        await this.#place.files.write(sessionId + ending, 0, bytes, false);
      }
    }
  }

  /** What is there; a file that is not is an empty one. */
  async #read(): Promise<Stored> {
    const get = async (ending: string): Promise<Buffer> => Buffer.from((await this.#place.bytes(sessionId + ending)) ?? []);
    return { index: (await get('.index')).toString('hex'), file: (await get('.ndjson')).toString(), state: (await get('.state')).toString('hex') };
  }
}

/** Reads an input: a cursor is text there, under names of its own. */
function inputOf(raw: Record<string, unknown> & { type: Input['type'] }): Input {
  const { cursor, since, ...rest } = raw;
  return {
    ...rest,
    ...(typeof cursor === 'string' ? { at: parseCursor(cursor) } : {}),
    ...(typeof since === 'string' ? { since: parseCursor(since) } : {}),
  } as unknown as Input;
}

/** Writes an effect as the fixtures do. */
function written(e: Effect): unknown {
  switch (e.type) {
    case 'connect':
      return { ...e, since: formatCursor(e.since) };
    case 'store':
    case 'save':
    case 'rewind':
    case 'show': {
      const { at, ...rest } = e;
      return { ...rest, cursor: formatCursor(at) };
    }
    default:
      return e;
  }
}
