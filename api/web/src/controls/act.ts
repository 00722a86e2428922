import { useSignal, type Signal } from '@preact/signals';
import { saying } from '../text/words.ts';

/** A change on its way to the daemon: what is shown of it, and a way to begin it. Nothing counts as done before the daemon has said so. */
export interface Act {
  isBusy: Signal<boolean>;
  error: Signal<string>;
  said: Signal<string>;
  /** Does it, and says what came of it. */
  run: (does: () => Promise<string>) => Promise<boolean>;
}

export function useAct(): Act {
  const isBusy = useSignal(false), error = useSignal(''), said = useSignal('');
  const run = async (does: () => Promise<string>): Promise<boolean> => {
    isBusy.value = true;
    error.value = said.value = '';
    try {
      said.value = await does();
      return true;
    } catch (thrown) {
      error.value = saying(thrown);
      return false;
    } finally {
      isBusy.value = false;
    }
  };
  return { isBusy, error, said, run };
}
