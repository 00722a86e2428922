/** What the folders in the browser's file system begin with, the locks and the channels: an origin may have others of its own. */
export const dirPrefix = 'ringmaster-';

/** What the tabs of a login call a lock or a channel. Those of another build of the page are not among them, since what tabs say to each other may have changed; the folder is the same. */
export function nameOf(principal: string, build: string, part: string): string {
  return `${dirPrefix}${principal}/${build}/${part}`;
}

/** The place of what a browser may keep at most, in the storage of this origin. */
export const budgetPlace = 'ringmaster.budget';

/** Bytes. */
export const defaultBudget = 512 << 20;

/** Names whom a login belongs to, as a hash: what one token has read, another one does not show. Empty: this browser has no hashes here, and nothing to keep files in. */
export async function principalOf(token: string): Promise<string> {
  if (globalThis.crypto?.subtle === undefined) {
    return '';
  }
  const sum = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`ringmaster principal ${token}`));
  return [...new Uint8Array(sum).subarray(0, 16)].map((b) => b.toString(16).padStart(2, '0')).join('');
}
