import { registerHooks } from 'node:module';

// The packages are taken from their sources, as the build takes them.
const packages: Record<string, string> = { 'ringmaster-client': '../../../client/ts/src/index.ts', 'ringmaster-protocol': '../../../../protocol/ts/src/index.ts' };

registerHooks({
  resolve: (name, context, next) => (packages[name] === undefined ? next(name, context) : { url: new URL(packages[name], import.meta.url).href, shortCircuit: true }),
});
