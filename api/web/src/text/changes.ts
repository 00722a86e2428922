import type { EntryState } from 'ringmaster-protocol';
import { diffLines, diffSize, editLines, type DiffLine } from './diff.ts';

/** What one call of a tool did to one file, or would do. */
export interface Change {
  entryId: string;
  toolName: string;
  ts: number;
  /** done: it ran; waits: it has not ended; failed: it did not work, or was denied. */
  state: 'done' | 'waits' | 'failed';
  lines: DiffLine[];
}

/** A file and what was done to it, in order. */
export interface FileChanges {
  path: string;
  /** Lines, of the changes that were done. */
  added: number;
  removed: number;
  changes: Change[];
}

/** The files that a session's calls of tools have touched, in the order in which they were first touched, as far as agents tell what they changed. */
export function changesOf(entries: readonly EntryState[]): FileChanges[] {
  const files = new Map<string, FileChanges>();
  for (const x of entries) {
    if (x.entryType !== 'tool_call') {
      continue;
    }
    const lines = x.data.diff !== undefined ? diffLines(x.data.diff) : x.data.arguments !== undefined ? editLines(x.data.arguments) : undefined;
    if (lines === undefined) {
      continue;
    }
    const { status } = x.data;
    const state = status === 'completed' ? 'done' : status === 'error' || (x.open !== true && status !== 'running') ? 'failed' : 'waits';
    for (const [path, own] of byFile(lines)) {
      const file = files.get(path) ?? { path, added: 0, removed: 0, changes: [] };
      files.set(path, file);
      file.changes.push({ entryId: x.entryId, toolName: x.data.toolName, ts: x.startTs, state, lines: own });
      if (state === 'done') {
        const { added, removed } = diffSize(own);
        file.added += added;
        file.removed += removed;
      }
    }
  }
  return [...files.values()];
}

/** Cuts a diff at its names of files, which are left out: "x (new)" and "x (deleted)" are x. */
function byFile(lines: readonly DiffLine[]): Map<string, DiffLine[]> {
  const files = new Map<string, DiffLine[]>();
  let path = '';
  for (const line of lines) {
    if (line.kind === 'file') {
      path = line.text.replace(/ \((?:new|deleted)\)$/, '').replace(/^.* → /, '');
      files.set(path, [...(files.get(path) ?? []), ...(/ \((?:new|deleted)\)$| → /.test(line.text) ? [{ kind: 'note', text: line.text } as DiffLine] : [])]);
    } else if (path !== '' || line.kind !== 'note') {
      files.set(path, files.get(path) ?? []);
      files.get(path)!.push(line);
    }
  }
  return files;
}
