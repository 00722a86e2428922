import assert from 'node:assert/strict';
import type { Files } from '../../src/cache/index.ts';
import { MemoryFiles } from '../../src/cache/memory.ts';
import type { Input } from '../../src/sync/index.ts';
import { sessionId, type Kit } from './kit.ts';
import { line } from './line.ts';

/** What fixtures and lives do not notice, since something else makes up for it. */
export const directed: Record<string, (kit: Kit) => Promise<void>> = {
  'a file whose beginning does not end in a newline is dropped': async ({ Machine }) => {
    const open: Input = { type: 'open', cached: true, index: { epoch: 1, seq: 2, length: 9, sum: 5 }, file: { length: 9, whole: false, seq: 2, sum: 5 } };
    assert.deepEqual(new Machine().step(open, 0).map((e) => e.type), ['drop', 'tell', 'connect']);
  },

  'lines are stored when 64 KiB of them wait, in UTF-8 and with their newlines': async ({ Machine }) => {
    for (const [text, units] of [['a', 65_535], ['é', 32_768], ['€', 21_845], ['😀', 16_384]] as const) {
      for (const [more, want] of [[0, 'show,store'], [-1, 'show']] as const) {
        const machine = new Machine();
        machine.step({ type: 'open', cached: true, file: { length: 0, whole: false, seq: 0, sum: 0 } }, 0);
        machine.step({ type: 'connected' }, 0);
        const got = machine.step({ type: 'frame', at: { epoch: 1, seq: 1 }, seq: 1, line: text.repeat(units + more) }, 0);
        assert.equal(got.map((e) => e.type).join(), want, `${units + more} times ${text}`);
      }
    }
  },

  'lines are written before the index, and the index is taken away before all else': async ({ Folder }) => {
    const done: string[] = [];
    const files: Files = new MemoryFiles();
    const { write, remove } = { write: files.write.bind(files), remove: files.remove.bind(files) };
    files.write = (name, at, bytes, flush) => {
      done.push(`write ${name.slice(sessionId.length)}${at}`);
      return write(name, at, bytes, flush);
    };
    files.remove = (name) => {
      done.push(`remove ${name.slice(sessionId.length)}`);
      return remove(name);
    };
    const { session } = await (await Folder.on(files)).open(sessionId);
    await session.do({ type: 'store', at: { epoch: 1, seq: 1 }, lines: [line(1)] });
    await session.do({ type: 'store', at: { epoch: 1, seq: 2 }, lines: [line(2)] });
    await session.do({ type: 'drop' });
    assert.deepEqual(done, ['write .ndjson0', 'write .index64', `write .ndjson${line(1).length + 1}`, 'write .index0', 'remove .index', 'remove .state', 'remove .ndjson']);
  },

  'a session goes back by its index first, and then by its lines': async ({ Folder }) => {
    const files: Files = new MemoryFiles(), folder = await Folder.on(files);
    const { session } = await folder.open(sessionId);
    await session.do({ type: 'store', at: { epoch: 1, seq: 4 }, lines: [1, 2, 3, 4].map(line) });
    const done: string[] = [], { write, cut } = { write: files.write.bind(files), cut: files.cut.bind(files) };
    files.write = (name, at, bytes, flush) => {
      done.push(`write ${name.slice(sessionId.length)}${at}`);
      return write(name, at, bytes, flush);
    };
    files.cut = (name, size) => {
      done.push(`cut ${name.slice(sessionId.length)}${size}`);
      return cut(name, size);
    };
    await session.do({ type: 'rewind', at: { epoch: 2, seq: 2 } });
    const kept = `${line(1)}\n${line(2)}\n`;
    assert.deepEqual([done, folder.size], [['write .index0', `cut .ndjson${kept.length}`], kept.length + 128]);
    assert.deepEqual((await all(session.lines({ type: 'read', from: 0, after: 0 }))).map((l) => l.event.seq), [1, 2]);
    await session.do({ type: 'store', at: { epoch: 2, seq: 3 }, lines: [line(3)] });
    session.close();
    const { found } = await folder.open(sessionId);
    assert.deepEqual([found.index?.epoch, found.index?.seq, found.index?.sum, found.file.length], [2, 3, found.file.sum, kept.length + line(3).length + 1]);
  },

  'a session does not go back to a line that is not there, nor with lines that are not as they were written': async ({ Folder }) => {
    for (const [to, harm] of [[5, -1], [0, -1], [2, 20], [2, 3 * line(1).length]] as const) {
      const files: Files = new MemoryFiles();
      const { session } = await (await Folder.on(files)).open(sessionId);
      await session.do({ type: 'store', at: { epoch: 1, seq: 4 }, lines: [1, 2, 3, 4].map(line) });
      if (harm >= 0) {
        await files.write(`${sessionId}.ndjson`, harm, new Uint8Array([1]), false);
      }
      await assert.rejects(session.do({ type: 'rewind', at: { epoch: 2, seq: to } }), { name: 'CacheError', problem: 'unreadable' }, `to ${to}, with byte ${harm}`);
      assert.equal(session.seq, 4);
    }
    const { session } = await (await Folder.on(new MemoryFiles())).open(sessionId);
    await session.do({ type: 'store', at: { epoch: 1, seq: 4 }, lines: [1, 3, 4].map(line) });
    await assert.rejects(session.do({ type: 'rewind', at: { epoch: 2, seq: 3 } }), { problem: 'unreadable' }, 'lines that are no run');
    session.close();
    await assert.rejects(session.do({ type: 'rewind', at: { epoch: 2, seq: 1 } }), { problem: 'closed' });
  },

  'a state is stored behind the last stored line alone, and a shorter one in place of a longer one': async ({ Folder }) => {
    const folder = await Folder.on(new MemoryFiles());
    const { session } = await folder.open(sessionId);
    await assert.rejects(session.saveState({ epoch: 1, seq: 1 }, '{}'), /lines end at 0\.0/);
    await session.do({ type: 'store', at: { epoch: 1, seq: 2 }, lines: [line(1), line(2)] });
    for (const at of [{ epoch: 1, seq: 1 }, { epoch: 2, seq: 2 }, { epoch: 1, seq: 3 }]) {
      await assert.rejects(session.saveState(at, '{}'), /lines end at 1\.2/);
    }
    assert.equal(await session.saveState({ epoch: 1, seq: 2 }, '{"é":"longer"}'), 15);
    assert.equal(await session.saveState({ epoch: 1, seq: 2 }, '{}'), 2);
    assert.equal(await session.state(), '{}');
    session.close();
    assert.deepEqual((await folder.open(sessionId)).found.checkpoint, { epoch: 1, seq: 2, length: line(1).length + line(2).length + 2, size: 2 });
  },

  'a state that could not be written whole leaves its room': async ({ Folder }) => {
    const files: Files = new MemoryFiles();
    const folder = await Folder.on(files);
    const { session } = await folder.open(sessionId);
    await session.do({ type: 'store', at: { epoch: 1, seq: 1 }, lines: [line(1)] });
    await session.saveState({ epoch: 1, seq: 1 }, '{"a":1}');
    const { size } = folder, write = files.write.bind(files);
    files.write = async (name, at, bytes, flush) => {
      await write(name, at, bytes.subarray(0, 70), flush);
      throw new Error('no room');
    };
    await assert.rejects(session.saveState({ epoch: 1, seq: 1 }, '{"a":2}'), /no room/);
    assert.equal(folder.size, size - 64 - 7);
    assert.equal(await files.open(`${sessionId}.state`), undefined);
  },

  'stored lines whose numbers do not follow each other are no run': async ({ Folder }) => {
    for (const seqs of [[1, 3, 4], [1, 2, 2], [2, 1, 3]]) {
      const { session } = await (await Folder.on(new MemoryFiles())).open(sessionId);
      await session.do({ type: 'store', at: { epoch: 1, seq: seqs.at(-1)! }, lines: seqs.map(line) });
      await assert.rejects(all(session.lines({ type: 'read', from: 0, after: 0 })), { name: 'CacheError', problem: 'unreadable' }, String(seqs));
    }
  },
};

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of source) {
    list.push(item);
  }
  return list;
}
