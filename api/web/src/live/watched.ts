import type { Fetch } from 'ringmaster-client';
import type { Link } from '../tabs/words.ts';

/** The browser's fetch, which says how it went with the stream: an answer to it is a daemon that is there. */
export function watched(say: (link: Link) => void): Fetch {
  return async (url, init) => {
    const isStream = new URL(url).pathname === '/stream';
    try {
      const answer = await fetch(url, init);
      if (isStream) {
        say(answer.ok ? 'live' : 'away');
      }
      return answer;
    } catch (error) {
      if (isStream && !init.signal.aborted) {
        say('away');
      }
      throw error;
    }
  };
}
