import { workers } from './trusted.ts';

/** Has the browser keep the page's own files, so that it opens while the daemon is away. */
export function keepPage(): void {
  navigator.serviceWorker?.register(workers.createScriptURL('/sw.js'), { updateViaCache: 'none' }).catch(() => undefined); // a browser that has none, or is told to have none
}
