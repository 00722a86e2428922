import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Feed } from '../live/feed.ts';
import type { Hit, Part, Progress } from '../live/questions.ts';
import { count, plain } from '../text/words.ts';

/** How long the text of a search rests before it is searched, in milliseconds. */
const rests = 120;

/** How many entries a search tells of one session at most. */
const mostOfOne = 10;

/** What was found so far, in the order in which it is shown. */
export interface Said {
  words: string;
  hits: readonly (Hit & { id: string; isLastOfMany: boolean })[];
  /** Absent: nothing is searched. */
  progress?: Progress | 'begins';
}

/** Searches what was said in all sessions that this browser keeps, while somebody types. Its leader's worker does it. */
export function useSaid(feed: Feed, text: string, isOn: boolean): Said {
  const said = useSignal<Said>({ words: '', hits: [] });
  const words = isOn ? text.trim() : '';
  useEffect(() => {
    if (words === '') {
      return undefined;
    }
    let stop: (() => void) | undefined;
    const timer = setTimeout(() => {
      stop = feed.questions.put({ type: 'search', words }, (answer) => {
        if (answer.type === 'found') {
          const { id, hits, progress } = answer;
          const more = id === undefined ? [] : hits.map((h, i) => ({ ...h, id, isLastOfMany: i === mostOfOne - 1 }));
          said.value = { words, hits: [...said.peek().hits, ...more], progress };
        }
      }, () => { said.value = { words, hits: [], progress: 'begins' }; });
    }, rests);
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [feed, words]);
  // What was found of another text is not for an Enter that comes at once.
  return said.value.words === words ? said.value : { words, hits: [], ...(words === '' ? {} : { progress: 'begins' }) };
}

/** A snippet of what was found. */
export function Snippet({ parts }: { parts: readonly Part[] }): JSX.Element {
  return <span class="snippet" dir="auto">{parts.map((p, i) => (p.isHit ? <mark key={i}>{plain(p.text)}</mark> : plain(p.text)))}</span>;
}

const kinds: Record<string, string> = { user_message: 'you', assistant_message: 'agent', thinking: 'thinking', tool_result: 'result', plan: 'plan', compaction: 'compaction', system: 'notice' };

/** What kind of thing an entry is, in a word. */
export function kindOf(h: Hit): string {
  return h.kind === 'tool_call' ? (h.tool ?? 'tool') : (kinds[h.kind] ?? h.kind);
}

/** Says how far a search is, and what it did not look at. */
export function Searched({ said, listed, isOnDisk }: { said: Said; listed: number; isOnDisk: boolean }): JSX.Element | null {
  const { progress, hits } = said;
  if (progress === undefined) {
    return null;
  }
  if (progress === 'begins' || progress.stage === 'goes on') {
    return <p class="note searched"><span role="status">Searching what was said…</span>{progress === 'begins' ? null : <span aria-hidden="true"> {progress.searched} of {count(progress.kept, 'session')}</span>}</p>;
  }
  const others = Math.max(0, listed - progress.kept);
  const where = `${count(progress.kept, 'session')} ${isOnDisk ? 'kept in this browser' : 'open in this page'}`;
  const found = progress.stage === 'full' ? `The first ${hits.length} places of more, in ${progress.searched} of ${where}.` : `${count(hits.length, 'place')} in ${where}.`;
  const not = others === 0 ? '' : ` ${others === 1 ? 'One other session was' : `${others} other sessions were`} not searched: ${others === 1 ? 'it is' : 'they are'} with the daemon alone.`;
  return <p class="note searched" role="status">{found}{not}</p>;
}
