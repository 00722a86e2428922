import assert from 'node:assert/strict';
import { test } from 'node:test';
import './support/packages.ts';

const { matterOf, unseenOf } = await import('../src/text/subject.ts');

test('a person sees the command whatever stands beside it, and edits only where they are all', () => {
  const about = (toolKind: string, args: object, more: object = {}): string => {
    const matter = matterOf({ requestId: 'r', kind: 'approval', title: '', toolKind, ...more } as never, { entryType: 'tool_call', data: { toolName: 'x', arguments: JSON.stringify(args), ...('command' in args ? { command: args.command } : {}) } } as never);
    return matter === undefined ? '' : `${matter.kind} ${matter.kind === 'command' ? matter.command : matter.kind === 'diff' ? matter.diff : matter.kind === 'edits' ? matter.lines.length : JSON.stringify(JSON.parse(matter.text))}`;
  };
  const edits = [{ oldText: 'a', newText: 'b' }];
  assert.equal(about('execute', { command: 'rm -rf ~', edits }), 'command rm -rf ~');
  assert.equal(about('execute', { command: 'rm -rf ~' }, { text: '--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n' }), 'command rm -rf ~');
  assert.equal(about('edit', { path: 'p', edits }), 'edits 4');
  for (const other of [{ path: 'p', edits, command: 'rm -rf ~' }, { path: ['p'], edits }, { edits: [{ oldText: 'a', newText: 'b', all: true }] }]) {
    assert.equal(about('edit', other), `text ${JSON.stringify(other)}`);
  }
  assert.equal(about('other', { a: 1 }, { text: '[]' }), 'text []');
  assert.equal(matterOf({ requestId: 'r', kind: 'approval', title: '', toolKind: 'execute', subject: 'ls', text: 'I look.' } as never, undefined)?.kind, 'command');
  assert.equal(matterOf({ requestId: 'r', kind: 'question', title: '' } as never, undefined), undefined);
});

test('a request that says its diff is shown by it, with what is said beside it; one from before is looked through', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
  const call = { entryType: 'tool_call', data: { toolName: 'x', diff: '--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+c\n', arguments: '{"path":"p","edits":[{"oldText":"a","newText":"b"}]}' } } as never;
  const about = (more: object, of?: never): unknown => matterOf({ requestId: 'r', kind: 'approval', title: '', toolKind: 'edit', ...more } as never, of);
  assert.deepEqual(about({ diff, text: diff }, call), { kind: 'diff', diff, said: '', cut: '' });
  assert.deepEqual(about({ diff, text: `To mend it.\n\n${diff}` }), { kind: 'diff', diff, said: 'To mend it.', cut: '' });
  assert.deepEqual(about({ diff, text: 'It also asks to write below /.' }), { kind: 'diff', diff, said: 'It also asks to write below /.', cut: '' });
  assert.deepEqual(about({ diff, text: `${diff}-m`, diffTruncated: true, diffBytes: 900 }), {
    kind: 'diff', diff, said: '', cut: 'These are the first lines of a diff of 900 bytes: the rest was too long for the log.',
  });
  assert.deepEqual(about({ text: diff }), { kind: 'diff', diff, said: '', cut: '' });
  assert.equal((about({ text: diff, arguments: '{"path":"p","all":true}' }) as { kind: string }).kind, 'text', 'arguments are no diff, whatever the text says');
  assert.equal((about({ text: 'x' }, call) as { diff: string }).diff.includes('b/y'), true);
  assert.equal((about({ diff, toolKind: 'execute', subject: 'rm' }) as { kind: string }).kind, 'command');
});

test('a person who has not seen all of it is told why, and one who has is told nothing', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
  const about = (more: object, read: 'reading' | 'read' | 'failed', isFolded = false, data: object = {}): string =>
    unseenOf({ requestId: 'r', kind: 'approval', title: '', toolKind: 'edit', entryId: 'e1', ...more } as never, read === 'read' ? ({ entryType: 'tool_call', data } as never) : undefined, read, isFolded);
  assert.equal(about({}, 'read'), '');
  assert.match(about({}, 'reading'), /still being read/);
  assert.match(about({ text: 'I mend it.' }, 'failed'), /could not be read/);
  assert.equal(about({ entryId: undefined }, 'failed'), '', 'it is about no call');
  assert.match(about({}, 'read', false, { truncated: true }), /Only the beginning/);
  assert.match(about({}, 'read', true), /first lines/);
  for (const read of ['reading', 'read', 'failed'] as const) {
    assert.equal(about({ diff }, read), '', 'the request says its diff itself');
    assert.match(about({ diff, diffTruncated: true }, read), /Only the beginning of the diff is shown/);
    assert.match(about({ diff }, read, true), /first lines/);
    assert.equal(about({ toolKind: 'execute', subject: 'ls', diff, diffTruncated: true }, read), '', 'the command is shown, and no diff');
  }
});
