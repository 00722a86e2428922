import { test } from 'node:test';
import { Folder } from '../src/cache/index.ts';
import { Machine } from '../src/sync/index.ts';
import { directed } from './support/directed.ts';

for (const [what, run] of Object.entries(directed)) {
  test(what, () => run({ Machine, Folder }));
}
