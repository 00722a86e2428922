import { Client, Problem } from 'ringmaster-client';
import { saying } from '../text/words.ts';
import { browserName } from './browser.ts';
import { takeCode } from './code.ts';
import { forgetAll, removeKept } from './forget.ts';
import { keep, login } from './kept.ts';

const nobody = (): Client => new Client({ base: location.origin });
const mine = (token: string): Client => new Client({ base: location.origin, token });

/** Trades the link's code for a login of this browser, and ends the one before: a browser has one. It returns what went wrong. */
export async function trade(): Promise<string> {
  const before = login.peek();
  try {
    keep(await nobody().login({ code: takeCode(), name: browserName(navigator.userAgent) }));
  } catch (error) {
    return saying(error);
  }
  if (before !== null) {
    await mine(before.token).endLogin().catch(() => undefined);
  }
  return '';
}

let left: string | undefined; // the token that this page has logged out with

/** Says whether this page has logged out with a token: that it is over is no news then. */
export function hasLeft(token: string): boolean {
  return token === left;
}

/** Logs out. The token and what was read with it go from this browser in any case, and the token from the daemon where that can be reached. */
export async function leave(): Promise<string> {
  const token = login.peek()?.token;
  left = token;
  keep(null);
  if (token === undefined) {
    return '';
  }
  void removeKept();
  try {
    await mine(token).endLogin();
  } catch (error) {
    if (!(error instanceof Problem && error.status === 401)) {
      return `This browser has forgotten its login, and the daemon has not: ${saying(error)}`;
    }
  }
  return 'You are logged out.';
}

/** Logs out, and takes everything from this browser that this page has put there. */
export async function forget(): Promise<string> {
  const said = await leave();
  const left = await forgetAll();
  return left !== '' ? left : said === 'You are logged out.' ? 'This browser has forgotten everything.' : said;
}

/** Takes a token that was made elsewhere and pasted here, when the daemon takes it. */
export async function useToken(token: string): Promise<string> {
  try {
    await mine(token).sessions({ limit: 1 });
  } catch (error) {
    return error instanceof Problem && error.status === 401 ? 'The daemon does not know this token. It may have expired, or been revoked.' : saying(error);
  }
  keep({ token, id: '', name: 'a pasted token', scope: '' } as never);
  return '';
}
