import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Drafts } from '../live/draft.ts';
import type { Feed } from '../live/feed.ts';

/** What every view has: the daemon, and what is being written. */
export interface Around {
  feed: Feed;
  drafts: Drafts;
}

export const AroundContext = createContext<Around | null>(null);

export function useAround(): Around {
  const around = useContext(AroundContext);
  if (around === null) {
    throw new Error('a view outside of the page');
  }
  return around;
}

export function useFeed(): Feed {
  return useAround().feed;
}
