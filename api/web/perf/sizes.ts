import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { figure } from './support/rows.ts';

/** What the page weighs. */
export function sizes(): void {
  const dist = join(import.meta.dirname, '../dist');
  const files = new Map(readdirSync(dist).map((name) => [name, readFileSync(join(dist, name))]));
  const index = files.get('index.html')!.toString();
  const isFirst = (name: string): boolean => name === 'page.js' || name === 'page.css' || index.includes(`/assets/${name}"`);
  const packed = (names: string[]): number[] => names.map((name) => gzipSync(files.get(name)!, { level: 9 }).length / 1024);
  const scripts = [...files.keys()].filter((name) => /\.(js|css)$/.test(name));
  figure('first', packed(scripts.filter(isFirst)).reduce((a, b) => a + b));
  figure('later', Math.max(...packed(scripts.filter((name) => name.startsWith('part-') && !isFirst(name)))));
  figure('embedded', [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0) / 1024);
}
