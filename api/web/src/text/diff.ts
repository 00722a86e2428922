/** One line of a diff as it is drawn. */
export interface DiffLine {
  kind: 'file' | 'hunk' | 'add' | 'del' | 'same' | 'note';
  text: string;
  old?: number;
  new?: number;
}

/** Reads a unified diff (spec §4.5). What is no part of one is shown as a note: nothing of it is left out. */
export function diffLines(diff: string): DiffLine[] {
  const list: DiffLine[] = [];
  let old = 0, neu = 0, oldLeft = 0, newLeft = 0, from: string | undefined;
  const texts = diff.replace(/\n$/, '').split('\n');
  for (const [i, text] of texts.entries()) {
    const isInside = oldLeft > 0 || newLeft > 0;
    const first = text.charAt(0);
    if (isInside && first === '+') {
      list.push({ kind: 'add', text: text.slice(1), new: neu++ });
      newLeft--;
    } else if (isInside && first === '-') {
      list.push({ kind: 'del', text: text.slice(1), old: old++ });
      oldLeft--;
    } else if (isInside && (first === ' ' || first === '')) {
      list.push({ kind: 'same', text: text.slice(1), old: old++, new: neu++ });
      oldLeft--;
      newLeft--;
    } else if (text.startsWith('\\ ')) {
      list.push({ kind: 'note', text: text.slice(2) });
    } else if (text.startsWith('--- ') && texts[i + 1]?.startsWith('+++ ') === true) {
      from = text.slice(4);
    } else if (from !== undefined) {
      list.push({ kind: 'file', text: fileOf(from, text.slice(4)) });
      from = undefined;
    } else {
      const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(text);
      if (hunk !== null) {
        [old, neu, oldLeft, newLeft] = [Number(hunk[1]), Number(hunk[3]), Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
        list.push({ kind: 'hunk', text: hunk[5] === '' || hunk[5] === undefined ? `line ${neu}` : `line ${neu} · ${hunk[5]}` });
      } else if (text !== '' && !isSaidBelow(texts, i)) {
        list.push({ kind: 'note', text });
      }
    }
  }
  return list;
}

/** A line outside of hunks says no more than what follows: "index" with two objects and the mode, or "diff --git" with the names that the file's own two lines have. */
function isSaidBelow(texts: readonly string[], i: number): boolean {
  const text = texts[i]!;
  if (!text.startsWith('diff --git ')) {
    return /^index [0-9a-f]+\.\.[0-9a-f]+( [0-7]+)?$/.test(text);
  }
  const header = texts.slice(i + 1, i + 10);
  const at = header.findIndex((line) => /^(--- |diff --git |@@ )/.test(line));
  if (at < 0 || !header[at]!.startsWith('--- ') || header[at + 1]?.startsWith('+++ ') !== true) {
    return false;
  }
  const [old, neu] = [nameOf(header[at]!.slice(4)), nameOf(header[at + 1]!.slice(4))];
  return text === `diff --git a/${old === '/dev/null' ? neu : old} b/${neu === '/dev/null' ? old : neu}`;
}

/** How many lines a diff adds and takes away. */
export function diffSize(lines: readonly DiffLine[]): { added: number; removed: number } {
  return { added: lines.filter((l) => l.kind === 'add').length, removed: lines.filter((l) => l.kind === 'del').length };
}

/** A text looks like a unified diff: agents give one as the text of an approval. */
export function isDiff(text: string): boolean {
  return /^(diff --git .*\n(.*\n)*?)?--- .*\n\+\+\+ .*\n@@ /m.test(text);
}

/** The name of a file in its line, without the time that may stand behind it. */
function nameOf(path: string): string {
  return path.replace(/\t([0-9]{4}-[0-9]{2}-[0-9]{2}[0-9 :.+-]*)?$/, '').replace(/^[ab]\//, '');
}

function fileOf(from: string, to: string): string {
  const [old, neu] = [nameOf(from), nameOf(to)];
  if (old === '/dev/null') {
    return `${neu} (new)`;
  }
  return neu === '/dev/null' ? `${old} (deleted)` : old === neu ? neu : `${old} → ${neu}`;
}

/** The arguments of an edit that names what is replaced by what, as lines; undefined: these are others. They show what was asked for, not where it lies in the file. mustBeAll: arguments that say more than the lines show are others, too. */
export function editLines(argumentsText: string, mustBeAll = false): DiffLine[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(argumentsText);
  } catch {
    return undefined;
  }
  const whole = value as { path?: unknown; edits?: unknown } | null;
  if (typeof whole !== 'object' || whole === null || !Array.isArray(whole.edits) || whole.edits.length === 0) {
    return undefined;
  }
  if (mustBeAll && !(hasOnly(whole, 'path', 'edits') && typeof (whole.path ?? '') === 'string' && whole.edits.every((edit) => hasOnly(edit, 'oldText', 'newText')))) {
    return undefined;
  }
  const list: DiffLine[] = typeof whole.path === 'string' ? [{ kind: 'file', text: whole.path }] : [];
  for (const edit of whole.edits as { oldText?: unknown; newText?: unknown }[]) {
    if (typeof edit?.oldText !== 'string' || typeof edit.newText !== 'string') {
      return undefined;
    }
    list.push({ kind: 'hunk', text: 'replaces' });
    list.push(...linesOf(edit.oldText, 'del'), ...linesOf(edit.newText, 'add'));
  }
  return list;
}

function hasOnly(value: unknown, ...members: string[]): boolean {
  return Object.keys(value ?? {}).every((name) => members.includes(name));
}

function linesOf(text: string, kind: 'add' | 'del'): DiffLine[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n').map((line) => ({ kind, text: line }));
}
