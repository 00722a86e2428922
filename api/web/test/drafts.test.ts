import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Picture } from '../src/live/picture.ts';
import { elsewhere, images, reads, stored } from './support/page.ts';

// Proves: I14.2/once

const { Drafts } = await import('../src/live/draft.ts');
type Client = Parameters<InstanceType<typeof Drafts>['send']>[0];

const place = (id: string): string => `ringmaster.draft.${id}`;
const picture = (name: string): Picture => ({ name, type: 'image/png', blob: new Blob([name]) });
const written = (text: string, key: string, pictures = 0): string => JSON.stringify({ text, key, ...(pictures === 0 ? {} : { pictures }) });

/** Lets all reads of images go on that are on their way. */
async function read(): Promise<void> {
  await setImmediate();
  reads.splice(0).forEach((go) => go());
  await setImmediate();
}

/** A daemon that answers a prompt when it is told to. */
function daemon(): { client: Client; answer: (repeated: boolean) => Promise<void>; refuse: () => Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<{ repeated: boolean }>();
  return {
    client: { prompt: () => promise } as unknown as Client,
    answer: async (repeated) => (resolve({ repeated }), setImmediate()),
    refuse: async () => (reject(new Error('no')), setImmediate()),
  };
}

test('however often another tab stores a draft, its images come once', async () => {
  images.set('a', [picture('one'), picture('two')]);
  const drafts = new Drafts();
  const draft = drafts.of('a');
  for (const text of ['x', 'xy', 'xyz']) {
    elsewhere(place('a'), written(text, 'k', 2));
  }
  drafts.write('a', 'typed before they were read');
  assert.deepEqual([draft.peek().text, JSON.parse(stored.get(place('a'))!)], ['xyz', { text: 'xyz', key: 'k', pictures: 2 }]);
  await read();
  assert.deepEqual([draft.peek().text, draft.peek().pictures.map((p) => p.name), draft.peek().isReading, draft.peek().key], ['xyz', ['one', 'two'], false, 'k']);
  drafts.write('a', 'typed later');
  assert.deepEqual(JSON.parse(stored.get(place('a'))!).pictures, 2);
});

test('a draft that another tab has sent does not get its images back', async () => {
  images.set('b', [picture('one')]);
  const drafts = new Drafts();
  elsewhere(place('b'), written('x', 'k', 1));
  const draft = drafts.of('b');
  elsewhere(place('b'), null);
  await read();
  assert.deepEqual([draft.peek().text, draft.peek().pictures, draft.peek().isReading], ['', [], false]);
});

test('what is on its way is not changed: an image that cannot be shown stays, and a refusal ends it', async () => {
  images.set('c', [picture('one'), picture('two')]);
  stored.set(place('c'), written('', 'k', 2));
  const drafts = new Drafts();
  const draft = drafts.of('c');
  await read();
  Object.assign(globalThis, { FileReader: class {
    result = 'data:,';
    onload = (): void => undefined;
    readAsDataURL(): void {
      queueMicrotask(() => this.onload());
    }
  } });
  const { client, refuse } = daemon();
  const sent = drafts.send(client, 'c', undefined);
  drafts.detach('c', draft.peek().pictures[0]!, 'it cannot be read');
  drafts.write('c', 'typed meanwhile');
  await refuse();
  await sent;
  assert.deepEqual([draft.peek().isSending, draft.peek().text, draft.peek().pictures.length, draft.peek().key], [false, '', 2, 'k']);
  assert.equal((images.get('c') as Picture[]).length, 2);
  drafts.detach('c', draft.peek().pictures[0]!);
  assert.deepEqual([draft.peek().pictures.map((p) => p.name), draft.peek().key === 'k'], [['two'], false]);
});

test('a draft that the log has is over, and the next one that another tab has begun stays', async () => {
  const drafts = new Drafts();
  drafts.write('d', 'first');
  const { key } = drafts.of('d').peek();
  const { client, answer } = daemon();
  const sent = drafts.send(client, 'd', undefined);
  images.set('d', [picture('next')]);
  elsewhere(place('d'), written('next', 'other', 1)); // the other tab has seen the first one in the log
  await answer(true);
  await sent;
  await read();
  assert.deepEqual([drafts.of('d').peek().text, drafts.of('d').peek().pictures.map((p) => p.name), drafts.of('d').peek().key, drafts.of('d').peek().isSending], ['next', ['next'], 'other', false]);
  assert.deepEqual([JSON.parse(stored.get(place('d'))!).text, images.has('d')], ['next', true]);
  drafts.taken('d', key);
  drafts.taken('d', undefined);
  assert.equal(drafts.of('d').peek().text, 'next');
  drafts.taken('d', 'other');
  assert.deepEqual([drafts.of('d').peek().text, stored.has(place('d')), images.has('d')], ['', false, true]);
  await setImmediate();
  assert.equal(images.has('d'), false);
});

test('the draft to a session that was deleted goes, with its images', async () => {
  images.set('e', [picture('one')]);
  stored.set(place('e'), written('x', 'k', 1));
  const drafts = new Drafts();
  drafts.gone('e');
  drafts.gone('never written to');
  await read();
  assert.deepEqual([stored.has(place('e')), images.has('e'), drafts.of('e').peek().text, drafts.of('e').peek().pictures], [false, false, '', []]);
});

test('images that are pasted while others are looked at are kept beside them, and one that was taken out stays out', async () => {
  const png = (name: string): File => new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)], name);
  const drafts = new Drafts();
  const draft = drafts.of('both');
  await drafts.attach('both', [png('first')]);
  const under = [drafts.attach('both', [png('one')]), drafts.attach('both', [png('two')])];
  drafts.detach('both', draft.peek().pictures[0]!);
  await Promise.all(under);
  assert.deepEqual(draft.peek().pictures.map((p) => p.name), ['one', 'two']);
});
