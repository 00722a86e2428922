import { request } from 'node:http';
import { Readable } from 'node:stream';
import type { Fetch } from '../wire.ts';

/** Sends requests over a unix socket: fetch cannot. */
export function overSocket(path: string): Fetch {
  return (url, init) =>
    new Promise((answered, failed) => {
      const { pathname, search } = new URL(url);
      const outgoing = request(
        { socketPath: path, path: pathname + search, method: init.method ?? 'GET', headers: init.headers as Record<string, string>, signal: init.signal },
        (incoming) => {
          const status = incoming.statusCode ?? 0;
          const isEmpty = status === 204 || status === 304;
          const headers = new Headers();
          for (const [name, value] of Object.entries(incoming.headersDistinct)) {
            value?.forEach((one) => headers.append(name, one));
          }
          if (isEmpty) {
            incoming.resume();
          }
          answered(new Response(isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>), { status, headers }));
        },
      );
      outgoing.once('error', failed);
      outgoing.end(init.body ?? undefined);
    });
}
