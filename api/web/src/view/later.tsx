import { useSignal } from '@preact/signals';
import type { FunctionComponent, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

/** A view that is loaded when it is first shown, so that the first load of the page does not bring it. */
export function later<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  let loaded: FunctionComponent<P> | undefined;
  return function Later(props: P): JSX.Element {
    const state = useSignal<'loading' | 'here' | 'failed'>(loaded === undefined ? 'loading' : 'here');
    const fetch = (): void => {
      state.value = 'loading';
      load().then((view) => {
        loaded = view;
        state.value = 'here';
      }, () => {
        state.value = 'failed';
      });
    };
    useEffect(() => {
      if (loaded === undefined) {
        fetch();
      }
    }, []);
    if (state.value === 'here' && loaded !== undefined) {
      const View = loaded;
      return <View {...props} />;
    }
    return state.value === 'failed'
      ? <div class="empty" role="alert"><p>This part of the page did not come. The daemon is away, or is another version than this page.</p><p><button type="button" onClick={() => location.reload()}>Load the page again</button></p></div>
      : <p class="empty" role="status">Loading this view…</p>;
  };
}
