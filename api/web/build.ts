// Builds the page: src and static become dist, the same bytes each time. With --check it says whether dist is what src gives.
import { build } from 'esbuild';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const here = import.meta.dirname;
const limit = 90 * 1024; // of what the first load brings, compressed

// The packages are taken from their sources.
const alias = {
  'ringmaster-client/opfs': join(here, '../client/ts/src/opfs/index.ts'), 'ringmaster-client': join(here, '../client/ts/src/index.ts'),
  'ringmaster-protocol': join(here, '../../protocol/ts/src/index.ts'),
};

const { outputFiles, metafile } = await build({
  absWorkingDir: here,
  entryPoints: { page: 'src/main.tsx', 'page.css': 'src/style/page.css' },
  bundle: true,
  minify: true,
  lineLimit: 160, // so that a change of dist can be looked at
  format: 'esm',
  splitting: true, // a view that is seldom used is a part of its own, which its import() loads
  chunkNames: 'part-[hash]',
  metafile: true,
  target: 'es2023',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  alias,
  legalComments: 'none',
  banner: { js: '/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */' },
  charset: 'utf8',
  outdir: 'dist',
  write: false,
});

// The worker is a file of its own, which no page waits for.
const worker = await build({
  absWorkingDir: here, entryPoints: { worker: 'src/worker/main.ts' }, bundle: true, minify: true, lineLimit: 160, format: 'iife', target: 'es2023', alias, legalComments: 'none', charset: 'utf8', outdir: 'dist', write: false,
});

const files = new Map<string, Uint8Array>();
for (const { path, contents } of [...outputFiles, ...worker.outputFiles]) {
  files.set(path.split('/').at(-1)!.replace('.css.css', '.css'), contents);
}
for (const name of await readdir(join(here, 'static'))) {
  files.set(name, await readFile(join(here, 'static', name)));
}

/** The first load: the style, the script, and the parts that it imports before it runs. */
const first = new Set(['page.css']);
const load = (name: string): void => {
  first.add(name);
  for (const { path, kind } of metafile.outputs[`dist/${name}`]!.imports) {
    const part = path.split('/').at(-1)!;
    if (kind === 'import-statement' && !first.has(part)) {
      load(part);
    }
  }
};
load('page.js');
// A part is asked for at once, and not when the script that imports it has come.
const preloads = [...first].filter((name) => name.startsWith('part-')).sort().map((name) => `<link rel="modulepreload" href="/assets/${name}" fetchpriority="low">\n`).join('');
files.set('index.html', Buffer.from(Buffer.from(files.get('index.html')!).toString().replace('<link rel="stylesheet"', `${preloads}<link rel="stylesheet"`)));
const sized = (name: string): number => gzipSync(files.get(name)!, { level: 9 }).length;
const sizes = [...first].map((name) => [name, sized(name)] as const);
const all = sizes.reduce((sum, [, n]) => sum + n, 0);
console.log(`first load: ${sizes.map(([name, n]) => `${name} ${(n / 1024).toFixed(1)} KiB`).join(', ')}, ${(all / 1024).toFixed(1)} KiB of ${limit / 1024} in all, compressed`);
console.log(`later parts: ${[...files.keys()].filter((name) => name.startsWith('part-') && !first.has(name)).map((name) => `${(sized(name) / 1024).toFixed(1)} KiB`).join(', ')}; worker.js ${(sized('worker.js') / 1024).toFixed(1)} KiB`);
if (all > limit) {
  console.error('the first load is too large');
  process.exit(1);
}

const dist = join(here, 'dist');
if (process.argv.includes('--check')) {
  const wrong: string[] = [];
  for (const name of new Set([...files.keys(), ...(await readdir(dist))])) {
    const committed = await readFile(join(dist, name)).catch(() => undefined);
    if (committed === undefined || !files.has(name) || !committed.equals(files.get(name)!)) {
      wrong.push(name);
    }
  }
  if (wrong.length > 0) {
    console.error(`api/web/dist is not what its sources give: ${wrong.join(', ')}. Run tools/web.sh build`);
    process.exit(1);
  }
} else {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist);
  for (const [name, bytes] of files) {
    await writeFile(join(dist, name), bytes);
  }
}
