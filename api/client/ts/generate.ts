/**
 * Writes src/types from the description of the API: node generate.ts [--check]. What the protocol has, a log's events and the state, is the protocol package's. Every other
 * schema that an operation takes or gives becomes a type.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: string[];
  const?: string;
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  discriminator?: { mapping: Record<string, string> };
}

interface Operation {
  operationId?: string;
}

const description = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const { schemas } = description.components;

/** Schemas that have another name as a type: the package has an error of that name, the protocol a type. */
const renamed: Record<string, string> = { Problem: 'ProblemBody', StreamMessage: 'Message' };
schemas['ProblemBody'] = schemas['Problem']!;

/** Types of the protocol package. */
const protocol = new Set(['LogEvent', 'Message', 'Budget', 'BudgetMark', 'Cost', 'Damage', 'Delta', 'LastTurn', 'Limits', 'Option', 'Policy', 'PolicyRule', 'Question', 'RequestOpened', 'RequestResolved', 'SessionState', 'Spent', 'Status', 'ToolKind', 'Usage']);

/** Which file a schema goes to: that of the first operation with it, by the beginning of the path. */
const files: [begins: string, file: string][] = [
  ['/sessions/{id}/', 'session'], ['/sessions', 'sessions'], ['/requests', 'session'], ['/stream', 'stream'], ['/wait', 'wait'], ['/webhooks', 'webhooks'], ['/nodes', 'nodes'], ['/', 'daemon'],
];
const order = ['problem', 'sessions', 'session', 'stream', 'wait', 'webhooks', 'nodes', 'daemon'];

/** The name of the type of a schema, as it is written where it is used. */
function nameOf(ref: string): string {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return name.endsWith('Event') && name !== 'MergedEvent' ? 'LogEvent' : (renamed[name] ?? name);
}

const isOwn = (name: string): boolean => !protocol.has(name);

function refs(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, v]) => (key === '$ref' && typeof v === 'string' && v.includes('/schemas/') ? [nameOf(v)] : key === 'mapping' ? [] : refs(v)));
}

const fileOf = new Map<string, string>();

function place(name: string, file: string): void {
  if (!isOwn(name) || fileOf.has(name)) {
    return;
  }
  fileOf.set(name, file);
  for (const inner of refs(schemas[name])) {
    place(inner, file);
  }
}

place('ProblemBody', 'problem'); // of every operation
for (const file of order) {
  for (const [path, methods] of Object.entries(description.paths)) {
    if (files.find(([begins]) => path.startsWith(begins))![1] === file) {
      for (const name of refs(methods)) {
        place(name, file);
      }
    }
  }
}

function typeOf(s: Schema): string {
  if (s.$ref !== undefined) {
    return nameOf(s.$ref);
  }
  const some = s.oneOf ?? s.anyOf;
  if (some !== undefined) {
    return [...new Set(some.map(typeOf))].join(' | ');
  }
  if (s.enum !== undefined || s.const !== undefined) {
    return (s.enum ?? [s.const!]).map((word) => `'${word}'`).join(' | ');
  }
  if (Array.isArray(s.type)) {
    return s.type.map((type) => typeOf({ ...s, type })).join(' | ');
  }
  switch (s.type) {
    case 'null':
      return 'null';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
      return s.type;
    case 'array': {
      const item = typeOf(s.items ?? {});
      return item.includes(' ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      if (s.properties !== undefined) {
        return `{ ${Object.entries(s.properties).map(([key, p]) => `${key}${s.required?.includes(key) ? '' : '?'}: ${typeOf(p)}`).join('; ')} }`;
      }
      return `Record<string, ${typeof s.additionalProperties === 'object' ? typeOf(s.additionalProperties) : 'unknown'}>`;
    default:
      return 'unknown';
  }
}

/** The members of an object, as they are written. */
function members(s: Schema): Map<string, string> {
  const all = Object.entries(s.properties ?? {}).filter(([key]) => key !== '$schema');
  return new Map(all.map(([key, p]) => {
    const about = p.description === undefined ? '' : `  /** ${p.description.replaceAll('\n', ' ')} */\n`;
    return [key, `${about}  ${key}${s.required?.includes(key) ? '' : '?'}: ${typeOf(p)};\n`];
  }));
}

/** The largest other schema of which an object has all members. */
function base(name: string): string | undefined {
  const own = members(schemas[name]!);
  const fits = [...fileOf.keys()].filter((other) => {
    const theirs = members(schemas[other]!);
    return other !== name && theirs.size >= 4 && theirs.size < own.size && [...theirs].every(([key, text]) => own.get(key) === text);
  });
  return fits.sort((a, b) => members(schemas[b]!).size - members(schemas[a]!).size)[0];
}

/** Names that the types of a file refer to. */
let used = new Set<string>();

function written(name: string): string {
  const s = schemas[name]!;
  const about = s.description === undefined ? '' : `/** ${s.description.replaceAll('\n', ' ')} */\n`;
  if (s.properties === undefined || s.discriminator !== undefined) {
    return `${about}export type ${name} = ${typeOf(s.discriminator === undefined ? s : { oneOf: Object.values(s.discriminator.mapping).map(($ref) => ({ $ref })) })};\n`;
  }
  const parent = base(name);
  const theirs = parent === undefined ? new Map<string, string>() : members(schemas[parent]!);
  const own = [...members(s)].filter(([key]) => !theirs.has(key)).map(([, text]) => text);
  return `${about}export interface ${name} ${parent === undefined ? '' : `extends ${parent} `}{\n${own.join('')}}\n`;
}

function file(which: string): string {
  const names = [...fileOf].filter(([, f]) => f === which).map(([name]) => name).sort();
  const body = names.map(written).join('\n');
  used = new Set(body.replaceAll(/\/\*\*.*?\*\/|'[^']*'/g, '').match(/\b[A-Z][A-Za-z]+\b/g));
  const from = (module: string, wanted: string[]): string => (wanted.length === 0 ? '' : `import type { ${wanted.sort().join(', ')} } from '${module}';\n`);
  const imports = [
    from('ringmaster-protocol', [...used].filter((name) => protocol.has(name))),
    ...order.filter((other) => other !== which).map((other) => from(`./${other}.ts`, [...used].filter((name) => fileOf.get(name) === other))),
  ].join('');
  return `// Generated from api/openapi.json by generate.ts. DO NOT EDIT.\n\n${imports}${imports === '' ? '' : '\n'}${body}`;
}

const out = join(import.meta.dirname, 'src/types');
const index = `// Generated from api/openapi.json by generate.ts. DO NOT EDIT.\n\n/** What the daemon's API takes and gives. */\n${order.map((name) => `export type * from './${name}.ts';\n`).join('')}`;
const texts = new Map([...order.map((name) => [`${name}.ts`, file(name)] as const), ['index.ts', index]]);

if (process.argv[2] === '--check') {
  const stale = [...texts].filter(([name, text]) => !existsSync(join(out, name)) || readFileSync(join(out, name), 'utf8') !== text);
  if (stale.length > 0 || readdirSync(out).length !== texts.size) {
    console.error(`src/types/${stale[0]?.[0] ?? ''} is not what api/openapi.json gives: run npm run generate in api/client/ts`);
    process.exit(1);
  }
} else {
  for (const name of readdirSync(out)) {
    rmSync(join(out, name));
  }
  for (const [name, text] of texts) {
    writeFileSync(join(out, name), text);
  }
}
