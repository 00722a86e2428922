import { said, type EntryState, type RequestOpened } from 'ringmaster-protocol';
import { editLines, isDiff, type DiffLine } from './diff.ts';

/** What a request is about, in the form in which it is shown. */
export type Matter =
  /** said: what the agent says of it; empty: nothing more. */
  | { kind: 'command'; command: string; said: string }
  /** said: what stands beside the diff; cut: what to know where the diff has only its first lines; both may be empty. */
  | { kind: 'diff'; diff: string; said: string; cut: string }
  | { kind: 'edits'; lines: DiffLine[] }
  | { kind: 'text'; text: string };

/**
 * What a person has to see before an answer. A command is shown whatever else its arguments have in them; a diff where there is one; edits where they are all that is asked; otherwise the text or the arguments as they are. undefined: there is nothing. In logs from before requests had a diff, it is that of the call, or a text that looks like one where there are no arguments.
 */
export function matterOf(r: RequestOpened, call: EntryState | undefined): Matter | undefined {
  const data = call?.entryType === 'tool_call' ? call.data : undefined;
  const command = r.toolKind === 'execute' ? (r.subject ?? data?.command) : undefined;
  if (command !== undefined && command !== '') {
    return { kind: 'command', command, said: r.text === undefined || r.text === command ? '' : r.text };
  }
  if (r.diff !== undefined && r.diff !== '') {
    const cut = r.diffTruncated === true ? `These are the first lines of a diff of ${r.diffBytes ?? 'more'} bytes: the rest was too long for the log.` : '';
    return { kind: 'diff', diff: r.diff, said: said(r), cut };
  }
  const told = r.arguments ?? data?.arguments;
  const diff = data?.diff ?? (told === undefined && r.text !== undefined && isDiff(r.text) ? r.text : undefined);
  if (diff !== undefined) {
    return { kind: 'diff', diff, said: '', cut: '' };
  }
  const given = told ?? r.text;
  const lines = given === undefined ? undefined : editLines(given, true);
  if (lines !== undefined) {
    return { kind: 'edits', lines };
  }
  const text = r.text ?? (r.kind === 'approval' || r.kind === 'caller_tool' ? given : undefined) ?? r.subject ?? '';
  return text === '' ? undefined : { kind: 'text', text: indented(text) };
}

/** How far the call of a tool is read that a request is about. failed: it could not be read, or the log does not have it. */
export type CallRead = 'reading' | 'read' | 'failed';

/** Why a person has not seen all that is asked about, in a sentence; empty: all of it is shown. isFolded: lines of it are left to be opened. */
export function unseenOf(r: RequestOpened, call: EntryState | undefined, read: CallRead, isFolded: boolean): string {
  const isCommand = r.toolKind === 'execute' && r.subject !== undefined && r.subject !== '';
  const isOfCall = !isCommand && (r.diff === undefined || r.diff === '') && r.entryId !== undefined;
  if (isOfCall && read !== 'read') {
    return read === 'reading' ? 'What this is about is still being read.' : 'What this is about could not be read.';
  }
  if (!isCommand && r.diffTruncated === true) {
    return 'Only the beginning of the diff is shown.';
  }
  if (isOfCall && call !== undefined && 'truncated' in call.data && call.data.truncated === true) {
    return 'Only the beginning of what this is about is shown.';
  }
  return isFolded ? 'Only the first lines of what this is about are shown.' : '';
}

/** JSON over several lines; anything else as it is. */
function indented(text: string): string {
  try {
    return /^\s*[[{]/.test(text) ? JSON.stringify(JSON.parse(text), null, 2) : text;
  } catch {
    return text;
  }
}
