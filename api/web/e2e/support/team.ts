import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../../../client/ts/src/index.ts';
import { script, type Daemon } from '../../../client/ts/test/support/daemon.ts';

export const edit = {
  tool: {
    name: 'edit', approve: true, args: { path: 'parser/parser.go', edits: [{ oldText: 'return nil', newText: 'return []Item{}' }] }, output: ['Replaced 1 block in parser/parser.go.'],
    allowed: [{ say: { text: 'Fixed: **Parse** now returns an empty list.' } }], denied: [{ say: { text: 'All right, I leave the file as it is.' } }],
  },
};

/** Text of an agent that would like to be more than text. */
export const hostile = [
  '<img src=x onerror="document.title=1"><script>document.title=2</script> <b>bold</b>', '', '[click](javascript:alert(1)) ![pixel](http://evil.example/p.png) <http://evil.example/auto>', '',
  '[fair](https://example.org/page) [data](data:text/html,x) [rel](/s/x)', '', '| <i>a</i> | b |', '|---|---|', '| <svg onload=x> | 2 |', '', '```html', '<iframe src="http://evil.example/"></iframe>', '```', '',
  '&lt;script&gt; &#60;b&#62; \u202Eevil\u202C \u001b[31mred\u001b[0m \u001b]8;;http://evil.example\u0007link', '', '<style>body{display:none}</style>',
].join('\n');

const prose = `I looked at the parser first. It has **one** way out too many:

1. \`Parse\` returns \`nil\` for an empty input,
2. the test wants an *empty list*.

## What I would change

\`\`\`go
func Parse(in string) []Item {
	if in == "" {
		return []Item{}
	}
	return items(in)
}
\`\`\`

> Nothing else calls it with an empty input.

| file | lines | why |
|---|---:|---|
| \`parser/parser.go\` | 1 | the return |
| \`parser/parser_test.go\` | 0 | it was right |

See [the guide](https://example.org/guide) for more.`;

/** Makes sessions of every kind that a roster shows. It returns their ids by title. */
export async function team(daemon: Daemon): Promise<{ client: Client; ids: Record<string, string> }> {
  const client = new Client({ base: daemon.base, token: daemon.token, name: 'team' });
  const ids: Record<string, string> = {};
  const make = async (title: string, folder: string, ...steps: object[]): Promise<string> => {
    const cwd = join(daemon.root, folder);
    mkdirSync(cwd, { recursive: true });
    const { id } = await client.create({ agent: 'scripted', cwd, title });
    if (steps.length > 0) {
      await client.prompt(id, { text: `${title}, please.\n${script(...steps)}` });
    }
    return (ids[title] = id);
  };
  const rest = async (...titles: string[]): Promise<void> => {
    await client.wait({ sessions: titles.map((t) => ids[t]!), until: { rest: true } as never });
  };
  await make('Tidy the docs', 'docs', { say: { text: hostile } });
  await make('Bump the dependencies', 'shop', { say: { text: 'I begin.' } }, { fail: { error: 'the provider says: quota exceeded' } });
  await make('Explain the cache', 'cache', { think: { text: 'The reader wants to know how the cache works. Begin with the index.' } }, { say: { text: prose } },
    { tool: { name: 'bash', args: { command: 'go test ./...' }, exit: 1, output: Array.from({ length: 40 }, (_, i) => `\u001b[3${(i % 7) + 1}mok\u001b[0m  \tpackage${i}\t0.0${i}s\n`) } }, { say: { text: 'All of it was there.' } });
  await make('An empty one', 'shop');
  await make('Print much', 'shop', { tool: { name: 'bash', args: { command: 'seq 20000' }, output: [Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join('')] } });
  await make('Research the cache', 'cache', { think: { text: 'This takes long.' } }, { say: { text: 'I look at many files, one after the other.' } },
    { tool: { name: 'bash', args: { command: 'rg --files | wc -l' }, output: ['1204\n'] } }, { stall: {} });
  await rest('Tidy the docs', 'Bump the dependencies', 'Explain the cache', 'Print much');
  await make('Mend the parser', 'parser', { think: { text: 'The test of the parser fails.' } }, { say: { text: 'I will mend the parser.' } }, edit);
  await make('Publish the release', 'shop', { say: { text: 'Ready to publish.' } }, { tool: { name: 'bash', approve: true, args: { command: 'git push --tags origin main' }, output: ['done\n'] } });
  await make('Choose a name', 'shop', { ask: { method: 'select', title: 'Which name shall the package have?', options: ['parser', 'syntax', 'reader'] } });
  await rest('Mend the parser', 'Publish the release', 'Choose a name');
  return { client, ids };
}
