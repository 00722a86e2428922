import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventTypes } from '../src/index.ts';
import type { Member, Shape } from '../src/shape.ts';
import { dataShapes, deltaShapes, envelope, payloadShapes } from '../src/shapes.ts';
import { signalShapes } from '../src/signals.ts';
import { sessionState } from '../src/stateshapes.ts';

interface Schema {
  $ref?: string;
  type?: string;
  enum?: string[];
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema;
  discriminator?: { mapping: Record<string, string> };
}

const { schemas } = (JSON.parse(readFileSync(join(import.meta.dirname, '../../../api/openapi.json'), 'utf8')) as { components: { schemas: Record<string, Schema> } }).components;

function resolve(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : named(schema.$ref);
}

function named(ref: string): Schema {
  const schema = schemas[ref.slice(ref.lastIndexOf('/') + 1)];
  assert.ok(schema, ref);
  return schema;
}

/** Holds the members of shapes against the properties of a schema: names, obligation, types, words. */
function hold(members: readonly (readonly [string, Member])[], schema: Schema, path: string): void {
  assert.deepEqual(members.map(([key]) => key).sort(), Object.keys(schema.properties ?? {}).sort(), path);
  assert.deepEqual(members.filter(([, m]) => m.must).map(([key]) => key).sort(), [...(schema.required ?? [])].sort(), `${path}: required`);
  for (const [key, member] of members) {
    holdMember(member, resolve(schema.properties![key]!), `${path}.${key}`);
  }
}

const typeOf: Partial<Record<Member['kind'], string>> = {
  string: 'string', integer: 'integer', natural: 'integer', number: 'number', boolean: 'boolean', strings: 'array', lists: 'array', objects: 'array',
};

function holdMember(member: Member, schema: Schema, path: string): void {
  if (typeOf[member.kind] !== undefined) {
    assert.equal(schema.type, typeOf[member.kind], path);
  }
  switch (member.kind) {
    case 'string':
      if (member.words !== undefined && schema.enum !== undefined) {
        assert.deepEqual([...member.words].sort(), [...schema.enum].sort(), path);
      } else {
        assert.ok((schema.enum?.length ?? 1) === 1 && (member.words === undefined || path.endsWith('.entryType')), `${path}: an enum on one side`);
      }
      break;
    case 'objects':
      hold(member.shape!.members, resolve(schema.items!), path);
      break;
    case 'object':
      hold(member.shape!.members, schema, path);
      break;
    case 'map':
      assert.equal(schema.additionalProperties?.type, 'string', path);
      break;
  }
}

const stream = schemas['StreamMessage']!.discriminator!.mapping;

test('every event type, and no other', () => {
  assert.deepEqual([...eventTypes, ...signalShapes.keys()].sort(), Object.keys(stream).sort());
});

for (const type of eventTypes) {
  test(`members of ${type}`, () => {
    hold([...envelope.members, ...(payloadShapes[type] as Shape).members], named(stream[type]!), type);
  });
}

for (const [type, shape] of signalShapes) {
  test(`members of the signal ${type}`, () => {
    const { properties, required, ...rest } = named(stream[type]!);
    const { type: _, ...others } = properties!;
    hold(shape.members, { ...rest, properties: others, required: required!.filter((key) => key !== 'type') }, type);
  });
}

test('members of each entry type\'s data', () => {
  const mapping = schemas['EntryData']!.discriminator!.mapping;
  assert.deepEqual(Object.keys(dataShapes).sort(), Object.keys(mapping).sort());
  for (const [entryType, shape] of Object.entries(dataShapes)) {
    hold(shape.members, resolve(named(mapping[entryType]!).properties!['data']!), entryType);
  }
});

test('members of each delta', () => {
  const mapping = schemas['Delta']!.discriminator!.mapping;
  assert.deepEqual(Object.keys(deltaShapes).sort(), Object.keys(mapping).sort());
  for (const [op, shape] of Object.entries(deltaShapes)) {
    hold(shape.members, named(mapping[op]!), op);
  }
});

test('members of a state, and of all in it', () => {
  hold(sessionState.members, schemas['SessionState']!, 'state');
});
