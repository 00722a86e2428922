import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { said, type RequestOpened } from '../src/index.ts';

const cases = JSON.parse(readFileSync(new URL('../../testdata/said.json', import.meta.url), 'utf8')) as { name: string; request: RequestOpened; said: string }[];

test('what is said beside a diff is what the Go package takes for it', () => {
  assert.ok(cases.length >= 8);
  for (const c of cases) {
    assert.equal(said(c.request), c.said, c.name);
  }
});
