import { dirPrefix } from '../tabs/names.ts';

interface Files {
  values(): AsyncIterable<(Files & { kind: 'directory'; name: string }) | { kind: 'file'; name: string; getFile(): Promise<{ size: number }> }>;
}

/** What lies in this browser's file system: of how many sessions, and how many bytes of all files. What storage.estimate says of it is not to be trusted: after a restart it forgets. */
export async function inventory(): Promise<{ sessions: number; bytes: number }> {
  const found = { sessions: 0, bytes: 0 };
  const walk = async (dir: Files, depth: number): Promise<void> => {
    for await (const one of dir.values()) {
      if (one.kind === 'file') {
        found.bytes += (await one.getFile()).size;
        found.sessions += one.name.endsWith('.index') ? 1 : 0;
      } else if (depth > 0 || one.name.startsWith(dirPrefix)) {
        await walk(one, depth + 1);
      }
    }
  };
  try {
    await walk((await navigator.storage.getDirectory()) as unknown as Files, 0);
  } catch {
    // there is none, or a file has just gone
  }
  return found;
}
