import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pieces, stripped } from '../src/text/ansi.ts';
import { blocksOf } from '../src/text/blocks.ts';
import { diffLines, diffSize, editLines, isDiff } from '../src/text/diff.ts';
import { unescaped } from '../src/text/entities.ts';
import { target } from '../src/text/links.ts';
import { deadlineOf, reasonOf } from '../src/text/reason.ts';
import { age, base, dollars, lasted, plain, saying, short } from '../src/text/words.ts';

// Proves: I14.2/hostile

test('a diff is read line by line, and nothing of it is left out', () => {
  const text = 'diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -3,2 +3,3 @@ func f()\n same\n---- no header\n+++++ neither\n+more\n\\ No newline at end of file\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+one\n';
  const lines = diffLines(text);
  assert.deepEqual(lines.map((l) => `${l.kind} ${l.old ?? ''}:${l.new ?? ''} ${l.text}`), [
    'note : rename from x', 'note : rename to y', 'file : x → y', 'hunk : line 3 · func f()', 'same 3:3 same', 'del 4: --- no header', 'add :4 ++++ neither', 'add :5 more', 'note : No newline at end of file',
    'file : new (new)', 'hunk : line 1', 'add :1 one',
  ]);
  assert.deepEqual(diffSize(lines), { added: 3, removed: 1 });
  assert.deepEqual(diffLines('--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x')[0], { kind: 'file', text: 'gone (deleted)' });
  assert.deepEqual(diffLines('words\nof no diff').map((l) => l.text), ['words', 'of no diff']);
});

test('a line outside of hunks that is like one of a diff is shown, unless the lines below say the same', () => {
  const shown = (...texts: string[]): string[] => diffLines(texts.join('\n')).map((l) => `${l.kind} ${l.text}`);
  for (const text of ['--- rm -rf /home', '+++ rm -rf /home', 'index all of it', 'index 1..2 and all of it', 'diff --git evil', 'diff --git a/x b/x', '\\rm -rf /home', '--- a']) {
    assert.deepEqual(shown(text), [`note ${text}`]);
    assert.ok(shown(text, 'diff --git a/x b/x', 'index 1a..2b 100644', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '-a', '+b').includes(`note ${text}`), text);
  }
  assert.deepEqual(shown('diff --git a/y b/y', '--- a/x', '+++ b/x')[0], 'note diff --git a/y b/y', 'other names than those of the file');
  assert.deepEqual(shown('diff --git a/x b/x', 'new file mode 100644', 'index 0..1a', '--- /dev/null', '+++ b/x\t2026-01-02 03:04:05.6 +0000'), ['note new file mode 100644', 'file x (new)']);
  assert.deepEqual(shown('diff --git a/empty b/empty', 'new file mode 100644')[0], 'note diff --git a/empty b/empty', 'nothing else names it');
  assert.match(shown('--- a/x\trm', '+++ b/x\t2026-01-02 rm')[0]!, /^file x\trm → x\t2026-01-02 rm$/);
});

test('what looks like a diff is one, and other texts are not', () => {
  assert.ok(isDiff('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b'));
  assert.ok(isDiff('diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n'));
  for (const text of ['', 'rm -r build', '--- a\n+++ b\n', '{"--- ": 1}', '@@ -1 +1 @@']) {
    assert.ok(!isDiff(text), text);
  }
});

test('arguments that replace text are shown as lines, others are not', () => {
  assert.deepEqual(editLines('{"path":"p","edits":[{"oldText":"a\\n","newText":"b\\nc"},{"oldText":"","newText":"d"}]}')?.map((l) => `${l.kind} ${l.text}`), [
    'file p', 'hunk replaces', 'del a', 'add b', 'add c', 'hunk replaces', 'add d',
  ]);
  for (const text of ['', 'null', '[]', '{"edits":[]}', '{"edits":[{"oldText":"a"}]}', '{"edits":[null]}', '{"command":"x"}', '{"edits":']) {
    assert.equal(editLines(text), undefined, text);
  }
});

test('colours of terminals become classes, and every other sequence goes', () => {
  assert.deepEqual(pieces('a\u001b[1;31mb\u001b[0mc\u001b[38;5;200md\u001b[39m\u001b[92me'), [
    { text: 'a', classes: '' }, { text: 'b', classes: 'ansi-bold ansi-red' }, { text: 'cd', classes: '' }, { text: 'e', classes: 'ansi-green' },
  ]);
  for (const text of ['\u001b]8;;http://evil.example\u0007x\u001b]8;;\u001b\\', '\u001b[2J\u001b[1;1Hx', '\u001bPq#1\u001b\\x', 'x\u001b', 'x\u001b[31', '\u001b]0;title\u001b\\x']) {
    assert.match(pieces(text).map((p) => p.text).join(''), /^x$/, JSON.stringify(text));
  }
  assert.equal(pieces('10%\r20%\r100%\r\nnext').map((p) => p.text).join(''), '100%\nnext');
  assert.equal(stripped('\u001b[1mfat\u001b[0m'), 'fat');
});

test('what turns or hides text is shown by its number', () => {
  assert.equal(plain('a\u202eb\u2066c\u200bd\u0000\u0007e\tf\n'), 'a⟨202E⟩b⟨2066⟩c⟨200B⟩d⟨0000⟩⟨0007⟩e\tf\n');
  assert.equal(plain('a\u061cb\ufff9c\ufffbd\u{e0041}e\u{e007f}'), 'a⟨061C⟩b⟨FFF9⟩c⟨FFFB⟩d⟨E0041⟩e⟨E007F⟩', 'as a terminal shows them');
  assert.equal(plain('größer 世界 🎪 \ud83d'), 'größer 世界 🎪 \ud83d');
  assert.equal(plain('größer 世界 🎪'), 'größer 世界 🎪');
});

test('character references are read once, and stay text', () => {
  assert.equal(unescaped('&lt;b&gt; &amp;lt; &#60;&#x3C; &copy; &nope; &#0;&#xD800;&#x110000;'), '<b> &lt; << © &nope; \ufffd\ufffd\ufffd');
});

test('links lead to the web, and nowhere else', () => {
  assert.equal(target('https://example.org/a?b#c')?.host, 'example.org');
  for (const href of ['javascript:alert(1)', 'JAVASCRIPT:alert(1)', ' javascript:x', 'data:text/html,x', '/s/x', '//evil.example', 'file:///etc/passwd', 'vbscript:x', 'https://user:pass@example.org', 'blob:http://x/y', '#login=x', '']) {
    assert.equal(target(href), undefined, href);
  }
});

test('a request says why it is asked, and what happens when nobody answers', () => {
  const r = { requestId: 'r', kind: 'approval', title: 't' };
  assert.match(reasonOf({ ...r, guarded: true }, { mode: 'allow_all' }), /own folder, which no policy answers\.$/);
  assert.match(reasonOf(r, undefined), /no policy/);
  assert.match(reasonOf(r, { mode: 'ask' }), /asks about everything\.$/);
  assert.match(reasonOf(r, { mode: 'allow_reads', rules: [{ action: 'deny' }, { action: 'ask' }] }), /allows what only reads; none of its 2 rules answers this, and this is not covered\.$/);
  assert.match(reasonOf({ ...r, kind: 'question' }, { mode: 'allow_all' }), /no policy answers questions/);
  assert.equal(deadlineOf(r, 0), '');
  assert.equal(deadlineOf({ ...r, deadline: 521_000, default: 'deny' }, 0), 'It is denied in 8:41.');
  assert.equal(deadlineOf({ ...r, deadline: 7_260_000 }, 0), 'The agent goes on without an answer in 2 h 1 min.');
  assert.equal(deadlineOf({ ...r, deadline: 1, default: 'allow' }, 9), 'It is allowed in 0:00.');
});

test('numbers are told for people', () => {
  assert.deepEqual([0, 59_999, 60_000, 3_600_000, 47 * 3_600_000, 50 * 3_600_000, -5].map(age), ['0s', '59s', '1m', '1h', '47h', '2d', '0s']);
  assert.deepEqual([3, 1500, 42_000, 61_000, 3_700_000].map(lasted), ['3 ms', '1.5 s', '42 s', '1 min 1 s', '1 h 1 min']);
  assert.deepEqual([999, 1500, 42_000, 1.5e6].map(short), ['999', '1.5k', '42k', '1.5M']);
  assert.deepEqual([0, 1, 10_000, 4_120_000].map(dollars), ['', '< 1 ¢', '$0.01', '$4.12']);
  assert.deepEqual(['/', '/a/b/', 'x'].map(base), ['/', 'b', 'x']);
  const problem = Object.assign(new Error('the prompt is empty'), { hint: 'write one' });
  assert.equal(saying(problem), 'The prompt is empty. Write one.');
  assert.equal(saying(Object.assign(new Error('x'), { name: 'Unreachable', hint: 'start one' })), 'The daemon does not answer.');
});

test('blocks are bounded in depth, and no text is too much for the lexer', () => {
  const depth = (tokens: unknown): number => {
    const below = (tokens as { tokens?: unknown[]; items?: unknown[] }[] | undefined)?.map((t) => depth(t.tokens ?? t.items)) ?? [];
    return below.length === 0 ? 0 : 1 + Math.max(...below);
  };
  const raws = (tokens: { raw: string }[]): string => tokens.map((t) => t.raw).join('');
  for (const text of ['> '.repeat(3000) + 'x', '> '.repeat(60) + 'x', '- '.repeat(400) + 'x', '*_'.repeat(500) + 'x', '['.repeat(3000), '`'.repeat(3000), '# ok\n\ntext', '']) {
    const tokens = blocksOf(text);
    assert.ok(depth(tokens) <= 20, `${text.slice(0, 10)}: ${depth(tokens)}`);
    assert.equal(raws(tokens), text);
  }
});
