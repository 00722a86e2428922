import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MemoryFiles } from '../src/cache/memory.ts';
import { directed } from './support/directed.ts';
import { fixtures, play } from './support/fixture.ts';
import type { Kit } from './support/kit.ts';
import { live } from './support/life.ts';
import { noTally } from './support/tally.ts';

/** Faults that fixtures, directed tests or lives must notice: a file, what stands there, and what a mistake would make of it. */
const faults: [what: string, file: string, from: string, to: string][] = [
  ['lines that came are shown twice', 'sync/machine.ts', 'f.seq <= this.#kept.at.seq', 'f.seq < 0'],
  ['a gap is taken', 'sync/machine.ts', 'f.seq !== this.#kept.at.seq + 1', 'f.seq > this.#kept.at.seq + 2'],
  ['the first line is trusted', 'sync/machine.ts', 'f.seq !== this.#kept.at.seq + 1', 'this.#kept.at.seq > 0 && f.seq !== this.#kept.at.seq + 1'],
  ['a heartbeat shows no gap', 'sync/machine.ts', 'if (at.seq > this.#kept.at.seq) {', 'if (at.seq > this.#kept.at.seq + 1) {'],
  ['a second gap keeps the cache', 'sync/machine.ts', 'if (!this.#tries.gap()) {', 'this.#tries.gap();\n    if (seen.seq < 0) {'],
  ['a foreign epoch is taken', 'sync/position.ts', 'at.epoch > own.epoch && at.seq < least', 'at.seq < 0'],
  ['an earlier epoch is taken', 'sync/position.ts', 'at.epoch < own.epoch || ', ''],
  ['a known number of a later epoch is passed over', 'sync/machine.ts', 'f.at, this.#kept.at.seq + 1)', 'f.at, 0)'],
  ['a later epoch at the position is foreign', 'sync/machine.ts', 'isForeign(this.#kept.at, at, this.#kept.at.seq)', 'isForeign(this.#kept.at, at, this.#kept.at.seq + 1)'],
  ['a provoked reset may be lost', 'sync/position.ts', 'own.seq === nowhere || ', ''],
  ['what is common is not looked at', 'sync/machine.ts', 'this.#goBack(r.epoch, r.oldest, r.common)', 'this.#goBack(r.epoch, r.oldest)'],
  ['a server that is wrong is believed', 'sync/kept.ts', 'epoch <= at.epoch || ', ''],
  ['a position that is common is given up', 'sync/kept.ts', ' || common >= at.seq) {', ') {'],
  ['lines that are not stored are kept', 'sync/kept.ts', 'at.seq - this.#pending.count', 'at.seq'],
  ['lines that are not there are kept', 'sync/kept.ts', 'last <= this.#from || ', ''],
  ['a gap stays behind the lines that are kept', 'sync/kept.ts', ' || last + 1 < oldest', ''],
  ['a state of lost lines stays', 'sync/kept.ts', "    if (this.#hint.size > 0) {\n      this.#emit({ type: 'drop_checkpoint' }); // it", "    if (false) {\n      this.#emit({ type: 'drop_checkpoint' }); // it"],
  ['lines that are kept lead to no state', 'sync/kept.ts', '    this.#hint.behind(last, 0);\n', ''],
  ['lines that are kept are not read anew', 'cache/look.ts', 'at === whole && sum === wholeSum ? found', 'at > 0 ? found'],
  ['any line ends those that are kept', 'cache/look.ts', ' && seqOf(await lines.read(begin, at - begin)) === seq', ''],
  ['lines that are lost keep their room', 'cache/session.ts', '    await this.#disk.cut(this.id + linesSuffix, beginning.length)', '    await Promise.resolve()'],
  ['a reset goes to the start', 'sync/position.ts', 'seq: Math.max(oldest, 1) - 1', 'seq: Math.min(oldest, 0)'],
  ['a lost connection stores nothing', 'sync/machine.ts', "    this.#kept.store();\n    this.#tries.lost();", '    this.#tries.lost();'],
  ['what closes stores nothing', 'sync/machine.ts', "  #close(): void {\n    this.#kept.leave();", '  #close(): void {'],
  ['over stays over', 'sync/machine.ts', "    this.#phase = 'live';\n    this.#tries.line();", '    this.#tries.line();'],
  ['404 keeps what is shown', 'sync/machine.ts', '  #vanish(): void {\n    this.#drop(start);', '  #vanish(): void {'],
  ['refused stays shown', 'sync/machine.ts', "        this.#emit({ type: 'forget' });\n", ''],
  ['no pause after an answer', 'sync/tries.ts', 'this.#fails = Math.max(this.#fails, 2);', ''],
  ['strikes are forgotten with a line', 'sync/tries.ts', '    this.#fails = this.#gaps = 0;\n    this.#heard = true;\n  }\n\n  /** The log', '    this.#fails = this.#gaps = this.#strikes = 0;\n    this.#heard = true;\n  }\n\n  /** The log'],
  ['Retry-After may be undercut', 'sync/backoff.ts', 'Math.max(half, askedMs)', 'half'],
  ['a failed store is not tried again', 'sync/kept.ts', 'if (!this.#evicted) {', 'if (this.#evicted) {'],
  ['uncached goes on storing', 'sync/kept.ts', "    this.#cached = false;\n    this.#given", '    this.#given'],
  ['a reset keeps what waits', 'sync/kept.ts', "    this.#from = at.seq;\n    this.#pending = new Batch();\n    this.#hint.drop();", '    this.#from = at.seq;\n    this.#hint.drop();'],
  ['a torn tail stays', 'sync/kept.ts', 'if (o.file.length > index.length) {', 'if (o.file.length < index.length) {'],
  ['a checkpoint of any epoch is shown', 'sync/input.ts', 'return c.epoch === x.epoch && ', 'return '],
  ['the checksum is not looked at', 'sync/input.ts', ' && o.file.sum === x.sum', ''],
  ['the last line is not looked at', 'sync/input.ts', 'o.file.seq === x.seq && ', ''],
  ['half a file will do', 'sync/input.ts', 'o.file.whole && ', ''],
  ['bytes are counted as characters', 'sync/batch.ts', 'utf8Length(line) + 1', 'line.length + 1'],
  ['the file goes before the index', 'cache/disk.ts', '[indexSuffix, stateSuffix, linesSuffix]', '[linesSuffix, stateSuffix, indexSuffix]'],
  ['both slots are one', 'cache/session.ts', 'const place = 1 - this.#place;', 'const place = this.#place;'],
  ['the index is written first', 'cache/session.ts', "    try {\n      await this.#disk.write(this.id + linesSuffix", "    await this.#disk.write(this.id + indexSuffix, (1 - this.#place) * slotSize, encodeSlot(next), false);\n    try {\n      await this.#disk.write(this.id + linesSuffix"],
  ['generations begin again', 'cache/session.ts', 'generation: this.#last + 1, epoch', 'generation: 1, epoch'],
  ['the older slot counts', 'cache/slot.ts', "slot.generation > (found?.slot.generation ?? 0)", 'true'],
  ['a slot is trusted', 'cache/slot.ts', ' || view.getUint32(60) !== crc32(bytes.subarray(0, 60))', ''],
  ['a state is written again and again', 'sync/hint.ts', ' && this.#bytes >= this.size', ''],
  ['a state is written for each line', 'sync/hint.ts', 'this.#lines >= this.#every && ', ''],
  ['a large state is written for one line when it is left', 'sync/hint.ts', ' && this.#bytes >= Math.floor(this.size / worthwhileShare)', ''],
  ['a state that was written is written again', 'sync/hint.ts', "    this.behind(0, 0);\n    this.isAsked = true;", '    this.isAsked = true;'],
  ['the size of a state is not noted', 'sync/kept.ts', '    this.#hint.size = size;\n', ''],
  ['lines behind the checkpoint that was found do not count', 'sync/kept.ts', 'this.#hint.behind(index.seq - after, index.length - from);', 'this.#hint.behind(0, 0);'],
  ['what is left has no state', 'sync/kept.ts', 'if (this.#cached && this.#hint.isWorthwhile) {', 'if (false) {'],
  ['uncached goes on with states', 'sync/kept.ts', 'if (this.#cached && this.#hint.isWorthwhile) {', 'if (this.#hint.isWorthwhile) {'],
  ['a state that is taken back is not stored before', 'sync/machine.ts', "        this.#kept.leave();\n        this.#emit({ type: 'forget' });", "        this.#kept.store();\n        this.#emit({ type: 'forget' });"],
  ['a state behind a failed store is forgotten', 'sync/kept.ts', 'if (this.#hint.isAsked) {', 'if (false) {'],
  ['lines find no room beside their state', 'sync/kept.ts', "if (this.#hint.size > 0) {\n      this.#hint.drop();", "if (false) {\n      this.#hint.drop();"],
  ['a state of no use costs the lines', 'sync/kept.ts', 'if (!this.#wasHinted) {', 'if (this.#wasHinted || !this.#wasHinted) {'],
  ['a reset keeps what a state could stand for', 'sync/kept.ts', '    this.#hint.drop();\n    if (this.#cached) {', '    if (this.#cached) {'],
  ['a state of another fold is shown', 'cache/look.ts', '  if (head?.generation !== foldVersion) {', '  if (head === undefined) {'],
  ['a torn state is shown', 'cache/look.ts', 'return sum === head.sum ?', 'return true ?'],
  ['a state of other lines is stored', 'cache/session.ts', 'if (at.epoch !== epoch || at.seq !== seq) {', 'if (at.epoch < 0) {'],
  ['a shorter state keeps the end of the one before', 'cache/session.ts', '      await this.#disk.cut(name, bytes.length);\n', ''],
  ['a state that failed keeps its room', 'cache/session.ts', '        await this.#disk.remove(name).catch(() => undefined); // gives back the room\n', ''],
  ['the run of numbers is not looked at', 'cache/session.ts', 'if (last > 0 && event.event.seq !== last + 1) {', 'if (last < 0) {'],
];

const src = join(import.meta.dirname, '../src'), planted = join(import.meta.dirname, '.planted');
after(() => rmSync(planted, { recursive: true, force: true }));

/** The classes as they are in a copy of the sources with one fault. */
async function copy(n: number, file: string, from: string, to: string): Promise<Kit> {
  const dir = join(planted, `${process.pid}-${n}`);
  mkdirSync(dir, { recursive: true });
  for (const part of ['sync', 'cache']) {
    cpSync(join(src, part), join(dir, part), { recursive: true });
  }
  const text = readFileSync(join(dir, file), 'utf8');
  assert.equal(text.split(from).length, 2, `${file} has this once: ${from}`);
  writeFileSync(join(dir, file), text.replace(from, () => to));
  const { Machine } = (await import(join(dir, 'sync/index.ts'))) as typeof import('../src/sync/index.ts');
  const { Folder } = (await import(join(dir, 'cache/index.ts'))) as typeof import('../src/cache/index.ts');
  return { Machine, Folder };
}

/** Says what notices a fault; undefined: nothing does. */
async function noticed(kit: Kit): Promise<string | undefined> {
  for (const f of fixtures) {
    const files = new MemoryFiles();
    try {
      await play(kit, f, { files, bytes: async (name) => (await files.open(name))?.read(0, 1 << 20) });
    } catch {
      return `fixture ${f.name}`;
    }
  }
  for (const [what, run] of Object.entries(directed)) {
    try {
      await run(kit);
    } catch {
      return what;
    }
  }
  const tally = noTally();
  for (let seed = 1; seed <= 400; seed++) {
    try {
      await live(kit, seed, tally);
    } catch {
      return `life ${seed}`;
    }
  }
  return undefined;
}

for (const [n, [what, file, from, to]] of faults.entries()) {
  test(`planted: ${what}`, async (t) => {
    const by = await noticed(await copy(n, file, from, to));
    assert.ok(by, `${file}: nothing notices that ${what}`);
    t.diagnostic(`noticed by ${by}`);
  });
}
