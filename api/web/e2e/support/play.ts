import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../../../client/ts/src/index.ts';
import type { Daemon } from '../../../client/ts/test/support/daemon.ts';
import type { Part } from './actor.ts';

const edits = [
  { oldText: '\tif in == "" {\n\t\treturn nil\n\t}', newText: '\tif in == "" {\n\t\treturn []Item{}\n\t}' },
  { oldText: '\treturn items, nil', newText: '\tif len(rest) > 0 {\n\t\treturn nil, fmt.Errorf("line %d: %q is left over", line, rest)\n\t}\n\treturn items, nil' },
];
const use = (input: number, cacheRead: number, output: number): object => ({ usage: { input, cacheRead, output } });
const run = (command: string, output: string, exit = 0): object => ({ tool: { name: 'bash', args: { command }, output: [output], ...(exit === 0 ? {} : { exit }) } });

/** What the agents of the pictures say and ask, by the beginning of the prompt. */
export const parts: readonly Part[] = [
  {
    match: '^The parser', steps: [
      { think: { text: 'First look at what the test expects, then at the code, then change as little as possible.' } }, { say: { text: 'I will run the tests first.' } }, use(18_400, 0, 960),
      run('go test ./parser/...', '--- FAIL: TestParseEmpty (0.00s)\n    parser_test.go:18: got nil, want an empty list\nFAIL\tparser\t0.004s\n', 1), use(2600, 18_400, 580),
      { say: { text: '`Parse` has two faults: it returns **nil** for an empty input, and what stands behind the last item is passed over in silence.' } },
      { tool: { name: 'edit', approve: true, args: { path: 'parser/parser.go', edits }, output: ['Replaced 2 blocks in parser/parser.go.'], allowed: [use(3100, 21_000, 880), run('go test ./parser/...', 'ok  \tparser\t0.004s\n'), { say: { text: 'Both are mended, and the tests pass.' } }] } },
    ],
  },
  { match: '^Publish', steps: [{ say: { text: 'The changelog is written and the tests pass.' } }, use(31_200, 88_000, 1900), { tool: { name: 'bash', approve: true, args: { command: 'git push --tags origin main' } } }] },
  { match: '^Bump', steps: [{ say: { text: 'I begin with the linter.' } }, use(9400, 0, 210), { fail: { error: 'the provider says: 429, quota exceeded' } }] },
  { match: '^Research', steps: [{ think: { text: 'This takes long.' } }, use(52_000, 140_000, 3100), run('rg --files | wc -l', '1204\n'), { say: { text: 'Of 1204 files, 61 speak of the cache.' } }, { stall: {} }] },
  { match: '^Look for texts', steps: [use(7200, 11_000, 640), { say: { text: 'The tables of the languages lie beside each other.' } }, { stall: {} }] },
  { match: '^Write the changelog', steps: [use(12_100, 40_000, 2400), { say: { text: '# 1.4.0\n\n- Errors name the line on which they are.\n- An empty input gives an empty list.' } }] },
  { match: '^Find out', steps: [use(22_000, 61_000, 1800), { say: { text: 'The start takes **411 ms**, of which 380 go into reading the dictionary.' } }] },
  { steps: [use(1000, 4000, 200), { say: { text: 'Done.' } }] },
];

/** Makes the sessions that the pictures of the README show, and has the first one go through three turns. It returns their ids by title. */
export async function play(daemon: Daemon): Promise<Record<string, string>> {
  const client = new Client({ base: daemon.base, token: daemon.token, name: 'ann' });
  const ids: Record<string, string> = {};
  const make = async (title: string, folder: string, ...prompts: string[]): Promise<string> => {
    const cwd = join(daemon.root, folder);
    mkdirSync(cwd, { recursive: true });
    const { id } = await client.create({ agent: 'pi', cwd, title });
    for (const text of prompts) {
      await client.prompt(id, { text });
    }
    return (ids[title] = id);
  };
  const rests = async (...titles: string[]): Promise<void> => {
    await client.wait({ sessions: titles.map((t) => ids[t]!), until: { rest: true } as never });
  };
  await make('Tidy the docs', 'docs', 'Tidy the docs.');
  await make('Why is the start slow?', 'shop', 'Find out why the program starts slowly.');
  await make('Changelog of 1.4.0', 'parser', 'Write the changelog of the release.');
  await make('Bump the dependencies', 'shop', 'Bump the dependencies, one by one.');
  await rests('Tidy the docs', 'Why is the start slow?', 'Changelog of 1.4.0', 'Bump the dependencies');
  await make('Research the cache', 'cache', 'Research what the cache is used for.', 'Then write down what could go.', 'And how much that would save.');
  await make('Missing translations', 'shop', 'Look for texts that are not translated yet.');
  await make('Mend the parser', 'parser', "The parser's test fails. Find out why and mend it.");
  await make('Publish 1.4.0', 'parser', 'Publish the release.');
  await rests('Mend the parser', 'Publish 1.4.0');
  const past = await make('A parser with errors that help', 'parser', "The parser's test fails. Find out why and mend it.");
  for (const text of ['Write the changelog of that.', "The parser's errors should name the line. Mend that as well."]) {
    await rests('A parser with errors that help');
    for (const r of await client.session(past).requests()) {
      await client.session(past).answer(r.requestId, { option: 'allow_once' });
    }
    await rests('A parser with errors that help');
    await client.prompt(past, { text });
  }
  await rests('A parser with errors that help');
  for (const r of await client.session(past).requests()) {
    await client.session(past).answer(r.requestId, { option: 'allow_once' });
  }
  await rests('A parser with errors that help');
  return ids;
}
